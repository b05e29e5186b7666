# Left: time per rod and step by linear solver at N = 1000, in its three parts. Right: symbolic analysis, once per run, against N.
data = out.'/perf_ladder_times.csv'
names = 'static_ldl/saddle static_ldl/schur cholmod/schur klu/saddle umfpack/saddle umfpack/schur'
row(name) = sum [i = 1:words(names)] (word(names, i) eq name ? i : 0)
here(dummy) = strcol('system') eq 'ladder' && column('N') == 1000 ? row(strcol('solver').'/'.strcol('form')) : NaN
of(s, f) = strcol('system') eq 'ladder' && strcol('solver') eq s && strcol('form') eq f ? column('analysis') : NaN
set datafile missing NaN
set multiplot layout 1,2
set logscale x
set format x power
set xlabel 'time per rod and step (ns)'
set xrange [2:1e6]
set yrange [words(names) + 0.7:0.3]
set ytics ()
do for [i = 1:words(names)] { set ytics add (word(names, i) i) noenhanced font ',11' }
set lmargin 22
set rmargin 1
set key top right maxrows auto samplen 0
set title 'The linear system, N = 1000'
plot data using 'assembly':(here(0)) with points pt 5 ps 1.2 lc rgb sky title 'assembly', \
     data using 'factor':(here(0)) with points pt 7 ps 1.3 lc rgb blue title 'factor', \
     data using 'solve':(here(0)) with points pt 9 ps 1.3 lc rgb orange title 'solve'
set xrange [10:1e5]
set yrange [1e-5:1e2]
set logscale y
set format y power
unset ytics
set ytics auto enhanced nomirror out
set xlabel 'squares N'
set ylabel 'analysis, once per run (s)' offset 0.5
set lmargin 11
set rmargin 3
set key top left maxrows auto noenhanced samplen 2
set title 'Symbolic analysis'
plot data using 'N':(of('umfpack', 'saddle')) with linespoints ls 2 title 'umfpack', \
     data using 'N':(of('static_ldl', 'saddle')) with linespoints ls 1 title 'static_ldl'
unset multiplot
