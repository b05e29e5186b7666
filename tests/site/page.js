/* Facts about results/index.html, run inside it; page.sh reads the report. */
(async () => {
    const report = ['report:'];
    const fact = (holds, text) => report.push((holds === true ? 'pass ' : 'FAIL ') + text);
    const wait = async (ready) => { for (let i = 0; i < 200 && !ready(); i++) await new Promise((then) => setTimeout(then, 20)); return Boolean(ready()); };
    const all = (selector, root) => [...(root || document).querySelectorAll(selector)];
    const one = (selector, root) => (root || document).querySelector(selector);
    const say = (element, type, values) => element.dispatchEvent(Object.assign(new Event(type, { bubbles: true }), values));
    const shown = (selector = '.claim') => all(selector).filter((item) => !item.hidden);
    const below = (element) => element.getBoundingClientRect().top + scrollY;
    const set = (key, value) => { const control = one('#filter-' + key); control.value = value; say(control, 'input'); };

    await wait(() => document.readyState === 'complete');
    try {
        /* The first screen. */
        fact(below(one('.experiment img')) < 900, `the first thumbnail is on the first screen (${Math.round(below(one('.experiment img')))} of 900)`);
        fact(all('.claim, .experiment').every((item) => !item.open || '#' + item.id === location.hash), 'claims and experiments are folded');
        fact(getComputedStyle(one('nav')).position === 'sticky', 'the list of contents stays in view');
        fact(one('#contents').open === (innerWidth > 960), 'on a phone it is folded');
        fact(all('.experiment').every((item) => one(`nav a[href="#${item.id}"]`)) && all('main section').every((item) => one(`nav a[href="#${item.id}"]`)), 'it has every section and experiment');

        /* Claims. */
        const claims = shown().length;
        all('.paper').forEach((paper) => { paper.open = true; });
        fact(claims > 20 && all('.claim > summary').every((line) => line.offsetHeight < (innerWidth > 736 ? 34 : 92)), `${claims} claims, a line each, three on a phone`);
        fact(all('.paper').length === 1 && all('#filter-paper option').length === 2, 'papers of which nothing was measured are left out');
        fact(innerWidth > 736 || all('.claim .line').some((line) => line.offsetHeight > 34), 'a claim of more than a line is not cut after it on a phone');
        all('.paper').forEach((paper) => { paper.open = false; });
        say(window, 'beforeprint');
        fact(all('.claim').every((item) => item.open && item.checkVisibility()), 'claims are printed');
        all('.paper, .claim').forEach((item) => { item.open = false; });
        set('words', 'quaternion TABLE');
        fact(shown().length === 1 && shown()[0].id === 'wm96-t1-q' && shown()[0].checkVisibility(), 'words filter, all of them, in either case, and the claims are unfolded');
        fact(shown('.experiment').every((item) => /quaternion/i.test(item.textContent)), 'they filter the experiments, too');
        set('words', '');
        set('verdict', 'reproduced');
        fact(shown().length > 0 && shown().every((row) => row.dataset.verdict === 'reproduced'), 'a verdict filters');
        fact(shown('.experiment').map((item) => item.id).includes('wm96_table1') && !shown('.experiment').map((item) => item.id).includes('ladder_fall'), 'experiments remain if they decide such a claim');
        fact(one('#filter-count').textContent.startsWith(shown().length + ' claim'), 'the count is shown');
        set('verdict', 'refuted');
        set('paper', 'wm96');
        fact(location.search === '?paper=wm96&verdict=refuted', 'the filters are in the address: ' + location.search);
        fact(shown().length === 0 && one('#part-claims').hidden && all('nav li').every((item) => !item.checkVisibility() || !one('#' + one('a', item).hash.slice(1)).hidden), 'what has nothing to show is left out of the page and of its contents');
        location.hash = '#wm96-t1-e';
        fact(await wait(() => one('#wm96-t1-e').open && one('#wm96-t1-e').checkVisibility()), 'a link opens the claim, folded and filtered out');
        fact(location.search === '' && shown().length === claims, 'and takes back the filters that hid it');
        all('.paper, .claim').forEach((item) => { item.open = false; });
        location.hash = '#wm96_fig3';
        fact(await wait(() => one('#wm96_fig3').open), 'a link opens the experiment');

        /* A table and its chart, asked for. */
        const details = one('details[data-file="wm96_fig3.csv"]');
        fact(one('svg', details) === null, 'no chart before it is asked for');
        details.open = true;
        fact(await wait(() => one('.chart svg', details)), 'a chart is drawn');
        const labels = () => all('.chart text', details).map((text) => text.textContent).join(' ');
        const whole = labels();
        fact(whole.includes('h') && whole.includes('error'), 'the axes bear the names of their columns');
        one('button[aria-label="zoom in"]', details).click();
        fact(labels() !== whole, 'zooming in changes the ticks');
        one('button[aria-label="show all of it"]', details).click();
        fact(labels() === whole, 'and all of it comes back');
        const dot = one('.chart circle:not(.near)', details).getBoundingClientRect();
        say(one('.chart', details), 'pointermove', { clientX: dot.x + dot.width / 2, clientY: dot.y + dot.height / 2 });
        fact(/h = .*error = /.test(one('.said', details).textContent), 'pointing at a dot tells its values: ' + one('.said', details).textContent);
        const data = await stepbench.table('wm96_fig3.csv');
        const first = (column) => stepbench.show(data.rows[0][data.columns.indexOf(column)]);
        fact(data.rows.some((row) => one('.said', details).textContent.includes('error = ' + stepbench.show(row[data.columns.indexOf('error')]))), 'the values are those of the file');
        const rows = all('tbody tr', details), h = Number(first('h'));
        fact(rows.length === data.rows.length && rows[0].cells[0].textContent === first('h'), 'the rows are those of the file');
        const sort = one('button[aria-label="sort by h"]', details);
        sort.click();
        const rising = all('tbody tr', details).map((row) => Number(row.cells[0].textContent));
        fact(rising.every((x, i) => i === 0 || x >= rising[i - 1]) && rising.includes(h), 'sorting by a column of numbers sorts them as numbers');
        sort.click();
        fact(Number(all('tbody tr', details)[0].cells[0].textContent) === rising[rising.length - 1], 'sorting again turns the order');

        /* A figure, enlarged. */
        const link = one('#wm96_fig3 .figure a');
        link.click();
        const dialog = one('dialog');
        fact(dialog.open, 'a click on a figure enlarges it');
        const before = one('img', dialog).style.transform;
        one('button[aria-label="zoom in"]', dialog).click();
        fact(one('img', dialog).style.transform !== before && one('img', dialog).style.transform.includes('scale(1.5)'), 'and it zooms');
        dialog.close();

        /* The ladder. */
        fact(await wait(() => all('#fall-views canvas').length === 3), 'three ladders fall side by side');
        const pictures = () => all('#fall-views canvas').map((canvas) => canvas.toDataURL());
        const slider = one('.player input'), start = pictures();
        slider.value = 6;
        say(slider, 'input');
        const end = pictures(), notes = all('#fall-views figcaption').map((caption) => caption.textContent);
        fact(start.every((picture, i) => picture !== end[i]), 'the slider moves all three');
        fact(notes[0].includes('ended') && notes[1].includes('energy') && notes[2].includes('falling'), 'the end of each motion is stated');
        fact(one('.player output').textContent === '6.00 s', 'the time is shown');

        /* Reading aids. */
        fact(all('img').every((image) => image.hasAttribute('alt')) && all('.figure img').every((image) => image.alt.length > 10), 'every figure says in words what it shows');
        fact(document.documentElement.lang === 'en' && document.title.length > 0 && all('h1').length === 1, 'the page has a language, a title and one head line');
        fact(all('input, select, button').every((control) => control.ariaLabel || control.closest('label') || control.textContent || control.labels.length > 0), 'every control has a name');
        fact(all('a[href^="#"]').every((anchor) => document.getElementById(anchor.hash.slice(1))), 'links inside the page lead somewhere');
        const channel = (x) => { const c = x / 255; return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; };
        const luminance = (hex) => [1, 3, 5].map((i) => channel(parseInt(hex.slice(i, i + 2), 16))).reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
        const contrast = (a, b) => { const [x, y] = [luminance(a), luminance(b)].sort((p, q) => q - p); return (x + 0.05) / (y + 0.05); };
        const rules = [...document.styleSheets[0].cssRules];
        const dark = rules.find((rule) => rule.conditionText && rule.conditionText.includes('dark'));
        const palettes = { light: rules.find((rule) => rule.selectorText === ':root').style, dark: [...dark.cssRules].find((rule) => rule.selectorText === ':root').style };
        for (const [name, style] of Object.entries(palettes)) {
            const colour = (key) => style.getPropertyValue('--' + key).trim();
            const poor = ['ink', 'soft', 'link', 'good', 'mended', 'bad', 'unknown'].filter((key) => !(contrast(colour(key), colour('paper')) >= 4.5));
            fact(poor.length === 0, `text in ${name} mode has a contrast of 4.5 or more ${poor.join(' ')}`);
            const lines = [0, 1, 2, 3, 4, 5, 6, 7].filter((k) => !(contrast(colour('c' + k), colour('paper')) >= 3));
            fact(lines.length === 0, `curves in ${name} mode have a contrast of 3 or more ${lines.join(' ')}`);
        }
        fact(await wait(() => all('#provenance-list dt').length > 5), 'the provenance is shown');

        /* Narrow: nothing is wider than the page but what scrolls in itself. */
        fact(document.documentElement.scrollWidth <= window.innerWidth, `no sideways scrolling at ${window.innerWidth} pixels (${document.documentElement.scrollWidth})`);
        document.documentElement.style.width = '360px';
        const wide = all('main *').filter((element) => !element.closest('.scroll') && element.getBoundingClientRect().right > 361 && element.getBoundingClientRect().width > 0 && window.innerWidth < 700);
        fact(wide.length === 0, 'and none at 360: ' + wide.slice(0, 3).map((element) => `${(element.closest('[id]') || {}).id}: ${element.tagName} ${element.textContent.trim().slice(0, 40)}`).join('; '));
    } catch (error) {
        report.push('FAIL ' + error.stack);
    }
    report.push('end of tests');
    document.body.append(Object.assign(document.createElement('pre'), { id: 'report', textContent: report.join('\n') }));
})();
