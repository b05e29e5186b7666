# transv18: the step the fastest mode allows, and the time to find it, against the length of threads and ladders.
data = out.'/transv18_large.csv'
times = out.'/transv18_large_times.csv'
of(name, y) = strcol('problem') eq name ? y : NaN
by(name, how, y) = strcol('problem') eq name && strcol('matrices') eq how ? y : NaN
set datafile missing NaN
set logscale xy
set format x power
set multiplot title 'The fastest transversal mode of long threads and ladders' font ',15'
set tmargin at screen 0.9
set bmargin at screen 0.13
set lmargin at screen 0.11
set rmargin at screen 0.48
set xlabel 'particles, squares'
set ylabel 'h_{crit} = 2/ω (s)' offset 1.5,0
set xrange [7:1.5e4]
set yrange [0.002:0.5]
set ytics (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5)
set key bottom left
plot data using (of('thread', column('size'))):(2/column('expected')) with lines lc rgb blue lw 1.6 title 'zeros of L_n', \
     data using (of('thread', column('size'))):'h_crit' with points ls 1 title 'hanging thread', \
     data using (of('ladder', column('size'))):'h_crit' with linespoints ls 2 title 'ladder after 0.1 s'
set lmargin at screen 0.59
set rmargin at screen 0.98
set xlabel 'coordinates'
set ylabel 'time (s)' offset 0.5
set xrange [15:2e5]
set yrange [1e-5:1e2]
set ytics auto
set format y power
set key top left
plot times using (by('thread', 'dense', column('coordinates'))):'seconds' with linespoints ls 1 pt 6 dt (6,4) title 'thread, dense', \
     times using (by('ladder', 'dense', column('coordinates'))):'seconds' with linespoints ls 2 pt 4 dt (6,4) title 'ladder, dense', \
     times using (by('thread', 'sparse', column('coordinates'))):'seconds' with linespoints ls 1 title 'thread, sparse', \
     times using (by('ladder', 'sparse', column('coordinates'))):'seconds' with linespoints ls 2 title 'ladder, sparse', \
     [60:900] 8e-10*x**3 with lines ls 11 title 'slope 3'
unset multiplot
