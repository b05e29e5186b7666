# spook07 6: where SHAKE, RK4 with Baumgarte stabilization and refined SPOOK break down, with loops and without.
data = out.'/spook07_breakdown_curves.csv'
is(p, m) = strcol(1) eq p && strcol(2) eq m
inside(energy) = abs(energy) < 0.4 ? energy : energy > 0 ? 0.4 : -0.3
set multiplot layout 3,2 columnsfirst margins 0.095,0.985,0.105,0.93 spacing 0.075,0.035
do for [problem in 'ladder:N=10 rod_chain:n=10'] {
    ladder = problem eq 'ladder:N=10'
    set xrange [0:5]
    set format x ''
    unset xlabel
    if (ladder) { unset key } else { set key top left samplen 1.6 spacing 1.05 font ',12' }
    set title ladder ? 'ladder of 10 squares' : 'chain of 10 rods, no loops'
    set yrange [-0.3:0.42]
    set ytics -0.2,0.2,0.4
    set ylabel ladder ? 'energy (of its range)' : ''
    plot data using (is(problem, 'spook') ? $3 : NaN):4 with lines ls 1 title 'SPOOK', \
         data using (is(problem, 'spook:newton=1') ? $3 : NaN):(inside($4)) with lines ls 5 lw 2 notitle, \
         data using (is(problem, 'spook:newton=1') && abs($4) > 0.02 ? $3 : NaN):(inside($4)) with linespoints ls 5 pi -1 lw 2 ps 0.6 title 'SPOOK, one Newton update', \
         data using (is(problem, 'rk4@baumgarte:alpha=beta=10') ? $3 : NaN):(inside($4)) with lines ls 3 title 'RK4, Baumgarte α = 10/s', \
         data using (is(problem, 'shake') ? $3 : NaN):(inside($4)) with lines ls 2 lw 3 title 'SHAKE'
    unset title
    unset key
    set yrange [0:60]
    set ytics 0,20,60
    set ylabel ladder ? 'tip (m/s)' : ''
    plot data using (is(problem, 'spook') ? $3 : NaN):6 with lines ls 1, \
         data using (is(problem, 'rk4@baumgarte:alpha=beta=10') ? $3 : NaN):6 with lines ls 3, \
         data using (is(problem, 'exact') ? $3 : NaN):6 with lines lc rgb ink lw 1.4, \
         data using (is(problem, 'shake') ? $3 : NaN):6 with lines ls 2 lw 3
    set format x '%g'
    set xlabel 'time (s)' offset 0,0.4
    set yrange [0:ladder ? 0.12 : 0.4]
    set ytics ladder ? 0.05 : 0.2
    set key top right
    set ylabel ladder ? 'σ_{min}(G)' : ''
    plot data using (is(problem, 'exact') ? $3 : NaN):5 with lines lc rgb ink lw 1.8 title 'exact motion, to 2 s'
}
unset multiplot
