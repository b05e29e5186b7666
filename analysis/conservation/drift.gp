# Drift: the size of each slope with its standard error; filled where it is a drift, open where it is none, a cross
# where the run is too short. A stepper has the same colour on all problems.
# Variables: see bench/cli/plot.h.
mine(k) = strcol('problem') eq problem[k] && strcol('stepper') eq stepper[k]
if (strstrt(columns, ' slope ') == 0) exit error 'drift: no run has a slope to draw'
# One position per row, in their order, labelled with the quantity, its problem if there are several, and the step where
# a pair has a quantity again.
quantities = ''
places = ''
steps = ''
seen = ' '
repeated = 0
note(q, h, key) = (repeated = strstrt(seen, ' '.key.' ') > 0 ? 1 : repeated, seen = seen.key.' ', \
    quantities = quantities.(q eq '' ? '-' : q).' ', \
    places = places.strcol('problem').' ', steps = steps.h.' ', 0)
stats data using (note(strcol('quantity'), strcol('h'), \
    strcol('problem').'/'.strcol('stepper').'/'.strcol('quantity'))) nooutput name 'N'
label(i) = word(quantities, i).(repeated ? ', h = '.word(steps, i) : '')
unset xtics
set xtics () rotate by (narrow ? -90 : -40) left noenhanced nomirror out
problems = 1; steppers = 1
do for [k = 1:pairs] {
    problems = panel[k] > problems ? panel[k] : problems
    steppers = curve[k] > steppers ? curve[k] : steppers
}
longest = 0
do for [i = 1:words(quantities)] {
    of = ''
    do for [k = 1:(problems > 1 ? pairs : 0)] { if (problem[k] eq word(places, i)) { of = title_of[panel[k]].' ' } }
    set xtics add (of.shown(label(i)) i - 1)
    longest = longer(of.label(i), longest)
}
# The labels of a narrow figure are upright, and as long as a panel is high.
panels = narrow && longest > 9 ? 2 : 1
eval arrange
set bmargin (narrow ? 2 + 0.6*longest : repeated || problems > 1 ? 9 : 6)
if (problems > 1) { if (narrow) { set xtics font ',9' } else { set xtics font ',12' } }
if (repeated || problems > 1) set rmargin 9
set logscale y
set format y power
set key outside above horizontal noenhanced
set ylabel narrow ? 'slope (1/s)' : 'size of the secular slope (1/s)'
shape(v) = v eq 'drift' ? 7 : v eq 'none' ? 6 : 2
meaning(v) = v eq 'drift' ? 'drift' : v eq 'none' ? 'no drift' : 'unclear'
size(x) = abs(column('slope')) > 0 ? abs(column('slope')) : NaN
se(x) = column('slope_se')
set xrange [-0.7:words(quantities) - 0.3]
plot for [k = 1:pairs] \
        data using (mine(k) ? column(0) : NaN):(size(0)):(se(0) < size(0) ? size(0) - se(0) : size(0)/10) \
        :(size(0) + se(0)) with yerrorbars lc rgb colour[(curve[k] - 1) % 6 + 1] lw 1.4 pt -1 notitle, \
     for [k = 1:pairs] for [w in 'drift none unclear'] \
             data using (mine(k) && strcol('verdict') eq w ? column(0) : NaN):(size(0)) with \
             points pt shape(w) ps 1.4 lw 1.6 lc rgb colour[(curve[k] - 1) % 6 + 1] notitle, \
     for [s = 1:steppers] NaN with points pt 5 ps 1.4 lc rgb colour[(s - 1) % 6 + 1] title label_of[s], \
     for [w in 'drift none unclear'] NaN with points pt shape(w) ps 1.4 lw 1.6 lc rgb ink title meaning(w)
