/* Check systems of a knife edge that turns at the rate 1, its centre of mass slowed by a drag; and q'' = -q^3. */
#include "bench/check/terms.h"
#include "problems/shared/edge.h"

#include <complex.h> /* its macro I would rename the edge's moment of inertia */

#include <gsl/gsl_sf_elljac.h>

static const double speed = 0.8;
static const edge body = {1.0, 0.7, 0.0};

static int force(const void *self, double t, const double *q, const double *v, double *f) {
    const double drag = *(const double *)self;
    f[0] = -drag * v[0];
    f[1] = -drag * v[1];
    f[2] = 0.0;
    return SB_OK;
}

static int force_jacobian(const void *self, double t, const double *q, const double *v, double cq, double cv,
                          double *Hx) {
    const double drag = *(const double *)self;
    Hx[0] -= cv * drag;
    Hx[1] -= cv * drag;
    return SB_OK;
}

/* The velocity along the edge is speed e^(-drag t), and z' = speed e^((i - drag) t) with z = x + i y. */
int sb_check_knife_motion(const void *parameters, double t, double *q, double *v, double *lambda) {
    const double drag = *(const double *)parameters;
    const double complex rate = I - drag, w = speed * cexp(rate * t), z = (w - speed) / rate;
    q[0] = creal(z);
    q[1] = cimag(z);
    q[2] = t;
    v[0] = creal(w);
    v[1] = cimag(w);
    v[2] = 1.0;
    lambda[0] = cabs(w);
    return SB_OK;
}

int sb_check_knife(sb_arena *arena, const void *parameters, sb_system *out) {
    const double *drag = parameters;
    SB_TRY(edge_terms(arena, &body, out));
    out->time_scale = 1.0;
    if (*drag != 0.0) {
        out->force = (sb_force){drag, force, force_jacobian};
    }
    return SB_OK;
}

/* ---- q'' = -q^3. ---- */

static int quartic_mass(const void *self, const double *q, double *Mx) {
    Mx[0] = 1.0;
    return SB_OK;
}

static int quartic(const void *self, double t, const double *q, double *V) {
    *V = 0.25 * q[0] * q[0] * q[0] * q[0];
    return SB_OK;
}

static int quartic_gradient(const void *self, double t, const double *q, double *Vq) {
    Vq[0] = q[0] * q[0] * q[0];
    return SB_OK;
}

static int quartic_hessian(const void *self, double t, const double *q, double c, double *Hx) {
    Hx[0] += c * 3.0 * q[0] * q[0];
    return SB_OK;
}

/* q = cn(t + 1/2) with the modulus k^2 = 1/2. */
int sb_check_quartic_motion(const void *parameters, double t, double *q, double *v, double *lambda) {
    double sn, cn, dn;
    if (gsl_sf_elljac_e(t + 0.5, 0.5, &sn, &cn, &dn) != 0) {
        return SB_DOMAIN;
    }
    q[0] = cn;
    v[0] = -sn * dn;
    return SB_OK;
}

int sb_check_quartic(sb_arena *arena, const void *parameters, sb_system *out) {
    out->n = 1;
    out->time_scale = 1.0;
    SB_TRY(sb_pattern_full(arena, 1, 1, &out->H));
    out->inertia = (sb_inertia){.M = out->H, .mass = quartic_mass};
    out->potential = (sb_potential){
        .self = NULL, .degree = -1, .value = quartic, .gradient = quartic_gradient, .hessian = quartic_hessian};
    return SB_OK;
}
