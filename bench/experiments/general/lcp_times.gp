# Time of a step against the number of contacts.
data = out.'/lcp_times.csv'
set title 'A stack at rest: time of a step by each complementarity solver'
set logscale xy
set format x power
set format y power
set xlabel 'closed contacts with friction'
set ylabel 'time of a step (µs)'
set xrange [1.5:1.5e4]
set yrange [0.2:1e7]
set key top left
plot data using 'contacts':'dantzig' with linespoints ls 5 title 'dantzig, dense', \
     data using 'contacts':'block_pivot_cold' with linespoints ls 1 dt (3,4) title 'block\_pivot, cold', \
     data using 'contacts':'pgs_50' with linespoints ls 2 title 'pgs, 50 sweeps: does not hold it', \
     data using 'contacts':'cholmod' with linespoints ls 3 title 'block\_pivot with CHOLMOD', \
     data using 'contacts':'block_pivot' with linespoints ls 1 title 'block\_pivot', \
     0.5*x with lines ls 11 title 'linear'
