# Work and precision: the relative error against the number of evaluations.
# Variables: see bench/cli/plot.h.
mine(k) = strcol('problem') eq problem[k] && strcol('stepper') eq stepper[k]
set logscale xy
set format xy power
set key top right noenhanced
set xlabel 'evaluations of terms'
set ylabel 'largest error of q, over |q|'
plot for [k = 1:pairs] \
        data using (mine(k) && column('err_relative') > 0 ? column('evaluations') : NaN):'err_relative' \
        with linespoints ls (k - 1) % 6 + 1 title name[k]
