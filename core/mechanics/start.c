/* A consistent start: Newton's method on g(t, q) = 0 with corrections of least squares, then a linear system for the
 * velocities. Coordinates are divided by their sizes and rows by the lengths of their gradients, so that neither the
 * corrections nor the rank depend on units; redundant rows are left out (gram.h). */

#include <stepbench/numerics/newton.h>
#include <stepbench/numerics/norm.h>
#include <stepbench/numerics/start.h>

#include "core/linear/gram.h"

enum { ITERATIONS = 50 };

typedef struct start {
    const sb_system *sys;
    sb_context *ctx;
    sb_scalar t;
    const bool *may_move;  /* the solve may change the coordinate or velocity (n) */
    const sb_scalar *size; /* of coordinates (n); NULL: 1 */
    int m;                 /* rows: holonomic ones; for velocities all bilateral ones */
    sb_gram gram;          /* of the rows, C'WC: W = 1 for coordinates that move and 0 for the others */
    sb_scalar *Cx, *w;     /* values of the gradients, after set_rows of length 1; g_t, then w */
    sb_scalar *W;          /* (n) */
    sb_scalar *row_norm;   /* norms of the gradients (m) */
    sb_scalar *r, *x;      /* m: right-hand side and solution; n: q or v */
} start;

/* Redundant rows are linearly dependent only where g = 0; the defect grows with the distance from there. Therefore a
 * row of length 1 counts as redundant if its component orthogonal to the others, whose square is the pivot, is below
 * the fourth root of round-off. */
static sb_scalar least_pivot(void) { return sqrt(SB_EPSILON); }

static int start_new(sb_context *ctx, sb_arena *arena, const sb_system *sys, sb_scalar t, const bool *may_move, int m,
                     start *out) {
    *out = (start){.sys = sys, .ctx = ctx, .t = t, .may_move = may_move, .m = m};
    SB_TRY(SB_VECTORS(arena, m, &out->row_norm, &out->r));
    SB_NEW(arena, out->w, sb_system_bilateral(sys));
    SB_NEW(arena, out->Cx, sb_pattern_nnz(&sys->holonomic.G) + sb_pattern_nnz(&sys->nonholonomic.A));
    SB_NEW(arena, out->W, sys->n);
    for (int i = 0; i < sys->n; i++) {
        out->W[i] = may_move[i];
    }
    return sb_gram_init(ctx, arena, sys, m, &out->gram);
}

static sb_scalar size_of(const start *s, int i) { return s->size != NULL ? s->size[i] : 1.0; }

/* Returns the largest component of x over the sizes. */
static sb_scalar largest_of(const start *s, const sb_scalar *x) {
    sb_scalar largest = 0.0;
    for (int i = 0; i < s->sys->n; i++) {
        largest = sb_larger(largest, fabs(x[i]) / size_of(s, i));
    }
    return largest;
}

/* Multiplies the gradients by the sizes, and divides them and r by their lengths. */
static void set_rows(start *s) {
    const sb_pattern *P = &s->gram.C;
    for (int j = 0; j < s->m; j++) {
        sb_scalar square = 0.0;
        for (int k = P->p[j]; k < P->p[j + 1]; k++) {
            s->Cx[k] *= size_of(s, P->i[k]);
            square += s->Cx[k] * s->Cx[k];
        }
        s->row_norm[j] = square > 0.0 ? sqrt(square) : 1.0;
        s->r[j] /= s->row_norm[j];
        for (int k = P->p[j]; k < P->p[j + 1]; k++) {
            s->Cx[k] /= s->row_norm[j];
        }
    }
}

/* Moves x by W C y, with C'WC y = r, and sets the largest change over the sizes. */
static int move(start *s, sb_scalar *change) {
    const sb_pattern *T = &s->gram.by_row;
    SB_TRY(sb_gram_factor(&s->gram, s->Cx, s->W, least_pivot()));
    sb_gram_solve(&s->gram, s->r);
    *change = 0.0;
    for (int i = 0; i < s->sys->n; i++) {
        sb_scalar sum = 0.0;
        if (!s->may_move[i]) {
            continue;
        }
        for (int k = T->p[i]; k < T->p[i + 1]; k++) {
            sum += s->Cx[s->gram.at[k]] * s->r[T->i[k]];
        }
        s->x[i] += sum * size_of(s, i);
        *change = sb_larger(*change, fabs(sum));
    }
    return SB_OK;
}

static int correct(void *arg, sb_scalar *change, sb_scalar *scale) {
    start *s = arg;
    SB_TRY(sb_holonomic_value(s->sys, s->t, s->x, s->r, s->Cx));
    for (int j = 0; j < s->m; j++) {
        s->r[j] = -s->r[j];
    }
    set_rows(s);
    *scale = largest_of(s, s->x);
    return move(s, change);
}

/* Returns the residual, relative to the unknowns, that dependent rows may leave: the root of round-off, and of double
 * precision at least, so that a problem has the same starts in quadruple precision. */
static sb_scalar contradiction(void) { return fmax(sqrt(SB_EPSILON), sqrt(DBL_EPSILON)); }

/* Fails where the residual r of a row is larger than `allowed` times its length. */
static int check_result(start *s, const char *what, const char *advice, sb_scalar allowed) {
    const int mg = s->sys->holonomic.m;
    int worst = 0;
    for (int j = 0; j < s->m; j++) {
        worst = fabs(s->r[worst]) >= fabs(s->r[j]) ? worst : j;
    }
    const sb_scalar off = s->m > 0 ? fabs(s->r[worst]) : 0.0;
    const char *const name = sb_bilateral_name(s->sys, worst);
    return off <= allowed
               ? SB_OK
               : sb_fail(s->ctx, SB_INCONSISTENT,
                         "%s: the solve for a consistent start ends %.2g off row %d of the %s constraints%s%s; %s",
                         what, (double)(off * s->row_norm[worst]), worst < mg ? worst : worst - mg,
                         worst < mg ? "holonomic" : "nonholonomic", name != NULL ? ", " : "", name != NULL ? name : "",
                         advice);
}

/* Fails where the coordinates that move neither have the rank of all coordinates, in the rows that they are in, nor are
 * independent of each other: the start is determined to first order only. */
static int check_rank(start *s, const char *what) {
    const sb_pattern *P = &s->gram.C;
    const int n = s->sys->n;
    int unknowns = 0;
    bool *is_unknown;
    sb_scalar *all;
    SB_SCRATCH(scratch, s->ctx);
    SB_NEW(&scratch, is_unknown, n);
    SB_NEW(&scratch, all, n);
    for (int j = 0; j < s->m; j++) {
        bool active = false;
        for (int k = P->p[j]; k < P->p[j + 1]; k++) {
            active = active || s->may_move[P->i[k]];
            unknowns += s->may_move[P->i[k]] && !is_unknown[P->i[k]];
            is_unknown[P->i[k]] = s->may_move[P->i[k]];
        }
        for (int k = P->p[j]; k < P->p[j + 1] && !active; k++) {
            s->Cx[k] = 0.0;
        }
    }
    for (int i = 0; i < n; i++) {
        all[i] = 1.0;
    }
    SB_TRY(sb_gram_factor(&s->gram, s->Cx, s->W, least_pivot()));
    const int rank = s->gram.rank;
    SB_TRY(sb_gram_factor(&s->gram, s->Cx, all, least_pivot()));
    return rank == s->gram.rank || rank == unknowns
               ? SB_OK
               : sb_fail(s->ctx, SB_INCONSISTENT,
                         "%s: the solve for a consistent start is singular: the constraints have rank %d in the %d "
                         "free coordinates, %d in all; free other or more coordinates",
                         what, rank, unknowns, s->gram.rank);
}

/* Applies Newton's method until its corrections are round-off. Independent rows are then satisfied to round-off, and a
 * redundant row that contradicts them is off by far more than the root of round-off. Below its size, a coordinate is
 * taken as that: as 1 for angles and unit quaternions. Corrections below the round-off of the
 * largest coordinate may go on: those of a coordinate that is 0 may shrink by any factor. */
static int solve_positions(start *s, const char *what) {
    const sb_newton newton = {.tol = SB_EPSILON, .maxit = ITERATIONS};
    long iterations;
    const int status = sb_newton_iterate(s->ctx, &newton, SB_NEWTON_QUADRATIC, 1.0, correct, s, &iterations);
    if (status == SB_INTERRUPTED) {
        return status;
    }
    if (sb_holonomic_value(s->sys, s->t, s->x, s->r, s->Cx) != SB_OK) {
        return sb_fail(s->ctx, SB_INCONSISTENT,
                       "%s: the solve for a consistent start leaves the domain of the constraints; give guesses closer "
                       "to a consistent start",
                       what);
    }
    set_rows(s);
    SB_TRY(check_result(s, what,
                        status == SB_OK ? "the other rows determine this one and contradict it: align them, leave "
                                          "redundant ones out, or free more coordinates"
                                        : "give guesses closer to a consistent start, or free more coordinates",
                        status == SB_OK ? contradiction() * fmax(1.0, largest_of(s, s->x)) : -1.0));
    return check_rank(s, what);
}

/* Solves one linear system, and a second one to reduce the round-off of redundant rows. */
static int solve_velocities(start *s, const char *what, const sb_scalar *q) {
    const sb_system *sys = s->sys;
    const int mg = sys->holonomic.m;
    sb_scalar largest = 0.0, change;
    for (int pass = 0; pass < 3; pass++) {
        SB_TRY(sb_bilateral_value(sys, s->t, q, s->w, s->Cx));
        SB_TRY(sb_holonomic_rate(sys, s->t, q, s->w)); /* in place of g */
        for (int j = 0; j < s->m; j++) {
            s->r[j] = j < mg ? -s->w[j] : s->w[j];
        }
        set_rows(s);
        largest = sb_larger(largest_of(s, s->x), sb_norm_max(s->m, s->r));
        for (int j = 0; j < s->m; j++) {
            for (int k = s->gram.C.p[j]; k < s->gram.C.p[j + 1]; k++) {
                const int i = s->gram.C.i[k];
                s->r[j] -= s->Cx[k] * s->x[i] / size_of(s, i);
            }
        }
        SB_TRY(pass < 2 ? move(s, &change) : SB_OK);
    }
    return check_result(s, what, "the velocities that stay contradict each other; free more velocities",
                        contradiction() * largest);
}

int sb_start_positions(sb_context *ctx, const char *what, const sb_system *sys, sb_scalar t, const bool *moves,
                       const sb_scalar *size, sb_scalar *q) {
    start s;
    SB_SCRATCH(scratch, ctx);
    SB_TRY(start_new(ctx, &scratch, sys, t, moves, sys->holonomic.m, &s));
    s.size = size;
    s.x = q;
    return sys->holonomic.m > 0 ? solve_positions(&s, what) : SB_OK;
}

int sb_start_velocities(sb_context *ctx, const char *what, const sb_system *sys, sb_scalar t, const bool *moves,
                        const sb_scalar *size, const sb_scalar *q, sb_scalar *v) {
    start s;
    SB_SCRATCH(scratch, ctx);
    SB_TRY(start_new(ctx, &scratch, sys, t, moves, sb_system_bilateral(sys), &s));
    s.size = size;
    s.x = v;
    return solve_velocities(&s, what, q);
}
