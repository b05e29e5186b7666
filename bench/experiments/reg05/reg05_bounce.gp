# A bouncing ball: the motion, and errors in norms that have an order and in one that has none.
data = out.'/reg05_bounce.csv'
sup = out.'/reg05_bounce_sup.csv'
path = out.'/reg05_bounce_path.csv'
set multiplot title 'A ball let go at 1 m, restitution 0.7' font ',15'
set tmargin 4.2
set bmargin 3.4
set lmargin 8
set rmargin 1.5
set size 0.4,1
set origin 0,0
set title 'h = 0.05 s' font ',14'
set xlabel 'time (s)'
set ylabel 'height (m)'
set xrange [0:2.8]
set yrange [-0.08:1.05]
set xtics 0,0.5,2.5
set key top right samplen 1.6
plot path using 1:2 with lines lc rgb faint lw 5 title 'exact', \
     path using 1:3 with points ls 1 ps 0.8 title 'regularized', \
     path using 1:4 with points pt 8 ps 1.0 lc rgb orange lw 1.5 title 'Moreau'
set logscale xy
set format xy power
set format x '%g'
set xrange [1.2e-4:0.08]
set yrange [1e-6:30]
set xtics ('10^{−3}' 1e-3, '10^{−2}' 1e-2)
set ytics 1e-6,1e1,1e1
set xlabel 'step h (s)'
set ylabel 'error (m, m/s, s)'
unset key
of(s, c) = strcol(2) eq s && strcol(3) ne '' ? column(c) : 1/0
do for [i=1:3] {
    s = word('reg moreau spook', i)
    set size (i == 1 ? 0.24 : 0.19),1
    set origin word('0.40 0.64 0.82', i) + 0,0
    set title (i == 1 ? 'regularized' : i == 2 ? 'Moreau' : 'SPOOK, ε = 10^{−8}') font ',14'
    if (i > 1) { set ylabel ''; set format y ''; set lmargin 2; }
    if (i == 1) { set label 1 'slope 1' at 1.0e-3,4.0e-6 left textcolor rgb faint; }
    if (i == 2) { unset label 1; }
    if (i == 3) { set key bottom right samplen 1.2 spacing 1.1 font ',12'; }
    plot (i < 3 ? 0.02*x : 1/0) with lines ls 11 notitle, \
         sup using 2:(strcol(1) eq s ? $3 : 1/0) with linespoints ls 5 ps 0.9 title 'largest of v', \
         data using 3:(of(s, 6)) with linespoints ls 1 ps 0.8 title 'mean of v', \
         data using 3:(of(s, 9)) with linespoints ls 4 ps 0.9 title 'graph', \
         data using 3:(of(s, 5)) with linespoints ls 2 ps 0.8 title 'mean of q', \
         data using 3:(of(s, 10)) with linespoints ls 3 ps 0.9 title 'impacts'
}
unset multiplot
