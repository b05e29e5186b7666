# Impacts: the bouncing ball's motion, its errors by three steppers, one quantity per panel, and rk4 with impacts located.
data = out.'/reg05_bounce.csv'
sup = out.'/reg05_bounce_sup.csv'
path = out.'/reg05_bounce_path.csv'
located = out.'/reg05_bounce_located.csv'
set multiplot layout 2,3 title 'A ball let go at 1 m, restitution 0.7; an oscillator that hits a wall, restitution 0.9' font ',15'
set tmargin 2.6
set bmargin 3.4
set lmargin 9
set rmargin 1.5
set title 'bouncing ball, h = 0.05 s' font ',13'
set xlabel 'time (s)'
set ylabel 'height (m)'
set xrange [0:2.8]
set yrange [-0.08:1.05]
set xtics 0,0.5,2.5
set key top right samplen 1.6 font ',11'
plot path using 't':'exact' with lines lc rgb faint lw 5 title 'exact', \
     path using 't':'reg' with points ls 1 ps 0.7 title 'REG', \
     path using 't':'moreau' with points pt 8 ps 0.9 lc rgb orange lw 1.5 title 'Moreau'
set logscale xy
set format xy power
set xrange [1.2e-4:0.08]
set xtics ('10^{−3}' 1e-3, '10^{−2}' 1e-2)
set xlabel 'step h (s)'
set key bottom right samplen 1.4 font ',11'
of(s, c) = strcol('stepper') eq s && strcol('h') ne '' ? column(c) : 1/0
names = 'reg moreau spook'
titles = 'REG Moreau SPOOK'
set title 'mean error of the position' font ',13'
set ylabel 'm'
set yrange [1e-8:1]
plot 2*x with lines ls 11 title 'slope 1', \
     for [i=1:3] data using 'h':(of(word(names, i), 'err_q')) with linespoints ls i ps 0.8 title word(titles, i)
set title 'mean error of the velocity' font ',13'
set ylabel 'm/s'
set yrange [1e-7:10]
plot 12*x with lines ls 11 title 'slope 1', \
     for [i=1:3] data using 'h':(of(word(names, i), 'err_v')) with linespoints ls i ps 0.8 title word(titles, i)
set title 'error of the times of impacts' font ',13'
set ylabel 's'
set yrange [1e-8:1]
plot 1.4*x with lines ls 11 title 'slope 1', \
     for [i=1:3] data using 'h':(of(word(names, i), 'err_impact')) with linespoints ls i ps 0.8 title word(titles, i)
set title 'largest error of the velocity' font ',13'
set ylabel 'm/s'
set yrange [1e-3:100]
plot for [i=1:3] sup using 'h':(strcol('stepper') eq word(names, i) ? column('sup_v') : 1/0) with linespoints ls i ps 0.8 title word(titles, i)
set title 'wall, rk4: mean error' font ',13'
set key bottom right samplen 1 font ',10'
set ylabel 'm'
set xrange [2e-3:0.15]
set xtics ('10^{−2}' 1e-2, '10^{−1}' 1e-1)
set yrange [1e-24:10]
set ytics 1e-12,1e4,1
plot 2*x with lines ls 11 notitle, 0.3*x**4 with lines ls 11 title 'slopes 1, 4', \
     located using 'h':'end' with linespoints ls 2 ps 0.8 title 'impact at step end', \
     located using 'h':'located' with linespoints ls 3 ps 0.8 title 'step ends at impact'
unset multiplot
