/* The examination of a system by its checks: random points, the row of a check, and differences along a line. */
#pragma once

#include "analysis/system/check.h"
#include "analysis/system/difference.h"
#include "analysis/system/terms.h"

typedef struct sb_examination {
    sb_context *ctx;
    sb_arena *arena;
    const sb_system *sys;
    const sb_check_options *options;
    sb_sink *sink;
    int ns;                              /* coordinates of the chart; 0 without a chart */
    double t0, *q0, *v0;                 /* the initial state */
    double *scale_q, *scale_v, *scale_s; /* lengths over which terms change, for every coordinate */
    int npoints;
    sb_term_point *points;
    int most;                         /* the largest number of values of a term */
    double *a, *b, *d, *bound, *size; /* scratch, `most` each */
    double *dq, *dv, *ds;             /* a direction */
    sb_term_point moved;              /* scratch: a point on a line */
    sb_difference_work work;
    /* The row of the present check. */
    const char *name, *callback;
    long compared;
    double severity;
    char message[SB_MESSAGE_MAX];
} sb_examination;

/* Begins a row; `callback` is "" if several callbacks are checked. */
void sb_check_begin(sb_examination *c, const char *name, const char *callback);
/* Records a fault of the row, found at the point p (NULL: the sentence names no point). The sentence of the largest
 * severity is kept. */
void sb_check_fault(sb_examination *c, const sb_term_point *p, double severity, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Counts a comparison, and records a fault unless it `holds`. */
void sb_check_expect(sb_examination *c, bool holds, const sb_term_point *p, double severity, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
/* Writes the row, unless nothing was compared and nothing is wrong. */
int sb_check_end(sb_examination *c);

/* Compares `value` of the system with the derivative d, which has the error bound `bound`. `scale` is the size of
 * numbers of this kind: a bound above 1e-4 of it is too large to decide. Returns the severity, 0 if they agree. */
double sb_check_compare(sb_examination *c, double value, double d, double bound, double scale);
/* Returns whether a severity stands for a bound that is too large to decide. */
bool sb_check_undecided(double severity);

/* A term along the line (t + x dt, q + x dq, v + x dv, s + x ds). A direction that is NULL is zero. */
typedef struct sb_check_line {
    sb_examination *check;
    const sb_term_point *from;
    sb_term term;
    double dt;
    const double *dq, *dv, *ds;
} sb_check_line;

/* Computes the derivative of the line's term at x = 0 into c->d with c->bound and c->size. A status that the term
 * returns at x = 0 is recorded as a fault and returned. */
int sb_check_derivative(const sb_check_line *line);
/* Computes a bound of the round-off of the term along the line into c->bound. Fails likewise. */
int sb_check_noise(const sb_check_line *line);
