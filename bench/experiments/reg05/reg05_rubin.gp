# reg05 3.1: convergence of a pendulum on springs to the rigid one.
data = out.'/reg05_rubin.csv'
set multiplot layout 1,2 title 'Pendulum on ever stiffer springs: distance from the rigid pendulum over 1 s' font ',15'
set tmargin 3.2
set bmargin 3.4
unset key
set logscale xy
set format xy power
set xrange [5e-7:2e-3]
set yrange [1e-6:50]
set xlabel 'compliance c'
set ylabel 'largest distance'
set label 1 'multiplier (N)' at 1e-6,1.4e1 textcolor rgb orange
set label 2 'velocity (m/s)' at 1e-6,7e-2 textcolor rgb green
set label 3 'position (m)' at 3e-5,2.5e-4 textcolor rgb blue
of(c) = strcol('start') eq name ? column(c) : 1/0
do for [name in '"45 degrees" "horizontal"'] {
    set title (name eq 'horizontal') ? 'let go at the horizontal: no load at first' : 'let go at 45°: the rod carries a load at once' font ',14'
    plot data using 'c':(of('lambda')) with linespoints ls 2, \
         data using 'c':(of('v')) with linespoints ls 3, \
         data using 'c':(of('q')) with linespoints ls 1
    set ylabel ''
    unset label
}
unset multiplot
