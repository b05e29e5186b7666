# transv18, one step beyond: the frequency of a step, and a swing's errors, with geometric stiffness in the mass.
frequency = out.'/transv18_geometric_frequency.csv'
swing = out.'/transv18_geometric_swing.csv'
of(kind) = sprintf('shake:geometric=%s', kind)
set multiplot layout 1,3 title 'Geometric stiffness in the mass: SHAKE' font ',15'
set tmargin 4
set bmargin 3.4
set lmargin 9
set rmargin 1.5
set title 'one mode: no step is too long' font ',14'
set logscale x
set xrange [0.2:20]
set xtics (0.25, 1, 4, 16)
set yrange [0:3.3]
set ytics ('0' 0, 'π/4' pi/4, 'π/2' pi/2, '3π/4' 3*pi/4, 'π' pi)
set xlabel 'h ω'
set ylabel 'angle of a step'
set key at graph 0.45,0.24 top left samplen 1.5 spacing 1.1
set samples 400
plot x < pi ? x : 1/0 with lines ls 11 title 'exact', \
     x <= 2 ? 2*asin(0.5*x) : 1/0 with lines ls 1 title 'M', \
     2*asin(0.5*x/sqrt(1 + x*x)) with lines ls 2 title 'M − h^2K', \
     frequency using 'h_omega':(strcol('geometric') eq '0' ? column('measured') : 1/0) with points ls 1 notitle, \
     frequency using 'h_omega':(strcol('geometric') eq '1' ? column('measured') : 1/0) with points ls 2 notitle
set logscale xy
set format y power
set xrange [1e-3:0.5]
set xtics ('0.001' 0.001, '0.01' 0.01, '0.1' 0.1)
set ytics autofreq nomirror out scale 0.7
set title 'swing from 60°: error'
set xlabel 'step h (s)'
set ylabel 'largest position error in 4.8 s (m)'
set yrange [1e-4:1e3]
set key at graph 0.03,0.99 top left samplen 1.5 spacing 1.1
plot 600*x**2 with lines ls 11 title 'slope 2', \
     for [k=1:3] swing using 'h':(strcol('stepper') eq of(word('0 1 diag', k)) && strcol('h') ne '' ? column('err_q') : 1/0) with linespoints ls k title word('M M−h^2K M−h^2diag(K)', k)
set title 'and energy'
set ylabel 'largest energy error in 4.8 s (J)'
unset key
plot 6000*x**2 with lines ls 11, \
     for [k=1:3] swing using 'h':(strcol('stepper') eq of(word('0 1 diag', k)) && strcol('h') ne '' ? column('err_energy') : 1/0) with linespoints ls k
unset multiplot
