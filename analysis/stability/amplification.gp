# Amplification: the roots and the unit circle; without --roots, the spectral radius against the step.
# Variables: see bench/cli/plot.h.
mine(k) = strcol('problem') eq problem[k] && strcol('stepper') eq stepper[k]
stats data using 'radius' nooutput name 'R'
if (strstrt(columns, ' re ') > 0) {
    set key outside right noenhanced
    set size ratio -1
    set xlabel 'real part'
    set ylabel 'imaginary part'
    far = 1.15*(R_max > 1 ? R_max : 1)
    set xrange [-far:far]
    set yrange [-far:far]
    set parametric
    set trange [0:2*pi]
    set samples 200
    plot cos(t), sin(t) with lines lc rgb faint lw 1.4 title 'unit circle', \
         for [k = 1:pairs] data using (mine(k) ? column('re') : NaN):'im' with points ls (k - 1) % 6 + 1 \
                 title caption(name[k])
} else {
    set key top left noenhanced
    set xlabel 'h (s)'
    set ylabel 'spectral radius'
    plot 1 with lines lc rgb faint lw 1.4 title 'stable up to 1', \
         for [k = 1:pairs] data using (mine(k) ? column('h') : NaN):'radius' \
                 with linespoints ls (k - 1) % 6 + 1 title caption(name[k])
}
