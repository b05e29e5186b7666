/* The box linear complementarity problem of contacts and dry friction, reg05 (5.1), and its solvers: a small registry
 * of their own. */
#ifndef STEPBENCH_NUMERICS_LCP_H
#define STEPBENCH_NUMERICS_LCP_H

#include <stdbool.h>

#include <stepbench/arena.h>
#include <stepbench/context.h>
#include <stepbench/entry.h>
#include <stepbench/numerics/csc.h>

/* Find z with lo <= z <= hi such that, for w = A z + b and every row i,
 *
 *   w_i >= 0 where z_i = lo_i,   w_i <= 0 where z_i = hi_i,   w_i = 0 where lo_i < z_i < hi_i.
 *
 * A row with infinite bounds is an equation. A (n x n) is symmetric positive semi-definite, as the Schur complement C'
 * M^-1 C + Sigma of the constraints of a step is: z are then impulses, w velocities, b = C' M^-1 r - s in the words of
 * kkt.h. For a definite A there is one solution. A semi-definite A may leave z open (duplicated rows), or allow no
 * solution. */

/* Where a row ends up. */
enum { SB_LCP_LO = -1, SB_LCP_FREE = 0, SB_LCP_HI = 1 };

typedef struct sb_lcp_report {
    long iterations;     /* rounds, pivots or sweeps: the solver's `counts` */
    long changes;        /* times a row changed between bound and equation */
    long factorizations; /* of a matrix of A's size or less */
    int free;            /* rows that ended as equations */
    sb_scalar residual;  /* sb_lcp_residual of the result */
} sb_lcp_report;

/* A solver bound to a pattern. */
typedef struct sb_lcp {
    const struct sb_lcp_solver *type;
    const void *config;
    sb_context *ctx;
    sb_pattern A;        /* both triangles, every diagonal entry */
    const sb_scalar *Ax; /* of the last solve */
    void *work;
} sb_lcp;

/* The problem that a solver solves; its bounds are checked. The solver sets z, side and all of the report but `free`
 * and `residual`. */
typedef struct sb_lcp_problem {
    const sb_scalar *Ax, *b, *lo, *hi;
    bool same; /* Ax is what it was at the last solve */
} sb_lcp_problem;

typedef struct sb_lcp_solver {
    sb_entry entry;
    const char *counts; /* what iterations are: "rounds" */
    bool direct;        /* solves to round-off or fails; other solvers report the residual that is left */
    int (*analyse)(sb_lcp *me, sb_arena *arena); /* symbolic phase, once per run; all members but work are set */
    int (*solve)(sb_lcp *me, const sb_lcp_problem *problem, sb_scalar *z, signed char *side, sb_lcp_report *report);
} sb_lcp_solver;

/* The solver of a specification "name" or "name:k=v,..." (in brackets where it is a value among others:
 * lcp=[pgs:sweeps=20,tol=1e-3]) and its configuration from the arena. `linear` is the linear solver of one that has a
 * parameter `solver` and is not given it in `spec`; "auto": its own choice. SB_BAD_USAGE names the nearest names, or
 * says that `linear` would do nothing. */
int sb_lcp_find(sb_context *ctx, sb_arena *arena, const char *spec, const char *linear, const sb_lcp_solver **type,
                const void **config);

/* Binds a solver to a pattern. `config` outlives it. */
int sb_lcp_init(sb_context *ctx, sb_arena *arena, const sb_lcp_solver *type, const void *config, const sb_pattern *A,
                sb_lcp *out);

/* Solves. Allocates nothing from the arena.
 * Ax    values on the pattern; they must outlive the next call, which may pass NULL for "the same values as before" and
 * then reuses factors. z     (n) on entry where iterations start, on return the solution. side  (n) on entry the
 * guessed side of each row (SB_LCP_LO, SB_LCP_FREE, SB_LCP_HI), on return where z is; NULL: guessed from z. Everything
 * on entry is a guess, and may be zero; it changes the solution of a definite problem only by round-off. SB_BAD_USAGE:
 * a bound is NaN, lo > hi, or an infinity is the only value allowed. SB_NOT_FINITE: b is not finite. SB_SINGULAR: the
 * equations of the free rows depend on each other. SB_NOT_CONVERGED: the limit of iterations was reached, or there is
 * no solution. Every message names the numbers of rows and of free rows. z and side are then where the solver stood. */
int sb_lcp_solve(sb_lcp *lcp, const sb_scalar *Ax, const sb_scalar *b, const sb_scalar *lo, const sb_scalar *hi,
                 sb_scalar *z, signed char *side, sb_lcp_report *report);

/* Returns w_i = (A z + b)_i of a symmetric A. *size is the sum of the absolute values of its terms. */
static inline sb_scalar sb_lcp_row(const sb_pattern *A, const sb_scalar *Ax, const sb_scalar *b, const sb_scalar *z,
                                   int i, sb_scalar *size) {
    sb_scalar sum = b[i], terms = b[i] < 0.0 ? -b[i] : b[i];
    for (int k = A->p[i]; k < A->p[i + 1]; k++) {
        const sb_scalar term = Ax[k] * z[A->i[k]];
        sum += term;
        terms += term < 0.0 ? -term : term;
    }
    *size = terms;
    return sum;
}

/* Returns the natural residual of row i, mid(a (z_i - hi_i), w_i, a (z_i - lo_i)) with a = A_ii, for w_i given: a times
 * the change of z_i that solves the row by itself. Zero exactly where the row's conditions hold; of the unit of w. */
static inline sb_scalar sb_lcp_natural(sb_scalar a, sb_scalar w, sb_scalar z, sb_scalar lo, sb_scalar hi) {
    const sb_scalar above = a * (z - hi), below = a * (z - lo); /* above <= below */
    return w < above ? above : w > below ? below : w;
}

/* Returns the largest natural residual over the size of the row's terms, |b_i| + sum_j |A_ij z_j|: 0 for a solution, of
 * the order of SB_EPSILON for its best approximation in this precision, whatever the units of each row. Returns NaN if
 * any of them is NaN. */
sb_scalar sb_lcp_residual(const sb_pattern *A, const sb_scalar *Ax, const sb_scalar *b, const sb_scalar *lo,
                          const sb_scalar *hi, const sb_scalar *z);

#endif
