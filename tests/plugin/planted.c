/* A problem with every kind of term and a parameter that makes one of them wrong: a particle on a sphere in a field of
 * rotational symmetry, with the mass 1 + a (x^2 + y^2) in the plane, drag along z and a driven Pfaffian row. */
#include <stepbench/plugin.h>

typedef struct config {
    long wrong;
} config;

static bool is_wrong(const void *self, long k) { return ((const config *)self)->wrong == k; }

/* The factor of the formula number k: 1, or 1.001 if this one is to be wrong. */
static double factor(const void *self, long k) { return ((const config *)self)->wrong == k ? 1.001 : 1.0; }

static const double a = 0.2, k2 = 3.0, k4 = 0.7, weight = 9.81, drag = 0.4, speed = 0.3;

static int mass(const void *self, const double *q, double *Mx) {
    const double m = 1.0 + a * (q[0] * q[0] + q[1] * q[1]);
    for (int i = 0; i < 9; i++) {
        Mx[i] = i == 0 || i == 4 ? m : i == 8 ? 1.0 : 0.0;
    }
    Mx[1] += factor(self, 14) - 1.0;
    Mx[8] = ((const config *)self)->wrong == 15 ? -1.0 : Mx[8];
    return SB_OK;
}

static int kinetic_gradient(const void *self, const double *q, const double *v, double *Tq) {
    const double u = v[0] * v[0] + v[1] * v[1];
    Tq[0] = a * u * q[0] * factor(self, 1);
    Tq[1] = a * u * q[1];
    Tq[2] = 0.0;
    return SB_OK;
}

static int kinetic_hessian(const void *self, const double *q, const double *v, double cqq, double cqv, double cvq,
                           double *Hx) {
    const double u = v[0] * v[0] + v[1] * v[1];
    for (int i = 0; i < 2; i++) {
        Hx[i + 3 * i] += cqq * a * u * (i == 1 ? factor(self, 2) : 1.0);
        for (int j = 0; j < 2; j++) {
            const bool here = i == 1 && j == 0;
            Hx[i + 3 * j] += 2.0 * a * cqv * q[i] * v[j] * (here ? factor(self, 3) : 1.0);
            Hx[i + 3 * j] += 2.0 * a * cvq * v[i] * q[j] * (here ? factor(self, 4) : 1.0);
        }
    }
    return SB_OK;
}

static int potential(const void *self, double t, const double *q, double *V) {
    const double r2 = q[0] * q[0] + q[1] * q[1];
    (void)self;
    *V = 0.5 * k2 * r2 + 0.25 * k4 * r2 * r2 + weight * q[2];
    return SB_OK;
}

static int springs(const void *self, double c, double *Hx) {
    const double k = is_wrong(self, 38) ? 100.0 * k2 : k2;
    Hx[0] += c * k;
    Hx[4] += c * k;
    Hx[8] -= is_wrong(self, 39) ? c * 0.001 : 0.0;
    Hx[1] += is_wrong(self, 40) ? c * 0.001 : 0.0;
    return SB_OK;
}

static int potential_gradient(const void *self, double t, const double *q, double *Vq) {
    const double r2 = q[0] * q[0] + q[1] * q[1];
    Vq[0] = (k2 + k4 * r2) * q[0];
    Vq[1] = is_wrong(self, 26) ? NAN : (k2 + k4 * r2) * q[1] * factor(self, 5);
    Vq[2] = weight;
    return SB_OK;
}

static int potential_hessian(const void *self, double t, const double *q, double c, double *Hx) {
    const double r2 = q[0] * q[0] + q[1] * q[1];
    for (int i = 0; i < 2; i++) {
        Hx[i + 3 * i] += c * (k2 + k4 * r2);
        for (int j = 0; j < 2; j++) {
            Hx[i + 3 * j] += 2.0 * c * k4 * q[i] * q[j] * (i == 0 && j == 1 ? factor(self, 6) : 1.0);
        }
    }
    if (((const config *)self)->wrong == 16) {
        Hx[8] = 0.0; /* sets where it has to add */
    }
    if (((const config *)self)->wrong == 17) {
        Hx[9] += c; /* behind the array */
    }
    if (is_wrong(self, 27)) {
        Hx[-1] += c; /* before it */
    }
    return is_wrong(self, 28) ? SB_DOMAIN : SB_OK;
}

static int force(const void *self, double t, const double *q, const double *v, double *f) {
    static int calls = 0;
    (void)t;
    f[0] = f[1] = 0.0;
    if (!is_wrong(self, 29)) {
        f[2] = -drag * (1.0 + q[2] * q[2]) * v[2];
    }
    if (is_wrong(self, 30)) {
        f[2] += 1e-3 * ++calls; /* depends on what was called before */
    }
    if (((const config *)self)->wrong == 18) {
        f[1] = -0.1 * v[1]; /* which the symmetry does not allow, and the Jacobian does not have */
    }
    return SB_OK;
}

static int force_jacobian(const void *self, double t, const double *q, const double *v, double cq, double cv,
                          double *Hx) {
    (void)t;
    Hx[8] -= 2.0 * cq * drag * q[2] * v[2] * factor(self, 7) + cv * drag * (1.0 + q[2] * q[2]) * factor(self, 8);
    return SB_OK;
}

static int sphere(const void *self, double t, const double *q, double *g, double *Gx) {
    if (g != NULL) {
        g[0] = 0.5 * (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] - 1.0);
    }
    for (int i = 0; Gx != NULL && i < 3; i++) {
        Gx[i] = q[i] * (i == 2 ? factor(self, 9) : 1.0);
        Gx[i] *= g != NULL ? factor(self, 31) : 1.0;
    }
    return is_wrong(self, 32) ? SB_DOMAIN : SB_OK;
}

static int sphere_hessian(const void *self, double t, const double *q, const double *w, double c, double *Hx) {
    (void)q;
    for (int i = 0; i < 3; i++) {
        Hx[i + 3 * i] += c * w[0] * (i == 2 ? factor(self, 10) : 1.0);
    }
    return SB_OK;
}

static int sphere_curvature(const void *self, double t, const double *q, const double *v, double *out) {
    (void)q;
    out[0] = (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) * factor(self, 11);
    return SB_OK;
}

static int row(const void *self, double t, const double *q, double *Ax, double *w) {
    (void)self;
    if (Ax != NULL) {
        Ax[0] = q[0];
        Ax[1] = q[1];
        Ax[2] = 1.0 + q[2] * q[2];
    }
    if (w != NULL) {
        w[0] = speed * sin(t);
    }
    return SB_OK;
}

static int row_rate(const void *self, double t, const double *q, const double *v, double *out) {
    out[0] = v[0] * v[0] + v[1] * v[1] + 2.0 * q[2] * v[2] * v[2] - speed * cos(t) * factor(self, 12);
    return SB_OK;
}

static int row_gradient(const void *self, double t, const double *q, const double *v, double *Ax) {
    (void)t;
    Ax[0] = v[0];
    Ax[1] = v[1];
    Ax[2] = 2.0 * q[2] * v[2] * factor(self, 13);
    return SB_OK;
}

static const char *const momenta[] = {"Jz"};

static int rotation(const void *self, int i, const double *q, double *xi) {
    (void)i;
    xi[0] = -q[1];
    xi[1] = q[0] * factor(self, 19);
    xi[2] = 0.0;
    for (int k = 0; k < 2; k++) {
        xi[k] *= is_wrong(self, 34) ? 0.0 : is_wrong(self, 35) ? q[2] : 1.0;
    }
    return is_wrong(self, 33) ? SB_DOMAIN : SB_OK;
}

static int initial(const void *self, double *t, double *q, double *v) {
    *t = 0.0;
    q[0] = 0.6;
    q[1] = 0.0;
    q[2] = -0.8;
    v[0] = v[2] = 0.0;
    v[1] = 0.5;
    q[0] += ((const config *)self)->wrong == 20 ? 1e-3 : 0.0;
    v[0] += ((const config *)self)->wrong == 21 ? 1e-3 : 0.0;
    v[2] = is_wrong(self, 36) ? NAN : v[2];
    return SB_OK;
}

static int init(sb_context *ctx, sb_arena *arena, const void *parameters, sb_system *out) {
    static const int unsorted[] = {1, 0, 2};
    config *p;
    (void)ctx;
    SB_NEW(arena, p, 1);
    *p = *(const config *)parameters;
    out->n = 3;
    out->time_scale = 0.5;
    SB_TRY(sb_pattern_full(arena, 3, 3, &out->H));
    out->inertia = (sb_inertia){p, out->H, mass, kinetic_gradient, kinetic_hessian, NULL};
    out->potential = (sb_potential){.self = p,
                                    .degree = p->wrong == 22 ? 2 : -1,
                                    .value = potential,
                                    .gradient = potential_gradient,
                                    .hessian = potential_hessian,
                                    .springs = springs};
    out->force = (sb_force){p, force, force_jacobian};
    out->holonomic = (sb_holonomic){.self = p,
                                    .m = 1,
                                    .degree = p->wrong == 23 ? 1 : 2,
                                    .value = sphere,
                                    .hessian = sphere_hessian,
                                    .curvature = sphere_curvature};
    SB_TRY(sb_pattern_full(arena, 3, 1, &out->holonomic.G));
    out->nonholonomic = (sb_nonholonomic){.self = p, .m = 1, .value = row, .rate = row_rate, .gradient = row_gradient};
    out->nonholonomic.A = out->holonomic.G;
    out->symmetry = (sb_symmetry){p, 1, momenta, rotation};
    if (p->wrong == 24) {
        out->inertia.gradient = NULL;
        out->inertia.hessian = NULL;
    }
    if (p->wrong == 25) {
        out->nonholonomic.gradient = NULL;
    }
    if (p->wrong == 37) {
        out->holonomic.G.i = unsorted;
    }
    out->self = p;
    out->initial = initial;
    return SB_OK;
}

static const sb_param params[] = {
    SB_PARAM_INT(config, wrong, "0", 0.0, 40.0, "the formula that is wrong; 0: none"),
    {.name = NULL},
};

SB_DEFINE_PROBLEM(planted) = {
    .entry = {"planted", "a particle on a sphere with every kind of term, one of them wrong", "landau76", params,
              sizeof(config)},
    .init = init,
};
