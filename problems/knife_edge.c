/* A knife edge that turns at a constant rate on an inclined plane, from rest: its displacement downhill stays bounded.
 * Solved in closed form: neimark72 (III.2). */
#include "problems/shared/edge.h"
#include "problems/shared/start.h"

typedef struct config {
    sb_scalar m, I, g, omega;
} config;

typedef struct knife {
    config c;
    edge edge;
} knife;

/* Returns sin z/z. */
static sb_scalar sinc(sb_scalar z) { return z == 0.0 ? 1.0 : sin(z) / z; }

/* Returns (z - sin z)/z^2, by its series z/3! - z^3/5! + ... where the difference would cancel. */
static sb_scalar sine_defect(sb_scalar z) {
    if (fabs(z) >= 0.5) {
        return (z - sin(z)) / (z * z);
    }
    sb_scalar term = z / 6.0, sum = 0.0;
    for (int k = 4; fabs(term) > 0.25 * SB_EPSILON * fabs(sum); k += 2) {
        sum += term;
        term *= -z * z / (k * (k + 1));
    }
    return sum;
}

/* Along the edge the speed is (g/omega) sin(omega t). */
static int exact(const void *self, sb_scalar t, sb_scalar *q, sb_scalar *v, sb_scalar *lambda) {
    const knife *p = self;
    const sb_scalar phi = p->c.omega * t, g = p->c.g, speed = g * t * sinc(phi);
    if (q != NULL) {
        q[0] = 0.5 * speed * t * sinc(phi);
        q[1] = g * t * t * sine_defect(2.0 * phi);
        q[2] = phi;
    }
    if (v != NULL) {
        v[0] = speed * cos(phi);
        v[1] = speed * sin(phi);
        v[2] = p->c.omega;
    }
    if (lambda != NULL) {
        lambda[0] = 2.0 * p->c.m * g * sin(phi);
    }
    return SB_OK;
}

static int init(sb_context *ctx, sb_arena *arena, const void *parameters, sb_system *out) {
    knife *p;
    SB_NEW(arena, p, 1);
    p->c = *(const config *)parameters;
    p->edge = (edge){p->c.m, p->c.I, 0.0};
    SB_TRY(edge_terms(arena, &p->edge, out));
    out->time_scale = p->c.omega != 0.0 ? 0.5 / fabs(p->c.omega) : 1.0;
    SB_TRY(set_gravity(arena, 3, p->c.g, (sb_scalar[3]){-p->c.m, 0.0, 0.0}, &out->potential));
    return set_exact(arena, p, exact, out);
}

static const sb_param params[] = {
    SB_PARAM_POSITIVE(config, m, "1", "kg", "mass"),
    SB_PARAM_POSITIVE(config, I, "1", "kg m^2", "moment of inertia"),
    SB_PARAM_ANY(config, g, "1", "m/s^2", "gravity's component along the plane, along +x"),
    SB_PARAM_ANY(config, omega, "1", "rad/s", "rate of turning"),
    {.name = NULL},
};

SB_DEFINE_PROBLEM(knife_edge) = {
    .entry = {"knife_edge", "knife edge that turns on an inclined plane: one nonholonomic row", "neimark72", params,
              sizeof(config)},
    .init = init,
};
