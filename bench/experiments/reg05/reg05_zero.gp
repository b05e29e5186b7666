# reg05 Figs. 6.9 and 6.10: the regularized stepper with c = 0 on the pendulum.
curves = out.'/reg05_zero_curves.csv'
data = out.'/reg05_zero.csv'
set multiplot title 'Pendulum by the regularized stepper without regularization, c = 0' font ',15'
unset key
set bmargin 3
set tmargin 1.6
set size 0.5,0.5
set origin 0,0.45
set xlabel 'x (m)' offset 0,0.5
set ylabel 'y (m)' offset 1,0
set size ratio -1
set xrange [-1.2:1.2]
set yrange [-1.15:0.2]
set xtics -1,1,1
set ytics -1,1,0
set label 1 'h = 1/60 s, 20 s' at 0,-0.4 center textcolor rgb blue
plot curves using 'x':'y' with lines lc rgb blue lw 4.5
set size noratio
set size 0.5,0.5
set origin 0.5,0.45
set logscale xy
set format y power
set xlabel 'step h (s)'
set ylabel 'largest violation (m)'
set xrange [1.5e-3:0.1]
set yrange [2e-5:0.1]
set xtics ('1/480' 1.0/480, '1/120' 1.0/120, '1/30' 1.0/30)
set ytics autofreq
set label 1 '(h v)^2/2 at the lowest point' at 2e-3,4e-2 left textcolor rgb ink
plot 10*x**2 with lines ls 11, data using 'h':'violation' with points ls 1
unset logscale
set size 1,0.46
set lmargin 8
set origin 0,0
set format y '%g'
set xrange [0:20]
set yrange [0:3.6]
set xtics 0,5,20
set ytics 0,1,3
set xlabel 'time (s)'
set ylabel 'violation (mm)' offset 0.5,0
set label 1 'h = 1/60 s' at 0.3,3.2 textcolor rgb blue
set label 2 'dashed: 1/120 s' at 3.2,3.2 textcolor rgb orange
set label 3 'dash-dotted: 1/240 s' at 7.2,3.2 textcolor rgb green
plot curves using 't':(1e3*column('violation')) with lines ls 1 lw 1.4, curves using 't':(1e3*column('violation_half')) with lines ls 2 lw 1.4, \
    curves using 't':(1e3*column('violation_quarter')) with lines ls 3 lw 1.4
unset multiplot
