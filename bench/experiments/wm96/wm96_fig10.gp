# wm96 Fig. 10: energy error of the double spherical pendulum by DVP, and its range.
data = out.'/wm96_fig10.csv'
$text << END
h,energy
0.1,20.910805793
0.1,25.583335766
0.0001,24.944495109
0.0001,24.944499828
END
set logscale xy
set format xy power
set xrange [7e-5:0.15]
set xlabel 'step h (s)'
set multiplot layout 1,2 title 'Double spherical pendulum: discrete energy of DVP over 30 s' font ',15'
set tmargin 2
set ylabel 'error (5.10) (J)'
set key top left
plot 322*x**2 with lines ls 11 title 'slope 2', \
     data using 'h':'error' with linespoints ls 1 title 'shake (DVP)', \
     data using 'h':'published' with points ls 10 title 'wm96 Table 2'
unset logscale y
set format y '%g'
set yrange [20:28]
set ylabel 'range of the energy (J)'
set style fill solid 0.25 noborder
plot data using 'h':'lowest':'highest' with filledcurves lc rgb blue title 'lowest to highest sample', \
     $text using 1:2 with points ls 10 title 'wm96, text'
unset multiplot
set tmargin 2
