# transv18: transversal modes of a hanging thread and of a catenary, as arrows on the mechanism.
data = out.'/transv18_shapes.csv'
set key off
set size ratio -1
unset border
unset tics
unset grid
of(shape, mode, value) = (column('shape') == shape && column('mode') == mode ? value : NaN)
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
plot for [m=0:5] data using (of(0, m, column('x')) + hang(m)):(of(0, m, column('y'))) with lines lc rgb faint lw 1.6, \
     for [m=0:5] data using (of(0, m, column('x')) + hang(m)):(of(0, m, column('y'))):(0.55*column('dx')):(0.55*column('dy')) with vectors lc rgb orange lw 2.6 size 0.11,25 filled, \
     for [m=0:5] data using (of(0, m, column('x')) + hang(m)):(of(0, m, column('y'))):(0.8 + 0.5*sqrt(column('mass'))) with points lc rgb blue pt 7 ps variable, \
     for [m=0:5] data using (column('point') == -1 ? of(0, m, column('x')) + hang(m) : NaN):(0.45):(sprintf('%.2f', column('omega'))) with labels font ',13' textcolor rgb ink
set lmargin at screen 0.50
set bmargin at screen 0.02
set rmargin at screen 0.99
set title 'Catenary, one heavy particle' font ',13'
set xrange [-0.4:10.7]
set yrange [-11.3:1.2]
plot for [m=0:5] data using (of(1, m, column('x')) + across(m)):(of(1, m, column('y')) + down(m)) with lines lc rgb faint lw 1.6, \
     for [m=0:5] data using (of(1, m, column('x')) + across(m)):(of(1, m, column('y')) + down(m)):(longest*column('dx')):(longest*column('dy')) with vectors lc rgb orange lw 2.6 size 0.18,25 filled, \
     for [m=0:5] data using (of(1, m, column('x')) + across(m)):(of(1, m, column('y')) + down(m)):(0.8 + 0.5*sqrt(column('mass'))) with points lc rgb blue pt 7 ps variable, \
     for [m=0:5] data using (column('point') == -1 ? of(1, m, column('x')) + across(m) + 2.4 : NaN):(0.2 + down(m)):(sprintf('%.2f', column('omega'))) with labels font ',13' textcolor rgb ink
unset multiplot
