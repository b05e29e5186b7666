# wm96 4.4: condition number of Newton's matrix against the step.
data = out.'/wm96_scaling.csv'
set logscale xy
set format xy power
set xlabel 'step h (s)'
set xrange [7e-5:0.15]
set yrange [1:1e22]
set key top right
set multiplot layout 1,2 title 'Condition number of the Newton matrix of the DEL equations' font ',15'
set tmargin 2
do for [name in 'dsp:ic=printed rigid_body'] {
    if (name eq 'rigid_body') { set xlabel 'step h (s),  rigid body' } else { set xlabel 'step h (s),  double spherical pendulum' }
    set ylabel (name eq 'rigid_body') ? '' : 'condition number'
    plot data using 'h':(strcol('problem') eq name ? column('eq14') : 1/0) with linespoints ls 2 title '(4.14), as it stands', \
         data using 'h':(strcol('problem') eq name ? column('eq16') : 1/0) with linespoints ls 4 lw 5 ps 2 title '(4.16)', \
         data using 'h':(strcol('problem') eq name ? column('eq18') : 1/0) with linespoints ls 3 title '(4.18)', \
         data using 'h':(strcol('problem') eq name ? column('h2') : 1/0) with linespoints ls 1 title 'DEL rows times h^2'
}
unset multiplot
