/* The spherical pendulum in angles: a mass matrix that depends on the position, for which wm96 (4.20) is of first order
 * only. */
#include "problems/shared/start.h"

/* q = (theta, phi): polar angle from the downward vertical and azimuth; T = m l^2 (theta'^2 + sin^2 theta phi'^2)/2, V
 * = -m g l cos theta.
 */
typedef struct config {
    sb_scalar m, l, g, theta0, phi0, thetadot0, phidot0;
} config;

static int mass(const void *self, const sb_scalar *q, sb_scalar *Mx) {
    const config *p = self;
    const sb_scalar J = p->m * p->l * p->l, s = sin(q[0]);
    Mx[0] = J;
    Mx[1] = J * s * s;
    return SB_OK;
}

static int kinetic_gradient(const void *self, const sb_scalar *q, const sb_scalar *v, sb_scalar *Tq) {
    const config *p = self;
    Tq[0] = 0.5 * p->m * p->l * p->l * sin(2.0 * q[0]) * v[1] * v[1];
    Tq[1] = 0.0;
    return SB_OK;
}

static int kinetic_hessian(const void *self, const sb_scalar *q, const sb_scalar *v, sb_scalar cqq, sb_scalar cqv,
                           sb_scalar cvq, sb_scalar *Hx) {
    const config *p = self;
    const sb_scalar J = p->m * p->l * p->l, mixed = J * sin(2.0 * q[0]) * v[1];
    Hx[0] += cqq * J * cos(2.0 * q[0]) * v[1] * v[1];
    Hx[1] += cvq * mixed;
    Hx[2] += cqv * mixed;
    return SB_OK;
}

static int potential(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *V) {
    const config *p = self;
    *V = -p->m * p->g * p->l * cos(q[0]);
    return SB_OK;
}

static int potential_gradient(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *Vq) {
    const config *p = self;
    Vq[0] = p->m * p->g * p->l * sin(q[0]);
    Vq[1] = 0.0;
    return SB_OK;
}

static int potential_hessian(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar c, sb_scalar *Hx) {
    const config *p = self;
    Hx[0] += c * p->m * p->g * p->l * cos(q[0]);
    return SB_OK;
}

static const char *const momenta[] = {"Jz"};

static int rotation(const void *self, int i, const sb_scalar *q, sb_scalar *xi) {
    xi[0] = 0.0;
    xi[1] = 1.0;
    return SB_OK;
}

static const sb_output output_list[] = {
    {"x", "m", "position of the bob, pivot at the origin", false},
    {"y", "m", "position of the bob", false},
    {"z", "m", "position of the bob, upwards", false},
};

static int outputs(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *out) {
    const config *p = self;
    out[0] = p->l * sin(q[0]) * cos(q[1]);
    out[1] = p->l * sin(q[0]) * sin(q[1]);
    out[2] = -p->l * cos(q[0]);
    return SB_OK;
}

/* Returns a bound of the rates. The energy bounds the speed of the bob by w l; j = sin^2 theta phi' is constant, so
 * that sin theta >= |j|/w and |phi'| <= w^2/|j|. */
static sb_scalar fastest_rate(const config *p) {
    const sb_scalar s = sin(p->theta0), j = s * s * fabs(p->phidot0), bob = hypot(p->thetadot0, s * p->phidot0);
    const sb_scalar w = hypot(bob, 2.0 * sin(0.5 * p->theta0) * sqrt(p->g / p->l));
    return fmax(fmax(sqrt(p->g / p->l), w), j > 0.0 ? w * w / j : 0.0);
}

static int init(sb_context *ctx, sb_arena *arena, const void *parameters, sb_system *out) {
    const config *p = parameters;
    out->n = 2;
    out->time_scale = time_scale_of(fastest_rate(p));
    SB_TRY(sb_pattern_full(arena, 2, 2, &out->H));
    out->inertia = (sb_inertia){.self = p, .mass = mass, .gradient = kinetic_gradient, .hessian = kinetic_hessian};
    SB_TRY(sb_pattern_diagonal(arena, 2, &out->inertia.M));
    out->potential = (sb_potential){
        .self = p, .degree = -1, .value = potential, .gradient = potential_gradient, .hessian = potential_hessian};
    out->symmetry = (sb_symmetry){p, 1, momenta, rotation};
    out->outputs = (sb_outputs){p, 3, output_list, outputs};
    return set_start(arena, (sb_scalar[2]){p->theta0, p->phi0}, (sb_scalar[2]){p->thetadot0, p->phidot0}, out);
}

static const sb_param params[] = {
    SB_PARAM_POSITIVE(config, m, "1", "kg", "mass of the bob"),
    SB_PARAM_POSITIVE(config, l, "1", "m", "length"),
    SB_PARAM_NOT_NEGATIVE(config, g, "9.81", "m/s^2", "gravity"),
    SB_PARAM_REAL(config, theta0, "1", 0.0, 3.141592653589793, SB_OPEN, "rad",
                  "initial angle from the downward vertical"),
    SB_PARAM_ANY(config, phi0, "0", "rad", "initial azimuth"),
    SB_PARAM_ANY(config, thetadot0, "0", "rad/s", "initial rate of theta"),
    SB_PARAM_ANY(config, phidot0, "3", "rad/s", "initial rate of phi"),
    {.name = NULL},
};

SB_DEFINE_PROBLEM(spherical_pendulum) = {
    .entry = {"spherical_pendulum", "spherical pendulum in angles: position-dependent mass", "wm96 4.5", params,
              sizeof(config)},
    .init = init,
};
