/* Draws the figures of a card that are in the page as data: each list of them when the section that holds it is opened. Axes are logarithmic. */
'use strict';
const svg = (name, attributes, text) => {
    const node = document.createElementNS('http://www.w3.org/2000/svg', name);
    Object.entries(attributes).forEach(([key, value]) => node.setAttribute(key, value));
    if (text !== undefined) node.textContent = text;
    return node;
};
const superscript = (k) => '10' + String(k).replace(/[-0-9]/g, (c) => '⁻⁰¹²³⁴⁵⁶⁷⁸⁹'['-0123456789'.indexOf(c)]);

/* Returns the decades that hold the values: the first and the last one, and the distance of their ticks. */
const decades = (values) => {
    const logs = values.map(Math.log10), low = Math.floor(Math.min(...logs)), high = Math.max(Math.ceil(Math.max(...logs)), low + 1);
    return { low, high, every: Math.ceil((high - low) / 6) };
};

const drawFigure = (figure) => {
    const curves = figure.colours.map((colour, k) => [colour, figure.curves[k]]), points = curves.flatMap(([, curve]) => curve);
    const x = decades(points.map((p) => p[0])), y = decades(points.map((p) => p[1]));
    const left = 52, right = 348, top = 24, bottom = 206;
    const at = (p) => [left + (right - left) * (Math.log10(p[0]) - x.low) / (x.high - x.low), bottom - (bottom - top) * (Math.log10(p[1]) - y.low) / (y.high - y.low)];
    const root = svg('svg', { viewBox: '0 0 360 250', class: 'drawn' });
    const line = (a, b, style) => root.append(svg('path', { d: `M${a[0]} ${a[1]}L${b[0]} ${b[1]}`, class: style }));
    const text = (px, py, anchor, word) => root.append(svg('text', { x: px, y: py, 'text-anchor': anchor }, word));
    for (let k = x.low; k <= x.high; k += x.every) {
        const [px] = at([10 ** k, 10 ** y.low]);
        line([px, top], [px, bottom], 'grid');
        text(px, bottom + 14, 'middle', superscript(k));
    }
    for (let k = y.low; k <= y.high; k += y.every) {
        const [, py] = at([10 ** x.low, 10 ** k]);
        line([left, py], [right, py], 'grid');
        text(left - 5, py + 4, 'end', superscript(k));
    }
    text((left + right) / 2, 14, 'middle', figure.title);
    text((left + right) / 2, 242, 'middle', figure.xlabel);
    root.append(svg('text', { transform: `translate(11 ${(top + bottom) / 2}) rotate(-90)`, 'text-anchor': 'middle' }, figure.ylabel));
    if (figure.slope !== 0) {
        const guide = [0.4, 2.5].map((s) => at([figure.mid[0] * s, 0.4 * figure.mid[1] * s ** figure.slope]));
        line(...guide, 'guide');
    }
    curves.reverse().forEach(([colour, curve]) => {
        root.append(svg('path', { d: 'M' + curve.map((p) => at(p).join(' ')).join('L'), style: `stroke: var(--c${colour})`, class: 'curve' }));
        curve.forEach((p) => { const [cx, cy] = at(p); root.append(svg('circle', { cx, cy, r: 2.4, style: `fill: var(--c${colour})` })); });
    });
    const node = document.createElement('figure');
    node.setAttribute('role', 'img');
    node.setAttribute('aria-label', figure.alt);
    node.append(root);
    return node;
};

document.querySelectorAll('details.figures').forEach((section) => section.addEventListener('toggle', () => {
    const data = section.querySelector('script');
    if (data === null) return;
    section.querySelector('.charts').append(...JSON.parse(data.textContent).map(drawFigure));
    data.remove();
}));
