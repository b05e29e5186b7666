# calvo93, hairer05: error of the energy with error control on Kepler's problem.
data = out.'/literature_error_control.csv'
of(s) = strcol('stepper') eq s ? column('energy') : 1/0
set title "Kepler's problem, e = 0.9: a conventional choice of the step makes the energy drift"
set logscale xy
set format y power
set xlabel 'periods after the first 16'
set ylabel 'largest change of the mean energy of a period (J)'
set key outside below
set xtics (32, 64, 128, 256, 512)
set xrange [28:580]
plot data using 'periods':(of('adaptive(verlet):rtol=1e-5')) with linespoints ls 2 title 'Verlet, conventional steps', \
     data using 'periods':(of('verlet')) with linespoints ls 3 title 'Verlet, fixed step', \
     data using 'periods':(of('adaptive_reversible(verlet):rtol=1e-4')) with linespoints ls 1 title 'Verlet, reversible steps', \
     data using 'periods':(of('odeiv2:rtol=1e-8')) with linespoints ls 4 title 'Runge-Kutta of order 8'
