# wm96 Fig. 2: CPU time of the rigid body against the step.
data = out.'/wm96_fig2_times.csv'
stats data using 'h':'cpu' name 'C' nooutput
set title 'Rigid body: CPU time of 30 s of motion'
set logscale xy
set format xy power
set xlabel 'step h (s)'
set ylabel 'CPU time (s)'
set key top right
set xrange [7e-5:0.15]
set yrange [1e-5:1e4]
plot C_max_y*1e-4/x with lines ls 11 title 'slope −1', \
     data using 'h':'cpu':'cpu_lo':'cpu_hi' with yerrorlines ls 1 title 'dvp, median and quartiles', \
     data using 'h':'published' with points ls 10 title 'wm96, a workstation of 1996'
