# Stability maps: |root|max over step and a parameter, with the boundaries theory gives.
data = out.'/transv18_maps.csv'
of(name, y) = strcol(1) eq name ? y : NaN
grows(r) = r <= 1 + 1e-6 ? 0 : log10(r - 1) + 6
set palette defined (0 '#e8f1fa', 0.1 '#b5d4e9', 0.11 '#fee8c8', 4.5 '#fdbb84', 6.5 '#d7301f')
set cbrange [0:6.5]
unset colorbox
unset grid
unset key
set style fill solid 1 noborder
set multiplot layout 1,3 title 'Blue: bounded; orange to red: |root|_{max} - 1 from 10^{-6} to 3' font ',15'
set lmargin 8
set rmargin 1
set title 'explicit Euler, damped oscillator' font ',13'
set xlabel 'h ω'
set ylabel 'γ h' offset 1
set xrange [0:2.5]
set yrange [0:5]
plot data using (of('damping', $2)):3:(0.04):(0.08):(grows($4)) with boxxyerror lc palette, \
     x*x lc rgb ink lw 1.5, 2 + x*x/2 lc rgb ink lw 1.5
set title 'SPOOK, thread n = 3' font ',13'
set xlabel 'h ω / 2'
set ylabel 'τ / h'
set xrange [0:1.5]
set xtics 0.5
set yrange [0:4]
set arrow from 1, graph 0 to 1, graph 1 nohead lc rgb ink lw 1.5 front
plot data using (of('spook', $2)):3:(0.0235):(0.0625):(grows($4)) with boxxyerror lc palette
unset arrow
set title 'SHAKE, thread n = 3' font ',13'
set xlabel 'h ω / 2, ω for end mass 10'
set ylabel 'log_{10} (end mass / mass)'
set yrange [0:3]
plot data using (of('end_mass', $2)):(log10($3)):(0.0235):(0.047):(grows($4)) with boxxyerror lc palette, \
     data using (of('end_mass', $6)):(log10($3)) with lines lc rgb ink lw 1.5
unset multiplot
