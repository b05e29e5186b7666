/* Solvers of box linear complementarity problems bound to a pattern: choice, checks of the bounds, residual. */
#include <string.h>

#include <stepbench/numerics/norm.h>

#include "core/base/params.h"
#include "core/base/spec.h"
#include "core/lcp/internal.h"

/* Sets the linear solver of a complementarity solver with a parameter `solver`. Fails where it would have no effect. */
static int set_linear(sb_context *ctx, sb_arena *arena, const sb_entry *entry, const char *linear, void *config) {
    const sb_param *p = sb_param_find(entry, "solver");
    if (strcmp(linear, "auto") == 0) {
        return SB_OK;
    }
    if (p == NULL) {
        return sb_fail(ctx, SB_BAD_USAGE,
                       "solver=%s: with contacts or dry friction lcp=%s solves no linear system; use "
                       "solver=auto or lcp=block_pivot",
                       linear, entry->name);
    }
    const char *own = *(const char *const *)(const void *)((const char *)config + p->offset);
    if (strcmp(own, "auto") != 0 && strcmp(own, linear) != 0) {
        return sb_fail(
            ctx, SB_BAD_USAGE,
            "solver=%s and lcp=[%s:solver=%s] ask for two linear solvers where there is one; leave one of them out",
            linear, entry->name, own);
    }
    return sb_config_set(ctx, arena, entry, "solver", linear, config);
}

int sb_lcp_find(sb_context *ctx, sb_arena *arena, const char *spec, const char *linear, const sb_lcp_solver **type,
                const void **config) {
    char *text = sb_strdup(arena, spec);
    if (text == NULL) {
        return SB_NO_MEMORY;
    }
    const size_t length = strlen(text);
    if (length > 1 && text[0] == '[' && text[length - 1] == ']') {
        text[length - 1] = '\0';
        text++;
    }
    sb_spec found;
    SB_TRY(sb_spec_parse(ctx, arena, SB_KIND_LCP_SOLVER, text, &found));
    SB_TRY(set_linear(ctx, arena, found.entry, linear, found.config));
    *type = (const sb_lcp_solver *)found.entry;
    *config = found.config;
    return SB_OK;
}

int sb_lcp_init(sb_context *ctx, sb_arena *arena, const sb_lcp_solver *type, const void *config, const sb_pattern *A,
                sb_lcp *out) {
    *out = (sb_lcp){.type = type, .config = config, .ctx = ctx, .A = *A};
    return A->cols > 0 ? type->analyse(out, arena) : SB_OK;
}

sb_scalar sb_lcp_residual(const sb_pattern *A, const sb_scalar *Ax, const sb_scalar *b, const sb_scalar *lo,
                          const sb_scalar *hi, const sb_scalar *z) {
    sb_scalar most = 0.0;
    for (int i = 0; i < A->cols; i++) {
        sb_scalar size;
        const sb_scalar w = sb_lcp_row(A, Ax, b, z, i, &size),
                        r = fabs(sb_lcp_natural(sb_lcp_diagonal(A, Ax, i), w, z[i], lo[i], hi[i]));
        most = sb_larger(most, r == 0.0 ? 0.0 : r / size);
    }
    return most;
}

static int check(const sb_lcp *lcp, const sb_scalar *b, const sb_scalar *lo, const sb_scalar *hi) {
    for (int i = 0; i < lcp->A.cols; i++) {
        if (isnan(lo[i]) || isnan(hi[i])) {
            return sb_fail(lcp->ctx, SB_BAD_USAGE, "%s: the %s bound of row %d of %d is not a number",
                           lcp->type->entry.name, isnan(lo[i]) ? "lower" : "upper", i, lcp->A.cols);
        }
        if (lo[i] > hi[i]) {
            return sb_fail(lcp->ctx, SB_BAD_USAGE,
                           "%s: the lower bound of row %d of %d is above the upper one, %.9g > %.9g",
                           lcp->type->entry.name, i, lcp->A.cols, (double)lo[i], (double)hi[i]);
        }
        if (lo[i] == hi[i] && isinf(lo[i])) {
            return sb_fail(lcp->ctx, SB_BAD_USAGE, "%s: both bounds of row %d of %d are %.9g, which leaves no number",
                           lcp->type->entry.name, i, lcp->A.cols, (double)lo[i]);
        }
        if (!isfinite(b[i])) {
            return sb_fail(lcp->ctx, SB_NOT_FINITE, "%s: b is %.9g in row %d of %d", lcp->type->entry.name,
                           (double)b[i], i, lcp->A.cols);
        }
    }
    return SB_OK;
}

int sb_lcp_solve(sb_lcp *lcp, const sb_scalar *Ax, const sb_scalar *b, const sb_scalar *lo, const sb_scalar *hi,
                 sb_scalar *z, signed char *side, sb_lcp_report *report) {
    const int n = lcp->A.cols;
    *report = (sb_lcp_report){0};
    if (n == 0) {
        return SB_OK;
    }
    SB_TRY(check(lcp, b, lo, hi));
    const sb_lcp_problem problem = {.Ax = Ax != NULL ? Ax : lcp->Ax, .b = b, .lo = lo, .hi = hi, .same = Ax == NULL};
    lcp->Ax = problem.Ax;
    const int status = lcp->type->solve(lcp, &problem, z, side, report);
    for (int i = 0; i < n; i++) {
        report->free += z[i] > lo[i] && z[i] < hi[i];
    }
    report->residual = sb_lcp_residual(&lcp->A, problem.Ax, b, lo, hi, z);
    return status;
}
