# wm96 Fig. 8: position errors of the double spherical pendulum, and their ratio.
data = out.'/wm96_fig8.csv'
set multiplot layout 1,2 title 'Double spherical pendulum: error of the positions over 30 s' font ',15'
set tmargin 3
set logscale xy
set format xy power
set xlabel 'step h (s)'
set ylabel 'error (5.10) (m)'
set xrange [7e-5:0.15]
set key bottom right samplen 1.4 font ',12'
plot 20*x**2 with lines ls 11 title 'slope 2', \
     data using 'h':'em' with linespoints ls 2 title 'EM', \
     data using 'h':'dvp' with linespoints ls 1 title 'DVP', \
     data using 'h':'em_published' with points ls 10 pt 4 ps 1.6 title 'Table 2, EM', \
     data using 'h':'dvp_published' with points ls 10 ps 1.6 title 'Table 2, DVP'
unset logscale y
set format y '%g'
set ylabel 'error, EM over DVP'
set xrange [7e-4:0.15]
set yrange [0.95:1.3]
set key top left
plot 1 with lines ls 11 notitle, \
     data using 'h':'ratio' with linespoints ls 2 title 'measured', \
     data using 'h':(column('em_published')/column('dvp_published')) with points ls 10 pt 4 ps 1.6 title 'Table 2'
unset multiplot
