# spook07 6: where SHAKE, RK4 with Baumgarte stabilization and refined SPOOK break down, with loops and without.
data = out.'/spook07_breakdown_curves.csv'
is(p, m) = strcol('problem') eq p && strcol('method') eq m
inside(energy) = energy < 0.1 ? energy : 0.1
set multiplot layout 3,2 columnsfirst margins 0.1,0.985,0.12,0.93 spacing 0.085,0.035
do for [problem in 'ladder:N=10 rod_chain:n=10'] {
    ladder = problem eq 'ladder:N=10'
    set xrange [*:*]
    set yrange [*:*]
    stats data using (is(problem, 'spook') && column('t') < 3 ? column('t') : NaN):'whip' name 'whip' nooutput
    stats data using (is(problem, 'shake') ? column('t') : NaN):'energy' name 'shake' nooutput
    stats data using (is(problem, 'rk4') ? column('t') : NaN):'energy' name 'rk' nooutput
    stats data using (is(problem, 'spook:newton=1') ? column('t') : NaN):'energy' name 'newton' nooutput
    set xrange [0:5]
    set format x ''
    unset xlabel
    unset arrow
    set arrow 1 from whip_pos_max_y, graph 0 to whip_pos_max_y, graph 1 nohead ls 11
    if (shake_max_x < 4.9) { set label 2 at shake_max_x, 0.12 point pt 5 ps 0.8 lc rgb orange } else { unset label 2 }
    if (rk_max_x < 4.9) { set label 3 at rk_max_x, 0.18 point pt 9 ps 1 lc rgb green } else { unset label 3 }
    set label 4 at newton_max_x, 0.12 point pt 11 ps 1 lc rgb purple
    set label 1 'first whip' at whip_pos_max_y, graph 0.9 offset 0.4 font ',11' textcolor rgb faint
    unset key
    set title ladder ? 'ladder of 10 squares; marks: a run ends' : 'chain of 10 rods, no loops'
    set yrange [-0.3:0.22]
    set ytics -0.2,0.1,0.2
    set ylabel ladder ? 'energy (range)' : ''
    plot data using (is(problem, 'spook') ? column('t') : NaN):'energy' with lines ls 1 notitle, \
         data using (is(problem, 'spook:newton=1') ? column('t') : NaN):(inside(column('energy'))) with lines ls 5 notitle, \
         data using (is(problem, 'rk4') ? column('t') : NaN):(inside(column('energy'))) with lines ls 3 notitle, \
         data using (is(problem, 'shake') ? column('t') : NaN):(inside(column('energy'))) with lines ls 2 lw 3 notitle
    set title ''
    unset label 1
    unset label 2
    unset label 3
    unset label 4
    set yrange [0:ladder ? 60 : 100]
    set ytics 0,ladder ? 20 : 50,100
    set ylabel ladder ? 'tip (m/s)' : ''
    if (!ladder) { set key at graph 1, graph 1.02 top right samplen 1.6 spacing 0.9 font ',11' }
    plot data using (is(problem, 'exact') ? column('t') : NaN):'whip' with lines lc rgb '#bbbbbb' lw 7 title 'exact motion, to 2 s', \
         data using (is(problem, 'spook') ? column('t') : NaN):'whip' with lines ls 1 title 'SPOOK', \
         data using (is(problem, 'rk4') ? column('t') : NaN):'whip' with lines ls 3 notitle, \
         data using (is(problem, 'shake') ? column('t') : NaN):'whip' with lines ls 2 lw 3 notitle, \
         NaN with linespoints ls 3 title 'RK4, Baumgarte α = 10/s', \
         NaN with linespoints ls 2 lw 3 ps 0.8 title 'SHAKE', \
         NaN with linespoints ls 5 title 'SPOOK, one Newton update'
    set format x '%g'
    set xlabel 'time (s)' offset 0,0.4
    set yrange [0:ladder ? 0.12 : 0.4]
    set ytics ladder ? 0.05 : 0.2
    unset key
    set ylabel ladder ? 'σ_{min}(G)' : '' offset 1,0
    plot data using (is(problem, 'exact') ? column('t') : NaN):'sigma' with lines lc rgb '#bbbbbb' lw 7, \
         data using (is(problem, 'rk4') ? column('t') : NaN):'sigma' with lines ls 3 lw 1.6, \
         data using (is(problem, 'shake') ? column('t') : NaN):'sigma' with lines ls 2 lw 3
}
unset multiplot
