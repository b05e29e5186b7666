/* The contacts of a mechanism as a stepper has them: where shapes touch, and the coefficients of an impact with slip.
 */
#pragma once

#include <stepbench/numerics/dynamics.h>

#include "analysis/analysis.h"

typedef struct sb_touching {
    sb_task *task;
    sb_dynamics *dyn;
    const sb_method *method;
    sb_state *in, *out;
    sb_world_parts parts;
    double length, speed, start; /* of the smallest shape; of an impact; the gap at which a test begins */
    sb_scalar *xi, *Nx, *Dx, *column, *way, *q, *v, *v0, *free, *p, *pose, *twist, *unused;
} sb_touching;

/* `epsilon`: round-off of the stepper. `size`: of the motion. */
int sb_touching_init(sb_task *task, sb_dynamics *dyn, const sb_method *method, sb_state *in, sb_state *out,
                     const sb_world_parts *parts, double epsilon, double size, sb_touching *me);

/* Moves q until all gaps are open by half the size of the smallest shape. Returns SB_UNSUPPORTED where they cannot be.
 */
int sb_touching_open(sb_touching *me, sb_scalar *q);

/* Writes the rows of the gaps, restitution and friction, by tests from the open state q. `h`: the step of the impacts;
 * 0: a thousandth of the time in which the smallest shape is crossed. */
int sb_touching_write(sb_touching *me, const sb_scalar *q, double h);
