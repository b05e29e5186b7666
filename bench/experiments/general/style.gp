# The style of every figure. Set before: out (directory of the CSV files) and kind ('svg', 'png' or 'gif').
# The picture goes to standard output.
set datafile separator ','
set datafile commentschars '#'
set datafile missing ''
set datafile columnheaders
set encoding utf8
if (kind eq 'svg') set terminal svg size 1000,650 dynamic enhanced font 'Helvetica,Arial,sans-serif,17' background '#ffffff'
if (kind eq 'png') set terminal pngcairo size 1000,650 enhanced font 'DejaVu Sans,13' background '#ffffff'
if (kind eq 'gif') set terminal gif animate delay 10 loop 0 optimize size 420,420 background '#ffffff'

# Okabe and Ito's colours: distinct to every eye.
blue = '#0072b2'; orange = '#d55e00'; green = '#009e73'; amber = '#e69f00'; purple = '#cc79a7'; sky = '#56b4e9'; \
    ink = '#222222'; faint = '#999999'
set style line 1 lc rgb blue   lw 2.2 pt 7 ps 1.0
set style line 2 lc rgb orange lw 2.2 pt 5 ps 1.0
set style line 3 lc rgb green  lw 2.2 pt 9 ps 1.2
set style line 4 lc rgb amber  lw 2.2 pt 13 ps 1.2
set style line 5 lc rgb purple lw 2.2 pt 11 ps 1.2
set style line 6 lc rgb sky    lw 2.2 pt 15 ps 1.0
# The paper's values: open rings around our points. A slope to compare with: a thin dashed line.
set style line 10 lc rgb ink lw 1.6 pt 6 ps 2.2
set style line 11 lc rgb faint lw 1.4 dt (8,6)

set border 3 lw 1.2 lc rgb ink
set tics nomirror out scale 0.7 textcolor rgb ink
set grid lc rgb '#e4e4e4' lw 1 lt 1
set key top left Left reverse samplen 2.2 spacing 1.25 textcolor rgb ink
set title font ',15' offset 0,-0.3 textcolor rgb ink
set lmargin 11
set rmargin 3
power = '10^{%L}'
