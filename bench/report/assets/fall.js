/* The falling ladder by three methods side by side, with a slider for time. */
stepbench.fall = () => {
    const host = document.getElementById('fall-views');
    if (!host) return;
    const { make, table } = stepbench;
    Promise.all([table('ladder_fall.csv'), table('ladder_fall_runs.csv')]).then(([frames, runs]) => {
        const at = (data, name) => data.columns.indexOf(name), METHOD = at(frames, 'motion'), T = at(frames, 't'), X = at(frames, 'x_tail');
        const motions = runs.rows.map((row) => ({ method: row[at(runs, 'method')], title: row[at(runs, 'title')], cause: row[at(runs, 'cause')], ends: row[at(runs, 'end')], wrong: row[at(runs, 'wrong')], frames: [] }));
        frames.rows.forEach((row) => {
            const motion = motions.find((m) => m.method === row[METHOD]);
            let last = motion.frames[motion.frames.length - 1];
            if (!last || last.t !== row[T]) motion.frames.push(last = { t: row[T], rungs: [] });
            last.rungs.push(row.slice(X, X + 4));
        });
        const end = Math.max(...motions.map((m) => m.frames[m.frames.length - 1].t));
        const slider = make('input', { type: 'range', min: 0, max: end, step: 1 / 20, value: 0.7, ariaLabel: 'time' }), time = make('output'), play = make('button', { type: 'button', textContent: 'Play' });
        const views = motions.map((motion) => {
            const canvas = make('canvas', { width: 640, height: 640, role: 'img', ariaLabel: motion.title + ': the falling ladder' }), note = make('p', { className: 'quiet' });
            host.append(make('figure', {}, canvas, make('figcaption', {}, make('strong', { textContent: motion.title }), note)));
            return { motion, canvas, note };
        });
        const draw = () => {
            const now = Number(slider.value), style = getComputedStyle(document.body);
            time.textContent = now.toFixed(2) + ' s';
            views.forEach(({ motion, canvas, note }) => {
                let k = 0;
                while (k + 1 < motion.frames.length && motion.frames[k + 1].t <= now + 1e-6) k++;
                const pen = canvas.getContext('2d'), size = canvas.width, unit = size / 23, down = 0.35 * size; /* the ladder hangs: more room below */
                const broken = motion.wrong !== null && now >= motion.wrong;
                pen.clearRect(0, 0, size, size);
                pen.strokeStyle = style.getPropertyValue(broken ? '--c1' : '--c0');
                pen.lineWidth = 3;
                pen.beginPath();
                const line = (ax, ay, bx, by) => {
                    pen.moveTo(size / 2 + unit * ax, down - unit * ay);
                    pen.lineTo(size / 2 + unit * bx, down - unit * by);
                };
                motion.frames[k].rungs.forEach(([ax, ay, bx, by], i, rungs) => {
                    line(ax, ay, bx, by);
                    if (i === 0) return;
                    const [cx, cy, dx, dy] = rungs[i - 1]; /* the rails */
                    line(cx, cy, ax, ay);
                    line(dx, dy, bx, by);
                });
                pen.stroke();
                pen.fillStyle = style.getPropertyValue('--ink');
                pen.fillRect(size / 2 - 4, down - 4, 8, 8);
                note.textContent = broken ? motion.cause : 'falling';
            });
        };
        let begun = null;
        const tick = (stamp) => {
            if (begun === null) return;
            const now = (stamp - begun) / 1000;
            slider.value = Math.min(end, now);
            draw();
            if (now < end) requestAnimationFrame(tick); else stop();
        };
        const stop = () => { begun = null; play.textContent = 'Play'; };
        play.addEventListener('click', () => {
            if (begun !== null) return stop();
            const from = Number(slider.value) >= end ? 0 : Number(slider.value);
            play.textContent = 'Pause';
            requestAnimationFrame((stamp) => { begun = stamp - 1000 * from; tick(stamp); });
        });
        slider.addEventListener('input', () => { stop(); draw(); });
        host.after(make('div', { className: 'player' }, play, slider, time));
        matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
        draw();
    }, () => host.replaceChildren(make('p', { className: 'quiet', textContent: 'the frames of the fall are not in this folder' })));
};
