# Amplification: the roots and the unit circle; of several steps the spectral radius against the step as well.
# Variables: see bench/cli/plot.h.
mine(k) = strcol('problem') eq problem[k] && strcol('stepper') eq stepper[k]
stats data using 'radius' nooutput name 'R'
stats data using 'h' nooutput name 'H'
several = H_max > H_min
# Equal roots of several pairs are marks on top of each other, the later the smaller.
size(k) = 0.8 + 1.2*(pairs - k)/pairs
unset key
set lmargin -1
if (several) {
    longest = 0
    do for [k = 1:pairs] { longest = longer(name[k], longest) }
    panels = 2
    eval arrange
    set multiplot layout down,across title above(pairs + 1, longest)
    set xlabel 'h (s)'
    set ylabel 'spectral radius'
    if (H_max > 30*H_min) { set logscale x; set format x power } else { set xtics round((H_max - H_min)/4) }
    plot 1 with lines lc rgb faint lw 1.4 notitle, \
         for [k = 1:pairs] data using (mine(k) ? column('h') : NaN):'radius' with linespoints ls (k - 1) % 9 + 1 notitle
} else {
    set key outside right noenhanced
}
unset logscale x
set format x '%h'
set size ratio -1
set xtics autofreq
set xlabel 'real part'
set ylabel 'imaginary part'
far = 1.15*(R_max > 1 ? R_max : 1)
set xrange [-far:far]
set yrange [-far:far]
set parametric
set trange [0:2*pi]
set samples 200
plot cos(t), sin(t) with lines lc rgb faint lw 1.4 title 'unit circle', \
     for [k = 1:pairs] data using (mine(k) ? column('re') : NaN):'im' with points ls (k - 1) % 9 + 1 ps size(k) \
             title name[k]
if (several) {
    unset parametric
    set size noratio
    eval legend
    plot NaN with lines lc rgb faint lw 1.4 title 'unit circle', \
         for [k = 1:pairs] NaN with points ls (k - 1) % 9 + 1 ps size(k) title name[k]
    unset multiplot
}
