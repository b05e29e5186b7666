/* Check systems in polar coordinates q = (r, theta), whose mass matrix diag(1, r^2) depends on the position. */
#include "bench/check/terms.h"

static const double height = 0.5; /* of the line x2 = r sin theta */

static int mass(const void *self, const double *q, double *Mx) {
    Mx[0] = 1.0;
    Mx[1] = Mx[2] = 0.0;
    Mx[3] = q[0] * q[0];
    return q[0] > 0.0 ? SB_OK : SB_DOMAIN;
}

static int mass_gradient(const void *self, const double *q, const double *v, double *Tq) {
    Tq[0] = q[0] * v[1] * v[1];
    Tq[1] = 0.0;
    return SB_OK;
}

static int mass_hessian(const void *self, const double *q, const double *v, double cqq, double cqv, double cvq,
                        double *Hx) {
    const double mixed = 2.0 * q[0] * v[1]; /* d2T/dr dtheta' */
    Hx[0] += cqq * v[1] * v[1];
    Hx[1] += cvq * mixed;
    Hx[2] += cqv * mixed;
    return SB_OK;
}

static int potential(const void *self, double t, const double *q, double *V) {
    *V = 0.5 * q[0] * q[0];
    return SB_OK;
}

static int potential_gradient(const void *self, double t, const double *q, double *Vq) {
    Vq[0] = q[0];
    Vq[1] = 0.0;
    return SB_OK;
}

static int potential_hessian(const void *self, double t, const double *q, double c, double *Hx) {
    Hx[0] += c;
    return SB_OK;
}

/* -drag z' in polar coordinates. */
static int force(const void *self, double t, const double *q, const double *v, double *f) {
    const sb_polar *p = self;
    f[0] = -p->drag * v[0];
    f[1] = -p->drag * q[0] * q[0] * v[1];
    return SB_OK;
}

static int force_jacobian(const void *self, double t, const double *q, const double *v, double cq, double cv,
                          double *Hx) {
    const sb_polar *p = self;
    Hx[0] -= cv * p->drag;
    Hx[1] -= cq * p->drag * 2.0 * q[0] * v[1];
    Hx[3] -= cv * p->drag * q[0] * q[0];
    return SB_OK;
}

/* ---- The row r sin theta - height = 0. ---- */

static int line(const void *self, double t, const double *q, double *g, double *Gx) {
    if (g != NULL) {
        g[0] = q[0] * sin(q[1]) - height;
    }
    if (Gx != NULL) {
        Gx[0] = sin(q[1]);
        Gx[1] = q[0] * cos(q[1]);
    }
    return SB_OK;
}

static int line_hessian(const void *self, double t, const double *q, const double *w, double c, double *Hx) {
    Hx[1] += c * w[0] * cos(q[1]);
    Hx[2] += c * w[0] * cos(q[1]);
    Hx[3] -= c * w[0] * q[0] * sin(q[1]);
    return SB_OK;
}

static int line_curvature(const void *self, double t, const double *q, const double *v, double *out) {
    out[0] = 2.0 * cos(q[1]) * v[0] * v[1] - q[0] * sin(q[1]) * v[1] * v[1];
    return SB_OK;
}

/* ---- Exact solutions. ---- */

/* Sets x and u to the solution of x'' = -x - drag x' at time t. */
static void oscillate(double drag, double x0, double u0, double t, double *x, double *u) {
    const double b = 0.5 * drag, w = sqrt(1.0 - b * b), decay = exp(-b * t), c = cos(w * t), s = sin(w * t) / w;
    *x = decay * (x0 * c + (u0 + b * x0) * s);
    *u = decay * (u0 * c - (x0 + b * u0) * s);
}

/* Returns the angle from z0 to z, which grows by pi in every half period. */
static double turned(double drag, double t, const double x0[2], const double x[2]) {
    const double half = M_PI / sqrt(1.0 - 0.25 * drag * drag), turns = floor(t / half);
    const double sign = fmod(turns, 2.0) == 0.0 ? 1.0 : -1.0;
    const double angle = atan2(sign * (x0[0] * x[1] - x0[1] * x[0]), sign * (x0[0] * x[0] + x0[1] * x[1]));
    return turns * M_PI + (angle < -0.5 * M_PI ? angle + 2.0 * M_PI : angle);
}

int sb_check_polar_motion(const void *parameters, double t, double *q, double *v, double *lambda) {
    const sb_polar *p = parameters;
    const double x0[2] = {1.0, p->line ? height : 0.2}, u0[2] = {0.4, 0.8};
    double x[2], u[2] = {0.0, 0.0};
    oscillate(p->drag, x0[0], u0[0], t, &x[0], &u[0]);
    x[1] = height;
    if (!p->line) {
        oscillate(p->drag, x0[1], u0[1], t, &x[1], &u[1]);
    }
    const double r = hypot(x[0], x[1]);
    q[0] = r;
    q[1] = p->line ? atan2(x[1], x[0]) : atan2(x0[1], x0[0]) + turned(p->drag, t, x0, x);
    v[0] = (x[0] * u[0] + x[1] * u[1]) / r;
    v[1] = (x[0] * u[1] - x[1] * u[0]) / (r * r);
    if (p->line) {
        lambda[0] = height; /* balances the force of the spring */
    }
    return SB_OK;
}

int sb_check_polar(sb_arena *arena, const void *parameters, sb_system *out) {
    const sb_polar *p = parameters;
    out->n = 2;
    out->time_scale = 0.5; /* s, in which the angle changes near the point of the line that is closest to 0 */
    SB_TRY(sb_pattern_full(arena, 2, 2, &out->H));
    out->inertia = (sb_inertia){p, out->H, mass, mass_gradient, mass_hessian, NULL};
    out->potential = (sb_potential){
        .self = p, .degree = 2, .value = potential, .gradient = potential_gradient, .hessian = potential_hessian};
    if (p->drag != 0.0) {
        out->force = (sb_force){p, force, force_jacobian};
    }
    if (p->line) {
        out->holonomic = (sb_holonomic){
            .self = p, .m = 1, .degree = -1, .value = line, .hessian = line_hessian, .curvature = line_curvature};
        SB_TRY(sb_pattern_full(arena, 2, 1, &out->holonomic.G));
    }
    return SB_OK;
}
