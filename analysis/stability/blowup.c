/* Analysis `blowup`: the largest stable step of any stepper on any problem, beside 2/omega of its modes, transversal to constraints or of the potential. transv18. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <stepbench/numerics/dynamics.h>
#include <stepbench/numerics/norm.h>

#include "analysis/stability/blowup.h"
#include "analysis/row.h"
#include "analysis/modes/spectra.h"

extern const sb_analysis sb_analysis_blowup;

/* ---- Two runs side by side. ---- */

typedef struct twins {
    sb_method method;
    sb_dynamics dyn;
    sb_state now[2], next[2]; /* as it is, and kicked */
    double *d0, *d1, *w, *p, *q, *v;
    int n;
} twins;

static int twins_init(sb_context *ctx, sb_arena *arena, const sb_pair *pair, twins *t) {
    const int n = pair->sys->n;
    t->n = n;
    SB_TRY(sb_dynamics_init(ctx, arena, pair->sys, &t->dyn));
    SB_TRY(sb_method_init(ctx, arena, pair->type, pair->config, pair->sys, &t->method));
    for (int i = 0; i < 2; i++) {
        SB_TRY(sb_state_new(&t->method, arena, &t->now[i]));
        SB_TRY(sb_state_new(&t->method, arena, &t->next[i]));
    }
    SB_NEW(arena, t->d0, n);
    SB_NEW(arena, t->d1, n);
    SB_NEW(arena, t->w, n);
    SB_NEW(arena, t->p, n);
    SB_NEW(arena, t->q, n);
    SB_NEW(arena, t->v, n);
    return SB_OK;
}

static int step_both(twins *t, double h) {
    for (int i = 0; i < 2; i++) {
        SB_TRY(sb_method_step(&t->method, &t->now[i], h, &t->next[i]));
        const sb_state swap = t->now[i];
        t->now[i] = t->next[i];
        t->next[i] = swap;
    }
    return SB_OK;
}

/* w = (d_k - d_{k-1})/h and its energy. */
static int deviate(twins *t, double h, double *energy) {
    double *swap = t->d0;
    t->d0 = t->d1;
    t->d1 = swap;
    for (int k = 0; k < t->n; k++) {
        t->d1[k] = t->now[1].q[k] - t->now[0].q[k];
        t->w[k] = (t->d1[k] - t->d0[k]) / h;
    }
    return sb_dynamics_energy(&t->dyn, t->now[0].q, t->w, energy, NULL);
}

/* The energy of w's part along the constraints as they are at the unkicked run's position: M w_t = M w + G mu. */
static int transversal_share(twins *t, double energy, double *share) {
    double along;
    SB_TRY(sb_dynamics_momentum(&t->dyn, t->now[0].q, t->w, t->p));
    SB_TRY(sb_dynamics_velocity(&t->dyn, t->now[0].t, t->now[0].q, t->p, t->v));
    SB_TRY(sb_dynamics_energy(&t->dyn, t->now[0].q, t->v, &along, NULL));
    *share = along / energy;
    return SB_OK;
}

/* v += the velocities that impulses on every coordinate at once give, scaled to `speed`: light bodies, which make the stiffest modes, move
 * fastest. The golden ratio's multiples, taken modulo 1, repeat in no pattern that a mode could be orthogonal to. */
static int kick(twins *t, double time, double speed, double *v) {
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
        return sb_fail(t->method.ctx, SB_UNSUPPORTED, "%s: its constraints leave nothing that a kick could move", t->method.sys->name);
    }
    for (int k = 0; k < t->n; k++) {
        v[k] += speed / most * (after[k] - before[k]);
    }
    return SB_OK;
}

/* Both at their starts. */
static int start(twins *t, double share, double h) {
    const sb_system *sys = t->method.sys;
    double time, energy;
    SB_TRY(sys->initial(sys->self, &time, t->q, t->v));
    const double size = fmax(sb_norm_max(t->n, t->q), sb_norm_max(t->n, t->v) * sys->time_scale);
    SB_TRY(sb_method_start(&t->method, time, t->q, t->v, h, &t->now[0]));
    SB_TRY(kick(t, time, share * (size > 0.0 ? size : 1.0) / sys->time_scale, t->v));
    SB_TRY(sb_method_start(&t->method, time, t->q, t->v, h, &t->now[1]));
    memset(t->d1, 0, (size_t)t->n * sizeof *t->d1);
    return deviate(t, h, &energy);
}

static int follow(twins *t, const sb_blowup_config *config, double h, sb_growth *out) {
    double first = 0.0, energy = 0.0;
    SB_TRY(start(t, config->kick, h));
    for (out->steps = 0; out->steps < config->steps && out->growth <= config->growth;) {
        SB_TRY(step_both(t, h));
        SB_TRY(deviate(t, h, &energy));
        first = out->steps == 0 ? energy : first;
        out->steps++;
        out->growth = sb_larger(out->growth, energy / first);
    }
    out->stable = out->growth <= config->growth;
    return transversal_share(t, energy, &out->transversal);
}

int sb_blowup_growth(sb_context *ctx, sb_arena *arena, const sb_blowup_config *config, const sb_pair *pair, double h, sb_growth *out) {
    twins t = {0};
    sb_arena scratch;
    *out = (sb_growth){.transversal = NAN};
    sb_arena_init(&scratch, ctx);
    int status = twins_init(ctx, &scratch, pair, &t);
    if (status == SB_OK) {
        status = follow(&t, config, h, out);
        if (sb_failure_is_result(status)) { /* of a step or its start: that is what blowing up looks like */
            out->stable = false;
            out->cause = sb_strdup(arena, ctx->message[0] != '\0' ? ctx->message : sb_status_text(status));
            status = out->cause != NULL ? SB_OK : SB_NO_MEMORY;
        }
    }
    sb_method_fini(&t.method);
    sb_dynamics_fini(&t.dyn);
    sb_arena_free(&scratch);
    return status;
}

/* ---- The limit. ---- */

int sb_blowup_measure(sb_context *ctx, sb_arena *arena, const sb_blowup_config *config, const sb_pair *pair, sb_blowup *out) {
    const double factor = 1.25;
    double lo = 0.0, hi = config->h_min;
    *out = (sb_blowup){0};
    for (;;) {
        SB_TRY(sb_blowup_growth(ctx, arena, config, pair, hi, &out->beyond));
        if (!out->beyond.stable) {
            break;
        }
        lo = hi;
        if (hi >= config->h_max) {
            out->h = hi;
            return SB_OK;
        }
        hi = fmin(factor * hi, config->h_max);
    }
    out->limited = true;
    while (lo > 0.0 && hi - lo > config->tol * hi) {
        const double middle = 0.5 * (lo + hi);
        sb_growth growth;
        SB_TRY(sb_blowup_growth(ctx, arena, config, pair, middle, &growth));
        if (growth.stable) {
            lo = middle;
        } else {
            hi = middle;
            out->beyond = growth;
        }
    }
    out->h = lo;
    return SB_OK;
}

/* ---- What the spectra predict. ---- */

/* 2/omega for the largest omega^2 of the n given, infinite where none is positive, NaN where there are none. */
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
        *out = (sb_limits){limit_of(spectra.n, spectra.full), limit_of(spectra.d, spectra.projected), limit_of(spectra.d, spectra.text)};
    }
    return sb_failure_is_result(status) ? SB_OK : status;
}

void sb_blowup_range(const sb_system *sys, const sb_limits *limits, sb_blowup_config *config) {
    const bool known = limits->projected < 100.0 * sys->time_scale; /* a slower mode than the motion's own sets no limit */
    if (!(config->h_min > 0.0)) {
        config->h_min = known ? 0.25 * limits->projected : 0.05 * sys->time_scale;
    }
    if (!(config->h_max > 0.0)) {
        config->h_max = known ? 16.0 * limits->projected : 100.0 * sys->time_scale;
    }
}

/* ---- Rows. ---- */

enum { PROBLEM, STEPPER, MEASURED, FULL, PROJECTED, TEXT, RATIO, SHARE, STATUS, COLUMNS };

static sb_cell known(double x) {
    return isnan(x) ? sb_empty() : sb_real(x);
}

static int check_range(sb_context *ctx, const sb_blowup_config *config) {
    return config->h_max >= config->h_min ? SB_OK : sb_fail(ctx, SB_BAD_USAGE, "blowup: h_max=%.9g is below h_min=%.9g", config->h_max, config->h_min);
}

static int check(sb_context *ctx, const void *options, const sb_pair *pair) {
    const sb_blowup_config *config = options;
    (void)pair;
    return config->h_max > 0.0 ? check_range(ctx, config) : SB_OK;
}

static int write_row(sb_context *ctx, sb_arena *arena, const sb_blowup_config *options, const sb_pair *pair, sb_sink *out) {
    sb_blowup_config config = *options;
    sb_limits limits;
    sb_blowup found;
    char text[SB_MESSAGE_MAX];
    SB_TRY(sb_blowup_predict(ctx, arena, pair->sys, &limits));
    sb_blowup_range(pair->sys, &limits, &config);
    SB_TRY(check_range(ctx, &config));
    const int status = sb_blowup_measure(ctx, arena, &config, pair, &found);
    if (sb_failure_is_result(status)) {
        return sb_row_failure(&sb_analysis_blowup, pair, 0.0, status, ctx->message, out);
    }
    SB_TRY(status);
    if (!found.limited) {
        snprintf(text, sizeof text, "stable up to the largest h tried, %.9g", found.h);
    } else if (!(found.h > 0.0)) {
        snprintf(text, sizeof text, "unstable at the smallest h tried, %.9g", config.h_min);
    } else {
        snprintf(text, sizeof text, "%s", found.beyond.cause != NULL ? found.beyond.cause : SB_STATUS_FINE);
    }
    const bool measured = found.limited && found.h > 0.0;
    const sb_cell row[COLUMNS] = {sb_text(pair->problem),
                                  sb_text(pair->stepper),
                                  measured ? sb_real(found.h) : sb_empty(),
                                  known(limits.full),
                                  known(limits.projected),
                                  known(limits.text),
                                  measured ? known(found.h / limits.projected) : sb_empty(),
                                  found.limited ? known(found.beyond.transversal) : sb_empty(),
                                  sb_text(text)};
    return out->row(out, row);
}

static int run(sb_context *ctx, const void *config, const sb_pair *pair, sb_sink *out) {
    sb_arena arena;
    sb_arena_init(&arena, ctx);
    const int status = write_row(ctx, &arena, config, pair, out);
    sb_arena_free(&arena);
    return status;
}

static const sb_param params[] = {
    {"h_min", SB_REAL, offsetof(sb_blowup_config, h_min), "0", 0.0, INFINITY, SB_OPEN_HI, NULL, "s",
     "where the search begins; 0: a quarter of 2/omega, or a twentieth of the time scale where no mode oscillates"},
    {"h_max", SB_REAL, offsetof(sb_blowup_config, h_max), "0", 0.0, INFINITY, SB_OPEN_HI, NULL, "s",
     "where it ends; 0: 16 times 2/omega, or 100 time scales"},
    {"kick", SB_REAL, offsetof(sb_blowup_config, kick), "1e-9", 0.0, 1.0, SB_OPEN_LO, NULL, "",
     "size of the kick's velocities, of the largest coordinate a time scale"},
    {"growth", SB_REAL, offsetof(sb_blowup_config, growth), "1e8", 1.0, 1e16, SB_OPEN_LO, NULL, "",
     "a step is unstable when the energy of the kick's deviation grows by this factor"},
    {"steps", SB_INT, offsetof(sb_blowup_config, steps), "2000", 10.0, 1e9, SB_CLOSED, NULL, "",
     "steps it has for that: 2000 are 640 periods of a mode at its limit 2/omega"},
    {"tol", SB_REAL, offsetof(sb_blowup_config, tol), "1e-6", 1e-14, 0.1, SB_CLOSED, NULL, "",
     "relative width at which the bisection ends"},
    {0}};

static const sb_column columns[COLUMNS] = {
    {"problem", SB_COL_KEY, "", "the problem"},
    {"stepper", SB_COL_KEY, "", "the stepper"},
    {"h_measured", SB_COL_EXACT, "s", "largest stable step; empty when none was found unstable, or all were"},
    {"h_full", SB_COL_EXACT, "s", "2/omega of the largest omega of M^-1 K at the initial state, transv18; inf: no mode oscillates"},
    {"h_projected", SB_COL_EXACT, "s", "the same of the pencil (L K L', L M L'); without constraints all three are 2/omega of V_qq and M"},
    {"h_text", SB_COL_EXACT, "s", "the same of E L K L' with E as transv18 prints it"},
    {"ratio", SB_COL_EXACT, "", "h_measured / h_projected"},
    {"transversal", SB_COL_EXACT, "", "share of the deviation's energy along the constraints where it blew up; empty after a failed step"},
    {"status", SB_COL_INFO, "", "ok, up to where all steps are stable, how the smallest unstable one failed, or why there is no result"}};

const sb_analysis sb_analysis_blowup = {
    .entry = {"blowup", "largest stable step of any stepper on any problem, beside 2/omega of its modes", "transv18", params,
              sizeof(sb_blowup_config)},
    .ncolumns = COLUMNS,
    .columns = columns,
    .check = check,
    .run = run};
