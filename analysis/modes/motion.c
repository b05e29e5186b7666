/* The motion of a system, computed with small steps: its fastest mode and its range; and whether a run with another
 * step stays within the range. */
#include <stdio.h>
#include <string.h>

#include <stepbench/numerics/dynamics.h>
#include <stepbench/numerics/norm.h>

#include "analysis/modes/motion.h"
#include "analysis/modes/spectra.h"
#include "analysis/row.h"
#include "core/run/build.h"

/* The extent of a run from the initial position q0. */
typedef struct extent {
    sb_context *ctx;
    const sb_system *sys;
    sb_motion *motion;
    sb_dynamics dyn;
    double *q0, *Mx;
    double range, kinetic, E0, energy; /* largest so far; energy: |E - E(0)| */
} extent;

static int extent_init(sb_context *ctx, sb_arena *arena, const sb_system *sys, sb_motion *motion, extent *out) {
    double t, T, V, *v;
    *out = (extent){.ctx = ctx, .sys = sys, .motion = motion};
    SB_TRY(sb_dynamics_init(ctx, arena, sys, &out->dyn));
    SB_TRY(SB_VECTORS(arena, sys->n, &out->q0, &v));
    SB_NEW(arena, out->Mx, sb_pattern_nnz(&sys->inertia.M));
    SB_TRY(sys->initial(sys->self, &t, out->q0, v));
    SB_TRY(sb_dynamics_energy(&out->dyn, t, out->q0, v, &T, &V));
    out->E0 = T + V;
    return SB_OK;
}

/* Updates the largest values with a state. */
static int extent_add(extent *w, double t, const double *q, const double *v) {
    double T, V;
    w->range = sb_larger(w->range, sb_distance_max(w->sys->n, q, w->q0));
    SB_TRY(sb_dynamics_energy(&w->dyn, t, q, v, &T, &V));
    w->kinetic = sb_larger(w->kinetic, T);
    w->energy = sb_larger(w->energy, fabs(T + V - w->E0));
    return SB_OK;
}

/* ---- The motion. ---- */

/* Sets the coordinate with the largest x_i M_ii x_i. */
static int set_coordinate(extent *w, const double *q, const double *shape) {
    const sb_system *sys = w->sys;
    const sb_pattern *M = &sys->inertia.M;
    double most = -1.0;
    SB_TRY(sys->inertia.mass(sys->inertia.self, q, w->Mx));
    for (int i = 0; i < sys->n; i++) {
        const int at = sb_pattern_find(M, i, i);
        const double share = at >= 0 ? shape[i] * shape[i] * w->Mx[at] : 0.0;
        w->motion->coordinate = share > most ? i : w->motion->coordinate;
        most = fmax(most, share);
    }
    return SB_OK;
}

/* Updates the fastest mode with the state (t, q, v). */
static int add_modes(extent *w, double t, const double *q, const double *v) {
    sb_motion *m = w->motion;
    sb_spectra spectra;
    SB_SCRATCH(scratch, w->ctx);
    SB_TRY(sb_spectra_at(w->ctx, &scratch, w->sys, SB_MATRICES_AUTO, 1, true, t, q, v, &spectra));
    if (spectra.d == 0) {
        return sb_fail(w->ctx, SB_UNSUPPORTED, "%s: the constraints leave no degree of freedom, so it has no modes",
                       w->sys->name);
    }
    if (m->coordinate >= 0 && !(spectra.projected[0] > m->omega2)) {
        return SB_OK;
    }
    m->omega2 = fabs(spectra.projected[0]) <= spectra.rounding ? 0.0 : spectra.projected[0];
    m->t = t;
    return set_coordinate(w, q, spectra.shape);
}

static int observe_motion(void *arg, const sb_sample *sample) {
    extent *w = arg;
    SB_TRY(extent_add(w, sample->t, sample->q, sample->v));
    w->motion->end = sample->t;
    return add_modes(w, sample->t, sample->q, sample->v);
}

/* Initializes the stepper that follows the motion: rattle, rk4 or, if that does not support the system, the stepper of
 * the pair, for which *h is reduced to a twentieth of the time scale. */
static int choose(sb_context *ctx, sb_arena *arena, const sb_pair *pair, double *h, sb_method *out) {
    const char *const name = pair->sys->holonomic.m > 0 ? "rattle" : "rk4";
    const sb_entry *entry = sb_registry_find(ctx, SB_KIND_STEPPER, name);
    if (entry != NULL && sb_stepper_check(ctx, (const sb_stepper *)entry, pair->sys) == SB_OK) {
        return sb_method_build(ctx, arena, name, pair->sys, out);
    }
    *h = fmin(*h, 0.05 * pair->sys->time_scale);
    return sb_method_init(ctx, arena, pair->type, pair->config, pair->sys, out);
}

int sb_motion_follow(sb_context *ctx, sb_arena *arena, const sb_pair *pair, double h, double t_end, long samples,
                     sb_motion *out) {
    extent w;
    sb_method method;
    sb_run run = {.h = 0.05 * pair->sys->time_scale};
    *out = (sb_motion){.coordinate = -1, .t_end = t_end};
    SB_TRY(extent_init(ctx, arena, pair->sys, out, &w));
    double own = 0.25 * h;
    SB_TRY(choose(ctx, arena, pair, &own, &method));
    run.h = method.type == pair->type ? fmin(run.h, own) : run.h;
    SB_TRY(sb_steps(ctx, t_end, run.h, SB_STEPS_UP, &run.steps));
    run.h = t_end / (double)run.steps;
    run.every = (run.steps + samples - 1) / samples;
    const int status = sb_run_method(&method, &run, observe_motion, &w);
    out->stepper = method.type->entry.name;
    out->h = run.h;
    out->range = w.range;
    out->kinetic = w.kinetic;
    out->ranged = out->end;
    return status > 0 && out->coordinate >= 0 ? sb_failure_keep(arena, status, &out->cause) : status;
}

static int observe_range(void *arg, const sb_sample *sample) {
    extent *w = arg;
    w->motion->ranged = fmax(w->motion->ranged, sample->t);
    return extent_add(w, sample->t, sample->q, sample->v);
}

/* Follows the range of the motion to t, or to the step that fails. */
static int extend(sb_context *ctx, sb_arena *arena, const sb_pair *pair, sb_motion *motion, double t) {
    extent w;
    sb_method method;
    sb_run run = {.h = motion->h, .every = 1};
    double own;
    SB_SCRATCH(scratch, ctx);
    SB_TRY(extent_init(ctx, &scratch, pair->sys, motion, &w));
    SB_TRY(choose(ctx, &scratch, pair, &own, &method));
    SB_TRY(sb_steps(ctx, t, run.h, SB_STEPS_UP, &run.steps));
    const int status = sb_run_method(&method, &run, observe_range, &w);
    motion->range = fmax(motion->range, w.range);
    motion->kinetic = fmax(motion->kinetic, w.kinetic);
    motion->t_end = fmax(motion->t_end, t);
    return sb_failure_keep(arena, status, &motion->cause);
}

/* ---- A trial. ---- */

typedef struct trial {
    extent extent;
    sb_arena *arena;
    const sb_pair *pair;
    sb_trial *out;
    double t_end;    /* s */
    double q0_size;  /* maximum norm of the initial position; 1 if that is 0 */
    bool extended;   /* the reference run was extended to t_end, or as far as possible */
    bool left_range; /* the trial left the range of the motion */
} trial;

/* Returns whether the run is farther from its start than the motion allows. */
static bool is_outside(const trial *r) {
    return !(r->extent.range <= 3.0 * r->extent.motion->range + 0.1 * r->q0_size);
}

/* Extends the reference run to the end of the trial if it does not reach t; does so at most once. Sets *failed to
 * whether it still does not reach t. */
static int extend_reference(trial *r, double t, bool *failed) {
    const double rounding = 1.0 + 1e-9; /* of times, which are sums of steps */
    if (t > r->extent.motion->ranged * rounding && !r->extended) {
        r->extended = true;
        SB_TRY(r->extent.motion->cause == NULL ? extend(r->extent.ctx, r->arena, r->pair, r->extent.motion, r->t_end)
                                               : SB_OK);
    }
    *failed = t > r->extent.motion->ranged * rounding;
    return SB_OK;
}

static int observe_trial(void *arg, const sb_sample *sample) {
    trial *r = arg;
    bool failed = false;
    r->out->steps = sample->step;
    SB_TRY(r->extended ? extend_reference(r, sample->t, &failed) : SB_OK);
    if (failed) {
        return SB_OK;
    }
    SB_TRY(extent_add(&r->extent, sample->t, sample->q, sample->v));
    if (is_outside(r)) {
        SB_TRY(extend_reference(r, sample->t, &failed));
        r->left_range = !failed && is_outside(r);
    }
    return r->left_range ? SB_NOT_FINITE : SB_OK;
}

static const char *describe(sb_arena *arena, sb_context *ctx, const trial *r, int status) {
    char text[SB_MESSAGE_MAX];
    if (r->left_range) {
        snprintf(text, sizeof text, "leaves the range of the motion at step %ld", r->out->steps);
    } else {
        snprintf(text, sizeof text, "fails: %s", sb_failure_text(ctx, status));
    }
    return sb_strdup(arena, text);
}

int sb_motion_try(sb_context *ctx, sb_arena *arena, const sb_pair *pair, double h, sb_motion *motion, sb_trial *out) {
    trial r = {.arena = arena, .pair = pair, .out = out};
    sb_run run = {.h = h, .every = 1};
    sb_method method;
    bool failed;
    *out = (sb_trial){.energy = NAN};
    SB_TRY(extent_init(ctx, arena, pair->sys, motion, &r.extent));
    const double size = sb_norm_max(pair->sys->n, r.extent.q0);
    r.q0_size = size > 0.0 ? size : 1.0;
    SB_TRY(motion->end > 0.0 ? sb_steps(ctx, motion->end, h, SB_STEPS_UP, &run.steps) : SB_OK);
    run.steps = run.steps > 1000 ? run.steps : 1000;
    r.t_end = (double)run.steps * h;
    int status = sb_method_init(ctx, arena, pair->type, pair->config, pair->sys, &method);
    status = status == SB_OK ? sb_run_method(&method, &run, observe_trial, &r) : status;
    if (status != SB_OK && !sb_failure_is_result(status)) {
        return status;
    }
    out->passed = status == SB_OK;
    out->end = (double)(out->passed ? out->steps : out->steps + 1) * h;
    if (!out->passed) {
        out->cause = describe(arena, ctx, &r, status);
        SB_TRY(out->cause != NULL ? SB_OK : SB_NO_MEMORY);
        return r.left_range ? SB_OK : extend_reference(&r, out->end, &failed);
    }
    if ((pair->sys->flags & (unsigned)(SB_HAS_FORCE | SB_HAS_RHEONOMIC | SB_HAS_TIME_POTENTIAL)) == 0 &&
        motion->kinetic > 0.0) {
        out->energy = r.extent.energy / motion->kinetic;
    }
    return SB_OK;
}
