# Modified energies: the largest deviation of the energy and of each modified Hamiltonian, filled; the secular change over
# the run, open where it exceeds five standard errors, else a cross. A larger step has a larger mark. A panel per problem;
# a stepper has the same colour in all.
# Variables: see bench/cli/plot.h.
mine(k, p) = panel[k] == p && strcol('problem') eq problem[k] && strcol('stepper') eq stepper[k]
if (strstrt(columns, ' max_dev ') == 0) exit error 'modified_energy: no run has a deviation to draw'
panels = 0; steppers = 0; longest = strlen('not above its error')
do for [k = 1:pairs] {
    panels = panel[k] > panels ? panel[k] : panels
    steppers = curve[k] > steppers ? curve[k] : steppers
}
do for [s = 1:steppers] { longest = longer(label_of[s], longest) }
eval arrange
names = (across > 1 ? 'H' : 'energy').' H4 H6 H8 H10 H12'
tic_font = across > 2 ? ',10' : ',13'
set xtics () out nomirror font tic_font
do for [i = 1:words(names)] {
    set xtics add (shown(word(names, i)) i - 1)
}
place(v) = v eq 'energy' ? 0 : v eq 'H4' ? 1 : v eq 'H6' ? 2 : v eq 'H8' ? 3 : v eq 'H10' ? 4 : v eq 'H12' ? 5 : NaN
x(k, p) = mine(k, p) ? place(strcol('hamiltonian')) + (curve[k] - 0.5 * (steppers + 1)) * 0.6 / (steppers + 1) : NaN
tint(s) = colour[(s - 1) % 6 + 1]
change(a) = abs(column('slope')) * column('h') * column('steps')
seen(a) = abs(column('slope')) > 5 * column('slope_se') && change(0) > column('rounding')
stats data using 'h' nooutput name 'H'
big(a) = 0.6 + 0.7*column('h')/H_max
set xrange [-0.5:5.5]
set logscale y
set format y power
set ylabel shown('error relative to |T| + |V|')
unset key
set multiplot layout down,across title above(steppers + 3 + (H_max > H_min ? 2 : 0), longest)
do for [p = 1:panels] {
    set title (panels > 1 ? title_of[p] : '') noenhanced
    plot for [k = 1:pairs] data using (x(k, p)):'max_dev':(big(0)) with points pt 7 ps variable lc rgb tint(curve[k]), \
         for [k = 1:pairs] data using (seen(0) ? x(k, p) : NaN):(change(0)):(1.3*big(0)) with \
                 points pt 6 ps variable lw 1.6 lc rgb tint(curve[k]), \
         for [k = 1:pairs] data using (seen(0) ? NaN : x(k, p)):(change(0)):(0.8*big(0)) with \
                 points pt 2 ps variable lw 1.4 lc rgb tint(curve[k])
}
eval legend
plot for [s = 1:steppers] NaN with points pt 5 ps 1.4 lc rgb tint(s) title label_of[s], \
     NaN with points pt 7 ps 1.1 lc rgb ink title 'largest deviation', \
     NaN with points pt 6 ps 1.4 lw 1.6 lc rgb ink title 'secular change', \
     NaN with points pt 2 ps 0.9 lw 1.4 lc rgb ink title 'not above its error', \
     for [i = 1:(H_max > H_min ? 2 : 0)] NaN with points pt 7 ps (i == 1 ? 1.3 : 0.6 + 0.7*H_min/H_max) lc rgb faint \
             title sprintf('h = %.3g s', i == 1 ? H_max : H_min)
unset multiplot
