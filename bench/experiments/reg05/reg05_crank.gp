# reg05 Fig. 6.13: the load of the slider crank, and which compliance passes the singular pose.
load = out.'/reg05_crank_load.csv'
map = out.'/reg05_crank_map.csv'
set multiplot title 'Slider crank of equal lengths by the regularized stepper, h = 1/60 s' font ',15'
set bmargin 8.2
set tmargin 4
set size 0.52,1
set origin 0,0
set xrange [0:2]
set yrange [-2.4:2.4]
set ytics -2,1,2
set xlabel 'time (s)'
set ylabel 'place of the load (m)'
set title 'load of the slider' font ',13'
set key at screen 0.03,0.17 top left vertical maxrows 2 samplen 2.4 width -28
plot load using 't':'exact' with lines lc rgb faint lw 7 title '2 cos 2πt', \
     load using 't':'larger' with lines ls 1 lw 2.2 title 'c = 10^{−16}, damped', \
     load using 't':'longer' with lines ls 3 lw 3 dt (10,4) title 'rod of 1.0001, c = 10^{−20}: stuck at 0 for half a turn', \
     load using 't':'small' with linespoints ls 2 ps 0.8 title 'c = 10^{−20}: no step beyond t = 0.25 s'
set size 0.48,1
set origin 0.52,0
set title '○ passes    ■ the matrix is singular, no step' font ',13'
set lmargin 10
set logscale xy
set format xy power
set xrange [1e-16:3e-4]
set yrange [1e-25:1e-12]
set xtics ('0' 5e-16, '10^{−12}' 1e-12, '10^{−8}' 1e-8, '10^{−4}' 1e-4)
set ytics ('0' 1e-24, '10^{−20}' 1e-20, '10^{−18}' 1e-18, '10^{−16}' 1e-16, '10^{−14}' 1e-14)
set xlabel 'distance of a step from the pose (rad)'
set ylabel 'compliance c'
unset key
# Zero is not on a logarithmic axis: `place` puts it beyond a line.
place(x, zero) = x == 0 ? zero : x
point(passes) = column('passes') == passes ? place(column('off'), 5e-16) : 1/0
set arrow 1 from 2.2e-15,graph 0 to 2.2e-15,graph 1 nohead ls 11
set arrow 2 from graph 0,first 1e-23 to graph 1,first 1e-23 nohead ls 11
plot map using (point(1)):(place(column('c'), 1e-24)) with points pt 6 ps 1.4 lc rgb blue lw 2, \
     map using (point(0)):(place(column('c'), 1e-24)) with points pt 5 ps 1.6 lc rgb orange
unset multiplot
