# Frames of a mechanism. Set before: file with a block per frame and panel, frames, panels, the ranges x0, x1, y0, y1, delay (1/100 s), width, height, and title_[k] of
# each panel, and the direction gx, gy of gravity, zero for none. A line of a block: x, y of both ends, 1 for a spring, 1 for a fixed point.
set terminal gif animate delay delay loop 0 optimize size width,height background '#ffffff'
unset key
unset border
unset tics
set size ratio -1
set xrange [x0:x1]
set yrange [y0:y1]
# The scale: a length of 1, 2 or 5 times a power of ten, at most a quarter of the picture; and an arrow for gravity.
size = x1 - x0 > y1 - y0 ? x1 - x0 : y1 - y0
power = 10**floor(log10(size/4))
long = power*(size/4 >= 5*power ? 5 : size/4 >= 2*power ? 2 : 1)
y0 = y0 - 0.08*size
set yrange [y0:y1]
set arrow from x0,y0 + 0.03*size to x0 + long,y0 + 0.03*size nohead lw 2 lc rgb '#595959' front
set label sprintf(' %g m', long) at x0 + long,y0 + 0.03*size left textcolor rgb '#595959' front
norm = sqrt(gx*gx + gy*gy)
if (norm > 0) {
    set arrow from x1 - 0.06*size,y1 - 0.06*size rto 0.1*size*gx/norm,0.1*size*gy/norm lw 2 lc rgb '#595959' front
    set label 'g ' at x1 - 0.06*size,y1 - 0.06*size right textcolor rgb '#595959' front
}
do for [k = 0:frames - 1] {
    set multiplot layout 1,panels
    do for [p = 1:panels] {
        set title title_[p] noenhanced
        plot file index k*panels + p - 1 using 1:2:($5 == 0 ? $3 - $1 : NaN):($4 - $2) with vectors nohead lw 3 lc rgb '#0072b2', \
             '' index k*panels + p - 1 using 1:2:($5 == 1 ? $3 - $1 : NaN):($4 - $2) with vectors nohead lw 1.5 dt 2 lc rgb '#595959', \
             '' index k*panels + p - 1 using 1:2 with points pt 7 ps 0.7 lc rgb '#d55e00', \
             '' index k*panels + p - 1 using ($6 == 1 ? $1 : NaN):2 with points pt 5 ps 1.3 lc rgb '#595959', '' index k*panels + p - 1 using 3:4 with points pt 7 ps 0.7 lc rgb '#d55e00'
    }
    unset multiplot
}
