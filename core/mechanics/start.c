/* A consistent start: Newton's method on g(t, q) = 0 with corrections of least squares, then a linear system for the
 * velocities. Rows are divided by the lengths of their gradients; redundant rows are skipped. */
#include <string.h>

#include <stepbench/numerics/newton.h>
#include <stepbench/numerics/norm.h>
#include <stepbench/numerics/saddle.h>
#include <stepbench/numerics/start.h>

enum { ITERATIONS = 50 };

typedef struct start {
    const sb_system *sys;
    sb_scalar t;
    const bool *may_move; /* the solve may change the coordinate or velocity (n) */
    int m;                /* rows: holonomic ones; for velocities all bilateral ones */
    sb_pattern rows;      /* pattern of the gradients: G, then A */
    sb_scalar *Cx, *w;    /* values of the gradients; g_t, then w */
    sb_scalar *C;         /* n x m, by columns: gradients of the rows, of length 1 */
    sb_scalar *row_norm;  /* norms of the gradients (m) */
    sb_scalar *S;         /* m x m: C'WC, W = 1 for coordinates that move and 0 for the others */
    sb_scalar *r, *x;     /* m: right-hand side and solution; n: q or v */
    bool *row_active;     /* the row depends on a coordinate that may move (m) */
    bool *is_unknown;     /* the coordinate may move and is in a row (n) */
    int *order;
} start;

static int start_new(sb_arena *arena, const sb_system *sys, sb_scalar t, start *out) {
    const int m = sb_system_bilateral(sys);
    *out = (start){.sys = sys, .t = t};
    SB_TRY(SB_VECTORS(arena, m, &out->w, &out->row_norm, &out->r));
    SB_TRY(sb_system_constraints(arena, sys, &out->rows));
    SB_NEW(arena, out->Cx, sb_pattern_nnz(&out->rows));
    SB_NEW(arena, out->C, sys->n * m);
    SB_NEW(arena, out->S, m * m);
    SB_NEW(arena, out->row_active, m);
    SB_NEW(arena, out->is_unknown, sys->n);
    SB_NEW(arena, out->order, m);
    return SB_OK;
}

/* Sets C from G and A, and divides r by the lengths of the gradients. */
static void set_rows(start *s) {
    const int n = s->sys->n;
    const sb_pattern *P = &s->rows;
    memset(s->C, 0, (size_t)(n * s->m) * sizeof *s->C);
    memset(s->is_unknown, 0, (size_t)n * sizeof *s->is_unknown);
    for (int j = 0; j < s->m; j++) {
        const sb_scalar *x = s->Cx;
        sb_scalar square = 0.0;
        s->row_active[j] = false;
        for (int k = P->p[j]; k < P->p[j + 1]; k++) {
            square += x[k] * x[k];
            s->row_active[j] = s->row_active[j] || s->may_move[P->i[k]];
            s->is_unknown[P->i[k]] = s->may_move[P->i[k]];
        }
        s->row_norm[j] = square > 0.0 ? sqrt(square) : 1.0;
        s->r[j] /= s->row_norm[j];
        for (int k = P->p[j]; k < P->p[j + 1]; k++) {
            s->C[P->i[k] + n * j] = x[k] / s->row_norm[j];
        }
    }
}

/* Sets S = C'WC; rows that are not active are zero. */
static void set_normal(start *s, const bool *may_move) {
    const int n = s->sys->n;
    for (int j = 0; j < s->m; j++) {
        for (int i = 0; i < s->m; i++) {
            sb_scalar sum = 0.0;
            for (int k = 0; k < n && s->row_active[i] && s->row_active[j]; k++) {
                sum += may_move[k] ? s->C[k + n * i] * s->C[k + n * j] : 0.0;
            }
            s->S[i + s->m * j] = sum;
        }
    }
}

/* Solves S x = r in place by Cholesky's method with pivoting; x = 0 for redundant rows. Returns the rank. Redundant
 * rows are linearly dependent only where g = 0; the defect grows with the distance from there. Therefore a row of
 * length 1 counts as redundant if its component orthogonal to the others, whose square is the pivot, is below the
 * fourth root of round-off. */
static int solve(start *s) {
    const int m = s->m;
    sb_scalar *S = s->S;
    int rank = 0;
    for (int k = 0; k < m; k++) {
        s->order[k] = k;
    }
    for (; rank < m; rank++) {
        int pivot = rank;
        for (int k = rank; k < m; k++) {
            pivot = S[s->order[k] * (m + 1)] > S[s->order[pivot] * (m + 1)] ? k : pivot;
        }
        const int p = s->order[pivot];
        if (!(S[p * (m + 1)] > sqrt(SB_EPSILON))) {
            break;
        }
        s->order[pivot] = s->order[rank];
        s->order[rank] = p;
        for (int k = rank + 1; k < m; k++) {
            const int i = s->order[k];
            const sb_scalar factor = S[i + m * p] / S[p * (m + 1)];
            for (int l = rank + 1; l < m; l++) {
                S[i + m * s->order[l]] -= factor * S[p + m * s->order[l]];
            }
            s->r[i] -= factor * s->r[p];
        }
    }
    for (int k = rank; k < m; k++) {
        s->r[s->order[k]] = 0.0;
    }
    for (int k = rank - 1; k >= 0; k--) {
        const int p = s->order[k];
        for (int l = k + 1; l < rank; l++) {
            s->r[p] -= S[p + m * s->order[l]] * s->r[s->order[l]];
        }
        s->r[p] /= S[p * (m + 1)];
    }
    return rank;
}

/* Moves x by W C y, with C'WC y = r, and sets the largest change. */
static void move(start *s, sb_scalar *change) {
    const int n = s->sys->n;
    set_normal(s, s->may_move);
    solve(s);
    *change = 0.0;
    for (int k = 0; k < n; k++) {
        if (!s->may_move[k]) {
            continue;
        }
        sb_scalar sum = 0.0;
        for (int j = 0; j < s->m; j++) {
            sum += s->C[k + n * j] * s->r[j];
        }
        s->x[k] += sum;
        *change = sb_larger(*change, fabs(sum));
    }
}

static int correct(void *arg, sb_scalar *change, sb_scalar *scale) {
    start *s = arg;
    SB_TRY(sb_holonomic_value(s->sys, s->t, s->x, s->r, s->Cx));
    for (int j = 0; j < s->m; j++) {
        s->r[j] = -s->r[j];
    }
    set_rows(s);
    move(s, change);
    *scale = sb_norm_max(s->sys->n, s->x);
    return SB_OK;
}

/* Fails where the coordinates that move neither have the rank of all coordinates nor are independent of each other, or
 * where the residual r of a row is larger than `allowed` times its length. */
static int check_result(start *s, sb_context *ctx, const char *what, const char *kind, sb_scalar allowed) {
    const int n = s->sys->n, mg = s->sys->holonomic.m;
    int worst = 0;
    for (int j = 0; j < s->m; j++) {
        worst = fabs(s->r[worst]) >= fabs(s->r[j]) ? worst : j;
    }
    const sb_scalar off = s->m > 0 ? fabs(s->r[worst]) : 0.0;
    int unknowns = 0;
    bool *all;
    SB_SCRATCH(scratch, ctx);
    SB_NEW(&scratch, all, n);
    memset(all, true, (size_t)n * sizeof *all);
    set_normal(s, s->may_move);
    const int rank = solve(s);
    set_normal(s, all);
    const int full_rank = solve(s);
    for (int k = 0; k < n; k++) {
        unknowns += s->is_unknown[k];
    }
    if (rank < full_rank && rank < unknowns) {
        return sb_fail(
            ctx, SB_INCONSISTENT,
            "%s: the solve for a consistent start is singular: the constraints have rank %d in the %d free %s, "
            "%d in all; free other or more %s",
            what, rank, unknowns, kind, full_rank, kind);
    }
    if (!(off <= allowed)) {
        return sb_fail(ctx, SB_INCONSISTENT,
                       "%s: the solve for a consistent start ends %.2g off row %d of the %s constraints; give guesses "
                       "closer to a consistent start, or free more %s",
                       what, (double)(off * s->row_norm[worst]), worst < mg ? worst : worst - mg,
                       worst < mg ? "holonomic" : "nonholonomic", kind);
    }
    return SB_OK;
}

/* Applies Newton's method until its corrections are round-off. Independent rows are then satisfied to round-off, and a
 * redundant row that contradicts them is off by far more than the root of round-off. Below 1, the size of q is taken as
 * 1, the size of angles and unit quaternions. */
static int solve_positions(start *s, sb_context *ctx, const char *what) {
    const sb_newton newton = {.tol = 0.0, .maxit = ITERATIONS};
    long iterations;
    s->m = s->sys->holonomic.m;
    const int status = sb_newton_iterate(ctx, &newton, SB_NEWTON_QUADRATIC, 1.0, correct, s, &iterations);
    if (status == SB_INTERRUPTED) {
        return status;
    }
    if (sb_holonomic_value(s->sys, s->t, s->x, s->r, s->Cx) != SB_OK) {
        return sb_fail(ctx, SB_INCONSISTENT,
                       "%s: the solve for a consistent start leaves the domain of the constraints; give guesses closer "
                       "to a consistent start",
                       what);
    }
    set_rows(s);
    return check_result(s, ctx, what, "coordinates",
                        status == SB_OK ? sqrt(SB_EPSILON) * fmax(1.0, sb_norm_max(s->sys->n, s->x)) : -1.0);
}

/* Solves one linear system, and a second one to reduce the round-off of redundant rows. */
static int solve_velocities(start *s, sb_context *ctx, const char *what, const sb_scalar *q) {
    const sb_system *sys = s->sys;
    const int n = sys->n, mg = sys->holonomic.m;
    sb_scalar largest = 0.0, change;
    s->m = sb_system_bilateral(sys);
    SB_TRY(sb_bilateral_value(sys, s->t, q, s->w, s->Cx));
    SB_TRY(sb_holonomic_rate(sys, s->t, q, s->w)); /* in place of g */
    for (int pass = 0; pass < 3; pass++) {
        for (int j = 0; j < s->m; j++) {
            s->r[j] = j < mg ? -s->w[j] : s->w[j];
        }
        set_rows(s);
        largest = sb_larger(sb_norm_max(n, s->x), sb_norm_max(s->m, s->r));
        for (int j = 0; j < s->m; j++) {
            for (int k = 0; k < n; k++) {
                s->r[j] -= s->C[k + n * j] * s->x[k];
            }
        }
        if (pass < 2) {
            move(s, &change);
        }
    }
    return check_result(s, ctx, what, "velocities", sqrt(SB_EPSILON) * largest);
}

int sb_start_solve(sb_context *ctx, const char *what, const sb_system *sys, sb_scalar t, const bool *moves_q,
                   const bool *moves_v, sb_scalar *q, sb_scalar *v) {
    start s;
    SB_SCRATCH(scratch, ctx);
    SB_TRY(start_new(&scratch, sys, t, &s));
    s.may_move = moves_q;
    s.x = q;
    SB_TRY(sys->holonomic.m > 0 ? solve_positions(&s, ctx, what) : SB_OK);
    s.may_move = moves_v;
    s.x = v;
    return solve_velocities(&s, ctx, what, q);
}
