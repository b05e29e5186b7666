# The style of every figure. Variables: out (directory of the CSV files) and kind ('svg', 'png', 'gif', 'pdf', 'tex',
# 'screen', or 'text' with width and height in characters), and for 'pdf' and 'tex' wide (cm). The picture goes to standard output.
set datafile separator ','
set datafile commentschars '#'
set datafile missing ''
set datafile columnheaders
set encoding utf8
if (kind eq 'svg') set terminal svg \
        size 1000,650 dynamic enhanced font 'Helvetica,Arial,sans-serif,17' background '#ffffff'
if (kind eq 'png') set terminal pngcairo size 1000,650 enhanced font 'DejaVu Sans,13' background '#ffffff'
if (kind eq 'gif') set terminal gif animate delay 10 loop 0 optimize size 420,420 font 'DejaVu Sans,12' background '#ffffff'
if (!exists('wide')) wide = kind eq 'tex' ? 12 : 16
if (kind eq 'pdf') set terminal pdfcairo \
        size wide cm,0.65*wide cm enhanced font 'Helvetica,10' background '#ffffff' linewidth 0.6 dashlength 0.6 pointscale 0.5 rounded
if (kind eq 'tex') set terminal pict2e color size wide cm,0.75*wide cm
if (kind eq 'screen' && strstrt(GPVAL_TERMINALS, ' qt ') > 0) set terminal qt size 1000,650 enhanced persist
if (kind eq 'screen' && strstrt(GPVAL_TERMINALS, ' qt ') == 0 && strstrt(GPVAL_TERMINALS, ' x11 ') > 0) \
    set terminal x11 size 1000,650 enhanced persist
if (kind eq 'text') set terminal dumb width,height noenhanced mono

# Okabe and Ito's colours, distinguishable with every colour vision, and dashes, distinguishable in grey.
blue = '#0072b2'; orange = '#d55e00'; green = '#009e73'; amber = '#e69f00'; purple = '#cc79a7'; sky = '#56b4e9'; \
    ink = '#222222'; faint = '#999999'
set style line 1 lc rgb blue   lw 2.2 pt 7 ps 1.0
set style line 2 lc rgb orange lw 2.2 pt 5 ps 1.0 dt (14,4)
set style line 3 lc rgb green  lw 2.2 pt 9 ps 1.2 dt (14,4,3,4)
set style line 4 lc rgb amber  lw 2.2 pt 13 ps 1.2 dt (3,3)
set style line 5 lc rgb purple lw 2.2 pt 11 ps 1.2 dt (14,4,3,4,3,4)
set style line 6 lc rgb sky    lw 2.2 pt 15 ps 1.0 dt (7,4)
# More curves than colours: open marks.
set style line 7 lc rgb blue   lw 1.6 pt 6 ps 1.2
set style line 8 lc rgb orange lw 1.6 pt 4 ps 1.2
set style line 9 lc rgb green  lw 1.6 pt 8 ps 1.4
# The paper's values: open rings around our points. A slope to compare with: a thin dashed line.
set style line 10 lc rgb ink lw 1.6 pt 6 ps 2.2
set style line 11 lc rgb faint lw 1.4 dt (8,6)

set border 3 lw 1.2 lc rgb ink
set tics nomirror out scale 0.7 textcolor rgb ink
if (kind ne 'text') set grid lc rgb '#e4e4e4' lw 1 lt 1
set key top left Left reverse samplen 2.2 spacing 1.25 textcolor rgb ink
set title font (kind eq 'pdf' ? ',10' : ',15') offset 0,-0.3 textcolor rgb ink
if (kind ne 'text') set lmargin 11
if (kind ne 'text') set rmargin 3
power = kind eq 'tex' ? '$10^{%L}$' : kind eq 'text' ? '%.0e' : '10^{%L}'
# A text of a script or of the data as this kind shows it, where enhancement is off: as LaTeX for 'tex'.
one(c) = strstrt('_', c) > 0 ? "\\".c : strstrt('|<>', c) > 0 ? '$'.c.'$' : c
tex(text) = strlen(text) == 0 ? '' : one(text[1:1]).tex(text[2:strlen(text)])
shown(text) = kind eq 'tex' ? tex(text) : text
# The least 1, 2 or 5 times a power of ten that is not below x: the distance of tics.
unit(x) = 10**floor(log10(x))
round(x) = x > 5*unit(x) ? 10*unit(x) : x > 2*unit(x) ? 5*unit(x) : x > unit(x) ? 2*unit(x) : unit(x)
array colour[6]
colour[1] = blue; colour[2] = orange; colour[3] = green; colour[4] = amber; colour[5] = purple; colour[6] = sky
# The panels of a multiplot: `across` and `down` of a number `panels`. Use: eval arrange. In a column of a page of two
# they stand one above the other, and the figure is as high as they need, up to 18 cm of a page.
narrow = (kind eq 'pdf' || kind eq 'tex') && wide < 10
arrange = "across = narrow || panels == 1 ? 1 : panels == 2 || panels == 4 ? 2 : 3; down = (panels + across - 1)/across; \
    tall = wide*(0.15 + 0.6*down) > 18 ? 18 : wide*(0.15 + 0.6*down); \
    if (narrow && down > 1 && kind eq 'pdf') { set terminal pdfcairo size wide cm,tall cm }; \
    if (narrow && down > 1 && kind eq 'tex') { set terminal pict2e size wide cm,tall cm }"
# The legend of a multiplot above its panels: `entries` texts of at most `longest` characters, in as many columns as fit.
# Use: set multiplot title above(entries, longest), and then eval legend before a plot of NaN.
characters = kind eq 'text' ? width : kind eq 'tex' || kind eq 'pdf' ? int(6*wide) : 95
columns_of(longest) = longest + 9 > characters/2 ? 1 : longest + 9 > characters/6 ? characters/(longest + 9) : 6
lines_of(n) = n > 1 ? " \n".lines_of(n - 1) : ' '
above(entries, longest) = (legend_columns = columns_of(longest), lines_of((entries + legend_columns - 1)/legend_columns))
# The size of marks and the width of lines of curve k of n, for curves that coincide: later curves lie on earlier ones and are smaller.
mark(k, n) = 0.8 + 0.8*(n - k)/n
thickness(k, n) = 1.2 + 3.4*(n - k)/n
legend_font = narrow ? ',9' : kind eq 'pdf' ? ',10' : ',14'
longer(text, length) = strlen(text) > length ? strlen(text) : length
legend = "unset title; unset xlabel; unset ylabel; unset tics; unset border; unset grid; unset logscale; \
    set xrange [0:1]; set yrange [0:1]; set lmargin at screen 0.02; set rmargin at screen 0.98; \
    set tmargin at screen 1; set bmargin at screen 0.93; \
    set key at screen 0.5,0.99 center top horizontal maxcols legend_columns noenhanced font legend_font spacing 1.1"
