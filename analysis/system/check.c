/* Checks a system against itself: random points, rows and differences along a line. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <stepbench/numerics/norm.h>

#include "analysis/random.h"
#include "analysis/system/check_internal.h"

const sb_column sb_check_columns[SB_CHECK_COLUMNS] = {
    {"problem", SB_COL_KEY, "", "the problem"},
    {"check", SB_COL_KEY, "", "what is checked"},
    {"callback", SB_COL_INFO, "", "the callback that a failure accuses"},
    {"verdict", SB_COL_INFO, "", "passed, failed, or undecided if differences are too inaccurate to tell"},
    {"compared", SB_COL_EXACT, "", "numbers that were compared"},
    {"message", SB_COL_INFO, "", "the entry that is wrong, its value, and what is expected"},
};

/* ---- The row. ---- */

static const double undecided = 0.5; /* any severity below 1, which is that of an error as large as its bound */

void sb_check_begin(sb_examination *c, const char *name, const char *callback) {
    c->name = name;
    c->callback = callback;
    c->compared = 0;
    c->severity = 0.0;
    c->message[0] = '\0';
}

void sb_check_fault(sb_examination *c, double severity, const char *format, ...) {
    va_list args;
    if (severity <= c->severity) {
        return;
    }
    c->severity = severity;
    va_start(args, format);
    vsnprintf(c->message, sizeof c->message, format, args);
    va_end(args);
}

int sb_check_end(sb_examination *c) {
    if (c->compared == 0 && c->severity == 0.0) {
        return SB_OK;
    }
    const char *verdict = c->severity == 0.0 ? "passed" : sb_check_undecided(c->severity) ? "undecided" : "failed";
    const sb_cell row[SB_CHECK_COLUMNS] = {sb_text(c->sys->name), sb_text(c->name),    sb_text(c->callback),
                                           sb_text(verdict),      sb_int(c->compared), sb_text(c->message)};
    c->rows++;
    c->failed += c->severity > 0.0;
    SB_TRY(sb_poll(c->ctx));
    return c->sink->row(c->sink, row);
}

static int write_vector(char *out, size_t size, const char *name, int n, const double *x) {
    int length = snprintf(out, size, "%s = (", name);
    for (int i = 0; i < n; i++) {
        length += snprintf(out + length, size - (size_t)length, "%s%.4g", i > 0 ? ", " : "", x[i]);
    }
    return length + snprintf(out + length, size - (size_t)length, ")");
}

const char *sb_check_where(const sb_examination *c, const sb_term_point *p, char out[SB_CHECK_WHERE]) {
    enum { FEW = 4 }; /* numbers of at most 12 characters */
    if (c->sys->n > FEW) {
        snprintf(out, SB_CHECK_WHERE, "at random point %d", (int)(p - c->points));
        return out;
    }
    int length = snprintf(out, SB_CHECK_WHERE, "at ");
    length += write_vector(out + length, SB_CHECK_WHERE - (size_t)length, "q", c->sys->n, p->q);
    length += snprintf(out + length, SB_CHECK_WHERE - (size_t)length, ", ");
    write_vector(out + length, SB_CHECK_WHERE - (size_t)length, "v", c->sys->n, p->v);
    return out;
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
    if (c->sys->chart != NULL) {
        move(c->sys->chart->n, from->s, x, line->ds, to->s);
    }
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

/* The x by which no coordinate moves further than its scale. */
static double reach_of(const sb_check_line *line) {
    const sb_examination *c = line->check;
    const int n = c->sys->n, charted = c->sys->chart != NULL ? c->sys->chart->n : 0;
    const double moved = fmax(largest_share(n, line->dq, c->scale_q), largest_share(n, line->dv, c->scale_v));
    const double fastest =
        fmax(fabs(line->dt) / c->sys->time_scale, fmax(moved, largest_share(charted, line->ds, c->scale_s)));
    return fastest > 0.0 ? 1.0 / fastest : 1.0;
}

static int report(const sb_check_line *line, int status) {
    const sb_check_options *options = line->check->options;
    char where[SB_CHECK_WHERE];
    if (options->progress != NULL) {
        options->progress(options->progress_arg, line->check->sys->name, line->check->name);
    }
    if (status != SB_OK) {
        sb_check_fault(line->check, INFINITY, "%s returns status %d (%s) %s", sb_term_symbol(line->term), status,
                       sb_status_text(status), sb_check_where(line->check, line->from, where));
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
    return report(line, sb_difference_noise(&f, 1e-3 * reach_of(line), &c->work, c->bound, c->size));
}

/* ---- Points. ---- */

static double random_number(gsl_rng *rng) { return 2.0 * gsl_rng_uniform(rng) - 1.0; }

/* A coordinate changes over its own size, over the way that it goes in a time scale, or, if it is small and at rest,
 * over a tenth of the largest of all; a system that starts at rest at 0 over 1. */
static void set_scales(sb_examination *c) {
    const int n = c->sys->n;
    const double T = c->sys->time_scale, largest = fmax(sb_norm_max(n, c->q0), T * sb_norm_max(n, c->v0));
    for (int i = 0; i < n; i++) {
        c->scale_q[i] = fmax(fmax(fabs(c->q0[i]), T * fabs(c->v0[i])), largest > 0.0 ? 0.1 * largest : 1.0);
        c->scale_v[i] = c->scale_q[i] / T;
    }
}

/* Sets s to the chart's coordinates of the start, and to 0 where the chart is singular there. */
static void set_chart(sb_examination *c, double *s) {
    const sb_chart *chart = c->sys->chart;
    if (chart->inverse == NULL || chart->inverse(chart->self, c->q0, s) != SB_OK) {
        memset(s, 0, (size_t)chart->n * sizeof *s);
    }
    const double largest = sb_norm_max(chart->n, s);
    for (int i = 0; i < chart->n; i++) {
        c->scale_s[i] = fmax(fabs(s[i]), largest > 0.0 ? 0.1 * largest : 1.0);
    }
}

/* Returns the first term that cannot be evaluated at the point, SB_TERM_COUNT if there is none. */
static sb_term first_failure(const sb_examination *c, const sb_term_point *p, int *status) {
    for (int term = 0; term < SB_TERM_COUNT; term++) {
        const int length = sb_term_length((sb_term)term, c->sys);
        memset(c->a, 0, (size_t)length * sizeof *c->a);
        *status = length > 0 ? sb_term_evaluate((sb_term)term, p, 1.0, c->a) : SB_OK;
        if (*status != SB_OK) {
            return (sb_term)term;
        }
    }
    return SB_TERM_COUNT;
}

static int new_point(sb_examination *c, gsl_rng *rng, sb_term_point *p) {
    const int n = c->sys->n, m = c->sys->holonomic.m, ns = c->sys->chart != NULL ? c->sys->chart->n : 0;
    double *w, *wq, *u;
    *p = (sb_term_point){.sys = c->sys, .scratch = c->moved.scratch, .t = c->t0 + c->sys->time_scale * 0.3};
    SB_TRY(SB_VECTORS(c->arena, n, &p->q, &p->v, &wq));
    SB_TRY(SB_VECTORS(c->arena, ns, &p->s, &u));
    SB_NEW(c->arena, w, m);
    p->w = w;
    p->wq = wq;
    p->u = u;
    for (int i = 0; rng != NULL && i < m; i++) {
        w[i] = random_number(rng);
    }
    for (int i = 0; rng != NULL && i < n; i++) {
        wq[i] = random_number(rng);
    }
    for (int i = 0; rng != NULL && i < ns; i++) {
        u[i] = random_number(rng);
    }
    return SB_OK;
}

/* Sets a point within a thirtieth of the scales around the start, and nearer to it if a term has no value there. So far
 * off the constraints they keep their rank; velocities are arbitrary. */
static int random_point(sb_examination *c, gsl_rng *rng, const double *s0, sb_term_point *p) {
    enum { NEARER = 12 };
    int status = SB_OK;
    sb_term failure = SB_TERM_COUNT;
    SB_TRY(new_point(c, rng, p));
    for (int attempt = 0; attempt < NEARER; attempt++) {
        const double range = attempt + 1 < NEARER ? 0.03 * pow(0.5, attempt) : 0.0;
        for (int i = 0; i < c->sys->n; i++) {
            p->q[i] = c->q0[i] + range * c->scale_q[i] * random_number(rng);
            p->v[i] = c->v0[i] + c->scale_v[i] * random_number(rng);
        }
        for (int i = 0; c->sys->chart != NULL && i < c->sys->chart->n; i++) {
            p->s[i] = s0[i] + range * c->scale_s[i] * random_number(rng);
        }
        failure = first_failure(c, p, &status);
        if (failure == SB_TERM_COUNT) {
            return SB_OK;
        }
    }
    sb_check_begin(c, "domain", sb_term_callback(failure, c->sys));
    sb_check_fault(c, INFINITY, "%s has no value at the start: it returns status %d (%s)", sb_term_symbol(failure),
                   status, sb_status_text(status));
    SB_TRY(sb_check_end(c));
    c->npoints = 0;
    return SB_OK;
}

static int make_points(sb_examination *c, const sb_check_options *options) {
    gsl_rng *rng;
    double *s0;
    SB_TRY(sb_random(c->arena, (unsigned long)options->seed, &rng));
    c->npoints = (int)options->points;
    SB_NEW(c->arena, c->points, c->npoints);
    SB_NEW(c->arena, s0, c->sys->chart != NULL ? c->sys->chart->n : 0);
    set_scales(c);
    if (c->sys->chart != NULL) {
        set_chart(c, s0);
    }
    for (int k = 0; k < c->npoints; k++) {
        SB_TRY(random_point(c, rng, s0, &c->points[k]));
    }
    return SB_OK;
}

static int allocate(sb_examination *c) {
    const int n = c->sys->n, ns = c->sys->chart != NULL ? c->sys->chart->n : 0;
    c->most = n > ns ? n : ns;
    for (int term = 0; term < SB_TERM_COUNT; term++) {
        const int length = sb_term_length((sb_term)term, c->sys);
        c->most = length > c->most ? length : c->most;
    }
    SB_TRY(SB_VECTORS(c->arena, c->most, &c->a, &c->b, &c->d, &c->bound, &c->size, &c->moved.scratch));
    SB_TRY(SB_VECTORS(c->arena, n, &c->q0, &c->v0, &c->scale_q, &c->scale_v, &c->dq, &c->dv));
    SB_TRY(SB_VECTORS(c->arena, ns, &c->scale_s, &c->ds));
    SB_TRY(new_point(c, NULL, &c->moved));
    return sb_difference_init(c->arena, c->most, &c->work);
}

int sb_check_system(sb_context *ctx, sb_arena *arena, const sb_system *sys, const sb_check_options *options,
                    sb_sink *out, int *count, int *failed) {
    sb_examination check = {.ctx = ctx, .arena = arena, .sys = sys, .options = options, .sink = out}, *c = &check;
    SB_TRY(allocate(c));
    SB_TRY(sys->initial(sys->self, &c->t0, c->q0, c->v0));
    SB_TRY(sb_check_start(c));
    SB_TRY(make_points(c, options));
    if (c->npoints > 0) {
        SB_TRY(sb_check_structure(c));
        SB_TRY(sb_check_arrays(c));
        SB_TRY(sb_check_derivatives(c));
        SB_TRY(sb_check_symmetries(c));
        SB_TRY(sb_check_solutions(c));
    }
    *count += c->rows;
    *failed += c->failed;
    return SB_OK;
}
