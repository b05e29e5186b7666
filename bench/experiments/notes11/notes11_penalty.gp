# notes11 10: the force of a strong spring in the middle of every step of the implicit midpoint rule, for three releases.
data = out.'/notes11_penalty.csv'
set multiplot layout 3,1 title 'Pendulum on a spring, ε = 10^{-6}, implicit midpoint, h = 1/60 s: force of the spring' font ',14'
set xrange [0:4]
set lmargin 12
set ylabel 'tension (N)' offset -0.5
set ytics 20
unset key
set format x ''
set title 'released at rest' font ',12' offset 0,-0.7
plot data using 't':'rest' with linespoints ls 1 ps 0.4
set title 'released with 0.1 m/s along the rod' font ',12' offset 0,-0.7
plot data using 't':'thrown' with linespoints ls 2 ps 0.4
set format x '%g'
set xlabel 't (s)'
set title 'the same, damped: γ = 2 h' font ',12' offset 0,-0.7
plot data using 't':'damped' with linespoints ls 3 ps 0.4
unset multiplot
