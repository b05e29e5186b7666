# Work and precision: the relative error against the number of evaluations, a panel per problem and a colour per stepper; an open mark where the error is at the floor: round-off, or the error of the reference.
# Variables: see bench/cli/plot.h.
mine(k) = strcol('problem') eq problem[k] && strcol('stepper') eq stepper[k] && column('err_relative') > 0
rough(x) = strcol('status') eq 'plateau'
style(k) = (curve[k] - 1) % 9 + 1
open = '6 4 8 12 10 14 7 5 9'
panels = 0; steppers = 0
do for [k = 1:pairs] {
    panels = panel[k] > panels ? panel[k] : panels
    steppers = curve[k] > steppers ? curve[k] : steppers
}
stats data using 'evaluations' nooutput name 'N'
stats data using (column('err_relative') > 0 ? 1 : 0) nooutput name 'drawn'
if (drawn_max < 1) exit error 'workprec: every error is zero or unknown: there is nothing to draw'
stats data using (column('err_relative') > 0 ? column('err_relative') : NaN) nooutput name 'E'
set logscale xy
set format xy power
set xrange [10**floor(log10(N_min)):10**ceil(log10(N_max))]
set yrange [10**floor(log10(E_min)):10**ceil(log10(E_max))]
eval arrange
if (across == 3 && N_max > 1e4*N_min) set xtics 100 # a number per decade has no room
unset key
longest = strlen('at the floor')
do for [s = 1:steppers] { longest = longer(label_of[s], longest) }
set multiplot layout down, across title above(steppers + 1, longest)
do for [p = 1:panels] {
    set title title_of[p] noenhanced
    set ylabel ((p - 1) % across == 0 ? shown('largest error of q, over |q|') : '')
    set xlabel (p > panels - across ? 'evaluations of terms' : '')
    plot for [k = 1:pairs] data using (panel[k] == p && mine(k) && !rough(0) ? column('evaluations') : NaN):'err_relative' \
            with linespoints ls style(k) ps mark(curve[k], steppers) lw thickness(curve[k], steppers) notitle, \
         for [k = 1:pairs] data using (panel[k] == p && mine(k) && rough(0) ? column('evaluations') : NaN):'err_relative' \
            with points ls style(k) lw 1 pt int(word(open, style(k))) notitle
}
eval legend
plot for [s = 1:steppers] NaN with linespoints ls (s - 1) % 9 + 1 title label_of[s], \
    NaN with points pt 6 ps 1.2 lc rgb faint title 'at the floor'
unset multiplot
