/* Box linear complementarity by block principal pivoting: Kostreva's rounds (kostreva78, reg05 5); where these make no
 * progress, Murty's single pivots (murty74), combined with blocks as in judice94, and an interior-point method
 * (mehrotra92). */
#include <string.h>

#include <stepbench/numerics/norm.h>
#include <stepbench/plugin.h>

#include "core/lcp/interior.h"

/* A round solves the equations of the free rows with the others held at their bounds, and then moves every row that is
 * on the wrong side: a free row beyond a bound to that bound, a bounded row whose w has the wrong sign to the free
 * rows. Such rounds may cycle, and in a stack information travels by one contact per round. When `patience` rounds have
 * not lowered the number of wrong rows, only the first wrong row is moved, until a round has fewer wrong rows than any
 * round before. When that takes long, an interior-point method finds sides from which the rounds begin anew, once;
 * single pivots after it end after finitely many rounds when A is positive definite. */
typedef struct config {
    const char *solver;
    int fallback;
    long patience, maxit;
    sb_scalar tol;
} config;

enum { SINGLE, NONE };

typedef struct block_pivot_work {
    sb_linear linear;
    sb_scalar *Fx; /* the matrix factored: A where both rows are free, else the identity */
    const int *at; /* where each entry of A sits in Fx */
    int *diagonal; /* where A_ii sits in Ax */
    sb_scalar *r;
    signed char *side, *next; /* sides in the present round and in the next one */
    signed char *factored;    /* sides of the current factor */
    signed char *seen;        /* sides in an earlier round, to detect a cycle */
    bool has_factor;          /* `factored` is valid */
    sb_lcp_interior interior;
} block_pivot_work;

static int analyse(sb_lcp *me, sb_arena *arena) {
    const config *c = me->config;
    const int n = me->A.cols;
    const sb_solver *solver = sb_solver_choose(me->ctx, c->solver, SB_FORM_SCHUR, n);
    if (solver == NULL) {
        return SB_BAD_USAGE;
    }
    block_pivot_work *w;
    sb_pattern F = me->A;
    int *at;
    SB_NEW(arena, w, 1);
    me->work = w;
    if (solver->full) {
        SB_TRY(sb_pattern_full(arena, n, n, &F));
    }
    SB_NEW(arena, w->Fx, sb_pattern_nnz(&F));
    SB_NEW(arena, at, sb_pattern_nnz(&me->A));
    SB_NEW(arena, w->diagonal, n);
    SB_NEW(arena, w->r, n);
    SB_NEW(arena, w->side, n);
    SB_NEW(arena, w->next, n);
    SB_NEW(arena, w->factored, n);
    SB_NEW(arena, w->seen, n);
    SB_TRY(sb_lcp_interior_init(arena, n, &w->interior));
    for (int j = 0; j < n; j++) {
        for (int k = me->A.p[j]; k < me->A.p[j + 1]; k++) {
            at[k] = sb_pattern_find(&F, me->A.i[k], j);
        }
        w->diagonal[j] = sb_pattern_find(&me->A, j, j);
    }
    w->at = at;
    w->interior.linear = &w->linear;
    w->interior.Fx = w->Fx;
    w->interior.at = at;
    w->interior.diagonal = w->diagonal;
    SB_TRY(sb_linear_init(me->ctx, arena, solver, &F, n, 0, &w->linear));
    /* the round-off of a sum of n products: it dominates a smaller pivot */
    w->linear.singular_below = sqrt((sb_scalar)n) * SB_EPSILON;
    return SB_OK;
}

static int count_free(int n, const signed char *side) {
    int count = 0;
    for (int i = 0; i < n; i++) {
        count += side[i] == SB_LCP_FREE;
    }
    return count;
}

/* Factors the matrix of the current sides, unless it is the current factor. */
static int factor(sb_lcp *me, const sb_lcp_problem *p, sb_lcp_report *report) {
    block_pivot_work *w = me->work;
    const int n = me->A.cols;
    if (w->has_factor && memcmp(w->side, w->factored, (size_t)n) == 0) {
        return SB_OK;
    }
    for (int j = 0; j < n; j++) {
        for (int k = me->A.p[j]; k < me->A.p[j + 1]; k++) {
            const int i = me->A.i[k];
            const bool free = w->side[i] == SB_LCP_FREE && w->side[j] == SB_LCP_FREE;
            w->Fx[w->at[k]] = free ? p->Ax[k] : i == j ? 1.0 : 0.0;
        }
    }
    report->factorizations++;
    w->has_factor = false;
    const int status = w->linear.type->factor(&w->linear, w->Fx);
    if (status == SB_SINGULAR) {
        char why[SB_MESSAGE_MAX];
        memcpy(why, me->ctx->message, sizeof why);
        return sb_fail(me->ctx, SB_SINGULAR,
                       "block_pivot: the equations of the %d free of %d rows have no single solution: %.600s",
                       count_free(n, w->side), n, why);
    }
    SB_TRY(status);
    memcpy(w->factored, w->side, (size_t)n);
    w->has_factor = true;
    return SB_OK;
}

/* Computes z of the current sides, A_FF z_F = -(b_F + A_FB z_B): one solution, with the identity in the rows of B. */
static int solve_equations(sb_lcp *me, const sb_lcp_problem *p, sb_scalar *z) {
    const block_pivot_work *w = me->work;
    const int n = me->A.cols;
    for (int i = 0; i < n; i++) {
        z[i] = w->side[i] == SB_LCP_LO ? p->lo[i] : w->side[i] == SB_LCP_HI ? p->hi[i] : 0.0;
    }
    for (int i = 0; i < n; i++) {
        sb_scalar size;
        w->r[i] = w->side[i] == SB_LCP_FREE ? -sb_lcp_row(&me->A, p->Ax, p->b, z, i, &size) : z[i];
    }
    SB_TRY(w->linear.type->solve(&w->linear, w->r));
    memcpy(z, w->r, (size_t)n * sizeof(sb_scalar));
    const bool finite = isfinite(sb_norm_max(n, z));
    return finite ? SB_OK
                  : sb_fail(me->ctx, SB_NOT_FINITE, "block_pivot: the %d free of %d rows leave the finite numbers",
                            count_free(n, w->side), n);
}

/* Returns the side on which the z and w of this round put row i. */
static signed char correct_side(const sb_lcp *me, const sb_lcp_problem *p, const sb_scalar *z, int i) {
    const config *c = me->config;
    const block_pivot_work *w = me->work;
    const sb_scalar lo = p->lo[i], hi = p->hi[i];
    sb_scalar size;
    const sb_scalar residual = sb_lcp_row(&me->A, p->Ax, p->b, z, i, &size);
    if (w->side[i] == SB_LCP_FREE) {
        const sb_scalar slack =
            SB_RESOLVED(c->tol) * size / p->Ax[w->diagonal[i]]; /* the change of z that changes w by tol of its terms */
        return z[i] < lo - slack ? SB_LCP_LO : z[i] > hi + slack ? SB_LCP_HI : SB_LCP_FREE;
    }
    const sb_scalar inward = w->side[i] == SB_LCP_LO ? -residual : residual;
    return inward > SB_RESOLVED(c->tol) * size && lo < hi ? SB_LCP_FREE : w->side[i];
}

/* Sets `next` to the correct side of every row. Returns the number of rows that differ, and sets *first to the first.
 */
static int find_wrong(const sb_lcp *me, const sb_lcp_problem *p, const sb_scalar *z, signed char *next, int *first) {
    const block_pivot_work *w = me->work;
    int wrong = 0;
    for (int i = me->A.cols - 1; i >= 0; i--) {
        next[i] = correct_side(me, p, z, i);
        if (next[i] != w->side[i]) {
            *first = i;
            wrong++;
        }
    }
    return wrong;
}

/* What the choice of the rows to move depends on. */
typedef struct progress {
    int least;         /* wrong rows of the best round */
    long blocks;       /* rounds that may still pass without an improvement */
    long singles;      /* single pivots that may still pass before the interior-point method */
    bool has_interior; /* the interior-point method has been used */
} progress;

/* Moves of a round: all wrong rows, the first wrong row, all rows by the interior-point method. */
enum { BLOCK, FIRST, INTERIOR };

/* An interior-point method takes 10 to 30 factorizations: some single pivots are tried before it. */
enum { SINGLES = 10 };

static int choose(const config *c, progress *at, int n, int wrong) {
    if (wrong < at->least) {
        *at = (progress){wrong, c->patience, SINGLES, at->has_interior};
        return BLOCK;
    }
    if (c->fallback == NONE || at->blocks > 0) {
        at->blocks--;
        return BLOCK;
    }
    if (at->has_interior || at->singles > 0) {
        at->singles--;
        return FIRST;
    }
    *at = (progress){n + 1, c->patience, SINGLES, true};
    return INTERIOR;
}

static int out_of_rounds(const sb_lcp *me, const char *name, long rounds, int wrong) {
    const block_pivot_work *w = me->work;
    const int n = me->A.cols;
    return sb_fail(
        me->ctx, SB_NOT_CONVERGED, "block_pivot: %s %ld rounds: %d of %d rows are on the wrong side with %d free; %s",
        name, rounds, wrong, n, count_free(n, w->side),
        ((const config *)me->config)->fallback == NONE ? "try fallback=single"
                                                       : "the problem has no solution, or maxit is too small");
}

/* Sets the sides of the first round: those given, or of z; a side without a finite bound becomes free. */
static void set_first_sides(const sb_lcp *me, const sb_lcp_problem *p, const sb_scalar *z, const signed char *side) {
    block_pivot_work *w = me->work;
    for (int i = 0; i < me->A.cols; i++) {
        const signed char guess = side != NULL ? side[i] : sb_lcp_side(z[i], p->lo[i], p->hi[i]);
        const bool bounded = guess == SB_LCP_LO ? isfinite(p->lo[i]) : isfinite(p->hi[i]);
        w->side[i] = p->lo[i] == p->hi[i] ? SB_LCP_LO : bounded ? guess : SB_LCP_FREE;
    }
    w->has_factor = w->has_factor && p->same;
}

/* Moves the rows first ... end - 1 to the sides of the next round. Returns the number of rows that change. */
static int move(block_pivot_work *w, int first, int end) {
    int moved = 0;
    for (int i = first; i < end; i++) {
        moved += w->side[i] != w->next[i];
        w->side[i] = w->next[i];
    }
    return moved;
}

static int solve(sb_lcp *me, const sb_lcp_problem *p, sb_scalar *z, signed char *side, sb_lcp_report *report) {
    const config *c = me->config;
    block_pivot_work *w = me->work;
    const int n = me->A.cols;
    const long maxit = c->maxit > 0 ? c->maxit : 1000 + 10L * n;
    progress at = {n + 1, c->patience, SINGLES, false};
    set_first_sides(me, p, z, side);
    for (long last_seen = 0;;) {
        int first = 0;
        SB_TRY(sb_poll(me->ctx));
        SB_TRY(factor(me, p, report));
        SB_TRY(solve_equations(me, p, z));
        report->iterations++;
        const int wrong = find_wrong(me, p, z, w->next, &first);
        if (wrong == 0) {
            break;
        }
        if (report->iterations >= maxit) {
            return out_of_rounds(me, "not solved in", report->iterations, wrong);
        }
        const int kind = choose(c, &at, n, wrong);
        if (kind == INTERIOR) {
            w->has_factor = false;
            SB_TRY(sb_lcp_interior_sides(me, p, &w->interior, z, w->next, report));
        }
        report->changes += move(w, kind == FIRST ? first : 0, kind == FIRST ? first + 1 : n);
        if (c->fallback == NONE && memcmp(w->side, w->seen, (size_t)n) == 0 && last_seen > 0) {
            return out_of_rounds(me, "goes in a circle of", report->iterations - last_seen, wrong);
        }
        /* Brent's cycle detection: the remembered sides are replaced at powers of 2 */
        if ((report->iterations & (report->iterations - 1)) == 0) {
            memcpy(w->seen, w->side, (size_t)n);
            last_seen = report->iterations;
        }
    }
    for (int i = 0; i < n; i++) {
        z[i] = sb_lcp_clamp(z[i], p->lo[i], p->hi[i]);
        if (side != NULL) {
            side[i] = w->side[i];
        }
    }
    return SB_OK;
}

static const sb_param params[] = {
    SB_PARAM_TEXT(config, solver, "auto", "linear solver by name, for symmetric positive definite matrices"),
    SB_PARAM_CHOICE(config, fallback, "single", "single|none",
                    "what follows where blocks make no progress: single pivots of the first wrong row and an "
                    "interior-point method; or nothing"),
    SB_PARAM_INT(config, patience, "5", 0.0, 1000.0, "rounds without fewer wrong rows before that"),
    SB_PARAM_INT(config, maxit, "0", 0.0, 1e9, "most rounds; 0: 1000 and ten more a row"),
    SB_PARAM_REAL(
        config, tol, "1e-12", 0.0, 1e-3, SB_OPEN_LO, "",
        "a row's residual over the size of its terms that counts as round-off: some thousand times that of a sum"),
    {.name = NULL},
};

SB_DEFINE_LCP_SOLVER(block_pivot) = {
    .entry = {"block_pivot",
              "block principal pivoting, with single pivots and an interior-point method where it makes no progress",
              "reg05 5; kostreva78; murty74; judice94; mehrotra92", params, sizeof(config)},
    .counts = "rounds",
    .direct = true,
    .analyse = analyse,
    .solve = solve,
};
