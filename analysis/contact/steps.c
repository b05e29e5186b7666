/* The steps of a run, each with the work of forces and multipliers; for steppers that do not report multipliers those
 * of the motion. */
#include <string.h>

#include <stepbench/numerics/dynamics.h>
#include <stepbench/numerics/lapack.h>

#include "analysis/contact/steps.h"
#include "core/mechanics/matrices.h"

/* ---- The forces of the rows of lambda, from the motion alone. ---- */

/* With the columns C at q0 of all bilateral rows and of the gaps and friction rows that act in the step from (q0, v0)
 * to (q1, v1),
 *
 *   M (v1 - v0) = h (F - T_vq v + C lambda),
 *
 * which gives lambda with an error of order h. Where M varies, as with quaternions, v1 is the velocity at q0 with the
 * twists of the end, because C belongs to q0. A gap acts if the motion without contacts can reach it within the step,
 * |xi| <= h (|N' v0| + h |N' M^-1 F|). Where the rows that act depend on each other, the motion does not determine
 * their forces. */
typedef struct motion_forces {
    sb_context *ctx;
    sb_contact_config config;
    sb_contact_step step;
    sb_scalar *v;                     /* n: v1 as a velocity at q0 */
    sb_scalar *pose, *twist, *q;      /* scratch of v */
    sb_scalar *r, *F, *tmp, *Hx;      /* n, n, n, H */
    sb_scalar *rate, *push, *impulse; /* of each row: C' v0, h C' M^-1 F, C' M^-1 of the impulse */
    double *A, *b;                    /* S of the rows that act, with a unit diagonal; right-hand side */
    int *act, *pivot;                 /* rows that act; their order in the factors */
} motion_forces;

/* Rows depend on each other if elimination leaves this share of a row, well above the 2^-30 that sb_contact_step adds
 * and the round-off of engines in single precision. */
static const double dependent = 1e-6;

static int motion_forces_init(sb_context *ctx, sb_arena *arena, const sb_system *sys, motion_forces *out) {
    const int rows = sb_system_multipliers(sys);
    out->ctx = ctx;
    out->config = (sb_contact_config){.lcp = "block_pivot", .maxit = 1};
    SB_TRY(sb_contact_step_init(ctx, arena, sys, NULL, &out->config, "auto", &out->step));
    SB_TRY(SB_VECTORS(arena, sys->n, &out->r, &out->F, &out->tmp));
    SB_TRY(SB_VECTORS(arena, sys->n, &out->v, &out->q));
    if (sys->world != NULL) {
        SB_TRY(SB_VECTORS(arena, 2 * sys->world->bodies * SB_POSE_MAX, &out->pose, &out->twist));
    }
    SB_NEW(arena, out->Hx, sb_pattern_nnz(&sys->H));
    SB_TRY(SB_VECTORS(arena, rows, &out->rate, &out->push, &out->impulse, &out->b));
    SB_NEW(arena, out->A, (size_t)rows * (size_t)rows);
    SB_NEW(arena, out->act, rows);
    SB_NEW(arena, out->pivot, rows);
    return SB_OK;
}

/* Sets me->v. */
static int set_velocity(motion_forces *me, const double *q0, const double *v0, const double *q1, const double *v1) {
    const sb_system *sys = me->step.sys;
    const sb_world *world = sys->world;
    memcpy(me->v, v1, (size_t)sys->n * sizeof *v1);
    if (world == NULL || sys->inertia.gradient == NULL) {
        return SB_OK;
    }
    sb_scalar *unused = me->pose + world->bodies * SB_POSE_MAX;
    SB_TRY(world->place(world->self, q1, v1, unused, me->twist));
    SB_TRY(world->place(world->self, q0, v0, me->pose, unused));
    return world->coordinates(world->self, me->pose, me->twist, me->q, me->v);
}

/* Lists the rows that act; returns their number. */
static int find_acting(motion_forces *me, double h) {
    const sb_contact_step *step = &me->step;
    const sb_contact *contact = &step->sys->contact;
    int count = 0;
    for (int i = 0; i < step->rows; i++) {
        const int j = i - step->bilateral - contact->m, row = j < 0 ? i : contact->of[j] >= 0 ? contact->of[j] : i;
        const bool gap = row >= step->bilateral && row < step->bilateral + contact->m;
        if (!gap || fabs(step->level[row]) <= h * fabs(me->rate[row]) + fabs(me->push[row])) {
            me->act[count++] = i;
        }
    }
    return count;
}

/* Sets A, the entries of S of the rows that act, scaled to a unit diagonal. */
static void set_equations(motion_forces *me, int count) {
    const sb_contact_problem *problem = sb_contact_step_problem(&me->step);
    for (int a = 0; a < count; a++) {
        const int i = me->act[a];
        for (int b = 0; b < count; b++) {
            const int at = sb_pattern_find(&problem->S, i, me->act[b]);
            const double size = sqrt(problem->Sx[problem->diagonal[i]] * problem->Sx[problem->diagonal[me->act[b]]]);
            me->A[a + b * count] = at >= 0 ? problem->Sx[at] / size : 0.0;
        }
    }
}

/* Sets me->v and lambda (rows): NaN where the motion does not determine them. */
static int motion_forces_find(motion_forces *me, double t, double h, const double *q0, const double *v0,
                              const double *q1, const double *v1, double *lambda) {
    sb_contact_step *step = &me->step;
    const sb_system *sys = step->sys;
    const sb_contact_problem *problem = sb_contact_step_problem(step);
    lapack_int rank = 0;
    SB_TRY(set_velocity(me, q0, v0, q1, v1));
    SB_TRY(sb_contact_step_evaluate(step, t, h, q0));
    sb_contact_step_factor(step);
    SB_TRY(sb_system_applied_force(sys, t, q0, v0, me->F, me->tmp, me->Hx));
    sb_csc_mult_t(&step->C, step->Cx, v0, me->rate);
    sb_mass_solve(&step->mass, me->F, me->r);
    for (int i = 0; i < sys->n; i++) {
        me->r[i] *= h;
        me->tmp[i] = me->v[i] - v0[i] - me->r[i];
    }
    sb_csc_mult_t(&step->C, step->Cx, me->r, me->push);
    sb_csc_mult_t(&step->C, step->Cx, me->tmp, me->impulse);
    const int count = find_acting(me, h);
    set_equations(me, count);
    memset(lambda, 0, (size_t)step->rows * sizeof *lambda);
    if (count == 0) {
        return SB_OK;
    }
    const lapack_int info = LAPACKE_dpstrf(LAPACK_COL_MAJOR, 'L', count, me->A, count, me->pivot, &rank, dependent);
    if (sb_lapack_no_memory(info)) {
        return sb_fail(me->ctx, SB_NO_MEMORY, SB_LAPACK_NO_MEMORY);
    }
    for (int a = 0; a < count; a++) {
        const int i = me->act[me->pivot[a] - 1];
        me->b[a] = rank == count ? me->impulse[i] / sqrt(problem->Sx[problem->diagonal[i]]) : NAN;
    }
    LAPACKE_dpotrs(LAPACK_COL_MAJOR, 'L', count, 1, me->A, count, me->b, count);
    for (int a = 0; a < count; a++) {
        const int i = me->act[me->pivot[a] - 1];
        lambda[i] = me->b[a] / (h * sqrt(problem->Sx[problem->diagonal[i]]));
    }
    return SB_OK;
}

/* ---- Steps. ---- */

typedef struct steps {
    const sb_system *sys;
    double h, at;
    motion_forces *forces; /* NULL: the stepper reports lambda */
    double *lambda, *q0, *v0, *q, *mean, *Cx, *rate, *w, *work, *gap, *slip, *bound, *f;
    sb_step_observer observe;
    void *arg;
} steps;

/* Computes the work of the rows of one pattern. */
static void work_of(steps *s, const sb_pattern *C, int first, const double *lambda) {
    sb_csc_mult_t(C, s->Cx, s->mean, s->rate);
    for (int i = 0; i < C->cols; i++) {
        s->work[first + i] = s->h * lambda[first + i] * s->rate[i];
    }
}

static int rows_at(steps *s, double t, const double *lambda) {
    const sb_system *sys = s->sys;
    const int m = sys->holonomic.m, gaps = sb_system_bilateral(sys), friction = gaps + sys->contact.m;
    if (m > 0) {
        SB_TRY(sb_holonomic_value(sys, t, s->q, NULL, s->Cx));
        work_of(s, &sys->holonomic.G, 0, lambda);
    }
    if (sys->nonholonomic.m > 0) {
        SB_TRY(sys->nonholonomic.value(sys->nonholonomic.self, t, s->q, s->Cx, NULL));
        work_of(s, &sys->nonholonomic.A, m, lambda);
    }
    if (sys->contact.m > 0) {
        SB_TRY(sys->contact.gap(sys->contact.self, s->q, NULL, s->Cx));
        work_of(s, &sys->contact.N, gaps, lambda);
    }
    if (sys->contact.k > 0) {
        SB_TRY(sys->contact.slip(sys->contact.self, t, s->q, s->Cx, s->w));
        work_of(s, &sys->contact.D, friction, lambda);
    }
    return SB_OK;
}

/* Computes slip and bounds of friction. s->Cx holds the values of D. */
static void friction(steps *s, const double *v1, const double *lambda) {
    const sb_contact *c = &s->sys->contact;
    sb_csc_mult_t(&c->D, s->Cx, v1, s->slip);
    for (int j = 0; j < c->k; j++) {
        s->slip[j] -= s->w[j];
        s->bound[j] = (c->limit != NULL ? c->limit[j] : 0.0) +
                      (c->of[j] >= 0 && c->mu != NULL ? c->mu[j] * fabs(lambda[c->of[j]]) : 0.0);
    }
}

static int observe(void *arg, const sb_sample *sample) {
    steps *s = arg;
    const sb_system *sys = s->sys;
    const sb_state *now = sample->state;
    const size_t bytes = (size_t)sys->n * sizeof(double);
    double force = 0.0;
    if (sample->step > 0) {
        const double t0 = sample->t - s->h, *lambda = now->lambda, *v1 = now->v;
        if (s->forces != NULL) {
            SB_TRY(motion_forces_find(s->forces, t0, s->h, s->q0, s->v0, now->q, now->v, s->lambda));
            lambda = s->lambda;
            v1 = s->forces->v;
        }
        for (int i = 0; i < sys->n; i++) {
            s->q[i] = s->q0[i] + s->at * s->h * s->v0[i];
            s->mean[i] = 0.5 * (s->v0[i] + v1[i]);
        }
        SB_TRY(rows_at(s, t0, lambda));
        if (sys->contact.k > 0) {
            friction(s, v1, lambda);
        }
        if (sys->contact.m > 0) {
            SB_TRY(sys->contact.gap(sys->contact.self, now->q, s->gap, NULL));
        }
        SB_TRY(sb_potential_rate(sys, t0, s->q, &force));
        force *= s->h;
        if (sys->force.value != NULL) {
            SB_TRY(sys->force.value(sys->force.self, t0, s->q, s->v0, s->f));
            for (int i = 0; i < sys->n; i++) {
                force += s->h * s->f[i] * s->mean[i];
            }
        }
        const sb_step step = {sys,    sample->step, sample->t, s->h,  s->q0,  s->v0,   now->q,
                              now->v, lambda,       s->work,   force, s->gap, s->slip, s->bound};
        SB_TRY(s->observe(s->arg, &step));
    }
    memcpy(s->q0, now->q, bytes);
    memcpy(s->v0, now->v, bytes);
    return SB_OK;
}

static int prepare(sb_context *ctx, sb_arena *arena, const sb_pair *pair, steps *s) {
    const sb_system *sys = pair->sys;
    const sb_pattern *patterns[] = {&sys->holonomic.G, &sys->nonholonomic.A, &sys->contact.N, &sys->contact.D};
    int most = 0;
    for (int i = 0; i < 4; i++) {
        const int nnz = sb_pattern_nnz(patterns[i]);
        most = nnz > most ? nnz : most;
    }
    const int rows = sb_system_multipliers(sys);
    SB_TRY(SB_VECTORS(arena, sys->n, &s->q0, &s->v0, &s->q, &s->mean, &s->f));
    SB_NEW(arena, s->Cx, most);
    SB_TRY(SB_VECTORS(arena, rows, &s->rate, &s->work, &s->lambda));
    SB_NEW(arena, s->gap, sys->contact.m);
    SB_TRY(SB_VECTORS(arena, sys->contact.k, &s->w, &s->slip, &s->bound));
    if (!pair->type->uncounted) {
        return SB_OK;
    }
    SB_NEW(arena, s->forces, 1);
    return motion_forces_init(ctx, arena, sys, s->forces);
}

int sb_steps_observe(sb_context *ctx, sb_arena *arena, const sb_pair *pair, double h, long count, double at,
                     sb_step_observer callback, void *arg) {
    steps s = {.sys = pair->sys, .h = h, .at = at, .observe = callback, .arg = arg};
    SB_TRY(prepare(ctx, arena, pair, &s));
    return sb_pair_run(ctx, arena, pair, h, count, observe, &s);
}
