# A run: trajectory, coordinates, phase portrait, energy, constraints, and a Poincare section; of events the section and
# the times between them.
# Variables: see bench/cli/plot.h.
mine(k) = strcol('problem') eq problem[k] && strcol('stepper') eq stepper[k]
has(c) = strstrt(columns, ' '.c.' ') > 0
axis(c) = exists('axis_'.c) ? value('axis_'.c) : c
# A quantity at the first row of each pair, for differences from it.
last = 0
first(k, x) = (last != k ? (last = k, start = x) : 0, x - start)
# The value of column c where q0 = 0 with v0 > 0, interpolated between a row and the previous one.
# Two copies of the state, for the two columns of a point.
before(k, x, y) = (old != k ? (old = k, xa = NaN, ya = NaN) : 0, \
    cut = xa < 0 && x >= 0 ? ya + (y - ya)*xa/(xa - x) : NaN, xa = x, ya = y, cut)
again(k, x, y) = (last != k ? (last = k, xb = NaN, yb = NaN) : 0, \
    cut = xb < 0 && x >= 0 ? yb + (y - yb)*xb/(xb - x) : NaN, xb = x, yb = y, cut)
# The time since the row before of the same pair.
since(k, x) = (cut = old != k ? NaN : x - xa, old = k, xa = x, cut)
old = 0
events = has('event')
constraint = strstrt(positive, ' g_max ') > 0
plane = has('q1') && !events
# A section of the motion needs two degrees of freedom, coordinates less constraints, and points.
free = 0
do for [i = 0:31] { free = free + has('q'.i) - has('lambda'.i) }
points = 0
count(k, x) = (old != k ? (old = k, xa = NaN) : 0, points = points + (xa < 0 && x >= 0), xa = x, points)
do for [k = 1:(plane && free > 1 ? pairs : 0)] { stats data using (mine(k) ? count(k, column('q0')) : 0) nooutput }
old = 0
cut_plane = points > 1
coordinates = has('q0') && !events
# A section is drawn in the first coordinate that it leaves free, and its velocity: both change by more than round-off.
# Of a single coordinate there is nothing to draw.
size = 0
free_one = -1
larger(x, y) = x > y ? x : y
do for [pass = 1:2] {
    do for [i = 0:31] {
        if (events && has('q'.i)) {
            stats data using 'q'.i nooutput name 'Q'
            stats data using 'v'.i nooutput name 'V'
            size = larger(size, larger(larger(Q_max, -Q_min), larger(V_max, -V_min)))
            if (pass == 2 && free_one < 0 && Q_max - Q_min > 1e-9*size && V_max - V_min > 1e-9*size) { free_one = i }
        }
    }
}
section = free_one >= 0
repeated = 0
if (events) {
    stats data using 'event' nooutput name 'E'
    repeated = E_max > 1
}
panels = 1 + 2*coordinates + plane + cut_plane + section + repeated + constraint
eval arrange
set tics font ',11'
# Two to five tics on the axes of columns; more would overlap in a narrow or low panel.
few = "stats data using axis_of nooutput name 'X'; \
    if (X_max > X_min) { set xtics round((X_max - X_min)/4) } else { set xtics autofreq }; set ytics autofreq; \
    if (narrow && strlen(up_of) > 0) { stats data using up_of nooutput name 'Y'; \
        if (Y_max > Y_min) { set ytics round((Y_max - Y_min)/3) } }"
# The same scale on both axes, where one range is not more than four times the other.
equal = "stats data using 'q0' nooutput name 'A'; stats data using 'q1' nooutput name 'B'; \
    half = 0.55*larger(A_max - A_min, B_max - B_min); \
    if (half < 2.2*(A_max - A_min) && half < 2.2*(B_max - B_min)) { set size ratio -1; \
        set xrange [0.5*(A_min + A_max) - half:0.5*(A_min + A_max) + half]; \
        set yrange [0.5*(B_min + B_max) - half:0.5*(B_min + B_max) + half] }"
unset key
longest = 0
do for [k = 1:pairs] { longest = longer(name[k], longest) }
set multiplot layout down,across title above(pairs, longest)
if (plane) {
    axis_of = 'q0'; up_of = 'q1'; eval few
    set title 'trajectory'; set xlabel axis('q0') noenhanced; set ylabel axis('q1') noenhanced
    eval equal
    plot for [k = 1:pairs] data using (mine(k) ? column('q0') : NaN):'q1' with lines ls (k - 1) % 9 + 1 lw thickness(k, pairs) notitle
    set size noratio; set autoscale xy
}
if (coordinates) {
    axis_of = 't'; up_of = 'q0'; eval few
    set title 'first coordinate'; set xlabel 't (s)'; set ylabel axis('q0') noenhanced
    plot for [k = 1:pairs] data using (mine(k) ? column('t') : NaN):'q0' with lines ls (k - 1) % 9 + 1 lw thickness(k, pairs) notitle
    axis_of = 'q0'; up_of = 'v0'; eval few
    set title 'phase portrait'; set xlabel axis('q0') noenhanced; set ylabel axis('v0') noenhanced
    plot for [k = 1:pairs] data using (mine(k) ? column('q0') : NaN):'v0' with lines ls (k - 1) % 9 + 1 lw thickness(k, pairs) notitle
}
if (section) {
    axis_of = 'q'.free_one; up_of = ''; eval few
    set title 'section'; set xlabel axis('q'.free_one) noenhanced; set ylabel axis('v'.free_one) noenhanced
    plot for [k = 1:pairs] data using (mine(k) ? column('q'.free_one) : NaN):'v'.free_one \
            with points ls (k - 1) % 9 + 1 ps 0.4 notitle
}
if (repeated) {
    axis_of = 't'; up_of = ''; eval few
    set title 'time since the last event (s)'; set xlabel 't (s)'; unset ylabel
    plot for [k = 1:pairs] data using (mine(k) ? column('t') : NaN):(mine(k) ? since(k, column('t')) : NaN) \
            with points ls (k - 1) % 9 + 1 ps 0.4 notitle
}
axis_of = 't'; up_of = 'energy'; eval few
set title 'energy, less its initial value (J)'; set xlabel 't (s)'; unset ylabel
size = 0
do for [k = 1:pairs] {
    stats data using (mine(k) ? first(k, column('energy')) : NaN) nooutput name 'E'
    size = larger(size, larger(E_max, -E_min))
}
last = 0
set format y size < 1e-2 || size >= 1e4 ? '%.1e' : '%h'
plot for [k = 1:pairs] data using (mine(k) ? column('t') : NaN):(mine(k) ? first(k, column('energy')) : NaN) \
        with lines ls (k - 1) % 9 + 1 lw thickness(k, pairs) notitle
last = 0
if (constraint) {
    set ytics autofreq
    set title 'constraint violation'; set ylabel shown('largest |g|'); set logscale y; set format y power
    plot for [k = 1:pairs] data using (mine(k) && column('g_max') > 0 ? column('t') : NaN):'g_max' \
            with lines ls (k - 1) % 9 + 1 lw thickness(k, pairs) notitle
    unset logscale y
}
set format y '%h'
if (cut_plane) {
    axis_of = 'q1'; up_of = ''; eval few
    set title 'section '.axis('q0').' = 0, '.axis('v0').shown(' > 0') noenhanced; set xlabel axis('q1') noenhanced; set ylabel axis('v1') noenhanced
    plot for [k = 1:pairs] \
            data using (mine(k) ? before(k, column('q0'), column('q1')) : NaN) \
            :(mine(k) ? again(k, column('q0'), column('v1')) : NaN) with points ls (k - 1) % 9 + 1 ps 0.4 notitle
}
eval legend
plot for [k = 1:pairs] NaN with lines ls (k - 1) % 9 + 1 title name[k]
unset multiplot
