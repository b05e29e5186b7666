# Orders of convergence: errors against the step, and in each panel lines of the orders that its steppers claim, or of the
# whole numbers next to measured ones where nothing is claimed; an open mark where the error
# is at the floor, round-off or the error of the reference, and is written with one digit. Two problems have a row of at most three
# panels each, more problems a panel with the error of q; a stepper has the same colour in all.
# Variables: see bench/cli/plot.h.
mine(k, p) = panel[k] == p && strcol('problem') eq problem[k] && strcol('stepper') eq stepper[k]
rough(e) = strcol('status') eq 'plateau' && strstrt(strcol(e), '.') == 0
has(c) = strstrt(positive, ' '.c.' ') > 0
style(k) = (curve[k] - 1) % 9 + 1
open = '6 4 8 12 10 14 7 5 9'
array errors = ['err_q', 'err_v', 'err_lambda', 'err_energy', 'err_graph', 'err_impact']
array labels = ['error of q', 'error of v', 'error of the multipliers', 'error of the energy', 'distance of the graphs', \
    'error of the times of impact']
kinds = 0
array shown_error[6]
do for [i = 1:6] {
    if (has(errors[i])) { kinds = kinds + 1; shown_error[kinds] = i }
}
if (kinds == 0) exit error 'order: no run has an error to draw'
problems = 0; steppers = 0; longest = strlen('at the floor')
do for [k = 1:pairs] {
    problems = panel[k] > problems ? panel[k] : problems
    steppers = curve[k] > steppers ? curve[k] : steppers
}
do for [s = 1:steppers] { longest = longer(label_of[s], longest) }
most_kinds = problems == 1 ? 6 : problems == 2 && !narrow ? 3 : 1
if (kinds > most_kinds) { kinds = most_kinds }
panels = problems*kinds
floors = 0
do for [i = 1:kinds] { stats data using (rough(errors[shown_error[i]]) ? (floors = 1) : 0) nooutput }
# The orders of a panel, and of all: texts with a blank after each. A row of a fit has them.
order_of(e) = (e eq 'err_q' || e eq 'err_v') && has('claimed') ? 'claimed' : 'slope'.e[4:]
add(list, n) = n eq '0' || strstrt(' '.list, ' '.n.' ') > 0 ? list : list.n.' '
order_in(e) = strcol('status') eq 'fit' && strcol(order_of(e)) ne '' ? sprintf('%.0f', column(order_of(e))) : '0'
orders = ''
do for [i = 1:kinds] {
    e = errors[shown_error[i]]
    if (has(order_of(e))) { stats data using (orders = add(orders, order_in(e)), 0) nooutput }
}
ascending = ''
do for [n = 1:20] {
    if (strstrt(' '.orders, sprintf(' %d ', n)) > 0) { ascending = ascending.(ascending eq '' ? '' : ', ').n }
}
set logscale xy
set format xy power
set tics font ',13'
eval arrange
if (problems > 1 && kinds > 1) { across = kinds; down = problems }
unset key
set multiplot layout down,across title above(steppers + (orders ne '') + floors, longest)
do for [i = 1:panels] {
    p = (i - 1)/kinds + 1
    n = shown_error[(i - 1) % kinds + 1]
    e = errors[n]
    of(x) = strcol('problem') eq of_problem && column(e) > 0
    do for [k = 1:pairs] { if (panel[k] == p) { of_problem = problem[k] } }
    stats data using (of(0) ? column('h') : NaN):(column(e)) nooutput name 'E'
    lines = ''
    if (has(order_of(e))) { stats data using (lines = add(lines, strcol('problem') eq of_problem ? order_in(e) : '0'), 0) nooutput }
    set title (problems == 1 ? labels[n] : title_of[p].(kinds > 1 || i == 1 ? ', '.labels[n] : '')) noenhanced
    set ytics 10**ceil((log10(E_max_y/E_min_y) + 1)/5)
    set xlabel (i > panels - across ? 'h (s)' : '')
    plot for [k = 1:pairs] data using (mine(k, p) && column(e) > 0 && !rough(e) ? column('h') : NaN):(column(e)) \
            with linespoints ls style(k) ps mark(curve[k], steppers) lw thickness(curve[k], steppers) notitle, \
         for [k = 1:pairs] data using (mine(k, p) && column(e) > 0 && rough(e) ? column('h') : NaN):(column(e)) \
            with points ls style(k) lw 1 pt int(word(open, style(k))) notitle, \
         for [o in lines] [E_min_x:E_max_x] E_max_y*(x/E_max_x)**int(o) with lines ls 11 notitle
}
eval legend
plot for [s = 1:steppers] NaN with linespoints ls (s - 1) % 9 + 1 title label_of[s], \
    for [i = 1:(orders ne '')] NaN with lines ls 11 title (words(orders) > 1 ? 'orders ' : 'order ').ascending, \
    for [i = 1:floors] NaN with points pt 6 ps 1.2 lc rgb faint title 'at the floor'
unset multiplot
