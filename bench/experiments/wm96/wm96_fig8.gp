# wm96 Fig. 8: position errors of the double spherical pendulum.
data = out.'/wm96_fig8.csv'
set title 'Double spherical pendulum: error of the positions over 30 s'
set logscale xy
set format xy power
set xlabel 'step h (s)'
set ylabel 'error (5.10) (m)'
set xrange [7e-5:0.15]
plot 20*x**2 with lines ls 11 title 'slope 2', \
     data using 1:3 with linespoints ls 2 title 'em', \
     data using 1:2 with linespoints ls 1 title 'shake (DVP)', \
     data using 1:5 with points ls 10 pt 4 title 'wm96 Table 2, EM', \
     data using 1:4 with points ls 10 title 'wm96 Table 2, DVP'
