/* Analysis `resonance`: steps at which the numerical frequency of a mode is a whole fraction of the sampling by steps.
 * schlick98, hlw06 XIII.
 *
 * A mode of the step at an equilibrium has the roots exp(+-i theta); its numerical angular frequency is theta/h. A
 * resonance of order n has theta = 2 pi/n: after n steps the mode is at the same phase, so that terms of degree n - 1
 * of the force add up instead of averaging out, and couple it to itself and to others. Order 2 is the limit of
 * stability, where the pair of roots meets at -1. */
#include "analysis/row.h"
#include "analysis/stability/amplification.h"
#include "core/base/text.h"

typedef struct resonance_config {
    double from, to; /* s */
    long points, orders, work;
} resonance_config;

enum { FIRST = 3, LAST = 12 }; /* orders */

/* The modes at a step. */
typedef struct modes {
    bool bounded;
    int beyond[LAST + 1]; /* for each order n: number of modes on the unit circle with an angle of at least 2 pi/n */
} modes;

/* A scan of one pair. */
typedef struct scan {
    sb_task *task;
    long left;   /* columns of Jacobians that may still be computed */
    int columns; /* columns of the last Jacobian; before it 2 n + number of multipliers */
    int found;
    modes above; /* at the last bounded step */
} scan;

/* Relative accuracy of the steps that are found. The roots, computed by differences, have about half the digits of a
 * double. */
static const double accuracy = 1e-7;

/* Counts the modes at the step h: half of the number of roots, since two real roots may meet at -1. */
static int count(scan *s, double h, modes *out) {
    const double pi = acos(-1.0);
    sb_amplification a;
    SB_SCRATCH(arena, s->task->ctx);
    *out = (modes){.bounded = false};
    s->left -= s->columns;
    SB_TRY(sb_amplification_measure(s->task->ctx, &arena, s->task->pair, h, &a));
    s->left -= a.count - s->columns;
    s->columns = a.count;
    for (int n = FIRST; n <= LAST; n++) {
        int roots = 0;
        for (int i = 0; i < a.count; i++) {
            const sb_root *r = &a.roots[i];
            roots += fabs(r->modulus - 1.0) <= 8.0 * r->tolerance && fabs(atan2(r->im, r->re)) >= 2.0 * pi / n;
        }
        out->beyond[n] = roots / 2;
    }
    out->bounded = a.bounded <= SB_GROWS_LINEARLY;
    return SB_OK;
}

/* Calls `count`; a step that fails is not bounded. */
static int try_count(scan *s, double h, modes *out) {
    const int status = count(s, h, out);
    return sb_failure_is_result(status) ? SB_OK : status;
}

/* Writes a row for every step between lo and hi at which the count of an order rises. */
static int search(scan *s, int order, double lo, int below, double hi, int above) {
    modes between;
    if (above <= below || s->left <= 0) {
        return SB_OK;
    }
    if (hi - lo <= accuracy * hi) {
        s->task->h = 0.5 * (lo + hi);
        s->found += above - below;
        return sb_row(s->task,
                      SB_CELLS(sb_int(order), sb_int(above - below), sb_real(2.0 * acos(-1.0) / (order * s->task->h))));
    }
    const double mid = 0.5 * (lo + hi);
    SB_TRY(try_count(s, mid, &between));
    if (!between.bounded) {
        return SB_OK;
    }
    SB_TRY(search(s, order, lo, below, mid, between.beyond[order]));
    return search(s, order, mid, between.beyond[order], hi, above);
}

/* Sets the verdict on a step of the search for the last bounded one, whose modes it keeps. */
static int judge(void *arg, double h, sb_bounded *verdict) {
    scan *s = arg;
    modes at = {.bounded = false};
    SB_TRY(s->left > 0 ? try_count(s, h, &at) : SB_OK);
    s->above = at.bounded ? at : s->above;
    *verdict = at.bounded ? SB_BOUNDED : SB_GROWS;
    return SB_OK;
}

/* Scans the steps up to the first that is not bounded, and sets *end to the last step. */
static int scan_steps(scan *s, double from, double to, double *end) {
    const resonance_config *config = s->task->config;
    modes below, above;
    *end = from;
    SB_TRY(count(s, from, &below));
    if (!below.bounded) {
        return sb_fail(s->task->ctx, SB_NOT_CONVERGED,
                       "the step h = %.6g, where the scan begins, is unstable, or its roots are not exact enough to "
                       "decide: see amplification; begin with another step",
                       from);
    }
    for (long k = 1; k < config->points && below.bounded && s->left > 0; k++) {
        double next = from + (to - from) * (double)k / (double)(config->points - 1);
        SB_TRY(sb_poll(s->task->ctx));
        SB_TRY(try_count(s, next, &above));
        const bool ends = !above.bounded;
        if (ends) {
            double last = *end;
            s->above = below;
            SB_TRY(sb_bisect(judge, s, SB_BOUNDED, accuracy, &last, &next));
            above = s->above;
            next = last;
        }
        for (int order = FIRST; order <= config->orders; order++) {
            SB_TRY(search(s, order, *end, below.beyond[order], next, above.beyond[order]));
        }
        *end = next;
        below = above;
        below.bounded = !ends;
    }
    return SB_OK;
}

static int run(sb_task *task) {
    const resonance_config *config = task->config;
    const double T = task->sys->time_scale, from = config->from > 0.0 ? config->from : T / 20.0,
                 to = config->to > 0.0 ? config->to : 5.0 * T;
    scan s = {.task = task, .left = config->work, .columns = 2 * task->sys->n + sb_system_multipliers(task->sys)};
    double end;
    char *status;
    SB_TRY(scan_steps(&s, from, to, &end));
    task->h = 0.0;
    if (s.left <= 0) {
        SB_PRINT(task->arena, status,
                 "the scan ended at h = %.6g, after the work of %ld columns; take fewer points, or more work", end,
                 config->work);
        return sb_row_status(task, status, 0, NULL);
    }
    return s.found > 0 ? SB_OK
                       : sb_row_status(task, "no undamped mode comes to a resonance within these steps", 0, NULL);
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
    SB_PARAM_INT(resonance_config, points, "40", 2.0, 1000.0, "number of steps of the scan, equally spaced"),
    SB_PARAM_INT(resonance_config, orders, "4", FIRST, LAST, "largest order"),
    SB_PARAM_INT(resonance_config, work, "2000", 1.0, 1e9,
                 "columns of Jacobians of the step that a scan may compute; a Jacobian has one for every number of the "
                 "state. A scan that needs more ends with a row that says so"),
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
