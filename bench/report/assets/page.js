/* results/index.html: tables that are loaded on demand, filters of the claims, figures that zoom, provenance. */
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

    /* ---- Claims. ---- */
    const filterClaims = () => {
        const words = document.getElementById('claim-words').value.toLowerCase().split(/\s+/).filter(Boolean);
        const paper = document.getElementById('claim-paper').value, verdict = document.getElementById('claim-verdict').value;
        let shown = 0;
        document.querySelectorAll('.claims tbody tr').forEach((row) => {
            const text = row.textContent.toLowerCase();
            const fits = (!paper || row.dataset.paper === paper) && (!verdict || row.dataset.verdict === verdict) && words.every((word) => text.includes(word));
            row.hidden = !fits;
            shown += fits;
        });
        document.getElementById('claim-count').textContent = shown + (shown === 1 ? ' claim' : ' claims');
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
        ['claim-words', 'claim-paper', 'claim-verdict'].forEach((id) => document.getElementById(id).addEventListener('input', filterClaims));
        filterClaims();
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
        document.head.append(make('script', { src: 'site/provenance.js' }));
    };
    document.addEventListener('DOMContentLoaded', start);
    return { make, put, table, show, provenance };
})();
