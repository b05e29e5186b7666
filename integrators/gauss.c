/* Gauss collocation with s stages on q' = v, p' = T_q - V_q + f, p = M(q) v: hlw06 II.1.3,
 *
 *   P_i = p + h sum_j a_ij F(t + c_j h, Q_j, V_j),  M(Q_i) V_i = P_i,  Q_i = q + h sum_j a_ij V_j,
 *
 * with a_ij the integral of the j-th Lagrange polynomial of the nodes c from 0 to c_i. Symplectic, symmetric, of order
 * 2 s. The stages are found by fixed-point iteration down to round-off (hlw06 VIII.6.2). It converges where h is small
 * compared with the shortest period; for stiff problems there is Newton's method (integrators/shared/stages.h).
 *
 * The first guess continues the stages of the last step. Round-off is a random walk of the energy (hairer08): the
 * iteration ends where the stages no longer improve, the coefficients have twice the digits of a number, and the
 * rounding of q and p is kept and added in the next step. */
#include <string.h>

#include <stepbench/numerics/dynamics.h>
#include <stepbench/numerics/gauss_nodes.h>

#include "integrators/shared/collocation.h"
#include "integrators/shared/stages.h"

enum { FIXED_POINT, NEWTON };

typedef struct config {
    long stages, maxit;
    int solver;
    sb_scalar tol;
} config;

/* Coefficients of the stages: a number of twice the digits, hi + lo, each. */
typedef struct row {
    sb_scalar hi[COLLOCATION_MAX], lo[COLLOCATION_MAX];
} row;

/* State: aux is what rounding has taken from q and from p = M(q) v so far (n each), then the velocities of the stages
 * of the last step (s n), NaN before the first one. */
typedef struct work {
    sb_dynamics dyn;
    int s;
    row a[COLLOCATION_MAX], b;
    sb_scalar c[COLLOCATION_MAX];
    sb_scalar ratio,
        guess[COLLOCATION_MAX][COLLOCATION_MAX + 1]; /* of the lengths of two steps; weights of guess_stages for it */
    sb_scalar *Q[COLLOCATION_MAX], *V[COLLOCATION_MAX], *F[COLLOCATION_MAX];
    sb_scalar *p, *P, *tmp;
    stages newton;
} work;

/* Sets the tableau. The nodes are the zeros of Legendre's polynomials on [0, 1]. */
static void set_tableau(work *w) {
    static const int legendre[COLLOCATION_MAX][COLLOCATION_MAX + 1] = {{-1, 2},
                                                                       {1, -6, 6},
                                                                       {-1, 12, -30, 20},
                                                                       {1, -20, 90, -140, 70},
                                                                       {-1, 30, -210, 560, -630, 252},
                                                                       {1, -42, 420, -1680, 3150, -2772, 924}};
    twofold c[COLLOCATION_MAX];
    sb_gauss_nodes(w->s, w->c, w->b.hi);
    for (int i = 0; i < w->s; i++) {
        c[i] = sb_collocation_node(w->s, legendre[w->s - 1], 0.5 + 0.5 * w->c[i]);
        w->c[i] = c[i].hi;
    }
    for (int i = 0; i < w->s; i++) {
        sb_collocation_weights(w->s, c, c[i], w->a[i].hi, w->a[i].lo);
    }
    sb_collocation_weights(w->s, c, (twofold){1.0, 0.0}, w->b.hi, w->b.lo);
}

/* Prepares Newton's method, whose stages become those of w. Fails for more stages than its tables have. */
static int init_newton(sb_method *me, work *w) {
    const sb_newton newton = {.tol = SB_NEWTON_TOL, .maxit = ((const config *)me->config)->maxit};
    stage_table table = {.s = w->s};
    if (w->s > STAGES_MAX) {
        return sb_fail(me->ctx, SB_UNSUPPORTED, "solver=newton takes up to %d stages, and stages is %d", STAGES_MAX,
                       w->s);
    }
    for (int i = 0; i < w->s; i++) {
        table.c[i] = w->c[i];
        memcpy(table.a[i], w->a[i].hi, sizeof table.a[i]);
        memcpy(table.a_hat[i], w->a[i].hi, sizeof table.a_hat[i]);
    }
    SB_TRY(sb_stages_init(me, &table, STAGES_INDEX3, &newton, &w->newton));
    memcpy(w->Q, w->newton.Q, sizeof w->newton.Q);
    memcpy(w->V, w->newton.V, sizeof w->newton.V);
    memcpy(w->F, w->newton.F, sizeof w->newton.F);
    return SB_OK;
}

static int init(sb_method *me) {
    const config *c = me->config;
    work *w;
    SB_NEW(me->arena, w, 1);
    me->work = w;
    w->s = (int)c->stages;
    me->naux = (2 + w->s) * me->sys->n;
    for (int i = 0; i < w->s; i++) {
        SB_TRY(SB_VECTORS(me->arena, me->sys->n, &w->Q[i], &w->V[i], &w->F[i]));
    }
    SB_TRY(SB_VECTORS(me->arena, me->sys->n, &w->p, &w->P, &w->tmp));
    set_tableau(w);
    SB_TRY(c->solver == NEWTON ? init_newton(me, w) : SB_OK);
    return sb_dynamics_init(me->ctx, me->arena, me->sys, &w->dyn);
}

/* Returns sum_j weight_j X_j[i], and the share of the lower digits of the weights in *low. */
static sb_scalar weigh(int s, const row *weight, sb_scalar *const *X, int i, sb_scalar *low) {
    sb_scalar sum = 0.0;
    *low = 0.0;
    for (int j = 0; j < s; j++) {
        sum += weight->hi[j] * X[j][i];
        *low += weight->lo[j] * X[j][i];
    }
    return sum;
}

/* Sets out = x + lost + h sum_j weight_j X_j. */
static void combine(const work *w, int n, const sb_scalar *x, const sb_scalar *lost, sb_scalar h, const row *weight,
                    sb_scalar *const *X, sb_scalar *out) {
    for (int i = 0; i < n; i++) {
        sb_scalar low, sum = weigh(w->s, weight, X, i, &low);
        out[i] = x[i] + (h * sum + (lost[i] + h * low));
    }
}

/* Adds h sum_j b_j X_j to x, whose rounding is kept in `lost`. */
static void increase(const work *w, int n, sb_scalar h, sb_scalar *const *X, sb_scalar *x, sb_scalar *lost) {
    for (int i = 0; i < n; i++) {
        sb_scalar low, sum = weigh(w->s, &w->b, X, i, &low);
        twofold_increase(&x[i], &lost[i], h * sum, h * low);
    }
}

/* Iterates once: computes the forces at the stages, then their momenta, velocities and positions, and sets *change to
 * the largest change of a position. */
static int iterate(const sb_method *me, const sb_state *in, sb_scalar h, sb_scalar *change) {
    work *w = me->work;
    const int n = me->sys->n;
    for (int i = 0; i < w->s; i++) {
        SB_TRY(sb_system_force(me->sys, in->t + w->c[i] * h, w->Q[i], w->V[i], w->F[i], w->tmp));
    }
    for (int i = 0; i < w->s; i++) {
        combine(w, n, w->p, in->aux + n, h, &w->a[i], w->F, w->P);
        SB_TRY(sb_dynamics_velocity(&w->dyn, in->t + w->c[i] * h, w->Q[i], w->P, w->V[i], NULL));
    }
    *change = 0.0;
    for (int i = 0; i < w->s; i++) {
        combine(w, n, in->q, in->aux, h, &w->a[i], w->V, w->tmp);
        *change = sb_larger(*change, sb_distance_max(n, w->tmp, w->Q[i]));
        memcpy(w->Q[i], w->tmp, (size_t)n * sizeof(sb_scalar));
    }
    return SB_OK;
}

/* Sets the weights of the polynomial through the nodes c_j and 1 at the points 1 + ratio c_i. */
static void set_guess(work *w, sb_scalar ratio) {
    const int s = w->s;
    w->ratio = ratio;
    for (int i = 0; i < s; i++) {
        const sb_scalar x = 1.0 + ratio * w->c[i];
        for (int j = 0; j <= s; j++) {
            const sb_scalar node = j < s ? w->c[j] : 1.0;
            w->guess[i][j] = 1.0;
            for (int k = 0; k <= s; k++) {
                const sb_scalar other = k < s ? w->c[k] : 1.0;
                w->guess[i][j] *= k == j ? 1.0 : (x - other) / (node - other);
            }
        }
    }
}

/* Sets the velocities of the stages to those of the polynomial through the stages of the last step and v, and the
 * positions to q + h sum_j a_ij V_j. On an orbit 4 stages take 3.5 iterations in place of 5.0 from V = v, 6 stages 2.8
 * in place of 5.1. Where such a step is longer than `size`, that of the state, the state is not that of the last step,
 * and V = v. */
static void guess_stages(const sb_method *me, const sb_state *in, sb_scalar h, sb_scalar size) {
    work *w = me->work;
    const int n = me->sys->n, s = w->s;
    const sb_scalar *last = in->aux + 2 * n;
    sb_scalar longest = 0.0;
    if (w->ratio != h / in->h) {
        set_guess(w, h / in->h);
    }
    for (int i = 0; i < s; i++) {
        for (int k = 0; k < n; k++) {
            w->V[i][k] = w->guess[i][s] * in->v[k];
            for (int j = 0; j < s; j++) {
                w->V[i][k] += w->guess[i][j] * last[j * n + k];
            }
        }
        longest = sb_larger(longest, fabs(h) * sb_norm_max(n, w->V[i]));
    }
    for (int i = 0; i < s && !(longest <= size); i++) {
        memcpy(w->V[i], in->v, (size_t)n * sizeof(sb_scalar));
    }
    for (int i = 0; i < s; i++) {
        combine(w, n, in->q, in->aux, h, &w->a[i], w->V, w->Q[i]);
    }
}

/* Returns the largest distance of a stage from q + c_i h v. */
static sb_scalar curvature(const work *w, int n, const sb_state *in, sb_scalar h) {
    sb_scalar most = 0.0;
    for (int i = 0; i < w->s; i++) {
        for (int k = 0; k < n; k++) {
            most = sb_larger(most, fabs(w->Q[i][k] - (in->q[k] + w->c[i] * h * in->v[k])));
        }
    }
    return most;
}

/* Iterates until a change is at most tol times the size of the state; or, with tol = 0, until the changes are zero, or
 * no longer decrease and are round-off: some tens of units of the last place of the state, or smaller by the root of
 * eps than the first change from V = v, which those of an iteration that diverges are not; next to the origin, where
 * numbers underflow, below DBL_MIN. Where the iteration has complex eigenvalues a change may exceed the previous one;
 * therefore three in a row have to exceed the smallest one, unless that is two units of the last place. Ten in a row
 * that do, the last one larger than the first change, diverge. */
static int solve_stages(const sb_method *me, const sb_state *in, sb_scalar h, long *iters) {
    const config *c = me->config;
    const long maxit = c->maxit;
    const work *w = me->work;
    sb_scalar change = INFINITY, least = INFINITY, first = 0.0;
    int increases = 0;
    const sb_scalar size = sb_norm_max(me->sys->n, in->q) + fabs(h) * sb_norm_max(me->sys->n, in->v);
    guess_stages(me, in, h, size);
    const sb_scalar rounding = fmax(64.0 * SB_EPSILON * size, DBL_MIN);
    for (*iters = 1; *iters <= maxit; (*iters)++) {
        SB_TRY(sb_poll(me->ctx));
        SB_TRY(iterate(me, in, h, &change));
        increases = change < least ? 0 : increases + 1;
        least = change < least ? change : least;
        first = *iters == 1 ? sb_larger(change, curvature(w, me->sys->n, in, h)) : first;
        if (change <= c->tol * size || (increases >= 1 && least <= 2.0 * SB_EPSILON * size) ||
            (increases >= 3 && least <= fmax(rounding, sqrt(SB_EPSILON) * first))) {
            return SB_OK;
        }
        if (!(change <= SB_MAX) || (increases >= 10 && change > first)) {
            break;
        }
    }
    return sb_fail(me->ctx, SB_NOT_CONVERGED,
                   "the fixed-point iteration for the stages did not converge in %ld iterations: last change %.3g; "
                   "try a smaller step, or increase maxit",
                   *iters < maxit ? *iters : maxit, (double)change);
}

/* Finds the stages by Newton's method, and their forces. */
static int solve_newton(const sb_method *me, const sb_state *in, sb_scalar h, long *iters) {
    work *w = me->work;
    SB_TRY(sb_stages_solve(&w->newton, in->t, h, in->q, w->p, in->v, in->lambda, iters));
    return sb_stages_forces(&w->newton);
}

static int start(const sb_method *me, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar h, sb_state *out) {
    const int n = me->sys->n, s = ((const work *)me->work)->s;
    for (int i = 0; i < s; i++) {
        memcpy(out->aux + (2 + i) * n, v, (size_t)n * sizeof(sb_scalar));
    }
    return SB_OK;
}

static int step(const sb_method *me, const sb_state *in, sb_scalar h, sb_state *out) {
    const config *c = me->config;
    const int n = me->sys->n;
    work *w = me->work;
    SB_TRY(sb_dynamics_momentum(&w->dyn, in->q, in->v, w->p));
    SB_TRY((c->solver == NEWTON ? solve_newton : solve_stages)(me, in, h, &out->iters));
    memcpy(out->q, in->q, (size_t)n * sizeof(sb_scalar));
    memcpy(out->aux, in->aux, 2 * (size_t)n * sizeof(sb_scalar));
    increase(w, n, h, w->V, out->q, out->aux);
    increase(w, n, h, w->F, w->p, out->aux + n);
    SB_TRY(sb_dynamics_velocity(&w->dyn, in->t + h, out->q, w->p, out->v, NULL));
    SB_TRY(sb_dynamics_momentum(&w->dyn, out->q, out->v, w->P));
    for (int i = 0; i < n; i++) {
        out->aux[n + i] += w->p[i] - w->P[i];
    }
    for (int i = 0; i < w->s; i++) {
        memcpy(out->aux + (2 + i) * n, w->V[i], (size_t)n * sizeof(sb_scalar));
    }
    return SB_OK;
}

static int order_of(const sb_stepper *me, const void *config_, unsigned features, sb_variable variable) {
    return 2 * (int)((const config *)config_)->stages;
}

static const sb_param params[] = {
    SB_PARAM_INT(config, stages, "2", 1.0, COLLOCATION_MAX, "stages s; the order is 2 s"),
    SB_PARAM_INT(config, maxit, "100", 1.0, 10000.0, "largest number of iterations per step"),
    SB_PARAM_CHOICE(
        config, solver, "fixed_point", "fixed_point|newton",
        "fixed-point iteration, for steps short beside the fastest period, or Newton's method, up to 4 stages"),
    SB_PARAM("tol", SB_REAL, offsetof(config, tol), "0", 0.0, 1e-2, SB_CLOSED, NULL, "",
             "the fixed-point iteration ends after a change of this relative size; 0: where changes are round-off"),
    {.name = NULL},
};

SB_DEFINE_STEPPER(gauss) = {
    .entry = {"gauss", "Gauss collocation with s stages, by fixed-point iteration or Newton's method",
              "hlw06 II.1.3; hairer08", params, sizeof(config)},
    .order = 4,
    .order_of = order_of,
    .supports = SB_HAS_FORCE | SB_HAS_VARIABLE_MASS | SB_HAS_TIME_POTENTIAL,
    .keeps = SB_KEEPS_MOMENTA | SB_KEEPS_REVERSIBILITY,
    .init = init,
    .start = start,
    .step = step,
};
