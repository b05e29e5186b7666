/* Reference solutions from files that `stepbench reference` writes: states at equidistant times with bounds of their
 * errors. */
#pragma once

#include <stepbench/system.h>

enum { SB_SOLUTION_Q, SB_SOLUTION_V, SB_SOLUTION_LAMBDA, SB_SOLUTION_PARTS };

/* States at t0 + j dt, j = 0 ... count. */
typedef struct sb_solution {
    int n, m; /* coordinates and multipliers */
    long count;
    sb_scalar t0, dt;
    sb_scalar *q, *v, *a,
        *lambda; /* count + 1 rows of n, n, n and m; a: accelerations, only of a solution from a file */
    sb_scalar bound[SB_SOLUTION_PARTS]; /* bounds of the 2-norms of the errors of q, v and lambda at any sample */
} sb_solution;

/* Reads the solution of `sys`, which was made from the specification `problem`. Fails with SB_IO if the file cannot be
 * read or has another format. Fails with SB_BAD_USAGE if it is the solution of another problem, with other parameters
 * or another initial state, or if the accelerations or multipliers of its samples differ from those of `sys`, because a
 * plug-in or a file that a parameter names was changed. */
int sb_solution_read(sb_context *ctx, sb_arena *arena, const char *problem, const sb_system *sys, const char *file,
                     sb_solution *out);

/* Sets *stride to the smallest number of steps of length h that ends at a sample of a solution with samples every dt; 1
 * if dt is 0, for a solution that is known at all times. Fails with SB_BAD_USAGE if no multiple up to `steps` does. */
int sb_solution_stride(sb_context *ctx, const char *file, sb_scalar dt, sb_scalar h, long steps, long *stride);

/* Sets *every to the number of samples of the solution in the interval dt. Fails with SB_BAD_USAGE if dt is not a
 * multiple of the interval of the solution, or if the solution ends before `count` intervals dt. */
int sb_solution_every(sb_context *ctx, const sb_solution *me, const char *file, sb_scalar dt, long count, long *every);
