# wm96 Fig. 7: CPU time of the double spherical pendulum against the step, and the ratio DVP/EM.
data = out.'/wm96_fig7_times.csv'
set logscale xy
set format xy power
set xrange [7e-5:0.15]
set xlabel 'step h (s)'
set multiplot layout 1,2 title 'Double spherical pendulum: CPU time of 30 s of motion' font ',15'
set tmargin 8
set ylabel 'CPU time (s)'
set yrange [2e-5:300]
set key at graph 0.5,1.02 bottom center samplen 1.6 font ',12'
plot data using 'h':'em' with linespoints ls 2 title 'EM, 8 unknowns', \
     data using 'h':'del' with linespoints ls 1 title 'DVP, 8 unknowns', \
     data using 'h':'shake' with linespoints ls 3 title 'DVP, 2 unknowns', \
     data using 'h':'em_published' with points ls 10 pt 4 ps 1.6 title 'wm96 EM (1996)', \
     data using 'h':'dvp_published' with points ls 10 ps 1.6 title 'wm96 DVP (1996)'
unset logscale y
set format y '%g'
set yrange [0:1.3]
set ylabel 'CPU time, DVP over EM'
plot 1 with lines ls 11 notitle, \
     data using 'h':(column('dvp_published')/column('em_published')) with points ls 10 title 'wm96 (1996)', \
     data using 'h':'displayed_ratio':'displayed_ratio_lo':'displayed_ratio_hi' with yerrorlines ls 4 title 'as displayed, DVP with 8 over EM with 14', \
     data using 'h':'del_ratio':'del_ratio_lo':'del_ratio_hi' with yerrorlines ls 1 title 'DVP over EM, 8 unknowns each', \
     data using 'h':'shake_ratio':'shake_ratio_lo':'shake_ratio_hi' with yerrorlines ls 3 title 'DVP with 2 over EM with 8'
unset multiplot
set tmargin 2
