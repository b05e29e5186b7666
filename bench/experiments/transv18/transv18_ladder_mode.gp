# transv18 on the ladder: its fastest transversal mode at one moment of the fall, as arrows on the rods, for two weights of the last rung.
data = out.'/transv18_ladder_mode.csv'
of(ratio, y) = column('ratio') == ratio ? y : NaN
heavy = 60 # the last rung
set key off
set size ratio -1
set grid
set xlabel 'x (m)'
set ylabel 'y (m)' offset 1
set xtics 10
set ytics 10
set multiplot layout 1,2 title 'Falling ladder: its fastest transversal mode (arrows), and the heavy last rung' font ',15'
set tmargin at screen 0.87
set bmargin at screen 0.14
set title 'all rods alike' font ',13'
set xrange [-21.5:21.5] # wherever the fall has led it
set yrange [-21.5:21.5]
plot data using (of(1, column('x0'))):'y0':(column('x1')-column('x0')):(column('y1')-column('y0')) with vectors nohead lc rgb blue lw 1.8, \
     data using (of(1, 0.5*(column('x0')+column('x1')))):(0.5*(column('y0')+column('y1'))):(3*column('dx')):(3*column('dy')) with vectors lc rgb orange lw 2.2 size 0.35,25 filled, \
         \
     '+' using (0):(0) every ::0::0 with points lc rgb ink pt 7 ps 1.2
set title 'last rung 300 times as heavy' font ',13'
plot data using (of(300, column('x0'))):'y0':(column('x1')-column('x0')):(column('y1')-column('y0')) with vectors nohead lc rgb blue lw 1.8, \
     data using (column('rod') == heavy ? of(300, column('x0')) : NaN):'y0':(column('x1')-column('x0')):(column('y1')-column('y0')) with vectors nohead lc rgb ink lw 7, \
     data using (of(300, 0.5*(column('x0')+column('x1')))):(0.5*(column('y0')+column('y1'))):(3*column('dx')):(3*column('dy')) with vectors lc rgb orange lw 2.2 size 0.35,25 filled, \
     '+' using (0):(0) every ::0::0 with points lc rgb ink pt 7 ps 1.2
unset multiplot
