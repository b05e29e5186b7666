/* Box linear complementarity by projected Gauss-Seidel: one row after the other is solved for its own unknown, clamped
 * to its bounds. reg05 5, cottle92 5. */
#include <stepbench/numerics/norm.h>
#include <stepbench/plugin.h>

#include "core/lcp/internal.h"

typedef struct config {
    long sweeps;
    sb_scalar tol;
    int start;
} config;

enum { WARM, ZERO };

static int analyse(sb_lcp *me, sb_arena *arena) {
    int **diagonal;
    SB_NEW(arena, diagonal, 1);
    me->work = diagonal;
    SB_NEW(arena, *diagonal, me->A.cols);
    for (int j = 0; j < me->A.cols; j++) {
        (*diagonal)[j] = sb_pattern_find(&me->A, j, j);
    }
    return SB_OK;
}

/* Takes one sweep. Sets *most to the largest natural residual of a row before it is solved, over the size of its
 * terms. */
static int sweep(const sb_lcp *me, const sb_lcp_problem *p, sb_scalar *z, sb_scalar *most) {
    const int *diagonal = *(int *const *)me->work;
    *most = 0.0;
    for (int i = 0; i < me->A.cols; i++) {
        sb_scalar size;
        const sb_scalar w = sb_lcp_row(&me->A, p->Ax, p->b, z, i, &size), a = p->Ax[diagonal[i]];
        if (!(a > 0.0)) {
            return sb_fail(me->ctx, SB_SINGULAR,
                           "pgs: the diagonal of row %d of %d is %.9g; Gauss-Seidel divides by it", i, me->A.cols,
                           (double)a);
        }
        const sb_scalar moved = sb_lcp_clamp(z[i] - w / a, p->lo[i], p->hi[i]), change = a * fabs(moved - z[i]);
        *most = sb_larger(*most, change == 0.0 ? 0.0 : change / size);
        z[i] = moved;
    }
    return isnan(*most)
               ? sb_fail(me->ctx, SB_NOT_FINITE, "pgs: a sweep over %d rows leaves the finite numbers", me->A.cols)
               : SB_OK;
}

static int solve(sb_lcp *me, const sb_lcp_problem *p, sb_scalar *z, signed char *side, sb_lcp_report *report) {
    const config *c = me->config;
    sb_scalar most = (sb_scalar)INFINITY;
    for (int i = 0; i < me->A.cols; i++) {
        z[i] = sb_lcp_clamp(c->start == WARM ? z[i] : 0.0, p->lo[i], p->hi[i]);
    }
    while (report->iterations < c->sweeps && most > c->tol) {
        SB_TRY(sb_poll(me->ctx));
        SB_TRY(sweep(me, p, z, &most));
        report->iterations++;
    }
    sb_lcp_set_sides(me, p, z, side);
    return SB_OK;
}

static const sb_param params[] = {
    SB_PARAM_INT(config, sweeps, "50", 1.0, 1e9, "most sweeps; the result is taken as it is then"),
    SB_PARAM_REAL(config, tol, "1e-10", 0.0, 1.0, SB_CLOSED, "",
                  "sweeps end when the change of every row is at most this share of its terms; 0: never early"),
    SB_PARAM_CHOICE(config, start, "warm", "warm|zero", "sweeps begin at the guess, the impulses before, or at zero"),
    {.name = NULL},
};

SB_DEFINE_LCP_SOLVER(pgs) = {
    .entry = {"pgs", "projected Gauss-Seidel: a number of sweeps, from where it is started", "reg05 5; cottle92",
              params, sizeof(config)},
    .counts = "sweeps",
    .analyse = analyse,
    .solve = solve,
};
