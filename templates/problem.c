/* new_problem: a particle in the plane on a spring, hlw06 I. Replace its terms, and this line, by your own.
 *
 *   T = m v.v/2,   V = k q.q/2
 *
 * A problem is a set of terms, each with its derivatives; what it lacks is left out. Constraints g(q) = 0 are
 * `out->holonomic` (problems/pendulum.c), forces f(t, q, v) `out->force` (problems/oscillator.c). The tests compare
 * every derivative with differences. */
#include <math.h>

#include <stepbench/plugin.h>

/* What the user may set: one member a row of the table below. */
typedef struct config {
    double m, k, x0, vx0, vy0;
} config;

static int mass(const void *self, const double *q, double *Mx) {
    const config *p = self;
    (void)q;
    Mx[0] = Mx[1] = p->m;
    return SB_OK;
}

static int potential(const void *self, const double *q, double *V) {
    const config *p = self;
    *V = 0.5 * p->k * (q[0] * q[0] + q[1] * q[1]);
    return SB_OK;
}

static int potential_gradient(const void *self, const double *q, double *Vq) {
    const config *p = self;
    Vq[0] = p->k * q[0];
    Vq[1] = p->k * q[1];
    return SB_OK;
}

/* Adds c V_qq to values on the pattern H, here a full matrix by columns: H_00, H_10, H_01, H_11. */
static int potential_hessian(const void *self, const double *q, double c, double *Hx) {
    const config *p = self;
    (void)q;
    Hx[0] += c * p->k;
    Hx[3] += c * p->k;
    return SB_OK;
}

/* A symmetry is a momentum that the motion keeps: here of turning about the origin. */
static const char *const momenta[] = {"Jz"};

static int rotation(const void *self, int i, const double *q, double *xi) {
    (void)self;
    (void)i;
    xi[0] = -q[1];
    xi[1] = q[0];
    return SB_OK;
}

/* Outputs are quantities to look at beside energy and momenta. */
static const sb_output output_list[] = {{"radius", "m", "distance from the origin", false}};

static int outputs(const void *self, double t, const double *q, const double *v, double *out) {
    (void)self;
    (void)t;
    (void)v;
    out[0] = hypot(q[0], q[1]);
    return SB_OK;
}

static int initial(const void *self, double *t, double *q, double *v) {
    const config *p = self;
    *t = 0.0;
    q[0] = p->x0;
    q[1] = 0.0;
    v[0] = p->vx0;
    v[1] = p->vy0;
    return SB_OK;
}

/* The exact solution, where there is one; left out, analyses take a reference of their own. */
static int exact(const void *self, double t, double *q, double *v, double *lambda) {
    const config *p = self;
    const double w = sqrt(p->k / p->m), C = cos(w * t), S = sin(w * t);
    (void)lambda;
    if (q != NULL) {
        q[0] = p->x0 * C + p->vx0 / w * S;
        q[1] = p->vy0 / w * S;
    }
    if (v != NULL) {
        v[0] = p->vx0 * C - w * p->x0 * S;
        v[1] = p->vy0 * C;
    }
    return SB_OK;
}

static int init(sb_context *ctx, sb_arena *arena, const void *parameters, sb_system *out) {
    config *p;
    (void)ctx;
    SB_NEW(arena, p, 1);
    *p = *(const config *)parameters;
    out->n = 2;
    out->time_scale = sqrt(p->m / p->k); /* the shortest time in which the motion changes */
    SB_TRY(sb_pattern_full(arena, 2, 2, &out->H));
    out->inertia = (sb_inertia){.self = p, .mass = mass};
    SB_TRY(sb_pattern_diagonal(arena, 2, &out->inertia.M));
    /* 2: the degree of V as a polynomial, -1 where it is none of degree 2 or less */
    out->potential = (sb_potential){p, 2, potential, potential_gradient, potential_hessian, NULL};
    out->symmetry = (sb_symmetry){p, 1, momenta, rotation};
    out->outputs = (sb_outputs){p, 1, output_list, outputs};
    out->self = p;
    out->initial = initial;
    out->exact = exact;
    return SB_OK;
}

static const sb_param params[] = {
    {"m", SB_REAL, offsetof(config, m), "1", 0.0, INFINITY, SB_OPEN, NULL, "kg", "mass"},
    {"k", SB_REAL, offsetof(config, k), "1", 0.0, INFINITY, SB_OPEN, NULL, "N/m", "stiffness of the spring"},
    {"x0", SB_REAL, offsetof(config, x0), "1", -INFINITY, INFINITY, SB_OPEN, NULL, "m", "initial x; y is 0"},
    {"vx0", SB_REAL, offsetof(config, vx0), "0.3", -INFINITY, INFINITY, SB_OPEN, NULL, "m/s",
     "initial velocity along x"},
    {"vy0", SB_REAL, offsetof(config, vy0), "0.7", -INFINITY, INFINITY, SB_OPEN, NULL, "m/s",
     "initial velocity along y"},
    {.name = NULL},
};

/* The reference is a key of docs/references.bib and an equation. */
SB_DEFINE_PROBLEM(new_problem) = {
    .entry = {"new_problem", "a particle in the plane on a spring", "hlw06 I", params, sizeof(config)},
    .init = init,
};
