# Stability maps: |root|max over step and a parameter, with the boundaries theory gives.
data = out.'/transv18_maps.csv'
of(name, y) = strcol('map') eq name ? y : NaN
set palette defined (-3 '#eaf2fa', -2.99 '#fff3df', -1.5 '#fdcc8a', -0.5 '#fc8d59', 1 '#d7301f', 3 '#7f0000')
set cbrange [-3:3]
# The decade of what the largest root has above 1; bounded ones at the end of the scale.
shade(r) = r <= 1 + 1e-6 ? -3 : log10(r - 1) < -2.9 ? -2.9 : log10(r - 1)
set colorbox user origin screen 0.925, screen 0.16 size screen 0.018, screen 0.66
set cbtics ('≤ 0' -3, '10^{-2}' -2, '10^{-1}' -1, '1' 0, '10' 1, '10^2' 2, '10^3' 3) font ',11' scale 0
set cblabel ''
unset grid
unset key
set style fill solid 1 noborder
set border 3
set multiplot title 'Stability maps: largest |root| - 1 of one step; the lines are theory' font ',15'
set tmargin at screen 0.82
set bmargin at screen 0.16
set label 1 '|root| - 1' at screen 0.925, screen 0.865 font ',11' textcolor rgb ink
set lmargin at screen 0.08
set rmargin at screen 0.41
set title "Explicit Euler,\ndamped oscillator" font ',13'
set xlabel 'h ω'
set ylabel 'γ h' offset 1.5
set xrange [0:2.5]
set yrange [0:5]
plot data every ::0::575 using 'h':'parameter':(shade(column('radius'))) with image, \
     x*x lc rgb ink lw 1.5, 2 + x*x/2 lc rgb ink lw 1.5
unset label 1
unset colorbox
set xtics 0.5
set lmargin at screen 0.56
set rmargin at screen 0.89
set title "SHAKE,\nthread of 3" font ',13'
set xlabel 'h ω / 2, ω for end mass 10'
set xrange [0:1.5]
set ylabel 'end mass / mass of another' offset 1
set yrange [0:3]
set ytics ('1' 0, '10' 1, '100' 2, '1000' 3)
plot data every ::576::1151 using 'h':(log10(column('parameter'))):(shade(column('radius'))) with image, \
     data using (of('end_mass', column('boundary'))):(log10(column('parameter'))) with lines lc rgb ink lw 1.5
unset multiplot
