# One figure of a stepper's card. Set before: title, xlabel, ylabel, xlog, ylog, xmax, ymax (0: automatic), marks, slope (0: none) of a dashed line near (xmid, ymid),
# count, the colours (one index per curve), and $data with one block per curve; for a map: $data with columns x, y, colour, and the size of a cell.
reset
set terminal svg size 360,250 dynamic enhanced font 'Helvetica,Arial,sans-serif,11' background '#ffffff'
ink = '#1c1c1c'
# The colours of the legend in card.css.
array palette_[8] = ['#d55e00', '#0072b2', '#009e73', '#b0578d', '#8a7000', '#444444', '#2f86b8', '#7a7a00']
set border 3 lc rgb '#595959'
set tics nomirror out scale 0.5 textcolor rgb ink font ',10'
set grid lc rgb '#dcdcdc' lw 0.7 lt 1
unset key
set lmargin 8.5
set rmargin 2
set tmargin 2
set title title noenhanced font ',12' textcolor rgb ink offset 0,-0.6
set xlabel xlabel noenhanced textcolor rgb ink offset 0,0.5
set ylabel ylabel noenhanced textcolor rgb ink offset 1,0
if (xlog) { set logscale x; set format x '10^{%L}' } else { set xrange [0:xmax] }
if (ylog) { set logscale y; set format y '10^{%L}' } else { set yrange [0:ymax] }
if (xmax > 0) { set xrange [0:xmax] }
if (count == 0) {
    unset grid
    plot $data using 1:2:(width/2):(height/2):3 with boxxyerror fs solid noborder lc rgb variable
} else {
    colour(k) = palette_[int(word(colours, k)) + 1]
    if (slope != 0) {
        set label 1 sprintf('slope %g', slope) at xmid*2.5, 0.4*ymid*2.5**slope font ',9' textcolor rgb '#595959' offset 0.3,0
    }
    plot for [k = count:1:-1] $data index k - 1 using 1:2 with lines lc rgb colour(k) lw 1.7, \
         for [k = count:1:-1] $data index k - 1 using 1:(marks ? $2 : NaN) with points pt 7 ps (k == 1 ? 0.5 : 0.36) lc rgb colour(k), \
         [t = 0:1] '+' using (slope != 0 ? xmid*0.4*6.25**$1 : NaN):(0.4*ymid*(0.4*6.25**$1)**slope) with lines lc rgb '#595959' dt (5,4)
}
