# spook07 Fig. 3 in motion: the falling ladder of 20 squares, ten frames per second.
data = out.'/spook07_ladder_frames.csv'
is(t) = strcol('motion') eq 'spook' && abs(column('t') - t) < 1e-3
unset border
unset tics
unset grid
unset key
set lmargin 0
set rmargin 0
set tmargin 0
set bmargin 0
set xrange [-21:21]
set yrange [-24:18]
do for [k = 0:60] {
    set label 1 sprintf('t = %.1f s', 0.1*k) at -20,16
    plot for [end in 'tail head'] data using (is(0.1*k) ? column('x_'.end) : NaN):(column('y_'.end)) with lines lc rgb blue lw 1, \
        data using (is(0.1*k) ? column('x_tail') : NaN):'y_tail':(column('x_head') - column('x_tail')):(column('y_head') - column('y_tail')) with vectors nohead lc rgb blue lw 1, \
        '+' using (0):(0) every ::0::0 with points pt 7 ps 0.5 lc rgb ink
}
