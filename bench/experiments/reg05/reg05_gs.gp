# reg05 (5.5): rows of negative compliance, unstable steps, and the largest root of the step itself, against the sweeps.
data = out.'/reg05_gs.csv'
# Problem by problem, eight numbers of sweeps, each cold and warm in turn.
array problem[3] = ['chain of 6 rods', 'ladder of 2 squares', 'stack of 4 boxes']
set multiplot layout 1,3 title 'Gauss-Seidel for the constraint forces, h = 1/60 s' font ',15'
set tmargin 4
set bmargin 9
set lmargin 8
set rmargin 2
do for [p=1:3] {
    set style line 20+p lc rgb colour[p] lw 2.2 pt 5+2*(p - 1) ps 1.2
    set style line 30+p lc rgb colour[p] lw 2.2 dt (3,4) pt 4+2*(p - 1) ps 1.4
}
set logscale x
set xrange [0.8:300]
set xtics (1,5,20,100)
set xlabel 'sweeps per step' offset 0,0.5
set key at screen 0.5,0.17 center top vertical maxrows 3 samplen 2.6 width 1
row(p, warm) = 16*(p - 1) + warm
set yrange [-4:104]
set ytics 0,25,100
set title 'rows of negative compliance (%)' font ',13'
plot for [p=1:3] data every 2::row(p,0)::16*p-1 using 'sweeps':(100*column('negative')) with linespoints ls 20+p title problem[p].', cold', \
     for [p=1:3] data every 2::row(p,1)::16*p-1 using 'sweeps':(100*column('negative')) with linespoints ls 30+p title problem[p].', warm'
unset key
set title 'unstable steps (%); none of the stack' font ',13'
plot for [p=1:2] data every 2::row(p,0)::16*p-1 using 'sweeps':(100*column('steps_unstable')/column('steps')) with linespoints ls 20+p, \
     for [p=1:2] data every 2::row(p,1)::16*p-1 using 'sweeps':(100*column('steps_unstable')/column('steps')) with linespoints ls 30+p
set title 'largest root, warm start; cold: 1' font ',13'
set yrange [0.99:1.19]
set ytics 1,0.05,1.2
set label 1 '2/√3' at 1,2/sqrt(3)+0.006 textcolor rgb faint font ',12'
plot 2/sqrt(3) with lines ls 11, \
     for [p=1:3] data every 2::row(p,1)::16*p-1 using 'sweeps':'radius_step' with linespoints ls 30+p
unset multiplot
