/* Pieces of a page: text as HTML shows it, files of the data folder, plots as inline SVG. */
#include "bench/report/html.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "bench/cli/data.h"

void sb_html_text(FILE *to, const char *text) {
    for (const char *c = text; *c != '\0'; c++) {
        switch (*c) {
        case '<': fputs("&lt;", to); break;
        case '>': fputs("&gt;", to); break;
        case '&': fputs("&amp;", to); break;
        case '"': fputs("&quot;", to); break;
        default: fputc(*c, to);
        }
    }
}

int sb_html_asset(sb_context *ctx, sb_arena *arena, const char *file, FILE *to) {
    const char *path;
    SB_TRY(sb_data_path(ctx, arena, file, &path));
    FILE *from = fopen(path, "r");
    if (from == NULL) {
        return sb_fail(ctx, SB_IO, "could not read %s: %s", path, strerror(errno));
    }
    char block[4096];
    size_t count;
    while ((count = fread(block, 1, sizeof block, from)) > 0) {
        fwrite(block, 1, count, to);
    }
    fclose(from);
    return SB_OK;
}

/* ---- Charts: a view box of 360 by 250, the axes in it. ---- */

enum { WIDTH = 360, HEIGHT = 250, LEFT = 56, RIGHT = 10, TOP = 26, BOTTOM = 42 };

/* One axis: the interval shown (of logarithms on a log axis), and where its ends are on the page. */
typedef struct axis {
    bool log;
    double lo, hi, from, to;
} axis;

static double place(const axis *a, double x) {
    const double u = a->log ? log10(x) : x;
    return a->from + (u - a->lo) / (a->hi - a->lo) * (a->to - a->from);
}

static bool shown(const axis *a, double x) {
    return isfinite(x) && (!a->log || x > 0.0);
}

static double clamp(const axis *a, double at) {
    const double lo = fmin(a->from, a->to), hi = fmax(a->from, a->to);
    return at < lo ? lo : at > hi ? hi : at;
}

static void widen(axis *a, int n, const double *x) {
    for (int i = 0; i < n && x != NULL; i++) {
        if (shown(a, x[i])) {
            const double u = a->log ? log10(x[i]) : x[i];
            a->lo = fmin(a->lo, u);
            a->hi = fmax(a->hi, u);
        }
    }
}

static void settle(axis *a, double min, double max) {
    const bool empty = !(a->lo <= a->hi);
    a->lo = empty ? (a->log ? -1.0 : 0.0) : a->lo;
    a->hi = empty ? 1.0 : a->hi;
    if (a->log && a->hi - a->lo < 1.0) { /* less than a decade has no ticks */
        a->lo = floor(a->lo);
        a->hi = fmax(ceil(a->hi), a->lo + 1.0);
    }
    a->lo = isnan(min) ? a->lo : a->log ? log10(min) : min;
    a->hi = isnan(max) ? a->hi : a->log ? log10(max) : max;
    const double room = a->hi > a->lo ? 0.04 * (a->hi - a->lo) : 0.5;
    a->lo -= isnan(min) ? room : 0.0;
    a->hi += isnan(max) ? room : 0.0;
}

/* The distance of ticks: whole decades, at most six of them; or 1, 2 or 5 times a power of ten. */
static double spacing(const axis *a) {
    const double span = a->hi - a->lo;
    if (a->log && span >= 1.0) {
        return ceil(span / 6.0);
    }
    const double unit = pow(10.0, floor(log10(span / 4.0))), times = span / 4.0 / unit;
    return unit * (times < 1.5 ? 1.0 : times < 3.5 ? 2.0 : 5.0);
}

static void tick_label(const axis *a, double u, char out[48]) {
    if (!a->log) {
        snprintf(out, 48, "%.3g", fabs(u) < 1e-12 * (a->hi - a->lo) ? 0.0 : u);
    } else if (fabs(u - nearbyint(u)) > 1e-9) {
        snprintf(out, 48, "%.2g", pow(10.0, u));
    } else if (u >= -2.0 && u <= 3.0) {
        snprintf(out, 48, "%g", pow(10.0, u));
    } else {
        snprintf(out, 48, "10<tspan dy=\"-5\" font-size=\"9\">%.0f</tspan>", u);
    }
}

static void put_axis(FILE *to, const axis *a, bool horizontal, const axis *other) {
    const double step = spacing(a);
    for (double u = ceil(a->lo / step - 1e-9) * step; u <= a->hi + 1e-9 * step; u += step) {
        const double at = a->from + (u - a->lo) / (a->hi - a->lo) * (a->to - a->from);
        char text[48];
        tick_label(a, u, text);
        if (horizontal) {
            fprintf(to, "<path class=\"grid\" d=\"M%.1f %.1fV%.1f\"/><text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%s</text>", at, other->from, other->to, at,
                    other->from + 15.0, text);
        } else {
            fprintf(to, "<path class=\"grid\" d=\"M%.1f %.1fH%.1f\"/><text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%s</text>", other->from, at, other->to, other->from - 5.0,
                    at + 4.0, text);
        }
    }
}

static void begin(FILE *to, const sb_chart_axes *axes, const axis *x, const axis *y) {
    fprintf(to, "<figure><svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"", WIDTH, HEIGHT);
    sb_html_text(to, axes->alt);
    fprintf(to, "\"><text class=\"title\" x=\"%d\" y=\"15\">", LEFT);
    sb_html_text(to, axes->title);
    fputs("</text>", to);
    put_axis(to, x, true, y);
    put_axis(to, y, false, x);
    fprintf(to, "<path class=\"axis\" d=\"M%.1f %.1fV%.1fH%.1f\"/><text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">", x->from, y->to, y->from, x->to, 0.5 * (x->from + x->to),
            HEIGHT - 8);
    sb_html_text(to, axes->xlabel);
    fprintf(to, "</text><text transform=\"translate(12 %.1f) rotate(-90)\" text-anchor=\"middle\">", 0.5 * (y->from + y->to));
    sb_html_text(to, axes->ylabel);
    fputs("</text>\n", to);
}

/* Above or below what is shown. */
static bool outside(const axis *a, double at) {
    return fabs(at - clamp(a, at)) > 0.5;
}

static void put_line(FILE *to, const sb_curve *c, const axis *x, const axis *y) {
    bool down = false;
    fprintf(to, "<g style=\"--k:var(--c%d)\"><path class=\"line\" d=\"", c->colour);
    for (int i = 0; i < c->n; i++) {
        const bool here = shown(x, c->x[i]) && shown(y, c->y[i]);
        if (here && (down || !outside(y, place(y, c->y[i])))) { /* a line ends at the edge */
            fprintf(to, "%c%.1f %.1f", down ? 'L' : 'M', place(x, c->x[i]), clamp(y, place(y, c->y[i])));
        }
        down = here && !outside(y, place(y, c->y[i]));
    }
    fputs("\"/>", to);
    for (int i = 0; i < c->n && !c->bare; i++) {
        if (shown(x, c->x[i]) && shown(y, c->y[i])) {
            fprintf(to, "<circle r=\"%s\" cx=\"%.1f\" cy=\"%.1f\"><title>", c->colour == 0 ? "3.4" : "2.4", place(x, c->x[i]), clamp(y, place(y, c->y[i])));
            sb_html_text(to, c->name);
            fprintf(to, ": %.4g, %.3g</title></circle>", c->x[i], c->y[i]);
        }
    }
    fputs("</g>\n", to);
}

/* Through the middle of the first curve's points, over the middle half of the axis. */
static void put_slope(FILE *to, double slope, const sb_curve *c, const axis *x, const axis *y) {
    const int i = c->n / 2;
    if (slope == 0.0 || c->n == 0 || !shown(x, c->x[i]) || !shown(y, c->y[i])) {
        return;
    }
    const double u = log10(c->x[i]), v = log10(c->y[i]) - 0.06 * (y->hi - y->lo), reach = fmin(0.22 * (x->hi - x->lo), 0.35 * (y->hi - y->lo) / fabs(slope));
    fprintf(to, "<path class=\"guide\" d=\"M%.1f %.1fL%.1f %.1f\"/><text class=\"small\" x=\"%.1f\" y=\"%.1f\">slope %g</text>\n", place(x, pow(10.0, u - reach)),
            place(y, pow(10.0, v - slope * reach)), place(x, pow(10.0, u + reach)), place(y, pow(10.0, v + slope * reach)), place(x, pow(10.0, u + reach)) + 3.0,
            clamp(y, place(y, pow(10.0, v + slope * reach)) + 10.0), slope);
}

void sb_html_chart(FILE *to, const sb_chart_axes *axes, int ncurves, const sb_curve *curves) {
    axis x = {axes->xlog, (double)INFINITY, -(double)INFINITY, LEFT, WIDTH - RIGHT}, y = {axes->ylog, (double)INFINITY, -(double)INFINITY, HEIGHT - BOTTOM, TOP};
    for (int k = 0; k < ncurves; k++) {
        widen(&x, curves[k].n, curves[k].x);
        widen(&y, curves[k].n, curves[k].y);
    }
    settle(&x, axes->xmin, axes->xmax);
    settle(&y, axes->ymin, axes->ymax);
    begin(to, axes, &x, &y);
    for (int k = ncurves - 1; k >= 0; k--) { /* the first on top */
        put_line(to, &curves[k], &x, &y);
    }
    if (ncurves > 0 && axes->xlog && axes->ylog) {
        put_slope(to, axes->slope, &curves[0], &x, &y);
    }
    fputs("</svg></figure>\n", to);
}

void sb_html_map(FILE *to, const sb_chart_axes *axes, int nx, int ny, const char *const *classes) {
    const axis x = {false, axes->xmin, axes->xmax, LEFT, WIDTH - RIGHT}, y = {false, axes->ymin, axes->ymax, HEIGHT - BOTTOM, TOP};
    const double width = (x.to - x.from) / nx, height = (y.from - y.to) / ny;
    begin(to, axes, &x, &y);
    for (int j = 0; j < ny; j++) {
        for (int i = 0, end; i < nx; i = end) {
            for (end = i + 1; end < nx && strcmp(classes[j * nx + end], classes[j * nx + i]) == 0; end++) {
            }
            fprintf(to, "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>", classes[j * nx + i], x.from + i * width, y.from - (j + 1) * height,
                    (end - i) * width + 0.3, height + 0.3);
        }
    }
    fputs("\n</svg></figure>\n", to);
}
