# Modes: frequencies against the number of the mode.
# Variables: see bench/cli/plot.h.
of(k) = strcol('problem') eq problem[k]
set logscale y
set key top right noenhanced
set xlabel 'number of the mode'
stats data using 'mode' nooutput name 'M'
set xrange [-0.5:M_max + 0.5]
if (M_max < 13) set xtics 1
set ylabel 'frequency (1/s)'
plot for [k = 1:pairs] \
        data using (of(k) && column('omega_projected') > 0 ? column('mode') : NaN):'omega_projected' \
        with linespoints ls (k - 1) % 6 + 1 title name[k].', tangent modes', \
     for [k = 1:pairs] data using (of(k) && column('omega_full') > 0 ? column('mode') : NaN):'omega_full' \
             with points pt 6 ps 1.8 lw 1.4 lc rgb colour[(k - 1) % 6 + 1] title name[k].', all modes'
