/* Planar rigid boxes one on the other on a slope: the lower corners of each against the face below it, reg05 2.7-2.8.
 * Faces have no ends: a corner that leaves its face is still held by it. */
#ifndef STEPBENCH_PROBLEMS_SHARED_BOXES_H
#define STEPBENCH_PROBLEMS_SHARED_BOXES_H

#include <math.h>

#include <stepbench/plugin.h>

enum { BOX_X, BOX_Y, BOX_PHI, BOX_COORDINATES, BOX_CORNERS = 2, BOX_GROUND_ENTRIES = 2, BOX_PAIR_ENTRIES = 6 };

/* q = (x, y, phi) of each box, from the bottom: its centre down the slope and off it, and its angle towards the uphill
 * side. All have width w and height h. Gap and friction row 2 b + k are those of the uphill (k = 0) and the downhill
 * corner of box b. */
typedef struct boxes {
    int n;
    sb_scalar w, h, g, angle, mu, v0;
    bool fixed; /* friction bounded by mu times each corner's share of the weight, not by its normal force: reg05 2.8
                   without adjustment */
    const sb_scalar *m; /* n */
} boxes;

/* The system of boxes whose parameters are set. A step is a fraction of the time in which a box tips or falls by its
 * smaller side. */
int boxes_finish(sb_arena *arena, const boxes *p, sb_system *out);

#endif
