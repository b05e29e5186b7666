/* Terms of planar mechanisms in angles. The squared velocity of a point at the end of a chain of bars, its height, and
 * the closure of a loop are sums of cosines and sines of sums of angles. Each term is
 *
 *   c cos x + s sin x,   x = q_a + sign q_b,
 *
 * and contributes to an entry of the mass matrix, to the potential, or to a constraint. */
#pragma once

#include <string.h>

#include <stepbench/plugin.h>

enum { NO_ANGLE = -1 };

typedef struct cosine {
    int i, j;       /* the mass matrix's entry (i, j) and (j, i), i >= j; or i: the row of a constraint */
    int a, b;       /* angles of x; NO_ANGLE: none */
    sb_scalar sign; /* of the second angle */
    sb_scalar c, s;
} cosine;

typedef struct cosines {
    int n, m; /* coordinates; constraints */
    int kinetic_count, potential_count, row_count;
    const cosine *kinetic, *potential, *row; /* successive terms of the same x share a cosine and a sine */
    sb_pattern H, M, G;
    int *at_M, *at_G; /* two per term: positions of M(i, j) and M(j, i); of the entries of the angles in row i of G */
} cosines;

/* Sets the system's inertia, potential and constraints from the terms, and the patterns. */
int sb_cosines_finish(sb_arena *arena, cosines *p, sb_system *out);
