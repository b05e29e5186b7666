/* A system on the Lie group R^a x S^3 x ... x S^3: its plain coordinates, and the unit quaternions that it declares.
 *
 * A point is q of the system. A velocity is xi (k): the velocities of the plain coordinates, and of each quaternion the
 * three rates Omega of the moving frame, e' = e (0, Omega/2), in the order of the coordinates:
 *
 *   v = B(q) xi,   pi = B(q)' p,   |e| = 1.
 *
 * The rows of g that keep the lengths of quaternions are left out: B' times their gradients is zero. A system without
 * quaternions has B = 1, and methods on the group are then methods in its coordinates. */
#ifndef STEPBENCH_INTEGRATORS_SHARED_LIE_SYSTEM_H
#define STEPBENCH_INTEGRATORS_SHARED_LIE_SYSTEM_H

#include <stepbench/plugin.h>

#include "integrators/shared/lie_group.h"

/* An n x k matrix of one block per group: a number for all plain coordinates, 4 x 3 for a quaternion. */
typedef struct lie_blocks {
    sb_scalar plain;
    sb_scalar (*block)[4][3];
} lie_blocks;

/* Rows in the coordinates, and the same rows in xi. */
typedef struct lie_rows {
    const sb_pattern *C; /* of the system */
    sb_pattern R;        /* k x rows, without those of quaternions */
    int (*at)[3];        /* where an entry of C goes in R: one entry, or three; -1: nowhere */
} lie_rows;

typedef struct lie {
    const sb_system *sys;
    int k, rows;    /* rows of G and A without those of quaternions */
    const int *row; /* their numbers in lambda (rows) */
    const int *to;  /* where each coordinate goes in xi: one entry, or the first of three (n) */
    const int *of;  /* the quaternion that it belongs to; -1: a plain coordinate (n) */
    lie_rows G, A;
    int (*at_block)[9]; /* where the 3 x 3 block of each quaternion is in algebra.H, by columns */
    int (*at_H)[9];     /* where an entry of sys->H goes in algebra.H */
    sb_system algebra;  /* patterns of H, G and A and their sizes alone: for saddle systems in xi */
} lie;

int lie_init(sb_arena *arena, const sb_system *sys, lie *out);
/* Allocates one block per quaternion. */
int lie_blocks_new(sb_arena *arena, const lie *L, lie_blocks *out);

/* Sets q1 = q0 tau(s): x + s, and e tau(phi). */
void lie_move(const lie *L, lie_map map, const sb_scalar *q0, const sb_scalar *s, sb_scalar *q1);
/* Computes v = B(q) xi, and xi from a tangent v. With the second derivative of q in place of v, the latter is xi'. */
void lie_velocity(const lie *L, const sb_scalar *q, const sb_scalar *xi, sb_scalar *v);
void lie_rates(const lie *L, const sb_scalar *q, const sb_scalar *v, sb_scalar *xi);
/* Computes pi = B(q)' p, and the p along the tangent space with B(q)' p = pi. */
void lie_pull(const lie *L, const sb_scalar *q, const sb_scalar *p, sb_scalar *pi);
void lie_push(const lie *L, const sb_scalar *q, const sb_scalar *pi, sb_scalar *p);
/* Sets B(q). */
void lie_basis(const lie *L, const sb_scalar *q, lie_blocks *B);

/* Sets block b of `out` to that of `in` times X. */
void lie_multiply_block(const lie_blocks *in, int b, sb_scalar X[3][3], lie_blocks *out);

/* Rx += c blocks' Cx, for values on the patterns of rows. */
void lie_add_rows(const lie *L, const lie_rows *rows, sb_scalar c, const sb_scalar *Cx, const lie_blocks *blocks,
                  sb_scalar *Rx);
/* Kx += left' Hx right, for values on sys->H and on algebra.H. */
void lie_add(const lie *L, const sb_scalar *Hx, const lie_blocks *left, const lie_blocks *right, sb_scalar *Kx);

#endif
