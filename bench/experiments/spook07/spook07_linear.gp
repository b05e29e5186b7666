# spook07 5: the largest root of SPOOK's recurrence for one constraint, over eps and tau/h.
# Both axes are decades: images know no logarithmic ones.
set format xy '10^{%g}'
set xrange [-10.25:4.25]
set yrange [-3.1:2.1]
set xlabel 'ε/(h^2 G M^{−1} G^T)'
set ylabel 'τ/h'
set title 'Largest root |μ| of a constraint''s violation, by stepping'
# The lightness falls from 0.33 to 1, so that the map can be read in grey.
set palette defined (0 '#f7fbff', 0.45 '#d6e6f4', 0.7 '#fdd49e', 0.88 '#fdbb84', 0.97 '#fc8d59', 1 '#e34a33')
set cbrange [0.33:1]
set cblabel '|μ|' offset 0.5,0
set rmargin 12
unset grid
set key bottom right textcolor rgb ink
set label 1 'oscillates' at -7.5,-1.7 front textcolor rgb ink
set label 2 'creeps back' at -7.5,1.3 front textcolor rgb ink
set label 3 'τ/h = 2' at -9.9,0.42 front font ',12' textcolor rgb ink
plot out.'/spook07_linear_map.csv' using (log10(column('eps'))):(log10(column('theta'))):'root' with image notitle, \
     out.'/spook07_linear_critical.csv' using (log10(column('eps'))):(log10(column('theta'))) with linespoints lc rgb ink lw 2 pt 6 ps 1.2 title 'the two roots meet'
