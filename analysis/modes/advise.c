/* Analysis `advise`: whether a step is stable, the critical mode, and alternatives: the stepper's limit of h omega over
 * the fastest mode of constraints and potential. notes11 3, transv18. */
#include <stdio.h>
#include <string.h>

#include "analysis/modes/spectra.h"
#include "analysis/row.h"
#include "analysis/stability/stability_limit.h"
#include "core/run/build.h"

typedef struct advise_config {
    double h, t_end;
    long samples;
} advise_config;

/* ---- The critical mode: the fastest one at the initial state and along the motion. ---- */

typedef struct critical {
    sb_context *ctx;
    const sb_system *sys;
    double omega2, t; /* the largest omega^2, and its time */
    int coordinate;   /* the coordinate with the largest share of the kinetic energy of the mode */
    double *Mx;
} critical;

/* Sets the coordinate with the largest x_i M_ii x_i. */
static int set_coordinate(critical *d, const double *q, const double *shape) {
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

/* Updates the critical mode with the state (t, q, v). */
static int examine(critical *d, double t, const double *q, const double *v) {
    sb_arena scratch;
    sb_spectra spectra;
    sb_arena_init(&scratch, d->ctx);
    int status = sb_spectra_at(d->ctx, &scratch, d->sys, SB_MATRICES_AUTO, 1, true, t, q, v, &spectra);
    if (status == SB_OK && spectra.d == 0) {
        status =
            sb_fail(d->ctx, SB_UNSUPPORTED, "%s: its constraints leave no motion, so there is no mode", d->sys->name);
    }
    if (status == SB_OK && (d->coordinate < 0 || spectra.projected[0] > d->omega2)) {
        d->omega2 = fabs(spectra.projected[0]) <= spectra.rounding ? 0.0 : spectra.projected[0];
        d->t = t;
        status = set_coordinate(d, q, spectra.shape);
    }
    sb_arena_free(&scratch);
    return status;
}

static int observe(void *arg, const sb_sample *sample) {
    return examine(arg, sample->t, sample->q, sample->v);
}

/* Sets *t_end to the end of the motion and *steps to a number of steps that resolves it. */
static int motion_length(sb_context *ctx, const advise_config *config, const sb_system *sys, double *t_end,
                         long *steps) {
    *t_end = config->t_end > 0.0 ? config->t_end : 40.0 * sys->time_scale;
    return sb_steps(ctx, *t_end, 0.05 * sys->time_scale, SB_STEPS_UP, steps);
}

/* Examines states along a run of rattle, or of rk4 without constraints, up to its end or a failure. */
static int examine_motion(sb_arena *arena, const advise_config *config, critical *d) {
    const sb_system *sys = d->sys;
    sb_method method = {0};
    sb_run run = {.steps = 0};
    double t_end;
    SB_TRY(motion_length(d->ctx, config, sys, &t_end, &run.steps));
    run.h = t_end / (double)run.steps;
    run.every = (run.steps + config->samples - 1) / config->samples;
    int status = sb_method_build(d->ctx, arena, sys->holonomic.m > 0 ? "rattle" : "rk4", sys, &method);
    status = status == SB_OK ? sb_run_method(&method, &run, observe, d) : status;
    return sb_failure_is_result(status) ? SB_OK : status;
}

static int find_critical(sb_arena *arena, const advise_config *config, critical *d) {
    const sb_system *sys = d->sys;
    double *q, *v, t;
    SB_NEW(arena, d->Mx, sb_pattern_nnz(&sys->inertia.M));
    SB_NEW(arena, q, sys->n);
    SB_NEW(arena, v, sys->n);
    d->coordinate = -1;
    SB_TRY(sys->initial(sys->self, &t, q, v));
    SB_TRY(examine(d, t, q, v));
    return examine_motion(arena, config, d);
}

/* ---- Advice. ---- */

/* Sets `text` to the names of the registered steppers that take the system and are stable at tau, as many as fit. */
static int alternatives(sb_context *ctx, sb_arena *arena, const sb_pair *pair, sb_model model, double tau, char *text,
                        size_t size) {
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
        if (strcmp(entry->name, pair->type->entry.name) == 0 ||
            sb_stepper_check(ctx, (const sb_stepper *)entry, pair->sys) != SB_OK) {
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

/* Sets `text` to the advice. */
static int advise(sb_context *ctx, sb_arena *arena, const advise_config *config, const sb_pair *pair, sb_model model,
                  double tau, double omega, char *text, size_t size) {
    const double most = omega > 0.0 ? tau / omega : INFINITY;
    char others[160];
    if (config->h < most) {
        if (isfinite(most)) {
            snprintf(text, size, "keep h; up to %.4g is stable", most);
        } else {
            snprintf(text, size, "%s; accuracy decides",
                     omega > 0.0 ? "no step up to 64/omega is too long for stability" : "nothing oscillates");
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
        snprintf(text, size, "no h is stable: at this one oscillations grow by a factor %.4g a period; %s would do",
                 factor, named);
    }
    return SB_OK;
}

static int write_row(const sb_task *task, sb_model model, double tau, const critical *d) {
    const advise_config *config = task->config;
    char advice[320], coordinate[16];
    const double omega = d->omega2 > 0.0 ? sqrt(d->omega2) : 0.0;
    const double most = omega > 0.0 ? tau / omega : INFINITY;
    SB_TRY(advise(task->ctx, task->arena, config, task->pair, model, tau, omega, advice, sizeof advice));
    snprintf(coordinate, sizeof coordinate, "q%d", d->coordinate);
    return sb_row(task,
                  SB_CELLS(sb_yes(config->h < most), sb_real(most / config->h), sb_real(most), sb_real(tau),
                           sb_real(sb_signed_root(d->omega2)), sb_real(d->t), sb_text(coordinate), sb_text(advice)));
}

static int check(const sb_task *task) {
    double t_end;
    long steps;
    return motion_length(task->ctx, task->config, task->sys, &t_end, &steps);
}

static int run(sb_task *task) {
    const advise_config *config = task->config;
    const sb_model model = task->sys->holonomic.m > 0 ? SB_MODEL_PENDULUM : SB_MODEL_OSCILLATOR;
    critical d = {.ctx = task->ctx, .sys = task->sys};
    double tau;
    task->h = config->h;
    SB_TRY(sb_spectra_check(task->ctx, task->sys));
    SB_TRY(sb_stability_limit_find(task->ctx, task->pair->type, task->pair->config, model, &tau));
    SB_TRY(find_critical(task->arena, config, &d));
    return write_row(task, model, tau, &d);
}

static const sb_param params[] = {
    {"h", SB_REAL, offsetof(advise_config, h), "1/60", 0.0, INFINITY, SB_OPEN, NULL, "s", "the step to check"},
    {"t_end", SB_REAL, offsetof(advise_config, t_end), "0", 0.0, INFINITY, SB_OPEN_HI, NULL, "s",
     "end of the motion along which modes are computed; 0: about 40 time scales of the problem"},
    {"samples", SB_INT, offsetof(advise_config, samples), "50", 1.0, 1e6, SB_CLOSED, NULL, "",
     "number of states at which modes are computed"},
    {0}};

static const sb_column columns[] = {
    SB_KEY_COLUMNS,
    {"safe", SB_COL_INFO, "", "yes: h < h_limit"},
    {"margin", SB_COL_EXACT, "", "h_limit/h"},
    {"h_limit", SB_COL_EXACT, "s", "tau_limit/omega"},
    {"tau_limit", SB_COL_EXACT, "",
     "largest stable h omega of the stepper: on a pendulum near rest if there are constraints, else on an oscillator; "
     "inf: stable up to 64; 0: always unstable"},
    {"omega", SB_COL_EXACT, "1/s",
     "frequency of the critical mode: the fastest one over the states, from the pencil on the tangent space (without "
     "constraints, of V_qq and M); negative: a rate of growth"},
    {"t", SB_COL_EXACT, "s", "time of the critical mode"},
    {"coordinate", SB_COL_INFO, "", "coordinate with the largest share of the energy of the critical mode"},
    {"advice", SB_COL_INFO, "", "steps or steppers that are stable"},
    SB_COLUMN_STATUS};

SB_DEFINE_ANALYSIS(advise) = {.entry = {"advise",
                                        "whether a step is safe before it is run: margin, critical mode, alternatives",
                                        "transv18", params, sizeof(advise_config)},
                              .default_problem = "thread",
                              .ncolumns = sizeof columns / sizeof *columns,
                              .columns = columns,
                              .check = check,
                              .run = run};
