# Stability: steps that are stable for each value of the parameter, and the largest of them.
# Variables: see bench/cli/plot.h.
mine(k) = strcol('problem') eq problem[k] && strcol('stepper') eq stepper[k]
panels = pairs
eval arrange
set xlabel 'h (s)'
set xrange [0:*]
varied = strstrt(columns, ' value ') > 0
parameter = ''
if (varied) stats data using (parameter = strcol('parameter'), column('value')) nooutput name 'V'
set ylabel shown(parameter)
if (!varied) unset ytics
room = varied && V_max > V_min ? 0.06*(V_max - V_min) : 1
set yrange [(varied ? V_min : 0) - room:(varied ? V_max : 0) + room]
height(x) = varied ? column('value') : 0
unset key
set multiplot layout down,across title above(5, 12)
do for [k = 1:pairs] {
    set title name[k] noenhanced
    plot data using (mine(k) && strcol('stable') eq 'yes' ? column('h') : NaN):(height(0)) with \
            points pt 7 ps 0.9 lc rgb blue notitle, \
         data using (mine(k) && strcol('stable') eq 'linear' ? column('h') : NaN):(height(0)) with \
                 points pt 13 ps 0.9 lc rgb amber notitle, \
         data using (mine(k) && strcol('stable') eq 'no' ? column('h') : NaN):(height(0)) with \
                 points pt 2 ps 0.7 lc rgb orange notitle, \
         data using (mine(k) && strcol('stable') eq 'unclear' ? column('h') : NaN):(height(0)) with \
                 points pt 6 ps 0.7 lc rgb faint notitle, \
         data using (mine(k) ? column('h_limit') : NaN):(height(0)) \
                 with linespoints lc rgb ink lw 1.6 pt 6 ps 0.8 notitle
}
eval legend
plot NaN with points pt 7 ps 0.9 lc rgb blue title 'stable', NaN with points pt 13 ps 0.9 lc rgb amber title 'linear', \
     NaN with points pt 2 ps 0.7 lc rgb orange title 'unstable', NaN with points pt 6 ps 0.7 lc rgb faint \
             title 'unclear', \
     NaN with linespoints lc rgb ink lw 1.6 pt 6 ps 0.8 title 'limit'
unset multiplot
