/* Pieces of a page: text as HTML shows it, files of the data folder, plots as inline SVG. */
#ifndef STEPBENCH_BENCH_REPORT_HTML_H
#define STEPBENCH_BENCH_REPORT_HTML_H

#include <stdbool.h>
#include <stdio.h>

#include <stepbench/context.h>

/* Text as HTML shows it, also between double quotes. */
void sb_html_text(FILE *to, const char *text);
/* A file of the data folder as it stands. */
int sb_html_asset(sb_context *ctx, sb_arena *arena, const char *file, FILE *to);

/* A line through points; those that are not finite, or not positive on a log axis, break it. */
typedef struct sb_curve {
    const char *name;
    int colour; /* of the palette, 0 ... 7: var(--c0) ... */
    int n;
    const double *x, *y;
    bool bare; /* no marks at the points */
} sb_curve;

typedef struct sb_chart_axes {
    const char *title, *xlabel, *ylabel;
    const char *alt;        /* what a reader who sees nothing is told */
    bool xlog, ylog;
    double xmin, xmax, ymin, ymax; /* NaN: from the curves */
    double slope;           /* a thin dashed line of this slope in log-log; 0: none */
} sb_chart_axes;

/* Self-contained: colours by the page's custom properties, values as titles of the points. */
void sb_html_chart(FILE *to, const sb_chart_axes *axes, int ncurves, const sb_curve *curves);

/* A map of nx by ny cells from class names (row by row from the bottom, nx entries each); neighbours of one class become one rectangle. The axes are linear
 * from xmin to xmax and ymin to ymax. */
void sb_html_map(FILE *to, const sb_chart_axes *axes, int nx, int ny, const char *const *classes);

#endif
