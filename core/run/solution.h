/* A reference solution from a file: states at equidistant times with a bound of their error, as `stepbench reference`
 * writes them. */
#ifndef STEPBENCH_CORE_RUN_SOLUTION_H
#define STEPBENCH_CORE_RUN_SOLUTION_H

#include <stepbench/system.h>

enum { SB_SOLUTION_Q, SB_SOLUTION_V, SB_SOLUTION_LAMBDA, SB_SOLUTION_PARTS };

/* States at t0 + j dt, j = 0 ... count. */
typedef struct sb_solution {
    int n, m; /* coordinates and multipliers */
    long count;
    sb_scalar t0, dt;
    sb_scalar *q, *v, *a, *lambda;      /* count + 1 rows of n, n, n and m; a: accelerations, of a file alone */
    sb_scalar bound[SB_SOLUTION_PARTS]; /* of the 2-norms of the errors of q, v and lambda at any sample */
} sb_solution;

/* Reads the solution of `sys`, which was made from the specification `problem`. Fails with SB_IO where the file cannot
 * be read or has another format, and with SB_BAD_USAGE where it belongs to another problem, other parameters or another
 * initial state, or where the accelerations or multipliers of its samples are not those of `sys`: a plug-in or a file
 * that a parameter names was changed. */
int sb_solution_read(sb_context *ctx, sb_arena *arena, const char *problem, const sb_system *sys, const char *file,
                     sb_solution *out);

/* Sets *stride to the least number of steps h after which a solution with samples every dt has one, 1 where dt is 0: it
 * has them everywhere. Fails with SB_BAD_USAGE where there is none within `steps` steps. */
int sb_solution_stride(sb_context *ctx, const char *file, sb_scalar dt, sb_scalar h, long steps, long *stride);

/* Sets *every to the number of samples of the solution in the interval dt. Fails with SB_BAD_USAGE where dt is not a
 * multiple of the solution's interval, or the solution ends before `count` intervals dt. */
int sb_solution_every(sb_context *ctx, const sb_solution *me, const char *file, sb_scalar dt, long count, long *every);

#endif
