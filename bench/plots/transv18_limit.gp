# transv18: measured limits against the predictions of three spectra.
data = out.'/transv18_limit.csv'
set title 'Largest stable step over what three spectra predict'
set xlabel 'h predicted = 2/ω (s)'
set ylabel 'h measured / h predicted'
set logscale x
set xrange [0.008:1]
set key top right
set yrange [0.95:1.95]
of(c, y) = $10 == c ? y : 1/0
set arrow from graph 0, first 1 to graph 1, first 1 nohead ls 11
plot data using 6:(of(1, $9)) with points ls 4 title 'E K as printed', \
     data using 4:(of(1, $7)) with points ls 2 title 'M^{-1}K: catenaries, rods', \
     data using 4:(of(0, $7)) with points ls 5 title 'M^{-1}K: hanging threads', \
     data using 5:8 with points ls 1 pt 6 ps 1.8 title "(LKL^T, LML^T): all"
