# Time per step against the number of squares: whole steps of SPOOK, the elimination by hand, and the linear system by UMFPACK as in the
# paper. Exponents of N over the shaded range.
whole = out.'/spook07_fig7_times.csv'
linear = out.'/perf_ladder_times.csv'
set logscale xy
set format x power
set format y power
set xlabel 'squares N'
set ylabel 'time per step (ms)'
set key bottom right font ',13' spacing 1.1
set title 'SPOOK on the ladder: processor time per step'
row(m) = strcol('method') eq m ? column('step') : NaN
of(s, f) = strcol('system') eq 'ladder' && strcol('solver') eq s && strcol('form') eq f ? column('step') : NaN
set datafile missing NaN
set object 1 rectangle from 100, graph 0 to 1e5, graph 1 fillcolor rgb '#eef3f7' fillstyle solid noborder behind
power(what) = sprintf('N^{%.2f}', what)
stats [2:5] linear using (log10(column('N'))):(log10(of('umfpack', 'saddle'))) name 'U' nooutput
stats [2:5] whole using (log10(column('N'))):(log10(row('spook'))) name 'S' nooutput
stats [2:5] whole using (log10(column('N'))):(log10(row('spook:form=schur'))) name 'C' nooutput
stats [2:5] whole using (log10(column('N'))):(log10(row('bare'))) name 'B' nooutput
set xrange [10:1e5]
set yrange [1e-5:1e4]
plot linear using 'N':(of('umfpack', 'saddle')) with linespoints ls 2 title 'UMFPACK on the saddle matrix, the paper''s: '.power(U_slope), \
     whole using 'N':(row('spook:form=schur')) with linespoints ls 6 title 'whole step, static LDL^T on the Schur complement: '.power(C_slope), \
     whole using 'N':(row('spook')) with linespoints ls 1 title 'whole step, static LDL^T on the saddle matrix (default): '.power(S_slope), \
     whole using 'N':(row('bare')) with linespoints ls 3 title 'whole step, elimination by hand: '.power(B_slope), \
     [10:1e5] 1e-3*x with lines ls 11 title 'slope 1'
