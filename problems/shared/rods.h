/* Planar rods joined at their ends, spook07 6: rod r has its centre x and a direction u with (u.u - 1)/2 = 0; its tail
 * is x - l u/2, its head x + l u/2. Every term is linear or diagonal, so that a chain of any length costs the same per
 * rod. */
#pragma once

#include <string.h>

#include <stepbench/plugin.h>

/* Joins an end of rod `second` to an end of rod `first` < second, or to the origin if first = -1. Ends: -1 the tail, +1
 * the head. A joint of a tail determines the position of its rod; the others close loops. */
typedef struct rods_joint {
    int first, first_end, second, second_end;
} rods_joint;

/* q = (x, y, ux, uy) of each rod. In the chart q = C e(s) with e(s) = (sin s, -cos s), s an angle from the downward
 * vertical. */
typedef struct rods {
    int n, njoints, nangles;
    sb_scalar l, g;
    sb_scalar *m; /* of each rod */
    rods_joint *joint;
    int *angle;    /* index of the chart's angle of each rod */
    int *unit_row; /* index of the row (u.u - 1)/2 of each rod */
    sb_scalar *q0;
    int tip; /* the rod whose head is the tip */
    sb_chart chart;
    sb_scalar *coefficient; /* C on the chart's D */
    sb_pattern rows;        /* D by rows */
    int *row_at;            /* positions on D of the entries of `rows` */
} rods;

enum { RODS_X, RODS_Y, RODS_UX, RODS_UY, RODS_COORDINATES };

/* Allocates n rods and their joints. The caller sets l, g, m, joint (a rod is placed before others are joined to it),
 * angle, the directions in q0, and tip. */
int sb_rods_new(sb_arena *arena, int n, int njoints, int nangles, rods **out);

/* Sets all terms of the system, its outputs and start, and its chart unless the chain is too long. */
int sb_rods_finish(sb_arena *arena, rods *p, sb_system *out);
