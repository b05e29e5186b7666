# Errors of the engines and the steppers over the time per second of motion, N = 10, steps of 1/60 to 1/960 s.
data = out.'/peers.csv'
names = ''
stats data using (pair = strcol('engine').'/'.strcol('settings'), names = strstrt(names.' ', ' '.pair.' ') ? names : names.' '.pair, 0) nooutput
array problem[2] = ['ladder', 'four_bar']
array error[2] = ['tip', 'gap']
array label[2] = ['rms error of the tip (m)', 'rms violation (m)']
engines = 'box2d bullet bullet_double ode stepbench'
rank(e) = sum [i = 1:words(engines)] (word(engines, i) eq e ? i : 0)
# The engine has the colour, its settings or the stepper have the mark.
before(k) = k == 1 ? 0 : (engine(k - 1) eq engine(k) ? before(k - 1) + 1 : 0)
engine(k) = word(names, k)[1:strstrt(word(names, k), '/') - 1]
set datafile missing NaN
set logscale xy
set format xy power
set xtics font ',12'
set ytics font ',12'
set xlabel font ',14'
set ylabel font ',14' offset 1.5
set key off
set multiplot
do for [p = 1:2] {
    do for [e = 1:2] {
        set lmargin at screen 0.1 + 0.36*(p - 1)
        set rmargin at screen 0.4 + 0.36*(p - 1)
        set tmargin at screen 0.93 - 0.46*(e - 1)
        set bmargin at screen 0.58 - 0.46*(e - 1)
        set title (e == 1 ? problem[p] : '') noenhanced
        set xlabel (e == 2 ? 'time per s of motion (ms)' : '')
        set ylabel (p == 1 ? label[e] : '')
        set yrange [(e == 1 ? 1e-10 : 1e-16):10]
        plot for [k = 1:words(names)] data using 'work':(strcol('problem') eq problem[p] && column('N') == 10 && strcol('engine').'/'.strcol('settings') eq word(names, k) ? column(error[e]) : NaN) \
            with linespoints lw 1.4 ps 0.9 pt (word('7 5 9 13 11 15 3 6', before(k) + 1) + 0) lc rgb colour[rank(engine(k))]
    }
}
set lmargin at screen 0.78; set rmargin at screen 0.99; set tmargin at screen 0.95; set bmargin at screen 0.05
unset title; unset xlabel; unset ylabel; unset tics; unset border; unset logscale; unset grid
set key at screen 0.775,0.94 left top vertical maxrows 40 Left reverse samplen 1 spacing 1.3 noenhanced font ',10'
set xrange [0:1]; set yrange [0:1]
plot for [k = 1:words(names)] NaN with points lw 1.4 ps 1 pt (word('7 5 9 13 11 15 3 6', before(k) + 1) + 0) lc rgb colour[rank(engine(k))] title (engine(k) eq 'stepbench' ? word(names, k)[11:*] : word(names, k))
unset multiplot
