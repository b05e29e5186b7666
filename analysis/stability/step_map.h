/* The step of a method as a map of its whole state: its fixed point at an equilibrium, and its Jacobian there by differences. */
#ifndef STEPBENCH_ANALYSIS_STABILITY_STEP_MAP_H
#define STEPBENCH_ANALYSIS_STABILITY_STEP_MAP_H

#include <stepbench/stepper.h>

/* x = (q, v, lambda, aux), everything a step hands to the next one, in units that make its entries comparable: q in `length`, v in
 * length/h, lambda in what moves q by a length in a step, aux in what a length in q and v makes of it. */
typedef struct sb_step_map {
    sb_method method;
    const sb_system *sys;
    double h;
    int n, m, size;       /* coordinates, multipliers, length of x */
    double length;        /* the smallest radius of curvature of a constraint at the state, or the size of the motion; over it maps bend */
    double *scale;        /* unit of each entry of x */
    bool measured;        /* those of aux are known */
    sb_state at, in, out; /* the fixed point; scratch */
    double *J, *half;     /* Jacobian of size^2, column-major, in scaled x; scratch of the same size */
    double noise;         /* largest entry of its error, as two spacings tell it, and round-off */
    double *residual, *work; /* of size; of size^2 */
} sb_step_map;

/* The map around the equilibrium that Newton's method on x = step(x) finds, from the constrained system's equilibrium near its initial
 * position, or from that position itself, at rest; directions in
 * which the map has a continuum of fixed points are left alone (least squares). Fixed points of a step are equilibria as the method sees
 * them: where constraints are relaxed, they are violated by what carries the load. SB_NOT_CONVERGED when there is none near by,
 * SB_SINGULAR and so on when the step fails. fini follows a failed init too. */
int sb_step_map_init(sb_context *ctx, sb_arena *arena, const sb_stepper *type, const void *config, const sb_system *sys, double h,
                     sb_step_map *out);
void sb_step_map_fini(sb_step_map *map);

#endif
