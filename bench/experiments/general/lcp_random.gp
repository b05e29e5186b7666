# Random box complementarity problems: rounds of block pivoting, circles, and work against condition.
data = out.'/lcp_random.csv'
work = out.'/lcp_random_condition.csv'
set multiplot title 'Random box complementarity problems with a known solution' font ',15'
set bmargin 3
set tmargin 1.6
set size 0.5,0.47
set origin 0,0.47
set logscale x 2
set xrange [2.6:150]
set yrange [0:48]
set ytics 0,4,32
set xtics (3,4,8,16,32,64,128)
set xlabel 'rows n' offset 0,0.5
set ylabel 'rounds of block pivoting' offset 1,0
set key top left font ',12'
plot data using 'n':(column('condition')==1e6 ? column('rounds') : NaN) with linespoints ls 3 title 'condition 10^6', \
     data using 'n':(column('condition')==1e3 ? column('rounds') : NaN) with linespoints ls 2 title '10^3', \
     data using 'n':(column('condition')==1e1 ? column('rounds') : NaN) with linespoints ls 1 title '10', \
     data using 'n':(column('condition')==1e6 ? column('rounds_warm') : NaN) with linespoints ls 3 dt (3,4) title 'warm, b changed by 1 %', \
     data using 'n':(column('condition')==1e3 ? column('rounds_warm') : NaN) with linespoints ls 2 dt (3,4) notitle, \
     data using 'n':(column('condition')==1e1 ? column('rounds_warm') : NaN) with linespoints ls 1 dt (3,4) notitle
set origin 0.5,0.47
set ylabel 'problems with a circle (%)'
set yrange [0:0.9]
set ytics 0,0.1,0.6
set key top right Left reverse font ',12'
plot data using 'n':(column('condition')==1e6 ? 100*column('circle_rate') : NaN) with linespoints ls 3 title 'condition 10^6', \
     data using 'n':(column('condition')==1e3 ? 100*column('circle_rate') : NaN) with linespoints ls 2 title '10^3', \
     data using 'n':(column('condition')==1e1 ? 100*column('circle_rate') : NaN) with linespoints ls 1 title '10'
set size 1,0.47
set origin 0,0
set logscale x 10
set logscale y 10
set format x power
set format y power
set xtics autofreq
set ytics autofreq
set xrange [0.8:1.3e6]
set yrange [1:1e5]
set xlabel 'condition of 32 rows'
set ylabel 'iterations'
set key top left font ',12'
plot work using 'condition':'sweeps' with linespoints ls 2 title 'pgs: sweeps to a residual of 10^{-6} (at most 20 000)', \
     work using 'condition':'pivots' with linespoints ls 3 title 'dantzig: pivots', \
     work using 'condition':'rounds' with linespoints ls 1 title 'block\_pivot: rounds'
unset multiplot
