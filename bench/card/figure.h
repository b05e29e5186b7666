/* Writes the figures of a card: their points and settings go to one script, which gnuplot draws at the end. */
#ifndef STEPBENCH_BENCH_CARD_FIGURE_H
#define STEPBENCH_BENCH_CARD_FIGURE_H

#include <stdbool.h>

#include "bench/card/card.h"

enum { SB_FIGURE_CURVES = 8 };

/* A figure: its axes, as card.gp expects them. */
typedef struct sb_figure {
    const char *title, *xlabel, *ylabel;
    const char *alt; /* the figure in words */
    bool xlog, ylog, marks;
    double xmax, ymax;        /* 0: automatic */
    double slope, xmid, ymid; /* a dashed line near (xmid, ymid); slope 0: none */
    double width, height;     /* of a cell of a map */
    int count;                /* curves; 0: a map */
    int colours[SB_FIGURE_CURVES];
} sb_figure;

/* The number of points of a curve, its first point and its last point. */
typedef struct sb_curve_ends {
    int n;
    double x0, y0, x1, y1;
} sb_curve_ends;

/* Calls `sections` with a copy of the card whose figures one gnuplot draws, and adds what it writes to card->to;
 * without gnuplot, notes stand in place of the figures. Fails as `sections` does, or with SB_IO or SB_NO_MEMORY. */
int sb_figures_write(const sb_card *card, int (*sections)(const sb_card *));

/* Begins the points of a figure. Without a script, card->script NULL, a figure becomes an object in JSON, which
 * assets/card.js draws; its axes are logarithmic. */
void sb_figure_begin(const sb_card *card);

/* Adds a point to a curve, unless the axes cannot show it. */
void sb_figure_point(const sb_card *card, const sb_figure *f, sb_curve_ends *e, double x, double y);

/* Ends a curve and counts it if it has points. */
void sb_figure_end_curve(const sb_card *card, sb_figure *f, const sb_curve_ends *e, int colour);

/* Ends the figure and marks its place in the page; a figure without points is a note. */
void sb_figure_end(const sb_card *card, const sb_figure *f);

#endif
