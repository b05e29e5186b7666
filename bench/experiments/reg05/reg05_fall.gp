# reg05 Fig. 6.5: time from the horizontal to the vertical against the compliance.
data = out.'/reg05_fall.csv'
set title 'Pendulum: time from the horizontal to the vertical'
set logscale xy
set format x power
set xlabel 'compliance c'
set ylabel 'time (s)'
set xrange [1e-20:1e-1]
set xtics 1e-20,1e4,1
set yrange [0.4:150]
set ytics (0.5, 1, 2, 5, 10, 20, 50, 100)
set key at graph 0.02,0.66 top left
at(n, name) = abs(column('h') - 1.0/n) < 1e-6 ? column(name) : 1/0
plot data using 'c':(at(60, 'implicit')) with points ls 2 title 'implicit, h = 1/60 s', \
     data using 'c':(at(240, 'implicit')) with points ls 4 title 'implicit, h = 1/240 s', \
     data using 'c':(column('c') > 1e-13 ? at(60, 'law') : 1/0) with lines ls 11 title 'cube-root law', \
     data using 'c':(at(240, 'law')) with lines ls 11 notitle, \
     data using 'c':(at(60, 'newton')) with points ls 3 ps 1.6 title 'implicit, converged by Newton', \
     data using 'c':(at(60, 'reg')) with points ls 1 title 'regularized', \
     data using 'c':'exact' with lines lc rgb ink lw 1.4 title 'exact'
