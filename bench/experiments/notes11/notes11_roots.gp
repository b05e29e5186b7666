# notes11 4-7: modulus of the larger root against tau.
data = out.'/notes11_recurrences.csv'
of(name, y) = strcol('stepper') eq name ? y : 1/0
set title 'Harmonic oscillator: modulus of the larger root'
set logscale xy
set xrange [0.02:10]
set yrange [0.08:60]
set xtics (0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10)
set ytics (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50)
set xlabel 'τ = h ω'
set ylabel 'max |root|'
set key top left
set arrow from 2, graph 0 to 2, graph 1 nohead ls 11
plot data using 'tau':(of('euler_explicit', column('root'))) with lines ls 2 title 'euler\_explicit', \
     data using 'tau':(of('euler_implicit', column('root'))) with lines ls 1 title 'euler\_implicit', \
     data using 'tau':(of('rk4', column('root'))) with lines ls 5 title 'rk4', \
     data using 'tau':(of('verlet', column('root'))) with lines ls 3 lw 6 title 'verlet', \
     data using 'tau':(of('euler_symplectic', column('root'))) with lines ls 4 lw 2 title 'euler\_symplectic', \
     data using 'tau':(of('midpoint', column('root'))) with lines lc rgb ink lw 1.4 title 'midpoint'
