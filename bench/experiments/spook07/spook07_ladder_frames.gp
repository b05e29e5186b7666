# spook07 Fig. 3: six frames of the falling ladder of 20 squares; behind the first four the exact motion.
data = out.'/spook07_ladder_frames.csv'
is(m, t) = strcol('motion') eq m && abs(column('t') - t) < 1e-3
unset border
unset tics
unset grid
unset key
set lmargin 0
set rmargin 0
set tmargin 0
set bmargin 0
set yrange [-20.4:2.2]
set size ratio -1
set multiplot layout 2,3 title 'Falling ladder of 20 squares by SPOOK, h = 1/60 s; thick, amber: the exact motion, to 2 s' font ',15' margins 0.01,0.99,0.01,0.92 spacing 0.01,0.02
times = '0.5 1.0 1.5 2.0 3.0 4.0'
do for [k = 1:6] {
    t = real(word(times, k))
    left = t > 2.2
    set xrange [left ? -20.8 : -0.8:left ? 0.8 : 20.8]
    set label 1 sprintf('%.1f s', t) at (left ? -20 : 15),(t > 2.5 && left ? 1.3 : 1.6) font ',14' textcolor rgb ink
    if (k == 1) {
        set arrow 1 from 1,-19 to 6,-19 nohead lw 3 lc rgb ink
        set label 2 '5 m' at 3.5,-18 center font ',13' textcolor rgb ink
    } else {
        unset arrow 1
        unset label 2
    }
    plot for [end in 'tail head'] data using (is('exact', t) ? column('x_'.end) : NaN):(column('y_'.end)) with lines lc rgb amber lw 5, \
         data using (is('exact', t) ? column('x_tail') : NaN):'y_tail':(column('x_head') - column('x_tail')):(column('y_head') - column('y_tail')) with vectors nohead lc rgb amber lw 5, \
         for [end in 'tail head'] data using (is('spook', t) ? column('x_'.end) : NaN):(column('y_'.end)) with lines lc rgb blue lw 1.6, \
         data using (is('spook', t) ? column('x_tail') : NaN):'y_tail':(column('x_head') - column('x_tail')):(column('y_head') - column('y_tail')) with vectors nohead lc rgb blue lw 1.6, \
         '+' using (0):(0) every ::0::0 with points pt 7 ps 0.8 lc rgb ink
}
unset multiplot
