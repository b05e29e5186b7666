# reg05 2.8: a box on an incline around the angle of repose.
data = out.'/reg05_friction.csv'
set title 'A box on an incline, μ = 0.5, let go at rest: speed after 1 s, h = 0.01 s'
set xlabel 'angle of the slope / atan μ'
set ylabel 'speed (m/s)'
set xrange [0.7:1.3]
set yrange [-0.15:1.6]
set key at graph 0.02,0.97 top left samplen 2 spacing 1.3
set arrow 1 from 1,-0.15 to 1,1.05 nohead lc rgb faint dt (8,6)
set label 1 'atan μ' at 0.995,0.5 right textcolor rgb ink
ratio = asin(0.5)/atan(0.5)
set arrow 2 from ratio,-0.15 to ratio,0.45 nohead lc rgb faint dt (8,6)
set label 2 'asin μ' at ratio+0.005,-0.08 left textcolor rgb ink
plot data using 'ratio':'exact' with lines lc rgb faint lw 5 title 'exact: g (sin α − μ cos α) t above atan μ', \
     data using 'ratio':'estimate_law' with lines lc rgb amber lw 2 title 'g (sin α − μ) t above asin μ', \
     data using 'ratio':'estimate' with points pt 4 ps 1.1 lc rgb amber lw 1.6 title 'bounds μ m g/2, an estimate (regularized stepper)', \
     data using 'ratio':'reg' every 3 with points pt 6 ps 2.1 lc rgb blue lw 1.6 title 'regularized stepper, iterated; last step: the same', \
     data using 'ratio':'spook' every 3::1 with points pt 7 ps 1.1 lc rgb orange title 'SPOOK, iterated; last step: the same', \
     data using 'ratio':'moreau' every 3::2 with points pt 9 ps 1.4 lc rgb green title 'Moreau, iterated; last step: the same'
