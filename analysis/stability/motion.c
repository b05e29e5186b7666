/* The motion of a system, computed with small steps: its fastest mode and its range; and whether a run with another
 * step stays within the range. */
#include <string.h>

#include <cblas.h>

#include "analysis/accuracy/nonsmooth.h"
#include "analysis/conservation/applied_work.h"
#include "analysis/modes/linear_motion.h"
#include "analysis/modes/spectra_dense.h"
#include "analysis/row.h"
#include "analysis/stability/deviation.h"
#include "analysis/stability/motion.h"
#include "core/base/text.h"
#include "core/run/build.h"

/* The extent of a run from the initial position q0. */
typedef struct extent {
    sb_context *ctx;
    const sb_system *sys;
    sb_system smooth;
    sb_motion *motion;
    sb_dynamics dyn;
    sb_applied_work work;
    bool works; /* the work of forces is computed */
    double *q0, *v0, *Mx;
    double t0, E0;
    double range, kinetic, E, low, high, energy, size; /* E: of the last state; energy: the largest |E - E(0) - work|;
                                                          size: of |T| + |V| */
    double sum;                                        /* of T over the states */
    long states;
} extent;

sb_system sb_motion_smooth(const sb_system *sys) {
    sb_system smooth = *sys;
    smooth.contact = (sb_contact){0};
    smooth.flags &= ~(unsigned)(SB_HAS_CONTACT | SB_HAS_FRICTION);
    return smooth;
}

/* Starts with the initial state and the kick. h: the step of a run whose work of forces is computed; 0: it is not. */
static int extent_init(sb_context *ctx, sb_arena *arena, const sb_system *sys, double h, sb_motion *motion,
                       extent *out) {
    double T, V;
    *out = (extent){.ctx = ctx,
                    .sys = sys,
                    .smooth = sb_motion_smooth(sys),
                    .motion = motion,
                    .works = h > 0.0 && sb_applied_work_exists(sys)};
    SB_TRY(sb_dynamics_init(ctx, arena, sys, &out->dyn));
    SB_TRY(out->works ? sb_applied_work_init(ctx, arena, sys, h, &out->work) : SB_OK);
    SB_TRY(SB_VECTORS(arena, sys->n, &out->q0, &out->v0));
    SB_NEW(arena, out->Mx, sb_pattern_nnz(&sys->inertia.M));
    SB_TRY(sys->initial(sys->self, &out->t0, out->q0, out->v0));
    cblas_daxpy(sys->n, 1.0, motion->kick, 1, out->v0, 1);
    SB_TRY(sb_dynamics_energy(&out->dyn, out->t0, out->q0, out->v0, &T, &V));
    out->E0 = out->low = out->high = T + V;
    return SB_OK;
}

/* Updates the values with the next state. */
static int extent_add(extent *w, double t, const double *q, const double *v) {
    double T, V;
    w->range = sb_larger(w->range, sb_distance_max(w->sys->n, q, w->q0));
    SB_TRY(sb_dynamics_energy(&w->dyn, t, q, v, &T, &V));
    SB_TRY(w->works ? sb_applied_work_add(&w->work, t, q, v) : SB_OK);
    w->kinetic = sb_larger(w->kinetic, T);
    w->sum += T;
    w->states++;
    w->E = T + V;
    w->low = fmin(w->low, w->E);
    w->high = fmax(w->high, w->E);
    w->energy = sb_larger(w->energy, fabs(w->E - w->E0 - w->work.value));
    w->size = sb_larger(w->size, fabs(T) + fabs(V));
    return SB_OK;
}

/* Runs a method from the initial state of the extent. */
static int run_from(const extent *w, sb_method *method, sb_run *run, sb_observer observe, void *arg) {
    run->t0 = w->t0;
    run->q0 = w->q0;
    run->v0 = w->v0;
    run->every = 1;
    return sb_run_method(method, run, observe, arg);
}

/* Sets the kick of a motion at rest in an equilibrium, to 1e-8 of its size per time scale. */
static int set_kick(sb_context *ctx, sb_arena *arena, const sb_system *sys, sb_motion *m) {
    const double T = sys->time_scale;
    extent w;
    double size, *a;
    int failed = SB_OK;
    SB_SCRATCH(scratch, ctx);
    SB_NEW(arena, m->kick, sys->n);
    SB_NEW(&scratch, a, sys->n);
    SB_TRY(extent_init(ctx, &scratch, sys, 0.0, m, &w));
    SB_TRY(sb_system_length(ctx, sys, &size));
    SB_TRY(sb_row_go_on(sb_dynamics_acceleration(&w.dyn, w.t0, w.q0, w.v0, a, NULL), &failed));
    size = size > 0.0 ? size : 1.0;
    m->kicked = failed == SB_OK && !m->fixed && !(sb_norm_max(sys->n, w.v0) > 0.0) &&
                sb_norm_max(sys->n, a) * T * T <= 1e-8 * size;
    return m->kicked ? sb_deviation_kick(ctx, &w.dyn, w.t0, w.q0, 1e-6 * size / T, a, m->kick) : SB_OK;
}

/* Sets m->fixed to whether the constraints leave no freedom at the initial state. */
static int set_fixed(sb_context *ctx, const sb_system *sys, sb_motion *m) {
    const int n = sys->n;
    double t, *q, *v, *Lt;
    int rank = 0;
    SB_SCRATCH(scratch, ctx);
    if (sys->holonomic.m < n) {
        return SB_OK;
    }
    SB_TRY(SB_VECTORS(&scratch, n, &q, &v));
    SB_NEW(&scratch, Lt, (size_t)n * (size_t)n);
    SB_TRY(sys->initial(sys->self, &t, q, v));
    SB_TRY(sb_tangent_basis(ctx, sys, t, q, Lt, &rank));
    m->fixed = rank == n;
    return SB_OK;
}

/* ---- The motion. ---- */

/* A run that follows the motion: the state with the largest stiffness since the last sample. */
typedef struct pursuit {
    extent extent;
    long every, last; /* steps of a sample; the last step with one */
    double *a, *a_before, *q_before, stiffness, t, *q, *v;
    double *d, *Md; /* scratch */
} pursuit;

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

/* Updates the fastest mode with the state (t, q, v), and sets *grows to whether the motion linearized there does. */
static int add_modes(extent *w, double t, const double *q, const double *v, bool *grows) {
    sb_motion *m = w->motion;
    sb_linear_motion linear;
    double *shape;
    if (m->fixed) {
        *grows = false;
        return SB_OK;
    }
    SB_SCRATCH(scratch, w->ctx);
    SB_NEW(&scratch, shape, w->sys->n);
    SB_TRY(sb_linear_motion_at(w->ctx, &scratch, &w->smooth, SB_MATRICES_AUTO, SB_ADVISED_MODES, true, t, q, v, &linear,
                               NULL));
    *grows = linear.growth > 0.0;
    SB_TRY(sb_linear_motion_settle(w->ctx, &scratch, &linear));
    const double fastest = cabs(linear.lambda[0]), speed = fastest > 0.0 ? fastest : 0.0 - linear.growth;
    if (m->coordinate >= 0 && !(speed > m->speed)) {
        return SB_OK;
    }
    m->speed = speed;
    m->t = t;
    memcpy(m->q, q, (size_t)w->sys->n * sizeof *q);
    memcpy(m->v, v, (size_t)w->sys->n * sizeof *v);
    sb_linear_motion_shape(&linear, 0, shape);
    return set_coordinate(w, q, shape);
}

/* Starts the samples: at the initial state of the system, without the kick. A bounded equilibrium needs no others. */
static int first_sample(pursuit *p) {
    const extent *w = &p->extent;
    bool grows;
    memcpy(p->v, w->v0, (size_t)w->sys->n * sizeof *p->v);
    cblas_daxpy(w->sys->n, -1.0, w->motion->kick, 1, p->v, 1);
    SB_TRY(add_modes(&p->extent, w->t0, w->q0, p->v, &grows));
    w->motion->bounded = w->motion->kicked && !grows;
    return SB_OK;
}

/* Returns in *length the square root of (x - y)' M(q) (x - y), which does not depend on the units of coordinates. */
static int distance(pursuit *p, const double *q, const double *x, const double *y, double *length) {
    extent *w = &p->extent;
    const int n = w->sys->n;
    for (int i = 0; i < n; i++) {
        p->d[i] = x[i] - y[i];
    }
    SB_TRY(sb_dynamics_momentum(&w->dyn, q, p->d, p->Md));
    *length = sqrt(fmax(0.0, cblas_ddot(n, p->d, 1, p->Md, 1)));
    return SB_OK;
}

/* Keeps the state as the next sample if it is the stiffest since the last one. Where the accelerations are not defined,
 * all are equal, and the last one is kept. */
static int keep_stiffest(pursuit *p, const sb_sample *sample) {
    extent *w = &p->extent;
    const int n = w->sys->n;
    int failed = SB_OK;
    SB_TRY(sb_row_go_on(sb_dynamics_acceleration(&w->dyn, sample->t, sample->q, sample->v, p->a, NULL), &failed));
    double moved, changed;
    SB_TRY(distance(p, sample->q, sample->q, p->q_before, &moved));
    SB_TRY(distance(p, sample->q, p->a, p->a_before, &changed));
    const double stiffness = failed == SB_OK && moved > 0.0 ? changed / moved : 0.0;
    memcpy(p->q_before, sample->q, (size_t)n * sizeof(double));
    memcpy(p->a_before, p->a, (size_t)n * sizeof(double));
    if (sample->step > 0 && stiffness >= p->stiffness) {
        p->stiffness = stiffness;
        p->t = sample->t;
        memcpy(p->q, sample->q, (size_t)n * sizeof(double));
        memcpy(p->v, sample->v, (size_t)n * sizeof(double));
    }
    return SB_OK;
}

static int observe_motion(void *arg, const sb_sample *sample) {
    pursuit *p = arg;
    bool grows;
    SB_TRY(extent_add(&p->extent, sample->t, sample->q, sample->v));
    p->extent.motion->end = sample->t;
    if (p->extent.motion->bounded || sample->step > p->last) {
        return SB_OK;
    }
    SB_TRY(keep_stiffest(p, sample));
    if (sample->step == 0 || (sample->step % p->every != 0 && sample->step != p->last)) {
        return SB_OK;
    }
    p->stiffness = 0.0;
    return add_modes(&p->extent, p->t, p->q, p->v, &grows);
}

/* Initializes the stepper that follows the motion: rattle, rk4 or, if that does not support the system, the stepper of
 * the pair. */
static int choose(sb_context *ctx, sb_arena *arena, const sb_pair *pair, sb_method *out) {
    const char *const name = pair->sys->holonomic.m > 0 ? "rattle" : "rk4";
    const sb_entry *entry = sb_registry_find(ctx, SB_KIND_STEPPER, name);
    return entry != NULL && sb_stepper_check(ctx, (const sb_stepper *)entry, pair->sys) == SB_OK
               ? sb_method_build(ctx, arena, name, pair->sys, out)
               : sb_method_init(ctx, arena, pair->type, pair->config, pair->sys, out);
}

/* Follows the motion with `part` of the usual step; *status is the status of the run. */
static int follow(sb_context *ctx, const sb_pair *pair, double h, double part, long samples, sb_motion *m,
                  int *status) {
    const int n = pair->sys->n;
    const double usual = 0.05 * pair->sys->time_scale;
    pursuit p = {0};
    sb_method method;
    sb_run run = {0};
    SB_SCRATCH(scratch, ctx);
    SB_TRY(choose(ctx, &scratch, pair, &method));
    SB_TRY(sb_steps(ctx, m->t_end, part * (method.type == pair->type ? fmin(usual, 0.25 * h) : usual), SB_STEPS_UP,
                    &p.last));
    m->h = run.h = m->t_end / (double)p.last;
    SB_TRY(sb_steps(ctx, m->reach, run.h, SB_STEPS_UP, &run.steps));
    p.every = (p.last + samples - 1) / samples;
    SB_TRY(SB_VECTORS(&scratch, n, &p.a, &p.a_before, &p.q_before, &p.q, &p.v, &p.d, &p.Md));
    SB_TRY(extent_init(ctx, &scratch, pair->sys, run.h, m, &p.extent));
    m->coordinate = -1;
    SB_TRY(first_sample(&p));
    *status = run_from(&p.extent, &method, &run, observe_motion, &p);
    const extent *w = &p.extent;
    m->stepper = method.type->entry.name;
    m->range = w->range;
    m->kinetic = w->kinetic;
    m->scale = w->sum / fmax(1.0, (double)w->states) + w->high - w->low + 1e3 * DBL_EPSILON * w->size;
    m->low = w->low;
    m->high = w->high;
    m->energy = sb_nonsmooth(pair->sys) || m->fixed ? NAN : w->energy;
    return SB_OK;
}

/* Returns whether a run has failed or lost its energy. */
static bool is_off(const sb_motion *m, int status) { return status > 0 || m->energy > 0.05 * m->scale; }

int sb_motion_follow(sb_context *ctx, sb_arena *arena, const sb_pair *pair, double h, double t_end, long steps_min,
                     long samples, sb_motion *out) {
    const double steps_max = 4e5;
    int status;
    *out = (sb_motion){.t_end = t_end, .reach = fmax(t_end, (double)steps_min * h), .steps_min = steps_min};
    SB_TRY(SB_VECTORS(arena, pair->sys->n, &out->q, &out->v));
    SB_TRY(set_fixed(ctx, pair->sys, out));
    SB_TRY(set_kick(ctx, arena, pair->sys, out));
    SB_TRY(follow(ctx, pair, h, 1.0, samples, out, &status));
    for (double part = 0.5; is_off(out, status) && out->reach <= 0.5 * steps_max * out->h; part *= 0.5) {
        SB_TRY(follow(ctx, pair, h, part, samples, out, &status));
    }
    if (fabs(out->speed) * fmax(out->reach, pair->sys->time_scale) < 1e-3) { /* it does not turn visibly */
        out->speed = 0.0;
    }
    if (status == SB_OK && is_off(out, status)) {
        SB_PRINT(arena, out->cause, "its energy is off by %.2g of the mean kinetic energy, with steps of %.2g",
                 out->energy / out->scale, out->h);
        return SB_OK;
    }
    return status > 0 ? sb_failure_keep(arena, status, &out->cause) : status;
}

/* ---- A trial. ---- */

typedef struct trial {
    extent extent;
    sb_trial *out;
    long steps;      /* number of steps of the run */
    double q0_size;  /* maximum norm of the initial position; 1 if that is 0 */
    bool left_range; /* the trial left the range of the motion */
    bool dissipates; /* a loss of energy does not count */
    long last, away; /* steps of the last third, and those of them whose energy is not one of the motion */
    double excess;   /* of the energy of the last of them, J */
} trial;

/* Returns whether the run is farther from its start than the motion allows. */
static bool is_outside(const trial *r) {
    return !(r->extent.range <= 3.0 * r->extent.motion->range + 0.1 * r->q0_size);
}

/* Returns whether the energy of the system is conserved. */
static bool conserves(const sb_system *sys) {
    return (sys->flags & (unsigned)(SB_HAS_FORCE | SB_HAS_RHEONOMIC | SB_HAS_TIME_POTENTIAL)) == 0 &&
           !sb_nonsmooth(sys);
}

/* Counts a state of the last third of the run whose energy is not one of the motion. */
static void add_energy(trial *r, const sb_sample *sample) {
    const sb_motion *m = r->extent.motion;
    if (!m->bounded && !m->fixed && 3 * sample->step > 2 * r->steps) {
        r->excess = r->extent.E > m->high ? r->extent.E - m->high : fmin(r->extent.E - m->low, 0.0);
        r->last++;
        r->away += r->excess > 0.25 * m->scale || (!r->dissipates && r->excess < -0.25 * m->scale);
    }
}

static int observe_trial(void *arg, const sb_sample *sample) {
    trial *r = arg;
    const sb_motion *m = r->extent.motion;
    r->out->steps = sample->step;
    if (m->cause != NULL && sample->t > m->end * (1.0 + 1e-9)) { /* times are sums of steps */
        return SB_OK;
    }
    SB_TRY(extent_add(&r->extent, sample->t, sample->q, sample->v));
    add_energy(r, sample);
    r->left_range = is_outside(r);
    return r->left_range ? SB_NOT_FINITE : SB_OK;
}

static const char *describe(sb_arena *arena, sb_context *ctx, const trial *r, int status) {
    char text[SB_MESSAGE_MAX];
    if (r->left_range) {
        snprintf(text, sizeof text, "leaves the range of the motion at step %ld", r->out->steps);
    } else if (status == SB_OK) {
        snprintf(text, sizeof text, "ends with an energy that is off by %.2g of the mean kinetic energy",
                 r->excess / r->extent.motion->scale);
    } else {
        snprintf(text, sizeof text, "fails: %s", sb_failure_text(ctx, status));
    }
    return sb_strdup(arena, text);
}

int sb_motion_try(sb_context *ctx, sb_arena *arena, const sb_pair *pair, double h, bool dissipates, sb_motion *motion,
                  sb_trial *out) {
    trial r = {.out = out, .dissipates = dissipates};
    sb_run run = {.h = h};
    sb_method method;
    *out = (sb_trial){.energy = NAN};
    SB_TRY(extent_init(ctx, arena, pair->sys, 0.0, motion, &r.extent));
    const double size = sb_norm_max(pair->sys->n, r.extent.q0);
    r.q0_size = size > 0.0 ? size : 1.0;
    SB_TRY(sb_steps(ctx, motion->t_end, h, SB_STEPS_UP, &run.steps));
    r.steps = run.steps = run.steps > motion->steps_min ? run.steps : motion->steps_min;
    int status = sb_method_init(ctx, arena, pair->type, pair->config, pair->sys, &method);
    status = status == SB_OK ? run_from(&r.extent, &method, &run, observe_trial, &r) : status;
    if (status != SB_OK && !sb_failure_is_result(status)) {
        return status;
    }
    out->passed = status == SB_OK && !((double)r.away > 0.95 * (double)r.last);
    out->end = (double)(status == SB_OK ? out->steps : out->steps + 1) * h;
    out->energy = status == SB_OK && conserves(pair->sys) && !motion->fixed && motion->kinetic > 0.0
                      ? r.extent.energy / motion->kinetic
                      : NAN;
    if (!out->passed) {
        out->cause = describe(arena, ctx, &r, status);
        SB_TRY(out->cause != NULL ? SB_OK : SB_NO_MEMORY);
    }
    return SB_OK;
}
