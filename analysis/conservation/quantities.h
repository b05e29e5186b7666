/* Invariants of a system: its energy and the momenta of its symmetries, less the work and the impulse of forces and
 * drivers, and the outputs declared invariant. */
#pragma once

#include "analysis/conservation/applied_work.h"

typedef struct sb_quantities {
    const sb_system *sys;
    sb_dynamics dyn;
    int count;            /* the energy first, then the momenta, then the invariant outputs */
    bool balanced;        /* forces and drivers may do work, and `work` holds it */
    sb_applied_work work; /* zero unless balanced */
    const char **names;
    long samples;                                 /* at which outputs were evaluated */
    double *p, *xi, *q, *v, *outputs, *up, *down; /* scratch */
    int *output;                                  /* index of each invariant output */
} sb_quantities;

/* Allocates from the arena, for runs with the step h (s). */
int sb_quantities_init(sb_context *ctx, sb_arena *arena, const sb_system *sys, double h, sb_quantities *out);

/* Adds the next state of the run to the work of forces and drivers, if the system has any. */
int sb_quantities_follow(sb_quantities *qs, double t, const double *q, const double *v);
/* Returns the reason, as a sentence, why quantity i is neither conserved nor balanced by `work`; NULL if it is. */
const char *sb_quantities_excluded(const sb_quantities *qs, int i);

/* Computes the values at (t, q, v), the last state passed to sb_quantities_follow, and the sums of the magnitudes of
 * their terms, to which round-off is proportional. An output does not name its terms: their size is at least the change
 * of the output per relative change of the coordinates and velocities, so that an output that is 0 by cancellation has
 * the round-off of what cancels. */
int sb_quantities_value(sb_quantities *qs, double t, const double *q, const double *v, double *value, double *size);

/* Computes sum_i |q_i V_qi|: eps times it is the change of the potential by a rounding of the coordinates. It exceeds
 * eps |V| where V is small by cancellation, such as the energy of a stiff spring between distant bodies. */
int sb_quantities_sensitivity(sb_quantities *qs, double t, const double *q, double *sensitivity);

/* Computes the energy T + V and |T| + |V| at (t, q, v). */
int sb_quantities_energy(sb_dynamics *dyn, double t, const double *q, const double *v, double *energy, double *size);

/* Computes the momenta <M(q) v, xi_i(q)>. */
int sb_quantities_momenta(sb_quantities *qs, const double *q, const double *v, double *momenta);

/* Computes <p, xi_i(q)> for every momentum i, and, unless `size` is NULL, the sum of the magnitudes of its terms. */
int sb_quantities_pair(sb_quantities *qs, const double *q, const double *p, double *momentum, double *size);

/* Returns an estimate of the accumulated round-off after `steps` steps of a quantity whose terms have the given size.
 * The relative error of a rounding has the standard deviation eps/sqrt(12). A step makes about a hundred roundings,
 * whose sum has the standard deviation 3 eps, and the errors of the steps are independent: three standard deviations
 * are 10 eps sqrt(steps). This holds also for methods that compute velocities from positions one step apart: the next
 * step starts from the rounded position, and compensates a rounding eps q/h of such a velocity. */
double sb_accumulated_rounding(double size, long steps);
