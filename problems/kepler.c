/* The planar Kepler problem q'' = -mu q/|q|^3 from pericentre, unit mass; solved by Kepler's equation E - e sin E = n t
 * (goldstein02, 3.8).
 */
#include "problems/shared/constant_terms.h"
#include "problems/shared/start.h"

typedef struct config {
    sb_scalar e, a, mu;
} config;

static int potential(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *V) {
    const config *p = self;
    const sb_scalar r = hypot(q[0], q[1]);
    *V = -p->mu / r;
    return r > 0.0 ? SB_OK : SB_DOMAIN;
}

static int potential_gradient(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *Vq) {
    const config *p = self;
    const sb_scalar r = sqrt(q[0] * q[0] + q[1] * q[1]), c = p->mu / (r * r * r);
    Vq[0] = c * q[0];
    Vq[1] = c * q[1];
    return r > 0.0 ? SB_OK : SB_DOMAIN;
}

static int potential_hessian(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar c, sb_scalar *Hx) {
    const config *p = self;
    const sb_scalar r2 = q[0] * q[0] + q[1] * q[1], a = c * p->mu / (r2 * sqrt(r2)), b = 3.0 * a / r2;
    Hx[0] += a - b * q[0] * q[0];
    Hx[1] -= b * q[0] * q[1];
    Hx[2] -= b * q[0] * q[1];
    Hx[3] += a - b * q[1] * q[1];
    return r2 > 0.0 ? SB_OK : SB_DOMAIN;
}

static const sb_output output_list[] = {
    {"lrl_x", "", "Laplace-Runge-Lenz vector over mu: points to pericentre, its length is the eccentricity", true},
    {"lrl_y", "", "the same, second component", true},
};

static int outputs(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *out) {
    const config *p = self;
    const sb_scalar r = hypot(q[0], q[1]), L = q[0] * v[1] - q[1] * v[0];
    out[0] = v[1] * L / p->mu - q[0] / r;
    out[1] = -v[0] * L / p->mu - q[1] / r;
    return r > 0.0 ? SB_OK : SB_DOMAIN;
}

/* Solves E - e sin E = M for 0 <= M <= pi. The left side is convex there, so that Newton's iterates fall monotonically
 * from any point right of the root until round-off stops them. */
static sb_scalar eccentric_anomaly(sb_scalar e, sb_scalar M) {
    sb_scalar E = fmin(M + e, SB_PI);
    for (;;) {
        const sb_scalar next = E - (E - e * sin(E) - M) / (1.0 - e * cos(E));
        if (!(next < E)) {
            return E;
        }
        E = next;
    }
}

static int exact(const void *self, sb_scalar t, sb_scalar *q, sb_scalar *v, sb_scalar *lambda) {
    const config *p = self;
    const sb_scalar n = sqrt(p->mu / p->a) / p->a, period = 2.0 * SB_PI / n, M = n * remainder(t, period);
    const sb_scalar E = copysign(eccentric_anomaly(p->e, fmin(fabs(M), SB_PI)), M),
                    b = sqrt((1.0 - p->e) * (1.0 + p->e));
    const sb_scalar rate = n / (1.0 - p->e * cos(E));
    if (q != NULL) {
        q[0] = p->a * (cos(E) - p->e);
        q[1] = p->a * b * sin(E);
    }
    if (v != NULL) {
        v[0] = -p->a * rate * sin(E);
        v[1] = p->a * b * rate * cos(E);
    }
    return SB_OK;
}

static int init(sb_context *ctx, sb_arena *arena, const void *parameters, sb_system *out) {
    const config *p = parameters;
    out->n = 2;
    /* The inverse of the angular velocity at pericentre, which is the largest of the motion. */
    out->time_scale = p->a * sqrt(p->a / p->mu) * (1.0 - p->e) * sqrt((1.0 - p->e) / (1.0 + p->e));
    out->period = 2.0 * SB_PI * p->a * sqrt(p->a / p->mu);
    SB_TRY(sb_pattern_full(arena, 2, 2, &out->H));
    SB_TRY(set_masses(arena, 2, (sb_scalar[2]){1.0, 1.0}, &out->inertia));
    out->potential = (sb_potential){
        .self = p, .degree = -1, .value = potential, .gradient = potential_gradient, .hessian = potential_hessian};
    SB_TRY(set_rotation(arena, 1, 2, out));
    out->outputs = (sb_outputs){p, 2, output_list, outputs};
    return set_start_and_exact(arena, (sb_scalar[2]){p->a * (1.0 - p->e), 0.0},
                               (sb_scalar[2]){0.0, sqrt(p->mu / p->a * (1.0 + p->e) / (1.0 - p->e))}, p, exact, out);
}

static const sb_param params[] = {
    SB_PARAM_REAL(config, e, "0.5", 0.0, 1.0, SB_OPEN_HI, "", "eccentricity"),
    SB_PARAM_POSITIVE(config, a, "1", "m", "semi-major axis"),
    SB_PARAM_POSITIVE(config, mu, "1", "m^3/s^2", "gravitational parameter"),
    {.name = NULL},
};

SB_DEFINE_PROBLEM(kepler) = {
    .entry = {"kepler", "planar Kepler problem from pericentre", "goldstein02 (3.8)", params, sizeof(config)},
    .init = init,
};
