# Symplecticity and momentum defects of every stepper on every problem, as two maps.
data = out.'/defects.csv'
set palette defined (0 '#e8f1fa', 0.25 '#b5d4e9', 0.26 '#fee8c8', 0.6 '#fdbb84', 1 '#d7301f')
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
# Blue: the verdict of the table, nothing but round-off.
shade(x, zero) = zero eq 'yes' ? (depth(x) < -12 ? depth(x) : -12) : (depth(x) > -11.8 ? depth(x) : -11.8)
tag(x) = x == 0 ? '−∞' : sprintf('%.0f', log10(x))
stats data using 11:12 name 'S' nooutput
set xrange [-0.6:S_max_x + 0.6]
set yrange [S_max_y + 0.6:-0.6]
set multiplot layout 1,2 title 'log_{10} of the defects; blue: nothing but round-off; blank: not taken, or no symmetry' font ',15'
set tmargin 3.5
set bmargin 6
set lmargin at screen 0.21
set rmargin at screen 0.59
set title 'symplectic form' font ',14'
plot data using 11:12:(0.47):(0.45):(shade($4, stringcolumn(6))):xtic(1):ytic(2) with boxxyerror lc palette, \
     data using 11:12:(tag($4)) with labels font ',10' textcolor rgb ink
set title 'momentum map'
set lmargin at screen 0.61
set rmargin at screen 0.99
set ytics format ''
plot data using 11:12:(0.47):(0.45):(stringcolumn(8) eq '' ? NaN : shade($8, stringcolumn(10))):xtic(1) with boxxyerror lc palette, \
     data using 11:12:(stringcolumn(8) eq '' ? '' : tag($8)) with labels font ',10' textcolor rgb ink
unset multiplot
