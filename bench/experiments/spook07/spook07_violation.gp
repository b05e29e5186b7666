# spook07 Fig. 6: constraint violation against the step; and the energy a pendulum loses.
data = out.'/spook07_violation.csv'
is(eps, t) = column('N') == 10 && column('eps') == eps && column('t_end') == t
set fit quiet nolog
line(x, a, b) = 10**(a + b*log10(x))
set logscale xy
set format y power
set format x power
set xlabel 'step h (s)'
set multiplot layout 1,3 margins 0.105,0.99,0.13,0.9 spacing 0.1
set title 'Ladder, N = 10: mean of all rows' font ',14'
set xrange [3e-4:0.06]
set yrange [1e-6:0.3]
set ylabel 'rms of g, rods of 1 m' offset 0.5
set key top left font ',11' spacing 1.1 samplen 1
fit [-10:0] [*:*] a1 + b1*x data using (log10(is(1e-8, 2) ? column('h') : NaN)):(log10(column('mean_all'))) via a1, b1
fit [-10:0] [*:*] a2 + b2*x data using (log10(is(1e-8, 10) ? column('h') : NaN)):(log10(column('mean_all'))) via a2, b2
fit [-10:0] [*:*] a3 + b3*x data using (log10(is(1e-12, 10) ? column('h') : NaN)):(log10(column('mean_all'))) via a3, b3
plot data using (is(1e-8, 2) ? column('h') : NaN):'mean_all':'mean_all_least':'mean_all_largest' with yerrorbars ls 3 title sprintf('2 s, ε = 10^{−8}: slope %.2f', b1), \
     data using (is(1e-8, 10) ? column('h') : NaN):'mean_all':'mean_all_least':'mean_all_largest' with yerrorbars ls 1 title sprintf('10 s, ε = 10^{−8}: slope %.2f', b2), \
     data using (is(1e-12, 10) ? column('h') : NaN):'mean_all':'mean_all_least':'mean_all_largest' with yerrorbars ls 2 title sprintf('10 s, ε = 10^{−12}: slope %.2f', b3), \
     [1.0/320:1.0/30] line(x, a1, b1) with lines lc rgb green lw 1.5 notitle, \
     [1.0/320:1.0/30] line(x, a2, b2) with lines lc rgb blue lw 1.5 notitle, \
     [1.0/2560:1.0/320] line(x, a3, b3) with lines lc rgb orange lw 1.5 notitle
set title 'gap, and joints'' rows: ε λ' font ',14'
set yrange [1e-10:10]
set ylabel 'rms (m), 10 s'
fit [-10:0] [*:*] a4 + b4*x data using (log10(is(1e-12, 10) ? column('h') : NaN)):(log10(column('max_gap'))) via a4, b4
plot data using (is(1e-12, 10) ? column('h') : NaN):'max_gap' with points ls 2 title sprintf('largest gap, ε = 10^{−12}: slope %.2f', b4), \
     data using (is(1e-8, 10) ? column('h') : NaN):'max_gap' with points ls 1 title 'largest gap, ε = 10^{−8}', \
     data using (is(1e-8, 10) ? column('h') : NaN):'mean_joint' with points ls 3 title 'joints'' rows, mean, ε = 10^{−8}', \
     data using (is(1e-12, 10) ? column('h') : NaN):'mean_joint' with points ls 4 title 'joints'' rows, mean, ε = 10^{−12}', \
     [1.0/2560:1.0/320] line(x, a4, b4) with lines lc rgb orange lw 1.5 notitle
data = out.'/spook07_violation_pendulum.csv'
size(c) = strcol('quantity') eq 'energy' ? abs(column(c))/9.81 : NaN # over m g l
set title 'Pendulum: energy lost' font ',14'
set ylabel 'energy lost per second (m g l/s)'
set xrange [1.5e-3:0.025]
set xtics (0.002, 0.005, 0.01, 0.02)
set format x '%g'
set yrange [1e-11:1]
fit [-10:0] [*:*] a5 + b5*x data using (log10(strcol('stepper') eq 'spook:eps=1e-12' ? column('h') : NaN)):(log10(size('slope'))) via a5, b5
plot data using (strcol('stepper') eq 'spook:eps=1e-12' ? column('h') : NaN):(size('slope')) with points ls 1 title sprintf('SPOOK: lost, slope %.2f', b5), \
     data using (strcol('stepper') eq 'variational_regularized:eps=1e-12' ? column('h') : NaN):(size('slope')) with points ls 5 title '(26) converged: gained', \
     data using (strcol('stepper') eq 'shake' ? column('h') : NaN):(size('slope')) with points ls 2 title 'SHAKE: either', \
     [1.0/480:1.0/60] line(x, a5, b5) with lines lc rgb blue lw 1.5 notitle
unset multiplot
