# Numbers in the factors and time of the linear system per arm, against the number of arms that meet on one body; UMFPACK on both forms,
# and on the ladder of 1000 squares, where at most six rows meet on a rod.
data = out.'/perf_star_times.csv'
ladder(f, c) = strcol('system') eq 'ladder' && strcol('form') eq f ? column(c) : NaN
of(s, f, c) = strcol('system') eq 'star' && strcol('solver') eq s && strcol('form') eq f ? column(c) : NaN
set datafile missing NaN
set multiplot layout 1,2
set bmargin 10
set logscale xy
set format x power
set format y power
set xlabel 'arms on the hub'
set xrange [2:2e4]
set key at screen 0.5,0.19 center top vertical maxrows 3 noenhanced samplen 2 width -8 font ',14'
set lmargin 9
set rmargin 2
set ylabel 'numbers in the factors per arm or rod'
set yrange [8:2e3]
set title 'Fill'
plot data using 'N':(of('static_ldl', 'schur', 'fill')) with linespoints ls 6 title 'static_ldl, Schur complement', \
     data using 'N':(of('static_ldl', 'saddle', 'fill')) with linespoints ls 4 title 'static_ldl, saddle', \
     data using 'N':(of('umfpack', 'saddle', 'fill')) with linespoints ls 2 title 'umfpack, saddle', \
     data using 'N':(of('umfpack', 'schur', 'fill')) with linespoints ls 5 title 'umfpack, Schur complement', \
     data using (3):(ladder('saddle', 'fill')) with points pt 4 ps 2 lw 2 lc rgb orange title 'umfpack, ladder: saddle', \
     data using (3):(ladder('schur', 'fill')) with points pt 12 ps 2.4 lw 2 lc rgb blue title 'umfpack, ladder: Schur complement', \
     data using 'N':(of('klu', 'saddle', 'fill')) with linespoints ls 3 title 'klu, saddle', \
     data using 'N':(of('auto', 'saddle', 'fill')) with points pt 6 ps 2 lc rgb ink title 'auto, saddle (default)'
unset key
set ylabel 'time per step and arm or rod (ns)'
each(s, f) = of(s, f, 'assembly') + of(s, f, 'factor') + of(s, f, 'solve')
set yrange [1e2:3e5]
set title 'Time of the linear system'
plot data using 'N':(each('static_ldl', 'schur')) with linespoints ls 6 title 'static_ldl, Schur complement', \
     data using 'N':(each('static_ldl', 'saddle')) with linespoints ls 4 title 'static_ldl, saddle', \
     data using 'N':(each('umfpack', 'saddle')) with linespoints ls 2 title 'umfpack, saddle', \
     data using 'N':(each('umfpack', 'schur')) with linespoints ls 5 notitle, \
     data using (3):(ladder('saddle', 'assembly') + ladder('saddle', 'factor') + ladder('saddle', 'solve')) with points pt 4 ps 2 lw 2 lc rgb orange notitle, \
     data using (3):(ladder('schur', 'assembly') + ladder('schur', 'factor') + ladder('schur', 'solve')) with points pt 12 ps 2.4 lw 2 lc rgb blue notitle, \
     data using 'N':(each('klu', 'saddle')) with linespoints ls 3 title 'klu, saddle', \
     data using 'N':(each('auto', 'saddle')) with points pt 6 ps 2 lc rgb ink title 'auto, saddle (default)'
unset multiplot
