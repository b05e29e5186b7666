/* Planar rigid boxes stacked on a slope, with contacts between the lower corners of each and the face below, reg05
 * 2.7-2.8. Faces are infinite lines. */
#pragma once

#include <stepbench/plugin.h>

enum { BOX_X, BOX_Y, BOX_PHI, BOX_COORDINATES, BOX_CORNERS = 2, BOX_GROUND_ENTRIES = 2, BOX_PAIR_ENTRIES = 6 };

/* q = (x, y, phi) of each box, from the bottom: its centre along the slope downhill and normal to it, and its angle
 * towards the uphill side. All boxes have width w and height h. Gap and friction row 2 b + k belong to the uphill (k =
 * 0) and the downhill corner of box b. */
typedef struct boxes {
    int n;
    sb_scalar w, h, g, angle, mu, v0;
    bool fixed; /* friction is bounded by mu times a corner's share of the weight, not by its normal force: reg05 2.8 */
    const sb_scalar *m; /* n */
} boxes;

/* Sets all terms of the system. Its time scale is the time in which a box falls by its smaller side. */
int sb_boxes_finish(sb_arena *arena, const boxes *p, sb_system *out);
