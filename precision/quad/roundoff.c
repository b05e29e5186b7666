/* `stepbench_quad roundoff`: how the round-off of a run in double or single precision grows with its steps, from the
 * difference to the same run in quadruple precision: brouwer37; hlw06 VIII.5. */
#include <string.h>

#include <stepbench/numerics/dynamics.h>

#include "core/run/build.h"
#include "core/run/quad_options.h"
#include "precision/precision.h"

enum { DOUBLE, SINGLE }; /* the choice `of` */
enum { IN_Q, IN_V, IN_ENERGY, PARTS };
/* The number of last rows that are fitted. In earlier rows the rounding of a single state is not small compared with
 * the accumulated error. */
enum { SAMPLES_MAX = 4096, ROWS_MAX = 16, FITTED = 5 };
/* The segments of a run, whose changes of the energy are compared: not more than the least number of samples. */
enum { SEGMENTS = 16 };

/* The growth of the differences. */
typedef struct growth {
    long count, every;
    sb_scalar *sum[PARTS]; /* squares of the differences per sample, summed over the runs */
    sb_scalar *energy;     /* difference of the energy per sample, of the current run */
    sb_scalar rise,
        rise2;         /* change of that difference over a segment of a run: sum over all segments, and of squares */
    sb_scalar size;    /* largest |q| */
    sb_scalar lost_at; /* time at which the first run is lost; infinite: never */
} growth;

typedef struct comparison {
    const sb_solution *lower;
    sb_dynamics *dyn;
    growth *to;
    sb_scalar lost;
} comparison;

static int compare(void *arg, const sb_sample *sample) {
    const comparison *c = arg;
    const sb_solution *d = c->lower;
    const long j = sample->step / c->to->every;
    const sb_scalar *q = d->q + j * d->n, *v = d->v + j * d->n;
    sb_scalar T, V, kinetic, potential;
    SB_TRY(sb_dynamics_energy(c->dyn, sample->t, q, v, &T, &V));
    SB_TRY(sb_dynamics_energy(c->dyn, sample->t, sample->q, sample->v, &kinetic, &potential));
    const sb_scalar distance2 = precision_distance2(d->n, q, sample->q), energy = T + V - kinetic - potential;
    c->to->sum[IN_Q][j] += distance2;
    c->to->sum[IN_V][j] += precision_distance2(d->n, v, sample->v);
    c->to->sum[IN_ENERGY][j] += energy * energy;
    c->to->energy[j] = energy;
    c->to->size = sb_larger(c->to->size, sb_norm_max(d->n, sample->q));
    if (sqrt(distance2) > c->lost * c->to->size && sample->t < c->to->lost_at) {
        c->to->lost_at = sample->t;
    }
    return SB_OK;
}

/* Sets (q, v) to a state in a lower precision, moved onto the constraints by its round-off. */
static int start(sb_dynamics *dyn, sb_scalar t, const sb_scalar *q0, const sb_scalar *v0, sb_scalar *q, sb_scalar *v,
                 sb_scalar *p) {
    const int n = dyn->sys->n;
    memcpy(q, q0, (size_t)n * sizeof *q);
    memcpy(v, v0, (size_t)n * sizeof *v);
    if (sb_system_bilateral(dyn->sys) == 0) {
        return SB_OK;
    }
    SB_TRY(sb_dynamics_position(dyn, t, q));
    SB_TRY(sb_dynamics_momentum(dyn, q, v0, p));
    return sb_dynamics_velocity(dyn, t, q, p, v, NULL);
}

/* Runs both precisions with one step. The run in quadruple precision begins from the first state of the other. */
static int compare_run(const precision_call *call, const sb_roundoff_options *o, double h, growth *to) {
    sb_solution lower;
    sb_method method;
    sb_dynamics dyn;
    SB_TRY(precision_run_lower(call, o->of == SINGLE, o->lower_plugins, h, to->count, to->every, &lower));
    SB_TRY(sb_method_build(call->ctx, call->arena, call->stepper, &call->sys, &method));
    SB_TRY(sb_dynamics_init(call->ctx, call->arena, &call->sys, &dyn));
    comparison c = {&lower, &dyn, to, o->lost};
    sb_scalar *q, *v, *p, t0;
    SB_TRY(SB_VECTORS(call->arena, call->sys.n, &q, &v, &p));
    SB_TRY(call->sys.initial(call->sys.self, &t0, q, v));
    SB_TRY(start(&dyn, t0, lower.q, lower.v, q, v, p));
    sb_run run = {.h = h, .steps = to->count * to->every, .every = to->every, .q0 = q, .v0 = v, .t0 = t0};
    return precision_run_method(call, call->stepper, &method, &run, compare, &c);
}

/* Adds the changes of the energy over the segments of a run. */
static void add_segments(growth *g) {
    for (long k = 0; k < SEGMENTS; k++) {
        const sb_scalar rise = g->energy[(k + 1) * g->count / SEGMENTS] - g->energy[k * g->count / SEGMENTS];
        g->rise += rise;
        g->rise2 += rise * rise;
    }
}

/* Computes the mean change of the energy per step, and its standard error. In a random walk the changes over the
 * N = SEGMENTS * runs segments are independent and have the mean zero, so that the mean of n steps in all is
 * sigma/sqrt(n) for a step's rounding sigma: a bias of 4 sigma/sqrt(n) is seen, while the exponent of the growth shows
 * one of about sigma/sqrt(steps of a run). */
static void fit_bias(const growth *g, long runs, sb_scalar *bias, sb_scalar *se) {
    const sb_scalar N = (sb_scalar)(SEGMENTS * runs), mean = g->rise / N,
                    variance = (g->rise2 / N - mean * mean) * N / (N - 1.0),
                    length = (sb_scalar)(g->count * g->every) / SEGMENTS;
    *bias = mean / length;
    *se = sqrt(fmax(variance, 0.0) / N) / length;
}

/* Computes the slope of log y over log x by least squares, and its standard error. */
static void fit(int n, const sb_scalar *x, const sb_scalar *y, sb_scalar *slope, sb_scalar *se) {
    sb_scalar mx = 0.0, my = 0.0, xx = 0.0, xy = 0.0, rest = 0.0;
    for (int i = 0; i < n; i++) {
        mx += log(x[i]) / n;
        my += log(y[i]) / n;
    }
    for (int i = 0; i < n; i++) {
        xx += (log(x[i]) - mx) * (log(x[i]) - mx);
        xy += (log(x[i]) - mx) * (log(y[i]) - my);
    }
    *slope = xy / xx;
    for (int i = 0; i < n; i++) {
        const sb_scalar d = log(y[i]) - my - *slope * (log(x[i]) - mx);
        rest += d * d;
    }
    *se = n > 2 ? sqrt(rest / (n - 2) / xx) : NAN;
}

static const sb_column columns[] = {
    {"steps", SB_COL_KEY, "", "number of steps; empty in the row of the fit"},
    {"t", SB_COL_INFO, "s", "their time"},
    {"err_q", SB_COL_ERROR, "",
     "root mean square, over the runs and the second half of the steps, of the distance of q"},
    {"err_v", SB_COL_ERROR, "", "the same of v"},
    {"err_energy", SB_COL_ERROR, "J", "the same of the energy"},
    {"exponent_q", SB_COL_SLOPE, "", "in the row of the fit: exponent of the number of steps in the growth of err_q"},
    {"se_q", SB_COL_INFO, "", "its standard error"},
    {"exponent_v", SB_COL_SLOPE, "", "the same of err_v"},
    {"se_v", SB_COL_INFO, "", "its standard error"},
    {"exponent_energy", SB_COL_SLOPE, "", "the same of err_energy"},
    {"se_energy", SB_COL_INFO, "", "its standard error"},
    {"bias", SB_COL_INFO, "J", "mean change of the energy by round-off per step"},
    {"se_bias", SB_COL_INFO, "J", "its standard error, if the changes are a random walk"},
    {"law", SB_COL_INFO, "",
     "of the energy: systematic (a bias of 4 standard errors), random (exponent 1/2) or neither"},
    {"horizon", SB_COL_INFO, "s", "time at which the first trajectory is lost"},
    {"horizon_by", SB_COL_INFO, "", "run: reached in the run; power: err_q continued with its power"},
    {"status", SB_COL_INFO, "", "ok, or fit"},
};
enum { COLUMNS = sizeof columns / sizeof *columns };

/* Returns the law of growth by Brouwer: the sum of independent roundings grows as the root of their number, that of
 * biased ones in proportion to it. A random walk exceeds 4 standard errors of the bias in 1 of 16 000 calls. Its
 * exponent has the standard deviation 0.33/sqrt(runs), as simulated: the rows of one run are not independent, so that
 * se_energy is smaller. */
static const char *law_of(sb_scalar exponent, long runs, sb_scalar bias, sb_scalar se_bias) {
    return fabs(bias) > 4.0 * se_bias                            ? "systematic"
           : fabs(exponent - 0.5) <= 1.0 / sqrt((sb_scalar)runs) ? "random"
                                                                 : "neither";
}

static int write_fit(sb_sink *sink, int rows, const sb_scalar *steps, sb_scalar (*error)[ROWS_MAX], const growth *g,
                     const sb_roundoff_options *o) {
    sb_cell cells[COLUMNS] = {sb_empty(), sb_empty(), sb_empty(), sb_empty(), sb_empty()};
    sb_scalar slope[PARTS], se[PARTS], bias, se_bias;
    const int first = rows > FITTED ? rows - FITTED : 0;
    for (int k = 0; k < PARTS; k++) {
        fit(rows - first, steps + first, error[k] + first, &slope[k], &se[k]);
        cells[5 + 2 * k] = precision_cell(slope[k]);
        cells[6 + 2 * k] = precision_cell(se[k]);
    }
    const bool reached = isfinite(g->lost_at);
    const sb_scalar end = steps[rows - 1] * o->h,
                    horizon =
                        reached ? g->lost_at : end * pow(o->lost * g->size / error[IN_Q][rows - 1], 1.0 / slope[IN_Q]);
    fit_bias(g, o->runs, &bias, &se_bias);
    cells[11] = precision_cell(bias);
    cells[12] = precision_cell(se_bias);
    cells[13] = sb_text(law_of(slope[IN_ENERGY], o->runs, bias, se_bias));
    cells[14] = precision_cell(horizon);
    cells[15] = sb_text(reached ? "run" : "power");
    cells[16] = sb_text("fit");
    return sink->row(sink, cells);
}

/* Writes rows at 16, 32, ... samples. The mean over the second half of the samples of a power of time is that power of
 * time up to a constant. */
static int write(precision_call *call, const growth *g, const sb_roundoff_options *o) {
    sb_sink *sink;
    sb_scalar steps[ROWS_MAX], error[PARTS][ROWS_MAX];
    int rows = 0;
    SB_TRY(cli_sink(call->me, NULL, &sink));
    SB_TRY(sink->begin(sink, COLUMNS, columns));
    for (long last = 16; last <= g->count; last *= 2, rows++) {
        sb_cell cells[COLUMNS] = {sb_int(last * g->every)};
        steps[rows] = (sb_scalar)(last * g->every);
        cells[1] = precision_cell(steps[rows] * o->h);
        for (int k = 0; k < PARTS; k++) {
            sb_scalar sum = 0.0;
            for (long j = last / 2 + 1; j <= last; j++) {
                sum += g->sum[k][j];
            }
            error[k][rows] = sqrt(sum / (sb_scalar)(last / 2 * o->runs));
            cells[2 + k] = precision_cell(error[k][rows]);
            cells[5 + 2 * k] = cells[6 + 2 * k] = sb_empty();
        }
        for (int k = 11; k < 16; k++) {
            cells[k] = sb_empty();
        }
        cells[16] = sb_text("ok");
        SB_TRY(sink->row(sink, cells));
    }
    SB_TRY(write_fit(sink, rows, steps, error, g, o));
    return sink->end(sink);
}

static sb_scalar to_double(sb_scalar x) { return (double)x; }

static sb_scalar to_single(sb_scalar x) { return (float)x; }

int precision_roundoff_run(cli *me) {
    precision_call at, *call = &at;
    const sb_roundoff_options *o = me->config;
    const precision_rounding rounding = o->of == SINGLE ? to_single : to_double;
    SB_TRY(precision_begin(me, rounding, call));
    growth g = {.every = 1, .lost_at = INFINITY};
    while (o->steps / g.every > SAMPLES_MAX) {
        g.every *= 2;
    }
    g.count = o->steps / g.every;
    for (int k = 0; k < PARTS; k++) {
        SB_NEW(call->arena, g.sum[k], g.count + 1);
    }
    SB_NEW(call->arena, g.energy, g.count + 1);
    for (long k = 0; k < o->runs; k++) {
        SB_TRY(compare_run(call, o, (double)rounding(o->h * (1.0 + (sb_scalar)k * 0x1p-20)), &g));
        add_segments(&g);
    }
    return write(call, &g, o);
}
