# notes11 10: implicit midpoint on a pendulum with a spring as rod: the largest force as the spring stiffens, and the
# spectrum of the force.
force = out.'/notes11_penalty.csv'
spectrum = out.'/notes11_penalty_spectrum.csv'
of(name, x) = strcol('case') eq name ? x : NaN
set multiplot layout 1,2 title 'Pendulum on a spring, implicit midpoint, h = 1/60 s' font ',14'
set logscale xy
set format xy power
set lmargin 9
set bmargin 4
set xlabel 'ε'
set ylabel 'largest force in 8.5 s (N)'
set xrange [2e-4:5e-11]
set yrange [10:1e8]
set key top left Left reverse samplen 2
set arrow 1 from graph 0, first 30 to graph 1, first 30 nohead ls 11
set label 1 'rigid rod: 30 N' at 1.5e-4, 30 offset 0,-0.8 font ',12' textcolor rgb ink
plot force using (of('rest', column('eps'))):'force':'force_least':'force_largest' with yerrorbars ls 1 notitle, \
     force using (of('rest', column('eps'))):'force' with linespoints ls 1 title 'released at rest', \
     force using (of('thrown', column('eps'))):'force' with linespoints ls 2 title 'thrown along the rod', \
     force using (of('damped', column('eps'))):'force' with linespoints ls 3 title 'thrown, damped: γ = 2 h'
unset arrow
unset label
unset logscale x
set format x '%g'
set xrange [0:30]
set yrange [1e-16:1e18]
set xlabel 'frequency (Hz)'
set ylabel 'power of the force at rest (N^2)'
set key top right noreverse Right maxrows 2
at(e, x) = column('eps') == e ? x : NaN
plot spectrum using (at(1e-4, column('frequency'))):'power' with lines ls 4 title 'ε = 10^{-4}', \
     spectrum using (at(1e-6, column('frequency'))):'power' with lines ls 1 title '10^{-6}', \
     spectrum using (at(1e-8, column('frequency'))):'power' with lines ls 2 title '10^{-8}', \
     spectrum using (at(1e-10, column('frequency'))):'power' with lines lc rgb ink lw 1.4 dt 2 title '10^{-10}'
unset multiplot
