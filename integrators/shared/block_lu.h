/* LU factorization of a sparse matrix of small dense blocks in a fixed order, with pivoting inside the blocks: the
 * stages of one unknown make a block. */
#pragma once

#include <stepbench/pattern.h>

enum { BLOCK_MAX = 8 };

/* Block (k, i) has width[k] rows and width[i] columns, stored by rows. The pattern is symmetric. Below, k and i count
 * in the order of elimination; the entries of column k of L and row k of U lie in blocks p[k] ... p[k + 1] - 1. */
typedef struct block_lu {
    int n;
    const int *number;             /* position of an unknown in the order of elimination */
    const int *width, *first;      /* width of block k, and its first component in x */
    const int *p, *i;              /* i[e] > k: the blocks coupled to k, with those that fill in */
    const int *at_D, *at_L, *at_U; /* where the blocks begin in the values */
    const int *target;             /* the blocks that the products of the elimination change, in their order */
    int values;
    sb_scalar *x; /* the values */
} block_lu;

/* Prepares the factorization for the couplings of blocks in `pattern` (symmetric). The diagonal blocks before
 * `positive` are regular; the others become regular by the elimination of the blocks that they are coupled to. */
int sb_block_lu_init(sb_arena *arena, const sb_pattern *pattern, int positive, const int *width, block_lu *out);
/* Returns the place in out->x of component (a, b) of the block of unknowns (row, col). */
int sb_block_lu_place(const block_lu *lu, int row, int col, int a, int b);
/* Factors the values in place. Returns the unknown whose pivot block is singular, or -1. */
int sb_block_lu_factor(block_lu *lu);
/* Solves in place; component a of unknown `row` is b[first[number[row]] + a]. */
void sb_block_lu_solve(const block_lu *lu, sb_scalar *b);
