# hlw06 IX: the scatter of modified Hamiltonians against the inverse of the step; at long steps a higher order does not help.
data = out.'/literature_exponential.csv'
of(name) = strcol('hamiltonian') eq name ? column('sd') : NaN
e = 0.8
c = 2*pi*(acosh(1/e) - sqrt(1 - e**2))
set title "Verlet on Kepler's problem, e = 0.8: scatter of the energy and of modified Hamiltonians"
set logscale y
set format y power
set xrange [17.5:30.5]
set yrange [1e-7:1e0]
set xlabel '1/h (1/s)'
set ylabel 'standard deviation, of |T| + |V|'
set key top right noreverse Right maxrows 2 samplen 2 width -2
plot data using (1/column('h')):(of('energy')) with points ls 1 title 'energy', \
     data using (1/column('h')):(of('H4')) with points ls 2 title 'H_4', \
     data using (1/column('h')):(of('H6')) with points ls 3 title 'H_6', \
     data using (1/column('h')):(of('H8')) with points ls 4 title 'H_8', \
     data using (1/column('h')):(of('H12')) with points ls 5 title 'H_{12}', \
     8*exp(-c*x) with lines ls 11 title 'exp(−2πτ/h)'
