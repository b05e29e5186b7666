# Adiabatic: the largest change of the invariant against the step; a circle at each peak.
# Variables: see bench/cli/plot.h.
mine(k) = strcol('problem') eq problem[k] && strcol('stepper') eq stepper[k]
if (strstrt(columns, ' change ') == 0) exit error 'adiabatic: no run has a change to draw'
set logscale y
set format y power
set key outside above horizontal noenhanced
set xlabel (kind eq 'tex' ? '$h \\omega/\\pi$' : 'h ω/π')
set ylabel 'largest change of the invariant'
plot for [k = 1:pairs] data using (mine(k) ? column('h_omega') : NaN):'change' \
             with linespoints ls (k - 1) % 6 + 1 title name[k], \
     for [k = 1:pairs] data using (mine(k) && strcol('peak') eq 'yes' ? column('h_omega') : NaN):'change' \
             with points pt 6 ps 2 lw 1.6 lc rgb ink notitle, \
     NaN with points pt 6 ps 2 lw 1.6 lc rgb ink title 'peak'
