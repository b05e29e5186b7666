/* Steppers with error control: the mesh of their own steps, and the output between its points. */
#pragma once

#include <stepbench/method.h>

/* A step of length h goes from one output to the next. The mesh does not depend on the outputs: its last point is in
 * aux, and a step from there to the end of h is taken for the output alone. Layout of aux: the aux of a base; the
 * number that determines the next step; time, last step, q, v, lambda and aux of the point of the mesh. */
typedef struct sb_adaptive {
    int nbase; /* size of a base's aux, 0 without a base */
    /* Moves the point of the mesh by one accepted step of the sign of `way` and sets *control. Where the point is near
     * enough to `end`, sets *done and changes nothing else. */
    int (*next)(const sb_method *me, sb_state *mesh, sb_scalar *control, sb_scalar way, sb_scalar end, bool *done);
    /* Sets `out` to the state at `end`, which is at most about a step from the point of the mesh. */
    int (*reach)(const sb_method *me, const sb_state *mesh, sb_scalar control, sb_scalar end, sb_state *out);
} sb_adaptive;

/* Returns the size of aux. */
int sb_adaptive_naux(const sb_system *sys, int nbase);
/* Sets the point of the mesh to the state `from`, of a base or without one, and `out` to the same point. */
void sb_adaptive_start(const sb_method *me, int nbase, const sb_state *from, sb_scalar control, sb_state *out);
/* Fails with SB_NOT_CONVERGED where the time `end` rounds by more than the time scale: no number of steps reaches it.
 */
int sb_adaptive_reachable(const sb_method *me, sb_scalar end);

/* Steps of one loop to an output; begins as zero. */
typedef struct sb_adaptive_progress {
    long steps;
    sb_scalar from; /* time of the first of the steps that are counted together */
} sb_adaptive_progress;

/* Counts a step that led to t. Fails with SB_NOT_CONVERGED if the steps are too short to come to an end. */
int sb_adaptive_count(const sb_method *me, sb_adaptive_progress *p, sb_scalar t);
/* Returns the step h (of either sign) from t, or the part of it to the next time at which a term is not smooth: a
 * longer one may pass a pulse of a force between two evaluations, and the estimate of its error is wrong. */
sb_scalar sb_adaptive_shorten(const sb_system *sys, sb_scalar t, sb_scalar h);
/* Takes the step of the stepper. */
int sb_adaptive_step(const sb_method *me, const sb_adaptive *type, const sb_state *in, sb_scalar h, sb_state *out);
/* Fails with SB_NOT_CONVERGED where a step of the length h (of either sign) is too short to change the time t. */
int sb_adaptive_check_step(const sb_method *me, sb_scalar t, sb_scalar h);
