# reg05 3.3: creep of a box against the regularization; stacks of ten after a minute, turned as the slope is.
data = out.'/reg05_creep.csv'
stack = out.'/reg05_stack.csv'
set multiplot title 'What regularized friction lets slide' font ',15'
set tmargin 4.2
set bmargin 3.4
set size 0.4,1
set origin 0,0
set title 'a held box: speed' font ',14'
set logscale xy
set format xy power
set xlabel 'regularization γ (m/(N s))'
set ylabel 'creep speed (m/s)'
set xrange [3e-8:3e-2]
set yrange [3e-8:3e-1]
set xtics 1e-7,1e2,1e-1
set ytics 1e-7,1e2,1e-1
set key top left samplen 1.4
plot 9.81*sin(0.3)/2*x with lines lc rgb faint lw 4 title 'γ m g sin α / 2', \
     data using 'value':(strcol('stepper') eq 'reg' ? column('speed') : 1/0) with points ls 1 ps 1.2 title 'regularized', \
     data using 'value':(strcol('stepper') ne 'reg' ? column('speed') : 1/0) with points pt 6 ps 2.2 lw 1.6 lc rgb orange title 'SPOOK'
unset logscale
unset key
set size 0.6,1
set origin 0.4,0
set title 'ten boxes on a slope of 0.15 rad, after 60 s' font ',14'
set lmargin 3
set rmargin 1
set border 0
unset grid
unset xtics
unset ytics
set xlabel ''
set ylabel ''
set size ratio -1
set xrange [-0.25:2.75]
set yrange [-0.75:1.2]
a = -0.15
w = 0.2; k = 0.05
place(s) = 0.65*s
# A point (x, y) of the slope's axes, in space.
X(s, x, y) = place(s) + x*cos(a) - y*sin(a)
Y(s, x, y) = place(s)*tan(a) + x*sin(a) + y*cos(a)
# Corner e = 0 to 3 of a box, counterclockwise: signs, and place in space.
sx(e) = e % 3 == 0 ? -w : w
sy(e) = e < 2 ? -k : k
bx(e) = column('x') + sx(e)*cos(column('phi')) - sy(e)*sin(column('phi'))
by(e) = column('y') + sx(e)*sin(column('phi')) + sy(e)*cos(column('phi'))
px(e) = X(column('stack'), bx(e % 4), by(e % 4))
py(e) = Y(column('stack'), bx(e % 4), by(e % 4))
set style fill solid 0.35 border
set for [s=0:3] label s+1 word('γ=0 Moreau γ=2·10^{−5} γ=5·10^{−5}', s+1) at 0.65*s,0.65*s*tan(a)-0.2 center textcolor rgb ink font ',13'
plot for [e=0:3] stack using (px(e)):(py(e)):(px(e + 1) - px(e)):(py(e + 1) - py(e)) with vectors nohead lc rgb blue lw 2, \
     '+' using (-0.2):(-0.2*tan(a)):(2.9):(2.9*tan(a)) every ::0::0 with vectors nohead lc rgb ink lw 2
unset multiplot
