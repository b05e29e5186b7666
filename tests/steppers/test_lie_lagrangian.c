/* The momenta of the discrete Lagrangian on a group are its derivatives, and their derivative is that of Newton's
 * matrix: by differences, with a potential and a force that depend on the quaternion. */
#include <float.h>
#include <stdlib.h>

#include <stepbench/numerics/dynamics.h>

#include "integrators/shared/lie_lagrangian.h"
#include "tests/steppers/pairs.h"

enum { N = 7, K = 6, E0 = 3 }; /* of the heavy top; its quaternion is q3 to q6 */

/* Of order one, so that differences of order four over `width` are off by its fourth power and eps/width. */
static const double width = 1e-3, tolerance = 1e-9;

/* V = sum_i c_i e_i e_i+1 + z e_0, and f = -0.3 v - 0.2 (e_1 + e_2 e_2) on every coordinate. */
static const double c[3] = {0.7, -0.4, 0.9};

static int potential(const void *self, double t, const double *q, double *V) {
    (void)self;
    *V = q[2] * q[E0];
    for (int i = 0; i < 3; i++) {
        *V += c[i] * q[E0 + i] * q[E0 + i + 1];
    }
    return SB_OK;
}

static int potential_gradient(const void *self, double t, const double *q, double *Vq) {
    (void)self;
    memset(Vq, 0, N * sizeof *Vq);
    Vq[2] = q[E0];
    Vq[E0] = q[2];
    for (int i = 0; i < 3; i++) {
        Vq[E0 + i] += c[i] * q[E0 + i + 1];
        Vq[E0 + i + 1] += c[i] * q[E0 + i];
    }
    return SB_OK;
}

static int potential_hessian(const void *self, double t, const double *q, double w, double *Hx) {
    (void)self;
    (void)q;
    Hx[2 + N * E0] += w;
    Hx[E0 + N * 2] += w;
    for (int i = 0; i < 3; i++) {
        Hx[E0 + i + N * (E0 + i + 1)] += w * c[i];
        Hx[E0 + i + 1 + N * (E0 + i)] += w * c[i];
    }
    return SB_OK;
}

static int force(const void *self, double t, const double *q, const double *v, double *f) {
    (void)self;
    (void)t;
    for (int i = 0; i < N; i++) {
        f[i] = -0.3 * v[i] - 0.2 * (q[E0 + 1] + q[E0 + 2] * q[E0 + 2]);
    }
    return SB_OK;
}

static int force_jacobian(const void *self, double t, const double *q, const double *v, double cq, double cv,
                          double *Hx) {
    (void)self;
    (void)t;
    (void)v;
    for (int i = 0; i < N; i++) {
        Hx[i + N * i] -= 0.3 * cv;
        Hx[i + N * (E0 + 1)] -= 0.2 * cq;
        Hx[i + N * (E0 + 2)] -= 0.4 * cq * q[E0 + 2];
    }
    return SB_OK;
}

/* The top's terms on a full H. */
typedef struct full {
    const sb_system *inner;
    double *Hx;
} full;

static int kinetic_hessian(const void *self, const double *q, const double *v, double cqq, double cqv, double cvq,
                           double *Hx) {
    const full *p = self;
    const sb_pattern *H = &p->inner->H;
    memset(p->Hx, 0, (size_t)sb_pattern_nnz(H) * sizeof(double));
    SB_TRY(p->inner->inertia.hessian(p->inner->inertia.self, q, v, cqq, cqv, cvq, p->Hx));
    for (int j = 0; j < N; j++) {
        for (int e = H->p[j]; e < H->p[j + 1]; e++) {
            Hx[H->i[e] + N * j] += p->Hx[e];
        }
    }
    return SB_OK;
}

static int mass(const void *self, const double *q, double *Mx) {
    const full *p = self;
    return p->inner->inertia.mass(p->inner->inertia.self, q, Mx);
}

static int gradient(const void *self, const double *q, const double *v, double *Tq) {
    const full *p = self;
    return p->inner->inertia.gradient(p->inner->inertia.self, q, v, Tq);
}

/* h (T - V) at the midpoint. */
static int value(lie_lagrangian *Ld, sb_dynamics *dyn, double h, const double *q0, const double *s, double *out) {
    double pi[K], T, V;
    SB_TRY(sb_lie_lagrangian_momenta(Ld, 0.0, h, q0, s, pi, NULL));
    SB_TRY(sb_dynamics_energy(dyn, 0.5 * h, Ld->q, Ld->v, &T, &V));
    *out = h * (T - V);
    return SB_OK;
}

typedef struct setting {
    lie_lagrangian Ld;
    sb_dynamics dyn;
    double h, q0[N], s[K];
} setting;

/* d(pi_minus)/ds, column by column. */
static int check_jacobian(setting *x) {
    static const double weight[2] = {2.0 / 3.0, -1.0 / 12.0};
    const sb_pattern *H = &x->Ld.L.algebra.H;
    double most = 0.0, largest = 0.0, pi[K], *Kx = calloc((size_t)sb_pattern_nnz(H), sizeof *Kx);
    int status = sb_lie_lagrangian_momenta(&x->Ld, 0.0, x->h, x->q0, x->s, pi, NULL);
    status |= sb_lie_lagrangian_jacobian(&x->Ld, 0.0, x->h, x->s, Kx);
    for (int j = 0; j < K && status == SB_OK; j++) {
        double column[K] = {0.0};
        for (int k = 0; k < 4; k++) {
            const double sign = k % 2 == 0 ? 1.0 : -1.0;
            double s[K];
            memcpy(s, x->s, sizeof s);
            s[j] += sign * (k / 2 + 1) * width;
            status |= sb_lie_lagrangian_momenta(&x->Ld, 0.0, x->h, x->q0, s, pi, NULL);
            for (int i = 0; i < K; i++) {
                column[i] += sign * weight[k / 2] * pi[i] / width;
            }
        }
        for (int i = 0; i < K; i++) {
            const int at = sb_pattern_find(H, i, j);
            most = sb_larger(most, fabs(column[i] - (at < 0 ? 0.0 : Kx[at])));
            largest = sb_larger(largest, fabs(column[i]));
        }
    }
    gsl_test(status != SB_OK || !(most <= tolerance * largest), "map %d: Newton's matrix is off by %.2g of %.2g",
             (int)x->Ld.map, most, largest);
    free(Kx);
    return status;
}

/* Moving q0 by exp(-eta) at the same q1, or q1 by exp(eta): the changes of h L are the momenta along eta. Without f. */
static int check_momenta(setting *x) {
    static const double weight[2] = {2.0 / 3.0, -1.0 / 12.0};
    double pi[2][K];
    SB_TRY(sb_lie_lagrangian_momenta(&x->Ld, 0.0, x->h, x->q0, x->s, pi[0], pi[1]));
    for (int end = 0; end < 2; end++) {
        double most = 0.0;
        for (int j = 0; j < K; j++) {
            double slope = 0.0;
            for (int k = 0; k < 4; k++) {
                const double sign = k % 2 == 0 ? 1.0 : -1.0, by = sign * (k / 2 + 1) * width;
                double eta[K] = {0.0}, q0[N], s[K], L;
                eta[j] = by;
                memcpy(q0, x->q0, sizeof q0);
                memcpy(s, x->s, sizeof s);
                if (end == 0) {
                    sb_lie_move(&x->Ld.L, LIE_EXP, x->q0, eta, q0);
                }
                /* s of the moved points: plain coordinates, and phi of the vector map, conj(e0) e1 = tau(phi) */
                double q1[N], moved[N], f[4], e[4];
                sb_lie_move(&x->Ld.L, x->Ld.map, x->q0, x->s, q1);
                sb_lie_move(&x->Ld.L, LIE_EXP, q1, eta, moved);
                const double *to = end == 0 ? q1 : moved;
                for (int i = 0; i < 3; i++) {
                    s[i] = to[i] - q0[i];
                }
                memcpy(e, q0 + E0, sizeof e);
                const double *b = to + E0;
                f[0] = e[0] * b[0] + e[1] * b[1] + e[2] * b[2] + e[3] * b[3];
                f[1] = e[0] * b[1] - e[1] * b[0] - e[2] * b[3] + e[3] * b[2];
                f[2] = e[0] * b[2] + e[1] * b[3] - e[2] * b[0] - e[3] * b[1];
                f[3] = e[0] * b[3] - e[1] * b[2] + e[2] * b[1] - e[3] * b[0];
                for (int i = 0; i < 3; i++) {
                    const double sine = sqrt(f[1] * f[1] + f[2] * f[2] + f[3] * f[3]);
                    const double scale = x->Ld.map == LIE_VECTOR   ? 2.0
                                         : x->Ld.map == LIE_CAYLEY ? 2.0 / f[0]
                                                                   : 2.0 * atan2(sine, f[0]) / sine;
                    s[E0 + i] = scale * f[1 + i];
                }
                SB_TRY(value(&x->Ld, &x->dyn, x->h, q0, s, &L));
                slope += sign * weight[k / 2] * L / width;
            }
            most = sb_larger(most, fabs(pi[end][j] - (end == 0 ? -slope : slope)));
        }
        gsl_test(!(most <= tolerance * sb_norm_max(K, pi[end])), "map %d: momentum at the %s is off by %.2g of %.2g",
                 (int)x->Ld.map, end == 0 ? "start" : "end", most, sb_norm_max(K, pi[end]));
    }
    return SB_OK;
}

static int check(sb_context *ctx, sb_arena *arena, const sb_system *sys, lie_map map) {
    setting x = {.h = 0.3, .q0 = {0.2, -0.1, 0.4, 0.5, 0.5, -0.1, 0.7}, .s = {0.1, 0.2, -0.3, 0.4, -0.5, 0.3}};
    sb_system free_of_force = *sys;
    double scale = 0.0;
    for (int i = E0; i < N; i++) {
        scale += x.q0[i] * x.q0[i];
    }
    for (int i = E0; i < N; i++) {
        x.q0[i] /= sqrt(scale);
    }
    SB_TRY(sb_lie_lagrangian_init(ctx, arena, sys, map, &x.Ld));
    SB_TRY(check_jacobian(&x));
    free_of_force.force = (sb_force){0};
    SB_TRY(sb_dynamics_init(ctx, arena, &free_of_force, &x.dyn));
    SB_TRY(sb_lie_lagrangian_init(ctx, arena, &free_of_force, map, &x.Ld));
    return check_momenta(&x);
}

int main(void) {
    sb_context ctx;
    sb_registry registry;
    sb_arena arena;
    sb_system top, sys;
    full terms = {.inner = &top};
    open_registry(&ctx, &registry);
    sb_arena_init(&arena, &ctx);
    int status = sb_system_build(&ctx, &arena, "heavy_top:J1=0.4,J3=0.7,m=1.3", 0, NULL, &top);
    sys = top;
    status |= sb_pattern_full(&arena, N, N, &sys.H);
    terms.Hx = sb_alloc(&arena, (size_t)sb_pattern_nnz(&top.H), sizeof(double));
    sys.inertia = (sb_inertia){
        .self = &terms, .M = top.inertia.M, .mass = mass, .gradient = gradient, .hessian = kinetic_hessian};
    sys.potential =
        (sb_potential){.degree = 2, .value = potential, .gradient = potential_gradient, .hessian = potential_hessian};
    sys.force = (sb_force){NULL, force, force_jacobian};
    for (int map = LIE_EXP; map <= LIE_VECTOR; map++) {
        status |= status == SB_OK ? check(&ctx, &arena, &sys, (lie_map)map) : 0;
    }
    gsl_test(status != SB_OK, "the Lagrangian is evaluated: %s", ctx.message);
    sb_arena_free(&arena);
    sb_registry_free(&registry);
    return gsl_test_summary();
}
