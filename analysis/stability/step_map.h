/* The step of a method as a map of its whole state: its fixed point at an equilibrium, and its Jacobian there by
 * differences. */
#pragma once

#include <stepbench/method.h>

/* x = (q, v, lambda, aux) is the whole state before and after a step, in units that make its entries comparable: q in
 * lengths on which the map is nonlinear, v in those over h, lambda in the force that moves q by a length in a step, aux
 * in its change by a unit of the others. */
typedef struct sb_step_map {
    sb_method method;
    const sb_system *sys;
    double h;
    int n, m, size;          /* coordinates, multipliers, length of x */
    double least;            /* the least of the units of a position, a velocity and a momentum */
    double *scale;           /* unit of each entry of x */
    bool measured;           /* the units of aux are known */
    bool *fixed;             /* entries of aux that only round-off changes */
    sb_state at, in, out;    /* the fixed point; scratch */
    double *J, *half;        /* Jacobian of size^2, column-major, in scaled x; scratch of the same size */
    double noise;            /* error bound of an entry of J, from two spacings and round-off */
    double *residual, *work; /* scratch of `size` and size^2 numbers */
} sb_step_map;

/* Sets up the map about an equilibrium: the fixed point that Newton's method on x = step(x) finds from the equilibrium
 * of the system near its initial position, or from that position itself, at rest. Directions in which the
 * fixed points form a continuum are left unchanged (least squares). A fixed point of a step is the equilibrium of the
 * method: regularized constraints have the residuals that carry the load. Fails with SB_UNSUPPORTED if there is none
 * nearby, and like the step. */
int sb_step_map_init(sb_context *ctx, sb_arena *arena, const sb_stepper *type, const void *config, const sb_system *sys,
                     double h, sb_step_map *out);
