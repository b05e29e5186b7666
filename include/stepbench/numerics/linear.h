/* Linear solvers: a registry of their own (core/linear/list.def). */
#ifndef STEPBENCH_NUMERICS_LINEAR_H
#define STEPBENCH_NUMERICS_LINEAR_H

#include <stdbool.h>
#include <stepbench/arena.h>
#include <stepbench/context.h>
#include <stepbench/entry.h>
#include <stepbench/numerics/csc.h>
#include <stepbench/problem.h>

typedef struct sb_linear {
    const struct sb_solver *type;
    sb_context *ctx;
    sb_pattern A;  /* square */
    const int *at; /* the value of entry e is the at[e]-th of those given; NULL: the e-th. Given to solvers that read
                      values `in_place`, and set by the analysis of one that has an order of its own */
    int values;    /* how many are given; those of no entry are zero */
    int positive;  /* rows before this one have positive pivots in an LDL' factorization, the rest negative ones */
    int first_constraint;     /* rows from this one on are constraints: for messages */
    const sb_system *rows;    /* these constraints, for their names in messages; NULL: they have numbers.
                                 Set after sb_linear_init */
    sb_scalar singular_below; /* a pivot below this share of the numbers it is computed from counts as zero; 0 unless
                              set after sb_linear_init */
    void *work;
} sb_linear;

/* The form of a matrix when a solver is chosen for it. */
typedef enum sb_form {
    SB_FORM_SADDLE, /* symmetric quasi-definite: positive pivots of the coordinates, negative ones of the constraints */
    SB_FORM_SCHUR,  /* symmetric positive definite */
    SB_FORM_GENERAL /* neither symmetric nor definite */
} sb_form;

typedef struct sb_linear_stats {
    long nnz_factor; /* numbers a factorization stores */
} sb_linear_stats;

/* Each operation returns a status; SB_SINGULAR names the coordinate or constraint the bad pivot belongs to. */
typedef struct sb_solver {
    sb_entry entry;
    const char *package; /* Debian package of the library it rests on; NULL: always there. Left out of a build, it has
                            no analyse. */
    bool full;           /* needs the full pattern: values are then a dense column-major matrix */
    bool symmetric; /* for symmetric quasi-definite matrices only: positive on the first `positive` rows, negative on
                     * the rest. Entries in the lower left block, of constraint rows in the columns of coordinates, are
                     * not read and may be missing. */
    bool definite;  /* for symmetric positive definite matrices only: all rows are positive */
    bool in_place;  /* reads values wherever `at` of sb_linear says, without assembly: the ladder's step at N = 1000
                       takes 1.06 times as long with it */
    int (*analyse)(sb_linear *me, sb_arena *arena);    /* symbolic phase, once per run; all members but work are set */
    int (*factor)(sb_linear *me, const sb_scalar *Ax); /* numeric phase; allocates nothing of the arena. Ax stays as it
                                                       is until the last solution */
    int (*solve)(const sb_linear *me, sb_scalar *b);   /* b becomes A^-1 b */
    int (*factor_solve)(sb_linear *me, const sb_scalar *Ax,
                        sb_scalar *b); /* both in one pass over the factors; NULL: one after the other */
    void (*stats)(const sb_linear *me, sb_linear_stats *out);
} sb_solver;

int sb_linear_init(sb_context *ctx, sb_arena *arena, const sb_solver *type, const sb_pattern *A, int positive,
                   int first_constraint, sb_linear *out);
/* Returns SB_BAD_USAGE for a solver that this build leaves out, with the package that contains it. */
int sb_solver_check(sb_context *ctx, const sb_solver *solver);
/* The solver `name` ("auto": the fastest for `size` unknowns) for a matrix of this form; NULL with SB_BAD_USAGE's
 * sentence when there is none of the name (nearest names), it does not take the form, or this build leaves it out (the
 * package that brings it). What "auto" gives for a saddle matrix is chosen by sb_saddle_init_with, by the
 * pattern. */
const sb_solver *sb_solver_choose(sb_context *ctx, const char *name, sb_form form, int size);
/* Returns SB_SINGULAR with the sentence for a vanishing or wrong-signed pivot at `row` of the matrix, and SB_NOT_FINITE
 * for one that is not finite. */
int sb_linear_bad_pivot(const sb_linear *me, int row, sb_scalar pivot);

#endif
