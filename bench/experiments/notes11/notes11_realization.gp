# notes11 9: a particle held on a line by a strong spring.
data = out.'/notes11_realization.csv'
curves = out.'/notes11_lambda.csv'
set multiplot layout 1,2 title 'A strong spring in place of a constraint: the particle on a line under gravity' font ',15'
set tmargin 2.6
set bmargin 3.4
set xrange [0:1]
set yrange [-0.1:3.1]
set ytics 0,1,2
set xtics 0,0.5,1
set xlabel 'time (s)'
set ylabel 'λ (N), ε = 10^{−3}'
set key top right samplen 1.6
plot curves using 't':'undamped' with lines lc rgb '#c8c8c8' lw 1.6 title 'undamped', \
     curves using 't':'weak' with lines ls 5 lw 1.4 title 'γ = ε', \
     curves using 't':'critical' with lines ls 2 title 'γ = 2 √ε', \
     curves using 't':'fixed' with lines ls 1 title 'γ = 0.1 s', \
     1 with lines ls 11 notitle
set logscale xy
set format xy power
set xrange [2e-9:3e-2]
set yrange [3e-9:2e1]
set xtics 1e-8,100,1e-2
set ytics 1e-8,100,1
set xlabel 'ε'
set ylabel 'undamped: largest values and integrals'
unset key
set label 1 '|λ − 1|' at 3e-7,3 textcolor rgb orange
set label 2 '|dy/dt| and |∫ (λ − 1) dt|' at 1e-8,6e-2 textcolor rgb green
set label 3 '… × e^{−t}' at 1.2e-8,4e-6 textcolor rgb purple
set label 4 '|y|' at 2e-6,2e-7 textcolor rgb blue
plot data using 'eps':'lambda' with linespoints ls 2, \
     data using 'eps':'weak_one' with linespoints lc rgb green lw 1 pt 6 ps 2, \
     data using 'eps':'weak_exp' with linespoints ls 5, \
     data using 'eps':'ydot' with linespoints ls 3, \
     data using 'eps':'y' with linespoints ls 1
unset multiplot
