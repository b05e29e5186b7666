# transv18 on the ladder: 2/omega(t) of the fastest transversal mode along the motion, and the largest stable steps of SPOOK.
data = out.'/transv18_ladder.csv'
of(n, place, y) = column('squares') == n && strcol('heavy') eq place ? y : NaN
known(c) = strcol(c) ne ''
set multiplot layout 1,2 title "Falling ladder, one rung heavy: largest stable step of SPOOK,\nand 2/ω(t) of its fastest transversal mode" font ',14'
set tmargin at screen 0.82
set bmargin at screen 0.33
set xlabel 'mass of the heavy rung / mass of a rod'
set ylabel 'h (s)'
set logscale xy
set xrange [0.7:1500]
set yrange [0.0025:0.25]
set format x power
set ytics (0.003, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2)
set style fill transparent solid 0.22 noborder
set arrow 1 from 0.7, 1/60.0 to 1500, 1/60.0 nohead ls 11
set label 1 '1/60 s' at 0.8, 0.0153 font ',12' textcolor rgb faint
do for [k = 1:2] {
n = k == 1 ? 20 : 12
set title sprintf('%d squares', n) font ',13'
if (k == 1) { set key at screen 0.52, 0.11 center center maxrows 3 samplen 1.6 font ',11' } else { unset key; unset ylabel }
plot data using (of(n, 'tip', column('ratio'))):'h_tenth':'h_median' with filledcurves lc rgb blue title 'last rung: 2/ω(t), 10th to 50th percentile', \
     data using (of(n, 'tip', column('ratio'))):'h_tenth' with lines lc rgb blue lw 1.4 notitle, \
     data using (of(n, 'tip', column('ratio'))):'h_median' with lines lc rgb blue lw 1.4 notitle, \
     data using (of(n, 'tip', column('ratio'))):(known('h_unstable') ? sqrt(column('h_stable')*column('h_unstable')) : NaN):'h_stable':'h_unstable' with yerrorbars lc rgb orange lw 3 pt 7 ps 0.6 title 'last rung: from a step that holds to one that fails', \
     data using (of(n, 'tip', column('ratio'))):'h_stable':(0):(known('h_unstable') ? NaN : 0.4*column('h_stable')) with vectors lc rgb orange lw 3 title 'last rung: every step tried holds', \
     data using (of(n, 'root', column('ratio'))):'h_tenth' with lines lc rgb green lw 1.8 dt (8,5) title 'first rung: 2/ω(t), 10th and 50th percentile', \
     data using (of(n, 'root', column('ratio'))):'h_median' with lines lc rgb green lw 1.8 dt (8,5) notitle, \
     data using (of(n, 'root', column('ratio')*1.15)):(known('h_unstable') ? sqrt(column('h_stable')*column('h_unstable')) : NaN):'h_stable':'h_unstable' with yerrorbars lc rgb green lw 2 pt 7 ps 0.6 title 'first rung: from a step that holds to one that fails', \
     data using (of(n, 'root', column('ratio')*1.15)):'h_stable':(0):(known('h_unstable') ? NaN : 0.4*column('h_stable')) with vectors lc rgb green lw 2 title 'first rung: every step tried holds'
}
unset multiplot
