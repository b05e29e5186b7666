/* Deviation: two runs of a method, from the initial state and from a perturbed initial velocity, and the growth of
 * their difference. */
#ifndef STEPBENCH_ANALYSIS_STABILITY_DEVIATION_H
#define STEPBENCH_ANALYSIS_STABILITY_DEVIATION_H

#include <stepbench/numerics/dynamics.h>

#include "analysis/analysis.h"
#include "analysis/orbit.h"

/* d is the difference of the positions, w = (d_k - d_{k-1})/h its two-point velocity, so that no report is needed, and
 * w' M w/2 its energy. */
typedef struct sb_deviation {
    sb_method method;
    sb_dynamics dyn;
    sb_orbit orbit[2];               /* unperturbed and perturbed */
    double h;                        /* s */
    long steps;                      /* number of steps taken */
    double growth;                   /* logarithm of the energy over that of the first step */
    double scale;                    /* logarithm of the factors that sb_deviation_shrink has taken out */
    double first;                    /* energy of the first step */
    double *d0, *d1, *w, *p, *q, *v; /* the last two differences, their velocity; scratch */
} sb_deviation;

/* Allocates the runs from the arena. */
int sb_deviation_init(sb_context *ctx, sb_arena *arena, const sb_pair *pair, sb_deviation *out);

/* Starts both runs with step h. The perturbation of the velocity comes from impulses on every coordinate at once, in a
 * pattern without symmetry; `kick` is its largest component, in units of the largest coordinate per time scale. Fails
 * with SB_UNSUPPORTED if the constraints leave no motion. */
int sb_deviation_start(sb_deviation *d, double kick, double h);

/* Takes a step of both runs and sets d->growth. Fails like the step. */
int sb_deviation_step(sb_deviation *d);

/* Moves the perturbed run nearer to the other one if the difference has grown by more than 1e4 since the last time, to
 * what it was then: differences stay small, and d->growth continues. */
void sb_deviation_shrink(sb_deviation *d);

/* Computes the fraction of the energy of w that is tangent to the constraint manifold at the unperturbed position. */
int sb_deviation_transversal(sb_deviation *d, double *share);

#endif
