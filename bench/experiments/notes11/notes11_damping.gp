# notes11 5: where explicit Euler is stable on the oscillator with drag.
data = out.'/notes11_damping.csv'
set title 'Explicit Euler on the oscillator with drag −m γ v: where it is stable'
set logscale y
set xrange [0:2.4]
set yrange [0.05:50]
set ytics (0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50)
set xlabel 'τ = h ω'
set ylabel 'γ/ω'
set key top right
set style fill solid 0.2 noborder
set label 'stable' at 0.55,1.05 font ',17' textcolor rgb blue
set label 'too little drag: still grows' at 1.05,0.3 textcolor rgb ink
set label 'too much: overshoots' at 1.35,5 textcolor rgb ink
set samples 400
plot data using 'tau':'lowest_exact':'highest_exact' with filledcurves lc rgb blue notitle, \
     [0.001:2] x with lines ls 2 title 'γ = h ω^2', \
     [0.04:2] 2/x + x/2 with lines ls 1 title 'γ = 2/h + h ω^2/2', \
     2 with lines ls 11 title 'critical damping', \
     data using 'tau':'lowest' with points ls 10 ps 1.5 title 'measured by bisection', \
     data using 'tau':'highest' with points ls 10 ps 1.5 notitle
