/* The examination of a system by its checks: the row of a check, and differences along a line. */
#include <stdarg.h>
#include <string.h>

#include <stepbench/numerics/norm.h>

#include "analysis/system/examination.h"

/* ---- The row. ---- */

static const double undecided = 0.5; /* any severity below 1, which is that of an error as large as its bound */

void sb_check_begin(sb_examination *c, const char *name, const char *callback) {
    c->name = name;
    c->callback = callback;
    c->compared = 0;
    c->severity = 0.0;
    c->message[0] = '\0';
    if (c->options->progress != NULL) {
        c->options->progress(c->options->progress_arg, name);
    }
}

static int write_vector(char *out, size_t size, const char *name, int n, const double *x) {
    int length = snprintf(out, size, "%s = (", name);
    for (int i = 0; i < n; i++) {
        length += snprintf(out + length, size - (size_t)length, "%s%.4g", i > 0 ? ", " : "", x[i]);
    }
    return length + snprintf(out + length, size - (size_t)length, ")");
}

/* Writes " at q = (...), v = (...)" for a few coordinates, otherwise " at random point k". */
static void write_point(const sb_examination *c, const sb_term_point *p, char *out, size_t size) {
    enum { FEW = 4 };
    char q[128], v[128]; /* numbers of at most 12 characters */
    if (c->sys->n > FEW) {
        snprintf(out, size, " at random point %d", (int)(p - c->points));
        return;
    }
    write_vector(q, sizeof q, "q", c->sys->n, p->q);
    write_vector(v, sizeof v, "v", c->sys->n, p->v);
    snprintf(out, size, " at %s, %s", q, v);
}

/* A severity of NaN comes from a value that is NaN. */
static void record(sb_examination *c, const sb_term_point *p, double severity, const char *format, va_list args) {
    if (!(severity <= c->severity)) {
        const int length = vsnprintf(c->message, sizeof c->message, format, args);
        c->severity = isnan(severity) ? (double)INFINITY : severity;
        if (p != NULL && length >= 0 && (size_t)length < sizeof c->message) {
            write_point(c, p, c->message + length, sizeof c->message - (size_t)length);
        }
    }
}

void sb_check_fault(sb_examination *c, const sb_term_point *p, double severity, const char *format, ...) {
    va_list args;
    va_start(args, format);
    record(c, p, severity, format, args);
    va_end(args);
}

void sb_check_expect(sb_examination *c, bool holds, const sb_term_point *p, double severity, const char *format, ...) {
    va_list args;
    c->compared++;
    va_start(args, format);
    if (!holds) {
        record(c, p, severity, format, args);
    }
    va_end(args);
}

int sb_check_end(sb_examination *c) {
    if (c->compared == 0 && c->severity == 0.0) {
        return SB_OK;
    }
    const char *verdict = c->severity == 0.0 ? "passed" : sb_check_undecided(c->severity) ? "undecided" : "failed";
    const sb_cell row[SB_CHECK_COLUMNS] = {sb_text(c->sys->name), sb_text(c->name),    sb_text(c->callback),
                                           sb_text(verdict),      sb_int(c->compared), sb_text(c->message)};
    SB_TRY(sb_poll(c->ctx));
    return c->sink->row(c->sink, row);
}

double sb_check_compare(sb_examination *c, double value, double d, double bound, double scale) {
    const double error = fabs(value - d);
    c->compared++;
    if (error <= bound) {
        return bound <= 1e-4 * scale || bound == 0.0 ? 0.0 : undecided;
    }
    return isfinite(error) && bound > 0.0 ? fmin(1.0 + error / bound, 1e300) : INFINITY;
}

bool sb_check_undecided(double severity) { return severity == undecided; }

/* ---- Lines. ---- */

static void move(int n, const double *from, double x, const double *direction, double *to) {
    for (int i = 0; i < n; i++) {
        to[i] = direction == NULL ? from[i] : from[i] + x * direction[i];
    }
}

static int on_line(const void *arg, double x, double *out) {
    const sb_check_line *line = arg;
    sb_examination *c = line->check;
    const sb_term_point *from = line->from;
    sb_term_point *to = &c->moved;
    to->t = from->t + x * line->dt;
    to->w = from->w;
    to->wq = from->wq;
    to->u = from->u;
    move(c->sys->n, from->q, x, line->dq, to->q);
    move(c->sys->n, from->v, x, line->dv, to->v);
    move(c->ns, from->s, x, line->ds, to->s);
    if (sb_term_adds(line->term, c->sys)) {
        memset(out, 0, (size_t)sb_term_length(line->term, c->sys) * sizeof *out);
    }
    return sb_term_evaluate(line->term, to, 1.0, out);
}

/* Returns the largest |d_i| / scale_i; d may be NULL for zeros. */
static double largest_share(int n, const double *d, const double *scale) {
    double largest = 0.0;
    for (int i = 0; d != NULL && i < n; i++) {
        largest = fmax(largest, fabs(d[i]) / scale[i]);
    }
    return largest;
}

/* Returns the x by which no coordinate moves further than its scale. */
static double reach_of(const sb_check_line *line) {
    const sb_examination *c = line->check;
    const int n = c->sys->n;
    const double moved = fmax(largest_share(n, line->dq, c->scale_q), largest_share(n, line->dv, c->scale_v));
    const double fastest =
        fmax(fabs(line->dt) / c->sys->time_scale, fmax(moved, largest_share(c->ns, line->ds, c->scale_s)));
    return fastest > 0.0 ? 1.0 / fastest : 1.0;
}

/* Records a failure of the term. */
static int report(const sb_check_line *line, int status) {
    if (status != SB_OK) {
        sb_check_fault(line->check, line->from, INFINITY, "%s returns status %d (%s)", sb_term_symbol(line->term),
                       status, sb_status_text(status));
    }
    return status;
}

int sb_check_derivative(const sb_check_line *line) {
    sb_examination *c = line->check;
    const sb_curve f = {sb_term_length(line->term, c->sys), on_line, line};
    return report(line, sb_difference(&f, reach_of(line), &c->work, c->d, c->bound, c->size));
}

int sb_check_noise(const sb_check_line *line) {
    sb_examination *c = line->check;
    const sb_curve f = {sb_term_length(line->term, c->sys), on_line, line};
    return report(line, sb_difference_noise(&f, 1e-5 * reach_of(line), &c->work, c->bound, c->size));
}
