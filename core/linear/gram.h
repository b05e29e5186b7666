/* The Gram matrix S = C' D C of constraint rows, sparse, and its rank. */
#pragma once

#include <stepbench/context.h>
#include <stepbench/numerics/csc.h>
#include <stepbench/system.h>

/* S = S_0 + U U', in which U (m x h) has the few coordinates that very many rows share, as those of a hub: they would
 * fill the factor. S_0 = L E L' in a fixed order. A row that depends on those eliminated before it has the pivot 0; a
 * pivot is the square of a row's component orthogonal to those, in the metric D. Let J be the rows with a pivot and Z
 * the others, xi = U'x, Y = S_J^-1 U_J, P = 1 + U_J'Y and B = U_Z' - Y'S_JZ (of the metric of S_0). Then S x = r is
 *
 *   P xi - B x_Z = Y'r_J,   B'xi = r_Z - S_ZJ S_J^-1 r_J,   S_J x_J = r_J - U_J xi - S_JZ x_Z.
 *
 * Of Z, the rows whose columns of B are independent are kept, at most h; the others are left out. */
typedef struct sb_gram {
    sb_context *ctx;
    int n, m;                 /* coordinates, rows */
    int width;                /* largest number of entries in a row of L, and of xi */
    int rank;                 /* of the last factorization */
    sb_pattern C, by_row;     /* n x m, its columns are the rows of S; its transpose */
    int *at;                  /* entries of the transpose in C */
    int *order;               /* of elimination (m) */
    int *number;              /* its inverse */
    int *parent;              /* in the elimination tree (m) */
    int *first;               /* position of column k of L in Li and Lx (m + 1) */
    int *length;              /* entries of column k that are set (m) */
    int *Li;                  /* rows of L */
    sb_scalar *Lx, *E;        /* values of L; pivots, 0: none */
    sb_scalar *y;             /* scratch (m) */
    int *mark, *path, *above; /* scratch (m) */
    const sb_scalar *Cx, *D;  /* values of the last factorization */
    int h, kept;              /* columns of U; rows kept of Z */
    int *hub;                 /* coordinates of U (h) */
    bool *is_hub;             /* (n) */
    bool *left_out;           /* by the last factorization (m) */
    int *keep;                /* rows kept of Z (h) */
    sb_scalar *U, *Y, *R;     /* m x h; m x h; P = R'R, in the upper triangle (h x h) */
    sb_scalar *Q, *T;         /* R^-T B = Q T, of the rows kept: orthonormal columns (h x h), upper triangle (h x h) */
    sb_scalar *xi, *rest, *v; /* scratch (h, m, n) */
} sb_gram;

/* Finds order and pattern for the first `m` rows of [G A]. The lengths of quaternions are eliminated before the other
 * rows, which follow as they are given, so that of dependent rows the last ones are left out; in an order of little
 * fill where the order given takes more than a tenth of a second. */
int sb_gram_init(sb_context *ctx, sb_arena *arena, const sb_system *sys, int m, sb_gram *out);

/* Factors for the values Cx and D (n; not negative), which stay as they are until the last solution; pivots up to
 * `least` count as 0. Sets `rank` and `left_out`. */
int sb_gram_factor(sb_gram *gram, const sb_scalar *Cx, const sb_scalar *D, sb_scalar least);

/* Solves S x = r in place; x = 0 for the rows that are left out. */
void sb_gram_solve(sb_gram *gram, sb_scalar *r);
