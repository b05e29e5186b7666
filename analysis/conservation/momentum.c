/* Analysis `momentum`: continuous and discrete momentum maps along a run, and their difference. wm96 3.3, 4.6. */
#include "analysis/accuracy/reference.h"
#include "analysis/conservation/properties.h"
#include "analysis/conservation/quantities.h"
#include "analysis/row.h"

/* What is accumulated along a run. */
typedef struct series {
    const sb_method *method;
    sb_quantities qs;
    bool begun;
    double *q, *v, *p;                    /* the initial state; scratch */
    double *continuous, *discrete, *size; /* momenta of the sample, and the size of the terms of the continuous ones */
    double *first;                        /* continuous momenta of the first sample */
    double *largest;                      /* largest size of the terms so far */
    sb_momentum *momenta;
} series;

static int observe(void *arg, const sb_sample *s) {
    series *w = arg;
    SB_TRY(sb_quantities_follow(&w->qs, s->t, s->q, s->v));
    SB_TRY(sb_dynamics_momentum(&w->qs.dyn, s->q, s->v, w->p));
    SB_TRY(sb_quantities_pair(&w->qs, s->q, w->p, w->continuous, w->size));
    SB_TRY(sb_method_momentum(w->method, s->state, w->p));
    SB_TRY(sb_quantities_pair(&w->qs, s->q, w->p, w->discrete, NULL));
    for (int i = 0; i < w->qs.sys->symmetry.count; i++) {
        sb_momentum *m = &w->momenta[i];
        m->impulse = w->qs.balanced ? w->qs.work.impulse[i] : 0.0;
        const double continuous = w->continuous[i] - m->impulse, discrete = w->discrete[i] - m->impulse;
        w->first[i] = w->begun ? w->first[i] : continuous;
        m->discrete = w->begun ? m->discrete : discrete;
        m->continuous_deviation = sb_larger(m->continuous_deviation, fabs(continuous - w->first[i]));
        m->discrete_deviation = sb_larger(m->discrete_deviation, fabs(discrete - m->discrete));
        w->largest[i] = sb_larger(w->largest[i], w->size[i]);
    }
    w->begun = true;
    return SB_OK;
}

static int prepare(sb_context *ctx, sb_arena *arena, const sb_pair *pair, double h, double *t0, series *w) {
    const sb_system *sys = pair->sys;
    const int count = sys->symmetry.count;
    SB_TRY(sb_quantities_init(ctx, arena, sys, h, &w->qs));
    SB_TRY(SB_VECTORS(arena, sys->n, &w->q, &w->v, &w->p));
    SB_TRY(SB_VECTORS(arena, count, &w->continuous, &w->discrete, &w->size, &w->first, &w->largest));
    SB_NEW(arena, w->momenta, count);
    SB_TRY(sys->initial(sys->self, t0, w->q, w->v));
    SB_TRY(sb_quantities_momenta(&w->qs, w->q, w->v, w->continuous));
    for (int i = 0; i < count; i++) {
        w->momenta[i].name = sys->symmetry.names[i];
        w->momenta[i].continuous = w->continuous[i];
    }
    return SB_OK;
}

/* Returns why momentum i is not conserved. */
static const char *excluded(const series *w, int i, double rounding) {
    if (w->qs.balanced && !(w->qs.work.magnitude[i] <= rounding)) {
        return "forces or drivers change the momentum: the deviations are those from their impulse";
    }
    return sb_applied_work_excluded(w->qs.sys);
}

int sb_momentum_measure(sb_context *ctx, sb_arena *arena, const sb_pair *pair, sb_momentum_start start, double h,
                        long steps, sb_momentum **momenta, int *count) {
    sb_method method;
    series w = {.method = &method};
    sb_run run = {.h = h, .steps = steps, .every = 1};
    sb_reference second;
    SB_TRY(prepare(ctx, arena, pair, h, &run.t0, &w));
    SB_TRY(sb_method_init(ctx, arena, pair->type, pair->config, pair->sys, &method));
    if (start == SB_START_PAIR) {
        if (pair->type->start_pair == NULL) {
            return sb_fail(ctx, SB_UNSUPPORTED, "%s is a one-step method: it does not start from two points",
                           pair->stepper);
        }
        SB_TRY(sb_reference_make(ctx, arena, "auto", pair, h, 1, h, &second));
        run.q0 = w.q;
        run.q1 = second.q;
    }
    SB_TRY(sb_run_method(&method, &run, observe, &w));
    for (int i = 0; i < pair->sys->symmetry.count; i++) {
        sb_momentum *m = &w.momenta[i];
        m->rounding = sb_accumulated_rounding(w.largest[i], steps);
        m->excluded = excluded(&w, i, m->rounding);
        m->conserved = sb_decide(m->discrete_deviation, m->rounding, w.largest[i] * sb_visible_defect(pair, h, steps));
    }
    *count = pair->sys->symmetry.count;
    *momenta = w.momenta;
    return SB_OK;
}

/* ---- Rows. ---- */

typedef struct momentum_config {
    sb_step_options step;
    int start;
} momentum_config;

static const char *inapplicable(const sb_system *sys) {
    return sys->symmetry.count == 0 ? "the problem has no symmetry and so no momentum" : NULL;
}

static int run(sb_task *task) {
    const momentum_config *config = task->config;
    sb_momentum *m;
    int count;
    SB_TRY(sb_momentum_measure(task->ctx, task->arena, task->pair, (sb_momentum_start)config->start, task->h,
                               task->steps, &m, &count));
    for (; count > 0; count--, m++) {
        SB_TRY(sb_row_status(task, m->excluded == NULL ? SB_STATUS_OK : m->excluded,
                             SB_CELLS(sb_int(task->steps), sb_text(m->name), sb_real(m->continuous),
                                      sb_real(m->discrete), sb_real(m->discrete - m->continuous), sb_known(m->impulse),
                                      sb_known(m->continuous_deviation), sb_known(m->discrete_deviation),
                                      sb_real(m->rounding),
                                      m->excluded == NULL ? sb_decision_cell(m->conserved) : sb_empty())));
    }
    return SB_OK;
}

static const sb_param params[] = {
    SB_OPTION_H("a tenth of the problem's time scale in two digits and its half"),
    SB_OPTION_T_END("20"),
    SB_PARAM_CHOICE(
        momentum_config, start, "legendre", "legendre|pair",
        "first state: from position and velocity, or from two points of the continuous motion (two-step methods only)"),
    {0}};

static const sb_column columns[] = {
    SB_KEY_COLUMNS,
    {"steps", SB_COL_INFO, "", "number of steps; every step is a sample"},
    {"momentum", SB_COL_KEY, "", "name of the momentum"},
    {"continuous", SB_COL_EXACT, "", "M v . xi of the initial state"},
    {"discrete", SB_COL_EXACT, "", "p . xi of the first sample, p the momentum defined by the method"},
    {"difference", SB_COL_EXACT, "",
     "discrete - continuous: zero for a start by the discrete Legendre transform, O(h^2) for a start from two points"},
    {"impulse", SB_COL_EXACT, "", "impulse of forces and nonholonomic rows along the symmetry, 0 without them"},
    {"dev_continuous", SB_COL_ERROR, "",
     "largest deviation of M v . xi, v the reported velocity, less the impulse from its value at the first sample"},
    {"dev_discrete", SB_COL_ERROR, "",
     "largest deviation of p . xi less the impulse from its value at the first sample"},
    {"rounding", SB_COL_INFO, "", "estimate of the accumulated round-off at the end of the run"},
    {"conserved", SB_COL_INFO, "",
     "empty: see status; yes: dev_discrete is within the round-off; unclear: round-off would hide the deviation of a "
     "method of this order, and fewer or longer steps would decide"},
    SB_COLUMN_STATUS};

SB_DEFINE_ANALYSIS(momentum) = {.entry = {"momentum",
                                          "continuous and discrete momentum maps along a run, and their difference",
                                          "wm96 (3.19)", params, sizeof(momentum_config)},
                                .levels = 2,
                                .time_scales = SB_TIME_SCALES,
                                SB_COLUMNS(columns),
                                .example = "stepbench momentum -p kepler -s verlet -s rk4",
                                .inapplicable = inapplicable,
                                .run = run};
