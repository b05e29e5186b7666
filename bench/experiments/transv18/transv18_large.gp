# transv18: the step the fastest mode allows against the length of threads and ladders, and that of a long thread from
# the largest zero of Laguerre's polynomial L_n, nu + 2^(2/3) a nu^(1/3) with nu = 4 n + 2 and Airy's a.
data = out.'/transv18_large.csv'
of(name, y) = strcol('problem')[1:strlen(name)] eq name ? y : NaN
size(dummy) = real(strcol('problem')[strstrt(strcol('problem'), '=') + 1:*])
zero(nu) = nu - 2**(2.0/3)*2.33810741*nu**(1.0/3)
set datafile missing NaN
set logscale xy
set format x power
set title 'The fastest transversal mode of long threads and ladders'
set xlabel 'particles, squares'
set ylabel 'h_{crit} = 2/ω (s)'
set xrange [7:1.5e4]
set yrange [0.002:0.5]
set ytics (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5)
set key bottom left
plot 2/sqrt(9.81*zero(4*x + 2)) with lines lc rgb blue lw 1.6 title 'zeros of L_n, long threads', \
     data using (of('thread', size(0))):'h_crit' with points ls 1 title 'hanging thread', \
     data using (of('ladder', size(0))):'h_crit' with linespoints ls 2 title 'ladder after 0.1 s'
