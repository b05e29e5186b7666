/* The picture of a mechanism: points that move with its bodies, and lines between them. */
#ifndef STEPBENCH_BENCH_PICTURE_PICTURE_H
#define STEPBENCH_BENCH_PICTURE_PICTURE_H

#include <stepbench/system.h>

#include "core/base/spec.h"

/* What carries a point, by its coordinates q[at], ...: nothing, a particle, a rod (its centre and its direction), or a
 * rigid body (its centre and an angle, or a unit quaternion). */
typedef enum sb_carrier { SB_CARRIER_GROUND, SB_CARRIER_PARTICLE, SB_CARRIER_ROD, SB_CARRIER_BODY } sb_carrier;

typedef struct sb_picture_point {
    sb_carrier carrier;
    int at;
    double local[3]; /* of a rod only the first: -1/2 and 1/2 at its ends */
} sb_picture_point;

typedef struct sb_picture_line {
    int from, to;
    bool spring;
} sb_picture_line;

typedef struct sb_picture {
    int dimension; /* 2 or 3 */
    int coordinates;
    int up; /* the axis that is drawn upward */
    int npoints, nlines;
    sb_picture_point *points;
    sb_picture_line *lines;
} sb_picture;

/* Makes the picture of a problem with n coordinates: of `mechanism` from its file, which the problem has accepted, of
 * others from assets/pictures.csv. Fails with SB_UNSUPPORTED for a problem without a picture, and under a formulation
 * that has other coordinates. */
int sb_picture_make(sb_context *ctx, sb_arena *arena, const sb_spec *problem, int n, sb_picture *out);

/* Sets x[dimension] to the place of point k. */
void sb_picture_place(const sb_picture *picture, int k, const sb_scalar *q, double x[3]);

#endif
