# spook07 Fig. 3: the falling ladder of 20 squares, every half second; behind it the exact motion, to 2 s.
data = out.'/spook07_ladder_frames.csv'
is(m, t) = strcol(1) eq m && abs($2 - t) < 1e-3
unset border
unset tics
unset grid
unset key
set lmargin 0
set rmargin 0
set tmargin 0
set bmargin 0
set xrange [-21:21]
set yrange [-22:5]
set size ratio -1
set multiplot layout 3,4 title 'Falling ladder of 20 squares by SPOOK, h = 1/60 s; orange: the exact motion, to 2 s' font ',15' margins 0.01,0.99,0.01,0.92 spacing 0.005,0.01
do for [k = 0:11] {
    t = 0.5*k
    set label 1 sprintf('%.1f s', t) at -20,3.6 font ',13' textcolor rgb ink
    plot data using (is('exact', t) ? $4 : NaN):5:($6 - $4):($7 - $5) with vectors nohead lc rgb orange lw 2.4, \
         data using (is('spook', t) ? $4 : NaN):5:($6 - $4):($7 - $5) with vectors nohead lc rgb blue lw 1.3, \
         '+' using (0):(0) every ::0::0 with points pt 7 ps 0.6 lc rgb ink
}
unset multiplot
