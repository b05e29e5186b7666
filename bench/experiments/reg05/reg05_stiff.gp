# reg05 Figs. 6.5-6.8: the pendulum with c = 1e-8.
data = out.'/reg05_stiff.csv'
set multiplot layout 2,2 title 'Pendulum on a stiff spring, c = 10^{−8}, h = 1/60 s, let go at the horizontal: 20 s' font ',15'
set tmargin 1.6
set bmargin 3
unset key
set xlabel 'time (s)' offset 0,0.5
set xrange [0:20]
set xtics 0,5,20
set ylabel 'x (m)' offset 1,0
set yrange [-1.15:1.35]
set ytics -1,1,1
set label 1 'implicit' at 2.4,1.15 textcolor rgb orange
set label 2 'its Newton limit' at 9,0.75 textcolor rgb green
plot data using 't':'implicit_x' with lines ls 2, data using 't':'newton_x' with lines ls 3 lw 1.4
unset label 2
set label 1 'regularized' at 8,1.2 textcolor rgb blue
plot data using 't':'reg_x' with lines ls 1 lw 1.4
set ylabel 'energy (J)'
set yrange [-10.8:1.5]
set ytics -10,5,0
set label 1 'regularized' at 8,0.9 textcolor rgb blue
set label 2 'Newton limit' at 7,-7 textcolor rgb green
set label 3 'implicit' at 5.2,-9.2 left textcolor rgb orange
plot data using 't':'implicit_energy' with lines ls 2, data using 't':'newton_energy' with lines ls 3 lw 1.4, data using 't':'reg_energy' with lines ls 1
unset label 3
set ylabel 'violation (m)'
set logscale y
set format y power
set yrange [1e-8:1e-1]
set ytics 1e-8,100,1e-2
set label 1 'regularized' at 8,1.2e-2 textcolor rgb blue
set label 2 'implicit' at 0.5,2e-7 textcolor rgb orange
set label 3 'c g' at 1,4e-8 textcolor rgb faint
plot data using 't':'reg_violation' with lines ls 1 lw 1, data using 't':'implicit_violation' with lines ls 2, 1e-7 with lines ls 11
unset multiplot
