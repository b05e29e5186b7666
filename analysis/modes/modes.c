/* Analysis `modes`: geometric stiffness at a state, and the three spectra that might say which step is stable. transv18. */
#include <string.h>

#include "analysis/modes/equilibrium.h"
#include "analysis/row.h"
#include "analysis/modes/spectra.h"
#include "core/run/run.h"

extern const sb_analysis sb_analysis_modes;

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

/* The state at config->t of a run, with the step asked for or one that divides t and resolves the motion. */
static int run_to(sb_context *ctx, sb_arena *arena, const modes_config *config, const sb_pair *pair, state *s) {
    sb_method method = {0};
    sb_run run = {.h = config->h};
    if (config->h > 0.0) {
        SB_TRY(sb_steps(ctx, config->t, config->h, SB_STEPS_EXACT, &run.steps));
    } else {
        SB_TRY(sb_steps(ctx, config->t, 0.05 * pair->sys->time_scale, SB_STEPS_UP, &run.steps));
        run.h = config->t / (double)run.steps;
    }
    run.every = run.steps;
    int status = sb_method_init(ctx, arena, pair->type, pair->config, pair->sys, &method);
    if (status == SB_OK) {
        status = sb_run_method(&method, &run, keep_state, s);
    }
    sb_method_fini(&method);
    return status;
}

static int find_state(sb_context *ctx, sb_arena *arena, const modes_config *config, const sb_pair *pair, state *s) {
    SB_NEW(arena, s->q, s->n);
    SB_NEW(arena, s->v, s->n);
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

enum { PROBLEM, T_, MODE, FULL, PROJECTED, TEXT, H_CRIT, STATUS, COLUMNS };

/* omega from the i-th omega^2 of a spectrum. */
static sb_cell frequency(int count, const double *omega2, double rounding, int i) {
    if (omega2 == NULL || i >= count) {
        return sb_empty();
    }
    return sb_real(fabs(omega2[i]) <= rounding ? 0.0 : sb_signed_root(omega2[i]));
}

static int write_modes(const modes_config *config, const sb_pair *pair, const sb_spectra *spectra, double t, sb_sink *out) {
    const long most = spectra->full != NULL ? spectra->n : spectra->d;
    for (int i = 0; i < most && (config->count == 0 || i < config->count); i++) {
        sb_cell row[COLUMNS] = {[PROBLEM] = sb_text(pair->problem), [T_] = sb_real(t), [MODE] = sb_int(i), [STATUS] = sb_text(SB_STATUS_FINE)};
        row[FULL] = frequency(spectra->n, spectra->full, spectra->rounding, i);
        row[PROJECTED] = frequency(spectra->d, spectra->projected, spectra->rounding, i);
        row[TEXT] = frequency(spectra->d, spectra->text, spectra->rounding, i);
        row[H_CRIT] = row[PROJECTED].type == SB_CELL_REAL && row[PROJECTED].real > 0.0 ? sb_real(2.0 / row[PROJECTED].real) : sb_empty();
        SB_TRY(out->row(out, row));
    }
    return SB_OK;
}

static int measure(sb_context *ctx, sb_arena *arena, const modes_config *config, const sb_pair *pair, double *t, sb_spectra *spectra) {
    state s = {.n = pair->sys->n};
    SB_TRY(sb_spectra_check(ctx, pair->sys));
    SB_TRY(find_state(ctx, arena, config, pair, &s));
    *t = s.t;
    return sb_spectra_at(ctx, arena, pair->sys, config->matrices, (int)config->count, false, s.t, s.q, s.v, spectra);
}

static int run(sb_context *ctx, const void *config, const sb_pair *pair, sb_sink *out) {
    sb_arena arena;
    sb_spectra spectra;
    double t = 0.0;
    sb_arena_init(&arena, ctx);
    int status = measure(ctx, &arena, config, pair, &t, &spectra);
    if (status == SB_OK) {
        status = write_modes(config, pair, &spectra, t, out);
    } else if (sb_failure_is_result(status)) {
        status = sb_row_failure(&sb_analysis_modes, pair, 0.0, status, ctx->message, out);
    }
    sb_arena_free(&arena);
    return status;
}

static int check(sb_context *ctx, const void *options, const sb_pair *pair) {
    const modes_config *config = options;
    long steps;
    if (config->at == AT_TIME && !(config->t > 0.0)) {
        return sb_fail(ctx, SB_BAD_USAGE, "modes: at=time needs t > 0, not t=%g; the state at t = 0 is at=initial", config->t);
    }
    if (config->at != AT_TIME) {
        return SB_OK;
    }
    return config->h > 0.0 ? sb_steps(ctx, config->t, config->h, SB_STEPS_EXACT, &steps)
                           : sb_steps(ctx, config->t, 0.05 * pair->sys->time_scale, SB_STEPS_UP, &steps);
}

static const sb_param params[] = {
    {"at", SB_CHOICE, offsetof(modes_config, at), "initial", 0.0, 0.0, SB_CLOSED, "initial|equilibrium|time", "",
     "the initial state; the equilibrium found from its position; or the state at time t of a run of the stepper"},
    {"t", SB_REAL, offsetof(modes_config, t), "0", 0.0, INFINITY, SB_OPEN_HI, NULL, "s", "of at=time"},
    {"h", SB_REAL, offsetof(modes_config, h), "0", 0.0, INFINITY, SB_OPEN_HI, NULL, "s", "step of that run; 0: about a twentieth of the problem's time scale"},
    {"count", SB_INT, offsetof(modes_config, count), "10", 0.0, 1e6, SB_CLOSED, NULL, "", "modes to list, from the fastest; 0: all"},
    {"matrices", SB_CHOICE, offsetof(modes_config, matrices), "auto", 0.0, 0.0, SB_CLOSED, "auto|dense|sparse", "",
     "dense ones give every mode, of up to 2000 coordinates; sparse ones the fastest, of any size; auto: sparse above 500 coordinates"},
    {0}};

static const sb_column columns[COLUMNS] = {
    {"problem", SB_COL_KEY, "", "the problem"},
    {"t", SB_COL_KEY, "s", "time of the state"},
    {"mode", SB_COL_KEY, "", "from the fastest, 0"},
    {"omega_full", SB_COL_EXACT, "1/s", "frequency from M^-1 K, K = sum lambda_i Hess g_i - V_qq; negative: a rate of growth; empty where M is singular"},
    {"omega_projected", SB_COL_EXACT, "1/s", "from the pencil (L K L', L M L') on the tangent space of the constraints: the one that predicts"},
    {"omega_text", SB_COL_EXACT, "1/s", "from L M^-1 L' times L K L', as the text has it; corrected it is omega_projected"},
    {"h_crit", SB_COL_EXACT, "s", "2/omega_projected: the largest stable step of an explicit method"},
    {"status", SB_COL_INFO, "", "ok, or why there is no result"}};

const sb_analysis sb_analysis_modes = {
    .entry = {"modes", "transversal modes of the constraints at a state, by three matrices, and the step they allow", "transv18", params, sizeof(modes_config)},
    .default_problem = "thread",
    .default_stepper = "rattle",
    .needs = SB_HAS_HOLONOMIC,
    .ncolumns = COLUMNS,
    .columns = columns,
    .check = check,
    .run = run};
