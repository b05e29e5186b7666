# Orders of convergence: errors against the step, and lines of the orders that are claimed.
# Variables: see bench/cli/plot.h.
mine(k) = strcol('problem') eq problem[k] && strcol('stepper') eq stepper[k]
has(c) = strstrt(positive, ' '.c.' ') > 0
array errors = ['err_q', 'err_v', 'err_lambda', 'err_energy', 'err_graph', 'err_impact']
array labels = ['error of q', 'error of v', 'error of the multipliers', 'error of the energy', 'distance of the graphs', \
    'error of the times of impact']
panels = 0
array panel[6]
do for [i = 1:6] {
    if (has(errors[i])) { panels = panels + 1; panel[panels] = i }
}
if (panels == 0) exit error 'order: no run has an error to draw'
least = 1; most = 0
if (has('claimed')) {
    stats data using 'claimed' nooutput name 'C'
    least = int(C_min); most = int(C_max)
}
stats data using 'h' nooutput name 'H'
set logscale xy
set format xy power
set tics font ',13'
eval arrange
unset key
longest = 0
do for [k = 1:pairs] { longest = longer(name[k], longest) }
set multiplot layout down,across title above(pairs + (most >= least ? most - least + 1 : 0), longest)
do for [p = 1:panels] {
    e = errors[panel[p]]
    stats data using (column(e) > 0 ? column(e) : NaN) nooutput name 'E'
    set title labels[panel[p]]
    set ytics 10**ceil((log10(E_max/E_min) + 1)/5)
    if (p > panels - across) { set xlabel 'h (s)' }
    plot for [k = 1:pairs] data using (mine(k) && column(e) > 0 ? column('h') : NaN):(column(e)) \
            with linespoints ls (k - 1) % 9 + 1 ps mark(k, pairs) lw thickness(k, pairs) notitle, \
         for [n = least:most] [H_min:H_max] E_max*(x/H_max)**n with lines ls 11 notitle
}
eval legend
plot for [k = 1:pairs] NaN with linespoints ls (k - 1) % 9 + 1 title name[k], \
    for [n = least:most] NaN with lines ls 11 title sprintf('order %d', n)
unset multiplot
