# transv18: jitter energy over time at 1.01 of the limit.
data = out.'/transv18_blowup.csv'
of(name, y) = strcol('stepper') eq name ? y : 1/0
set title 'Hanging thread (n = 5, end mass 100) at 1.01 of its largest stable step: jitter'
set xlabel 't (s)'
set ylabel 'energy of step-to-step alternation (J)'
set logscale xy
set format y power
set yrange [1e-17:1e5]
set key right top at graph 0.98, graph 0.54 # between the lines of vts and em
plot data using 't':(of('shake', column('jitter'))) with linespoints ls 2 lw 4 pt 7 title 'shake', \
     data using 't':(of('vts', column('jitter'))) with lines ls 3 title 'vts', \
     data using 't':(of('vts:beta=0.2', column('jitter'))) with lines ls 1 title 'vts, β = 0.2', \
     data using 't':(of('vts:beta=0.2', column('jitter_transversal'))) with lines ls 1 dt 2 lw 1.4 title 'its transversal part', \
     data using 't':(of('vts:beta=1', column('jitter'))) with lines ls 4 title 'vts, β = 1', \
     data using 't':(of('em', column('jitter'))) with lines ls 5 title 'em'
