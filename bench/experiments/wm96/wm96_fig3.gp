# wm96 Fig. 3: error of the quaternion against the step.
data = out.'/wm96_fig3.csv'
set title 'Rigid body: error of the quaternion over 30 s'
set logscale xy
set format xy power
set xlabel 'step h (s)'
set ylabel 'error (5.10)'
set xrange [7e-5:0.15]
plot 3.6*x**2 with lines ls 11 title 'slope 2', \
     data using 'h':'error_exact' with linespoints ls 2 title 'against the exact solution: the Euler start limits it', \
     data using 'h':'error' with linespoints ls 1 title 'against the run at h = 10^{−4}, as in the paper', \
     data using 'h':'published' with points ls 10 title 'wm96 Table 1'
