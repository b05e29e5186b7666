# Error of the position against the step; read by sb_bench_plot with bench/experiments/general/style.gp before it.
data = out.'/new_experiment.csv'
level(s) = strcol(2) eq s && strcol(3) ne '' ? column('err_q') : 1/0
set title 'Oscillator'
set logscale xy
set format xy power
set xlabel 'step h (s)'
set ylabel 'largest error of the position (m)'
set key bottom right
plot data using 'h':(level('verlet')) with linespoints ls 1 title 'verlet', \
     data using 'h':(level('midpoint')) with linespoints ls 2 title 'midpoint'
