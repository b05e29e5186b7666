/* Symbolic part of the static LDL' factorization: order, elimination tree, pattern of L, and a descriptor of every
 * column.
 *
 * Names are those of davis06: parent, column counts, Lp, Li, Lx, D, pattern of row k. An example of four unknowns, two
 * coordinates of mass 2 and 4 and two constraints after them (`positive` = 2), the second constraint on the second
 * coordinate only, without regularization:
 *
 *       [ 2  .  2  . ]        [ 1          ]
 *   A = [ .  4  4  4 ]    L = [ .  1       ]    D = 2, 4, -6, -4/3
 *       [ 2  4  .  . ]        [ 1  1  1    ]
 *       [ .  4  .  . ]        [ .  1 2/3 1 ]
 *
 *   order           0 1 2 3: each constraint directly after the last of its coordinates
 *   parent          2 2 3 -: the row of the first entry below the diagonal
 *   column counts   1 2 1 0 (below the diagonal);  Lp = 0 1 3 4 4,  Li = 2 | 2 3 | 3
 *   pattern of row  -, -, {0 1}, {1 2}: from the entries of A in the column, up the tree; L(3,2) is fill
 *
 * The factorization is right-looking. Columns 0 and 1 are `diagonal`: nothing has been subtracted from them, so that
 * L's entries are A's over the pivot; they are read in A and not stored. They subtract A(i,k) A(j,k)/D(k) for every
 * pair of rows of column k: two coordinates make (2,2) 0 - 2 - 4 = -6, (3,2) 0 - 4 and (3,3) 0 - 4. The others,
 * `interior`, are stored: Lx = -1/6 2/3 | -3/4 holds 1/D and L of columns 2 and 3. Column 3 has the rows of column 2
 * but for itself: the two are a pair, a supernode of two columns, which subtract from the columns to their right
 * together.
 *
 * The elimination of a pivot depends on its place only through offsets, so that the bodies of a mechanism share one
 * descriptor. The alternatives are slower on the ladder of 10 squares, ns per rod for factorization and solution
 * (perf_ladder_times.csv): 211 as it is, 340 up-looking as in SuiteSparse's LDL. */
#pragma once

#include <stepbench/context.h>
#include <stepbench/numerics/csc.h>

/* Blocks of a quasi-definite matrix; a diagonal pivot is a coordinate. */
enum { SB_LDL_COORDINATE, SB_LDL_CONSTRAINT, SB_LDL_DIAGONAL };

/* Place of an interior column in a pair. */
enum { SB_LDL_SINGLE, SB_LDL_FIRST, SB_LDL_SECOND };

enum {
    SB_LDL_SHORT = 8, /* columns of no more entries are eliminated by code of their own, and in pairs: most columns of a
                         mechanism */
    SB_LDL_TARGETED = 24, /* columns of no more entries have a list of targets, which has half a column of numbers per
                             entry of L at this length */
    SB_LDL_BLOCK = 64     /* pivots between two clearings of Lx: few enough to stay in the nearest cache */
};

/* A column of L. All places are relative, to the pivot or to the last pivot of the same block. */
typedef struct sb_ldl_column {
    int kind;        /* SB_LDL_COORDINATE, _CONSTRAINT or _DIAGONAL */
    int role;        /* SB_LDL_SINGLE, _FIRST or _SECOND */
    int length;      /* column count: entries below the diagonal */
    int row_length;  /* entries of L in the row of the pivot */
    int row_step;    /* from the row in A of the previous pivot of this block to that of this one */
    int own_step;    /* likewise between the places of their diagonal entries in A */
    int cross_step;  /* likewise from the first entry between the blocks in the last column that has one */
    int own_entries; /* entries of A, diagonal and below, in the block of the pivot */
    int entries;     /* with those between the blocks, which follow */
    const int *rows; /* Li: place of each row in y minus the pivot's (length) */
    /* Diagonal pivot: where each entry below the diagonal is in A, minus cross (length). Else for each of `entries`
     * where it is in A, minus own or cross, and which entry of the column it is, 0 for the diagonal. */
    const int *in_A;
    /* For every two rows, by columns of the lower triangle, the place in Lx that receives their product, minus the
     * place of the pivot. NULL for more than SB_LDL_TARGETED entries: the list would be longer than L. */
    const int *targets;
} sb_ldl_column;

/* Position of a pass over the pivots in A and in its rows, by block. */
typedef struct sb_ldl_position {
    int row[2], own[2], cross;
} sb_ldl_position;

typedef struct sb_ldl_symbolic {
    int n;
    int interior;                 /* pivots that are not diagonal */
    int *order;                   /* order[k]: the row of A eliminated k-th */
    int *column_of;               /* index of the descriptor of pivot k */
    const sb_ldl_column *columns; /* descriptors, each once */
    sb_ldl_position first, last;  /* before the first pivot, and at the last */
    int *interior_of;             /* number of row i of A among the interior pivots; -1 for a diagonal pivot */
    int *pivot;                   /* k of an interior pivot */
    size_t *Lp;                   /* where its column begins in Lx: 1/D, then L's values */
    size_t *Lx_end;               /* size of the part of Lx that has to be clear before the pivots of block b */
    int *y_end;                   /* likewise of y */
    size_t Lx_size;
    int *diagonal; /* where the diagonal of coordinate i is in A; -1: nowhere */
} sb_ldl_symbolic;

/* Analyses a symmetric matrix whose upper triangle A holds, in the order of sb_elimination_order. The value of entry e
 * of A is the at[e]-th of those given (NULL: the e-th). `scratch` is not needed afterwards. Returns SB_NO_MEMORY as
 * sb_elimination_order does. */
int sb_ldl_analyse(sb_arena *arena, sb_arena *scratch, const sb_pattern *A, const int *at, int positive,
                   sb_ldl_symbolic *out);
