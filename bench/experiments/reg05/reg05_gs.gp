# reg05 (5.5), a row per problem: rows of negative compliance, unstable steps, and the largest root of the step itself.
data = out.'/reg05_gs.csv'
# Problem by problem, eight numbers of sweeps, each cold and warm in turn.
titles = "chain ladder stack"
set multiplot layout 3,3 title 'Gauss-Seidel for the constraint forces, h = 1/60 s: ● cold start, ○ warm start' font ',15'
set tmargin 2.6
set bmargin 3.2
set lmargin 9
set rmargin 1.5
set style line 21 lc rgb blue lw 2 pt 7 ps 1
set style line 22 lc rgb orange lw 2 dt (3,4) pt 6 ps 1.3
unset key
set logscale x
set xrange [0.8:300]
set xtics (1,5,20,100)
do for [p=0:2] {
    set xlabel (p == 2 ? 'sweeps per step' : '') offset 0,0.5
    set title (p == 0 ? 'rows of negative compliance (%)' : '') font ',13'
    set ylabel word(titles, p + 1)
    set yrange [-4:104]
    set ytics 0,50,100
    plot data every 2::16*p::16*p+15 using 'sweeps':(100*column('negative')) with linespoints ls 21, \
         data every 2::16*p+1::16*p+15 using 'sweeps':(100*column('negative')) with linespoints ls 22
    unset ylabel
    set title (p == 0 ? 'unstable steps (%)' : '') font ',13'
    plot data every 2::16*p::16*p+15 using 'sweeps':(100*column('steps_unstable')/column('steps')) with linespoints ls 21, \
         data every 2::16*p+1::16*p+15 using 'sweeps':(100*column('steps_unstable')/column('steps')) with linespoints ls 22
    set title (p == 0 ? 'largest root; line: 2/√3' : '') font ',13'
    set yrange [0.97:1.23]
    set ytics 1,0.1,1.2
    plot 2/sqrt(3) with lines ls 11, 1 with lines ls 11, \
         data every 2::16*p::16*p+15 using 'sweeps':'radius_step' with linespoints ls 21, \
         data every 2::16*p+1::16*p+15 using 'sweeps':'radius_step' with linespoints ls 22
}
unset multiplot
