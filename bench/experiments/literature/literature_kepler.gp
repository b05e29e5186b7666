# hlw06 Table I.2.1: error of the energy over time on Kepler's problem.
data = out.'/literature_kepler.csv'
at(s, n) = strcol('stepper') eq s && abs(column('h')*n/(2*pi) - 1) < 1e-4 ? column('energy') : 1/0
set title 'Kepler, e = 0.3: the error of the energy grows with time by explicit Euler alone'
set logscale xy
set format y power
set xlabel 'periods'
set ylabel 'largest error of the energy (J)'
set key at graph 0.4, 0.55
set xtics (2, 4, 8, 16)
set yrange [1e-6:1e-2]
set xrange [1.8:18]
plot data using 'periods':(at('euler_explicit', 400000)) with linespoints ls 2 title 'explicit Euler, 400000 steps per period', \
     data using 'periods':(at('euler_symplectic', 8000)) with linespoints ls 4 title 'symplectic Euler, 8000', \
     data using 'periods':(at('midpoint', 2000)) with linespoints ls 3 title 'implicit midpoint, 2000', \
     data using 'periods':(at('verlet', 2000)) with linespoints ls 1 title 'Verlet, 2000'
