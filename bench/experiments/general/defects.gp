# Symplecticity and momentum defects of every stepper on every small problem, as two maps.
data = out.'/defects.csv'
if (kind eq 'svg') set terminal svg size 1000,850 dynamic enhanced font 'Helvetica,Arial,sans-serif,17' background '#ffffff'
if (kind eq 'png') set terminal pngcairo size 1000,850 enhanced font 'DejaVu Sans,13' background '#ffffff'
set palette defined (0 '#ffffff', 0.25 '#f1f6fb', 0.26 '#fdd49e', 0.6 '#fdae6b', 1 '#ef6548')
set cbrange [-16:0]
unset colorbox
unset grid
set border 0
set tics scale 0
unset key
set xtics rotate by 40 right font ',11' offset 0.5,0 noenhanced
set ytics font ',11' noenhanced
set yrange [*:*] reverse
set style fill solid 1 noborder
depth(x) = x > 1e-16 ? log10(x) : -16
# Pale: the verdict of the table, nothing but round-off; where it depends on the direction of rounding, there is none.
shade(x, zero) = zero eq 'no' ? (depth(x) > -11.8 ? depth(x) : -11.8) : (depth(x) < -12 ? depth(x) : -12)
tag(x) = x == 0 ? '−∞' : sprintf('%d', floor(log10(x) + 0.5))
stats data using 'form_column':'row' name 'S' nooutput
problems = '' # of the right map
stats data using (problems = stringcolumn('momentum_defect') eq '' || strstrt(problems.' ', ' '.stringcolumn('problem').' ') ? problems : problems.' '.stringcolumn('problem'), 0) nooutput
M_max = words(problems) - 1
# The cells of both maps have the same width.
left = 0.21; right = 0.99; gap = 0.02
edge = left + (right - left - gap)*(S_max_x + 1.1)/(S_max_x + M_max + 2.2)
set yrange [S_max_y + 0.6:-0.6]
set multiplot layout 1,2 title 'log_{10} of the defects; pale: nothing but round-off; dark: a defect; no number: not taken, or no symmetry' font ',15'
set tmargin 3.5
set bmargin 6
set lmargin at screen left
set rmargin at screen edge
set xrange [-0.55:S_max_x + 0.55]
set title 'symplectic form' font ',14'
plot data using 'form_column':'row':(0.47):(0.45):(shade(column('symplectic_defect'), stringcolumn('symplectic'))):xtic(strcol('problem')):ytic(strcol('stepper')) with boxxyerror lc palette, \
     data using 'form_column':'row':(tag(column('symplectic_defect'))) with labels font ',10' textcolor rgb ink
set title 'momentum map'
set lmargin at screen edge + gap
set rmargin at screen right
set xrange [-0.55:M_max + 0.55]
set ytics format ''
set xtics ()
do for [i = 1:words(problems)] { set xtics add (word(problems, i) i - 1) }
plot data using 'momentum_column':'row':(0.47):(0.45):(stringcolumn('momentum_defect') eq '' ? NaN : shade(column('momentum_defect'), stringcolumn('conserved'))) with boxxyerror lc palette, \
     data using 'momentum_column':'row':(stringcolumn('momentum_defect') eq '' ? '' : tag(column('momentum_defect'))) with labels font ',10' textcolor rgb ink
unset multiplot
