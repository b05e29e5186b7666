# Processor time per step of every stepper on the small problems; open rings: bare loops of the same method.
data = out.'/perf_steppers_times.csv'
names = ''
stats data using (names = strstrt(names.' ', ' '.strcol('stepper').' ') ? names : names.' '.strcol('stepper'), 0) nooutput
row(name) = sum [i = 1:words(names)] (word(names, i) eq name ? i : 0)
of(problem) = strcol('problem') eq problem ? row(strcol('stepper')) : NaN
set logscale x
set format x '%g'
set xlabel 'time per step (ns)'
set yrange [words(names) + 0.7:0.3]
set ytics () font ',11'
do for [i = 1:words(names)] { set ytics add (word(names, i) i) noenhanced }
set lmargin 28
set rmargin 20
set key outside right top noenhanced
set title 'Processor time per step: steppers, GSL, and bare loops of the same method'
problems = 'oscillator kepler pendulum chart(pendulum) dsp chart(dsp) rigid_body'
colours = blue.' '.orange.' '.green.' '.amber.' '.purple.' '.ink.' '.sky
marks = '7 5 9 13 11 2 15'
plot for [k = 1:words(problems)] data using 'time':(of(word(problems, k))) with points pt (word(marks, k) + 0) ps 1.1 lw 2 lc rgb word(colours, k) title word(problems, k), \
     for [k = 1:words(problems)] data using 'bare_time':(of(word(problems, k))) with points pt 6 ps 1.8 lw 1.8 lc rgb word(colours, k) notitle, \
     keyentry with points ls 10 title 'bare loop'
