/* The outer solar system of hlw06 I.2.4: Newton's law for the Sun, with the inner planets in its mass, and up to five
 * outer planets; V = -G sum_{i<j} m_i m_j/|x_i - x_j|. Units: astronomical units, days, masses of the Sun. */
#include <math.h>

#include <stepbench/plugin.h>

#include "problems/shared/constant_terms.h"
#include "problems/shared/start.h"

enum { BODIES = 6, DIM = 3 };

typedef struct config {
    long planets;
} config;

/* hlw06 I.2, Table 2.2: positions and velocities of 5 September 1994 at 0h00. */
static const struct {
    sb_scalar m, x[DIM], v[DIM];
} data[BODIES] = {
    {SB_R(1.00000597682), {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}},
    {SB_R(0.000954786104043),
     {-SB_R(3.5023653), -SB_R(3.8169847), -SB_R(1.5507963)},
     {SB_R(0.00565429), -SB_R(0.00412490), -SB_R(0.00190589)}},
    {SB_R(0.000285583733151),
     {SB_R(9.0755314), -SB_R(3.0458353), -SB_R(1.6483708)},
     {SB_R(0.00168318), SB_R(0.00483525), SB_R(0.00192462)}},
    {SB_R(0.0000437273164546),
     {SB_R(8.3101420), -SB_R(16.2901086), -SB_R(7.2521278)},
     {SB_R(0.00354178), SB_R(0.00137102), SB_R(0.00055029)}},
    {SB_R(0.0000517759138449),
     {SB_R(11.4707666), -SB_R(25.7294829), -SB_R(10.8169456)},
     {SB_R(0.00288930), SB_R(0.00114527), SB_R(0.00039677)}},
    {1.0 / (sb_scalar)1.3e8,
     {-SB_R(15.5387357), -SB_R(25.2225594), -SB_R(3.1902382)},
     {SB_R(0.00276725), -SB_R(0.00170702), -SB_R(0.00136504)}},
};

static const sb_scalar G = SB_R(2.95912208286e-4); /* AU^3/(day^2 solar mass) */

typedef struct planets {
    int bodies;
} planets;

/* Sets x = x_b - x_a and returns its length. */
static sb_scalar between(const sb_scalar *q, int a, int b, sb_scalar x[DIM]) {
    sb_scalar square = 0.0;
    for (int c = 0; c < DIM; c++) {
        x[c] = q[DIM * b + c] - q[DIM * a + c];
        square += x[c] * x[c];
    }
    return sqrt(square);
}

static int potential(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *V) {
    const planets *p = self;
    sb_scalar x[DIM];
    *V = 0.0;
    for (int b = 1; b < p->bodies; b++) {
        for (int a = 0; a < b; a++) {
            const sb_scalar r = between(q, a, b, x);
            if (!(r > 0.0)) {
                return SB_DOMAIN;
            }
            *V -= G * data[a].m * data[b].m / r;
        }
    }
    return SB_OK;
}

static int potential_gradient(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *Vq) {
    const planets *p = self;
    sb_scalar x[DIM];
    memset(Vq, 0, (size_t)(DIM * p->bodies) * sizeof *Vq);
    for (int b = 1; b < p->bodies; b++) {
        for (int a = 0; a < b; a++) {
            const sb_scalar r = between(q, a, b, x), pull = G * data[a].m * data[b].m / (r * r * r);
            if (!(r > 0.0)) {
                return SB_DOMAIN;
            }
            for (int c = 0; c < DIM; c++) {
                Vq[DIM * b + c] += pull * x[c];
                Vq[DIM * a + c] -= pull * x[c];
            }
        }
    }
    return SB_OK;
}

/* H is full. The second derivative of -1/|x| is 1/|x|^3 - 3 x x'/|x|^5, with the opposite sign between two bodies. */
static int potential_hessian(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar c, sb_scalar *Hx) {
    const planets *p = self;
    const int n = DIM * p->bodies;
    sb_scalar x[DIM];
    for (int b = 1; b < p->bodies; b++) {
        for (int a = 0; a < b; a++) {
            const sb_scalar r = between(q, a, b, x), pull = c * G * data[a].m * data[b].m / (r * r * r);
            if (!(r > 0.0)) {
                return SB_DOMAIN;
            }
            for (int k = 0; k < DIM * DIM; k++) {
                const int i = k % DIM, j = k / DIM;
                const sb_scalar h = pull * ((i == j ? 1.0 : 0.0) - 3.0 * x[i] / r * (x[j] / r));
                Hx[DIM * a + i + n * (DIM * a + j)] += h;
                Hx[DIM * b + i + n * (DIM * b + j)] += h;
                Hx[DIM * a + i + n * (DIM * b + j)] -= h;
                Hx[DIM * b + i + n * (DIM * a + j)] -= h;
            }
        }
    }
    return SB_OK;
}

static const char *const momenta[] = {"Px", "Py", "Pz", "Jx", "Jy", "Jz"};

static int generator(const void *self, int i, const sb_scalar *q, sb_scalar *xi) {
    const planets *p = self;
    const int c = i % DIM, next = (c + 1) % DIM, last = (c + 2) % DIM;
    memset(xi, 0, (size_t)(DIM * p->bodies) * sizeof *xi);
    for (int b = 0; b < p->bodies; b++) {
        if (i < DIM) {
            xi[DIM * b + c] = 1.0;
        } else {
            xi[DIM * b + next] = -q[DIM * b + last];
            xi[DIM * b + last] = q[DIM * b + next];
        }
    }
    return SB_OK;
}

static int init(sb_context *ctx, sb_arena *arena, const void *parameters, sb_system *out) {
    planets *p;
    sb_scalar masses[DIM * BODIES], x[DIM], q[DIM * BODIES], v[DIM * BODIES];
    SB_NEW(arena, p, 1);
    p->bodies = (int)((const config *)parameters)->planets + 1;
    out->n = DIM * p->bodies;
    for (int i = 0; i < out->n; i++) {
        masses[i] = data[i / DIM].m;
        q[i] = data[i / DIM].x[i % DIM];
        v[i] = data[i / DIM].v[i % DIM];
    }
    SB_TRY(sb_pattern_full(arena, out->n, out->n, &out->H));
    SB_TRY(set_masses(arena, out->n, masses, &out->inertia));
    out->potential = (sb_potential){
        .self = p, .degree = -1, .value = potential, .gradient = potential_gradient, .hessian = potential_hessian};
    out->symmetry = (sb_symmetry){p, 2 * DIM, momenta, generator};
    /* The inverse of Jupiter's angular frequency, some 690 days: its orbit is nearly a circle. */
    const sb_scalar r = between(q, 0, 1, x);
    out->time_scale = r * sqrt(r / (G * (data[0].m + data[1].m)));
    return set_start(arena, q, v, out);
}

static const sb_param params[] = {
    SB_PARAM_INT(config, planets, "5", 1.0, 5.0, "Jupiter, Saturn, Uranus, Neptune and Pluto: the first so many"),
    {.name = NULL},
};

SB_DEFINE_PROBLEM(outer_solar_system) = {
    .entry = {"outer_solar_system", "the Sun and the outer planets in astronomical units, days and masses of the Sun",
              "hlw06 (I.2.4)", params, sizeof(config)},
    .init = init,
};
