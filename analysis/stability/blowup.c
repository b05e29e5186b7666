/* Analysis `blowup`: the largest stable step of any stepper on any problem, and 2/omega of the modes of the constraints
 * and the potential. transv18. */
#include <string.h>

#include "analysis/modes/linear_motion.h"
#include "analysis/row.h"
#include "analysis/stability/bisect.h"
#include "analysis/stability/blowup.h"

/* ---- One step. ---- */

/* Sets *excess if the growth up to the present step exceeds the limit plus the growth of the motion itself. */
static int exceeds(const sb_deviation *d, const sb_blowup_config *config, sb_flow *flow, bool *excess) {
    double own = 0.0;
    *excess = !(d->growth <= log(config->growth));
    for (int far = 0; far < 2 && *excess && flow != NULL; far++) {
        SB_TRY(sb_flow_growth(flow, (double)d->steps * d->h, d->h, far, &own));
        *excess = !(d->growth <= log(config->growth) + own);
    }
    return SB_OK;
}

static int follow(sb_deviation *d, const sb_blowup_config *config, double h, sb_flow *flow, sb_growth *out) {
    const double end = config->predictable ? sb_flow_predictable() : (double)INFINITY;
    bool excess = false;
    SB_TRY(sb_deviation_start(d, config->kick, h));
    while (d->steps < config->steps && !excess && !(d->growth > end)) {
        SB_TRY(sb_deviation_step(d));
        out->steps = d->steps;
        out->growth = sb_larger(out->growth, exp(d->growth));
        SB_TRY(exceeds(d, config, flow, &excess));
        if (!excess) {
            sb_deviation_shrink(d);
        }
    }
    out->stable = !excess;
    return sb_deviation_transversal(d, &out->transversal);
}

/* Sets *ends if runs with small steps fail before the time of the step that failed, too. */
static int motion_ends(sb_flow *flow, double h, long steps, bool *ends) {
    double own = 0.0;
    SB_TRY(flow != NULL ? sb_flow_growth(flow, (double)(steps + 1) * h, h, true, &own) : SB_OK);
    *ends = isinf(own);
    return SB_OK;
}

int sb_blowup_growth(sb_context *ctx, sb_arena *arena, const sb_blowup_config *config, const sb_pair *pair, double h,
                     sb_flow *flow, sb_growth *out) {
    sb_deviation d;
    SB_SCRATCH(scratch, ctx);
    *out = (sb_growth){.transversal = NAN};
    SB_TRY(sb_deviation_init(ctx, &scratch, pair, &d));
    const int status = follow(&d, config, h, flow, out);
    out->unsolved = status == SB_NOT_CONVERGED; /* a step fails */
    SB_TRY(status == SB_UNSUPPORTED ? status : sb_failure_keep(arena, status, &out->cause));
    return status == SB_OK ? SB_OK : motion_ends(flow, h, out->steps, &out->stable);
}

/* ---- The limit. ---- */

static const double next = 1.25; /* factor from one step to the next */

typedef struct search {
    sb_context *ctx;
    sb_arena *arena;
    const sb_blowup_config *config;
    const sb_pair *pair;
    sb_flow *flow;
    sb_growth *beyond; /* growth at the last unstable step */
} search;

static int judge(void *arg, double h, sb_bounded *verdict) {
    const search *s = arg;
    sb_growth growth;
    SB_TRY(sb_blowup_growth(s->ctx, s->arena, s->config, s->pair, h, s->flow, &growth));
    *verdict = growth.stable ? SB_BOUNDED : SB_GROWS;
    *s->beyond = growth.stable ? *s->beyond : growth;
    return SB_OK;
}

/* Searches below h_min, and sets *lo to 0 if half the step found is unstable in 20 times as many steps: a method whose
 * solutions grow by O(h^2) or O(h^4) per step, such as Euler's and Heun's, has no stable step. This test is left out if
 * the motion is chaotic and the equations of the unstable step were not solved: the limit is then that of the solver.
 */
static int search_below(search *s, double *lo, double *hi) {
    sb_blowup_config longer = *s->config;
    search again = *s;
    sb_bounded verdict = SB_BOUNDED;
    longer.steps *= 20;
    again.config = &longer;
    SB_TRY(sb_lower_to_stable(judge, s, 1e-3 * *hi, lo, hi));
    const bool of_solver = s->beyond->unsolved && sb_flow_is_settled(s->flow);
    SB_TRY(*lo > 0.0 && !of_solver ? judge(&again, 0.5 * *lo, &verdict) : SB_OK);
    if (verdict != SB_BOUNDED) {
        *hi = 0.5 * *lo;
        *lo = 0.0;
    }
    return SB_OK;
}

/* Searches between *lo and *hi, which is unstable. */
static int search_between(search *s, double *lo, double *hi) {
    return *lo > 0.0 ? sb_bisect(judge, s, SB_BOUNDED, s->config->tol, lo, hi) : SB_OK;
}

/* Repeats the search through two other sequences of steps, which divide the factor between two steps of the first one
 * in three. Sets *lo to the least and *hi to the largest limit, but at least to the next step of the three sequences.
 * Where the motion amplifies perturbations, round-off decides whether a step near the limit is stable: every search
 * finds another limit, and there may be unstable steps between those that were tried. */
static int repeat(const search *s, double *lo, double *hi) {
    const double limit = *lo;
    for (int k = 1; k <= 2; k++) {
        sb_growth beyond = *s->beyond;
        search again = *s;
        double a = 0.0, b = limit * pow(next, -k / 3.0);
        again.beyond = &beyond;
        SB_TRY(sb_raise_to_unstable(judge, &again, next, s->config->h_max, &a, &b));
        SB_TRY(a > 0.0 ? SB_OK : sb_lower_to_stable(judge, &again, 1e-3 * b, &a, &b));
        b = b > 0.0 ? b : a; /* stable up to h_max */
        SB_TRY(search_between(&again, &a, &b));
        *lo = fmin(*lo, a);
        *hi = fmax(*hi, b);
    }
    *hi = fmax(*hi, cbrt(next) * *lo);
    return SB_OK;
}

/* Moves the limit to the one of infinitely many steps. Beyond the limit h0 a growth below `growth` in N steps is not
 * detected: the search finds h0 + e, e in proportion to 1/N if a root crosses the circle, to 1/N^2 if two meet on it.
 * Two searches with N/2 and N/4 steps find h0 + r e and h0 + r^2 e, and Aitken's formula h0. The law holds to terms of
 * order e^2; a tenth of the correction and four tolerances, of the three limits, are its error. Nothing is done if r e
 * is below ten tolerances. */
static int extrapolate(const search *s, double *lo, double *hi) {
    const double visible = 10.0 * s->config->tol * *lo;
    double h[3] = {*lo, *lo + visible, 0.0};
    sb_blowup_config shorter = *s->config;
    sb_growth beyond = *s->beyond;
    search again = *s;
    sb_bounded verdict = SB_BOUNDED;
    again.config = &shorter;
    again.beyond = &beyond;
    for (int k = 1; k < 3 && verdict == SB_BOUNDED; k++) {
        double above = next * h[k - 1];
        shorter.steps /= 2;
        SB_TRY(k == 1 ? judge(&again, h[1], &verdict) : SB_OK);
        const bool stable = verdict == SB_BOUNDED;
        h[k] = fmax(h[k], h[k - 1]);
        SB_TRY(stable ? sb_raise_to_unstable(judge, &again, next, s->config->h_max, &h[k], &above) : SB_OK);
        verdict = stable && above > 0.0 ? SB_BOUNDED : SB_GROWS;
        SB_TRY(verdict == SB_BOUNDED ? search_between(&again, &h[k], &above) : SB_OK);
    }
    const double e = h[1] - h[0], r = (h[2] - h[1]) / e, shift = e / (r - 1.0);
    if (verdict == SB_BOUNDED && r > 1.5) {
        const double error = 0.1 * shift + 0.4 * visible;
        *lo -= shift + error;
        *hi = *lo + 2.0 * error;
    }
    return SB_OK;
}

/* Searches for the limit. Runs with the smallest step and below are followed to their ends: a method without a stable
 * step is unstable there by a slow growth of the energy, which a chaotic motion hides for a long time. */
static int find_limit(search *s, sb_blowup *out) {
    sb_blowup_config predictable = *s->config;
    search rest = *s;
    double lo = 0.0, hi = s->config->h_min;
    sb_bounded verdict;
    predictable.predictable = true;
    rest.config = &predictable;
    SB_TRY(judge(s, hi, &verdict));
    if (verdict == SB_BOUNDED) {
        lo = hi;
        hi = fmin(next * lo, s->config->h_max);
        SB_TRY(sb_raise_to_unstable(judge, &rest, next, s->config->h_max, &lo, &hi));
    } else if (s->config->lower) {
        SB_TRY(search_below(s, &lo, &hi));
    }
    out->limited = hi > 0.0;
    out->h = lo;
    out->tried = hi;
    if (!out->limited || !(lo > 0.0)) {
        return SB_OK;
    }
    SB_TRY(search_between(&rest, &lo, &hi));
    SB_TRY(s->flow->rate > 0.0 ? repeat(&rest, &lo, &hi) : extrapolate(&rest, &lo, &hi));
    out->h = lo;
    out->error = hi - lo;
    return SB_OK;
}

int sb_blowup_measure(sb_context *ctx, sb_arena *arena, const sb_blowup_config *config, const sb_pair *pair,
                      sb_blowup *out) {
    SB_SCRATCH(scratch, ctx);
    sb_flow flow;
    search s = {ctx, arena, config, pair, &flow, &out->beyond};
    *out = (sb_blowup){.beyond = {.transversal = NAN}, .end = INFINITY};
    sb_flow_init(&scratch, pair, config->kick, config->growth, config->resolved, &flow);
    SB_TRY(find_limit(&s, out));
    out->rate = flow.rate;
    out->end = flow.end;
    out->ending = flow.cause != NULL ? sb_strdup(arena, flow.cause) : NULL;
    return flow.cause != NULL && out->ending == NULL ? SB_NO_MEMORY : SB_OK;
}

/* ---- The prediction of the spectra. ---- */

/* Returns 2/omega for the largest of n values omega^2 in descending order: infinite if none is above `rounding`, NaN if
 * there are none. */
static double limit_of(int n, const double *omega2, double rounding) {
    if (omega2 == NULL || n == 0) {
        return NAN;
    }
    return omega2[0] > rounding ? 2.0 / sqrt(omega2[0]) : INFINITY;
}

int sb_blowup_predict(sb_context *ctx, sb_arena *arena, const sb_system *sys, sb_limits *out) {
    sb_spectra spectra;
    sb_linear_motion motion;
    double t, *q, *v;
    *out = (sb_limits){NAN, NAN, NAN, NAN};
    SB_TRY(SB_VECTORS(arena, sys->n, &q, &v));
    SB_TRY(sys->initial(sys->self, &t, q, v));
    int status = sb_linear_motion_at(ctx, arena, sys, SB_MATRICES_AUTO, 1, false, t, q, v, &motion, &spectra);
    status = status == SB_OK ? sb_linear_motion_settle(ctx, arena, &motion) : status;
    if (status == SB_OK) {
        *out = (sb_limits){limit_of(spectra.n, spectra.full, spectra.rounding),
                           limit_of(spectra.d, spectra.projected, spectra.rounding),
                           limit_of(spectra.d, spectra.as_printed, spectra.rounding), 2.0 / cabs(motion.lambda[0])};
    }
    return sb_failure_is_result(status) ? SB_OK : status;
}

/* Sets h_min and h_max if they are 0, and the step that resolves the motion. */
static void set_range(const sb_system *sys, const sb_limits *limits, sb_blowup_config *config) {
    const bool known = limits->linear < 100.0 * sys->time_scale; /* modes slower than the motion set no limit */
    config->lower = !(config->h_min > 0.0);
    if (config->lower) {
        config->h_min = known ? 0.25 * limits->linear : 0.05 * sys->time_scale;
    }
    if (!(config->h_max > 0.0)) {
        config->h_max = known ? 16.0 * limits->linear : 100.0 * sys->time_scale;
    }
    config->resolved = fmin(limits->linear, sys->time_scale) / 16.0;
}

/* ---- Rows. ---- */

static int check_range(sb_context *ctx, const sb_blowup_config *config) {
    return config->h_max >= config->h_min
               ? SB_OK
               : sb_fail(ctx, SB_BAD_USAGE, "blowup: h_max=%.9g is below h_min=%.9g", config->h_max, config->h_min);
}

static int check(const sb_task *task) {
    const sb_blowup_config *config = task->config;
    return config->h_max > 0.0 ? check_range(task->ctx, config) : SB_OK;
}

/* Sets `text` to the status of a result. */
static void describe(const sb_blowup *found, char *text, size_t size) {
    if (isfinite(found->end)) {
        snprintf(text, size, "evaluated up to t = %.6g, where the motion cannot be followed by small steps: %s",
                 found->end, found->ending);
    } else if (!found->limited && found->rate * found->h > 1.0) {
        snprintf(text, size,
                 "stable up to h = %.1g, in which a perturbation grows by e in the motion itself; longer steps cannot "
                 "be evaluated",
                 1.0 / found->rate);
    } else if (!found->limited) {
        snprintf(text, size, "stable up to the largest h tried, %.9g", found->h);
    } else if (!(found->h > 0.0)) {
        snprintf(text, size, "unstable at the smallest h tried, %.9g", found->tried);
    } else {
        snprintf(text, size, "%s", found->beyond.cause != NULL ? found->beyond.cause : SB_STATUS_OK);
    }
}

static int run(sb_task *task) {
    sb_blowup_config config = *(const sb_blowup_config *)task->config;
    sb_limits limits;
    sb_blowup found;
    char text[SB_MESSAGE_MAX];
    SB_TRY(sb_blowup_predict(task->ctx, task->arena, task->sys, &limits));
    set_range(task->sys, &limits, &config);
    SB_TRY(check_range(task->ctx, &config));
    SB_TRY(sb_blowup_measure(task->ctx, task->arena, &config, task->pair, &found));
    describe(&found, text, sizeof text);
    const bool measured = found.limited && found.h > 0.0;
    return sb_row_status(
        task, text,
        SB_CELLS(measured ? sb_real(found.h) : sb_empty(), measured ? sb_real(found.error) : sb_empty(),
                 sb_known(limits.full), sb_known(limits.projected), sb_known(limits.as_printed),
                 measured && isfinite(limits.projected) ? sb_known(found.h / limits.projected) : sb_empty(),
                 found.limited ? sb_known(found.beyond.transversal) : sb_empty(),
                 found.rate > 0.0 ? sb_real(found.rate) : sb_empty()));
}

static const sb_param params[] = {
    SB_PARAM_NOT_NEGATIVE(
        sb_blowup_config, h_min, "0", "s",
        "first step of the search; 0: a quarter of 2/|lambda| of the fastest mode of the linearized "
        "motion, drag included, or a twentieth of the time scale if there is none, and down from there "
        "if it is unstable"),
    SB_PARAM_NOT_NEGATIVE(sb_blowup_config, h_max, "0", "s",
                          "last step of the search; 0: 16 times 2/|lambda|, or 100 time scales"),
    SB_PARAM_REAL(sb_blowup_config, kick, "1e-9", 0.0, 1.0, SB_OPEN_LO, "",
                  "largest velocity of the perturbation, in units of the largest coordinate per time scale"),
    SB_PARAM_REAL(
        sb_blowup_config, growth, "1e8", 1.0, 1e16, SB_OPEN_LO, "",
        "a step is unstable if the energy of the perturbation grows by this factor more than by the motion itself"),
    SB_PARAM_INT(sb_blowup_config, steps, "2000", 10.0, 1e9,
                 "number of steps for that growth: 2000 are 640 periods of a mode at its limit 2/omega"),
    SB_PARAM_REAL(sb_blowup_config, tol, "1e-6", 1e-14, 0.1, SB_CLOSED, "",
                  "relative accuracy of the largest stable step"),
    {0}};

static const sb_column columns[] = {
    SB_COLUMN_PROBLEM,
    SB_COLUMN_STEPPER,
    {"h_measured", SB_COL_EXACT, "s", "largest stable step; empty if no step or every step was unstable"},
    {"h_error", SB_COL_ERROR, "s",
     "width of the last interval of the bisection; where the motion amplifies perturbations, of the intervals of three "
     "searches, which round-off leads to different limits, and at least the distance of their steps, a factor of "
     "1.25^(1/3): the first unstable step found is at most h_measured + h_error"},
    {"h_full", SB_COL_EXACT, "s",
     "2/omega of the largest omega of M^-1 K at the initial state, transv18; inf: no mode oscillates"},
    {"h_projected", SB_COL_EXACT, "s",
     "the same of the pencil (L K L', L M L') on the tangent space; without constraints all three are 2/omega of V_qq "
     "and M"},
    {"h_text", SB_COL_EXACT, "s", "the same of E L K L' with E as transv18 prints it"},
    {"ratio", SB_COL_EXACT, "", "h_measured / h_projected; empty if no mode oscillates"},
    {"transversal", SB_COL_EXACT, "",
     "fraction of the energy of the perturbation tangent to the constraint manifold at the smallest unstable step; "
     "empty after a failed step"},
    {"rate", SB_COL_ERROR, "1/s",
     "exponent of the growth of a perturbation in the motion itself, by small steps; empty: none was found"},
    {"status", SB_COL_INFO, "",
     "ok, the step up to which all are stable, the failure of the smallest unstable step, or why there is no result"}};

SB_DEFINE_ANALYSIS(blowup) = {.entry = {"blowup",
                                        "largest stable step of any stepper on any problem, and 2/omega of its modes",
                                        "transv18", params, sizeof(sb_blowup_config)},
                              SB_COLUMNS(columns),
                              .example = "stepbench blowup -p oscillator -s verlet",
                              .check = check,
                              .fixed_steps = true,
                              .run = run};
