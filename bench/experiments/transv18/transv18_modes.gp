# transv18: transversal modes of a hanging thread and of a catenary, as arrows on the mechanism.
data = out.'/transv18_shapes.csv'
set key off
set size ratio -1
unset border
unset tics
unset grid
of(shape, mode, value) = ($1 == shape && $2 == mode ? value : NaN)
# Where mode m is drawn, and how long the longest arrow is.
hang(m) = 1.2*m
across(m) = 5.5*(m%2)
down(m) = -3.9*(m/2)
longest = 0.75
set multiplot title 'Transversal modes from the fastest to the slowest, ω in 1/s' font ',15'
set lmargin at screen 0.02
set rmargin at screen 0.47
set tmargin at screen 0.87
set bmargin at screen 0.08
set title 'Thread hanging by one end, heavy last particle' font ',13'
set xrange [-0.75:6.75]
set yrange [-6.4:0.9]
plot for [m=0:5] data using (of(0, m, $4) + hang(m)):(of(0, m, $5)) with lines lc rgb faint lw 1.6, \
     for [m=0:5] data using (of(0, m, $4) + hang(m)):(of(0, m, $5)):(0.55*$6):(0.55*$7) with vectors lc rgb orange lw 2.6 size 0.11,25 filled, \
     for [m=0:5] data using (of(0, m, $4) + hang(m)):(of(0, m, $5)):(0.8 + 0.5*sqrt($9)) with points lc rgb blue pt 7 ps variable, \
     for [m=0:5] data using ($3 == -1 ? of(0, m, $4) + hang(m) : NaN):(0.45):(sprintf('%.2f', $8)) with labels font ',13' textcolor rgb ink
set lmargin at screen 0.50
set bmargin at screen 0.02
set rmargin at screen 0.99
set title 'Catenary, one heavy particle' font ',13'
set xrange [-0.4:10.7]
set yrange [-11.3:1.2]
plot for [m=0:5] data using (of(1, m, $4) + across(m)):(of(1, m, $5) + down(m)) with lines lc rgb faint lw 1.6, \
     for [m=0:5] data using (of(1, m, $4) + across(m)):(of(1, m, $5) + down(m)):(longest*$6):(longest*$7) with vectors lc rgb orange lw 2.6 size 0.18,25 filled, \
     for [m=0:5] data using (of(1, m, $4) + across(m)):(of(1, m, $5) + down(m)):(0.8 + 0.5*sqrt($9)) with points lc rgb blue pt 7 ps variable, \
     for [m=0:5] data using ($3 == -1 ? of(1, m, $4) + across(m) + 2.4 : NaN):(0.2 + down(m)):(sprintf('%.2f', $8)) with labels font ',13' textcolor rgb ink
unset multiplot
