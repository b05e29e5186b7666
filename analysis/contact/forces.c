/* Computes forces of contacts and constraints from the motion of a step. */
#include "analysis/contact/forces.h"

#include <math.h>
#include <string.h>

#include <stepbench/numerics/dynamics.h>
#include <stepbench/numerics/lapack.h>

#include "core/mechanics/matrices.h"

/* Rows depend on each other if elimination leaves this share of a row, well above the 2^-30 that sb_contact_step adds
 * and the round-off of engines in single precision. */
static const double dependent = 1e-6;

int sb_motion_forces_init(sb_context *ctx, sb_arena *arena, const sb_system *sys, sb_motion_forces *out) {
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
static int set_velocity(sb_motion_forces *me, const double *q0, const double *v0, const double *q1, const double *v1) {
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
static int find_acting(sb_motion_forces *me, double h) {
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
static void set_equations(sb_motion_forces *me, int count) {
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

int sb_motion_forces_find(sb_motion_forces *me, double t, double h, const double *q0, const double *v0,
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
