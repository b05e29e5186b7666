# spook07 Figs. 4 and 5: energy and constraint violation of the falling ladder over 8 starts.
data = out.'/spook07_ladder.csv'
set multiplot layout 2,2 margins 0.105,0.985,0.12,0.93 spacing 0.08,0.06
set xrange [0:20]
set format x ''
set style fill solid 0.25 noborder
do for [N in '10 100'] {
    set title N.' squares, median and range of 8 starts'
    set yrange [0:1.02]
    set ytics 0,0.2,1
    set ylabel N eq '10' ? 'energy (of its range)' : ''
    if (N eq '100') { set key bottom left opaque font ',12' samplen 1.6 } else { unset key }
    plot data using (column('N') == int(N) ? column('t') : NaN):(abs(column('angle')) <= 30 ? 1.02 : 0) with filledcurves y1=0 fs solid 0.12 lc rgb amber title 'tip within 30° of the vertical (first start)', \
         data using (column('N') == int(N) ? column('t') : NaN):'energy_least':'energy_largest' with filledcurves lc rgb blue title 'range', \
         data using (column('N') == int(N) ? column('t') : NaN):'energy' with lines ls 1 title 'median'
}
unset title
set format x '%g'
set xlabel 'time (s)' offset 0,0.3
set logscale y
set format y power
set yrange [1e-7:10]
set ytics autofreq
do for [N in '10 100'] {
    set ylabel N eq '10' ? 'rms violation, rods of 1 m' : ''
    if (N eq '100') { set key top left maxcols 2 maxrows 2 font ',12' samplen 1 width -9 } else { unset key }
    first = N eq '10' ? 1 : 152
    plot data every ::first::(first + 149) using 't':'g_all_least':'g_all_largest' with filledcurves lc rgb blue title 'all rows, range', \
         data using (column('N') == int(N) ? column('t') : NaN):'g_all' with lines ls 1 lw 1.4 title 'all rows', \
         data using (column('N') == int(N) ? column('t') : NaN):'gap' with lines ls 2 lw 1.4 title 'gap of the joints (m)', \
         data using (column('N') == int(N) ? column('t') : NaN):'g_joint' with lines ls 3 lw 1.4 title 'joints'' rows (m)'
}
unset multiplot
