/* A particle near a centre of attraction, V = -1/|q - (1, 0)|, which is rough by `noise`. */
#include <math.h>
#include <stepbench/plugin.h>

typedef struct config {
    double distance, noise;
} config;

static int mass(const void *self, const double *q, double *Mx) {
    Mx[0] = Mx[1] = 1.0;
    return SB_OK;
}

static int value(const void *self, double t, const double *q, double *V) {
    *V = -1.0 / hypot(q[0] - 1.0, q[1]) + ((const config *)self)->noise * sin(1e12 * q[0]);
    return SB_OK;
}

static int gradient(const void *self, double t, const double *q, double *Vq) {
    const double x = q[0] - 1.0, y = q[1], r = hypot(x, y);
    Vq[0] = x / (r * r * r);
    Vq[1] = y / (r * r * r);
    return SB_OK;
}

static int hessian(const void *self, double t, const double *q, double c, double *Hx) {
    const double x = q[0] - 1.0, y = q[1], r = hypot(x, y), r3 = r * r * r, r5 = r3 * r * r;
    Hx[0] += c * (1.0 / r3 - 3.0 * x * x / r5);
    Hx[1] -= c * 3.0 * x * y / r5;
    Hx[2] -= c * 3.0 * x * y / r5;
    Hx[3] += c * (1.0 / r3 - 3.0 * y * y / r5);
    return SB_OK;
}

static int initial(const void *self, double *t, double *q, double *v) {
    *t = 0.0;
    q[0] = 1.0 + ((const config *)self)->distance;
    v[1] = sqrt(1.0 / ((const config *)self)->distance);
    q[1] = v[0] = 0.0;
    return SB_OK;
}

static int init(sb_context *ctx, sb_arena *arena, const void *parameters, sb_system *out) {
    const config *c = parameters;
    out->n = 2;
    out->time_scale = sqrt(c->distance * c->distance * c->distance);
    SB_TRY(sb_pattern_full(arena, 2, 2, &out->H));
    SB_TRY(sb_pattern_diagonal(arena, 2, &out->inertia.M));
    out->inertia.mass = mass;
    out->potential.self = c;
    out->potential.degree = -1;
    out->potential.value = value;
    out->potential.gradient = gradient;
    out->potential.hessian = hessian;
    out->self = parameters;
    out->initial = initial;
    return SB_OK;
}

static const sb_param params[] = {
    SB_PARAM_REAL(config, distance, "0.004", 0.0, 1.0, SB_OPEN_LO, "", "from the centre"),
    SB_PARAM_REAL(config, noise, "0", 0.0, 1.0, SB_CLOSED, "J", "of the potential"),
    {.name = NULL},
};

SB_DEFINE_PROBLEM(near) = {
    .entry = {"near", "a particle near a centre of attraction", "goldstein02", params, sizeof(config)},
    .init = init,
};
