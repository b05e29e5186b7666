# Painleve's rod: the tip's speed, the runaway of the last step's bounds, and the map of the paradox.
data = out.'/reg05_painleve.csv'
map = out.'/reg05_painleve_map.csv'
set multiplot title "Painlevé's rod: no force of rigid bodies holds the sliding tip (left, middle: θ = 1.1, μ = 1.5)" font ',15'
set tmargin 4.2
set style textbox opaque noborder fillcolor rgb '#ffffff'
set bmargin 3.4
set lmargin 8
set rmargin 1.5
set size 0.34,1
set origin 0,0
set title 'it stops: h = 0.001 s' font ',14'
set xlabel 'step'
set ylabel 'speed of the tip (m/s)'
set xrange [-0.5:16]
set yrange [-0.08:1.55]
set ytics 0,0.2,1
set key at graph 0.01,0.99 top left samplen 1.2 spacing 1.15 font ',12'
plot data using 'step':'slip' with linespoints ls 1 lw 1.4 ps 0.9 title 'regularized, iterated', \
     data using 'step':'slip_moreau' with points pt 6 ps 1.7 lw 1.5 lc rgb green title 'Moreau, iterated', \
     data using 'step':'slip_box' with linespoints ls 2 lw 1.4 ps 0.8 title 'regularized, last step', \
     data using 'step':'slip_moreau_box' with linespoints ls 4 lw 1.4 ps 0.9 title 'Moreau, last step'
set size 0.33,1
set origin 0.34,0
set title 'bounds by the last step run away' font ',14'
set ylabel 'normal force (N)'
set logscale y
set format y '%g'
set xrange [0:40]
set yrange [5:8000]
set ytics 10,10,1000
set key at graph 0.01,0.99 top left samplen 1.2 spacing 1.15 font ',12'
rho = 3*1.5*sin(1.1)*cos(1.1)/(1 + 3*cos(1.1)**2)
plot (x < 20 ? 62*rho**x - 49 : 1/0) with lines lc rgb faint lw 4 title sprintf('recursion, ratio %.3f', rho), \
     data using 'step':'normal_box_fine' with points ls 3 ps 0.9 title 'h = 0.0001 s', \
         data using 'step':'normal_box' with points ls 2 ps 0.8 title 'h = 0.001 s'
unset logscale y
set size 0.33,1
set origin 0.67,0
set title 'squares: stops at once; points: does not' font ',14'
set xlabel 'angle θ to the ground (rad)'
set ylabel 'coefficient of friction μ'
set ytics 1,0.5,3
set xrange [0.27:1.53]
set yrange [0.7:3.1]
set xtics 0.4,0.4,1.4
unset key
set label 1 'no solution' at 0.95,2.3 center textcolor rgb ink font ',14' front boxed
set label 2 'one solution' at 0.9,1.06 center textcolor rgb ink font ',14' front boxed
plot map using (column('stops') == 1 ? column('theta') : 1/0):'mu' with points pt 5 ps 1.1 lc rgb orange, \
    map using (column('stops') == 0 ? column('theta') : 1/0):'mu' with points pt 7 ps 0.35 lc rgb blue, \
     (1 + 3*cos(x)**2)/(3*sin(x)*cos(x)) with lines lc rgb ink lw 2
unset multiplot
