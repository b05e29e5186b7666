# spook07 6: when the falling ladder's energy leaves its bounds, against the step and against the mass ratio.
data = out.'/spook07_limits.csv'
step(rungs) = strcol('study') eq 'step' && int(column('start')) % 2 == (rungs eq 'down')
mass(p, scaled) = strcol('study') eq 'mass_ratio' && strcol('heavy') eq p && (abs(column('eps') - 1e-8) > 1e-12) == scaled
set multiplot layout 1,2 title 'Falling ladder of 20 squares: when the energy leaves what the motion allows' font ',15'
set tmargin 2.6
set bmargin 4
set yrange [0:70]
set ytics 0,10,50
set ytics add ('never' 64)
set ylabel 'time of failure (s)'
set logscale x
set xrange [11:66]
set xtics (12, 15, 20, 30, 40, 60)
set xlabel '1/h (1/s)'
set key center right
set arrow 1 from 20,0 to 20,70 nohead ls 11
set label 1 'the paper''s limit' at 20.8,44 font ',12' textcolor rgb faint
plot data using (step('up') ? column('steps_per_s') : NaN):(strcol('fails') eq '' ? 64 : real(strcol('fails'))) with points ls 1 pt 6 ps 1.6 title 'rungs up', \
     data using (step('down') ? column('steps_per_s') : NaN):(strcol('fails') eq '' ? 64 : real(strcol('fails'))) with points ls 2 pt 4 ps 1.1 title 'rungs down'
set yrange [0:32]
set ytics 0,5,20 
set ytics add ('never' 21.3)
set ylabel ''
set logscale x
set xrange [70:1.5e4]
set format x '10^{%L}'
set xtics autofreq
set xlabel 'mass of a heavy rod over that of the others'
set arrow 1 from 1000,0 to 1000,22.5 nohead ls 11
unset label 1
set key top left
plot data using (mass('alternate', 0) ? column('ratio') : NaN):(strcol('fails') eq '' ? 21.7 : real(strcol('fails'))) with points ls 1 title 'every second rod', \
     data using (mass('root', 0) ? column('ratio') : NaN):(strcol('fails') eq '' ? 21.3 : real(strcol('fails'))) with points ls 3 title 'first rung', \
     data using (mass('tip', 0) ? column('ratio') : NaN):(strcol('fails') eq '' ? 20.9 : real(strcol('fails'))) with points ls 2 title 'last rung', \
     data using (mass('tip', 1) ? column('ratio') : NaN):(strcol('fails') eq '' ? 20.5 : real(strcol('fails'))) with points ls 4 title 'last rung, ε ∼ 1/ratio'
unset multiplot
