/* Analysis `blowup`: the largest stable step of any stepper on any problem, and 2/omega of the modes of the constraints
 * and the potential. transv18. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <stepbench/numerics/dynamics.h>
#include <stepbench/numerics/norm.h>

#include "analysis/modes/spectra.h"
#include "analysis/orbit.h"
#include "analysis/row.h"
#include "analysis/stability/bisect.h"
#include "analysis/stability/blowup.h"

/* ---- Two runs side by side. ---- */

/* A run from the initial state and one from a perturbed initial velocity. */
typedef struct twins {
    sb_method method;
    sb_dynamics dyn;
    sb_orbit orbit[2];               /* unperturbed and perturbed */
    double *d0, *d1, *w, *p, *q, *v; /* the last two differences of the positions, their velocity; scratch */
    int n;
} twins;

static int twins_init(sb_context *ctx, sb_arena *arena, const sb_pair *pair, twins *t) {
    const int n = pair->sys->n;
    t->n = n;
    SB_TRY(sb_dynamics_init(ctx, arena, pair->sys, &t->dyn));
    SB_TRY(sb_method_init(ctx, arena, pair->type, pair->config, pair->sys, &t->method));
    for (int i = 0; i < 2; i++) {
        SB_TRY(sb_orbit_init(&t->method, arena, &t->orbit[i]));
    }
    SB_NEW(arena, t->d0, n);
    SB_NEW(arena, t->d1, n);
    SB_NEW(arena, t->w, n);
    SB_NEW(arena, t->p, n);
    SB_NEW(arena, t->q, n);
    SB_NEW(arena, t->v, n);
    return SB_OK;
}

/* Sets w = (d_k - d_{k-1})/h and computes its energy. */
static int deviate(twins *t, double h, double *energy) {
    double *swap = t->d0;
    t->d0 = t->d1;
    t->d1 = swap;
    for (int k = 0; k < t->n; k++) {
        t->d1[k] = t->orbit[1].now.q[k] - t->orbit[0].now.q[k];
        t->w[k] = (t->d1[k] - t->d0[k]) / h;
    }
    return sb_dynamics_energy(&t->dyn, t->orbit[0].now.q, t->w, energy, NULL);
}

/* Computes the fraction of the energy in the part of w tangent to the constraint manifold at the unperturbed position:
 * M w_t = M w + G mu. */
static int transversal_share(twins *t, double energy, double *share) {
    double along;
    SB_TRY(sb_dynamics_momentum(&t->dyn, t->orbit[0].now.q, t->w, t->p));
    SB_TRY(sb_dynamics_velocity(&t->dyn, t->orbit[0].now.t, t->orbit[0].now.q, t->p, t->v));
    SB_TRY(sb_dynamics_energy(&t->dyn, t->orbit[0].now.q, t->v, &along, NULL));
    *share = along / energy;
    return SB_OK;
}

/* v += the velocities given by impulses on every coordinate at once, scaled to `speed`: light bodies, which make the
 * stiffest modes, move fastest. The fractional parts of the multiples of the golden ratio do not repeat in a pattern to
 * which a mode could be orthogonal. */
static int perturb(twins *t, double time, double speed, double *v) {
    const double golden = 0.6180339887498949;
    double *before = t->d0, *after = t->d1, most = 0.0;
    SB_TRY(sb_dynamics_momentum(&t->dyn, t->q, v, t->p));
    SB_TRY(sb_dynamics_velocity(&t->dyn, time, t->q, t->p, before));
    for (int k = 0; k < t->n; k++) {
        t->p[k] += 0.5 + fmod((k + 1) * golden, 1.0);
    }
    SB_TRY(sb_dynamics_velocity(&t->dyn, time, t->q, t->p, after));
    for (int k = 0; k < t->n; k++) {
        most = sb_larger(most, fabs(after[k] - before[k]));
    }
    if (!(most > 0.0)) {
        return sb_fail(t->method.ctx, SB_UNSUPPORTED, "%s: its constraints leave no motion that could be perturbed",
                       t->method.sys->name);
    }
    for (int k = 0; k < t->n; k++) {
        v[k] += speed / most * (after[k] - before[k]);
    }
    return SB_OK;
}

/* Starts both runs. */
static int start(twins *t, double share, double h) {
    const sb_system *sys = t->method.sys;
    double time, energy;
    SB_TRY(sys->initial(sys->self, &time, t->q, t->v));
    const double size = fmax(sb_norm_max(t->n, t->q), sb_norm_max(t->n, t->v) * sys->time_scale);
    SB_TRY(sb_orbit_start(&t->orbit[0], time, t->q, t->v, h));
    SB_TRY(perturb(t, time, share * (size > 0.0 ? size : 1.0) / sys->time_scale, t->v));
    SB_TRY(sb_orbit_start(&t->orbit[1], time, t->q, t->v, h));
    memset(t->d1, 0, (size_t)t->n * sizeof *t->d1);
    return deviate(t, h, &energy);
}

static int follow(twins *t, const sb_blowup_config *config, double h, sb_growth *out) {
    double first = 0.0, energy = 0.0;
    SB_TRY(start(t, config->kick, h));
    for (out->steps = 0; out->steps < config->steps && out->growth <= config->growth;) {
        SB_TRY(sb_orbit_advance(&t->orbit[0], h, 1));
        SB_TRY(sb_orbit_advance(&t->orbit[1], h, 1));
        SB_TRY(deviate(t, h, &energy));
        first = out->steps == 0 ? energy : first;
        out->steps++;
        out->growth = sb_larger(out->growth, energy / first);
    }
    out->stable = out->growth <= config->growth;
    return transversal_share(t, energy, &out->transversal);
}

int sb_blowup_growth(sb_context *ctx, sb_arena *arena, const sb_blowup_config *config, const sb_pair *pair, double h,
                     sb_growth *out) {
    twins t = {0};
    sb_arena scratch;
    *out = (sb_growth){.transversal = NAN};
    sb_arena_init(&scratch, ctx);
    int status = twins_init(ctx, &scratch, pair, &t);
    if (status == SB_OK) {
        status = follow(&t, config, h, out);
        if (sb_failure_is_result(status)) { /* a step or the start that fails is unstable */
            out->stable = false;
            out->cause = sb_strdup(arena, sb_failure_text(ctx, status));
            status = out->cause != NULL ? SB_OK : SB_NO_MEMORY;
        }
    }
    sb_arena_free(&scratch);
    return status;
}

/* ---- The limit. ---- */

typedef struct search {
    sb_context *ctx;
    sb_arena *arena;
    const sb_blowup_config *config;
    const sb_pair *pair;
    sb_growth *beyond; /* of the last unstable step */
} search;

static int stable_at(void *arg, double h, bool *stable) {
    const search *s = arg;
    sb_growth growth;
    SB_TRY(sb_blowup_growth(s->ctx, s->arena, s->config, s->pair, h, &growth));
    *stable = growth.stable;
    *s->beyond = growth.stable ? *s->beyond : growth;
    return SB_OK;
}

int sb_blowup_measure(sb_context *ctx, sb_arena *arena, const sb_blowup_config *config, const sb_pair *pair,
                      sb_blowup *out) {
    const double factor = 1.25;
    search s = {ctx, arena, config, pair, &out->beyond};
    double lo = 0.0, hi = config->h_min;
    bool stable;
    *out = (sb_blowup){.beyond = {.transversal = NAN}};
    SB_TRY(stable_at(&s, hi, &stable));
    while (stable && hi < config->h_max) {
        lo = hi;
        hi = fmin(factor * hi, config->h_max);
        SB_TRY(stable_at(&s, hi, &stable));
    }
    out->limited = !stable;
    out->h = stable ? hi : lo;
    if (stable || !(lo > 0.0)) {
        return SB_OK;
    }
    SB_TRY(sb_bisect_stable(stable_at, &s, config->tol, &lo, &hi));
    out->h = lo;
    return SB_OK;
}

/* ---- The prediction of the spectra. ---- */

/* Returns 2/omega for the largest of n values omega^2 in descending order: infinite if none is positive, NaN if there
 * are none. */
static double limit_of(int n, const double *omega2) {
    if (omega2 == NULL || n == 0) {
        return NAN;
    }
    return omega2[0] > 0.0 ? 2.0 / sqrt(omega2[0]) : INFINITY;
}

int sb_blowup_predict(sb_context *ctx, sb_arena *arena, const sb_system *sys, sb_limits *out) {
    sb_spectra spectra;
    double t, *q, *v;
    *out = (sb_limits){NAN, NAN, NAN};
    SB_NEW(arena, q, sys->n);
    SB_NEW(arena, v, sys->n);
    SB_TRY(sys->initial(sys->self, &t, q, v));
    const int status = sb_spectra_at(ctx, arena, sys, SB_MATRICES_AUTO, 1, false, t, q, v, &spectra);
    if (status == SB_OK) {
        *out = (sb_limits){limit_of(spectra.n, spectra.full), limit_of(spectra.d, spectra.projected),
                           limit_of(spectra.d, spectra.as_printed)};
    }
    return sb_failure_is_result(status) ? SB_OK : status;
}

void sb_blowup_range(const sb_system *sys, const sb_limits *limits, sb_blowup_config *config) {
    const bool known = limits->projected < 100.0 * sys->time_scale; /* modes slower than the motion set no limit */
    if (!(config->h_min > 0.0)) {
        config->h_min = known ? 0.25 * limits->projected : 0.05 * sys->time_scale;
    }
    if (!(config->h_max > 0.0)) {
        config->h_max = known ? 16.0 * limits->projected : 100.0 * sys->time_scale;
    }
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

static int run(sb_task *task) {
    sb_blowup_config config = *(const sb_blowup_config *)task->config;
    sb_limits limits;
    sb_blowup found;
    char text[SB_MESSAGE_MAX];
    SB_TRY(sb_blowup_predict(task->ctx, task->arena, task->sys, &limits));
    sb_blowup_range(task->sys, &limits, &config);
    SB_TRY(check_range(task->ctx, &config));
    SB_TRY(sb_blowup_measure(task->ctx, task->arena, &config, task->pair, &found));
    if (!found.limited) {
        snprintf(text, sizeof text, "stable up to the largest h tried, %.9g", found.h);
    } else if (!(found.h > 0.0)) {
        snprintf(text, sizeof text, "unstable at the smallest h tried, %.9g", config.h_min);
    } else {
        snprintf(text, sizeof text, "%s", found.beyond.cause != NULL ? found.beyond.cause : SB_STATUS_OK);
    }
    const bool measured = found.limited && found.h > 0.0;
    return sb_row_status(task, text,
                         SB_CELLS(measured ? sb_real(found.h) : sb_empty(), sb_known(limits.full),
                                  sb_known(limits.projected), sb_known(limits.as_printed),
                                  measured ? sb_known(found.h / limits.projected) : sb_empty(),
                                  found.limited ? sb_known(found.beyond.transversal) : sb_empty()));
}

static const sb_param params[] = {
    {"h_min", SB_REAL, offsetof(sb_blowup_config, h_min), "0", 0.0, INFINITY, SB_OPEN_HI, NULL, "s",
     "first step of the search; 0: a quarter of 2/omega, or a twentieth of the time scale if no mode oscillates"},
    {"h_max", SB_REAL, offsetof(sb_blowup_config, h_max), "0", 0.0, INFINITY, SB_OPEN_HI, NULL, "s",
     "last step of the search; 0: 16 times 2/omega, or 100 time scales"},
    {"kick", SB_REAL, offsetof(sb_blowup_config, kick), "1e-9", 0.0, 1.0, SB_OPEN_LO, NULL, "",
     "largest velocity of the perturbation, in units of the largest coordinate per time scale"},
    {"growth", SB_REAL, offsetof(sb_blowup_config, growth), "1e8", 1.0, 1e16, SB_OPEN_LO, NULL, "",
     "a step is unstable if the energy of the perturbation grows by this factor"},
    {"steps", SB_INT, offsetof(sb_blowup_config, steps), "2000", 10.0, 1e9, SB_CLOSED, NULL, "",
     "number of steps for that growth: 2000 are 640 periods of a mode at its limit 2/omega"},
    {"tol", SB_REAL, offsetof(sb_blowup_config, tol), "1e-6", 1e-14, 0.1, SB_CLOSED, NULL, "",
     "relative accuracy of the largest stable step"},
    {0}};

static const sb_column columns[] = {
    SB_COLUMN_PROBLEM,
    SB_COLUMN_STEPPER,
    {"h_measured", SB_COL_EXACT, "s", "largest stable step; empty if no step or every step was unstable"},
    {"h_full", SB_COL_EXACT, "s",
     "2/omega of the largest omega of M^-1 K at the initial state, transv18; inf: no mode oscillates"},
    {"h_projected", SB_COL_EXACT, "s",
     "the same of the pencil (L K L', L M L') on the tangent space; without constraints all three are 2/omega of V_qq "
     "and M"},
    {"h_text", SB_COL_EXACT, "s", "the same of E L K L' with E as transv18 prints it"},
    {"ratio", SB_COL_EXACT, "", "h_measured / h_projected"},
    {"transversal", SB_COL_EXACT, "",
     "fraction of the energy of the perturbation tangent to the constraint manifold at the smallest unstable step; "
     "empty after a failed step"},
    {"status", SB_COL_INFO, "",
     "ok, the step up to which all are stable, the failure of the smallest unstable step, or why there is no result"}};

SB_DEFINE_ANALYSIS(blowup) = {.entry = {"blowup",
                                        "largest stable step of any stepper on any problem, and 2/omega of its modes",
                                        "transv18", params, sizeof(sb_blowup_config)},
                              .ncolumns = sizeof columns / sizeof *columns,
                              .columns = columns,
                              .check = check,
                              .run = run};
