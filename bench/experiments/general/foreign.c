/* Problems and steppers of kinds on which no threshold of a verdict was chosen or changed. */
#include "bench/experiments/general/foreign.h"

#include <string.h>

#include <gsl/gsl_randist.h>

#include "analysis/random.h"
#include "bench/runner/experiment_tools.h"

const char *const sb_foreign_name[SB_FOREIGN_COUNT] = {"Lennard-Jones cluster",
                                                       "charge in a magnetic field",
                                                       "three bodies with encounters",
                                                       "particle with a nonholonomic row",
                                                       "random springs",
                                                       "charge in a uniform magnetic field"};

enum { BODIES = 10 };

/* Points in the plane. A pair at the distance r has the potential U(r), with U of the kind and the coefficients k. */
typedef struct points {
    sb_foreign kind;
    int bodies;
    double m[BODIES], k[BODIES][BODIES], x0[2 * BODIES], v0[2 * BODIES];
    bool row;                 /* it has the row */
    double stretch, coupling; /* of the well across x; of its higher terms and of the change of the field */
} points;

/* Sets U, U'/r and (U'' - U'/r)/r^2. */
static void law(const points *p, int i, int j, double r2, double U[3]) {
    const double k = p->k[i][j], s = 1.0 / r2, s3 = s * s * s;
    switch (p->kind) {
    case SB_FOREIGN_CLUSTER:
        U[0] = 4.0 * s3 * (s3 - 1.0);
        U[1] = -24.0 * s * s3 * (2.0 * s3 - 1.0);
        U[2] = 96.0 * s * s * s3 * (7.0 * s3 - 2.0);
        break;
    case SB_FOREIGN_ENCOUNTER:
        U[0] = -p->m[i] * p->m[j] * sqrt(s);
        U[1] = -U[0] * s;
        U[2] = 3.0 * U[0] * s * s;
        break;
    default: /* springs of length zero */
        U[0] = 0.5 * k * r2;
        U[1] = k;
        U[2] = 0.0;
    }
}

static int mass(const void *self, const double *q, double *Mx) {
    const points *p = self;
    for (int i = 0; i < (p->row ? 3 : 2 * p->bodies); i++) {
        Mx[i] = p->m[i / 2];
    }
    return SB_OK;
}

static int pair_potential(const void *self, double t, const double *q, double *V) {
    const points *p = self;
    *V = 0.0;
    for (int i = 0; i < p->bodies; i++) {
        for (int j = 0; j < i; j++) {
            double U[3];
            law(p, i, j, pow(q[2 * i] - q[2 * j], 2.0) + pow(q[2 * i + 1] - q[2 * j + 1], 2.0), U);
            *V += U[0];
        }
    }
    return SB_OK;
}

static int pair_gradient(const void *self, double t, const double *q, double *Vq) {
    const points *p = self;
    memset(Vq, 0, 2 * (size_t)p->bodies * sizeof *Vq);
    for (int i = 0; i < p->bodies; i++) {
        for (int j = 0; j < i; j++) {
            const double d[2] = {q[2 * i] - q[2 * j], q[2 * i + 1] - q[2 * j + 1]};
            double U[3];
            law(p, i, j, d[0] * d[0] + d[1] * d[1], U);
            for (int a = 0; a < 2; a++) {
                Vq[2 * i + a] += U[1] * d[a];
                Vq[2 * j + a] -= U[1] * d[a];
            }
        }
    }
    return SB_OK;
}

static int pair_hessian(const void *self, double t, const double *q, double c, double *Hx) {
    const points *p = self;
    const int n = 2 * p->bodies;
    for (int i = 0; i < p->bodies; i++) {
        for (int j = 0; j < i; j++) {
            const double d[2] = {q[2 * i] - q[2 * j], q[2 * i + 1] - q[2 * j + 1]};
            double U[3];
            law(p, i, j, d[0] * d[0] + d[1] * d[1], U);
            for (int a = 0; a < 4; a++) {
                const double h = c * (U[2] * d[a / 2] * d[a % 2] + (a / 2 == a % 2 ? U[1] : 0.0));
                const int ia = 2 * i + a / 2, ib = 2 * i + a % 2, ja = 2 * j + a / 2, jb = 2 * j + a % 2;
                Hx[ib * n + ia] += h;
                Hx[jb * n + ja] += h;
                Hx[jb * n + ia] -= h;
                Hx[ib * n + ja] -= h;
            }
        }
    }
    return SB_OK;
}

/* ---- The well of the charge and of the particle: V = x^2/2 + s y^2/2 + z^2 + c (x^2 y^2/4 + x z^2/5). ---- */

static int well(const void *self, double t, const double *q, double *V) {
    const points *p = self;
    const double x = q[0], y = q[1], z = p->row ? q[2] : 0.0;
    *V = 0.5 * x * x + 0.5 * p->stretch * y * y + z * z + p->coupling * (0.25 * x * x * y * y + 0.2 * x * z * z);
    return SB_OK;
}

static int well_gradient(const void *self, double t, const double *q, double *Vq) {
    const points *p = self;
    const double x = q[0], y = q[1], z = p->row ? q[2] : 0.0;
    Vq[0] = x + p->coupling * (0.5 * x * y * y + 0.2 * z * z);
    Vq[1] = p->stretch * y + 0.5 * p->coupling * x * x * y;
    if (p->row) {
        Vq[2] = 2.0 * z + 0.4 * p->coupling * x * z;
    }
    return SB_OK;
}

static int well_hessian(const void *self, double t, const double *q, double c, double *Hx) {
    const points *p = self;
    const int n = p->row ? 3 : 2;
    const double x = q[0], y = q[1], k = p->coupling;
    Hx[0] += c * (1.0 + 0.5 * k * y * y);
    Hx[1] += c * k * x * y;
    Hx[n] += c * k * x * y;
    Hx[n + 1] += c * (p->stretch + 0.5 * k * x * x);
    if (n == 3) {
        Hx[2] += 0.4 * c * k * q[2];
        Hx[6] += 0.4 * c * k * q[2];
        Hx[8] += c * (2.0 + 0.4 * k * x);
    }
    return SB_OK;
}

/* The strength of the magnetic field, and its force. */
static double field(const points *p, const double *q) { return 2.0 + p->coupling * (1.5 * q[0] - q[1]); }

static int magnetic_force(const void *self, double t, const double *q, const double *v, double *f) {
    f[0] = field(self, q) * v[1];
    f[1] = -field(self, q) * v[0];
    return SB_OK;
}

/* ---- The row z' = y x'. ---- */

static int row(const void *self, double t, const double *q, double *Ax, double *w) {
    if (Ax != NULL) {
        Ax[0] = -q[1];
        Ax[1] = 0.0; /* the coordinate on which the row depends */
        Ax[2] = 1.0;
    }
    if (w != NULL) {
        w[0] = 0.0;
    }
    return SB_OK;
}

static int row_rate(const void *self, double t, const double *q, const double *v, double *out) {
    out[0] = -v[1] * v[0];
    return SB_OK;
}

static int row_gradient(const void *self, double t, const double *q, const double *v, double *Ax) {
    Ax[0] = Ax[2] = 0.0;
    Ax[1] = -v[0];
    return SB_OK;
}

/* ---- Members. ---- */

static int initial(const void *self, double *t, double *q, double *v) {
    const points *p = self;
    const size_t n = p->row ? 3 : 2 * (size_t)p->bodies;
    *t = 0.0;
    memcpy(q, p->x0, n * sizeof *q);
    memcpy(v, p->v0, n * sizeof *v);
    return SB_OK;
}

/* Draws the start and the coefficients of a member. */
static void draw(points *p, gsl_rng *rng) {
    static const double burrau[6] = {1.0, 3.0, -2.0, -1.0, 1.0, -1.0};
    static const int bodies[SB_FOREIGN_COUNT] = {7, 1, 3, 1, 10, 1};
    p->bodies = bodies[p->kind];
    p->stretch = 1.0 + gsl_rng_uniform(rng);
    for (int i = 0; i < p->bodies; i++) {
        p->m[i] = p->kind == SB_FOREIGN_ENCOUNTER ? 3.0 + i : 1.0;
        for (int j = 0; j < i; j++) {
            p->k[i][j] = pow(10.0, 6.0 * gsl_rng_uniform(rng));
        }
        for (int a = 0; a < 2; a++) {
            const double u = gsl_ran_gaussian(rng, 1.0), angle = (i - 1) * M_PI / 3.0;
            const bool cluster = p->kind == SB_FOREIGN_CLUSTER, three = p->kind == SB_FOREIGN_ENCOUNTER;
            p->x0[2 * i + a] = three     ? burrau[2 * i + a] + 0.1 * u
                               : cluster ? (i > 0) * 1.12 * (a == 0 ? cos(angle) : sin(angle))
                                         : u;
            p->v0[2 * i + a] = gsl_ran_gaussian(rng, cluster ? 0.4 : three ? 1.0 : 0.5);
        }
    }
    if (p->row) {
        p->x0[2] = 0.3;
        p->v0[2] = p->x0[1] * p->v0[0];
        p->m[1] = 1.0;
    }
}

int sb_foreign_make(sb_context *ctx, sb_arena *arena, sb_foreign kind, int k, sb_system *out) {
    /* The inverse frequency of a pair, of the field, and of the stiffest spring; a time within an encounter. */
    static const double scales[SB_FOREIGN_COUNT] = {0.1, 0.3, 0.02, 0.5, 3e-4, 0.3};
    points *p;
    gsl_rng *rng;
    SB_NEW(arena, p, 1);
    SB_TRY(sb_random(arena, 1000UL + (unsigned long)k, &rng));
    const bool charged = kind == SB_FOREIGN_CHARGE || kind == SB_FOREIGN_UNIFORM;
    p->kind = kind;
    p->row = kind == SB_FOREIGN_ROLLING;
    p->coupling = kind != SB_FOREIGN_UNIFORM;
    draw(p, rng);
    const bool single = p->row || charged;
    const int n = p->row ? 3 : 2 * p->bodies;
    *out = (sb_system){.n = n, .time_scale = scales[kind], .self = p, .initial = initial};
    SB_TRY(sb_pattern_full(arena, n, n, &out->H));
    SB_TRY(sb_pattern_diagonal(arena, n, &out->inertia.M));
    out->inertia.self = p;
    out->inertia.mass = mass;
    out->potential = (sb_potential){.self = p,
                                    .degree = kind == SB_FOREIGN_NETWORK ? 2 : -1,
                                    .value = single ? well : pair_potential,
                                    .gradient = single ? well_gradient : pair_gradient,
                                    .hessian = single ? well_hessian : pair_hessian};
    if (charged) {
        out->force = (sb_force){.self = p, .value = magnetic_force};
    }
    if (p->row) {
        SB_TRY(sb_pattern_full(arena, 3, 1, &out->nonholonomic.A));
        out->nonholonomic.m = 1;
        out->nonholonomic.value = row;
        out->nonholonomic.rate = row_rate;
        out->nonholonomic.gradient = row_gradient;
    }
    return sb_system_finish(ctx, arena, sb_foreign_name[kind], out);
}

/* ---- Boris' method in its symmetric form, and Verlet's with a drag, which is no term of the problem. ---- */

typedef struct work {
    double *Vq, *Mx, *f, *unit;
} work;

static int step_init(sb_method *me) {
    work *w;
    SB_NEW(me->arena, w, 1);
    me->work = w;
    SB_NEW(me->arena, w->Mx, sb_pattern_nnz(&me->sys->inertia.M));
    return SB_VECTORS(me->arena, me->sys->n, &w->Vq, &w->f, &w->unit);
}

/* Computes half a drift, half a kick by V, the rotation by the magnetic force, and the halves in reverse order. The
 * velocity is then multiplied by `keep`. */
static int boris(const sb_method *me, const sb_state *in, double h, double keep, sb_state *out) {
    work *w = me->work;
    const int n = me->sys->n;
    for (int i = 0; i < n; i++) {
        out->q[i] = in->q[i] + 0.5 * h * in->v[i];
    }
    SB_TRY(me->sys->inertia.mass(me->sys->inertia.self, out->q, w->Mx));
    SB_TRY(sb_potential_gradient(me->sys, in->t + 0.5 * h, out->q, w->Vq));
    for (int i = 0; i < n; i++) {
        out->v[i] = in->v[i] - 0.5 * h * w->Vq[i] / w->Mx[i];
    }
    if (me->sys->force.value != NULL) { /* in the plane: the first component of the force on (0, 1) is the field */
        w->unit[0] = 0.0;
        w->unit[1] = 1.0;
        SB_TRY(me->sys->force.value(me->sys->force.self, in->t + 0.5 * h, out->q, w->unit, w->f));
        const double b = 0.5 * h * w->f[0] / w->Mx[0], c = (1.0 - b * b) / (1.0 + b * b), s = 2.0 * b / (1.0 + b * b);
        const double v[2] = {out->v[0], out->v[1]};
        out->v[0] = c * v[0] + s * v[1];
        out->v[1] = c * v[1] - s * v[0];
    }
    for (int i = 0; i < n; i++) {
        out->v[i] = keep * (out->v[i] - 0.5 * h * w->Vq[i] / w->Mx[i]);
        out->q[i] += 0.5 * h * out->v[i];
    }
    return SB_OK;
}

static int boris_step(const sb_method *me, const sb_state *in, double h, sb_state *out) {
    return boris(me, in, h, 1.0, out);
}

static int drag_step(const sb_method *me, const sb_state *in, double h, sb_state *out) {
    return boris(me, in, h, exp(-1e-8 * h / me->sys->time_scale), out);
}

static const sb_stepper steppers[] = {
    {.entry = {"foreign_boris", "Boris' method", "boris70", NULL, 0},
     .order = 2,
     .supports = SB_HAS_FORCE,
     .init = step_init,
     .step = boris_step},
    {.entry = {"foreign_drag", "Verlet's method, with a drag of 1e-8 per time scale", "hlw06 I.1.4", NULL, 0},
     .order = 2,
     .init = step_init,
     .step = drag_step},
};

int sb_foreign_register(sb_registry *registry) {
    for (int k = 0; k < SB_COUNT(steppers); k++) {
        SB_TRY(sb_registry_add(registry, SB_KIND_STEPPER, &steppers[k].entry));
    }
    return SB_OK;
}
