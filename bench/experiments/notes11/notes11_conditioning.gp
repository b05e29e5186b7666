# notes11 11: condition numbers of the stepping matrices as eps goes to 0.
data = out.'/notes11_conditioning.csv'
set multiplot layout 1,2 title 'Condition number of what a step has to solve, h = 1/60 s' font ',15'
set tmargin 3
set bmargin 3.4
set logscale xy
set format xy power
set xrange [3e-13:3e-4]
set xtics 1e-12,1e4,1e-4
set yrange [1:1e13]
set xlabel 'ε'
set ylabel 'condition number'
set key top right samplen 1.2 font ',12'
do for [name in '"rod_chain:n=3" "dsp:ic=printed"'] {
    set title (name eq 'dsp:ic=printed') ? 'double spherical pendulum' : 'chain of three rods' font ',14'
    plot data using 'eps':(strcol('problem') eq name ? column('redundant') : 1/0) with linespoints ls 4 title 'H, a constraint taken twice', \
         data using 'eps':(strcol('problem') eq name ? column('pseudo') : 1/0) with linespoints ls 2 title 'M + (h^2/ε) G^T G, (54)', \
         data using 'eps':(strcol('problem') eq name ? column('saddle') : 1/0) with linespoints ls 1 title 'saddle matrix H, (61)', \
         data using 'eps':(strcol('problem') eq name ? column('schur') : 1/0) with linespoints ls 3 title 'Schur complement S, (63)'
    set ylabel ''
}
unset multiplot
