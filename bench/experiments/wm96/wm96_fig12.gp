# wm96 Fig. 12: energy and multipliers of the double spherical pendulum by DVP against time.
data = out.'/wm96_fig12.csv'
set xrange [0:30]
set key top right horizontal
set multiplot layout 3,1
set title 'Double spherical pendulum by DVP: energy and multipliers'
set format x ''
set lmargin 13
set bmargin 0.5
set tmargin 2.6
set ylabel 'energy (J)' offset -1
set format y '%.4f'
set ytics 0.0002
set yrange [24.9391:24.9398]
plot data using 't':'energy_1e-3' with lines ls 1 title 'h = 10^{−3} s', \
     data using 't':'energy_1e-4' with lines ls 2 lw 1.4 title 'h = 10^{−4} s'
unset title
set format y '%g'
set tmargin 0.8
set ytics 5
set yrange [-25:4]
set ylabel 'multipliers (N/m)'
plot data using 't':'lambda0' with lines ls 3 title 'inner rod', \
     data using 't':'lambda1' with lines ls 4 title 'outer rod'
set bmargin 3.4
set format x '%g'
set xlabel 'time (s)'
set ylabel 'energy (J)'
set ytics 2
set yrange [20:28.5]
plot data using 't':'energy_1e-1' with lines ls 1 title 'h = 0.1 s', \
     data using 't':'energy_1e-2' with lines ls 2 lw 1.4 title 'h = 10^{−2} s'
unset multiplot
