/* The double spherical pendulum's constraints and chart with made-up terms of every kind: a mass that depends on q, a
 * potential with a Hessian, forces that depend on q and v. No problem has all of these together with a chart; the chart
 * must take them nevertheless. */
#ifndef TESTS_PROBLEMS_SYNTHETIC_H
#define TESTS_PROBLEMS_SYNTHETIC_H

#include "tests/problems/systems.h"

/* Everything couples a = q_j with b = q_(j+3), j = 0, 1, 2, so that the pattern is that of dsp's H: in column order (a,
 * a), (b, a), then (a, b), (b, b). */
static inline void add_block(double *Hx, int j, double aa, double ba, double ab, double bb) {
    Hx[2 * j] += aa;
    Hx[2 * j + 1] += ba;
    Hx[6 + 2 * j] += ab;
    Hx[7 + 2 * j] += bb;
}

static inline int synthetic_mass(const void *self, const double *q, double *Mx) {
    (void)self;
    memset(Mx, 0, 12 * sizeof *Mx);
    for (int j = 0; j < 3; j++) {
        const double a = q[j], b = q[j + 3];
        add_block(Mx, j, 2.0 + 0.1 * a * a, 0.02 * a * b, 0.02 * a * b, 3.0 + 0.1 * b * b);
    }
    return SB_OK;
}

static inline int synthetic_kinetic_gradient(const void *self, const double *q, const double *v, double *Tq) {
    (void)self;
    for (int j = 0; j < 3; j++) {
        const double a = q[j], b = q[j + 3], x = v[j], y = v[j + 3];
        Tq[j] = 0.1 * a * x * x + 0.02 * b * x * y;
        Tq[j + 3] = 0.1 * b * y * y + 0.02 * a * x * y;
    }
    return SB_OK;
}

static inline int synthetic_kinetic_hessian(const void *self, const double *q, const double *v, double cqq, double cqv,
                                            double cvq, double *Hx) {
    (void)self;
    for (int j = 0; j < 3; j++) {
        const double a = q[j], b = q[j + 3], x = v[j], y = v[j + 3];
        const double ax = 0.2 * a * x + 0.02 * b * y, ay = 0.02 * b * x, bx = 0.02 * a * y,
                     by = 0.2 * b * y + 0.02 * a * x;
        add_block(Hx, j, cqq * 0.1 * x * x, cqq * 0.02 * x * y, cqq * 0.02 * x * y, cqq * 0.1 * y * y);
        add_block(Hx, j, cqv * ax, cqv * bx, cqv * ay, cqv * by);
        add_block(Hx, j, cvq * ax, cvq * ay, cvq * bx, cvq * by);
    }
    return SB_OK;
}

static inline int synthetic_potential(const void *self, double t, const double *q, double *V) {
    (void)self;
    *V = 0.0;
    for (int j = 0; j < 3; j++) {
        *V += 0.5 * q[j] * q[j] + 0.25 * q[j] * q[j + 3] * q[j + 3];
    }
    return SB_OK;
}

static inline int synthetic_potential_gradient(const void *self, double t, const double *q, double *Vq) {
    (void)self;
    for (int j = 0; j < 3; j++) {
        Vq[j] = q[j] + 0.25 * q[j + 3] * q[j + 3];
        Vq[j + 3] = 0.5 * q[j] * q[j + 3];
    }
    return SB_OK;
}

static inline int synthetic_potential_hessian(const void *self, double t, const double *q, double c, double *Hx) {
    (void)self;
    for (int j = 0; j < 3; j++) {
        add_block(Hx, j, c, 0.5 * c * q[j + 3], 0.5 * c * q[j + 3], 0.5 * c * q[j]);
    }
    return SB_OK;
}

static inline int synthetic_force(const void *self, double t, const double *q, const double *v, double *f) {
    (void)self;
    (void)t;
    for (int j = 0; j < 3; j++) {
        f[j] = -0.3 * v[j] * (1.0 + q[j] * q[j]) + 0.1 * q[j + 3] * v[j + 3];
        f[j + 3] = -0.2 * v[j + 3] * q[j + 3] + 0.4 * v[j];
    }
    return SB_OK;
}

static inline int synthetic_force_jacobian(const void *self, double t, const double *q, const double *v, double cq,
                                           double cv, double *Hx) {
    (void)self;
    (void)t;
    for (int j = 0; j < 3; j++) {
        const double a = q[j], b = q[j + 3], x = v[j], y = v[j + 3];
        add_block(Hx, j, -0.6 * cq * a * x, 0.0, 0.1 * cq * y, -0.2 * cq * y);
        add_block(Hx, j, -0.3 * cv * (1.0 + a * a), 0.4 * cv, 0.1 * cv * b, -0.2 * cv * b);
    }
    return SB_OK;
}

/* ---- Contacts: the double pendulum over a curved floor, rubbing along the first axis on a belt. ---- */

static inline int synthetic_gap(const void *self, const double *q, double *xi, double *Nx) {
    (void)self;
    for (int i = 0; i < 2; i++) {
        const double a = q[3 * i], b = q[3 * i + 2];
        if (xi != NULL) {
            xi[i] = b + 100.0 + 0.1 * a * a * b;
        }
        if (Nx != NULL) {
            Nx[2 * i] = 0.2 * a * b;
            Nx[2 * i + 1] = 1.0 + 0.1 * a * a;
        }
    }
    return SB_OK;
}

static inline int synthetic_slip(const void *self, double t, const double *q, double *Dx, double *w) {
    (void)self;
    if (Dx != NULL) {
        Dx[0] = 1.0 + q[2];
        Dx[1] = -q[0];
    }
    if (w != NULL) {
        w[0] = sin(t);
    }
    return SB_OK;
}

static inline int synthetic_contact(fixture *f, sb_system *sys) {
    static const int of[1] = {2};
    static const double mu[1] = {0.4};
    const int gap_row[4] = {0, 2, 3, 5}, gap_col[4] = {0, 0, 1, 1}, slip_row[2] = {0, 2}, slip_col[2] = {0, 0};
    sys->contact = (sb_contact){.m = 2, .k = 1, .gap = synthetic_gap, .slip = synthetic_slip, .of = of, .mu = mu};
    SB_TRY(sb_pattern_from_pairs(&f->arena, 6, 2, 4, gap_row, gap_col, &sys->contact.N));
    SB_TRY(sb_pattern_from_pairs(&f->arena, 6, 1, 2, slip_row, slip_col, &sys->contact.D));
    return sb_system_finish(&f->ctx, &f->arena, "synthetic with contacts", sys);
}

/* The system and its chart. */
static inline void synthetic_build(fixture *f, sb_system *sys, sb_system *charted) {
    fixture_build(f, "dsp", NULL, sys);
    sys->inertia = (sb_inertia){.M = sys->H,
                                .mass = synthetic_mass,
                                .gradient = synthetic_kinetic_gradient,
                                .hessian = synthetic_kinetic_hessian};
    sys->potential = (sb_potential){.self = NULL,
                                    .degree = -1,
                                    .value = synthetic_potential,
                                    .gradient = synthetic_potential_gradient,
                                    .hessian = synthetic_potential_hessian};
    sys->force = (sb_force){NULL, synthetic_force, synthetic_force_jacobian};
    sys->symmetry = (sb_symmetry){0}; /* this mass and this potential know no rotation */
    int status = sb_system_finish(&f->ctx, &f->arena, "synthetic", sys);
    const sb_formulation *chart = (const sb_formulation *)sb_registry_find(&f->ctx, SB_KIND_FORMULATION, "chart");
    void *config = chart != NULL ? sb_alloc(&f->arena, 1, chart->entry.config_size) : NULL;
    if (status == SB_OK && config != NULL) {
        *charted = *sys;
        status = sb_config_parse(&f->ctx, &f->arena, &chart->entry, "", config) |
                 chart->init(&f->ctx, &f->arena, config, sys, charted) |
                 sb_system_finish(&f->ctx, &f->arena, "chart(synthetic)", charted);
    }
    gsl_test(status != SB_OK || config == NULL, "the synthetic system and its chart build (%s)", f->ctx.message);
    if (status != SB_OK || config == NULL) {
        exit(gsl_test_summary());
    }
}

/* Runs the test on the synthetic system, its chart, and the system with contacts. */
static inline void on_synthetic(system_test test) {
    fixture f;
    sb_system sys, charted;
    fixture_open(&f);
    synthetic_build(&f, &sys, &charted);
    test(&f.ctx, &f.arena, &sys);
    test(&f.ctx, &f.arena, &charted);
    gsl_test(synthetic_contact(&f, &sys) != SB_OK, "contacts are added to the synthetic system (%s)", f.ctx.message);
    test(&f.ctx, &f.arena, &sys);
    fixture_close(&f);
}

#endif
