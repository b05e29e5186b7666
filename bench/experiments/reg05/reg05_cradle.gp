# Newton's cradle of five balls: velocities over time, shifted by ball.
data = out.'/reg05_cradle.csv'
sizes = out.'/reg05_cradle_sizes.csv'
set multiplot title "Newton's cradle: one ball runs into the rest at 1 m/s, restitution 1" font ',15'
set tmargin 4.2
set bmargin 3.4
set lmargin 8
set rmargin 1
set key off
set xlabel 'time (s)'
set xrange [0:0.3]
set xtics 0,0.1,0.3
set ylabel 'velocity (m/s) of each ball, the first on top'
set yrange [-8.6:1.6]
set ytics ('0' 0, '1' 1, '0' -2, '1' -1, '0' -4, '1' -3, '0' -6, '1' -5, '0' -8, '1' -7)
do for [i=1:2] {
    set size 0.34,1
    set origin 0.34*(i - 1),0
    set title (i == 1 ? '2 cm apart' : 'touching (○ Moreau)') font ',14'
    if (i == 2) { set ylabel ''; }
    plot for [b=0:4] data using 't':(column(word('apart touching', i).b) - 2*b) with lines lc rgb (b == 0 ? orange : blue) lw 2.4, \
         for [b=0:4] data using 't':(i == 2 ? column('moreau'.b) - 2*b : 1/0) every 12 with points pt 6 ps 0.8 lc rgb ink
}
set size 0.32,1
set origin 0.68,0
set title 'touching, n balls' font ',14'
set xlabel 'number of balls n'
set ylabel 'velocity after (m/s)' offset 1,0
set xrange [1.5:8.5]
set xtics 2,1,8
set yrange [-1.05:1.35]
set ytics -1,0.5,1
set samples 500
set key top right samplen 1.4
plot 2/x with lines lc rgb faint lw 4 title '2/n', -(1 - 2/x) with lines lc rgb faint lw 2 title '−(1 − 2/n)', \
     sizes using 'n':'last' with points ls 1 title 'last ball', sizes using 'n':'first' with points ls 2 title 'first ball'
unset multiplot
