# spook07 Figs. 4 and 5: energy and constraint violation of the falling ladder.
data = out.'/spook07_ladder.csv'
set multiplot layout 2,2 margins 0.095,0.985,0.1,0.93 spacing 0.08,0.06
set xrange [0:20]
set format x ''
do for [N in '10 100'] {
    set title N.' squares'.(N eq '10' ? ' (shaded: near the vertical)' : '')
    set yrange [0.2:1.02]
    set ytics 0.2,0.2,1
    set ylabel N eq '10' ? 'energy (of its range)' : ''
    set style fill solid 0.12 noborder
    unset key
    plot data using ($1 == int(N) ? $2 : NaN):(abs($4) <= 30 ? 1.02   : 0.2) with filledcurves y1=0.2 lc rgb amber, \
         data using ($1 == int(N) ? $2 : NaN):3 with lines ls 1
}
unset title
set format x '%g'
set xlabel 'time (s)' offset 0,0.3
set logscale y
set format y power
set yrange [1e-7:1]
set ytics autofreq
do for [N in '10 100'] {
    set ylabel N eq '10' ? 'root mean square violation' : ''
    if (N eq '100') { set key bottom right font ',12' samplen 1.6 } else { unset key }
    plot data using ($1 == int(N) ? $2 : NaN):7 with lines ls 2 lw 1.4 title 'gap of the joints', \
         data using ($1 == int(N) ? $2 : NaN):6 with lines ls 1 lw 1.4 title 'all rows', \
         data using ($1 == int(N) ? $2 : NaN):5 with lines ls 3 lw 1.4 title 'joints'' rows'
}
unset multiplot
