# A stack of ten at rest on a slope: how far it moves against the cost of a step, and what it looks like. Set before: equal, cost.
data = out.'/reg05_lcp.csv'
boxes = out.'/reg05_lcp_boxes.csv'
set multiplot title 'A stack of ten at rest on a slope of 0.1 rad, h = 1/60 s' font ',15'
set bmargin 3.5
set tmargin 2
set size 0.45,0.95
set origin 0,0
set logscale xy
set format x power
set format y power
set xlabel 'products in a step'
set ylabel 'largest deviation in 5 s (m)' offset 0.5,0
set xrange [2e2:5e6]
set yrange [1e-16:1e3]
set ytics 1e-15,1e3,1e3
set key at graph 0.02,0.42 left top
set arrow 1 from 2e2,1e-3 to 5e6,1e-3 nohead ls 11
set label 1 '1 mm' at 2.6e6,6e-3 right textcolor rgb ink
plot data every ::4 using 'cost':'deviation' with linespoints ls 2 title 'pgs, 1 to 5000 sweeps', \
    data every ::0::2 using 'cost':'deviation' with points ls 1 ps 1.6 title 'block\_pivot: round-off'
unset logscale
unset arrow
unset label
unset key
set format '%g'
set size ratio -1
set xlabel 'x along the slope (m); the stacks are set apart'
set ylabel 'y above it (m)'
set xrange [-0.3:1.9]
set yrange [-0.06:1.5]
set xtics -0.2,0.2,0.2
set ytics 0,0.5,1
set origin 0.44,0
set size 0.56,0.95
set arrow 1 from -0.3,0 to 1.9,0 nohead lw 3 lc rgb ink
set label 1 'after 0.75 s' at -0.25,1.42 left textcolor rgb ink
set label 2 'block\_pivot' at 0,1.1 center textcolor rgb blue
set label 3 sprintf('pgs, %d sweeps', equal) at 0.8,1.41 center textcolor rgb orange
set label 4 'at the same cost' at 0.8,1.3 center textcolor rgb orange
set label 5 sprintf('%d sweeps', 10*equal) at 1.6,1.1 center textcolor rgb orange
set style fill solid 0.25 border
plot for [p=0:2] for [b=0:9] boxes every ::(50*p+5*b)::(50*p+5*b+4) using (column('x')+0.75*p):'y' with filledcurves closed lc rgb (p==0 ? blue : orange) lw 1.5
unset multiplot
