# wm96 Fig. 4: q_y against time.
data = out.'/wm96_fig4.csv'
set xrange [0:30]
set multiplot layout 2,1
set title 'Rigid body: the component q_y of the quaternion'
set ylabel 'q_y'
set yrange [-0.55:0.95]
set ytics -0.5,0.5,0.5
set key top right horizontal
set format x ''
set bmargin 0.6
set tmargin 2.4
plot data using 't':'qy_fine' with lines ls 1 title 'h = 10^{−4} s', \
     data using 't':'qy_coarse' with linespoints ls 2 lw 1.2 ps 0.5 title 'h = 0.1 s'
unset title
set format x '%g'
set tmargin 0.8
set bmargin 3.4
set xlabel 'time (s)'
set ylabel 'q_y'
plot data using 't':'stretched' with lines ls 1 title 'h = 10^{−4} s, at the time (1 + ε) t', \
     data using 't':'qy_coarse' with linespoints ls 2 lw 1.2 ps 0.5 title 'h = 0.1 s'
unset multiplot
