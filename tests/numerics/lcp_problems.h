/* Box linear complementarity problems for tests: the definition, and the registered solvers. */
#ifndef STEPBENCH_TESTS_NUMERICS_LCP_PROBLEMS_H
#define STEPBENCH_TESTS_NUMERICS_LCP_PROBLEMS_H

#include <math.h>
#include <string.h>

#include <gsl/gsl_test.h>

#include <stepbench/numerics/lcp.h>

enum { NMAX = 60 };

typedef struct made_up {
    int n;
    double dense[NMAX * NMAX]; /* A, column-major */
    double b[NMAX], lo[NMAX], hi[NMAX], z[NMAX], w[NMAX];
    sb_pattern A;
    double *Ax;
} made_up;
static inline void set_pattern(sb_arena *arena, made_up *s) {
    static int row[NMAX * NMAX], col[NMAX * NMAX];
    int nnz = 0;
    for (int k = 0; k < s->n * s->n; k++) {
        if (s->dense[k] != 0.0 || k % (s->n + 1) == 0) {
            row[nnz] = k % s->n;
            col[nnz++] = k / s->n;
        }
    }
    gsl_test(sb_pattern_from_pairs(arena, s->n, s->n, nnz, row, col, &s->A), "pattern");
    s->Ax = sb_alloc(arena, (size_t)nnz, sizeof(double));
    for (int j = 0; j < s->n; j++) {
        for (int k = s->A.p[j]; k < s->A.p[j + 1]; k++) {
            s->Ax[k] = s->dense[s->A.i[k] + j * s->n];
        }
    }
}

/* The largest violation of the conditions, over the size of its row's terms: a bound is never passed, and either w has
 * vanished or, in the unit of w, what is left between z and the bound that the sign of w calls for. */
static inline double violation(const made_up *s, const double *z) {
    double worst = 0.0;
    for (int i = 0; i < s->n; i++) {
        const double a = s->dense[i + i * s->n];
        double w = s->b[i], size = fabs(s->b[i]);
        for (int j = 0; j < s->n; j++) {
            w += s->dense[i + j * s->n] * z[j];
            size += fabs(s->dense[i + j * s->n] * z[j]);
        }
        double miss = w > 0.0 ? fmin(w, a * (z[i] - s->lo[i])) : fmin(-w, a * (s->hi[i] - z[i]));
        miss = isnan(w) || !(z[i] >= s->lo[i] && z[i] <= s->hi[i]) ? (double)INFINITY : miss == 0.0 ? 0.0 : miss / size;
        worst = miss > worst ? miss : worst;
    }
    return worst;
}

static inline double distance(const made_up *s, const double *z) {
    double most = 0.0;
    for (int i = 0; i < s->n; i++) {
        const double d = fabs(z[i] - s->z[i]);
        most = !(d <= most) ? d : most;
    }
    return most;
}
typedef struct bound_solver {
    sb_context *ctx;
    sb_arena arena;
    const sb_lcp_solver *type;
    sb_lcp lcp;
    const char *spec;
} bound_solver;

static inline void bind(sb_context *ctx, const made_up *s, const char *spec, bound_solver *out) {
    const void *config = NULL;
    *out = (bound_solver){.ctx = ctx, .spec = spec};
    sb_arena_init(&out->arena, ctx);
    int status = sb_lcp_find(ctx, &out->arena, spec, "auto", &out->type, &config);
    status = status == SB_OK ? sb_lcp_init(ctx, &out->arena, out->type, config, &s->A, &out->lcp) : status;
    gsl_test(status != SB_OK, "%s is found and bound: %s", spec, status == SB_OK ? "it is" : ctx->message);
}

static inline void release(bound_solver *b) { sb_arena_free(&b->arena); }

static inline int solve(bound_solver *b, const made_up *s, double *z, signed char *side, sb_lcp_report *report) {
    return sb_lcp_solve(&b->lcp, s->Ax, s->b, s->lo, s->hi, z, side, report);
}
static const char *const specs[] = {
    "block_pivot", "block_pivot:solver=dense",      "block_pivot:patience=0", "[block_pivot:solver=dense,patience=1]",
    "dantzig",     "[pgs:sweeps=1000000,tol=1e-13]"};
enum { SPECS = sizeof specs / sizeof specs[0] };

#endif
