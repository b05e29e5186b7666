# reg05 (5.5): rows of negative compliance against sweeps, the steps they make unstable, and the roots of the step itself.
data = out.'/reg05_gs.csv'
# Problem by problem, eight numbers of sweeps, each cold and warm in turn.
set style line 21 lc rgb blue lw 2 dt (3,4) pt 6 ps 1.1
set style line 22 lc rgb orange lw 2 dt (3,4) pt 4 ps 1.1
set style line 23 lc rgb green lw 2 dt (3,4) pt 8 ps 1.3
names = 'chain ladder stack'
set multiplot title 'Gauss-Seidel for the constraint forces, h = 1/60 s: what its error amounts to' font ',15'
set bmargin 3.2
set tmargin 2
set logscale x
set xrange [0.8:300]
set xtics (1,2,5,10,20,50,100,200)
set xlabel 'sweeps in a step' offset 0,0.4
unset key
set size 0.5,0.46
set origin 0,0.48
set ylabel 'rows (%)' offset 1,0
set yrange [0:100]
set title 'rows of negative compliance'
plot for [p=0:2] data every 2::16*p::16*p+15 using 4:(100*$8) with linespoints ls p+1, \
     for [p=0:2] data every 2::16*p+1::16*p+15 using 4:(100*$8) with linespoints ls p+21
set origin 0.5,0.48
set ylabel 'steps (%)' offset 1,0
set title 'steps with unstable equations'
plot for [p=0:2] data every 2::16*p::16*p+15 using 4:(100*$12/$6) with linespoints ls p+1, \
     for [p=0:2] data every 2::16*p+1::16*p+15 using 4:(100*$12/$6) with linespoints ls p+21
set size 1,0.48
set origin 0,0
set title 'the step itself, so many sweeps each'
set ylabel 'largest root' offset 0,0
set yrange [0.98:1.24]
set ytics 1,0.05,1.2
set rmargin 20
set key outside right center
set label 1 '2/√3: the most of one mode by itself' at 9,1.185 textcolor rgb ink
plot 2/sqrt(3) with lines ls 11 notitle, \
     for [p=0:2] data every 2::16*p+1::16*p+15 using 4:15 with linespoints ls p+21 title word(names,p+1).', warm', \
     for [p=0:2] data every 2::16*p::16*p+15 using 4:15 with linespoints ls p+1 title word(names,p+1).', cold'
unset multiplot
