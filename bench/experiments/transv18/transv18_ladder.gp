# transv18 on the ladder: 2/omega(t) of the fastest transversal mode along the motion, and the steps SPOOK bears.
data = out.'/transv18_ladder.csv'
of(place, y) = strcol(1) eq place ? y : NaN
set title "Falling ladder of 20 squares, one rung heavy:\nthe steps SPOOK bears, and 2/ω of its fastest transversal mode"
set xlabel 'mass of the heavy rung over that of another rod'
set ylabel 'h (s)'
set logscale xy
set xrange [0.8:1300]
set yrange [0.0025:0.12]
set format x power
set ytics (0.003, 0.005, 0.01, 0.02, 0.05, 0.1)
set key bottom left
set style fill transparent solid 0.22 noborder
set arrow 1 from 0.8, 1/60.0 to 1300, 1/60.0 nohead ls 11
set label 1 '1/60 s' at 0.9, 0.0153 font ',12' textcolor rgb faint
plot data using (of('tip', $2)):4:5 with filledcurves lc rgb blue title 'last rung heavy: 2/ω(t), below it a tenth to half of the time', \
     data using (of('tip', $2)):4 with lines lc rgb blue lw 1.4 notitle, \
     data using (of('tip', $2)):5 with lines lc rgb blue lw 1.4 notitle, \
     data using (of('root', $2)):4 with lines lc rgb green lw 1.8 dt (8,5) title 'first rung heavy: the same', \
     data using (of('root', $2)):5 with lines lc rgb green lw 1.8 dt (8,5) notitle, \
     data using (of('tip', $2)):(strcol(7) eq '' ? NaN : sqrt($6*$7)):6:7 with yerrorbars lc rgb orange lw 3 pt 7 ps 0.6 title 'last rung heavy: from the longest step that holds to one that fails', \
     data using (of('root', $2)):(strcol(7) eq '' ? NaN : sqrt($6*$7)):6:7 with yerrorbars lc rgb green lw 2 pt 7 ps 0.6 title 'first rung heavy: the same', \
     data using (of('tip', $2)):(strcol(7) eq '' ? $6 : NaN) with points lc rgb orange pt 9 ps 2 title 'the longest step tried holds', \
     data using (of('root', $2)*1.08):(strcol(7) eq '' ? $6 : NaN) with points lc rgb green pt 9 ps 2 notitle
