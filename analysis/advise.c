/* Analysis `advise`: is a step safe, by how much, which mode is critical, what would do instead. transv18: 2/omega of the projected pencil. */
#include <stdio.h>
#include <string.h>

#include "analysis/row.h"
#include "analysis/stiffness.h"
#include "core/build.h"
#include "core/run.h"

extern const sb_analysis sb_analysis_advise;

typedef struct advise_config {
    double h, t_end;
    long samples;
} advise_config;

/* ---- What a stepper bears: the largest tau = h omega at which it keeps a pendulum of omega = 1 at rest near its lowest point, where all
 * stiffness is geometric, as it is transversal to constraints. ---- */

enum { STEPS = 1000 };
static const double amplitude = 1e-6, swell = 50.0, tau_end = 64.0;

typedef struct excursion {
    double largest;
} excursion;

static int follow(void *arg, const sb_sample *sample) {
    excursion *e = arg;
    e->largest = sb_larger(e->largest, fabs(sample->q[0]));
    return e->largest <= swell * amplitude ? SB_OK : SB_NOT_FINITE;
}

/* At tau = 2 (1 + e) Verlet's kin grow by exp(2 sqrt(2 e)) a step: past 50 times the start within 1000 steps when e > 2e-6. Below, at 2 (1 - e), a
 * bounded motion beats up to 1/sqrt(8 e) times its start: past 50 times when e < 5e-5. That is how well the limit is told. */
static int bears(sb_context *ctx, const sb_stepper *type, const void *config, double tau, bool *stable) {
    sb_arena arena;
    sb_system sys;
    sb_method method = {0};
    excursion e = {0.0};
    sb_run run = {.h = tau, .steps = STEPS, .every = 1};
    sb_arena_init(&arena, ctx);
    int status = sb_system_build(ctx, &arena, "pendulum:g=1,theta0=1e-6", 0, NULL, &sys);
    status = status == SB_OK ? sb_method_init(ctx, &arena, type, config, &sys, &method) : status;
    if (status == SB_OK) {
        status = sb_run_method(&method, &run, follow, &e);
        *stable = status == SB_OK;
        status = status > 0 ? SB_OK : status;
    }
    sb_method_fini(&method);
    sb_arena_free(&arena);
    return status;
}

/* The smallest tau that is too much, by factors of 1.1 from 1/16 and bisection to 1e-5; infinite when none is up to tau_end, 0 when 1/16 is. */
static int limit(sb_context *ctx, const sb_pair *pair, double *tau) {
    double lo = 0.0, hi = 1.0 / 16.0;
    bool stable;
    SB_TRY(bears(ctx, pair->type, pair->config, hi, &stable));
    while (stable && hi < tau_end) {
        lo = hi;
        hi *= 1.1;
        SB_TRY(bears(ctx, pair->type, pair->config, hi, &stable));
    }
    *tau = stable ? INFINITY : lo;
    if (stable || !(lo > 0.0)) {
        return SB_OK;
    }
    while (hi - lo > 1e-5 * hi) {
        const double middle = 0.5 * (lo + hi);
        SB_TRY(bears(ctx, pair->type, pair->config, middle, &stable));
        *(stable ? &lo : &hi) = middle;
    }
    *tau = lo;
    return SB_OK;
}

/* ---- What the problem asks for: the fastest mode at the initial state and along the motion. ---- */

typedef struct demand {
    sb_stiffness stiffness;
    double omega2, t; /* the largest, and when */
    int coordinate;   /* the one it moves most, in units of energy */
    double *mode;
} demand;

static int see(demand *d, double t, const double *q, const double *v) {
    double omega2, most = 0.0;
    SB_TRY(sb_stiffness_evaluate(&d->stiffness, t, q, v));
    SB_TRY(sb_stiffness_top(&d->stiffness, &omega2, d->mode));
    if (d->coordinate >= 0 && !(omega2 > d->omega2)) {
        return SB_OK;
    }
    d->omega2 = omega2;
    d->t = t;
    for (int i = 0; i < d->stiffness.n; i++) {
        const double share = d->mode[i] * d->mode[i] * d->stiffness.M[i * (d->stiffness.n + 1)];
        d->coordinate = share > most ? i : d->coordinate;
        most = fmax(most, share);
    }
    return SB_OK;
}

static int see_sample(void *arg, const sb_sample *sample) { return see(arg, sample->t, sample->q, sample->v); }

/* Along a run of rattle with a step that resolves the motion; where that fails, up to there. */
static int see_motion(sb_context *ctx, sb_arena *arena, const advise_config *config, const sb_system *sys, demand *d) {
    sb_method method = {0};
    const double t_end = config->t_end > 0.0 ? config->t_end : 40.0 * sys->time_scale;
    sb_run run = {.steps = (long)ceil(t_end / (0.05 * sys->time_scale))};
    run.h = t_end / (double)run.steps;
    run.every = (run.steps + config->samples - 1) / config->samples;
    int status = sb_method_build(ctx, arena, "rattle", sys, &method);
    status = status == SB_OK ? sb_run_method(&method, &run, see_sample, d) : status;
    sb_method_fini(&method);
    return sb_failure_is_result(status) ? SB_OK : status;
}

static int find_demand(sb_context *ctx, sb_arena *arena, const advise_config *config, const sb_system *sys, demand *d) {
    double *q, *v, t;
    SB_NEW(arena, d->mode, sys->n);
    SB_NEW(arena, q, sys->n);
    SB_NEW(arena, v, sys->n);
    d->coordinate = -1;
    SB_TRY(sys->initial(sys->self, &t, q, v));
    SB_TRY(see(d, t, q, v));
    return see_motion(ctx, arena, config, sys, d);
}

/* ---- Advice. ---- */

/* Names the registered steppers that take the system and bear tau, as many as fit. */
static int alternatives(sb_context *ctx, sb_arena *arena, const sb_pair *pair, double tau, char *text, size_t size) {
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
        if (entry == &pair->type->entry || sb_stepper_check(ctx, (const sb_stepper *)entry, pair->sys) != SB_OK) {
            continue;
        }
        const int status = bears(ctx, (const sb_stepper *)entry, config, tau, &stable);
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

static int write_row(sb_context *ctx, sb_arena *arena, const advise_config *config, const sb_pair *pair, double tau, const demand *d, sb_sink *out) {
    char advice[256], others[160], coordinate[16];
    const double omega = d->omega2 > 0.0 ? sqrt(d->omega2) : 0.0;
    const double most = omega > 0.0 ? tau / omega : INFINITY;
    const bool safe = config->h < most;
    if (safe && isinf(most)) {
        snprintf(advice, sizeof advice, "%s", omega > 0.0 ? "no step up to 64/omega is too long for stability; accuracy decides" : "nothing oscillates across the constraints; accuracy decides");
    } else if (safe) {
        snprintf(advice, sizeof advice, "keep h; up to %.4g is stable", most);
    } else {
        SB_TRY(alternatives(ctx, arena, pair, config->h * omega, others, sizeof others));
        snprintf(advice, sizeof advice, "h < %.4g, or at this h: %s", most, others[0] != '\0' ? others : "no other stepper by its defaults");
    }
    snprintf(coordinate, sizeof coordinate, "q%d", d->coordinate);
    const sb_cell row[COLUMNS] = {sb_text(pair->problem), sb_text(pair->stepper), sb_real(config->h), sb_text(safe ? "yes" : "no"), sb_real(most / config->h),
                                  sb_real(most), sb_real(tau), sb_real(sb_signed_root(d->omega2)), sb_real(d->t), sb_text(coordinate), sb_text(advice),
                                  sb_text(SB_STATUS_FINE)};
    return out->row(out, row);
}

static int run(sb_context *ctx, const void *options, const sb_pair *pair, sb_sink *out) {
    const advise_config *config = options;
    sb_arena arena;
    demand d = {0};
    double tau = NAN;
    sb_arena_init(&arena, ctx);
    int status = sb_stiffness_init(ctx, &arena, pair->sys, &d.stiffness);
    status = status == SB_OK ? limit(ctx, pair, &tau) : status;
    status = status == SB_OK ? find_demand(ctx, &arena, config, pair->sys, &d) : status;
    if (status == SB_OK) {
        status = write_row(ctx, &arena, config, pair, tau, &d, out);
    } else if (sb_failure_is_result(status)) {
        status = sb_row_failure(&sb_analysis_advise, pair, config->h, ctx->message, out);
    }
    sb_stiffness_fini(&d.stiffness);
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
    {"tau_limit", SB_COL_EXACT, "", "largest stable h omega of the stepper, measured on a pendulum near rest; inf: none up to 64; 0: none from 1/16 on"},
    {"omega", SB_COL_EXACT, "1/s", "of the critical mode: the fastest transversal one (projected pencil) over the states looked at; negative: a rate of growth"},
    {"t", SB_COL_EXACT, "s", "when"},
    {"coordinate", SB_COL_INFO, "", "the coordinate with most of the critical mode's energy"},
    {"advice", SB_COL_INFO, "", "what would do"},
    {"status", SB_COL_INFO, "", "ok, or why there is no result"}};

const sb_analysis sb_analysis_advise = {
    .entry = {"advise", "whether a step is safe before it is run: margin, critical mode, alternatives", "transv18", params, sizeof(advise_config)},
    .default_problem = "thread",
    .needs = SB_HAS_HOLONOMIC,
    .ncolumns = COLUMNS,
    .columns = columns,
    .run = run};
