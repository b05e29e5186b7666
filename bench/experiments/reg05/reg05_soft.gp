# reg05 Figs. 6.1-6.4: the pendulum with c = 1e-2.
data = out.'/reg05_soft.csv'
set multiplot layout 2,2 title 'Pendulum on a soft spring, c = 10^{−2}, h = 1/60 s, let go at the horizontal: 20 s' font ',15'
set tmargin 1.6
set bmargin 3
unset key
set xlabel 'x (m)' offset 0,0.5
set ylabel 'y (m)' offset 1,0
set size ratio -1
set xrange [-1.35:1.35]
set yrange [-1.45:0.2]
set xtics -1,1,1
set ytics -1,1,0
set parametric
set trange [0:2*pi]
set label 1 'implicit' at 0,-0.25 center textcolor rgb orange
set label 2 'rest at y = −(1 + 10 c)' at 0,-1.36 center textcolor rgb ink
plot cos(t),sin(t) with lines ls 11 lw 1, data using 'implicit_x':'implicit_y' with lines ls 2 lw 1.2, \
    '+' using (0):(-1.1) every ::0::0 with points ls 10 ps 1.6
unset label 2
set label 1 'regularized' at 0,-0.25 center textcolor rgb blue
plot cos(t),sin(t) with lines ls 11 lw 1, data using 'reg_x':'reg_y' with lines ls 1 lw 1.2
unset parametric
set size noratio
set xlabel 'time (s)' offset 0,0.5
set xrange [0:20]
set xtics 0,5,20
set ylabel 'energy (J)'
set yrange [-12:1]
set ytics -10,5,0
set label 1 'regularized' at 11,-1.8 textcolor rgb blue
set label 2 'implicit, and its Newton limit' at 4.5,-11.4 textcolor rgb orange
plot data using 't':'implicit_energy' with lines ls 2 lw 4, data using 't':'newton_energy' with lines lc rgb ink lw 1 dt (6,6), \
    data using 't':'reg_energy' with lines ls 1
set ylabel 'violation (m)'
set yrange [0:0.32]
set ytics 0,0.1,0.3
set label 1 'regularized' at 6,0.28 textcolor rgb blue
set label 2 'implicit (dashed)' at 12.5,0.28 textcolor rgb orange
plot data using 't':'reg_violation' with lines ls 1 lw 1.2, data using 't':'implicit_violation' with lines ls 2 lw 1.6
unset multiplot
