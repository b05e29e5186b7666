/* Steppers with one linear system a step at velocity level: SPOOK, the regularized stepper, velocity time stepping. */
#ifndef STEPBENCH_INTEGRATORS_SHARED_VELOCITY_LEVEL_H
#define STEPBENCH_INTEGRATORS_SHARED_VELOCITY_LEVEL_H

#include "integrators/shared/contact_level.h"

/* The share of v that is taken out of the unknown: v1 = u + shift v. With the on_v of the first row C' v is not wanted where all rows have the same; a mass that
 * varies would have to be evaluated once more. */
static inline double shift_of(const velocity_level *w, const sb_system *sys) { return w->kkt.mass.constant && sys->holonomic.m > 0 ? w->relaxation->on_v : 0.0; }

/* Evaluates the rows at (t, q), g and w into s, and r = p - M shift v + h F at (t, q, v), where a step of length `before` led; factors the matrix for one of length h
 * after the multipliers lambda; NULL: without geometric stiffness. With a constant mass the matrix is left to solve_step, which factors it in the pass that solves. */
static inline int prepare(const sb_method *me, double t, double before, double h, const double *q, const double *v, const double *lambda) {
    velocity_level *w = me->work;
    const sb_system *sys = me->sys;
    const int m = sys->holonomic.m;
    if (m > 0) {
        SB_TRY(sys->holonomic.value(sys->holonomic.self, q, w->s, w->kkt.Cx));
    }
    if (w->kkt.C.cols > m) {
        SB_TRY(sys->nonholonomic.value(sys->nonholonomic.self, t, q, w->kkt.Cx + sb_pattern_nnz(&sys->holonomic.G), w->s + m));
    }
    set_relaxation(me, h);
    SB_TRY(velocity_level_mass(w, before, q, v));
    SB_TRY(sb_system_impulse(sys, w->mass, t, q, v, 1.0 - shift_of(w, sys), h, w->r, w->tmp));
    geometric_set(&w->geometric, h, lambda);
    if (!w->kkt.mass.constant) {
        SB_TRY(geometric_explain(&w->geometric, me->ctx, sb_kkt_factor(&w->kkt, q)));
        geometric_add(&w->geometric, v, w->r);
    }
    return SB_OK;
}

/* From g and w in s to the right-hand sides for u. */
static inline void set_sides(velocity_level *w, const sb_system *sys, const double *v) {
    const sb_pattern *C = &w->kkt.C;
    const double shift = shift_of(w, sys);
    for (int j = 0; j < C->cols; j++) {
        const bool holonomic = j < sys->holonomic.m;
        const relaxation *row = relaxation_of(w, j);
        const double weight = (holonomic ? row->on_v : 0.0) - shift;
        double side = holonomic ? -row->on_g * w->s[j] : w->s[j];
        if (weight != 0.0) {
            for (int k = C->p[j]; k < C->p[j + 1]; k++) {
                side += weight * w->kkt.Cx[k] * v[C->i[k]];
            }
        }
        w->s[j] = side;
    }
}

/* out->v, and the forces of the rows, after `prepare`. */
static inline int solve_step(const sb_method *me, double h, const double *q, const double *v, sb_state *out) {
    velocity_level *w = me->work;
    set_sides(w, me->sys, v);
    if (w->kkt.mass.constant) {
        const double shift = shift_of(w, me->sys);
        SB_TRY(sb_kkt_factor_solve(&w->kkt, q, w->r));
        for (int i = 0; i < me->sys->n; i++) {
            out->v[i] = w->r[i] + shift * v[i];
        }
        for (int i = 0; i < w->rows; i++) {
            out->lambda[i] = -w->s[i] / h;
        }
        return SB_OK;
    }
    SB_TRY(sb_kkt_solve(&w->kkt, w->r, w->s, out->v, out->lambda));
    if (me->sys->inertia.gradient != NULL) {
        SB_TRY(inertial_settle(me->ctx, &w->inertial, &w->kkt, h, q, v, w->r, out->v, out->lambda, &out->iters));
    }
    for (int i = 0; i < w->rows; i++) {
        out->lambda[i] /= h;
    }
    return SB_OK;
}

/* The velocity half a step earlier on a motion whose constraints hold to second order: C' dv/dt is minus their curvature, M dv/dt the applied
 * force. Nonholonomic rows are held where the method holds them, a step before q or at q, so that the first multiplier is what the later ones are. */
static inline int half_step_back(const sb_method *me, double t, double h, const double *q, const double *v, double *before) {
    velocity_level *w = me->work;
    const sb_holonomic *holonomic = &me->sys->holonomic;
    const sb_nonholonomic *nonholonomic = &me->sys->nonholonomic;
    const int m = holonomic->m, rows = w->kkt.C.cols;
    if (m > 0) {
        SB_TRY(holonomic->curvature(holonomic->self, q, v, w->s));
    }
    if (rows > m) {
        SB_TRY(nonholonomic->value(nonholonomic->self, t, q, NULL, w->s + m));
        SB_TRY(nonholonomic->rate(nonholonomic->self, t, q, v, w->next.lambda + m));
    }
    for (int i = 0; i < rows; i++) {
        w->s[i] = i < m ? 0.5 * h * w->s[i] : (w->ahead ? 0.0 : h * w->next.lambda[i]) + w->s[i];
    }
    sb_mass_mult(&w->kkt.mass, v, w->r);
    SB_TRY(sb_system_applied_force(me->sys, t, q, v, w->next.v, w->tmp, w->inertial.saddle.Hx));
    for (int i = 0; i < me->sys->n; i++) {
        w->r[i] -= 0.5 * h * w->next.v[i];
    }
    return sb_kkt_solve(&w->kkt, w->r, w->s, before, w->next.lambda);
}

/* out->v, forces and iterations of a step from (t, q, v), where a step of length `before` led and the forces were `lambda0`; NULL, without contacts: they
 * are not known yet. */
static inline int velocity_level_solve(const sb_method *me, double t, double before, double h, const double *q, const double *v, const double *lambda0, sb_state *out) {
    velocity_level *w = me->work;
    if (w->box != NULL) {
        return contact_level_solve(me, t, before, h, q, v, lambda0, out);
    }
    SB_TRY(prepare(me, t, before, h, q, v, lambda0));
    return solve_step(me, h, q, v, out);
}

/* Whether v lags half a step. */
static inline bool velocity_level_lags(const sb_method *me) {
    return ((const velocity_level_config *)me->config)->start != START_FULL && ((const velocity_level *)me->work)->box == NULL;
}

static inline int velocity_level_start(const sb_method *me, double t, const double *q, const double *v, double h, sb_state *out) {
    velocity_level *w = me->work;
    const size_t n = (size_t)me->sys->n;
    memcpy(out->q, q, n * sizeof(double));
    memcpy(out->v, v, n * sizeof(double));
    sb_state first = {.v = w->next.v, .lambda = out->lambda}; /* its forces are wanted, its velocity is not */
    memset(w->next.lambda, 0, (size_t)w->rows * sizeof(double));
    SB_TRY(velocity_level_solve(me, t, h, h, q, v, w->box != NULL ? w->next.lambda : NULL, &first));
    if (w->box != NULL) { /* bounds and floor of a second pass are those of the first's own forces */
        memcpy(w->next.lambda, out->lambda, (size_t)w->rows * sizeof(double));
        SB_TRY(velocity_level_solve(me, t, h, h, q, v, w->next.lambda, &first));
    }
    out->iters = first.iters;
    return velocity_level_lags(me) ? half_step_back(me, t, h, q, v, out->v) : SB_OK;
}

static inline int velocity_level_step(const sb_method *me, const sb_state *in, double h, sb_state *out) {
    SB_TRY(velocity_level_solve(me, in->t, in->h, h, in->q, in->v, in->lambda, out));
    for (int i = 0; i < me->sys->n; i++) {
        out->q[i] = in->q[i] + h * out->v[i];
    }
    return SB_OK;
}

/* After a half start v lags half a step: velocity and multiplier at t are those of the next step, the former as a mean. Else lambda is that of the step
 * that led here. */
static inline int velocity_level_report(const sb_method *me, const sb_state *in, const sb_state *next, double *v, double *lambda) {
    const velocity_level *w = me->work;
    const sb_state *from = velocity_level_lags(me) ? next : in;
    for (int i = 0; i < me->sys->n && v != NULL; i++) {
        v[i] = 0.5 * (in->v[i] + (from != NULL ? from : in)->v[i]);
    }
    for (int i = 0; i < w->rows && lambda != NULL; i++) {
        lambda[i] = from != NULL ? from->lambda[i] : (double)NAN;
    }
    return SB_OK;
}

/* p of the step that led to q: p . xi(q) is what a step leaves alone, for G' lambda does no work along a symmetry of g. */
static inline int velocity_level_momentum(const sb_method *me, const sb_state *in, double *p) {
    velocity_level *w = me->work;
    SB_TRY(velocity_level_mass(w, in->h, in->q, in->v));
    sb_mass_mult(w->mass, in->v, p);
    return SB_OK;
}

/* What the methods have in common as registered steppers; and what those without Newton's iterations take besides. */
#define VELOCITY_LEVEL_SUPPORTS (SB_HAS_FORCE | SB_HAS_HOLONOMIC | SB_HAS_CURVED_HOLONOMIC | SB_HAS_NONHOLONOMIC | SB_HAS_VARIABLE_MASS)
#define VELOCITY_LEVEL_CONTACTS (SB_HAS_CONTACT | SB_HAS_FRICTION)

/* A force that depends on the velocity is taken at half a step's distance, as in the papers; the discrete momentum is that of h L(q0, (q1 - q0)/h), of first
 * order where M depends on q; and A is taken where the step begins, while the velocity that it restrains belongs to the middle of the step. */
#define VELOCITY_LEVEL_ORDERS {{SB_HAS_FORCE | SB_HAS_VARIABLE_MASS | SB_HAS_NONHOLONOMIC, 1}}

#endif
