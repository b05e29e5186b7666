/* The energy-momentum method: the midpoint rule with discrete gradients of the potential and the constraints; wm96 5.2,
 * gonzalez96. */
#include <string.h>

#include <stepbench/numerics/dynamics.h>
#include <stepbench/numerics/newton.h>
#include <stepbench/numerics/saddle.h>
#include <stepbench/numerics/steps.h>
#include <stepbench/plugin.h>

/* With q1 = q0 + h u, a = (q0 + q1)/2 and v1 = 2 u - v0, a step solves
 *
 *   M (u - v0) + (h/2) [dV - G(a)' lambda] = 0,   g(q1) = 0
 *
 * for u and the multiplier lambda of the whole step, whose impulse is h lambda. For a quadratic g, G(a) (q1 - q0) =
 * g(q1) - g(q0). dV is V_q(a) for a quadratic V. Else, with generators xi_i(a) of the symmetries that are orthonormal
 * in the metric M, and r the mean of V_q at the ends,
 *
 *   b = r - sum_i (xi_i . r) M xi_i,   D = h u - sum_i (xi_i . M h u) xi_i,
 *   dV = b + M D [V(q1) - V(q0) - b . h u]/(D . M D),
 *
 * so that dV . h u = V(q1) - V(q0) conserves the energy and dV . xi_i(a) = 0 the momenta (gonzalez96). In the metric M
 * the correction accelerates every body by the same multiple of its displacement, whatever its mass is. Reported is the
 * mean of the multipliers of the steps before and after a state; a step back stands before the first one. */

typedef struct config {
    sb_newton newton;
} config;

typedef struct work {
    sb_mass mass;
    sb_saddle saddle;
    sb_scalar *a, *q1, *u, *dV, *Gx, *G1x, *residual, *difference, *lambda;
    /* for a potential that is not quadratic: the nxi symmetries at a, orthonormal in M; M xi, and M D or M a */
    sb_scalar *gradient0, *gradient1, *D, *xi, *Mxi, *product;
    int nxi;
    sb_scalar V0;
    sb_scalar length; /* sb_system_length */
    /* the step being solved */
    sb_scalar h, size0; /* size0: |q0| */
    const sb_scalar *q0, *v0;
} work;

static bool quadratic(const sb_system *sys) { return sys->potential.gradient == NULL || sys->potential.degree >= 0; }

/* Returns x . M x. A diagonal M takes one loop, because with a few coordinates calls cost as much as the arithmetic. */
static sb_scalar mass_square(const work *w, int n, const sb_scalar *x) {
    sb_scalar sum = 0.0;
    if (!w->mass.diagonal) {
        sb_mass_mult(&w->mass, x, w->product);
        return sb_dot(n, x, w->product);
    }
    for (int i = 0; i < n; i++) {
        sum += x[i] * (w->mass.Mx[i] * x[i]);
    }
    return sum;
}

/* Removes the components along the symmetries, x -= b_s (a_s . x): of a velocity with a = M xi and b = xi, of a force
 * with a = xi and b = M xi. */
static void project(const work *w, int n, const sb_scalar *a, const sb_scalar *b, sb_scalar *x) {
    for (int s = 0; s < w->nxi; s++) {
        sb_axpy(n, -sb_dot(n, a + n * s, x), b + n * s, x);
    }
}

/* Orthonormalizes the generators of the momenta at w->a in the metric M. A generator that vanishes there or depends on
 * the previous ones is left out. */
static int set_symmetries(const sb_method *me) {
    const sb_symmetry *symmetry = &me->sys->symmetry;
    const int n = me->sys->n;
    work *w = me->work;
    w->nxi = 0;
    for (int s = 0; s < symmetry->count; s++) {
        sb_scalar *xi = w->xi + n * w->nxi, *Mxi = w->Mxi + n * w->nxi;
        SB_TRY(symmetry->generator(symmetry->self, s, w->a, xi));
        sb_mass_mult(&w->mass, xi, Mxi);
        const sb_scalar before = sqrt(sb_dot(n, xi, Mxi));
        sb_scalar after = before;
        if (w->nxi > 0) {
            project(w, n, w->Mxi, w->xi, xi);
            sb_mass_mult(&w->mass, xi, Mxi);
            after = sqrt(sb_dot(n, xi, Mxi));
        }
        if (after <= sqrt(SB_EPSILON) * before) { /* what is left does not define a direction */
            continue;
        }
        for (int i = 0; i < n; i++) {
            xi[i] /= after;
            Mxi[i] /= after;
        }
        w->nxi++;
    }
    return SB_OK;
}

/* Sets dV for a potential that is not quadratic. The numerator of the quotient changes its sign when the ends are
 * exchanged, and vanishes with D, for a central force as the third power of D. Where |D| is below cbrt(eps) |a|,
 * round-off dominates the quotient, which is left out. */
static int discrete_gradient(const sb_method *me) {
    work *w = me->work;
    const sb_potential *V = &me->sys->potential;
    const int n = me->sys->n;
    sb_scalar V1;
    SB_TRY(V->value(V->self, 0.0, w->q1, &V1));
    SB_TRY(V->gradient(V->self, 0.0, w->q1, w->gradient1));
    SB_TRY(set_symmetries(me));
    for (int i = 0; i < n; i++) {
        w->D[i] = w->h * w->u[i];
        w->dV[i] = 0.5 * (w->gradient0[i] + w->gradient1[i]);
    }
    project(w, n, w->xi, w->Mxi, w->dV);
    const sb_scalar rise = V1 - w->V0 - sb_dot(n, w->dV, w->D);
    const sb_scalar a2 = mass_square(w, n, w->a);
    project(w, n, w->Mxi, w->xi, w->D);
    sb_mass_mult(&w->mass, w->D, w->product);
    const sb_scalar D2 = sb_dot(n, w->D, w->product);
    if (D2 > cbrt(SB_EPSILON * SB_EPSILON) * a2) {
        sb_axpy(n, rise / D2, w->product, w->dV);
    }
    return SB_OK;
}

/* Sets dV and adds (h^2/2) times its derivative to Newton's matrix, without the derivative of the quotient, which is
 * smaller by an order of h. */
SB_INLINED int set_potential(const sb_method *me, const bool plain) {
    work *w = me->work;
    const sb_potential *V = &me->sys->potential;
    const sb_scalar *at = quadratic(me->sys) ? w->a : w->q1;
    if (!plain && V->gradient == NULL) {
        return SB_OK; /* dV stays zero */
    }
    if (quadratic(me->sys)) {
        SB_TRY(V->gradient(V->self, 0.0, w->a, w->dV));
    } else {
        SB_TRY(discrete_gradient(me));
    }
    return V->hessian == NULL ? SB_OK : V->hessian(V->self, 0.0, at, 0.25 * w->h * w->h, w->saddle.Hx);
}

/* Sets a, q1 and u - v0 from u. */
SB_INLINED void set_points(work *w, const int n) {
    const sb_scalar h = w->h;
    for (int i = 0; i < n; i++) {
        const sb_scalar q0 = w->q0[i], u = w->u[i];
        w->a[i] = q0 + 0.5 * h * u;
        w->q1[i] = q0 + h * u;
        w->difference[i] = u - w->v0[i];
    }
}

/* Corrects u and lambda. Newton's matrix lacks the derivative of the quotient, so that the iteration is linear where
 * there is a quotient. It has to reach the solution: otherwise every step would end on the same side of the solution
 * and the energy would drift. */
SB_INLINED int correct(const sb_method *me, sb_scalar *change, sb_scalar *scale, const bool plain, const int n,
                       const int m) {
    work *w = me->work;
    const sb_system *sys = me->sys;
    const sb_holonomic *holonomic = &sys->holonomic;
    const sb_scalar h = w->h, c = 0.5 * h * h;
    sb_scalar *r = w->residual;
    for (int k = 0; k < sys->H.p[n]; k++) {
        w->saddle.Hx[k] = 0.0;
    }
    sb_mass_add(&w->mass, 1.0, w->saddle.Hx);
    SB_TRY(set_potential(me, plain));
    sb_mass_mult_sized(&w->mass, w->difference, r, n);
    for (int i = 0; i < n; i++) {
        r[i] = -h * r[i] - c * w->dV[i];
    }
    if (m > 0) {
        SB_TRY(holonomic->value(holonomic->self, 0.0, w->a, NULL, w->Gx));
        SB_TRY(holonomic->value(holonomic->self, 0.0, w->q1, r + n, w->G1x));
        SB_TRY(holonomic->hessian(holonomic->self, 0.0, w->a, w->lambda, -0.5 * c, w->saddle.Hx));
        sb_csc_mult_add_sized(&holonomic->G, w->Gx, c, w->lambda, r, m);
    }
    for (int i = 0; i < m; i++) {
        r[n + i] = -r[n + i];
    }
    /* unknowns: change of q1, and -h^2/2 times that of lambda */
    sb_saddle_assemble(&w->saddle, 1.0, 1.0, w->Gx, 1.0, w->G1x);
    SB_TRY(sb_saddle_factor_solve(&w->saddle, r));
    for (int i = 0; i < n; i++) {
        w->u[i] += r[i] / h;
    }
    for (int i = 0; i < m; i++) {
        w->lambda[i] -= r[n + i] / c;
    }
    set_points(w, n);
    const sb_scalar size1 = sb_norm_max(n, w->q1);
    *change = sb_norm_max(n, r);
    *scale = w->size0 > size1 ? w->size0 : size1;
    return SB_OK;
}

/* Computes q1, u and lambda of the step h from (q0, v0) in w. `lambda` is the guess of lambda; the guess of u is v0, or
 * v0 - (h/2) M^-1 V_q(q0) where V_q(q0) is needed anyway. */
SB_INLINED int solve(const sb_method *me, sb_scalar h, const sb_scalar *q0, const sb_scalar *v0,
                     const sb_scalar *lambda, long *iters, const bool plain, const int n, const int m) {
    const config *c = me->config;
    const sb_potential *V = &me->sys->potential;
    const bool complete = quadratic(me->sys);
    work *w = me->work;
    sb_newton_loop loop = {0};
    w->h = h;
    w->q0 = q0;
    w->v0 = v0;
    w->size0 = sb_norm_max(n, q0);
    for (int i = 0; i < n; i++) {
        w->u[i] = v0[i];
        w->dV[i] = 0.0;
    }
    for (int i = 0; i < m; i++) {
        w->lambda[i] = lambda[i];
    }
    if (!complete) {
        SB_TRY(V->value(V->self, 0.0, q0, &w->V0));
        SB_TRY(V->gradient(V->self, 0.0, q0, w->gradient0));
        sb_mass_solve(&w->mass, w->gradient0, w->D);
        sb_axpy(n, -0.5 * h, w->D, w->u);
    }
    set_points(w, n);
    while (sb_newton_again(me->ctx, &c->newton, complete ? SB_NEWTON_QUADRATIC : SB_NEWTON_LINEAR, w->length, &loop)) {
        loop.status = correct(me, &loop.change, &loop.scale, plain, n, m);
    }
    *iters = loop.iters;
    return loop.status;
}

/* Starts the stepper. The multiplier of a state belongs to the step before it; at the start, to a step backwards. */
static int start(const sb_method *me, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar h, sb_state *out) {
    const work *w = me->work;
    const int m = me->sys->holonomic.m;
    if (m > 0) {
        SB_TRY(solve(me, -h, q, v, out->lambda, &out->iters, false, me->sys->n, m));
        memcpy(out->lambda, w->lambda, (size_t)m * sizeof(sb_scalar));
        out->iters = 0;
    }
    return SB_OK;
}

SB_INLINED int step_sized(const sb_method *me, const sb_state *in, sb_scalar h, sb_state *out, const bool plain,
                          const int n, const int m) {
    const work *w = me->work;
    SB_TRY(solve(me, h, in->q, in->v, in->lambda, &out->iters, plain, n, m));
    for (int i = 0; i < n; i++) {
        out->q[i] = w->q1[i];
        out->v[i] = 2.0 * w->u[i] - in->v[i];
    }
    for (int i = 0; i < m; i++) {
        out->lambda[i] = w->lambda[i];
    }
    return SB_OK;
}

SB_DEFINE_STEPS(step_sized)

static int init(sb_method *me) {
    const sb_system *sys = me->sys;
    const int n = sys->n, m = sys->holonomic.m, nnz = sb_pattern_nnz(&sys->holonomic.G);
    work *w;
    SB_NEW(me->arena, w, 1);
    SB_TRY(SB_VECTORS(me->arena, n, &w->a, &w->q1, &w->u, &w->dV));
    SB_TRY(SB_VECTORS(me->arena, nnz, &w->Gx, &w->G1x));
    SB_NEW(me->arena, w->residual, n + m);
    SB_NEW(me->arena, w->difference, n);
    SB_NEW(me->arena, w->lambda, m);
    if (!quadratic(sys)) {
        SB_TRY(SB_VECTORS(me->arena, n, &w->gradient0, &w->gradient1, &w->D));
        SB_TRY(SB_VECTORS(me->arena, n * sys->symmetry.count, &w->xi, &w->Mxi));
        SB_NEW(me->arena, w->product, n);
    }
    me->steps = steps;
    me->work = w;
    me->needs_next = m > 0 ? SB_NEXT_FOR_LAMBDA : 0;
    SB_TRY(sb_system_length(me->ctx, sys, &w->length));
    SB_TRY(sb_mass_init(me->ctx, me->arena, sys, &w->mass));
    return sb_saddle_init(me->ctx, me->arena, sys, &w->saddle);
}

/* lambda belongs to the middle of a step. The values of successive steps alternate about the exact one by O(h), so that
 * the mean of two steps is of second order at the point between them. */
static int report(const sb_method *me, const sb_state *in, const sb_state *next, sb_scalar *v, sb_scalar *lambda) {
    for (int i = 0; i < me->sys->holonomic.m && lambda != NULL && next != NULL; i++) {
        lambda[i] = 0.5 * (in->lambda[i] + next->lambda[i]);
    }
    return SB_OK;
}

static const sb_param params[] = {
    SB_NEWTON_PARAMS(config),
    {.name = NULL},
};

SB_DEFINE_STEPPER(em) = {
    .entry = {"em", "energy-momentum method with discrete gradients, for quadratic constraints", "wm96 5.2", params,
              sizeof(config)},
    .order = 2,
    .supports = SB_HAS_HOLONOMIC,
    .keeps = SB_KEEPS_POSITION | SB_KEEPS_MOMENTA | SB_KEEPS_ENERGY | SB_KEEPS_REVERSIBILITY,
    .init = init,
    .start = start,
    .step = step,
    .report = report,
};
