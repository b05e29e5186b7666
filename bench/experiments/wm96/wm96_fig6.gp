# wm96 Fig. 6: error of the discrete momentum of the rigid body, and its spread in time.
data = out.'/wm96_fig6.csv'
set logscale xy
set format xy power
set xrange [7e-5:0.15]
set xlabel 'step h (s)'
set multiplot layout 1,2 title 'Rigid body: discrete spatial momentum over 30 s' font ',15'
set tmargin 2
set ylabel 'error (5.10) (kg m^2/s)'
set key top left
plot 16.9*x**2 with lines ls 11 title 'slope 2', \
     data using 'h':'error' with linespoints ls 1 title 'dvp', \
     data using 'h':'published' with points ls 10 title 'wm96 Table 1'
set ylabel 'highest − lowest sample (kg m^2/s)'
set yrange [1e-15:1e-6]
set key top right
plot 2e-9 with lines ls 11 title 'wm96: ± 10^{−9}', \
     data using 'h':'spread' with linespoints ls 2 title 'dvp: round-off'
unset multiplot
set tmargin 2
