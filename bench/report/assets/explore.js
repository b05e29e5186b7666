/* A table as a chart that zooms and shows its values, and as rows that filter and sort. */
stepbench.explore = (() => {
    const { make, show } = stepbench;
    const WIDTH = 900, HEIGHT = 420, LEFT = 78, RIGHT = 14, TOP = 12, BOTTOM = 46, COLOURS = 8, MOST_ROWS = 300, MOST_SERIES = 16;
    const svg = (name, attributes, text) => {
        const element = document.createElementNS('http://www.w3.org/2000/svg', name);
        Object.entries(attributes || {}).forEach(([key, value]) => element.setAttribute(key, value));
        if (text !== undefined) element.textContent = text;
        return element;
    };
    const isNumber = (x) => typeof x === 'number' && Number.isFinite(x);

    const ticks = (lo, hi, log) => {
        const out = [];
        if (log) {
            const step = Math.max(1, Math.ceil((hi - lo) / 8));
            for (let k = Math.ceil(lo / step - 1e-9) * step; k <= hi + 1e-9; k += step) out.push(k);
            if (out.length >= 2) return out.map((k) => [k, k === 0 ? '1' : '1e' + k]);
        }
        const raw = (hi - lo) / 6, power = 10 ** Math.floor(Math.log10(raw)), step = power * [1, 2, 5, 10].find((m) => m * power >= raw);
        const linear = [];
        for (let k = Math.ceil(lo / step); k * step <= hi + 1e-9 * step; k++) linear.push([k * step, show(log ? 10 ** (k * step) : Number((k * step).toPrecision(12)))]);
        return linear;
    };

    const chart = (data, choice, say) => {
        const host = make('div', { className: 'chart' });
        let view = null, drawn = null;
        const index = (name) => data.columns.indexOf(name);
        const series = () => {
            const xi = index(choice.x), yi = index(choice.y), by = choice.by ? choice.by.split(' ').map(index) : [], groups = new Map();
            data.rows.forEach((row, at) => {
                let [x, y] = [row[xi], row[yi]];
                if (!isNumber(x) || !isNumber(y) || (choice.logX && x <= 0) || (choice.logY && y <= 0)) return;
                const key = by.map((i) => show(row[i])).join(', ');
                if (!groups.has(key)) groups.set(key, []);
                groups.get(key).push([choice.logX ? Math.log10(x) : x, choice.logY ? Math.log10(y) : y, at]);
            });
            return [...groups].slice(0, MOST_SERIES);
        };
        const extent = (all, i) => {
            let lo = Infinity, hi = -Infinity;
            all.forEach(([, points]) => points.forEach((p) => { lo = Math.min(lo, p[i]); hi = Math.max(hi, p[i]); }));
            if (!(lo < hi)) { lo -= 0.5; hi += 0.5; }
            return [lo - 0.03 * (hi - lo), hi + 0.03 * (hi - lo)];
        };
        const draw = () => {
            const all = series();
            if (all.length === 0) { host.replaceChildren(make('p', { className: 'quiet', textContent: 'nothing to draw with these columns' })); drawn = null; return; }
            const [x0, x1, y0, y1] = view || [...extent(all, 0), ...extent(all, 1)];
            const X = (x) => LEFT + (WIDTH - LEFT - RIGHT) * (x - x0) / (x1 - x0), Y = (y) => HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (y - y0) / (y1 - y0);
            const root = svg('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': `${choice.y} against ${choice.x}, from ${data.name}` });
            ticks(x0, x1, choice.logX).forEach(([at, text]) => root.append(svg('line', { class: 'grid', x1: X(at), x2: X(at), y1: TOP, y2: HEIGHT - BOTTOM }),
                svg('text', { x: X(at), y: HEIGHT - BOTTOM + 18, 'text-anchor': 'middle' }, text)));
            ticks(y0, y1, choice.logY).forEach(([at, text]) => root.append(svg('line', { class: 'grid', x1: LEFT, x2: WIDTH - RIGHT, y1: Y(at), y2: Y(at) }),
                svg('text', { x: LEFT - 8, y: Y(at) + 4, 'text-anchor': 'end' }, text)));
            const clip = 'clip-' + data.name.replace(/\W/g, '-');
            const defs = svg('clipPath', { id: clip }), plot = svg('g', { 'clip-path': `url(#${clip})` });
            defs.append(svg('rect', { x: LEFT, y: TOP, width: WIDTH - LEFT - RIGHT, height: HEIGHT - TOP - BOTTOM }));
            all.forEach(([, points], k) => {
                const colour = `var(--c${k % COLOURS})`, along = points.every((p, i) => i === 0 || p[0] >= points[i - 1][0]) || points.every((p, i) => i === 0 || p[0] <= points[i - 1][0]);
                if (along || points.length > 400) plot.append(svg('polyline', { points: points.map((p) => X(p[0]).toFixed(1) + ',' + Y(p[1]).toFixed(1)).join(' '), fill: 'none', stroke: colour, 'stroke-width': 1.8 }));
                if (!along && points.length <= 400 || points.length <= 60) points.forEach((p) => plot.append(svg('circle', { cx: X(p[0]).toFixed(1), cy: Y(p[1]).toFixed(1), r: 3.2, fill: colour })));
            });
            const near = svg('circle', { class: 'near', r: 7, visibility: 'hidden' }), box = svg('rect', { class: 'box', visibility: 'hidden' });
            root.append(defs, plot, svg('path', { class: 'axis', fill: 'none', d: `M${LEFT} ${TOP}V${HEIGHT - BOTTOM}H${WIDTH - RIGHT}` }),
                svg('text', { x: (LEFT + WIDTH) / 2, y: HEIGHT - 8, 'text-anchor': 'middle' }, choice.x), svg('text', { x: 16, y: HEIGHT / 2, 'text-anchor': 'middle', transform: `rotate(-90 16 ${HEIGHT / 2})` }, choice.y), near, box);
            host.replaceChildren(root);
            if (choice.by) {
                const legend = make('p', { className: 'quiet' });
                all.forEach(([key], k) => legend.append(make('span', { style: `color: var(--c${k % COLOURS}); margin-right: 1.2em; display: inline-block`, textContent: '■ ' + key })));
                host.append(legend);
            }
            drawn = { all, X, Y, near, box, root, limits: [x0, x1, y0, y1] };
        };
        const place = (event) => {
            const r = drawn.root.getBoundingClientRect();
            return [(event.clientX - r.left) * WIDTH / r.width, (event.clientY - r.top) * HEIGHT / r.height];
        };
        const back = (px, py) => {
            const [x0, x1, y0, y1] = drawn.limits;
            return [x0 + (x1 - x0) * (px - LEFT) / (WIDTH - LEFT - RIGHT), y0 + (y1 - y0) * (HEIGHT - BOTTOM - py) / (HEIGHT - TOP - BOTTOM)];
        };
        const zoom = (by, px = WIDTH / 2, py = HEIGHT / 2) => {
            if (!drawn) return;
            const [x, y] = back(px, py), [x0, x1, y0, y1] = drawn.limits;
            view = [x - (x - x0) / by, x + (x1 - x) / by, y - (y - y0) / by, y + (y1 - y) / by];
            draw();
        };
        let from = null;
        host.addEventListener('wheel', (event) => { if (drawn && event.ctrlKey) { event.preventDefault(); zoom(Math.exp(-event.deltaY / 300), ...place(event)); } }, { passive: false });
        host.addEventListener('pointerdown', (event) => { if (drawn && event.pointerType === 'mouse') from = place(event); });
        host.addEventListener('pointermove', (event) => {
            if (!drawn) return;
            const [px, py] = place(event);
            if (from) {
                Object.entries({ x: Math.min(px, from[0]), y: Math.min(py, from[1]), width: Math.abs(px - from[0]), height: Math.abs(py - from[1]), visibility: 'visible' }).forEach(([k, v]) => drawn.box.setAttribute(k, v));
                return;
            }
            let best = 900, found = null;
            drawn.all.forEach(([key, points]) => points.forEach((p) => {
                const d = (drawn.X(p[0]) - px) ** 2 + (drawn.Y(p[1]) - py) ** 2;
                if (d < best) { best = d; found = [key, p]; }
            }));
            drawn.near.setAttribute('visibility', found ? 'visible' : 'hidden');
            if (found) {
                const row = data.rows[found[1][2]];
                drawn.near.setAttribute('cx', drawn.X(found[1][0]));
                drawn.near.setAttribute('cy', drawn.Y(found[1][1]));
                say((found[0] ? found[0] + ': ' : '') + choice.x + ' = ' + show(row[index(choice.x)]) + ', ' + choice.y + ' = ' + show(row[index(choice.y)]));
            }
        });
        window.addEventListener('pointerup', (event) => {
            if (!from || !drawn) return;
            const [px, py] = place(event), [ax, ay] = back(...from), [bx, by] = back(px, py);
            if (Math.abs(px - from[0]) > 8 && Math.abs(py - from[1]) > 8) view = [Math.min(ax, bx), Math.max(ax, bx), Math.min(ay, by), Math.max(ay, by)];
            from = null;
            draw();
        });
        host.addEventListener('dblclick', () => { view = null; draw(); });
        draw();
        return { host, redraw: () => { view = null; draw(); }, zoom, reset: () => { view = null; draw(); } };
    };

    const rows = (data) => {
        const body = make('tbody'), count = make('span', { className: 'quiet', role: 'status' }), words = make('input', { type: 'search', placeholder: 'filter rows', ariaLabel: 'filter the rows of ' + data.name });
        let order = null, up = true;
        const fill = () => {
            const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
            let list = data.rows.filter((row) => { const text = row.map(show).join(' ').toLowerCase(); return wanted.every((word) => text.includes(word)); });
            if (order !== null) {
                const compare = (a, b) => isNumber(a) && isNumber(b) ? a - b : show(a) < show(b) ? -1 : show(a) > show(b) ? 1 : 0;
                list = [...list].sort((a, b) => (up ? 1 : -1) * compare(a[order], b[order]));
            }
            count.textContent = list.length > MOST_ROWS ? `the first ${MOST_ROWS} of ${list.length} rows` : `${list.length} of ${data.rows.length} rows`;
            body.replaceChildren(...list.slice(0, MOST_ROWS).map((row) => make('tr', {}, ...row.map((x) => make('td', { className: isNumber(x) ? 'number' : '', textContent: show(x) })))));
        };
        const head = make('tr', {}, ...data.columns.map((name, i) => make('th', { scope: 'col' }, make('button', { type: 'button', textContent: name, ariaLabel: 'sort by ' + name,
            onclick: () => { up = order === i ? !up : true; order = i; head.querySelectorAll('th').forEach((th, k) => th.setAttribute('aria-sort', k === i ? (up ? 'ascending' : 'descending') : 'none')); fill(); } }))));
        words.addEventListener('input', fill);
        fill();
        return [make('div', { className: 'filters' }, words, count), make('div', { className: 'scroll', tabIndex: 0, role: 'region', ariaLabel: 'rows of ' + data.name }, make('table', {}, make('thead', {}, head), body))];
    };

    /* The columns to begin with: as the page asks, or the first numbers of the table. */
    const begin = (details, data) => {
        const numbers = data.columns.filter((name, i) => data.rows.some((row) => isNumber(row[i])));
        const wish = details.dataset;
        return { x: wish.x || numbers[0] || '', y: wish.y || numbers.find((name) => name !== (wish.x || numbers[0])) || '', by: wish.by || '', logX: (wish.log || '').includes('x'), logY: (wish.log || '').includes('y'), numbers };
    };

    return (details, data) => {
        const choice = begin(details, data), said = make('p', { className: 'said', role: 'status' });
        if (choice.numbers.length >= 2 && data.rows.length >= 3) {
            const view = chart(data, choice, (text) => { said.textContent = text; });
            const pick = (label, key, names) => make('label', {}, label + ' ', make('select', { onchange: (event) => { choice[key] = event.target.value; view.redraw(); } }, ...names.map((name) => make('option', { value: name, textContent: name || 'none', selected: name === choice[key] }))));
            const tick = (label, key) => make('label', {}, make('input', { type: 'checkbox', checked: choice[key], onchange: (event) => { choice[key] = event.target.checked; view.redraw(); } }), ' ' + label);
            const button = (text, label, act) => make('button', { type: 'button', textContent: text, ariaLabel: label, onclick: act });
            const keys = [...new Set(['', choice.by, ...data.columns])];
            details.append(make('div', { className: 'filters' }, pick('across', 'x', choice.numbers), pick('up', 'y', choice.numbers), pick('curve for each', 'by', keys), tick('log across', 'logX'), tick('log up', 'logY'),
                button('+', 'zoom in', () => view.zoom(1.5)), button('−', 'zoom out', () => view.zoom(1 / 1.5)), button('all', 'show all of it', view.reset)), view.host, said);
        }
        details.append(...rows(data));
    };
})();
