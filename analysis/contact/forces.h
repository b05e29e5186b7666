/* The forces of the rows of lambda, from the motion alone: for steppers that do not report them. */
#pragma once

#include <stepbench/numerics/contact.h>

/* With the columns C at q0 of all bilateral rows and of the gaps and friction rows that act in the step from (q0, v0)
 * to (q1, v1),
 *
 *   M (v1 - v0) = h (F - T_vq v + C lambda),
 *
 * which gives lambda with an error of order h. Where M varies, as with quaternions, v1 is the velocity at q0 with the
 * twists of the end, because C belongs to q0. A gap acts if the motion without contacts can reach it within the step,
 * |xi| <= h (|N' v0| + h |N' M^-1 F|). Where the rows that act depend on each other, the motion does not determine
 * their forces. */
typedef struct sb_motion_forces {
    sb_context *ctx;
    sb_contact_config config;
    sb_contact_step step;
    sb_scalar *v;                     /* n: v1 as a velocity at q0 */
    sb_scalar *pose, *twist, *q;      /* scratch of v */
    sb_scalar *r, *F, *tmp, *Hx;      /* n, n, n, H */
    sb_scalar *rate, *push, *impulse; /* of each row: C' v0, h C' M^-1 F, C' M^-1 of the impulse */
    double *A, *b;                    /* S of the rows that act, with a unit diagonal; right-hand side */
    int *act, *pivot;                 /* rows that act; their order in the factors */
} sb_motion_forces;

int sb_motion_forces_init(sb_context *ctx, sb_arena *arena, const sb_system *sys, sb_motion_forces *out);

/* Sets me->v and lambda (rows): NaN where the motion does not determine them. */
int sb_motion_forces_find(sb_motion_forces *me, double t, double h, const double *q0, const double *v0,
                          const double *q1, const double *v1, double *lambda);
