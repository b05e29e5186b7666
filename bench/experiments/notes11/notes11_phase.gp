# notes11 4-7: relative error of the frequency against tau; formulas of the notes as rings.
data = out.'/notes11_recurrences.csv'
of(name, y) = strcol('stepper') eq name ? abs(y) : 1/0
set title 'Harmonic oscillator: error of the frequency, |φ/τ − 1|'
set logscale xy
set format y power
set xrange [0.02:10]
set yrange [1e-10:3]
set xtics (0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10)
set xlabel 'τ = h ω'
set ylabel '|φ/τ − 1|'
set key bottom right
set samples 9
plot data using 'tau':(of('euler_explicit', column('phase_error'))) with lines ls 2 lw 5 title 'euler\_explicit', \
     data using 'tau':(of('euler_implicit', column('phase_error'))) with lines ls 1 title 'euler\_implicit', \
     data using 'tau':(of('midpoint', column('phase_error'))) with lines lc rgb ink lw 2 title 'midpoint', \
     data using 'tau':(of('verlet', column('phase_error'))) with lines ls 3 lw 5 title 'verlet', \
     data using 'tau':(of('euler_symplectic', column('phase_error'))) with lines ls 4 title 'euler\_symplectic', \
     data using 'tau':(of('rk4', column('phase_error'))) with lines ls 5 title 'rk4', \
     [0.03:1.9] abs(acos(1 - x**2/2)/x - 1) with points ls 10 ps 1.6 title 'notes11 (21), (31), (38)', \
     [0.03:9] abs(acos((1 - x**2/4)/(1 + x**2/4))/x - 1) with points ls 10 ps 1.6 notitle, \
     [0.03:9] abs(acos(1/sqrt(1 + x**2))/x - 1) with points ls 10 ps 1.6 notitle
