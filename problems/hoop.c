/* A bead on a hoop of radius R that turns about its vertical diameter at the rate Omega: constraints that depend on
 * time; goldstein02.
 *
 *   g = ((x^2 + y^2 + z^2 - R^2)/2,  y cos(Omega t) - x sin(Omega t)),   V = m g z.
 *
 * With x = R sin(theta) cos(Omega t), z = -R cos(theta) it is theta'' = (Omega^2 cos(theta) - g/R) sin(theta). The
 * energy changes by the torque on the hoop, dE/dt = Omega dJz/dt, so that E - Omega Jz is an invariant. */
#include "problems/shared/constant_terms.h"
#include "problems/shared/start.h"

enum { X, Y, Z };

typedef struct config {
    sb_scalar m, R, g, Omega, theta0, rate0;
} config;

static int value(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *g, sb_scalar *Gx) {
    const config *p = self;
    const sb_scalar s = sin(p->Omega * t), c = cos(p->Omega * t);
    if (g != NULL) {
        g[0] = 0.5 * (q[X] * q[X] + q[Y] * q[Y] + q[Z] * q[Z] - p->R * p->R);
        g[1] = c * q[Y] - s * q[X];
    }
    if (Gx != NULL) {
        memcpy(Gx, q, 3 * sizeof *Gx);
        Gx[3] = -s;
        Gx[4] = c;
    }
    return SB_OK;
}

static int hessian(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *w, sb_scalar c, sb_scalar *Hx) {
    for (int i = 0; i < 3; i++) {
        Hx[i] += c * w[0];
    }
    return SB_OK;
}

static int curvature(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *out) {
    const config *p = self;
    const sb_scalar s = sin(p->Omega * t), c = cos(p->Omega * t);
    out[0] = v[X] * v[X] + v[Y] * v[Y] + v[Z] * v[Z];
    out[1] = -p->Omega * (2.0 * (s * v[Y] + c * v[X]) + p->Omega * (c * q[Y] - s * q[X]));
    return SB_OK;
}

static int rate(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *out) {
    const config *p = self;
    out[0] = 0.0;
    out[1] = -p->Omega * (sin(p->Omega * t) * q[Y] + cos(p->Omega * t) * q[X]);
    return SB_OK;
}

static const sb_output output_list[] = {
    {"theta", "rad", "angle of the bead from the downward vertical", false},
    {"jacobi", "J", "E - Omega Jz, Jacobi's integral", true},
};

static int outputs(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *out) {
    const config *p = self;
    out[0] = atan2(q[X] * cos(p->Omega * t) + q[Y] * sin(p->Omega * t), -q[Z]);
    out[1] =
        p->m * (0.5 * (v[X] * v[X] + v[Y] * v[Y] + v[Z] * v[Z]) + p->g * q[Z] - p->Omega * (q[X] * v[Y] - q[Y] * v[X]));
    return SB_OK;
}

/* Returns 1/(|Omega| + |theta'|), where theta'^2 <= rate0^2 + Omega^2 + 4 g/R by Jacobi's integral. */
static sb_scalar time_scale(const config *p) {
    return time_scale_of(fabs(p->Omega) + sqrt(p->rate0 * p->rate0 + p->Omega * p->Omega + 4.0 * p->g / p->R));
}

static int init(sb_context *ctx, sb_arena *arena, const void *parameters, sb_system *out) {
    static const int row[] = {X, Y, Z, X, Y}, col[] = {0, 0, 0, 1, 1};
    const config *p = parameters;
    const sb_scalar masses[] = {p->m, p->m, p->m}, weights[] = {0.0, 0.0, p->m};
    out->n = 3;
    out->time_scale = time_scale(p);
    SB_TRY(sb_pattern_diagonal(arena, 3, &out->H));
    SB_TRY(set_masses(arena, 3, masses, &out->inertia));
    SB_TRY(set_gravity(arena, 3, p->g, weights, &out->potential));
    out->holonomic = (sb_holonomic){
        .self = p, .m = 2, .degree = 2, .value = value, .hessian = hessian, .curvature = curvature, .rate = rate};
    SB_TRY(sb_pattern_from_pairs(arena, 3, 2, 5, row, col, &out->holonomic.G));
    out->outputs = (sb_outputs){p, 2, output_list, outputs};
    const sb_scalar x = p->R * sin(p->theta0);
    return set_start(arena, (sb_scalar[3]){x, 0.0, -p->R * cos(p->theta0)},
                     (sb_scalar[3]){p->R * cos(p->theta0) * p->rate0, p->Omega * x, p->R * sin(p->theta0) * p->rate0},
                     out);
}

static const sb_param params[] = {
    SB_PARAM_POSITIVE(config, m, "1", "kg", "mass of the bead"),
    SB_PARAM_POSITIVE(config, R, "1", "m", "radius of the hoop"),
    SB_PARAM_NOT_NEGATIVE(config, g, "9.81", "m/s^2", "gravity"),
    SB_PARAM_ANY(config, Omega, "4", "rad/s", "rate of the hoop"),
    SB_PARAM_ANY(config, theta0, "0.5", "rad", "initial angle from the downward vertical"),
    SB_PARAM_ANY(config, rate0, "1", "rad/s", "initial rate of the angle"),
    {.name = NULL},
};

SB_DEFINE_PROBLEM(hoop) = {
    .entry = {"hoop", "bead on a turning hoop: constraints g(t,q) that depend on time", "goldstein02", params,
              sizeof(config)},
    .init = init,
};
