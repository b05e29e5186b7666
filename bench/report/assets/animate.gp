# Frames of a mechanism. Set before: file with a block per frame and panel, frames, panels, the ranges x0, x1, y0, y1, delay (1/100 s), width, height, and title_[k] of
# each panel. A line of a block: x, y of both ends, and 1 for a spring.
set terminal gif animate delay delay loop 0 optimize size width,height background '#ffffff'
unset key
unset border
unset tics
set size ratio -1
set xrange [x0:x1]
set yrange [y0:y1]
do for [k = 0:frames - 1] {
    set multiplot layout 1,panels
    do for [p = 1:panels] {
        set title title_[p] noenhanced
        plot file index k*panels + p - 1 using 1:2:($5 == 0 ? $3 - $1 : NaN):($4 - $2) with vectors nohead lw 3 lc rgb '#0072b2', \
             '' index k*panels + p - 1 using 1:2:($5 == 1 ? $3 - $1 : NaN):($4 - $2) with vectors nohead lw 1.5 dt 2 lc rgb '#595959', \
             '' index k*panels + p - 1 using 1:2 with points pt 7 ps 0.7 lc rgb '#d55e00', '' index k*panels + p - 1 using 3:4 with points pt 7 ps 0.7 lc rgb '#d55e00'
    }
    unset multiplot
}
