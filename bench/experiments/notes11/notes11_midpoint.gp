# notes11 7: the midpoint rule at tau = 100.
data = out.'/notes11_midpoint_trajectory.csv'
set multiplot layout 2,1
set title 'Implicit midpoint at τ = h ω = 100: a rotation by nearly π, not noise'
set xrange [0:200]
set yrange [-1.2:1.9]
set ytics -1,1,1
set tmargin 2.4
set bmargin 3
set key top right horizontal
set xlabel 'step k' offset 0,0.4
set ylabel 'x_k'
plot data using 'k':'x' with linespoints lc rgb faint lw 0.8 pt 7 ps 0.45 title 'x_k', \
     data using 'k':'envelope' with lines ls 1 title '(−1)^k x_k', \
     cos(4*x/100) with lines ls 2 dt (6,10) title 'cos(4k/τ)'
unset title
set tmargin 0.8
set bmargin 3.4
set xrange [0:60]
set xlabel 'lag'
set ylabel 'autocorrelation of x_k'
set style fill solid 0.5 noborder
set key top right horizontal
plot '+' using 1:(-3.0/64):(3.0/64) with filledcurves lc rgb faint title 'white noise, ± 3/√N', \
     data using 'k':'autocorrelation' with impulses ls 1 lw 3 title 'measured'
unset multiplot
