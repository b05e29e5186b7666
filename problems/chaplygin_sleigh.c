/* The Chaplygin sleigh: a body on a knife edge behind its centre of mass. Its reduced equations u' = a w^2, w' = -a u
 * w/b^2, b^2 = I/m + a^2, have the solution u = R tanh, b w = R sech; the path follows by one quadrature: bloch03
 * (1.7). */
#include <stepbench/numerics/gauss_nodes.h>

#include "problems/shared/edge.h"
#include "problems/shared/start.h"

enum { NODES = 16 * SB_PRECISION };

typedef struct config {
    sb_scalar m, I, a, v0, omega0;
} config;

typedef struct sleigh {
    config c;
    edge edge;
    sb_scalar b, R, k; /* R^2 = u^2 + b^2 w^2; u = R tanh(tau), tau = tau0 + k t */
    sb_scalar tau0;
    sb_scalar panel; /* s: the length of a panel of the quadrature */
    sb_scalar node[NODES], weight[NODES];
} sleigh;

/* Beyond this tau the path is a straight line: 2 exp(-40) is less than a unit in the last place of a double. */
static const sb_scalar straight = 40.0 * SB_PRECISION;

/* Returns whether w is constant: without an offset or without turning. */
static bool steady(const sleigh *p) { return p->c.a == 0.0 || p->c.omega0 == 0.0; }

static sb_scalar gudermann(sb_scalar x) { return 2.0 * atan(tanh(0.5 * x)); }

/* Sets the forward speed, the rate of turning and the heading. */
static void set_reduced(const sleigh *p, sb_scalar t, sb_scalar *u, sb_scalar *w, sb_scalar *phi) {
    if (steady(p)) {
        *u = p->c.v0;
        *w = p->c.omega0;
        *phi = p->c.omega0 * t;
        return;
    }
    const sb_scalar tau = p->tau0 + p->k * t, turn = copysign(1.0, p->c.omega0);
    *u = p->R * tanh(tau);
    *w = turn * p->R / p->b / cosh(tau);
    *phi = turn * p->b / p->c.a * (gudermann(tau) - gudermann(p->tau0));
}

static void set_velocity(const sleigh *p, sb_scalar t, sb_scalar v[3]) {
    sb_scalar u, phi;
    set_reduced(p, t, &u, &v[2], &phi);
    v[0] = u * cos(phi) - p->c.a * v[2] * sin(phi);
    v[1] = u * sin(phi) + p->c.a * v[2] * cos(phi);
}

/* Integrates the velocity. Its singularities are pi/2 |k| from the real axis and its rate is at most R/b; with 16 Gauss
 * points per panel of half the shorter time the error is less than a unit in the last place of a double. */
static void set_path(const sleigh *p, sb_scalar t, sb_scalar x[2]) {
    sb_scalar stop = t, v[3];
    if (!steady(p)) {
        stop = fmax((-straight - p->tau0) / p->k, fmin((straight - p->tau0) / p->k, t));
    }
    const int panels = (int)ceil(fabs(stop) / p->panel);
    x[0] = x[1] = 0.0;
    for (int i = 0; i < panels; i++) {
        const sb_scalar half = 0.5 * stop / panels;
        for (int j = 0; j < NODES; j++) {
            set_velocity(p, half * (2.0 * i + 1.0 + p->node[j]), v);
            x[0] += half * p->weight[j] * v[0];
            x[1] += half * p->weight[j] * v[1];
        }
    }
    set_velocity(p, stop, v);
    x[0] += (t - stop) * v[0];
    x[1] += (t - stop) * v[1];
}

/* Sets the path for constant w: a circle, or a line for w = 0. */
static void set_circle(const sleigh *p, sb_scalar t, sb_scalar x[2]) {
    const sb_scalar half = 0.5 * p->c.omega0 * t, chord = half == 0.0 ? t : t * sin(half) / half;
    x[0] = chord * p->c.v0 * cos(half);
    x[1] = chord * p->c.v0 * sin(half);
}

static int exact(const void *self, sb_scalar t, sb_scalar *q, sb_scalar *v, sb_scalar *lambda) {
    const sleigh *p = self;
    sb_scalar u, w, phi;
    set_reduced(p, t, &u, &w, &phi);
    if (q != NULL) {
        if (steady(p)) {
            set_circle(p, t, q);
        } else {
            set_path(p, t, q);
        }
        q[2] = phi;
    }
    if (v != NULL) {
        set_velocity(p, t, v);
    }
    if (lambda != NULL) {
        lambda[0] = p->c.I / (p->b * p->b) * u * w;
    }
    return SB_OK;
}

static const sb_output output_list[] = {
    {"speed", "m/s", "velocity of the edge along the body's axis", false},
    {"edge_x", "m", "x of the edge", false},
    {"edge_y", "m", "y of the edge", false},
};

static int outputs(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *out) {
    const sleigh *p = self;
    out[0] = cos(q[2]) * v[0] + sin(q[2]) * v[1];
    out[1] = q[0] - p->c.a * cos(q[2]);
    out[2] = q[1] - p->c.a * sin(q[2]);
    return SB_OK;
}

static int init(sb_context *ctx, sb_arena *arena, const void *parameters, sb_system *out) {
    sleigh *p;
    SB_NEW(arena, p, 1);
    p->c = *(const config *)parameters;
    p->edge = (edge){p->c.m, p->c.I, p->c.a};
    p->b = sqrt(p->c.I / p->c.m + p->c.a * p->c.a);
    p->R = hypot(p->c.v0, p->b * p->c.omega0);
    p->k = p->c.a * p->R / (p->b * p->b);
    p->tau0 = p->c.omega0 != 0.0 ? asinh(p->c.v0 / (p->b * fabs(p->c.omega0))) : 0.0;
    sb_gauss_nodes(NODES, p->node, p->weight);
    SB_TRY(edge_terms(arena, &p->edge, out));
    out->time_scale = time_scale_of(fmax(p->k, p->R / p->b));
    p->panel = 0.5 * out->time_scale;
    out->outputs = (sb_outputs){p, 3, output_list, outputs};
    return set_start_and_exact(arena, (sb_scalar[3]){0.0}, (sb_scalar[3]){p->c.v0, p->c.a * p->c.omega0, p->c.omega0},
                               p, exact, out);
}

static const sb_param params[] = {
    SB_PARAM_POSITIVE(config, m, "1", "kg", "mass"),
    SB_PARAM_POSITIVE(config, I, "0.5", "kg m^2", "moment of inertia about the centre of mass"),
    SB_PARAM_NOT_NEGATIVE(config, a, "0.5", "m", "distance of the edge behind the centre of mass"),
    SB_PARAM_ANY(config, v0, "-1", "m/s", "initial velocity of the edge along the axis"),
    SB_PARAM_ANY(config, omega0, "1", "rad/s", "initial rate of turning"),
    {.name = NULL},
};

SB_DEFINE_PROBLEM(chaplygin_sleigh) = {
    .entry = {"chaplygin_sleigh", "body on a knife edge behind its centre of mass: one nonholonomic row",
              "bloch03 (1.7)", params, sizeof(config)},
    .init = init,
};
