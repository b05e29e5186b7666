# Time a step against the number of squares: whole steps of SPOOK, the elimination by hand, and the linear system by UMFPACK as in the paper.
whole = out.'/spook07_fig7_times.csv'
linear = out.'/perf_ladder_times.csv'
set logscale xy
set format x power
set format y power
set xlabel 'squares N'
set ylabel 'time a step (ms)'
set key top left noenhanced
set title 'SPOOK on the ladder: processor time a step'
row(m) = strcol('method') eq m ? column('step') : NaN
of(s, f) = strcol('system') eq 'ladder' && strcol('solver') eq s && strcol('form') eq f ? column('step') : NaN
set datafile missing NaN
plot linear using 'N':(of('umfpack', 'saddle')) with linespoints ls 2 title 'linear system by UMFPACK, saddle matrix (the paper)', \
     linear using 'N':(of('umfpack_symmetric', 'saddle')) with linespoints ls 4 title 'the same, symmetric strategy', \
     whole using 'N':(row('spook')) with linespoints ls 1 title 'whole step: static LDL'' on the saddle matrix (default)', \
     whole using 'N':(row('spook:form=schur')) with linespoints ls 6 title 'whole step: static LDL'' on the Schur complement', \
     whole using 'N':(row('bare')) with linespoints ls 3 title 'whole step: elimination by hand', \
     [10:1e5] 1e-3*x with lines ls 11 title 'slope 1'
