# spook07 Fig. 6: average constraint violation against the step; and the energy a pendulum loses.
data = out.'/spook07_violation.csv'
is(eps, t) = $1 == 10 && $2 == eps && $3 == t
set logscale xy
set format y power
set multiplot layout 1,2
set tmargin 2.6
set bmargin 4
set xlabel 'step h (s)'
set format x power
set xrange [3e-4:0.07]
set yrange [1e-7:0.2]
set title 'Ladder of 10 squares: mean violation over 10 s' font ',14'
set key top left font ',12' spacing 1.1 samplen 1.6
plot data using (is(1e-8, 10) ? $4 : NaN):7 with linespoints ls 2 title 'gap of the joints', \
     data using (is(1e-8, 10) ? $4 : NaN):6 with linespoints ls 1 title 'all rows', \
     data using (is(1e-8, 10) ? $4 : NaN):5 with linespoints ls 3 title 'joints'' rows', \
     data using (is(1e-12, 10) ? $4 : NaN):7 with linespoints ls 2 dt (3,4) lw 1.5 title 'gap, ε = 10^{−12}', \
     [0.001:0.05] 2*x**2 with lines ls 11 title 'slope 2'
data = out.'/spook07_violation_pendulum.csv'
set title 'Pendulum: energy lost a second, of m g l' font ',14'
set xrange [1.5e-3:0.025]
set xtics (0.002, 0.005, 0.01, 0.02)
set format x '%g'
set yrange [1e-11:1]
plot data using (strcol(1) eq 'spook:eps=1e-12' ? $2 : NaN):3 with linespoints ls 1 title 'SPOOK: lost', \
     data using (strcol(1) eq 'variational_regularized:eps=1e-12' ? $2 : NaN):(-$3) with linespoints ls 5 title 'solved to convergence: gained', \
     data using (strcol(1) eq 'shake' ? $2 : NaN):(abs($3)) with points ls 2 title 'SHAKE: either, within its error', \
     [0.002:0.02] 150*x**3 with lines ls 11 title 'slope 3'
unset multiplot
