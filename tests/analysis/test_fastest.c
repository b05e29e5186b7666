/* The fastest modes by sparse matrices: those of dense ones on systems both take, dependent constraints and singular
 * masses included; and Laguerre's polynomials on a thread of thousands. */
#include <lapacke.h>

#include "analysis/modes/spectra_dense.h"
#include "analysis/modes/spectra_sparse.h"
#include "tests/analysis/fixture.h"

enum { COUNT = 4 };
/* What the iteration vouches for, and round-off of some hundred coordinates. */
static const double tolerance = 1e-10;

static void compare(const double *dense, const double *sparse, int count, const char *problem, const char *which) {
    gsl_test((dense == NULL) != (sparse == NULL), "%s has a spectrum of %s by both", problem, which);
    for (int i = 0; dense != NULL && sparse != NULL && i < count; i++) {
        gsl_test(!(fabs(sparse[i] - dense[i]) <= tolerance * fabs(dense[0])), "%s, %s, mode %d: %.15g is %.15g",
                 problem, which, i, sparse[i], dense[i]);
    }
}

static void both(fixture *f, const sb_system *sys, const char *name, int count, const double *q, const double *v) {
    sb_spectra dense, sparse;
    int status = sb_spectra_at(&f->ctx, &f->arena, sys, SB_MATRICES_DENSE, count, false, 0.0, q, v, &dense);
    status = status == SB_OK
                 ? sb_spectra_at(&f->ctx, &f->arena, sys, SB_MATRICES_SPARSE, count, false, 0.0, q, v, &sparse)
                 : status;
    gsl_test(status != SB_OK, "%s has modes by both: %s", name, status == SB_OK ? "it has" : f->ctx.message);
    if (status != SB_OK) {
        return;
    }
    compare(dense.projected, sparse.projected, count, name, "L K L'");
    compare(dense.full, sparse.full, count, name, "M^-1 K");
    compare(dense.as_printed, sparse.as_printed, count, name, "E K");
    gsl_test_int(sparse.d, count, "as many as asked for");
}

/* At a state that moves: the system's own, with the velocity an impulse on every coordinate gives. */
static void agree(fixture *f, const char *problem, int count) {
    sb_system sys;
    sb_dynamics dyn = {0};
    double t;
    int status = sb_system_build(&f->ctx, &f->arena, problem, 0, NULL, &sys);
    gsl_test(status != SB_OK, "%s is built", problem);
    double *q = sb_alloc(&f->arena, (size_t)sys.n, sizeof *q), *v = sb_alloc(&f->arena, (size_t)sys.n, sizeof *v),
           *p = sb_alloc(&f->arena, (size_t)sys.n, sizeof *p);
    status = sys.initial(sys.self, &t, q, v);
    for (int i = 0; i < sys.n; i++) {
        p[i] = sin(1.0 + 3.0 * i);
    }
    status = status == SB_OK ? sb_dynamics_init(&f->ctx, &f->arena, &sys, &dyn) : status;
    status = status == SB_OK ? sb_dynamics_velocity(&dyn, t, q, p, v, NULL) : status;
    gsl_test(status != SB_OK, "%s moves", problem);
    both(f, &sys, problem, count, q, v);
}

/* ---- A constraint twice: the last row of a thread, with `again` times its curvature. ---- */

typedef struct doubled {
    sb_holonomic once;
    double again;
} doubled;

static int doubled_value(const void *self, double t, const double *q, double *g, double *Gx) {
    const sb_holonomic *once = &((const doubled *)self)->once;
    const int m = once->m, *p = once->G.p;
    SB_TRY(once->value(once->self, 0.0, q, g, Gx));
    if (g != NULL) {
        g[m] = g[m - 1];
    }
    for (int k = p[m - 1]; Gx != NULL && k < p[m]; k++) {
        Gx[p[m] - p[m - 1] + k] = Gx[k];
    }
    return SB_OK;
}

static int doubled_hessian(const void *self, double t, const double *q, const double *w, double c, double *Hx) {
    const sb_holonomic *once = &((const doubled *)self)->once;
    double sum[16];
    memcpy(sum, w, (size_t)once->m * sizeof *sum);
    sum[once->m - 1] += w[once->m];
    return once->hessian(once->self, 0.0, q, sum, c, Hx);
}

static int doubled_curvature(const void *self, double t, const double *q, const double *v, double *out) {
    const doubled *d = self;
    SB_TRY(d->once.curvature(d->once.self, 0.0, q, v, out));
    out[d->once.m] = d->again * out[d->once.m - 1];
    return SB_OK;
}

static void build_doubled(fixture *f, doubled *d, sb_system *sys, double *q, double *v) {
    double t;
    int status = sb_system_build(&f->ctx, &f->arena, "thread:n=8,span=0.7,masses=[1,5,2,9,1,3,2,1]", 0, NULL, sys);
    d->once = sys->holonomic;
    const int m = d->once.m, nnz = sb_pattern_nnz(&d->once.G), last = d->once.G.p[m - 1];
    int row[64], col[64], count = 0;
    for (int j = 0; j <= m; j++) {
        for (int k = d->once.G.p[j < m ? j : m - 1]; k < d->once.G.p[j < m ? j + 1 : m]; k++) {
            row[count] = d->once.G.i[k];
            col[count++] = j;
        }
    }
    gsl_test_int(count, nnz + nnz - last, "the last row is there twice");
    sys->holonomic = (sb_holonomic){.self = d,
                                    .m = m + 1,
                                    .degree = -1,
                                    .value = doubled_value,
                                    .hessian = doubled_hessian,
                                    .curvature = doubled_curvature};
    status =
        status == SB_OK ? sb_pattern_from_pairs(&f->arena, sys->n, m + 1, count, row, col, &sys->holonomic.G) : status;
    status = status == SB_OK ? sys->initial(sys->self, &t, q, v) : status;
    for (int i = 0; i < sys->n; i++) {
        v[i] = 0.1 * cos((double)i); /* what is not along the constraints bends them none the less */
    }
    gsl_test(status != SB_OK, "the doubled thread is built");
}

static void dependent(fixture *f) {
    sb_system sys;
    sb_fastest s = {0};
    double q[16], v[16];
    doubled twice = {.again = 1.0};
    build_doubled(f, &twice, &sys, q, v);
    both(f, &sys, "a doubled thread", COUNT, q, v);
    int status = sb_fastest_init(&f->ctx, &f->arena, &sys, &s);
    status = status == SB_OK ? sb_fastest_evaluate(&s, 0.0, q, v) : status;
    gsl_test(status != SB_OK || !s.metric.dependent, "dependent rows are seen: %s",
             status == SB_OK ? "they are" : f->ctx.message);
    const int last = sys.holonomic.m - 1;
    near(s.lambda[last] / s.lambda[last - 1], 1.0, 1e-6,
         "the shortest multipliers share a load equally"); /* a hundred times the softness */
    twice.again = 2.0;
    status = sb_fastest_init(&f->ctx, &f->arena, &sys, &s);
    status = status == SB_OK ? sb_fastest_evaluate(&s, 0.0, q, v) : status;
    gsl_test(status != SB_SINGULAR || strstr(f->ctx.message, "dependent") == NULL,
             "rows that contradict each other have no multipliers: %d", status);
}

/* ---- Large. ---- */

/* n equal masses: L_n(omega^2 l/g) = 0, whose zeros are the eigenvalues of the tridiagonal matrix of its recurrence. */
static void laguerre(fixture *f) {
    enum { N = 3000 };
    double *diagonal = sb_alloc(&f->arena, N, sizeof *diagonal), *off = sb_alloc(&f->arena, N, sizeof *off),
           *x = sb_alloc(&f->arena, N, sizeof *x);
    lapack_int *block = sb_alloc(&f->arena, N, sizeof *block), *split = sb_alloc(&f->arena, N, sizeof *split),
               found = 0, blocks = 0;
    sb_table table;
    for (int i = 0; i < N; i++) {
        diagonal[i] = 2.0 * i + 1.0;
        off[i] = i + 1.0;
    }
    gsl_test(LAPACKE_dstebz('I', 'E', N, 0.0, 0.0, N - COUNT + 1, N, 0.0, diagonal, off, &found, &blocks, x, block,
                            split) != 0,
             "zeros of Laguerre's polynomial");
    rows(f, "modes", "count=4", "thread:n=3000,g=5,l=2", NULL, &table);
    for (int i = 0; i < COUNT; i++) {
        near(sb_table_real(&table, i, "omega_projected") / sqrt(2.5 * x[COUNT - 1 - i]), 1.0, tolerance,
             "a zero of Laguerre's polynomial");
        near(sb_table_real(&table, i, "omega_full") / sqrt(2.5 * x[COUNT - 1 - i]), 1.0, tolerance,
             "on a straight thread M^-1 K has the same");
    }
}

/* Memory that runs out at any allocation is reported, and leaves nothing behind; and so is a state that is no number.
 */
static void starved(fixture *f) {
    sb_system sys;
    sb_spectra spectra;
    double t;
    long budget = -1;
    int status = sb_system_build(&f->ctx, &f->arena, "thread:n=12,span=0.6", 0, NULL, &sys);
    double *q = sb_alloc(&f->arena, (size_t)sys.n, sizeof *q), *v = sb_alloc(&f->arena, (size_t)sys.n, sizeof *v);
    gsl_test(status != SB_OK || sys.initial(sys.self, &t, q, v) != SB_OK, "the thread is built");
    do {
        f->ctx.alloc_budget = ++budget;
        status = sb_spectra_at(&f->ctx, &f->arena, &sys, SB_MATRICES_SPARSE, 2, false, t, q, v, &spectra);
        f->ctx.alloc_budget = -1;
        gsl_test(status != SB_OK && status != SB_NO_MEMORY, "allocation %ld fails: %d", budget + 1, status);
    } while (status == SB_NO_MEMORY && budget < 1000);
    gsl_test(status != SB_OK || budget < 10, "then it runs, with %ld allocations", budget);
    v[3] = NAN;
    status = sb_spectra_at(&f->ctx, &f->arena, &sys, SB_MATRICES_SPARSE, 2, false, t, q, v, &spectra);
    gsl_test(status != SB_NOT_FINITE, "a velocity that is no number has no modes: %d, %s", status, f->ctx.message);
    static const char *const penalty = "penalty";
    status = sb_system_build(&f->ctx, &f->arena, "thread:n=12,span=0.6", 1, &penalty, &sys);
    q[5] = 1e200;
    v[3] = 0.0;
    status = status == SB_OK ? sb_spectra_at(&f->ctx, &f->arena, &sys, SB_MATRICES_SPARSE, 2, false, t, q, v, &spectra)
                             : status;
    gsl_test(status != SB_NOT_FINITE, "nor has a stiffness that overflows: %d, %s", status, f->ctx.message);
}

/* The rounding of omega^2 is that of the stiffness over the mass: a hundred times the mass changes neither. */
static void roundings(fixture *f) {
    double rounding[2];
    for (int k = 0; k < 2; k++) {
        sb_system sys;
        sb_spectra s = {.rounding = NAN};
        double q[12], v[12], t;
        gsl_test(sb_system_build(&f->ctx, &f->arena, k == 0 ? "thread:n=4" : "thread:n=4,m=100,end_mass=100", 0, NULL,
                                 &sys) |
                     sys.initial(sys.self, &t, q, v) |
                     sb_spectra_at(&f->ctx, &f->arena, &sys, SB_MATRICES_SPARSE, 2, true, t, q, v, &s),
                 "sparse modes of a thread: %s", f->ctx.message);
        rounding[k] = s.rounding;
    }
    near(rounding[1] / rounding[0], 1.0, 1e-12, "the rounding of omega^2 of a thread a hundred times as heavy");
}

static void refusals(fixture *f) {
    sb_table table;
    gsl_test(run_one(f, "modes", "count=0,matrices=sparse", "thread", NULL, &table) != SB_BAD_USAGE,
             "sparse matrices have no count=0: %s", f->ctx.message);
    rows(f, "modes", "count=6,matrices=sparse", "thread:n=6", NULL, &table);
    gsl_test(strstr(sb_table_text(&table, 0, "status"), "count=5") == NULL, "nor all modes: %s",
             sb_table_text(&table, 0, "status"));
    rows(f, "modes", "count=0", "thread:n=1500", NULL, &table);
    gsl_test(strstr(sb_table_text(&table, 0, "status"), "count=10") == NULL, "dense ones have a limit: %s",
             sb_table_text(&table, 0, "status"));
}

int main(void) {
    fixture f;
    fixture_init(&f);
    agree(&f, "thread:n=30,end_mass=20", COUNT);
    agree(&f, "thread:n=20,dim=3,masses=[1,2,3,4,5,1,2,3,4,5,1,2,3,4,5,1,2,3,4,5]", COUNT);
    agree(&f, "thread:n=25,span=0.6,end_mass=9", COUNT);
    agree(&f, "ladder:N=8,mass_ratio=30", COUNT);
    agree(&f, "dsp", 3);
    agree(&f, "rigid_body", 2);
    agree(&f, "heavy_top", 2);
    dependent(&f);
    laguerre(&f);
    starved(&f);
    roundings(&f);
    refusals(&f);
    fixture_free(&f);
    return gsl_test_summary();
}
