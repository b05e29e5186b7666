# Work-precision: a panel a problem; the steppers with most points on the Pareto fronts in colour, the others grey, points on the front ringed; open marks where the error is at the floor: round-off, or the error of the reference.
# Set before: file, cost (its column), costlabel, names (as many as leaders), problems (as many as panels), who (the
# leaders in each panel), curves and places (of each row, its leader and its panel), quartiles (1: of an ensemble, as bars).
data = out.'/'.file
across = panels < 3 ? panels : 3
down = (panels + across - 1) / across
if (kind eq 'svg' && down > 2) set terminal svg \
        size 1000,950 dynamic enhanced font 'Helvetica,Arial,sans-serif,17' background '#ffffff'
curve(row) = int(word(curves, int(row) + 1))
place(row) = int(word(places, int(row) + 1))
others = strstrt(' '.curves.' ', ' 0 ') > 0 # rows of other steppers than the leaders
below = 1e-300 # off the axis: drawn nowhere
here(p, c) = place(column(0)) == p && c ? column('err_relative') : NaN
# An error at the floor has an open mark and no line.
rough(x) = strcol('status') eq 'plateau'
open = '6 4 8 12 10 14 7 5 9'
set datafile missing NaN
set logscale xy
set format xy power
set xtics font ',12' offset 0,0.5
set ytics font ',12'
set tics scale 0.4
set key off
top = 0.92; bottom = down == 1 ? 0.25 : 0.19; left = 0.1; gap = 0.045; rise = down > 2 ? 0.08 : 0.1
width = (0.985 - left - gap*(across - 1)) / across
height = (top - bottom - rise*(down - 1)) / down
set yrange [1e-14:1]
bars = quartiles ? "for [k in who[p]] data using cost:(here(p, curve(column(0)) == int(k) && !rough(0))):(column(cost.'_q1')):(column(cost.'_q3')):(column('err_relative_q1')):(column('err_relative_q3')) with xyerrorbars ls int(k) lw 1 pt -1," : ''
set multiplot
do for [p = 1:panels] {
    i = (p - 1) % across; j = (p - 1) / across
    set lmargin at screen left + i*(width + gap)
    set rmargin at screen left + i*(width + gap) + width
    set tmargin at screen top - j*(height + rise)
    set bmargin at screen top - j*(height + rise) - height
    set title problems[p] noenhanced offset 0,-0.5
    set format y (i == 0 ? power : '')
    if (p == 1) { set label 1 'largest error of q, over |q|' at screen 0.02, screen 0.5*(top + bottom) center rotate } else { unset label 1 }
    set xlabel (j == down - 1 ? costlabel : '') offset 0,0.6
    plot data using cost:(here(p, curve(column(0)) == 0 && !rough(0)) > 0 ? column('err_relative') : below) with points pt 7 ps 0.35 lc rgb '#bbbbbb', \
         for [k in who[p]] data using cost:(here(p, curve(column(0)) == int(k) && !rough(0))) with linespoints ls int(k) lw 0.7*thickness(int(k), leaders) ps 0.75*mark(int(k), leaders), \
         @bars \
         for [k in who[p]] data using cost:(here(p, curve(column(0)) == int(k) && rough(0))) with points ls int(k) lw 1 pt int(word(open, int(k))) ps 0.7, \
         data using cost:(here(p, strcol('front') eq 'yes')) with points ls 10 ps (down > 1 ? 1.4 : 1.9) lw 1.1
}
# The legend, below all panels.
set lmargin at screen 0; set rmargin at screen 1; set bmargin at screen 0; set tmargin at screen 0.1
unset title; unset label 1; unset xlabel; unset ylabel; unset tics; unset border; unset logscale; unset grid
legendfont = down == 1 && leaders <= 6 ? ',13' : ',10'
set key at screen 0.5,(down == 1 && leaders <= 6 ? 0.075 : 0.095) center top horizontal maxcols 5 Left reverse samplen 1.2 width 1 noenhanced font legendfont
set xrange [0:1]; set yrange [0:1]
plot for [k = 1:leaders] NaN with points ls k ps 1.1 title names[k], \
    for [k = 1:others] NaN with points pt 7 ps 0.5 lc rgb '#999999' title 'other steppers', \
    NaN with points pt 6 ps 0.8 lc rgb '#999999' title 'at the floor', \
     NaN with points ls 10 ps 1.7 title 'Pareto front'
unset multiplot
