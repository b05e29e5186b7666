# transv18: jitter energy at 1.01 of the limit, and its transversal share, until round-off is a tenth of either.
data = out.'/transv18_blowup.csv'
of(name, y) = strcol('stepper') eq name ? y : 1/0
set multiplot layout 1,2 title 'Hanging thread (n = 5, end mass 100) at 1.01 of its largest stable step' font ',15'
set lmargin 10.5
set xlabel 't (s)'
set ylabel 'energy of step-to-step alternation (J)'
set xrange [0:4]
set logscale y
set format y power
set yrange [1e-13:1e5]
set key at graph 1, graph 0.5 right top noreverse Right samplen 1.2 font ',13'
plot data using 't':(of('vts', column('jitter'))) with lines ls 3 title 'vts', \
     data using 't':(of('vts:beta=0.2', column('jitter'))) with lines ls 1 title 'vts, β = 0.2', \
     data using 't':(of('vts:beta=1', column('jitter'))) with lines ls 4 title 'vts, β = 1', \
     data using 't':(of('shake', column('jitter'))) with linespoints ls 2 lw 4 pt 7 title 'shake, until it ends'
unset logscale y
set format y '%g'
set yrange [0:1.05]
set ytics 0,0.2,1
set ylabel 'transversal share of it'
set key at graph 0.03, graph 0.22 left top Left reverse
# The columns of the spreads are there only where a number has one.
spreads = int(system("grep -c jitter_spread '".data."'"))
certain(name) = spreads == 0 || strlen(strcol(name.'_spread')) == 0 || column(name.'_spread') < 0.1*column(name)
share(name) = strcol('stepper') eq name && certain('jitter') && certain('jitter_transversal') ? column('jitter_transversal')/column('jitter') : NaN
plot data using 't':(share('vts')) with lines ls 3 title 'vts', \
     data using 't':(share('vts:beta=0.2')) with lines ls 1 title 'vts, β = 0.2', \
     data using 't':(share('vts:beta=1')) with lines ls 4 title 'vts, β = 1'
unset multiplot
