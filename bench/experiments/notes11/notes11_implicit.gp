# notes11 10: what linearly implicit Euler leaves of a pendulum's motion as its spring stiffens.
data = out.'/notes11_implicit.csv'
set title 'Pendulum let go at the horizontal: largest speed in its tenth swing, h = 1/60 s'
set logscale x
set format x power
set xrange [3e-24:1e-2]
set yrange [0:1.2]
set ytics 0,0.5,1
set xlabel 'ε'
set ylabel 'largest speed / √(2gl)'
set key at graph 0.98,0.36 top right samplen 1.6
set arrow 1 from 6.2e-20,0 to 6.2e-20,1.05 nohead lc rgb faint dt (8,6)
set label 1 '← M is lost to round-off' left at 1e-19,0.7 textcolor rgb ink
# Where h^2/eps takes a hundredth of M's digits or more, what is left is round-off.
known(c) = column('round_off') < 0.01 ? column(c) : NaN
plot data using 'eps':'reg' with points ls 10 title 'regularized stepper, reg05 (4.2)', \
     data using 'eps':(known('gauss_newton')) with linespoints ls 1 title 'notes11 (54)', \
     data using 'eps':(known('whole')) with linespoints ls 2 title 'with the derivative of G, reg05 (6.3)'
