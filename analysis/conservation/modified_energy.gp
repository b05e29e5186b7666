# Modified energies: the largest deviation of the energy and of each modified Hamiltonian, filled; the secular change over
# the run, open where it exceeds five standard errors, else a cross. A larger step has a larger mark.
# Variables: see bench/cli/plot.h.
mine(k) = strcol('problem') eq problem[k] && strcol('stepper') eq stepper[k]
if (strstrt(columns, ' max_dev ') == 0) exit error 'modified_energy: no run has a deviation to draw'
names = 'energy H4 H6 H8 H10 H12'
set xtics () out nomirror
do for [i = 1:words(names)] {
    set xtics add (shown(word(names, i)) i - 1)
}
place(v) = v eq 'energy' ? 0 : v eq 'H4' ? 1 : v eq 'H6' ? 2 : v eq 'H8' ? 3 : v eq 'H10' ? 4 : v eq 'H12' ? 5 : NaN
x(k) = mine(k) ? place(strcol('hamiltonian')) + (k - 0.5 * (pairs + 1)) * 0.6 / (pairs + 1) : NaN
change(a) = abs(column('slope')) * column('h') * column('steps')
seen(a) = abs(column('slope')) > 5 * column('slope_se') && change(0) > column('rounding')
stats data using 'h' nooutput name 'H'
big(a) = 0.6 + 0.7*column('h')/H_max
set xrange [-0.5:5.5]
set logscale y
set format y power
set key outside above horizontal noenhanced
set ylabel shown('error relative to |T| + |V|')
plot for [k = 1:pairs] data using (x(k)):'max_dev':(big(0)) with points pt 7 ps variable lc rgb colour[(k - 1) % 6 + 1] notitle, \
     for [k = 1:pairs] data using (seen(0) ? x(k) : NaN):(change(0)):(1.3*big(0)) with \
             points pt 6 ps variable lw 1.6 lc rgb colour[(k - 1) % 6 + 1] notitle, \
     for [k = 1:pairs] data using (seen(0) ? NaN : x(k)):(change(0)):(0.8*big(0)) with \
             points pt 2 ps variable lw 1.4 lc rgb colour[(k - 1) % 6 + 1] notitle, \
     for [k = 1:pairs] NaN with points pt 5 ps 1.4 lc rgb colour[(k - 1) % 6 + 1] title name[k], \
     NaN with points pt 7 ps 1.1 lc rgb ink title 'largest deviation', \
     NaN with points pt 6 ps 1.4 lw 1.6 lc rgb ink title 'secular change', \
     NaN with points pt 2 ps 0.9 lw 1.4 lc rgb ink title 'not above its error', \
     for [i = 1:(H_max > H_min ? 2 : 0)] NaN with points pt 7 ps (i == 1 ? 1.3 : 0.6 + 0.7*H_min/H_max) lc rgb faint \
             title sprintf('h = %.3g s', i == 1 ? H_max : H_min)
