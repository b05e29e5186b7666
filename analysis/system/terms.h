/* The callbacks of a system, and quantities computed from them, as functions of a point with one array of values each.
 */
#pragma once

#include <stepbench/numerics/csc.h>
#include <stepbench/system.h>

/* Where terms are evaluated. The weights contract second derivatives. */
typedef struct sb_term_point {
    const sb_system *sys;
    double t, *q, *v;         /* n each */
    double *s;                /* coordinates of the chart */
    const double *w, *wq, *u; /* of holonomic rows (m); of coordinates (n); a direction of s */
    double *scratch;          /* values on any pattern */
} sb_term_point;

/* X(id, symbol, callback, values for the system y, whether the callback is set for y). The values are SB_ON(pattern) or
 * SB_LONG(length of a vector). The callback is "" for what is computed from others. A term without its callback is 0.
 */
#define SB_TERM_LIST(X)                                                                                                \
    X(MASS, "M", "inertia.mass", SB_ON(&y->inertia.M), true)                                                           \
    X(KINETIC, "T", "", SB_LONG(1), true)                                                                              \
    X(MOMENTUM, "T_v", "", SB_LONG(y->n), true)                                                                        \
    X(KINETIC_Q, "T_q", "inertia.gradient", SB_LONG(y->n), y->inertia.gradient != NULL)                                \
    X(KINETIC_QQ, "T_qq", "inertia.hessian", SB_ON(&y->H), y->inertia.hessian != NULL)                                 \
    X(KINETIC_QV, "T_qv", "inertia.hessian", SB_ON(&y->H), y->inertia.hessian != NULL)                                 \
    X(KINETIC_VQ, "T_vq", "inertia.hessian", SB_ON(&y->H), y->inertia.hessian != NULL)                                 \
    X(POTENTIAL, "V", "potential.value", SB_LONG(1), y->potential.value != NULL)                                       \
    X(POTENTIAL_Q, "V_q", "potential.gradient", SB_LONG(y->n), y->potential.value != NULL)                             \
    X(POTENTIAL_QQ, "V_qq", "potential.hessian", SB_ON(&y->H), y->potential.hessian != NULL)                           \
    X(STIFFNESS, "stiffness", "potential.stiffness", SB_ON(&y->H), y->potential.stiffness != NULL)                     \
    X(SPRINGS, "K", "potential.springs", SB_ON(&y->H), y->potential.springs != NULL)                                   \
    X(POTENTIAL_T, "V_t", "potential.rate", SB_LONG(1), y->potential.rate != NULL)                                     \
    X(FORCE, "f", "force.value", SB_LONG(y->n), y->force.value != NULL)                                                \
    X(FORCE_Q, "f_q", "force.jacobian", SB_ON(&y->H), y->force.jacobian != NULL)                                       \
    X(FORCE_V, "f_v", "force.jacobian", SB_ON(&y->H), y->force.jacobian != NULL)                                       \
    X(CONSTRAINT, "g", "holonomic.value", SB_LONG(y->holonomic.m), y->holonomic.m > 0)                                 \
    X(JACOBIAN, "G", "holonomic.value", SB_ON(&y->holonomic.G), y->holonomic.m > 0)                                    \
    X(RATE_OF_G, "dg/dt", "", SB_LONG(y->holonomic.m), y->holonomic.m > 0)                                             \
    X(WEIGHTED_G, "G' w", "", SB_LONG(y->n), y->holonomic.m > 0)                                                       \
    X(CONSTRAINT_QQ, "Hess g", "holonomic.hessian", SB_ON(&y->H), y->holonomic.m > 0)                                  \
    X(CONSTRAINT_T, "g_t", "holonomic.rate", SB_LONG(y->holonomic.m), y->holonomic.rate != NULL)                       \
    X(CURVATURE, "curvature", "holonomic.curvature", SB_LONG(y->holonomic.m), y->holonomic.m > 0)                      \
    X(PFAFFIAN, "A", "nonholonomic.value", SB_ON(&y->nonholonomic.A), y->nonholonomic.m > 0)                           \
    X(DRIVE, "w", "nonholonomic.value", SB_LONG(y->nonholonomic.m), y->nonholonomic.m > 0)                             \
    X(SLIDING, "A v", "", SB_LONG(y->nonholonomic.m), y->nonholonomic.m > 0)                                           \
    X(RESIDUAL, "A v - w", "", SB_LONG(y->nonholonomic.m), y->nonholonomic.m > 0)                                      \
    X(PFAFFIAN_RATE, "rate", "nonholonomic.rate", SB_LONG(y->nonholonomic.m), y->nonholonomic.m > 0)                   \
    X(PFAFFIAN_Q, "(A v)_q", "nonholonomic.gradient", SB_ON(&y->nonholonomic.A), y->nonholonomic.gradient != NULL)     \
    X(GAP, "xi", "contact.gap", SB_LONG(y->contact.m), y->contact.m > 0)                                               \
    X(NORMALS, "N", "contact.gap", SB_ON(&y->contact.N), y->contact.m > 0)                                             \
    X(TANGENTS, "D", "contact.slip", SB_ON(&y->contact.D), y->contact.k > 0)                                           \
    X(BELT, "belt speed", "contact.slip", SB_LONG(y->contact.k), y->contact.k > 0)                                     \
    X(OUTPUTS, "outputs", "outputs.value", SB_LONG(y->outputs.count), y->outputs.count > 0)                            \
    X(CHART, "psi", "chart.point", SB_LONG(y->n), y->chart != NULL)                                                    \
    X(CHART_S, "psi_s", "chart.point", SB_ON(&y->chart->D), y->chart != NULL)                                          \
    X(WEIGHTED_D, "psi_s' w", "", SB_LONG(y->chart->n), y->chart != NULL)                                              \
    X(CHART_SS, "Hess psi", "chart.hessian", SB_ON(&y->chart->H), y->chart != NULL)                                    \
    X(CHART_SSS, "D3 psi", "chart.third", SB_ON(&y->chart->H), y->chart != NULL)                                       \
    X(CHART_CONSTRAINT, "g(psi(s))", "", SB_LONG(y->holonomic.m), y->chart != NULL)

typedef enum sb_term {
#define SB_TERM_ENUM(id, symbol, callback, values, given) SB_TERM_##id,
    SB_TERM_LIST(SB_TERM_ENUM)
#undef SB_TERM_ENUM
        SB_TERM_COUNT
} sb_term;

const char *sb_term_symbol(sb_term term);
const char *sb_term_callback(sb_term term, const sb_system *sys);
/* Returns the number of values; 0 if the system has no such term. */
int sb_term_length(sb_term term, const sb_system *sys);
/* Returns the pattern of the values; NULL for a vector. */
const sb_pattern *sb_term_pattern(sb_term term, const sb_system *sys);
bool sb_term_given(sb_term term, const sb_system *sys);
/* Returns whether the callback adds to its array, in place of setting it: those on a pattern H do. */
bool sb_term_adds(sb_term term, const sb_system *sys);
/* Calls the callback once, or computes the term; `out` has to be 0 where the callback adds. c: the factor of what is
 * added. Returns the callback's status. */
int sb_term_evaluate(sb_term term, const sb_term_point *p, double c, double *out);
