/* Draws the figures of a card, which are in the page as data: at once, or when the section that holds them is opened. */
'use strict';
const svg = (name, attributes, text) => {
    const node = document.createElementNS('http://www.w3.org/2000/svg', name);
    Object.entries(attributes).forEach(([key, value]) => node.setAttribute(key, value));
    if (text !== undefined) node.textContent = text;
    return node;
};
const superscript = (k) => '10' + String(k).replace(/[-0-9]/g, (c) => '⁻⁰¹²³⁴⁵⁶⁷⁸⁹'['-0123456789'.indexOf(c)]);

/* Returns an axis: the part of its length at which a number stands, and its ticks with their texts. */
const decades = (values) => {
    const logs = values.map(Math.log10), low = Math.floor(Math.min(...logs)), high = Math.max(Math.ceil(Math.max(...logs)), low + 1);
    const every = Math.ceil((high - low) / 6), ticks = [];
    for (let k = low; k <= high; k += every) ticks.push([10 ** k, superscript(k)]);
    return { part: (x) => (Math.log10(x) - low) / (high - low), ticks };
};
const linear = (values, largest) => {
    const high = largest || Math.max(...values), unit = 10 ** Math.floor(Math.log10(high)), every = high / unit >= 5 ? unit : high / unit >= 2 ? unit / 2 : unit / 5, ticks = [];
    for (let k = 0; k * every <= high * 1.000001; k++) ticks.push([k * every, String(Number((k * every).toPrecision(3)))]);
    return { part: (x) => x / high, ticks };
};

/* Returns a title in lines that fit over a figure, broken behind blanks and the separators of specifications. */
const titleLines = (title) => title.split(/(?<=[ ,:/])/).reduce((lines, piece) => {
    if (lines.length > 0 && (lines[lines.length - 1] + piece).length <= 52) lines[lines.length - 1] += piece;
    else lines.push(piece);
    return lines;
}, []);

const drawFigure = (figure) => {
    const curves = figure.colours.map((colour, k) => [colour, figure.curves[k]]), points = [...curves.flatMap(([, curve]) => curve), ...figure.floor];
    const x = (figure.xlog ? decades : linear)(points.map((p) => p[0]), figure.xmax), y = (figure.ylog ? decades : linear)(points.map((p) => p[1]), figure.ymax);
    const left = 52, right = 348, top = 24, bottom = 206;
    const at = (p) => [left + (right - left) * x.part(p[0]), bottom - (bottom - top) * y.part(p[1])].map((c) => Math.round(10 * c) / 10);
    const title = titleLines(figure.title), more = 14 * (title.length - 1);
    const root = svg('svg', { viewBox: `0 ${-more} 360 ${250 + more}`, class: 'drawn' });
    const line = (points, style) => svg('path', { d: 'M' + points.map((p) => p.join(' ')).join('L'), class: style });
    const text = (px, py, anchor, word) => root.append(svg('text', { x: px, y: py, 'text-anchor': anchor }, word));
    const inside = svg('svg', { x: left, y: top, width: right - left, height: bottom - top, viewBox: `${left} ${top} ${right - left} ${bottom - top}` });
    if (figure.cells) {
        const width = (right - left) / figure.across, rows = figure.cells.length / figure.across, height = (bottom - top) / rows;
        figure.cells.forEach((name, i) => root.append(svg('rect', { x: left + (i % figure.across) * width, y: bottom - (Math.floor(i / figure.across) + 1) * height, width: width + 0.2, height: height + 0.2, class: name })));
    }
    x.ticks.forEach(([value, word]) => { const px = left + (right - left) * x.part(value); root.append(line([[px, top], [px, bottom]], 'grid')); text(px, bottom + 14, 'middle', word); });
    y.ticks.forEach(([value, word]) => { const py = bottom - (bottom - top) * y.part(value); root.append(line([[left, py], [right, py]], 'grid')); text(left - 5, py + 4, 'end', word); });
    title.forEach((words, k) => text((left + right) / 2, 14 * (k + 1) - more, 'middle', words));
    text((left + right) / 2, 242, 'middle', figure.xlabel);
    root.append(svg('text', { transform: `translate(11 ${(top + bottom) / 2}) rotate(-90)`, 'text-anchor': 'middle' }, figure.ylabel), inside);
    if (figure.slope) {
        const [mx, my] = figure.mid[0];
        inside.append(line([0.4, 2.5].map((s) => at([mx * s, 0.4 * my * s ** figure.slope])), 'guide'));
    }
    const last = curves.length - 1; /* dashes and widths show curves that coincide */
    curves.map((curve, k) => [...curve, k]).reverse().forEach(([colour, curve, k]) => {
        const path = line(curve.map(at), 'curve');
        path.setAttribute('style', `stroke: var(--c${colour}); stroke-width: ${k ? 2.6 : 1.7}; stroke-dasharray: ${k && k < last ? `6 ${2 * k + 2}` : 'none'}`);
        inside.append(path);
        if (figure.marks) curve.forEach((p) => { const [cx, cy] = at(p); root.append(svg('circle', { cx, cy, r: 2.4, style: `fill: var(--c${colour})` })); });
    });
    figure.floor.forEach(([px, py, colour]) => { const [cx, cy] = at([px, py]); root.append(svg('circle', { cx, cy, r: 2.4, style: `fill: none; stroke: var(--c${colour})` })); });
    const node = document.createElement('figure');
    node.setAttribute('role', 'img');
    node.setAttribute('aria-label', figure.alt);
    node.append(root);
    return node;
};

const drawAll = (section) => {
    const data = section.querySelector('script');
    if (data === null) return;
    (section.querySelector('.charts') || section).append(...JSON.parse(data.textContent).map(drawFigure));
    data.remove();
};
document.querySelectorAll('div.figures').forEach(drawAll);
document.querySelectorAll('details.figures').forEach((section) => section.addEventListener('toggle', () => drawAll(section)));
