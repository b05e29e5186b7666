/* Analysis `resonance`: steps at which the numerical frequency of a mode is a whole fraction of the sampling by steps.
 * schlick98, hlw06 XIII.
 *
 * A mode of the step at an equilibrium has the roots exp(+-i theta); its numerical angular frequency is theta/h. A
 * resonance of order n has theta = 2 pi/n: after n steps the mode is at the same phase, so that terms of degree n - 1
 * of the force add up instead of averaging out, and couple it to itself and to others. Order 2 is the limit of
 * stability, where the pair of roots meets at -1. */
#include <math.h>

#include "analysis/row.h"
#include "analysis/stability/amplification.h"

typedef struct resonance_config {
    double from, to; /* s */
    long points, orders;
} resonance_config;

/* A scan of one pair for one order. */
typedef struct scan {
    sb_task *task;
    long order;
} scan;

/* Steps are found to this relative accuracy; the roots by differences have about half the digits of a double. */
static const double accuracy = 1e-7;

/* Counts the modes on the unit circle with an angle of at least 2 pi/order, half of their roots: at -1 two real ones
 * meet. Sets *count to -1 where the step is not bounded. */
static int count_beyond(const scan *s, double h, int *count) {
    const double angle = 2.0 * acos(-1.0) / (double)s->order;
    int roots = 0;
    sb_amplification a;
    SB_SCRATCH(arena, s->task->ctx);
    *count = -1;
    SB_TRY(sb_amplification_measure(s->task->ctx, &arena, s->task->pair, h, &a));
    for (int i = 0; i < a.count; i++) {
        const sb_root *r = &a.roots[i];
        roots += fabs(r->modulus - 1.0) <= 8.0 * r->tolerance && fabs(atan2(r->im, r->re)) >= angle;
    }
    *count = a.bounded == SB_GROWS || a.bounded == SB_UNCLEAR ? -1 : roots / 2;
    return SB_OK;
}

/* The same; a step that fails is not bounded. */
static int try_count(const scan *s, double h, int *count) {
    const int status = count_beyond(s, h, count);
    return sb_failure_is_result(status) ? SB_OK : status;
}

/* Writes a row for every step between lo and hi at which the count rises. */
static int search(const scan *s, double lo, int below, double hi, int above, int *found) {
    int between;
    if (above <= below) {
        return SB_OK;
    }
    if (hi - lo <= accuracy * hi) {
        s->task->h = 0.5 * (lo + hi);
        *found += above - below;
        return sb_row(s->task, SB_CELLS(sb_int(s->order), sb_int(above - below),
                                        sb_real(2.0 * acos(-1.0) / ((double)s->order * s->task->h))));
    }
    const double mid = 0.5 * (lo + hi);
    SB_TRY(try_count(s, mid, &between));
    if (between < 0) {
        return SB_OK;
    }
    SB_TRY(search(s, lo, below, mid, between, found));
    return search(s, mid, between, hi, above, found);
}

/* Moves *hi, an unbounded step, to the last bounded one after lo. */
static int find_limit(const scan *s, double lo, double *hi, int *above) {
    while (*hi - lo > accuracy * lo) {
        const double mid = 0.5 * (lo + *hi);
        int count;
        SB_TRY(try_count(s, mid, &count));
        *above = count >= 0 ? count : *above;
        lo = count >= 0 ? mid : lo;
        *hi = count >= 0 ? *hi : mid;
    }
    *hi = lo;
    return SB_OK;
}

/* Scans the steps up to the first that is not bounded. */
static int scan_steps(const scan *s, double from, double to, long points, int *found) {
    double h = from;
    int below, above;
    SB_TRY(count_beyond(s, h, &below));
    if (below < 0) {
        return sb_fail(s->task->ctx, SB_NOT_CONVERGED,
                       "the step h = %.6g, where the scan begins, is unstable, or its roots are not exact enough to "
                       "decide: see amplification; begin with another step",
                       h);
    }
    for (long k = 1; k < points && below >= 0; k++) {
        double next = from + (to - from) * (double)k / (double)(points - 1);
        SB_TRY(sb_poll(s->task->ctx));
        SB_TRY(try_count(s, next, &above));
        const bool ends = above < 0;
        SB_TRY(ends ? find_limit(s, h, &next, &above) : SB_OK);
        SB_TRY(search(s, h, below, next, above, found));
        h = next;
        below = ends ? -1 : above;
    }
    return SB_OK;
}

static int run(sb_task *task) {
    const resonance_config *config = task->config;
    const double T = task->sys->time_scale, from = config->from > 0.0 ? config->from : T / 20.0,
                 to = config->to > 0.0 ? config->to : 5.0 * T;
    int found = 0;
    for (long order = 3; order <= config->orders; order++) {
        SB_TRY(scan_steps(&(scan){task, order}, from, to, config->points, &found));
    }
    task->h = 0.0;
    return found > 0 ? SB_OK : sb_row_status(task, "no undamped mode comes to a resonance within these steps", 0, NULL);
}

static int check(const sb_task *task) {
    const resonance_config *config = task->config;
    return config->to > 0.0 && config->to <= config->from
               ? sb_fail(task->ctx, SB_BAD_USAGE, "resonance: to=%g is not above from=%g", config->to, config->from)
               : SB_OK;
}

static const sb_param params[] = {
    SB_PARAM_NOT_NEGATIVE(resonance_config, from, "0", "s", "smallest step; 0: 1/20 of the problem's time scale"),
    SB_PARAM_NOT_NEGATIVE(resonance_config, to, "0", "s",
                          "largest step; 0: five time scales. The scan ends at the limit of stability"),
    SB_PARAM_INT(resonance_config, points, "100", 2.0, 1000.0, "number of steps of the scan, equally spaced"),
    SB_PARAM_INT(resonance_config, orders, "4", 3.0, 12.0, "largest order"),
    {0}};

static const sb_column columns[] = {
    SB_COLUMN_PROBLEM,
    SB_COLUMN_STEPPER,
    {"h", SB_COL_KEY, "s", "step at the resonance"},
    {"order", SB_COL_KEY, "", "n: the mode turns by 2 pi/n per step"},
    {"modes", SB_COL_EXACT, "", "number of modes that come to the resonance at this step"},
    {"omega", SB_COL_EXACT, "1/s", "numerical angular frequency of the mode there, 2 pi/(n h)"},
    SB_COLUMN_STATUS};

SB_DEFINE_ANALYSIS(resonance) = {
    .entry = {"resonance", "steps whose sampling is in resonance with a mode: numerical frequency 2 pi/(n h)",
              "schlick98; hlw06 XIII", params, sizeof(resonance_config)},
    .default_problem = "oscillator",
    SB_COLUMNS(columns),
    .example = "stepbench resonance -p oscillator -s verlet -s midpoint",
    .check = check,
    .fixed_steps = true,
    .run = run};
