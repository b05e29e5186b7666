/* Check systems of a particle in the plane, in oblique coordinates: forces that depend on q, v and t, and constraints
 * of each kind. */
#include <complex.h>

#include "bench/check/terms.h"

/* x = P q with P = [1 -1/2; 0 1], so that the mass matrix P'P couples the coordinates. */
static const double skew = -0.5;
static const double metric[4] = {1.0, -0.5, -0.5, 1.25}; /* P'P */

static void to_x(const double *q, double x[2]) {
    x[0] = q[0] + skew * q[1];
    x[1] = q[1];
}

static void to_q(const double *x, double *q) {
    q[0] = x[0] - skew * x[1];
    q[1] = x[1];
}

/* Sets out = P' y: a force or a gradient in x becomes one in q. */
static void pull(const double y[2], double *out) {
    out[0] = y[0];
    out[1] = skew * y[0] + y[1];
}

/* Adds c P' S P for S = [s00 s01; s10 s11]. */
static void add_pulled(double s00, double s01, double s10, double s11, double *Hx) {
    const double first[2] = {s00, s10}, second[2] = {skew * s00 + s01, skew * s10 + s11};
    double column[2];
    pull(first, column);
    Hx[0] += column[0];
    Hx[1] += column[1];
    pull(second, column);
    Hx[2] += column[0];
    Hx[3] += column[1];
}

/* ---- Mass, potential, force. ---- */

static int mass(const void *self, const double *q, double *Mx) {
    for (int i = 0; i < 4; i++) {
        Mx[i] = metric[i];
    }
    return SB_OK;
}

static int potential(const void *self, double t, const double *q, double *V) {
    const sb_planar *p = self;
    double x[2];
    to_x(q, x);
    *V = 0.5 * p->k * (x[0] * x[0] + x[1] * x[1]);
    return SB_OK;
}

static int potential_gradient(const void *self, double t, const double *q, double *Vq) {
    const sb_planar *p = self;
    double x[2];
    to_x(q, x);
    pull((const double[]){p->k * x[0], p->k * x[1]}, Vq);
    return SB_OK;
}

static int potential_hessian(const void *self, double t, const double *q, double c, double *Hx) {
    const sb_planar *p = self;
    for (int i = 0; i < 4; i++) {
        Hx[i] += c * p->k * metric[i];
    }
    return SB_OK;
}

static int force(const void *self, double t, const double *q, const double *v, double *f) {
    const sb_planar *p = self;
    const double turn = p->curl + p->torque * cos(p->rate * t);
    double x[2], u[2];
    to_x(q, x);
    to_x(v, u);
    pull((const double[]){-p->drag * u[0] - p->gyro * u[1] - turn * x[1] + p->push * cos(p->rate * t),
                          -p->drag * u[1] + p->gyro * u[0] + turn * x[0] + p->push * sin(p->rate * t)},
         f);
    return SB_OK;
}

static int force_jacobian(const void *self, double t, const double *q, const double *v, double cq, double cv,
                          double *Hx) {
    const sb_planar *p = self;
    const double turn = cq * (p->curl + p->torque * cos(p->rate * t)) + cv * p->gyro, drag = -cv * p->drag;
    add_pulled(drag, -turn, turn, drag, Hx);
    return SB_OK;
}

/* ---- Holonomic rows: (|x|^2 - 1)/2 = 0, and x2 - cosh x1 = 0. ---- */

static int circle(const void *self, double t, const double *q, double *g, double *Gx) {
    double x[2];
    to_x(q, x);
    if (g != NULL) {
        g[0] = 0.5 * (x[0] * x[0] + x[1] * x[1] - 1.0);
    }
    if (Gx != NULL) {
        pull(x, Gx);
    }
    return SB_OK;
}

static int circle_hessian(const void *self, double t, const double *q, const double *w, double c, double *Hx) {
    add_pulled(c * w[0], 0.0, 0.0, c * w[0], Hx);
    return SB_OK;
}

static int circle_curvature(const void *self, double t, const double *q, const double *v, double *out) {
    double u[2];
    to_x(v, u);
    out[0] = u[0] * u[0] + u[1] * u[1];
    return SB_OK;
}

static int catenary(const void *self, double t, const double *q, double *g, double *Gx) {
    double x[2];
    to_x(q, x);
    if (g != NULL) {
        g[0] = x[1] - cosh(x[0]);
    }
    if (Gx != NULL) {
        pull((const double[]){-sinh(x[0]), 1.0}, Gx);
    }
    return SB_OK;
}

static int catenary_hessian(const void *self, double t, const double *q, const double *w, double c, double *Hx) {
    double x[2];
    to_x(q, x);
    add_pulled(-c * w[0] * cosh(x[0]), 0.0, 0.0, 0.0, Hx);
    return SB_OK;
}

static int catenary_curvature(const void *self, double t, const double *q, const double *v, double *out) {
    double x[2], u[2];
    to_x(q, x);
    to_x(v, u);
    out[0] = -cosh(x[0]) * u[0] * u[0];
    return SB_OK;
}

/* ---- Rows of the velocity: x1' + x2' = cos(rate t), and -sin(rate t) x1' + cos(rate t) x2' = 0. ---- */

static int row(const void *self, double t, const double *q, double *Ax, double *w) {
    const sb_planar *p = self;
    const double c = cos(p->rate * t), s = sin(p->rate * t);
    const bool driven = p->row == SB_PLANAR_DRIVEN;
    if (Ax != NULL) {
        pull((const double[]){driven ? 1.0 : -s, driven ? 1.0 : c}, Ax);
    }
    if (w != NULL) {
        w[0] = driven ? c : 0.0;
    }
    return SB_OK;
}

static int row_rate(const void *self, double t, const double *q, const double *v, double *out) {
    const sb_planar *p = self;
    const double c = cos(p->rate * t), s = sin(p->rate * t);
    double u[2];
    to_x(v, u);
    out[0] = p->row == SB_PLANAR_DRIVEN ? p->rate * s : -p->rate * (c * u[0] + s * u[1]);
    return SB_OK;
}

/* ---- Exact solutions: x and its velocity u; the value is the multiplier. ---- */

/* The roots r of r^2 + (drag - i gyro) r + k - i curl = 0, and the particular solution Z e^(i rate t). */
static void free_motion(const sb_planar *p, double t, double x[2], double u[2]) {
    const double complex z0 = 1.0 + 0.2 * I, w0 = 0.1 + 0.6 * I, b = 0.5 * (p->drag - I * p->gyro);
    const double complex root = csqrt(b * b - (p->k - I * p->curl)), r = -b + root, s = -b - root;
    const double complex iw = I * p->rate, Z = p->push / (iw * iw + 2.0 * b * iw + p->k - I * p->curl);
    const double complex first = (w0 - iw * Z - s * (z0 - Z)) / (r - s), second = z0 - Z - first;
    const double complex z = first * cexp(r * t) + second * cexp(s * t) + Z * cexp(iw * t),
                         w = r * first * cexp(r * t) + s * second * cexp(s * t) + iw * Z * cexp(iw * t);
    x[0] = creal(z);
    x[1] = cimag(z);
    u[0] = creal(w);
    u[1] = cimag(w);
}

/* Returns (1 - e^(-a t))/a. */
static double decay_integral(double a, double t) { return a != 0.0 ? -expm1(-a * t) / a : t; }

/* The angle's rate Omega satisfies Omega' = -drag Omega + torque cos(rate t), and the radial equation is
 * -Omega^2 = -gyro Omega + lambda. */
static double on_circle(const sb_planar *p, double t, double x[2], double u[2]) {
    const double a = p->drag, r = p->rate, c = p->torque != 0.0 ? p->torque / (a * a + r * r) : 0.0, free = 1.4 - c * a;
    const double Omega = free * exp(-a * t) + c * (a * cos(r * t) + r * sin(r * t));
    const double angle =
        0.3 + free * decay_integral(a, t) + (c != 0.0 ? c * (a * sin(r * t) / r + 1.0 - cos(r * t)) : 0.0);
    x[0] = cos(angle);
    x[1] = sin(angle);
    u[0] = -Omega * x[1];
    u[1] = Omega * x[0];
    return p->gyro * Omega - Omega * Omega;
}

/* The arc length s = sinh x1 satisfies s'' = -drag s'. */
static double on_catenary(const sb_planar *p, double t, double x[2], double u[2]) {
    const double speed = exp(-p->drag * t), s = -0.8 + decay_integral(p->drag, t), y = sqrt(1.0 + s * s);
    x[0] = asinh(s);
    x[1] = y;
    u[0] = speed / y;
    u[1] = s * speed / y;
    return speed * speed / (y * y * y);
}

/* The sum of x1 and x2 is prescribed, the difference oscillates freely with k = 1. */
static double driven_motion(const sb_planar *p, double t, double x[2], double u[2]) {
    const double r = p->rate, sum = 0.5 + sin(r * t) / r, sum_v = cos(r * t), sum_a = -r * sin(r * t);
    const double diff = 0.4 * cos(t) + 0.7 * sin(t), diff_v = -0.4 * sin(t) + 0.7 * cos(t);
    x[0] = 0.5 * (sum + diff);
    x[1] = 0.5 * (sum - diff);
    u[0] = 0.5 * (sum_v + diff_v);
    u[1] = 0.5 * (sum_v - diff_v);
    return 0.5 * (sum_a + sum);
}

/* A speed of 0.8 that stays, in the prescribed direction. */
static double steered_motion(const sb_planar *p, double t, double x[2], double u[2]) {
    const double r = p->rate, speed = 0.8;
    x[0] = 0.2 + speed * sin(r * t) / r;
    x[1] = -0.4 + speed * (1.0 - cos(r * t)) / r;
    u[0] = speed * cos(r * t);
    u[1] = speed * sin(r * t);
    return speed * r;
}

int sb_check_planar_motion(const void *parameters, double t, double *q, double *v, double *lambda) {
    const sb_planar *p = parameters;
    double x[2] = {0.0, 0.0}, u[2] = {0.0, 0.0};
    switch (p->row) {
    case SB_PLANAR_FREE: free_motion(p, t, x, u); break;
    case SB_PLANAR_CIRCLE: *lambda = on_circle(p, t, x, u); break;
    case SB_PLANAR_CATENARY: *lambda = on_catenary(p, t, x, u); break;
    case SB_PLANAR_DRIVEN: *lambda = driven_motion(p, t, x, u); break;
    case SB_PLANAR_STEERED: *lambda = steered_motion(p, t, x, u); break;
    }
    to_q(x, q);
    to_q(u, v);
    return SB_OK;
}

int sb_check_planar(sb_arena *arena, const void *parameters, sb_system *out) {
    const sb_planar *p = parameters;
    const bool forced = p->drag != 0.0 || p->gyro != 0.0 || p->curl != 0.0 || p->torque != 0.0 || p->push != 0.0;
    out->n = 2;
    out->time_scale = 1.0;
    SB_TRY(sb_pattern_full(arena, 2, 2, &out->H));
    out->inertia = (sb_inertia){.self = p, .M = out->H, .mass = mass};
    if (p->k != 0.0) {
        out->potential = (sb_potential){
            .self = p, .degree = 2, .value = potential, .gradient = potential_gradient, .hessian = potential_hessian};
    }
    if (forced) {
        out->force = (sb_force){p, force, force_jacobian};
    }
    if (p->row == SB_PLANAR_CIRCLE || p->row == SB_PLANAR_CATENARY) {
        const bool round = p->row == SB_PLANAR_CIRCLE;
        out->holonomic = (sb_holonomic){.self = p,
                                        .m = 1,
                                        .degree = round ? 2 : -1,
                                        .value = round ? circle : catenary,
                                        .hessian = round ? circle_hessian : catenary_hessian,
                                        .curvature = round ? circle_curvature : catenary_curvature};
        SB_TRY(sb_pattern_full(arena, 2, 1, &out->holonomic.G));
    } else if (p->row != SB_PLANAR_FREE) {
        out->nonholonomic = (sb_nonholonomic){.self = p, .m = 1, .value = row, .rate = row_rate};
        SB_TRY(sb_pattern_full(arena, 2, 1, &out->nonholonomic.A));
    }
    return SB_OK;
}
