# transv18: measured limits against the predictions of three spectra.
data = out.'/transv18_limit.csv'
# 0: hanging threads, 1: other shapes and bodies, and constraints as squares.
hanging(p) = p[1:9] eq 'thread:n=' && strstrt(p, 'end_mass') > 0 && strstrt(p, 'dim') + strstrt(p, 'square') == 0
of(c, y) = hanging(strcol('problem')) == 1 - c ? y : 1/0
limited(y) = strcol('h_measured') eq '' ? NaN : y
set multiplot title 'Largest stable step, measured, against 2/ω of three spectra' font ',15'
set tmargin at screen 0.9
set bmargin at screen 0.13
set xlabel 'h predicted = 2/ω (s)'
set logscale x
set xrange [0.008:1]
set lmargin at screen 0.09
set rmargin at screen 0.48
set logscale y
set yrange [0.0015:4]
set ylabel 'h measured (s)' offset 2
set key bottom right font ',12'
plot x with lines ls 11 notitle, \
     data using 'h_text':(of(1, limited(column('h_measured')))) with points ls 4 title 'E K as printed', \
     data using 'h_full':(limited(column('h_measured'))) with points ls 2 title 'M^{-1}K', \
     data using 'h_projected':(limited(column('h_measured'))) with points ls 1 pt 6 ps 1.6 title "(LKL^T, LML^T)"
set lmargin at screen 0.61
set rmargin at screen 0.98
# Deviations below 1e-5, the error of the search, are no data: they lie in the grey band.
set yrange [1e-6:20]
set format y '10^{%L}'
set ylabel '|h measured / h predicted - 1|' offset 1
off(y) = abs(column('h_measured')/y - 1) < 1e-5 ? NaN : abs(column('h_measured')/y - 1)
set object 1 rectangle from graph 0, graph 0 to graph 1, first 1e-5 fc rgb '#e4e4e4' fs solid noborder behind
set label 1 'not resolved: every (LKL^T, LML^T),' at graph 0.03, first 3.2e-6 font ',11' textcolor rgb ink
set label 2 'and M^{-1}K of every hanging thread' at graph 0.03, first 1.6e-6 font ',11' textcolor rgb ink
set arrow from graph 0, first 5e-5 to graph 1, first 5e-5 nohead ls 11
set label 3 'tolerance' at graph 0.02, first 9e-5 font ',11' textcolor rgb faint
set key top left Left reverse
plot data using 'h_text':(of(1, off(column('h_text')))) with points ls 4 title 'E K', \
     data using 'h_full':(of(1, off(column('h_full')))) with points ls 2 title 'M^{-1}K: catenaries, rods', \
     data using 'h_full':(of(0, off(column('h_full')))) with points ls 5 notitle, \
     data using 'h_projected':(off(column('h_projected'))) with points ls 1 pt 6 ps 1.6 notitle
unset multiplot
