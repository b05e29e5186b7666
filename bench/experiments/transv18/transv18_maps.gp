# Stability maps: |root|max over step and a parameter, with the boundaries theory gives.
data = out.'/transv18_maps.csv'
of(name, y) = strcol(1) eq name ? y : NaN
set palette defined (-6 '#eaf2fa', -5.99 '#fff3df', -3 '#fdcc8a', -1 '#fc8d59', 0 '#d7301f', 0.5 '#7f0000')
set cbrange [-6:0.5]
# The decade of what the largest root has above 1; bounded ones at the end of the scale.
shade(r) = r <= 1 + 1e-6 ? -6 : log10(r - 1)
set colorbox user origin screen 0.925, screen 0.16 size screen 0.018, screen 0.66
set cbtics ('≤ 0' -6, '10^{-5}' -5, '10^{-4}' -4, '10^{-3}' -3, '10^{-2}' -2, '10^{-1}' -1, '1' 0) font ',11' scale 0
set cblabel ''
unset grid
unset key
set style fill solid 1 noborder
set border 3
set multiplot title 'Stability maps: largest |root| - 1 of one step; the lines are theory' font ',15'
set tmargin at screen 0.82
set bmargin at screen 0.16
set label 1 '|root| - 1' at screen 0.925, screen 0.865 font ',11' textcolor rgb ink
set lmargin at screen 0.065
set rmargin at screen 0.315
set title "Explicit Euler,\ndamped oscillator" font ',13'
set xlabel 'h ω'
set ylabel 'γ h' offset 1.5
set xrange [0:2.5]
set yrange [0:5]
plot data every ::0::1023 using 2:3:(shade($4)) with image, \
     x*x lc rgb ink lw 1.5, 2 + x*x/2 lc rgb ink lw 1.5
unset label 1
unset colorbox
set lmargin at screen 0.365
set rmargin at screen 0.60
set title "SPOOK,\nthread of 3, end mass 10" font ',13'
set xlabel 'h ω / 2'
set ylabel 'τ / h' offset 0.5
set xrange [0:1.5]
set xtics 0.5
set yrange [0:4]
set ytics 1
set arrow from 1, graph 0 to 1, graph 1 nohead lc rgb ink lw 1.5 front
plot data every ::1024::2047 using 2:3:(shade($4)) with image
unset arrow
set lmargin at screen 0.70
set rmargin at screen 0.905
set title "SHAKE,\nthread of 3" font ',13'
set xlabel 'h ω / 2, ω for end mass 10'
set ylabel 'end mass / mass of another' offset 1.4
set yrange [0:3]
set ytics ('1' 0, '10' 1, '100' 2, '1000' 3)
plot data every ::2048::3071 using 2:(log10($3)):(shade($4)) with image, \
     data using (of('end_mass', $6)):(log10($3)) with lines lc rgb ink lw 1.5
unset multiplot
