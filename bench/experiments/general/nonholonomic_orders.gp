# spook07 (24) and (29) on nonholonomic problems.
orders = out.'/nonholonomic_orders.csv'
gammas = out.'/nonholonomic_gamma.csv'
energy = out.'/nonholonomic_energy.csv'
names = 'knife_edge chaplygin_sleigh rolling_disk'
labels = 'knife-edge sleigh disk'
set multiplot layout 1,3 title 'Nonholonomic constraints: variational stepper (24) and SPOOK (29)' font ',15'
set tmargin 4
set bmargin 3.4
set lmargin 9
set rmargin 1.5
unset key
set title 'first order' font ',14'
set logscale xy
set format y power
set xrange [8e-4:0.15]
set yrange [2e-3:10]
set xtics ('0.001' 0.001, '0.005' 0.005, '0.02' 0.02, '0.08' 0.08)
set xlabel 'step h (s)'
set ylabel 'largest position error in 4 s'
set key at graph 0.03,0.99 top left samplen 1 spacing 1.1
plot 4*x with lines ls 11 title 'slope 1', \
     for [k=1:3] orders using 'h':(strcol('problem') eq word(names, k) && strcol('stepper') eq 'spook' && strcol('h') ne '' ? column('err_q') : 1/0) with linespoints ls 2*k-1 title word(labels, k).', (29)', \
     for [k=1:3] orders using 'h':(strcol('problem') eq word(names, k) && strcol('stepper') ne 'spook' && strcol('h') ne '' ? column('err_q') : 1/0) with linespoints ls 2*k title word(labels, k).', (24)'
unset key
unset logscale
set format y '%g'
set title '(24) gains energy, (29) loses it'
set xrange [0:0.085]
set yrange [-1:1]
set xtics (0, '0.02' 0.02, '0.04' 0.04, '0.08' 0.08)
set ytics -1,0.5,1
set ylabel 'energy gained in 20 s, disk: 5 s (J)'
plot 0 with lines ls 11, \
     for [k=1:3] energy using 'h':(strcol('problem') eq word(names, k) ? column('eq29') : 1/0) with linespoints ls 2*k-1, \
     for [k=1:3] energy using 'h':(strcol('problem') eq word(names, k) ? column('eq24') : 1/0) with linespoints ls 2*k
set title 'γ → 0: linear (rings: 24)'
set logscale xy
set format xy power
set xrange [3e-9:3e-2]
set yrange [1e-8:1]
set xtics 1e-8,1e2,1e-2
set ytics 1e-8,1e2,1
set xlabel 'regularization γ'
set ylabel 'distance from γ = 0 in 5 s'
plot for [k=1:3] gammas using 'gamma':(strcol('problem') eq word(names, k) ? column('eq29') : 1/0) with linespoints ls 2*k-1, \
     for [k=1:3] gammas using 'gamma':(strcol('problem') eq word(names, k) ? column('eq24') : 1/0) with points ls 10
unset multiplot
