# wm96 Fig. 5: error of the discrete energy of the rigid body, and its spread in time.
data = out.'/wm96_fig5.csv'
set logscale xy
set format xy power
set xrange [7e-5:0.15]
set xlabel 'step h (s)'
set multiplot layout 1,2 title 'Rigid body: discrete energy over 30 s' font ',15'
set tmargin 2
set ylabel 'error (5.10) (J)'
set key top left
plot 62.7*x**2 with lines ls 11 title 'slope 2', \
     data using 'h':'error' with linespoints ls 1 title 'dvp', \
     data using 'h':'published' with points ls 10 title 'wm96 Table 1'
set ylabel 'highest − lowest sample (J)'
set yrange [1e-15:1e-6]
set key top right
plot 1e-9 with lines ls 11 title 'ninth decimal', \
     data using 'h':'spread' with linespoints ls 2 title 'dvp: round-off'
unset multiplot
set tmargin 2
