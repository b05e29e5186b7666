/* results/index.html: tables that are loaded on demand, filters, figures that zoom, provenance. */
const stepbench = (() => {
    const tables = {}, waiting = {};
    const make = (name, attributes, ...children) => {
        const element = document.createElement(name);
        for (const [key, value] of Object.entries(attributes || {})) {
            if (key in element && key !== 'list') element[key] = value; else element.setAttribute(key, value);
        }
        element.append(...children);
        return element;
    };

    /* Called by a data file; notifies its callers. */
    const put = (name, columns, rows) => {
        tables[name] = { name, columns, rows };
        (waiting[name] || []).forEach((then) => then(tables[name]));
        delete waiting[name];
    };

    const table = (name) => new Promise((resolve, reject) => {
        if (tables[name]) return resolve(tables[name]);
        if (waiting[name]) return waiting[name].push(resolve);
        waiting[name] = [resolve];
        document.head.append(make('script', { src: 'site/' + name.replace(/.*\//, '') + '.js', onerror: () => { delete waiting[name]; reject(new Error(name + ' could not be read')); } }));
    });

    const show = (x) => typeof x !== 'number' ? (x === null ? '' : String(x))
        : x === 0 ? '0' : Math.abs(x) >= 1e5 || Math.abs(x) < 1e-3 ? x.toExponential(4).replace(/\.?0+e/, 'e') : String(Number(x.toPrecision(7)));

    const all = (selector, root) => [...(root || document).querySelectorAll(selector)];
    const replace = (url) => history.replaceState(null, '', url);

    /* ---- Filters of claims and experiments, kept in the address. ---- */
    const KEYS = ['words', 'paper', 'verdict'], control = (key) => document.getElementById('filter-' + key);

    const filter = () => {
        const [words, paper, verdict] = KEYS.map((key) => control(key) ? control(key).value.trim() : '');
        const wanted = words.toLowerCase().split(/\s+/).filter(Boolean), active = Boolean(wanted.length || paper || verdict);
        const shown = { claim: 0, experiment: 0 };
        all('.claim, .experiment').forEach((item) => {
            const text = item.textContent.toLowerCase();
            item.hidden = !((!paper || item.dataset.paper === paper) && (!verdict || item.dataset.verdict.split(' ').includes(verdict)) && wanted.every((word) => text.includes(word)));
            shown[item.classList[0]] += !item.hidden;
        });
        all('.paper').forEach((group) => {
            group.hidden = active && !group.querySelector('.claim:not([hidden])');
            if (active) group.open = true;
        });
        all('main section').forEach((section) => { section.hidden = active && !section.querySelector('.claim:not([hidden]), .experiment:not([hidden])'); });
        all('nav li').forEach((item) => { item.hidden = document.getElementById(item.querySelector('a').hash.slice(1)).hidden; });
        const plural = (count, word) => count + ' ' + word + (count === 1 ? '' : 's');
        document.getElementById('filter-count').textContent = (all('.claim').length ? plural(shown.claim, 'claim') + ', ' : '') + plural(shown.experiment, 'experiment');
    };

    const remember = () => {
        const query = new URLSearchParams();
        KEYS.forEach((key) => { if (control(key) && control(key).value) query.set(key, control(key).value); });
        replace((String(query) ? '?' + query : location.pathname) + location.hash);
        filter();
    };

    const recall = () => {
        const query = new URLSearchParams(location.search);
        KEYS.forEach((key) => { if (control(key)) control(key).value = query.get(key) || ''; });
        all('#contents select').forEach((select) => { if (select.selectedIndex < 0) select.value = ''; });
        filter();
    };

    /* Opens what the address names, with everything that holds it. */
    const reveal = () => {
        const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
        if (!target) return;
        if (target.closest('[hidden]')) { KEYS.forEach((key) => { if (control(key)) control(key).value = ''; }); remember(); }
        for (let at = target; at; at = at.parentElement) if (at.localName === 'details') at.open = true;
        target.scrollIntoView();
    };

    /* ---- Figures: a dialog in which one zooms and pans. ---- */
    const viewer = () => {
        const stage = make('div', { className: 'stage' }), image = make('img', { alt: '', draggable: false }), title = make('span');
        const dialog = make('dialog', { ariaLabel: 'figure, enlarged' });
        let scale = 1, x = 0, y = 0, held = null;
        const apply = () => { image.style.transform = `translate(${x}px, ${y}px) scale(${scale})`; };
        const reset = () => { scale = 1; x = y = 0; apply(); };
        const zoom = (by, atX, atY) => {
            const next = Math.min(40, Math.max(1, scale * by)), ratio = next / scale;
            x = atX - ratio * (atX - x);
            y = atY - ratio * (atY - y);
            scale = next;
            if (scale === 1) x = y = 0;
            apply();
        };
        const middle = (by) => zoom(by, stage.clientWidth / 2, stage.clientHeight / 2);
        const button = (text, label, act) => make('button', { type: 'button', textContent: text, ariaLabel: label, onclick: act });
        dialog.append(make('div', { className: 'tools' }, title, button('+', 'zoom in', () => middle(1.5)), button('−', 'zoom out', () => middle(1 / 1.5)),
            button('1:1', 'whole figure', reset), button('×', 'close', () => dialog.close())), stage);
        stage.append(image);
        stage.addEventListener('wheel', (event) => { event.preventDefault(); zoom(Math.exp(-event.deltaY / 400), event.offsetX, event.offsetY); }, { passive: false });
        stage.addEventListener('pointerdown', (event) => { held = [event.clientX - x, event.clientY - y]; stage.setPointerCapture(event.pointerId); });
        stage.addEventListener('pointermove', (event) => { if (held) { x = event.clientX - held[0]; y = event.clientY - held[1]; apply(); } });
        stage.addEventListener('pointerup', () => { held = null; });
        stage.addEventListener('dblclick', reset);
        dialog.addEventListener('keydown', (event) => {
            const act = { '+': () => middle(1.5), '-': () => middle(1 / 1.5), 0: reset, ArrowLeft: () => { x += 60; apply(); }, ArrowRight: () => { x -= 60; apply(); },
                ArrowUp: () => { y += 60; apply(); }, ArrowDown: () => { y -= 60; apply(); } }[event.key];
            if (act) { event.preventDefault(); act(); }
        });
        document.body.append(dialog);
        return (source, alt) => { image.src = source; image.alt = alt; title.textContent = alt; reset(); dialog.showModal(); };
    };

    /* ---- Provenance: nested values flattened to terms and definitions. ---- */
    const provenance = (values) => {
        const list = document.getElementById('provenance-list');
        const add = (prefix, value) => {
            if (Array.isArray(value)) add(prefix, value.join(', '));
            else if (value && typeof value === 'object') Object.entries(value).forEach(([key, inner]) => add(prefix ? prefix + ' ' + key : key, inner));
            else list.append(make('dt', { textContent: prefix.replace(/_/g, ' ') }), make('dd', { textContent: String(value) }));
        };
        add('', values);
    };

    const start = () => {
        const contents = document.getElementById('contents'), narrow = matchMedia('(max-width: 60rem)');
        const fold = () => { contents.open = !narrow.matches; };
        narrow.addEventListener('change', fold);
        fold();
        KEYS.forEach((key) => { if (control(key)) control(key).addEventListener('input', remember); });
        recall();
        addEventListener('hashchange', reveal);
        all('.experiment h3').forEach((name) => name.replaceChildren(...name.textContent.split(/(?<=_)/).flatMap((word) => [word, document.createElement('wbr')])));
        addEventListener('beforeprint', () => all('.paper, .claim').forEach((item) => { item.open = true; }));
        all('a[href^="#"]').forEach((link) => link.addEventListener('click', () => { if (narrow.matches) contents.open = false; if (link.hash === location.hash) reveal(); }));
        all('.claim, .experiment').forEach((item) => item.addEventListener('toggle', () => { if (item.open) replace('#' + item.id); }));
        reveal();
        const open = viewer();
        document.querySelectorAll('.figure a').forEach((link) => link.addEventListener('click', (event) => {
            if (event.ctrlKey || event.metaKey || event.shiftKey) return;
            event.preventDefault();
            open(link.href, link.querySelector('img').alt);
        }));
        document.querySelectorAll('details[data-file]').forEach((details) => details.addEventListener('toggle', () => {
            if (!details.open || details.dataset.filled) return;
            details.dataset.filled = 'yes';
            table(details.dataset.file).then((data) => stepbench.explore(details, data), (error) => details.append(make('p', { textContent: error.message })));
        }));
        stepbench.fall();
        if (document.getElementById('provenance-list')) document.head.append(make('script', { src: 'site/provenance.js' }));
    };
    document.addEventListener('DOMContentLoaded', start);
    return { make, put, table, show, provenance };
})();
