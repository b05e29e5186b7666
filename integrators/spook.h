/* The coefficients of SPOOK, spook07 (27), (29), and their parameters, for the steppers that solve its equations. */
#pragma once

#include "integrators/shared/velocity_step.h"

/* The first member of the configurations of these steppers, named `rows`. */
typedef struct spook_config {
    sb_velocity_config common;
    sb_scalar eps, tau, gamma;
} spook_config;

/* `compliance`: the default of eps, as text. */
#define SPOOK_PARAMS(type, compliance)                                                                                 \
    SB_PARAM("eps", SB_REAL, offsetof(type, rows.eps), compliance, 0.0, INFINITY, SB_OPEN_HI, NULL,                    \
             "unit of g^2/(N m)", "regularization of a holonomic constraint, the inverse stiffness"),                  \
        SB_PARAM("tau", SB_REAL, offsetof(type, rows.tau), "2", 0.0, INFINITY, SB_OPEN_HI, NULL, "",                   \
                 "relaxation time of the violation, in steps: tau/h"),                                                 \
        SB_PARAM("gamma", SB_REAL, offsetof(type, rows.gamma), "0", 0.0, INFINITY, SB_OPEN_HI, NULL, "m/(N s)",        \
                 "regularization of a nonholonomic constraint, the inverse drag")

/* Upsilon = 1/(1 + 4 tau/h),   Sigma = (4/h^2) Upsilon eps,   kappa = (4/h) Upsilon,   Gamma = gamma/h */
static inline sb_row_coefficients spook_rows(const void *config, sb_scalar h, const sb_scalar *eps,
                                             const sb_scalar *tau, const sb_scalar *gamma) {
    const spook_config *c = config;
    const sb_scalar Upsilon = 1.0 / (1.0 + 4.0 * (tau != NULL ? *tau : c->tau));
    return (sb_row_coefficients){
        .sigma = 4.0 * Upsilon * (eps != NULL ? *eps : c->eps) / (h * h),
        .kappa = 4.0 * Upsilon / h,
        .upsilon = Upsilon,
        .gamma = (gamma != NULL ? *gamma : c->gamma) / h,
    };
}
