/* Analysis `advise`: whether a step is stable, by its roots on the linearized motion where that is fastest and by a
 * run, and alternatives. notes11 3, transv18. */
#include <string.h>

#include "analysis/accuracy/nonsmooth.h"
#include "analysis/row.h"
#include "analysis/stability/amplification.h"
#include "analysis/stability/limiting.h"
#include "analysis/stability/motion.h"
#include "core/base/text.h"
#include "core/run/build.h"

typedef struct advise_config {
    double h, t_end;
    long samples;
} advise_config;

/* The results for a pair. */
typedef struct evidence {
    sb_context *ctx;
    sb_arena *arena;
    const sb_pair *pair;
    sb_system smooth; /* without contacts and dry friction */
    sb_motion motion;
    sb_system
        frozen[2];    /* the linearized motion at its fastest state, without and with forces; n = 0: nothing is left */
    double omega;     /* |lambda| of its fastest mode, 1/s, 0 if it has none */
    double h, limit;  /* the step; the largest one with which the frozen motion is stable, s; infinite: none */
    const char *part; /* of a mechanism that the fastest mode strains most; "": none */
    bool dissipates;  /* oscillations of the frozen motion decay with the step h */
    sb_trial trial;   /* trial of the step h */
} evidence;

/* Returns whether the step exceeds the limit, but contacts or dry friction, without which the limit is computed, hold
 * the motion: they take freedom and make no mode faster. */
static bool is_held(const evidence *e) { return !(e->h < e->limit) && sb_nonsmooth(e->pair->sys) && e->trial.passed; }

/* Returns "unclear" if the motion cannot be followed to its end or, where the run fails later, to the end of the run,
 * or if it is held; else "yes" or "no". */
static const char *verdict(const evidence *e) {
    const bool open = e->motion.cause != NULL && (e->trial.passed || e->trial.end > e->motion.end);
    return is_held(e) ? "unclear" : !(e->h < e->limit) ? "no" : open ? "unclear" : e->trial.passed ? "yes" : "no";
}

/* ---- Linear stability. ---- */

/* Returns a stepper on the frozen motion. */
static sb_pair frozen_for(const evidence *e, const sb_pair *pair) {
    const sb_system *sys = &e->frozen[(pair->type->supports & (unsigned)SB_HAS_FORCE) != 0];
    return (sb_pair){sys->name, pair->type->entry.name, sys, pair->type, pair->config, NULL, NULL};
}

/* Examines the step h of a stepper on the frozen motion. */
static int examine(const evidence *e, const sb_pair *pair, double h, sb_step_result *out) {
    const sb_pair frozen = frozen_for(e, pair);
    *out = (sb_step_result){.bounded = SB_BOUNDED};
    return frozen.sys->n > 0 ? sb_amplification_examine(e->ctx, e->arena, &frozen, h, out) : SB_OK;
}

/* Builds the frozen motion and sets e->limit from the roots of the step, to 1e-7 and rounded: infinite if every
 * h omega up to 64 is stable, 0 if the smallest tried, 1/16, is unstable. */
static int find_limit(evidence *e) {
    const sb_motion *m = &e->motion;
    sb_linear_motion motion;
    sb_step_result l;
    double lo = 0.0, hi = 1.0 / 16.0 / m->speed, error;
    e->limit = INFINITY;
    e->part = "";
    if (!(m->speed > 0.0)) {
        return SB_OK;
    }
    e->omega = m->speed;
    SB_TRY(sb_linear_motion_at(e->ctx, e->arena, &e->smooth, SB_MATRICES_AUTO, SB_ADVISED_MODES, false, m->t, m->q,
                               m->v, &motion, NULL));
    SB_TRY(sb_linear_motion_settle(e->ctx, e->arena, &motion));
    SB_TRY(sb_limiting_part(e->arena, &motion, m->q, &e->part));
    for (int i = 0; i < 2 && cabs(motion.lambda[0]) > 0.0; i++) {
        SB_TRY(sb_linear_motion_system(e->ctx, e->arena, &motion, SB_ADVISED_MODES, i == 1, &e->frozen[i]));
    }
    if (e->frozen[0].n == 0) {
        return SB_OK;
    }
    const sb_pair frozen = frozen_for(e, e->pair);
    sb_root_search s = {.ctx = e->ctx, .arena = e->arena, .pair = &frozen};
    SB_TRY(sb_stepper_check(e->ctx, e->pair->type, frozen.sys));
    SB_TRY(sb_raise_to_unstable(sb_root_judge, &s, 1.1, 64.0 / e->omega, &lo, &hi));
    if (hi > 0.0) {
        SB_TRY(lo > 0.0 ? sb_bisect_decided(sb_root_judge, &s, 1e-7, &lo, &hi) : SB_OK);
        e->limit = lo > 0.0 && hi > 0.0 ? sb_bracketed(lo, hi, &error) : lo;
    }
    SB_TRY(examine(e, e->pair, e->h, &l));
    e->dissipates = l.dissipates;
    return SB_OK;
}

/* ---- Alternatives. ---- */

/* Sets *passes if a pair with the step h is linearly stable and passes a run. */
static int try_pair(evidence *e, const sb_pair *pair, double h, bool *passes) {
    sb_step_result l;
    sb_trial trial;
    int status = examine(e, pair, h, &l);
    *passes = status == SB_OK && sb_is_stable(l.bounded);
    if (*passes) {
        status = sb_motion_try(e->ctx, e->arena, pair, h, l.dissipates, &e->motion, &trial);
        *passes = status == SB_OK && trial.passed;
    }
    return sb_failure_is_result(status) ? SB_OK : status;
}

/* Sets `text` to the names of the registered steppers of fixed steps that take the system and pass at h, as many as
 * fit. */
static int alternatives(evidence *e, char *text, size_t size) {
    const sb_entry *entry;
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; (entry = sb_registry_match(e->ctx->registry, SB_KIND_STEPPER, "*", i)) != NULL; i++) {
        const sb_stepper *type = (const sb_stepper *)entry;
        bool passes = false;
        sb_pair pair;
        if (strcmp(entry->name, e->pair->type->entry.name) == 0 || type->control.tolerance != NULL ||
            sb_stepper_check(e->ctx, type, e->pair->sys) != SB_OK) {
            continue;
        }
        SB_TRY(sb_pair_build(e->ctx, e->arena, e->pair->sys, entry->name, &pair));
        SB_TRY(try_pair(e, &pair, e->h, &passes));
        if (passes && used + strlen(entry->name) + 3 < size) {
            used += (size_t)snprintf(text + used, size - used, "%s%s", used > 0 ? ", " : "", entry->name);
        }
    }
    return SB_OK;
}

/* Sets *h to the longest of h/2, h/4, ... h/1024 that passes, to 0 if none does. */
static int shorter(evidence *e, double *h) {
    bool passes = false;
    *h = e->h;
    for (int i = 0; i < 10 && !passes && e->limit > 0.0; i++) {
        *h *= 0.5;
        passes = *h < e->limit;
        SB_TRY(passes ? try_pair(e, e->pair, *h, &passes) : SB_OK);
    }
    *h = passes ? *h : 0.0;
    return SB_OK;
}

/* ---- Advice. ---- */

/* Sets `text` to the limit, for a step below it. */
static void describe_limit(const evidence *e, char *text, size_t size) {
    const char *const without = sb_nonsmooth(e->pair->sys) ? " without contacts and dry friction" : "";
    if (isfinite(e->limit)) {
        snprintf(text, size, "linearly stable up to %.4g%s", e->limit, without);
    } else if (e->omega > 0.0) {
        snprintf(text, size, "linearly stable up to 64/omega%s", without);
    } else {
        snprintf(text, size, "nothing oscillates or decays%s, so that accuracy decides", without);
    }
}

/* Sets `text` to the advice for a step that passes, or that cannot be decided. */
static void keep(const evidence *e, char *text, size_t size) {
    char limit[128], energy[64] = "";
    describe_limit(e, limit, sizeof limit);
    if (is_held(e)) {
        snprintf(text, size, "%s: a run of %ld steps keeps the range of a motion that they hold; a shorter h is safe",
                 limit, e->trial.steps);
        return;
    }
    if (e->motion.cause != NULL) {
        snprintf(
            text, size,
            "%s, but %s follows the motion only up to t = %.4g of %.4g (%.200s): a shorter t_end or h would decide",
            limit, e->motion.stepper, e->motion.end, e->motion.reach, e->motion.cause);
        return;
    }
    if (!isnan(e->trial.energy)) {
        snprintf(energy, sizeof energy, ", the energy to %.2g of the kinetic energy", e->trial.energy);
    }
    snprintf(text, size, "keep h: %s, and a run of %ld steps keeps the range of the motion%s", limit, e->trial.steps,
             energy);
}

/* Sets `text` to the reason why h is not stable. */
static int describe_failure(const evidence *e, char *text, size_t size) {
    if (e->h < e->limit) {
        snprintf(text, size, "a run with this h %s", e->trial.cause);
    } else if (e->limit > 0.0) {
        snprintf(text, size, "linearly unstable from %.4g on", e->limit);
    } else {
        sb_step_result l;
        SB_TRY(examine(e, e->pair, e->h, &l));
        const double factor = sb_is_stable(l.bounded) ? 1.0 : pow(l.radius, 2.0 * M_PI / (e->h * e->omega));
        snprintf(text, size, "no h is stable");
        if (!isnan(factor)) {
            snprintf(text, size, "no h is stable: at this one oscillations grow by a factor %.4g per period", factor);
        }
    }
    return SB_OK;
}

/* Sets `text` to the advice for a step that does not pass: the reason, a shorter step, and other steppers. */
static int replace(evidence *e, char *text, size_t size) {
    char why[SB_MESSAGE_MAX], others[160], less[48] = "";
    double h;
    SB_TRY(describe_failure(e, why, sizeof why));
    SB_TRY(alternatives(e, others, sizeof others));
    SB_TRY(shorter(e, &h));
    if (h > 0.0) {
        snprintf(less, sizeof less, "h = %.4g passes, or ", h);
    }
    snprintf(text, size, "%.280s; %sat this h: %s", why, less,
             others[0] != '\0' ? others : "no other stepper by its defaults");
    return SB_OK;
}

static int write_row(sb_task *task, evidence *e) {
    char advice[SB_MESSAGE_MAX], coordinate[SB_VARIABLE_SIZE] = "";
    const char *safe = verdict(e);
    SB_TRY(strcmp(safe, "no") == 0 ? replace(e, advice, sizeof advice) : (keep(e, advice, sizeof advice), SB_OK));
    if (e->motion.coordinate >= 0) {
        sb_variable_name(task->sys->coordinates, false, e->motion.coordinate, coordinate);
    }
    const double tau = e->omega > 0.0 ? e->limit * e->omega : (double)INFINITY;
    return sb_row(task, SB_CELLS(sb_text(safe), sb_real(e->limit / e->h), sb_real(e->limit), sb_real(tau),
                                 sb_real(e->motion.speed), sb_real(e->motion.t), sb_text(coordinate), sb_text(e->part),
                                 sb_real(fmin(e->motion.end, e->motion.t_end)), sb_text(e->motion.stepper),
                                 sb_known(e->trial.energy), sb_text(advice)));
}

/* Returns the end of the motion, s. */
static double end_of(const advise_config *config, const sb_system *sys) {
    return config->t_end > 0.0 ? config->t_end : sb_default_end(sys, 40.0);
}

static int check(const sb_task *task) {
    long steps;
    return sb_steps(task->ctx, end_of(task->config, task->sys), 0.05 * task->sys->time_scale, SB_STEPS_UP, &steps);
}

static int run(sb_task *task) {
    const advise_config *config = task->config;
    evidence e = {.ctx = task->ctx,
                  .arena = task->arena,
                  .pair = task->pair,
                  .smooth = sb_motion_smooth(task->sys),
                  .h = config->h};
    task->h = config->h;
    SB_TRY(sb_spectra_check(task->ctx, &e.smooth));
    SB_TRY(sb_motion_follow(task->ctx, task->arena, task->pair, config->h, end_of(config, task->sys),
                            config->t_end > 0.0 ? 1 : 1000, config->samples, &e.motion));
    SB_TRY(find_limit(&e));
    SB_TRY(sb_motion_try(task->ctx, task->arena, task->pair, config->h, e.dissipates, &e.motion, &e.trial));
    return write_row(task, &e);
}

static const sb_param params[] = {
    SB_PARAM_POSITIVE(advise_config, h, "1/60", "s", "the step to check"),
    SB_PARAM_NOT_NEGATIVE(advise_config, t_end, "0", "s",
                          "end of the motion along which modes are computed, and of the run with h; 0: about 40 time "
                          "scales of the problem or, if longer, one period, and a run of at least 1000 steps"),
    SB_PARAM_INT(advise_config, samples, "50", 1.0, 1e6, "number of states at which modes are computed"),
    {0}};

static const sb_column columns[] = {
    SB_KEY_COLUMNS,
    {"safe", SB_COL_INFO, "",
     "yes: linearly stable (h < h_limit), and a run with h does not fail, keeps the range of the motion and does not "
     "leave its energy; no; unclear: the motion cannot be followed to its end, or to that of the run"},
    {"margin", SB_COL_EXACT, "", "h_limit/h"},
    {"h_limit", SB_COL_EXACT, "s",
     "largest step with which the motion, linearized and frozen at its fastest state, is stable: by the roots of the "
     "step on M y'' + C y' + K y = 0 with at most 8 modes, without forces of inertia, contacts, dry friction and what "
     "grows by itself; "
     "inf: stable up to 64/omega"},
    {"tau_limit", SB_COL_EXACT, "", "h_limit omega; 0: unstable at 1/16"},
    {"omega", SB_COL_EXACT, "1/s",
     "largest |lambda| of a mode exp(lambda t) of that equation over the states: frequency, or rate of decay; "
     "negative: "
     "nothing else, and a rate of growth"},
    {"t", SB_COL_EXACT, "s", "time of the critical mode"},
    {"coordinate", SB_COL_INFO, "", "coordinate with the largest share of the energy of the critical mode"},
    {"part", SB_COL_INFO, "",
     "spring or joint of a mechanism with the largest share of the energy of the critical mode, by its stiffness and "
     "damping; empty: none has a quarter of it"},
    {"followed", SB_COL_EXACT, "s", "time up to which modes were computed"},
    {"by", SB_COL_INFO, "", "the stepper that followed it, by small steps"},
    {"energy", SB_COL_ERROR, "",
     "largest |E - E(0)| of the run with h over the largest kinetic energy of the motion; empty: the run failed, or "
     "forces do work"},
    {"advice", SB_COL_INFO, "", "why, and steps or steppers that pass"},
    SB_COLUMN_STATUS};

SB_DEFINE_ANALYSIS(advise) = {
    .entry = {"advise", "whether a step is stable, by the fastest mode of the motion and a short run, and alternatives",
              "transv18", params, sizeof(advise_config)},
    .default_problem = "thread",
    SB_COLUMNS(columns),
    .example = "stepbench advise -p oscillator -s verlet --h 2.1",
    .check = check,
    .fixed_steps = true,
    .run = run};
