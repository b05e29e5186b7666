# wm96 Fig. 9: y of the outer mass of the double spherical pendulum.
data = out.'/wm96_fig9.csv'
set xrange [0:30]
set yrange [-7.5:10.5]
set ytics -6,3,6
set ylabel 'y_2 (m)'
set key top right horizontal font ',12'
set multiplot layout 2,1
set title 'Double spherical pendulum: y of the outer mass'
set format x ''
set bmargin 0.8
set tmargin 2.4
plot data using 't':'em_fine' with lines ls 2 lw 5 title 'em, h = 10^{−4} s', \
     data using 't':'dvp_fine' with lines ls 1 lw 1.4 title 'shake (DVP), h = 10^{−4} s'
unset title
set format x '%g'
set tmargin 0.8
set bmargin 3.4
set xlabel 'time (s)'
plot data using 't':'em_fine' with lines lc rgb faint lw 1.5 title 'em, h = 10^{−4} s', \
     data using 't':'em_coarse' with lines ls 2 title 'em, h = 0.1 s', \
     data using 't':'dvp_coarse' with lines ls 1 title 'shake (DVP), h = 0.1 s'
unset multiplot
