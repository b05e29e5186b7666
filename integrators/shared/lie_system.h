/* A system on the Lie group R^a x S^3 x ... x S^3: its plain coordinates, and the unit quaternions that it declares.
 *
 * A point is q of the system. A velocity is xi (k): the velocities of the plain coordinates, and of each quaternion the
 * three rates Omega of the moving frame, e' = e (0, Omega/2), in the order of the coordinates:
 *
 *   v = B(q) xi,   pi = B(q)' p,   |e| = 1.
 *
 * The rows of g that keep the lengths of quaternions are left out: B' times their gradients is zero. A system without
 * quaternions has B = 1, and methods on the group are then methods in its coordinates. */
#pragma once

#include <stepbench/plugin.h>

#include "integrators/shared/lie_group.h"

/* An n x k matrix of one block per group: a number for all plain coordinates, 4 x 3 for a quaternion. */
typedef struct lie_blocks {
    sb_scalar plain;
    sb_scalar (*block)[4][3];
} lie_blocks;

typedef struct lie {
    const sb_system *sys;
    int k;               /* length of xi */
    const int *to;       /* index in xi of each coordinate, or of the first rate of its quaternion (n) */
    const int *of;       /* the quaternion that it belongs to; -1: a plain coordinate (n) */
    sb_pattern C, R;     /* the rows [G A] of the system (n x all); those in xi, without lengths (k x rows) */
    int rows, holonomic; /* rows of R; those of g among them */
    const int *row;      /* their numbers in lambda (rows) */
    const int *begin_R;  /* row j of C goes to R by the entries at_R[begin_R[j]] ...; by none if it is a length */
    int *at_R;           /* place in R of one or three numbers per entry of C */
    int *at_H;           /* place in algebra.H of the numbers of each entry of sys->H, by columns */
    int *at_block;       /* likewise of the 3 x 3 block of each quaternion: nine per quaternion, by columns */
    sb_system algebra;   /* patterns of H and R and their sizes alone: for saddle systems in xi */
} lie;

int sb_lie_init(sb_arena *arena, const sb_system *sys, lie *out);
/* Allocates one block per quaternion. */
int sb_lie_blocks_new(sb_arena *arena, const lie *L, lie_blocks *out);

/* Sets q1 = q0 tau(s): x + s, and e tau(phi). */
void sb_lie_move(const lie *L, lie_map map, const sb_scalar *q0, const sb_scalar *s, sb_scalar *q1);
/* Computes v = B(q) xi, and xi from a tangent v. With the second derivative of q in place of v, the latter is xi'. */
void sb_lie_velocity(const lie *L, const sb_scalar *q, const sb_scalar *xi, sb_scalar *v);
void sb_lie_rates(const lie *L, const sb_scalar *q, const sb_scalar *v, sb_scalar *xi);
/* Computes pi = B(q)' p, and the p along the tangent space with B(q)' p = pi. */
void sb_lie_pull(const lie *L, const sb_scalar *q, const sb_scalar *p, sb_scalar *pi);
void sb_lie_push(const lie *L, const sb_scalar *q, const sb_scalar *pi, sb_scalar *p);
/* Sets B(q). */
void sb_lie_basis(const lie *L, const sb_scalar *q, lie_blocks *B);

/* Sets the derivative of q1 = q0 tau(s) in s, B(q1) T(s). */
void sb_lie_move_derivative(const lie *L, lie_map map, const sb_scalar *s, const sb_scalar *q1, lie_blocks *out);

/* Rx += c blocks' Cx for the rows first ... end - 1 of C. */
void sb_lie_add_rows(const lie *L, int first, int end, sb_scalar c, const sb_scalar *Cx, const lie_blocks *blocks,
                     sb_scalar *Rx);
/* Sets g (NULL: not wanted) and the values of C at (t, q), of lengths only where there are other rows of g; B(q); and
 * Rx = B' Cx. */
int sb_lie_rows_value(const lie *L, sb_scalar t, const sb_scalar *q, sb_scalar *g, sb_scalar *Cx, lie_blocks *B,
                      sb_scalar *Rx);
/* Kx += left' Hx right, for values on sys->H and on algebra.H. */
void sb_lie_add(const lie *L, const sb_scalar *Hx, const lie_blocks *left, const lie_blocks *right, sb_scalar *Kx);
