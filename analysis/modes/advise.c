/* Analysis `advise`: is a step safe, by how much, which mode is critical, what would do instead: the stepper's own limit of h omega over the fastest
 * mode of constraints and potential. notes11 3, transv18. */
#include <stdio.h>
#include <string.h>

#include "analysis/stability/stability_limit.h"
#include "analysis/row.h"
#include "analysis/modes/spectra.h"
#include "core/run/build.h"
#include "core/run/run.h"

extern const sb_analysis sb_analysis_advise;

typedef struct advise_config {
    double h, t_end;
    long samples;
} advise_config;

/* ---- What the problem asks for: the fastest mode at the initial state and along the motion. ---- */

typedef struct demand {
    sb_context *ctx;
    const sb_system *sys;
    double omega2, t; /* the largest, and when */
    int coordinate;   /* the one it moves most, in units of energy */
    double *Mx;
} demand;

/* The coordinate with the largest x_i M_ii x_i. */
static int moved_most(demand *d, const double *q, const double *shape) {
    const sb_pattern *M = &d->sys->inertia.M;
    double most = -1.0;
    SB_TRY(d->sys->inertia.mass(d->sys->inertia.self, q, d->Mx));
    for (int i = 0; i < d->sys->n; i++) {
        const int at = sb_pattern_find(M, i, i);
        const double share = at >= 0 ? shape[i] * shape[i] * d->Mx[at] : 0.0;
        d->coordinate = share > most ? i : d->coordinate;
        most = fmax(most, share);
    }
    return SB_OK;
}

static int see(demand *d, double t, const double *q, const double *v) {
    sb_arena scratch;
    sb_spectra spectra;
    sb_arena_init(&scratch, d->ctx);
    int status = sb_spectra_at(d->ctx, &scratch, d->sys, SB_MATRICES_AUTO, 1, true, t, q, v, &spectra);
    if (status == SB_OK && spectra.d == 0) {
        status = sb_fail(d->ctx, SB_UNSUPPORTED, "%s: its constraints leave no motion, and so no mode", d->sys->name);
    }
    if (status == SB_OK && (d->coordinate < 0 || spectra.projected[0] > d->omega2)) {
        d->omega2 = fabs(spectra.projected[0]) <= spectra.rounding ? 0.0 : spectra.projected[0];
        d->t = t;
        status = moved_most(d, q, spectra.shape);
    }
    sb_arena_free(&scratch);
    return status;
}

static int see_sample(void *arg, const sb_sample *sample) { return see(arg, sample->t, sample->q, sample->v); }

/* Sets *t_end to the end of the motion looked at and *steps to steps that resolve it. */
static int motion_length(sb_context *ctx, const advise_config *config, const sb_system *sys, double *t_end, long *steps) {
    *t_end = config->t_end > 0.0 ? config->t_end : 40.0 * sys->time_scale;
    return sb_steps(ctx, *t_end, 0.05 * sys->time_scale, SB_STEPS_UP, steps);
}

/* Along a run of rattle, or of rk4 where there are no constraints, with a step that resolves the motion; where that fails, up to there. */
static int see_motion(sb_arena *arena, const advise_config *config, demand *d) {
    const sb_system *sys = d->sys;
    sb_method method = {0};
    sb_run run = {.steps = 0};
    double t_end;
    SB_TRY(motion_length(d->ctx, config, sys, &t_end, &run.steps));
    run.h = t_end / (double)run.steps;
    run.every = (run.steps + config->samples - 1) / config->samples;
    int status = sb_method_build(d->ctx, arena, sys->holonomic.m > 0 ? "rattle" : "rk4", sys, &method);
    status = status == SB_OK ? sb_run_method(&method, &run, see_sample, d) : status;
    sb_method_fini(&method);
    return sb_failure_is_result(status) ? SB_OK : status;
}

static int find_demand(sb_arena *arena, const advise_config *config, demand *d) {
    const sb_system *sys = d->sys;
    double *q, *v, t;
    SB_NEW(arena, d->Mx, sb_pattern_nnz(&sys->inertia.M));
    SB_NEW(arena, q, sys->n);
    SB_NEW(arena, v, sys->n);
    d->coordinate = -1;
    SB_TRY(sys->initial(sys->self, &t, q, v));
    SB_TRY(see(d, t, q, v));
    return see_motion(arena, config, d);
}

/* ---- Advice. ---- */

/* Names the registered steppers that take the system and bear tau, as many as fit. */
static int alternatives(sb_context *ctx, sb_arena *arena, const sb_pair *pair, sb_model model, double tau, char *text, size_t size) {
    const sb_entry *entry;
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; (entry = sb_registry_match(ctx->registry, SB_KIND_STEPPER, "*", i)) != NULL; i++) {
        bool stable = false;
        void *config = sb_alloc(arena, 1, entry->config_size);
        if (config == NULL) {
            return SB_NO_MEMORY;
        }
        SB_TRY(sb_config_parse(ctx, arena, entry, "", config));
        if (strcmp(entry->name, pair->type->entry.name) == 0 || sb_stepper_check(ctx, (const sb_stepper *)entry, pair->sys) != SB_OK) {
            continue;
        }
        const int status = sb_stability_limit_holds(ctx, (const sb_stepper *)entry, config, model, tau, &stable);
        if (status != SB_OK && !sb_failure_is_result(status)) {
            return status;
        }
        if (stable && used + strlen(entry->name) + 3 < size) {
            used += (size_t)snprintf(text + used, size - used, "%s%s", used > 0 ? ", " : "", entry->name);
        }
    }
    return SB_OK;
}

enum { PROBLEM, STEPPER, H, SAFE, MARGIN, H_LIMIT, TAU_LIMIT, OMEGA, T_, COORDINATE, ADVICE, STATUS, COLUMNS };

/* What would do, in words. */
static int word(sb_context *ctx, sb_arena *arena, const advise_config *config, const sb_pair *pair, sb_model model, double tau, double omega, char *text, size_t size) {
    const double most = omega > 0.0 ? tau / omega : INFINITY;
    char others[160];
    if (config->h < most) {
        if (isfinite(most)) {
            snprintf(text, size, "keep h; up to %.4g is stable", most);
        } else {
            snprintf(text, size, "%s; accuracy decides", omega > 0.0 ? "no step up to 64/omega is too long for stability" : "nothing oscillates");
        }
        return SB_OK;
    }
    SB_TRY(alternatives(ctx, arena, pair, model, config->h * omega, others, sizeof others));
    const char *named = others[0] != '\0' ? others : "no other stepper by its defaults";
    if (tau > 0.0) {
        snprintf(text, size, "h < %.4g, or at this h: %s", most, named);
        return SB_OK;
    }
    double factor = NAN;
    if (model == SB_MODEL_OSCILLATOR) {
        SB_TRY(sb_stability_limit_growth(ctx, pair->type, pair->config, config->h * omega, &factor));
    }
    if (isnan(factor)) {
        snprintf(text, size, "no h is stable; at this one: %s", named);
    } else {
        snprintf(text, size, "no h is stable: at this one oscillations grow by a factor %.4g a period; %s would do", factor, named);
    }
    return SB_OK;
}

static int write_row(sb_context *ctx, sb_arena *arena, const advise_config *config, const sb_pair *pair, sb_model model, double tau, const demand *d, sb_sink *out) {
    char advice[320], coordinate[16];
    const double omega = d->omega2 > 0.0 ? sqrt(d->omega2) : 0.0;
    const double most = omega > 0.0 ? tau / omega : INFINITY;
    SB_TRY(word(ctx, arena, config, pair, model, tau, omega, advice, sizeof advice));
    snprintf(coordinate, sizeof coordinate, "q%d", d->coordinate);
    const sb_cell row[COLUMNS] = {sb_text(pair->problem), sb_text(pair->stepper), sb_real(config->h), sb_text(config->h < most ? "yes" : "no"), sb_real(most / config->h),
                                  sb_real(most), sb_real(tau), sb_real(sb_signed_root(d->omega2)), sb_real(d->t), sb_text(coordinate), sb_text(advice),
                                  sb_text(SB_STATUS_FINE)};
    return out->row(out, row);
}

static int check(sb_context *ctx, const void *options, const sb_pair *pair) {
    double t_end;
    long steps;
    return motion_length(ctx, options, pair->sys, &t_end, &steps);
}

static int run(sb_context *ctx, const void *options, const sb_pair *pair, sb_sink *out) {
    const advise_config *config = options;
    const sb_model model = pair->sys->holonomic.m > 0 ? SB_MODEL_PENDULUM : SB_MODEL_OSCILLATOR;
    sb_arena arena;
    demand d = {.ctx = ctx, .sys = pair->sys};
    double tau = NAN;
    sb_arena_init(&arena, ctx);
    int status = sb_spectra_check(ctx, pair->sys);
    status = status == SB_OK ? sb_stability_limit_find(ctx, pair->type, pair->config, model, &tau) : status;
    status = status == SB_OK ? find_demand(&arena, config, &d) : status;
    status = status == SB_OK ? write_row(ctx, &arena, config, pair, model, tau, &d, out) : status;
    if (sb_failure_is_result(status)) {
        status = sb_row_failure(&sb_analysis_advise, pair, config->h, status, ctx->message, out);
    }
    sb_arena_free(&arena);
    return status;
}

static const sb_param params[] = {
    {"h", SB_REAL, offsetof(advise_config, h), "1/60", 0.0, INFINITY, SB_OPEN, NULL, "s", "the step in question"},
    {"t_end", SB_REAL, offsetof(advise_config, t_end), "0", 0.0, INFINITY, SB_OPEN_HI, NULL, "s",
     "how far to look along the motion for faster modes; 0: some 40 time scales of the problem"},
    {"samples", SB_INT, offsetof(advise_config, samples), "50", 1.0, 1e6, SB_CLOSED, NULL, "", "states looked at on the way"},
    {0}};

static const sb_column columns[COLUMNS] = {
    {"problem", SB_COL_KEY, "", "the problem"},
    {"stepper", SB_COL_KEY, "", "the stepper"},
    {"h", SB_COL_KEY, "s", "the step in question"},
    {"safe", SB_COL_INFO, "", "yes: h < h_limit"},
    {"margin", SB_COL_EXACT, "", "h_limit/h"},
    {"h_limit", SB_COL_EXACT, "s", "tau_limit/omega"},
    {"tau_limit", SB_COL_EXACT, "", "largest stable h omega of the stepper: on a pendulum near rest where there are constraints, else on an oscillator; inf: none up to 64 is unstable; 0: none is stable"},
    {"omega", SB_COL_EXACT, "1/s", "of the critical mode: the fastest one along the constraints (projected pencil; without constraints, of V_qq and M) over the states looked at; negative: a rate of growth"},
    {"t", SB_COL_EXACT, "s", "when"},
    {"coordinate", SB_COL_INFO, "", "the coordinate with most of the critical mode's energy"},
    {"advice", SB_COL_INFO, "", "what would do"},
    {"status", SB_COL_INFO, "", "ok, or why there is no result"}};

const sb_analysis sb_analysis_advise = {
    .entry = {"advise", "whether a step is safe before it is run: margin, critical mode, alternatives", "transv18", params, sizeof(advise_config)},
    .default_problem = "thread",
    .ncolumns = COLUMNS,
    .columns = columns,
    .check = check,
    .run = run};
