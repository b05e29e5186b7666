# garcia99, hairer00: change of the energy of the stiff springs of fput over the step.
data = out.'/literature_resonance.csv'
set datafile missing NaN
# At h omega = pi two of the filters are zero: only round-off changes I there.
of(s) = strcol('stepper') eq s && column('change') > 1e-9 ? column('change') : NaN
peak(s) = strcol('stepper') eq s && strcol('peak') eq 'yes' ? column('change') : NaN
impulse = 'trigonometric'
mollified = 'trigonometric:filter=mollified'
third = 'trigonometric:filter=hairer_lubich'
set title 'FPUT: the impulse method is in resonance with the stiff springs at h omega = pi'
set logscale y
set format y power
set xlabel 'h omega/pi'
set ylabel 'largest change of I within 50 s (J)'
set key top left
set yrange [1e-5:*]
plot data using 'h_omega':(of(impulse)) smooth unique with linespoints ls 2 title 'impulse', \
     data using 'h_omega':(of(mollified)) smooth unique with linespoints ls 3 title 'mollified impulse', \
     data using 'h_omega':(of(third)) smooth unique with linespoints ls 1 title 'psi = sinc^2, phi = 1', \
     data using "h_omega":(peak(impulse)) with points pt 6 ps 2 lw 1.6 lc rgb ink notitle
