/* Symbolic part of the static LDL' factorization: order, fronts, and a description of every front.
 *
 * The factorization is multifrontal (duff83). A coordinate that no earlier pivot changes and that meets no other
 * coordinate is a leaf: its column of L is that of A over the pivot, and it is read in A and not stored. The other
 * pivots are gathered in fronts: dense symmetric matrices of some pivots that are eliminated together and of the rows
 * below them. In a mechanism a front holds the rows of the joints of a body or two, and its leaves are the coordinates.
 *
 * An example of four unknowns, two coordinates of mass 2 and 4 and two constraints after them (`positive` = 2), the
 * second constraint on the second coordinate only, without regularization:
 *
 *       [ 2  .  2  . ]        [ 1          ]
 *   A = [ .  4  4  4 ]    L = [ .  1       ]    D = 2, 4, -6, -4/3
 *       [ 2  4  .  . ]        [ 1  1  1    ]
 *       [ .  4  .  . ]        [ .  1 2/3 1 ]
 *
 *   order    0 1 2 3: each constraint directly after the last of its coordinates
 *   parent   2 2 3 -: the row of the first entry of L below the diagonal
 *   leaves   0 1
 *   fronts   one, of the pivots 2 and 3, without rows below. Both leaves subtract A(i,k) A(j,k)/D(k) from it:
 *
 *            [ -6    ]
 *            [ -4 -4 ]
 *
 * The right-hand side is one more row of every front, so that a factorization substitutes forward as it goes. What is
 * left of the rows below, the Schur complement, is added to the front of the parent. The bodies of a mechanism share
 * one description, because its places are relative to those of the front.
 *
 * Fronts replace columns and pairs of columns whose products went directly to the columns after them. Instructions per
 * rod and step of SPOOK on the ladder of 100 squares, before and after: 2909 and 1964 (2392 and 1512 for factorization
 * and solution); times of the step over those of the hand-coded elimination, in one run on a busy machine: 4.7 and 3.6
 * at N = 3, 5.2 and 3.5 at 100, 5.5 and 3.7 at 1000, 4.8 and 4.2 at 10000, 5.0 and 4.1 at 100000. On a hub of 30, 100
 * and 300 arms the step takes 0.37, 0.16 and 0.19 of the time before. */
#pragma once

#include <stepbench/context.h>
#include <stepbench/numerics/csc.h>

/* Blocks of a quasi-definite matrix. */
enum { SB_LDL_COORDINATE, SB_LDL_CONSTRAINT };

/* Places in A of a front are relative to that of its first entry of the same block: of M (SB_LDL_COORDINATE), of E
 * (SB_LDL_CONSTRAINT), or between the blocks (SB_LDL_CROSS). */
enum { SB_LDL_CROSS = 2, SB_LDL_BLOCKS };

/* What a front shares with others. Its rows are numbered from its first pivot on: pivots, coordinates before
 * constraints, then the rows below, then the right-hand side. Column j begins at j times the stride. */
typedef struct sb_ldl_shape {
    int pivots[2];              /* coordinates and constraints among the pivots */
    int below;                  /* rows below the pivots */
    int leaves;                 /* leaves that are eliminated before its pivots */
    int entries[SB_LDL_BLOCKS]; /* entries of A in the columns of the pivots */
    int longest_row;            /* most entries of L in the row of a pivot */
    int parent_stride;          /* of the front of the parent */
    int parent_end;             /* the right-hand side's row there */
    int begins;                 /* 1 if the front has no children: it is cleared before its leaves are eliminated */
    int opens;                  /* 1 for the first child of its parent: it clears the parent's front */
    const int *leaf;  /* per leaf: its row of A, the place of its pivot in A and its length; then per entry its row of
                         the front, ascending, and its place in A */
    const int *entry; /* per entry of A: its place in the front and in A */
    const int *row;   /* per pivot: its row of A, and how many entries of L are in that row */
    const int *solution; /* per row below: its place in the solution minus that of the first pivot */
    const int *parent;   /* per row below: its row in the front of the parent */
} sb_ldl_shape;

typedef struct sb_ldl_front {
    int shape;
    int row[2];              /* first row of A of each block, which the rows of a shape are relative to */
    int base[SB_LDL_BLOCKS]; /* first place in A of each block */
    size_t place, parent;    /* where the front and that of its parent are in the memory of all fronts */
} sb_ldl_front;

typedef struct sb_ldl_symbolic {
    int fronts, interior;       /* pivots that are no leaves */
    const sb_ldl_front *front;  /* children before parents */
    const sb_ldl_shape *shapes; /* each once */
    size_t Lx_size, fronts_size;
    int longest;     /* rows of the largest front, with the right-hand side */
    int *diagonal;   /* place in A of the diagonal entry of a coordinate; -1: nowhere */
    size_t *inverse; /* place in Lx of the inverse pivot of a coordinate; SIZE_MAX for a leaf */
} sb_ldl_symbolic;

static inline int sb_ldl_width(const sb_ldl_shape *s) { return s->pivots[0] + s->pivots[1]; }

/* The stride of fronts of fewer rows, for which there are kernels with constant sizes. */
enum { SB_LDL_STRIDE = 16 };

/* Returns the stride of a front with so many rows without the right-hand side. */
static inline int sb_ldl_stride(int rows) { return rows < SB_LDL_STRIDE ? SB_LDL_STRIDE : rows + 1; }

/* Returns how many numbers a front leaves in Lx: per pivot its inverse, L of the rows after it, and D^-1 times the
 * substituted right-hand side. */
static inline size_t sb_ldl_length(int width, int below) {
    return (size_t)width * (size_t)(width + 3) / 2 + (size_t)width * (size_t)below;
}

/* Analyses a symmetric matrix, of which A holds the upper triangle and the whole block of the coordinates, in the order
 * of sb_elimination_order. The value of entry e of A is the at[e]-th of those given (NULL: the e-th). `scratch` is not
 * needed afterwards. Returns SB_NO_MEMORY as sb_elimination_order does. */
int sb_ldl_analyse(sb_arena *arena, sb_arena *scratch, const sb_pattern *A, const int *at, int positive,
                   sb_ldl_symbolic *out);
