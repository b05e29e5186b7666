/* The continuous equations of motion of a system of terms: forces, accelerations with multipliers, energies. */
#include <string.h>

#include <stepbench/numerics/dynamics.h>
#include <stepbench/numerics/newton.h>

#include "core/mechanics/internal.h"

/* Computes the acceleration as sb_dynamics_acceleration does. */
typedef int accelerate_fn(sb_dynamics *dyn, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *a,
                          sb_scalar *lambda);

struct sb_dynamics_work {
    accelerate_fn *accelerate; /* the kernel of the system */
    sb_context *ctx;
    sb_arena *arena;
    sb_saddle saddle;      /* with constraints, from its first use on */
    sb_scalar sign;        /* 1, or -1 where the saddle system is the symmetric one, whose multipliers are -lambda */
    sb_scalar *x;          /* right-hand side and solution (n + r) */
    sb_scalar *tmp;        /* scratch (n) */
    sb_scalar *Hx;         /* on sys->H */
    sb_scalar *mu, *level; /* scratch (r) */
    sb_scalar *E, *held; /* with redundant rows: the diagonal of the saddle matrix; E mu of the iteration before (r) */
    sb_scalar *side;     /* with redundant rows: right-hand side (n + r) */
};

/* Iterations with redundant rows. E is the third root of round-off in units of C'M^-1 C, and each iteration reduces the
 * error of an independent row by that factor. Rows that are independent only by a relative violation below the root of
 * E count as dependent. */
enum { PROXIMAL_ITERATIONS = 6 };

int sb_system_force(const sb_system *sys, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *F,
                    sb_scalar *tmp) {
    return sb_system_force_sized(sys, t, q, v, F, tmp, sys->n);
}

/* Computes F - T_vq v by inertia.inertial, and the values of M unless Mx is NULL. */
static int apply_inertial(const sb_system *sys, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *F,
                          sb_scalar *tmp, sb_scalar *Mx) {
    SB_TRY(sys->inertia.inertial(sys->inertia.self, q, v, Mx, F));
    if (sys->potential.value != NULL) {
        SB_TRY(sb_potential_gradient(sys, t, q, tmp));
        sb_axpy(sys->n, -1.0, tmp, F);
    }
    if (sys->force.value != NULL) {
        SB_TRY(sys->force.value(sys->force.self, t, q, v, tmp));
        sb_axpy(sys->n, 1.0, tmp, F);
    }
    return SB_OK;
}

int sb_system_applied_force(const sb_system *sys, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *F,
                            sb_scalar *tmp, sb_scalar *Hx) {
    if (sys->inertia.inertial != NULL) {
        return apply_inertial(sys, t, q, v, F, tmp, NULL);
    }
    SB_TRY(sb_system_force(sys, t, q, v, F, tmp));
    if (sys->inertia.hessian != NULL) { /* d/dt (M v) = M a + T_vq v */
        memset(Hx, 0, (size_t)sb_pattern_nnz(&sys->H) * sizeof(sb_scalar));
        SB_TRY(sys->inertia.hessian(sys->inertia.self, q, v, 0.0, 0.0, 1.0, Hx));
        sb_csc_mult_add(&sys->H, Hx, -1.0, v, F);
    }
    return SB_OK;
}

int sb_system_length(sb_context *ctx, const sb_system *sys, sb_scalar *length) {
    const sb_pattern *M = &sys->inertia.M;
    const sb_scalar square = sys->time_scale * sys->time_scale;
    sb_scalar t, *q, *v, *F, *work, *Mx, *Hx, by_force = 0.0;
    SB_SCRATCH(scratch, ctx);
    SB_TRY(SB_VECTORS(&scratch, sys->n, &q, &v, &F, &work));
    SB_NEW(&scratch, Mx, sb_pattern_nnz(M));
    SB_NEW(&scratch, Hx, sb_pattern_nnz(&sys->H));
    SB_TRY(sys->initial(sys->self, &t, q, v));
    SB_TRY(sys->inertia.mass(sys->inertia.self, q, Mx));
    SB_TRY(sb_system_applied_force(sys, t, q, v, F, work, Hx));
    *length = sb_larger(sb_norm_max(sys->n, q), sys->time_scale * sb_norm_max(sys->n, v));
    for (int i = 0; i < sys->n; i++) {
        const int at = sb_pattern_find(M, i, i);
        by_force = at >= 0 && Mx[at] > 0.0 ? sb_larger(by_force, square * fabs(F[i]) / Mx[at]) : by_force;
    }
    *length = *length > sqrt(SB_EPSILON) * by_force ? *length : by_force;
    return SB_OK;
}

/* Above this size the symmetric form is factored sparsely; below it a dense factorization, which pivots, costs no more.
 * In quadruple precision every product is a call of some sixty instructions. */
enum { DENSE_MAX = sizeof(sb_scalar) > sizeof(double) ? 16 : 160 };

/* Builds the saddle system. */
static int build_saddle(sb_dynamics *dyn) {
    const sb_system *sys = dyn->sys;
    struct sb_dynamics_work *w = dyn->work;
    sb_context *ctx = w->ctx;
    sb_arena *arena = w->arena;
    const int size = sys->n + sb_system_bilateral(sys);
    if (size <= DENSE_MAX || (sys->flags & (unsigned)SB_HAS_SINGULAR_MASS) != 0) {
        w->sign = 1.0;
        return sb_saddle_init_on(ctx, arena, sys, &sys->inertia.M, &w->saddle);
    }
    const sb_solver *solver = sb_solver_choose(ctx, "auto", SB_FORM_SADDLE, size);
    w->sign = -1.0;
    SB_TRY(sb_saddle_init_with(ctx, arena, sys, &sys->inertia.M, solver, &w->saddle));
    w->saddle.linear.singular_below =
        sqrt((sb_scalar)size) * SB_EPSILON; /* a pivot below this is dominated by round-off */
    return SB_OK;
}

static accelerate_fn accelerate_by_potential, accelerate_by_force, accelerate_by_inertia, accelerate_by_system;

/* Chooses the kernel: with a constant diagonal mass and without constraints the acceleration needs no solver.
 * Instructions per step on kepler, before and after: rk4 1373 and 832, rkn 1155 and 748, odeiv2 (h = 0.01) 7275 and
 * 5133. */
static accelerate_fn *choose_accelerate(const sb_system *sys, const sb_mass *mass) {
    if (sb_system_bilateral(sys) == 0 && sys->inertia.inertial != NULL) {
        return accelerate_by_inertia;
    }
    if (sb_system_bilateral(sys) > 0 || !mass->constant || !mass->diagonal || sys->inertia.gradient != NULL ||
        sys->inertia.hessian != NULL) {
        return accelerate_by_system;
    }
    return sys->potential.value != NULL && sys->force.value == NULL &&
                   (sys->flags & (unsigned)SB_HAS_SINGULAR_MASS) == 0
               ? accelerate_by_potential
               : accelerate_by_force;
}

int sb_dynamics_init_late(sb_context *ctx, sb_arena *arena, const sb_system *sys, sb_dynamics *out) {
    const int rows = sb_system_bilateral(sys);
    struct sb_dynamics_work *w;
    SB_NEW(arena, w, 1);
    w->ctx = ctx;
    w->arena = arena;
    *out = (sb_dynamics){.sys = sys, .work = w};
    SB_TRY(sb_mass_init(ctx, arena, sys, &out->mass));
    w->accelerate = choose_accelerate(sys, &out->mass);
    out->by_potential = w->accelerate == accelerate_by_potential;
    SB_TRY(sb_system_constraints(arena, sys, &out->C));
    SB_NEW(arena, out->Cx, sb_pattern_nnz(&out->C));
    if ((sys->flags & (unsigned)SB_HAS_REDUNDANT) != 0) {
        SB_TRY(SB_VECTORS(arena, rows, &w->E, &w->held));
        SB_NEW(arena, w->side, sys->n + rows);
    }
    SB_NEW(arena, w->x, sys->n + rows);
    SB_NEW(arena, w->tmp, sys->n);
    SB_TRY(SB_VECTORS(arena, rows, &w->mu, &w->level));
    SB_NEW(arena, w->Hx, sb_pattern_nnz(&sys->H));
    return SB_OK;
}

int sb_dynamics_init(sb_context *ctx, sb_arena *arena, const sb_system *sys, sb_dynamics *out) {
    SB_TRY(sb_dynamics_init_late(ctx, arena, sys, out));
    return sb_system_bilateral(sys) > 0 ? build_saddle(out) : SB_OK;
}

/* Sets E of redundant rows to `scale` times the diagonal of C' D C, D the inverse of the diagonal of M, 0 where M is 0.
 */
static void set_diagonal(sb_dynamics *dyn, sb_scalar scale) {
    struct sb_dynamics_work *w = dyn->work;
    const sb_pattern *C = &dyn->C, *M = &dyn->sys->inertia.M;
    if (w->E == NULL) {
        return;
    }
    for (int j = 0; j < C->cols; j++) {
        sb_scalar sum = 0.0;
        for (int k = C->p[j]; k < C->p[j + 1]; k++) {
            const int at = sb_pattern_find(M, C->i[k], C->i[k]);
            const sb_scalar inertia = at >= 0 ? dyn->mass.Mx[at] : 0.0;
            sum += inertia > 0.0 ? dyn->Cx[k] * dyn->Cx[k] / inertia : 0.0;
        }
        w->E[j] = w->sign * scale * sum;
    }
    sb_saddle_set_diagonal(&w->saddle, w->E);
}

/* Factors [M, -sign C; C', 0] at (t, q), whose multipliers are sign times lambda. */
static int factor_saddle(sb_dynamics *dyn, sb_scalar t, const sb_scalar *q) {
    struct sb_dynamics_work *w = dyn->work;
    SB_TRY(w->saddle.rows == 0 ? build_saddle(dyn) : SB_OK);
    SB_TRY(sb_mass_evaluate(&dyn->mass, q));
    SB_TRY(sb_bilateral_value(dyn->sys, t, q, NULL, dyn->Cx));
    memcpy(w->saddle.Hx, dyn->mass.Mx, (size_t)sb_pattern_nnz(&dyn->mass.M) * sizeof(sb_scalar));
    set_diagonal(dyn, cbrt(SB_EPSILON));
    sb_saddle_assemble(&w->saddle, 1.0, -w->sign, dyn->Cx, 1.0, dyn->Cx);
    return sb_saddle_factor(&w->saddle);
}

/* Solves the factored saddle system in place. With redundant rows the multipliers are those of least norm, in the
 * metric of E, by
 *
 *   M v_k = r + C' mu_k,   C v_k + E mu_k = s + E mu_(k-1),   mu_0 = 0.
 *
 * Off the constraints redundant rows contradict each other, and mu_k grows by the contradiction over E in every
 * iteration. The last one is without it: without E (mu_k - mu_(k-1)) in s, and without its growth in mu_k. */
static int solve_saddle(sb_dynamics *dyn) {
    struct sb_dynamics_work *w = dyn->work;
    const int n = dyn->sys->n, rows = w->saddle.rows;
    sb_scalar *mu = w->x + n, *s = w->side + n;
    if (w->E == NULL) {
        return sb_saddle_solve(&w->saddle, w->x);
    }
    memcpy(w->side, w->x, (size_t)(n + rows) * sizeof(sb_scalar));
    memset(mu, 0, (size_t)rows * sizeof(sb_scalar));
    for (int k = 0; k <= PROXIMAL_ITERATIONS; k++) {
        memcpy(w->x, w->side, (size_t)n * sizeof(sb_scalar));
        for (int i = 0; i < rows; i++) {
            const sb_scalar held = w->E[i] * mu[i], growth = k == PROXIMAL_ITERATIONS ? held - w->held[i] : 0.0;
            mu[i] = s[i] + held - (k + 1) * growth;
            w->held[i] = held;
        }
        SB_TRY(sb_saddle_solve(&w->saddle, w->x));
    }
    return SB_OK;
}

/* The force C lambda is that of mu = -E^-1 C' v with (d M + C E^-1 C') v = -C lambda, where E is large and d small: mu
 * has no part that exerts no force. What d leaves of the force is corrected. */
int sb_dynamics_least_norm(sb_dynamics *dyn, sb_scalar *lambda) {
    struct sb_dynamics_work *w = dyn->work;
    const int n = dyn->sys->n, rows = w->saddle.rows;
    if (w->E == NULL) {
        return SB_OK;
    }
    memcpy(w->saddle.Hx, dyn->mass.Mx, (size_t)sb_pattern_nnz(&dyn->mass.M) * sizeof(sb_scalar));
    set_diagonal(dyn, 1.0);
    for (int k = 0; k < dyn->sys->attitudes; k++) {
        w->E[dyn->sys->attitude[k].row] = 0.0;
    }
    sb_saddle_set_diagonal(&w->saddle, w->E);
    sb_saddle_assemble(&w->saddle, sqrt(SB_EPSILON), -w->sign, dyn->Cx, 1.0, dyn->Cx);
    SB_TRY(sb_saddle_factor(&w->saddle));
    memcpy(w->level, lambda, (size_t)rows * sizeof *lambda);
    memset(lambda, 0, (size_t)rows * sizeof *lambda);
    for (int k = 0; k < PROXIMAL_ITERATIONS; k++) {
        memset(w->x, 0, (size_t)(n + rows) * sizeof *w->x);
        sb_csc_mult_add(&dyn->C, dyn->Cx, -1.0, w->level, w->x);
        SB_TRY(sb_saddle_solve(&w->saddle, w->x));
        for (int i = 0; i < rows; i++) {
            lambda[i] += w->sign * w->x[n + i];
            w->level[i] -= w->sign * w->x[n + i];
        }
    }
    return SB_OK;
}

static int accelerate_by_potential(sb_dynamics *dyn, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *a,
                                   sb_scalar *lambda) {
    return sb_dynamics_acceleration_sized(dyn, t, q, v, a, lambda, true, dyn->sys->n);
}

/* Sets a_i = (f_i - V_qi)/M_ii. */
static int accelerate_by_force(sb_dynamics *dyn, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *a,
                               sb_scalar *lambda) {
    SB_TRY(sb_system_force(dyn->sys, t, q, v, dyn->work->x, dyn->work->tmp));
    sb_mass_solve(&dyn->mass, dyn->work->x, a);
    return SB_OK;
}

/* Solves M a = F - T_vq v, both sides from inertia.inertial. */
static int accelerate_by_inertia(sb_dynamics *dyn, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *a,
                                 sb_scalar *lambda) {
    SB_TRY(apply_inertial(dyn->sys, t, q, v, dyn->work->x, dyn->work->tmp, dyn->mass.Mx));
    SB_TRY(sb_mass_invert(&dyn->mass));
    sb_mass_solve(&dyn->mass, dyn->work->x, a);
    return SB_OK;
}

/* Solves the index-1 equations. */
static int accelerate_by_system(sb_dynamics *dyn, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *a,
                                sb_scalar *lambda) {
    const sb_system *sys = dyn->sys;
    struct sb_dynamics_work *w = dyn->work;
    const int n = sys->n, m = sys->holonomic.m, rows = sb_system_bilateral(sys);
    SB_TRY(sb_system_applied_force(sys, t, q, v, w->x, w->tmp, w->Hx));
    if (rows == 0) {
        SB_TRY(sb_mass_update(&dyn->mass, q));
        sb_mass_solve(&dyn->mass, w->x, a);
        return SB_OK;
    }
    SB_TRY(factor_saddle(dyn, t, q));
    if (m > 0) {
        SB_TRY(sb_holonomic_curvature(sys, t, q, v, w->x + n));
    }
    if (rows > m) {
        SB_TRY(sys->nonholonomic.rate(sys->nonholonomic.self, t, q, v, w->x + n + m));
    }
    for (int i = n; i < n + rows; i++) {
        w->x[i] = -w->x[i];
    }
    SB_TRY(solve_saddle(dyn));
    memcpy(a, w->x, (size_t)n * sizeof(sb_scalar));
    for (int i = 0; i < rows && lambda != NULL; i++) {
        lambda[i] = w->sign * w->x[n + i];
    }
    return SB_OK;
}

int sb_dynamics_acceleration(sb_dynamics *dyn, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *a,
                             sb_scalar *lambda) {
    return dyn->work->accelerate(dyn, t, q, v, a, lambda);
}

/* Sets x to the C v that the constraints prescribe. */
static int prescribe(sb_dynamics *dyn, sb_scalar t, const sb_scalar *q, sb_scalar *x) {
    const sb_system *sys = dyn->sys;
    const int m = sys->holonomic.m;
    SB_TRY(sb_holonomic_rate(sys, t, q, x));
    for (int i = 0; i < m; i++) {
        x[i] = 0.0 - x[i];
    }
    return sys->nonholonomic.m == 0 ? SB_OK : sys->nonholonomic.value(sys->nonholonomic.self, t, q, NULL, x + m);
}

/* Sets w->x to the residuals p - M v + C' mu and s - C v, where s is prescribed if `driven` and else zero. */
static int set_residual(sb_dynamics *dyn, bool driven, sb_scalar t, const sb_scalar *q, const sb_scalar *p,
                        const sb_scalar *v) {
    struct sb_dynamics_work *w = dyn->work;
    const int n = dyn->sys->n, rows = sb_system_bilateral(dyn->sys);
    sb_mass_mult(&dyn->mass, v, w->tmp);
    for (int i = 0; i < n; i++) {
        w->x[i] = p[i] - w->tmp[i];
    }
    memset(w->x + n, 0, (size_t)rows * sizeof(sb_scalar));
    if (rows > 0) {
        sb_csc_mult_add(&dyn->C, dyn->Cx, 1.0, w->mu, w->x);
        sb_csc_mult_t(&dyn->C, dyn->Cx, v, w->level);
        SB_TRY(driven ? prescribe(dyn, t, q, w->x + n) : SB_OK);
        sb_axpy(rows, -1.0, w->level, w->x + n);
    }
    return SB_OK;
}

/* Solves M v = p + C' mu, C v = s, and corrects the solution once, except for quotients, which are rounded correctly.
 * The product of a matrix and its rounded inverse differs from 1: in steps from p = M v to the next velocity that would
 * change all velocities by the same share, step after step. */
static int project(sb_dynamics *dyn, bool driven, sb_scalar t, const sb_scalar *q, const sb_scalar *p, sb_scalar *v,
                   sb_scalar *mu) {
    struct sb_dynamics_work *w = dyn->work;
    const int n = dyn->sys->n, rows = sb_system_bilateral(dyn->sys);
    SB_TRY(rows == 0 ? sb_mass_update(&dyn->mass, q) : factor_saddle(dyn, t, q));
    if (rows == 0 && dyn->mass.diagonal) {
        sb_mass_solve_sized(&dyn->mass, p, v, n);
        for (int i = 0; i < n; i++) {
            v[i] += 0.0; /* -0 becomes 0 */
        }
        return SB_OK;
    }
    memset(v, 0, (size_t)n * sizeof(sb_scalar));
    memset(w->mu, 0, (size_t)rows * sizeof(sb_scalar));
    for (int k = 0; k < 2; k++) {
        SB_TRY(set_residual(dyn, driven, t, q, p, v));
        if (rows == 0) {
            sb_mass_solve(&dyn->mass, w->x, w->tmp);
            sb_axpy(n, 1.0, w->tmp, v);
        } else {
            SB_TRY(solve_saddle(dyn));
            sb_axpy(n, 1.0, w->x, v);
            sb_axpy(rows, w->sign, w->x + n, w->mu);
        }
    }
    if (mu != NULL) {
        memcpy(mu, w->mu, (size_t)rows * sizeof(sb_scalar));
    }
    return SB_OK;
}

int sb_dynamics_velocity(sb_dynamics *dyn, sb_scalar t, const sb_scalar *q, const sb_scalar *p, sb_scalar *v,
                         sb_scalar *mu) {
    return project(dyn, true, t, q, p, v, mu);
}

int sb_dynamics_tangent(sb_dynamics *dyn, sb_scalar t, const sb_scalar *q, const sb_scalar *p, sb_scalar *v,
                        sb_scalar *mu) {
    return project(dyn, false, t, q, p, v, mu);
}

/* Takes one Newton step for g(t, q + M^-1 C' mu) = 0, with A dq = 0. */
typedef struct position_search {
    sb_dynamics *dyn;
    sb_scalar t, *q;
} position_search;

static int correct_position(void *arg, sb_scalar *change, sb_scalar *scale) {
    const position_search *at = arg;
    const sb_system *sys = at->dyn->sys;
    const int n = sys->n, m = sys->holonomic.m;
    sb_scalar *x = at->dyn->work->x;
    SB_TRY(factor_saddle(at->dyn, at->t, at->q));
    memset(x, 0, (size_t)(n + sb_system_bilateral(sys)) * sizeof(sb_scalar));
    SB_TRY(sb_holonomic_value(sys, at->t, at->q, x + n, NULL));
    for (int i = n; i < n + m; i++) {
        x[i] = -x[i];
    }
    SB_TRY(solve_saddle(at->dyn));
    sb_axpy(n, 1.0, x, at->q);
    *change = sb_norm_max(n, x);
    *scale = sb_norm_max(n, at->q);
    return SB_OK;
}

int sb_dynamics_position(sb_dynamics *dyn, sb_scalar t, sb_scalar *q) {
    static const sb_newton newton = {SB_NEWTON_TOL, 50};
    position_search at = {dyn, t, q};
    long iters;
    return dyn->sys->holonomic.m == 0
               ? SB_OK
               : sb_newton_iterate(dyn->work->ctx, &newton, SB_NEWTON_QUADRATIC, 0.0, correct_position, &at, &iters);
}

int sb_dynamics_momentum(sb_dynamics *dyn, const sb_scalar *q, const sb_scalar *v, sb_scalar *p) {
    SB_TRY(sb_mass_evaluate(&dyn->mass, q));
    sb_mass_mult(&dyn->mass, v, p);
    return SB_OK;
}

int sb_dynamics_energy(sb_dynamics *dyn, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *kinetic,
                       sb_scalar *potential) {
    const sb_system *sys = dyn->sys;
    if (kinetic != NULL) {
        sb_scalar *p = dyn->work->tmp;
        SB_TRY(sb_dynamics_momentum(dyn, q, v, p));
        *kinetic = 0.5 * sb_dot(sys->n, v, p);
    }
    if (potential != NULL) {
        *potential = 0.0;
        SB_TRY(sys->potential.value != NULL ? sb_potential_value(sys, t, q, potential) : SB_OK);
    }
    return SB_OK;
}
