/* A disk that rolls on a plane, upright or leaning: two nonholonomic rows, a mass matrix that depends on the lean:
 * neimark72 (III.2). */
#include <string.h>

#include "problems/shared/start.h"

/* q = (x, y, phi, theta, psi): the centre, and Euler's angles z-x-z of the disk. e1 = (cos phi, sin phi, 0) is the
 * tangent at the contact, the axis is tilted by theta from the vertical (pi/2: upright), the centre's height is r sin
 * theta. */
enum { X, Y, PHI, THETA, PSI, COORDINATES };

typedef struct config {
    sb_scalar m, r, I, J, g;
    sb_scalar theta0, phidot0, thetadot0, psidot0;
} config;

/* Positions on the pattern of H, which has the diagonal of x and y and a full block of the angles, by columns. */
enum { XX, YY, BLOCK };
enum { PHI_PHI = BLOCK, THETA_PHI, PSI_PHI, PHI_THETA, THETA_THETA, PSI_THETA, PHI_PSI, THETA_PSI, PSI_PSI, NNZ };

static int mass(const void *self, const sb_scalar *q, sb_scalar *Mx) {
    const config *c = self;
    const sb_scalar s = sin(q[THETA]), k = cos(q[THETA]);
    memset(Mx, 0, NNZ * sizeof *Mx);
    Mx[XX] = Mx[YY] = c->m;
    Mx[PHI_PHI] = c->I * s * s + c->J * k * k;
    Mx[PSI_PHI] = Mx[PHI_PSI] = c->J * k;
    Mx[THETA_THETA] = c->I + c->m * c->r * c->r * k * k;
    Mx[PSI_PSI] = c->J;
    return SB_OK;
}

static int kinetic_gradient(const void *self, const sb_scalar *q, const sb_scalar *v, sb_scalar *Tq) {
    const config *c = self;
    const sb_scalar s = sin(q[THETA]), k = cos(q[THETA]), spin = v[PSI] + v[PHI] * k;
    memset(Tq, 0, COORDINATES * sizeof *Tq);
    Tq[THETA] = s * (c->I * v[PHI] * v[PHI] * k - c->m * c->r * c->r * k * v[THETA] * v[THETA] - c->J * spin * v[PHI]);
    return SB_OK;
}

static int kinetic_hessian(const void *self, const sb_scalar *q, const sb_scalar *v, sb_scalar cqq, sb_scalar cqv,
                           sb_scalar cvq, sb_scalar *Hx) {
    const config *c = self;
    const sb_scalar s = sin(q[THETA]), k = cos(q[THETA]), spin = v[PSI] + v[PHI] * k, mr2 = c->m * c->r * c->r;
    /* The derivative of the momenta by theta. */
    const sb_scalar by_phi = 2.0 * c->I * s * k * v[PHI] - c->J * s * (spin + k * v[PHI]),
                    by_theta = -2.0 * mr2 * s * k * v[THETA], by_psi = -c->J * s * v[PHI];
    const sb_scalar turned = (c->I * v[PHI] * v[PHI] - mr2 * v[THETA] * v[THETA]) * (k * k - s * s) -
                             c->J * v[PHI] * (spin * k - v[PHI] * s * s);
    Hx[THETA_THETA] += cqq * turned + (cqv + cvq) * by_theta;
    Hx[PHI_THETA] += cvq * by_phi;
    Hx[PSI_THETA] += cvq * by_psi;
    Hx[THETA_PHI] += cqv * by_phi;
    Hx[THETA_PSI] += cqv * by_psi;
    return SB_OK;
}

static int potential(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *V) {
    const config *c = self;
    *V = c->m * c->g * c->r * sin(q[THETA]);
    return SB_OK;
}

static int potential_gradient(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *Vq) {
    const config *c = self;
    memset(Vq, 0, COORDINATES * sizeof *Vq);
    Vq[THETA] = c->m * c->g * c->r * cos(q[THETA]);
    return SB_OK;
}

static int potential_hessian(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar w, sb_scalar *Hx) {
    const config *c = self;
    Hx[THETA_THETA] -= w * c->m * c->g * c->r * sin(q[THETA]);
    return SB_OK;
}

/* Positions on the pattern of A. The row along the tangent depends on theta as well, the one across it on phi. */
enum { ALONG_X, ALONG_Y, ALONG_PHI, ALONG_THETA, ALONG_PSI, ACROSS_X, ACROSS_Y, ACROSS_PHI, ACROSS_THETA, A_NNZ };

/* The material point at the contact has no velocity along the tangent and across it. */
static int rolling_value(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *Ax, sb_scalar *w) {
    const config *c = self;
    if (Ax != NULL) {
        Ax[ALONG_X] = cos(q[PHI]);
        Ax[ALONG_Y] = sin(q[PHI]);
        Ax[ALONG_PHI] = c->r * cos(q[THETA]);
        Ax[ALONG_THETA] = 0.0;
        Ax[ALONG_PSI] = c->r;
        Ax[ACROSS_X] = -sin(q[PHI]);
        Ax[ACROSS_Y] = cos(q[PHI]);
        Ax[ACROSS_PHI] = 0.0;
        Ax[ACROSS_THETA] = c->r * sin(q[THETA]);
    }
    if (w != NULL) {
        w[0] = w[1] = 0.0;
    }
    return SB_OK;
}

static int rolling_gradient(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *Ax) {
    const config *c = self;
    memset(Ax, 0, A_NNZ * sizeof *Ax);
    Ax[ALONG_PHI] = -sin(q[PHI]) * v[X] + cos(q[PHI]) * v[Y];
    Ax[ALONG_THETA] = -c->r * sin(q[THETA]) * v[PHI];
    Ax[ACROSS_PHI] = -cos(q[PHI]) * v[X] - sin(q[PHI]) * v[Y];
    Ax[ACROSS_THETA] = c->r * cos(q[THETA]) * v[THETA];
    return SB_OK;
}

static int rolling_rate(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *out) {
    sb_scalar by_q[A_NNZ];
    SB_TRY(rolling_gradient(self, t, q, v, by_q));
    out[0] = v[PHI] * by_q[ALONG_PHI] + v[THETA] * by_q[ALONG_THETA];
    out[1] = v[PHI] * by_q[ACROSS_PHI] + v[THETA] * by_q[ACROSS_THETA];
    return SB_OK;
}

static const sb_output output_list[] = {
    {"lean", "rad", "angle of the disk's plane from the vertical", false},
    {"contact_x", "m", "x of the contact", false},
    {"contact_y", "m", "y of the contact", false},
};

static int outputs(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *out) {
    const config *c = self;
    out[0] = q[THETA] - 0.5 * SB_PI;
    out[1] = q[X] + c->r * cos(q[THETA]) * sin(q[PHI]);
    out[2] = q[Y] - c->r * cos(q[THETA]) * cos(q[PHI]);
    return SB_OK;
}

/* Returns the inverse of the larger of: the sum of the rates at the start, and the rate of falling over. */
static sb_scalar time_scale(const config *c) {
    const sb_scalar rates = fabs(c->phidot0) + fabs(c->thetadot0) + fabs(c->psidot0),
                    fall = sqrt(c->m * c->g * c->r / (c->I + c->m * c->r * c->r));
    return time_scale_of(fmax(rates, fall));
}

static int init(sb_context *ctx, sb_arena *arena, const void *parameters, sb_system *out) {
    static const int H_row[NNZ] = {X, Y, PHI, THETA, PSI, PHI, THETA, PSI, PHI, THETA, PSI},
                     H_col[NNZ] = {X, Y, PHI, PHI, PHI, THETA, THETA, THETA, PSI, PSI, PSI};
    static const int A_row[A_NNZ] = {X, Y, PHI, THETA, PSI, X, Y, PHI, THETA},
                     A_col[A_NNZ] = {0, 0, 0, 0, 0, 1, 1, 1, 1};
    const config *c = parameters;
    out->n = COORDINATES;
    out->time_scale = time_scale(c);
    SB_TRY(sb_pattern_from_pairs(arena, COORDINATES, COORDINATES, NNZ, H_row, H_col, &out->H));
    out->inertia =
        (sb_inertia){.self = c, .M = out->H, .mass = mass, .gradient = kinetic_gradient, .hessian = kinetic_hessian};
    out->potential = (sb_potential){
        .self = c, .degree = -1, .value = potential, .gradient = potential_gradient, .hessian = potential_hessian};
    out->nonholonomic = (sb_nonholonomic){
        .self = c, .m = 2, .value = rolling_value, .rate = rolling_rate, .gradient = rolling_gradient};
    SB_TRY(sb_pattern_from_pairs(arena, COORDINATES, 2, A_NNZ, A_row, A_col, &out->nonholonomic.A));
    out->outputs = (sb_outputs){c, 3, output_list, outputs};
    const sb_scalar v[COORDINATES] = {[X] = -c->r * (c->psidot0 + c->phidot0 * cos(c->theta0)),
                                      [Y] = -c->r * sin(c->theta0) * c->thetadot0,
                                      [PHI] = c->phidot0,
                                      [THETA] = c->thetadot0,
                                      [PSI] = c->psidot0};
    return set_start(arena, (sb_scalar[COORDINATES]){[THETA] = c->theta0}, v, out);
}

static const sb_param params[] = {
    SB_PARAM_POSITIVE(config, m, "1", "kg", "mass"),
    SB_PARAM_POSITIVE(config, r, "1", "m", "radius"),
    SB_PARAM_POSITIVE(config, I, "0.25", "kg m^2", "moment of inertia about a diameter"),
    SB_PARAM_POSITIVE(config, J, "0.5", "kg m^2", "moment of inertia about the axis"),
    SB_PARAM_NOT_NEGATIVE(config, g, "9.81", "m/s^2", "gravity, downwards"),
    SB_PARAM_REAL(config, theta0, "1.3", 0.0, M_PI, SB_OPEN, "rad",
                  "initial angle of the axis from the vertical; pi/2: upright"),
    SB_PARAM_ANY(config, phidot0, "0.5", "rad/s", "initial rate of the heading"),
    SB_PARAM_ANY(config, thetadot0, "0", "rad/s", "initial rate of the lean"),
    SB_PARAM_ANY(config, psidot0, "-5", "rad/s", "initial rate of rolling; negative: along +x"),
    {.name = NULL},
};

SB_DEFINE_PROBLEM(rolling_disk) = {
    .entry = {"rolling_disk", "disk that rolls on a plane and may lean: two nonholonomic rows", "neimark72", params,
              sizeof(config)},
    .init = init,
};
