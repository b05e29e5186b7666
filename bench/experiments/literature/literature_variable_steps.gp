# calvo93, hairer05: error of the energy of Verlet's method with variable steps on Kepler's problem.
data = out.'/literature_variable_steps.csv'
of(s) = strcol('steps') eq s ? column('energy') : 1/0
set title "Verlet on Kepler's problem, e = 0.6: steps that vary with the state make the energy drift"
set logscale xy
set format y power
set xlabel 'time (s)'
set ylabel 'largest error of the energy (J)'
set key top left
set xrange [300:16000]
plot data using 't':(of('state')) with linespoints ls 2 title 'step from the state before it', \
     data using 't':(of('fixed')) with linespoints ls 3 title 'fixed step', \
     data using 't':(of('reversible')) with linespoints ls 1 title 'reversible step'
