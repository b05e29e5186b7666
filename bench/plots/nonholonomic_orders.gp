# spook07 (24) and (29) on nonholonomic problems.
orders = out.'/nonholonomic_orders.csv'
gammas = out.'/nonholonomic_gamma.csv'
energy = out.'/nonholonomic_energy.csv'
set multiplot layout 1,3 title 'Nonholonomic constraints: variational stepper (24) and SPOOK (29)' font ',15'
set tmargin 4
set bmargin 3.4
set lmargin 9
set rmargin 1.5
unset key
set title 'first order' font ',14'
set logscale xy
set format y power
set xrange [3e-3:0.15]
set yrange [5e-3:1]
set xtics ('0.005' 0.005, '0.02' 0.02, '0.08' 0.08)
set xlabel 'step h (s)'
set ylabel 'largest position error in 4 s'
set key at graph 0.03,0.99 top left samplen 1 spacing 1.1
plot 4*x with lines ls 11 title 'slope 1', \
     orders using 3:(strcol(1) eq 'knife_edge' && strcol(2) eq 'spook' && strcol(3) ne '' ? $5 : 1/0) with linespoints ls 1 title 'knife edge, (29)', \
     orders using 3:(strcol(1) eq 'knife_edge' && strcol(2) ne 'spook' && strcol(3) ne '' ? $5 : 1/0) with linespoints ls 2 title 'knife edge, (24)', \
     orders using 3:(strcol(1) ne 'knife_edge' && strcol(2) eq 'spook' && strcol(3) ne '' ? $5 : 1/0) with linespoints ls 3 title 'sleigh, (29)', \
     orders using 3:(strcol(1) ne 'knife_edge' && strcol(2) ne 'spook' && strcol(3) ne '' ? $5 : 1/0) with linespoints ls 4 title 'sleigh, (24)'
unset key
unset logscale
set format y '%g'
set title '(24) gains energy, (29) loses it'
set xrange [0:0.085]
set yrange [-1:1]
set xtics (0, '0.02' 0.02, '0.04' 0.04, '0.08' 0.08)
set ytics -1,0.5,1
set ylabel 'energy gained in 20 s (J)'
plot 0 with lines ls 11, \
     energy using 2:(strcol(1) eq 'knife_edge' ? $4 : 1/0) with linespoints ls 1, \
     energy using 2:(strcol(1) eq 'knife_edge' ? $3 : 1/0) with linespoints ls 2, \
     energy using 2:(strcol(1) ne 'knife_edge' ? $4 : 1/0) with linespoints ls 3, \
     energy using 2:(strcol(1) ne 'knife_edge' ? $3 : 1/0) with linespoints ls 4
set title 'γ → 0: linear'
set logscale xy
set format xy power
set xrange [3e-9:3e-2]
set yrange [1e-8:1]
set xtics 1e-8,1e2,1e-2
set ytics 1e-8,1e2,1
set xlabel 'regularization γ'
set ylabel 'distance from γ = 0 in 5 s'
plot gammas using 2:(strcol(1) eq 'knife_edge' ? $4 : 1/0) with linespoints ls 1, \
     gammas using 2:(strcol(1) eq 'knife_edge' ? $3 : 1/0) with points ls 10, \
     gammas using 2:(strcol(1) ne 'knife_edge' ? $4 : 1/0) with linespoints ls 3, \
     gammas using 2:(strcol(1) ne 'knife_edge' ? $3 : 1/0) with points ls 10
unset multiplot
