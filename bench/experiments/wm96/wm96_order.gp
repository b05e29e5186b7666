# wm96 4.5: position error of the DEL map against the step.
data = out.'/wm96_order.csv'
level(p, s) = strcol('problem') eq p && strcol('stepper') eq s && strcol('h') ne '' ? column('err_q') : 1/0
set title 'Order of the DEL map: (4.1), and (4.20) where the mass depends on the position'
set logscale xy
set format xy power
set xlabel 'step h (s)'
set ylabel 'largest error of the position'
set key bottom right
set xrange [3e-4:0.3]
set yrange [1e-7:0.2]
plot data using 'h':(level('kepler', 'del')) with linespoints ls 4 title 'Kepler', \
     data using 'h':(level('dsp', 'del')) with linespoints ls 1 title 'double spherical pendulum', \
     data using 'h':(level('pendulum', 'del')) with linespoints ls 3 title 'pendulum', \
     data using 'h':(level('rigid_body', 'del')) with linespoints ls 5 title 'rigid body', \
     data using 'h':(level('oscillator', 'del')) with linespoints ls 6 title 'oscillator', \
     data using 'h':(level('spherical_pendulum', 'del')) with linespoints ls 10 ps 1.4 title 'spherical pendulum', \
     data using 'h':(level('spherical_pendulum', 'del:quadrature=left')) with linespoints ls 2 title 'spherical pendulum, (4.20)'
