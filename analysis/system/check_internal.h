/* What the checks of a system share: random points, the row that is being decided, and differences along a line. */
#ifndef STEPBENCH_ANALYSIS_SYSTEM_CHECK_INTERNAL_H
#define STEPBENCH_ANALYSIS_SYSTEM_CHECK_INTERNAL_H

#include "analysis/system/check.h"
#include "analysis/system/difference.h"
#include "analysis/system/terms.h"

typedef struct sb_examination {
    sb_context *ctx;
    sb_arena *arena;
    const sb_system *sys;
    const sb_check_options *options;
    sb_sink *sink;
    double t0, *q0, *v0;                 /* the start */
    double *scale_q, *scale_v, *scale_s; /* lengths over which terms change, for every coordinate */
    int npoints;
    sb_term_point *points;
    int most;                         /* the largest number of values of a term */
    double *a, *b, *d, *bound, *size; /* scratch, `most` each */
    double *dq, *dv, *ds;             /* a direction */
    sb_term_point moved;              /* scratch of sb_check_line */
    sb_difference_work work;
    /* The row that is being decided. */
    const char *name, *callback;
    long compared;
    double severity;
    char message[SB_MESSAGE_MAX];
    int rows, failed;
} sb_examination;

/* Begins a row; `callback` is "" where several are checked. */
void sb_check_begin(sb_examination *c, const char *name, const char *callback);
/* Records a fault of the row; the sentence of the largest severity is kept. */
void sb_check_fault(sb_examination *c, double severity, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Writes the row, unless nothing was compared and nothing is wrong. */
int sb_check_end(sb_examination *c);

/* Returns "at q = (...), v = (...)" for a few coordinates, otherwise "at random point k", in `out`. */
enum { SB_CHECK_WHERE = 256 };
const char *sb_check_where(const sb_examination *c, const sb_term_point *p, char out[SB_CHECK_WHERE]);

/* Decides on one number: `value` of the system against the derivative d with its bound. `scale` is the size of numbers
 * of this kind: a bound above a ten-thousandth of it decides nothing. Returns the severity, 0 if they agree. */
double sb_check_compare(sb_examination *c, double value, double d, double bound, double scale);
/* Returns whether a severity stands for a bound too large to decide. */
bool sb_check_undecided(double severity);

/* A term along the line (t + x dt, q + x dq, v + x dv, s + x ds). NULL: not moved. */
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
/* The same for the round-off of the term along the line, into c->bound. */
int sb_check_noise(const sb_check_line *line);

/* The groups of checks. They fail if a row cannot be written. */
int sb_check_arrays(sb_examination *c);
int sb_check_derivatives(sb_examination *c);
int sb_check_start(sb_examination *c);
int sb_check_structure(sb_examination *c);
int sb_check_symmetries(sb_examination *c);
int sb_check_solutions(sb_examination *c);

#endif
