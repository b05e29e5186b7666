# wm96 Fig. 11: error of J_z of the double spherical pendulum by DVP, and its spread in time.
data = out.'/wm96_fig11.csv'
set logscale xy
set format xy power
set xrange [7e-5:0.15]
set xlabel 'step h (s)'
set multiplot layout 1,2 title 'Double spherical pendulum: discrete J_z of DVP over 30 s' font ',15'
set tmargin 2
set ylabel 'error (5.10) (kg m^2/s)'
set key top left
plot 170*x**2 with lines ls 11 title 'slope 2', \
     data using 'h':'error' with linespoints ls 1 title 'shake (DVP)', \
     data using 'h':'published' with points ls 10 title 'wm96 Table 2'
set ylabel 'highest − lowest sample (kg m^2/s)'
set yrange [1e-14:1e-5]
set key top right
plot 1.4e-8 with lines ls 11 title 'wm96, text, h = 10^{−4}', \
     data using 'h':'spread' with linespoints ls 2 title 'shake (DVP): round-off'
unset multiplot
set tmargin 2
