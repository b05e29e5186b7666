/* The continuous equations of motion of a system of terms: forces, accelerations with multipliers, energies. */
#include <string.h>

#include <stepbench/numerics/dynamics.h>
#include <stepbench/numerics/newton.h>
#include <stepbench/numerics/norm.h>
#include <stepbench/numerics/saddle.h>

struct sb_dynamics_work {
    sb_saddle saddle;       /* used when there are constraints */
    sb_scalar sign;         /* 1, or -1 where the saddle system is the symmetric one, whose multipliers are -lambda */
    sb_scalar *force, *tmp; /* n */
    sb_scalar *x;           /* n + r */
    sb_scalar *Hx;          /* on sys->H */
};

static void add(int n, sb_scalar c, const sb_scalar *x, sb_scalar *y) {
    for (int i = 0; i < n; i++) {
        y[i] += c * x[i];
    }
}

/* p += c (T_q + f). */
static int add_forces(const sb_system *sys, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar c,
                      sb_scalar *p, sb_scalar *tmp) {
    if (sys->inertia.gradient != NULL) {
        SB_TRY(sys->inertia.gradient(sys->inertia.self, q, v, tmp));
        add(sys->n, c, tmp, p);
    }
    if (sys->force.value != NULL) {
        SB_TRY(sys->force.value(sys->force.self, t, q, v, tmp));
        add(sys->n, c, tmp, p);
    }
    return SB_OK;
}

int sb_system_force(const sb_system *sys, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *F,
                    sb_scalar *tmp) {
    const int n = sys->n;
    if (sb_has_potential(sys)) {
        SB_TRY(sb_potential_gradient(sys, t, q, F));
        for (int i = 0; i < n; i++) {
            F[i] = -F[i];
        }
    } else {
        memset(F, 0, (size_t)n * sizeof *F);
    }
    return add_forces(sys, t, q, v, 1.0, F, tmp);
}

int sb_system_impulse(const sb_system *sys, const sb_mass *mass, sb_scalar t, const sb_scalar *q, const sb_scalar *v,
                      sb_scalar a, sb_scalar h, sb_scalar *p, sb_scalar *tmp) {
    if (sb_has_potential(sys)) {
        SB_TRY(sb_potential_gradient(sys, t, q, p));
    } else {
        memset(p, 0, (size_t)sys->n * sizeof *p);
    }
    sb_mass_blend(mass, a, v, -h, p);
    return add_forces(sys, t, q, v, h, p, tmp);
}

int sb_system_applied_force(const sb_system *sys, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *F,
                            sb_scalar *tmp, sb_scalar *Hx) {
    SB_TRY(sb_system_force(sys, t, q, v, F, tmp));
    if (sys->inertia.hessian != NULL) { /* d/dt (M v) = M a + T_vq v */
        memset(Hx, 0, (size_t)sb_pattern_nnz(&sys->H) * sizeof(sb_scalar));
        SB_TRY(sys->inertia.hessian(sys->inertia.self, q, v, 0.0, 0.0, 1.0, Hx));
        sb_csc_mult_add(&sys->H, Hx, -1.0, v, F);
    }
    return SB_OK;
}

int sb_system_length(sb_context *ctx, const sb_system *sys, sb_scalar *length) {
    sb_scalar t, *q, *v;
    SB_SCRATCH(scratch, ctx);
    SB_TRY(SB_VECTORS(&scratch, sys->n, &q, &v));
    SB_TRY(sys->initial(sys->self, &t, q, v));
    *length = sb_larger(sb_norm_max(sys->n, q), sys->time_scale * sb_norm_max(sys->n, v));
    return SB_OK;
}

/* Above this size the symmetric form is factored sparsely; below it a dense factorization, which pivots, costs no more.
 */
enum { DENSE_MAX = 160 };

static int init_saddle(sb_context *ctx, sb_arena *arena, sb_dynamics *dyn) {
    const sb_system *sys = dyn->sys;
    const int size = sys->n + sb_system_bilateral(sys);
    if (size <= DENSE_MAX || (sys->flags & (unsigned)SB_HAS_SINGULAR_MASS) != 0) {
        dyn->work->sign = 1.0;
        return sb_saddle_init(ctx, arena, sys, &dyn->work->saddle);
    }
    const sb_solver *solver = sb_solver_choose(ctx, "auto", SB_FORM_SADDLE, size);
    dyn->work->sign = -1.0;
    SB_TRY(sb_saddle_init_with(ctx, arena, sys, &sys->inertia.M, solver, &dyn->work->saddle));
    dyn->work->saddle.linear.singular_below =
        sqrt((sb_scalar)size) * SB_EPSILON; /* a pivot below this is dominated by round-off */
    return SB_OK;
}

/* The saddle's upper left block is M: on M's own pattern, or on H's where sb_saddle_init chose it. */
static void set_mass(sb_dynamics *dyn) {
    if (dyn->work->sign < 0.0) {
        memcpy(dyn->work->saddle.Hx, dyn->mass.Mx, (size_t)sb_pattern_nnz(&dyn->sys->inertia.M) * sizeof(sb_scalar));
        return;
    }
    memset(dyn->work->saddle.Hx, 0, (size_t)sb_pattern_nnz(&dyn->sys->H) * sizeof(sb_scalar));
    sb_mass_add(&dyn->mass, 1.0, dyn->work->saddle.Hx);
}

int sb_dynamics_init(sb_context *ctx, sb_arena *arena, const sb_system *sys, sb_dynamics *out) {
    const int n = sys->n, rows = sb_system_bilateral(sys);
    *out = (sb_dynamics){.sys = sys};
    SB_NEW(arena, out->work, 1);
    SB_TRY(sb_mass_init(ctx, arena, sys, &out->mass));
    if (rows > 0) {
        SB_TRY(init_saddle(ctx, arena, out));
        out->C = out->work->saddle.C;
        SB_NEW(arena, out->Cx, sb_pattern_nnz(&out->C));
    }
    SB_TRY(SB_VECTORS(arena, n, &out->work->force, &out->work->tmp));
    SB_NEW(arena, out->work->x, n + rows);
    SB_NEW(arena, out->work->Hx, sb_pattern_nnz(&sys->H));
    return SB_OK;
}

/* Factors [M, -sign C; C', 0] at (t, q), whose multipliers are sign times lambda. */
static int factor_saddle(sb_dynamics *dyn, sb_scalar t, const sb_scalar *q) {
    const sb_system *sys = dyn->sys;
    SB_TRY(sb_mass_evaluate(&dyn->mass, q));
    if (sys->holonomic.m > 0) {
        SB_TRY(sb_holonomic_value(sys, t, q, NULL, dyn->Cx));
    }
    if (sys->nonholonomic.m > 0) {
        SB_TRY(
            sys->nonholonomic.value(sys->nonholonomic.self, t, q, dyn->Cx + sb_pattern_nnz(&sys->holonomic.G), NULL));
    }
    set_mass(dyn);
    sb_saddle_assemble(&dyn->work->saddle, 1.0, -dyn->work->sign, dyn->Cx, 1.0, dyn->Cx);
    return sb_saddle_factor(&dyn->work->saddle);
}

int sb_dynamics_acceleration(sb_dynamics *dyn, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *a,
                             sb_scalar *lambda) {
    const sb_system *sys = dyn->sys;
    const int n = sys->n, m = sys->holonomic.m, rows = sb_system_bilateral(sys);
    SB_TRY(sb_system_applied_force(sys, t, q, v, dyn->work->force, dyn->work->tmp, dyn->work->Hx));
    if (rows == 0) {
        SB_TRY(sb_mass_update(&dyn->mass, q));
        sb_mass_solve(&dyn->mass, dyn->work->force, a);
        return SB_OK;
    }
    SB_TRY(factor_saddle(dyn, t, q));
    memcpy(dyn->work->x, dyn->work->force, (size_t)n * sizeof(sb_scalar));
    if (m > 0) {
        SB_TRY(sb_holonomic_curvature(sys, t, q, v, dyn->work->x + n));
    }
    if (rows > m) {
        SB_TRY(sys->nonholonomic.rate(sys->nonholonomic.self, t, q, v, dyn->work->x + n + m));
    }
    for (int i = n; i < n + rows; i++) {
        dyn->work->x[i] = -dyn->work->x[i];
    }
    SB_TRY(sb_saddle_solve(&dyn->work->saddle, dyn->work->x));
    memcpy(a, dyn->work->x, (size_t)n * sizeof(sb_scalar));
    for (int i = 0; i < rows && lambda != NULL; i++) {
        lambda[i] = dyn->work->sign * dyn->work->x[n + i];
    }
    return SB_OK;
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

static int project(sb_dynamics *dyn, bool driven, sb_scalar t, const sb_scalar *q, const sb_scalar *p, sb_scalar *v,
                   sb_scalar *mu) {
    const int n = dyn->sys->n, rows = sb_system_bilateral(dyn->sys);
    if (rows == 0) {
        SB_TRY(sb_mass_update(&dyn->mass, q));
        sb_mass_solve(&dyn->mass, p, v);
        return SB_OK;
    }
    SB_TRY(factor_saddle(dyn, t, q));
    memcpy(dyn->work->x, p, (size_t)n * sizeof(sb_scalar));
    memset(dyn->work->x + n, 0, (size_t)rows * sizeof(sb_scalar));
    SB_TRY(driven ? prescribe(dyn, t, q, dyn->work->x + n) : SB_OK);
    SB_TRY(sb_saddle_solve(&dyn->work->saddle, dyn->work->x));
    memcpy(v, dyn->work->x, (size_t)n * sizeof(sb_scalar));
    for (int i = 0; i < rows && mu != NULL; i++) {
        mu[i] = dyn->work->sign * dyn->work->x[n + i];
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

/* One Newton step for g(t, q + M^-1 C' mu) = 0, with A dq = 0. */
typedef struct onto {
    sb_dynamics *dyn;
    sb_scalar t, *q;
} onto;

static int correct_position(void *arg, sb_scalar *change, sb_scalar *scale) {
    const onto *at = arg;
    sb_dynamics *dyn = at->dyn;
    const sb_system *sys = dyn->sys;
    const int n = sys->n, m = sys->holonomic.m;
    SB_TRY(factor_saddle(dyn, at->t, at->q));
    memset(dyn->work->x, 0, (size_t)(n + sb_system_bilateral(sys)) * sizeof(sb_scalar));
    SB_TRY(sb_holonomic_value(sys, at->t, at->q, dyn->work->x + n, NULL));
    for (int i = n; i < n + m; i++) {
        dyn->work->x[i] = -dyn->work->x[i];
    }
    SB_TRY(sb_saddle_solve(&dyn->work->saddle, dyn->work->x));
    for (int i = 0; i < n; i++) {
        at->q[i] += dyn->work->x[i];
    }
    *change = sb_norm_max(n, dyn->work->x);
    *scale = sb_norm_max(n, at->q);
    return SB_OK;
}

int sb_dynamics_position(sb_dynamics *dyn, sb_scalar t, sb_scalar *q) {
    static const sb_newton newton = {SB_NEWTON_TOL, 50};
    onto at = {dyn, t, q};
    long iters;
    return dyn->sys->holonomic.m == 0
               ? SB_OK
               : sb_newton_iterate(dyn->mass.ctx, &newton, SB_NEWTON_QUADRATIC, 0.0, correct_position, &at, &iters);
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
        SB_TRY(sb_mass_evaluate(&dyn->mass, q));
        sb_mass_mult(&dyn->mass, v, dyn->work->tmp);
        sb_scalar sum = 0.0;
        for (int i = 0; i < sys->n; i++) {
            sum += v[i] * dyn->work->tmp[i];
        }
        *kinetic = 0.5 * sum;
    }
    if (potential != NULL) {
        *potential = 0.0;
        if (sb_has_potential(sys)) {
            SB_TRY(sb_potential_value(sys, t, q, potential));
        }
    }
    return SB_OK;
}
