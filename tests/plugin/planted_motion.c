/* A problem with a chart, an exact solution, a period and a parameter that makes one of them wrong: a particle that
 * turns uniformly on the unit circle, q = (cos t, sin t), held by g = (q.q - 1)/2 with lambda = -1. With driven=yes a
 * spring in the potential V(t, q) = k |q - (cos t, sin t)|^2 / 2 accompanies it without a force. */
#include <stepbench/plugin.h>

typedef struct config {
    long wrong;
    int driven;
} config;

static bool is_wrong(const void *self, long k) { return ((const config *)self)->wrong == k; }

static int mass(const void *self, const double *q, double *Mx) {
    (void)self, (void)q;
    Mx[0] = Mx[1] = 1.0;
    return SB_OK;
}

static int circle(const void *self, double t, const double *q, double *g, double *Gx) {
    (void)self;
    if (g != NULL) {
        g[0] = 0.5 * (q[0] * q[0] + q[1] * q[1] - 1.0);
    }
    if (Gx != NULL) {
        Gx[0] = q[0];
        Gx[1] = q[1];
    }
    return SB_OK;
}

static int circle_hessian(const void *self, double t, const double *q, const double *w, double c, double *Hx) {
    (void)self, (void)q;
    Hx[0] += c * w[0];
    Hx[1] += c * w[0];
    return SB_OK;
}

static int circle_curvature(const void *self, double t, const double *q, const double *v, double *out) {
    (void)self, (void)q;
    out[0] = v[0] * v[0] + v[1] * v[1];
    return SB_OK;
}

static const double k = 2.5;

static int spring(const void *self, double t, const double *q, double *V) {
    const double x = q[0] - cos(t), y = q[1] - sin(t);
    (void)self;
    *V = 0.5 * k * (x * x + y * y);
    return SB_OK;
}

static int spring_gradient(const void *self, double t, const double *q, double *Vq) {
    (void)self;
    Vq[0] = k * (q[0] - cos(t));
    Vq[1] = k * (q[1] - sin(t));
    return SB_OK;
}

static int spring_hessian(const void *self, double t, const double *q, double c, double *Hx) {
    (void)self, (void)t, (void)q;
    Hx[0] += c * k;
    Hx[1] += c * k;
    return SB_OK;
}

static int spring_rate(const void *self, double t, const double *q, double *Vt) {
    (void)self;
    *Vt = k * (q[0] * sin(t) - q[1] * cos(t)) * (is_wrong(self, 9) ? 1.001 : 1.0);
    return SB_OK;
}

static const char *const momenta[] = {"Jz"};

static int rotation(const void *self, int i, const double *q, double *xi) {
    (void)self, (void)i;
    xi[0] = -q[1];
    xi[1] = q[0];
    return SB_OK;
}

/* ---- The chart: the angle from the first axis. ---- */

static int point(const void *self, const double *s, double *q, double *Dx) {
    const double r = is_wrong(self, 1) ? 1.001 : 1.0;
    if (q != NULL) {
        q[0] = r * cos(s[0]);
        q[1] = r * sin(s[0]);
    }
    if (Dx != NULL) {
        Dx[0] = -r * sin(s[0]);
        Dx[1] = r * cos(s[0]);
    }
    return SB_OK;
}

static int bend(const void *self, const double *s, const double *w, double c, double *Hx) {
    (void)self;
    Hx[0] -= c * (w[0] * cos(s[0]) + w[1] * sin(s[0]));
    return SB_OK;
}

static int third(const void *self, const double *s, const double *w, const double *u, double c, double *Hx) {
    (void)self;
    Hx[0] += c * (w[0] * sin(s[0]) - w[1] * cos(s[0])) * u[0];
    return SB_OK;
}

static int inverse(const void *self, const double *q, double *s) {
    s[0] = atan2(q[1], q[0]) + (is_wrong(self, 2) ? 1e-3 : 0.0);
    return SB_OK;
}

static int turn(const void *self, int i, const double *s, double *xi) {
    (void)i, (void)s;
    xi[0] = is_wrong(self, 3) ? 1.001 : 1.0;
    return SB_OK;
}

/* ---- The motion. ---- */

static int initial(const void *self, double *t, double *q, double *v) {
    (void)self;
    *t = 0.0;
    q[0] = v[1] = 1.0;
    q[1] = v[0] = 0.0;
    return SB_OK;
}

static int exact(const void *self, double t, double *q, double *v, double *lambda) {
    const double late = is_wrong(self, 4) ? 1e-3 : 0.0, fast = is_wrong(self, 5) && t != 0.0 ? 1.001 : 1.0;
    if (q != NULL) {
        q[0] = cos(t - late);
        q[1] = sin(t - late);
    }
    if (v != NULL) {
        v[0] = -fast * sin(t - late);
        v[1] = fast * cos(t - late);
    }
    if (lambda != NULL) {
        lambda[0] = is_wrong(self, 6) ? -1.001 : -1.0;
    }
    return is_wrong(self, 7) && t > 4.0 ? SB_DOMAIN : SB_OK;
}

static int init(sb_context *ctx, sb_arena *arena, const void *parameters, sb_system *out) {
    config *p;
    sb_chart *psi;
    (void)ctx;
    SB_NEW(arena, p, 1);
    SB_NEW(arena, psi, 1);
    *p = *(const config *)parameters;
    out->n = 2;
    out->time_scale = 1.0;
    out->period = SB_PI * (p->wrong == 8 ? 1.999 : 2.0);
    SB_TRY(sb_pattern_diagonal(arena, 2, &out->H));
    out->inertia = (sb_inertia){p, out->H, mass, NULL, NULL, NULL};
    out->holonomic = (sb_holonomic){
        .self = p, .m = 1, .degree = 2, .value = circle, .hessian = circle_hessian, .curvature = circle_curvature};
    SB_TRY(sb_pattern_full(arena, 2, 1, &out->holonomic.G));
    *psi = (sb_chart){
        .self = p, .n = 1, .point = point, .hessian = bend, .third = third, .inverse = inverse, .generator = turn};
    SB_TRY(sb_pattern_full(arena, 2, 1, &psi->D));
    SB_TRY(sb_pattern_full(arena, 1, 1, &psi->H));
    if (p->driven) {
        out->potential.degree = 2;
        out->potential = (sb_potential){.self = p,
                                        .degree = 2,
                                        .value = spring,
                                        .gradient = spring_gradient,
                                        .hessian = spring_hessian,
                                        .rate = p->wrong == 10 ? NULL : spring_rate};
    } else {
        out->symmetry = (sb_symmetry){p, 1, momenta, rotation};
        psi->symmetries = 1;
    }
    out->chart = psi;
    out->self = p;
    out->initial = initial;
    out->exact = exact;
    return SB_OK;
}

static const sb_param params[] = {
    SB_PARAM_INT(config, wrong, "0", 0.0, 10.0, "the formula that is wrong; 0: none"),
    SB_PARAM_CHOICE(config, driven, "no", "no|yes", "a spring that moves with it"),
    {.name = NULL},
};

SB_DEFINE_PROBLEM(planted_motion) = {
    .entry = {"planted_motion", "a particle that turns on a circle, with a chart and a solution, one of them wrong",
              "landau76", params, sizeof(config)},
    .init = init,
};
