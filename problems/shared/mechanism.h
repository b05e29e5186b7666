/* Mechanisms of rigid bodies in space: points that meet, directions that stay perpendicular, coordinates that are
 * fixed, and the quaternions' lengths. */
#ifndef STEPBENCH_PROBLEMS_SHARED_MECHANISM_H
#define STEPBENCH_PROBLEMS_SHARED_MECHANISM_H

#include "problems/shared/bodies.h"

enum { GROUND = -1, BODIES_MAX = 3, POINTS_MAX = 3, ALIGNED_MAX = 6, FIXED_MAX = 5, MATRIX = 16 };

/* Two points meet, each fixed in a body, the second one of which comes later. */
typedef struct point {
    int body[2];
    sb_scalar at[2][3];
} point;

/* Two directions are perpendicular, each fixed in a body, the second one of which comes later. */
typedef struct aligned {
    int body[2];
    sb_scalar along[2][3];
} aligned;

/* A coordinate has a value. */
typedef struct fixed {
    int coordinate;
    sb_scalar value;
} fixed;

/* Constraints in this order: the points' rows, the perpendicular directions', the fixed coordinates', the bodies'
 * quaternions'. */
typedef struct mechanism {
    int nbodies, npoints, naligned, nfixed;
    body body[BODIES_MAX];
    point points[POINTS_MAX];
    aligned aligned[ALIGNED_MAX];
    fixed fixed[FIXED_MAX];
    sb_attitude attitude[BODIES_MAX];
    int m;                               /* rows */
    int at_body[BODIES_MAX][BODY_NNZ];   /* where a body's entries sit on H */
    int at_pair[ALIGNED_MAX][2][MATRIX]; /* where the blocks (second, first) and (first, second) of a pair sit */
} mechanism;

static inline const sb_scalar *attitude(const sb_scalar *q, int b) { return q + BODY_COORDINATES * b + BODY_E; }

/* Sets all terms of the bodies and joints. */
int mechanism_finish(sb_arena *arena, mechanism *p, sb_system *out);

#endif
