/* Analysis `modes`: frequencies of the transversal modes at a state, from three matrices, and the step they allow.
 * transv18. */
#include <string.h>

#include "analysis/equilibrium.h"
#include "analysis/modes/linear_motion.h"
#include "analysis/row.h"

enum { AT_INITIAL, AT_EQUILIBRIUM, AT_TIME };

typedef struct modes_config {
    int at, matrices;
    double t, h;
    long count;
} modes_config;

typedef struct state {
    double t, *q, *v;
    int n;
} state;

static int keep_state(void *arg, const sb_sample *sample) {
    state *s = arg;
    s->t = sample->t;
    memcpy(s->q, sample->q, (size_t)s->n * sizeof *s->q);
    memcpy(s->v, sample->v, (size_t)s->n * sizeof *s->v);
    return SB_OK;
}

/* Sets the number and the length of the steps to config->t: the step given, or one that divides t and resolves the
 * motion. */
static int pick_step(sb_context *ctx, const modes_config *config, const sb_system *sys, long *steps, double *h) {
    SB_TRY(config->h > 0.0 ? sb_steps(ctx, config->t, config->h, SB_STEPS_EXACT, steps)
                           : sb_steps(ctx, config->t, 0.05 * sys->time_scale, SB_STEPS_UP, steps));
    *h = config->h > 0.0 ? config->h : config->t / (double)*steps;
    return SB_OK;
}

/* Sets the state at config->t of a run. */
static int run_to(sb_context *ctx, sb_arena *arena, const modes_config *config, const sb_pair *pair, state *s) {
    sb_method method = {0};
    sb_run run = {0};
    SB_TRY(pick_step(ctx, config, pair->sys, &run.steps, &run.h));
    run.every = run.steps;
    SB_TRY(sb_method_init(ctx, arena, pair->type, pair->config, pair->sys, &method));
    return sb_run_method(&method, &run, keep_state, s);
}

static int find_state(sb_context *ctx, sb_arena *arena, const modes_config *config, const sb_pair *pair, state *s) {
    SB_TRY(SB_VECTORS(arena, s->n, &s->q, &s->v));
    if (config->at == AT_TIME) {
        return run_to(ctx, arena, config, pair, s);
    }
    SB_TRY(pair->sys->initial(pair->sys->self, &s->t, s->q, s->v));
    if (config->at == AT_EQUILIBRIUM) {
        memset(s->v, 0, (size_t)s->n * sizeof *s->v);
        return sb_equilibrium_find(ctx, pair->sys, s->t, s->q);
    }
    return SB_OK;
}

/* Returns omega from the i-th of `count` values omega^2; empty if there is none. */
static sb_cell frequency(int count, const double *omega2, double rounding, int i) {
    if (omega2 == NULL || i >= count) {
        return sb_empty();
    }
    return sb_real(fabs(omega2[i]) <= rounding ? 0.0 : sb_signed_root(omega2[i]));
}

static int run(sb_task *task) {
    const modes_config *config = task->config;
    state s = {.n = task->sys->n};
    sb_linear_motion linear;
    sb_spectra x;
    SB_TRY(sb_spectra_check(task->ctx, task->sys));
    SB_TRY(find_state(task->ctx, task->arena, config, task->pair, &s));
    SB_TRY(sb_linear_motion_at(task->ctx, task->arena, task->sys, config->matrices, (int)config->count, true, s.t, s.q,
                               s.v, &linear, &x));
    const int spectra = x.full != NULL ? x.n : x.d, most = spectra > linear.count ? spectra : linear.count;
    for (int i = 0; i < most && (config->count == 0 || i < config->count); i++) {
        const double complex lambda = i < linear.count ? linear.lambda[i] : (double complex)NAN;
        const bool still = !(cabs(lambda) > 0.0) || (linear.undamped && creal(lambda) > 0.0);
        SB_TRY(sb_row(task,
                      SB_CELLS(sb_real(s.t), sb_int(i), frequency(x.n, x.full, x.rounding, i),
                               frequency(x.d, x.projected, x.rounding, i), frequency(x.d, x.as_printed, x.rounding, i),
                               sb_known(creal(lambda)), i < linear.count ? sb_real(cimag(lambda)) : sb_empty(),
                               still ? sb_empty() : sb_real(2.0 / cabs(lambda)))));
    }
    return SB_OK;
}

static int check(const sb_task *task) {
    const modes_config *config = task->config;
    double h;
    long steps;
    if (config->at == AT_TIME && !(config->t > 0.0)) {
        return sb_fail(task->ctx, SB_BAD_USAGE,
                       "modes: at=time needs t > 0, not t=%g; the state at t = 0 is at=initial", config->t);
    }
    return config->at == AT_TIME ? pick_step(task->ctx, config, task->sys, &steps, &h) : SB_OK;
}

/* Returns whether the state comes from a run. */
static bool steps(const void *config) { return ((const modes_config *)config)->at == AT_TIME; }

static const sb_param params[] = {
    SB_PARAM_CHOICE(modes_config, at, "initial", "initial|equilibrium|time",
                    "state: the initial state; the equilibrium found from its position; or the state at time t of a "
                    "run of the stepper"),
    SB_PARAM_NOT_NEGATIVE(modes_config, t, "0", "s", "time of the state for at=time"),
    SB_PARAM_NOT_NEGATIVE(modes_config, h, "0", "s",
                          "step of that run; 0: about a twentieth of the problem's time scale"),
    SB_PARAM_INT(modes_config, count, "10", 0.0, 1e6, "number of modes, the fastest first; 0: all"),
    SB_PARAM_CHOICE(modes_config, matrices, "auto", "auto|dense|sparse",
                    "dense: every mode, up to 2000 coordinates; sparse: the fastest modes, any size; auto: sparse "
                    "above 500 coordinates"),
    {0}};

static const sb_column columns[] = {
    SB_COLUMN_PROBLEM,
    {"t", SB_COL_KEY, "s", "time of the state"},
    {"mode", SB_COL_KEY, "", "number of the mode, the fastest is 0"},
    {"omega_full", SB_COL_EXACT, "1/s",
     "frequency from M^-1 K, K = sum lambda_i Hess g_i - V_qq; negative: a rate of growth; empty if M is singular"},
    {"omega_projected", SB_COL_EXACT, "1/s",
     "frequency from the pencil (L K L', L M L') on the tangent space of the constraints, the correct projection"},
    {"omega_text", SB_COL_EXACT, "1/s",
     "frequency from L M^-1 L' times L K L', as printed in transv18; with the erratum corrected it is omega_projected"},
    {"lambda_re", SB_COL_EXACT, "1/s",
     "real part of the exponent of a mode exp(lambda t), M lambda^2 + C lambda + K = 0 on the tangent space, with "
     "forces "
     "of position and velocity, drag and forces of inertia: negative: a decay; positive: a growth. Without forces "
     "i omega_projected. Real exponents are modes of their own"},
    {"lambda_im", SB_COL_EXACT, "1/s", "its imaginary part, the frequency"},
    {"h_crit", SB_COL_EXACT, "s",
     "2/|lambda|: without drag the largest stable step of an explicit method of leapfrog's kind; of others see advise "
     "and "
     "stability"},
    SB_COLUMN_STATUS};

SB_DEFINE_ANALYSIS(modes) = {
    .entry = {"modes",
              "transversal modes of constraints and potential at a state, by three matrices, and the step they allow",
              "transv18", params, sizeof(modes_config)},
    .default_problem = "thread",
    .default_stepper = "rattle",
    SB_COLUMNS(columns),
    .example = "stepbench modes -p thread:n=20 --plot modes.svg",
    .plot = "modes",
    .steps = steps,
    .check = check,
    .run = run};
