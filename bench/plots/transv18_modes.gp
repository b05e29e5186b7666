# transv18: transversal modes of a hanging thread and of a catenary, as arrows on the mechanism.
data = out.'/transv18_shapes.csv'
set key off
set size ratio -1
unset border
unset tics
unset grid
set lmargin 1
set rmargin 1
of(shape, mode, value) = ($1 == shape && $2 == mode ? value : NaN)
set multiplot layout 1,2
set title 'Hanging thread, heavy end: ω (1/s)'
set xrange [-0.7:11.2]
set yrange [-6.4:0.9]
plot for [m=0:5] data using (of(0, m, $4) + 2.1*m):(of(0, m, $5)) with lines lc rgb faint lw 1.4, \
     for [m=0:5] data using (of(0, m, $4) + 2.1*m):(of(0, m, $5)):(0.7*$6):(0.7*$7) with vectors lc rgb orange lw 2.2 size 0.12,25 filled, \
     for [m=0:5] data using (of(0, m, $4) + 2.1*m):(of(0, m, $5)):(0.6 + 0.45*sqrt($9)) with points lc rgb blue pt 7 ps variable, \
     for [m=0:5] data using ($3 == -1 ? of(0, m, $4) + 2.1*m : NaN):(0.45):(sprintf('%.2f', $8)) with labels font ',13' textcolor rgb ink
set title 'Catenary, one heavy particle: ω (1/s)'
set xrange [-0.4:15.6]
set yrange [-8.6:1.2]
plot for [m=0:5] data using (of(1, m, $4) + 5.3*(m%3)):(of(1, m, $5) - 4.6*(m/3)) with lines lc rgb faint lw 1.4, \
     for [m=0:5] data using (of(1, m, $4) + 5.3*(m%3)):(of(1, m, $5) - 4.6*(m/3)):(0.7*$6):(0.7*$7) with vectors lc rgb orange lw 2.2 size 0.12,25 filled, \
     for [m=0:5] data using (of(1, m, $4) + 5.3*(m%3)):(of(1, m, $5) - 4.6*(m/3)):(0.6 + 0.45*sqrt($9)) with points lc rgb blue pt 7 ps variable, \
     for [m=0:5] data using ($3 == -1 ? of(1, m, $4) + 5.3*(m%3) + 2.4 : NaN):(0.5 - 4.6*(m/3)):(sprintf('%.2f', $8)) with labels font ',13' textcolor rgb ink
unset multiplot
