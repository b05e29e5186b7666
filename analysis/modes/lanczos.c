/* The largest eigenvalues of an operator that is symmetric in the inner product of a mass matrix, by ARPACK: lehoucq98.
 */
#include <math.h>
#include <string.h>

#include "analysis/modes/lanczos.h"

/* ARPACK's Fortran routines. Its C wrapper of dseupd allocates an array and writes to it without a check. */
typedef int fortran_int;
void dsaupd_(fortran_int *ido, const char *bmat, const fortran_int *n, const char *which, const fortran_int *nev,
             const double *tol, double *resid, const fortran_int *ncv, double *v, const fortran_int *ldv,
             fortran_int *iparam, fortran_int *ipntr, double *workd, double *workl, const fortran_int *lworkl,
             fortran_int *info, size_t bmat_length, size_t which_length);
void dseupd_(const fortran_int *rvec, const char *howmny, fortran_int *select, double *d, double *z,
             const fortran_int *ldz, const double *sigma, const char *bmat, const fortran_int *n, const char *which,
             const fortran_int *nev, const double *tol, double *resid, const fortran_int *ncv, double *v,
             const fortran_int *ldv, fortran_int *iparam, fortran_int *ipntr, double *workd, double *workl,
             const fortran_int *lworkl, fortran_int *info, size_t howmny_length, size_t bmat_length,
             size_t which_length);

/* Keeping 40 basis vectors orthogonal costs less than applying the operators here, and takes a third of the restarts of
 * 20 vectors. */
enum { BASIS = 40, RESTARTS_MAX = 3000 };
static const double tolerance = 1e-10;

typedef struct iteration {
    int n, wanted, basis;
    fortran_int ido, info, iparam[11], ipntr[11], lworkl;
    double *resid, *V, *workd, *workl, *values;
    fortran_int *select;
} iteration;

static int begin(sb_arena *arena, const sb_lanczos *spec, int count, iteration *it) {
    const int most = 2 * count + 1 > BASIS ? 2 * count + 1 : BASIS;
    *it = (iteration){.n = spec->n, .wanted = count, .basis = most < spec->range ? most : spec->range};
    if (count >= it->basis) {
        return sb_fail(arena->ctx, SB_UNSUPPORTED,
                       "%s: %d fastest modes are too many for an iteration that finds fewer than %d; use count=%d, or "
                       "dense matrices",
                       spec->what, count, it->basis, it->basis > 1 ? it->basis - 1 : 1);
    }
    const size_t n = (size_t)it->n, basis = (size_t)it->basis;
    it->lworkl = (fortran_int)(basis * (basis + 8));
    SB_NEW(arena, it->resid, n);
    SB_NEW(arena, it->V, n * basis);
    SB_NEW(arena, it->workd, 3 * n);
    SB_NEW(arena, it->workl, it->lworkl);
    SB_NEW(arena, it->values, count);
    SB_NEW(arena, it->select, basis);
    it->iparam[0] = 1; /* exact shifts */
    it->iparam[2] = RESTARTS_MAX;
    it->iparam[6] = 2; /* mode 2: A x = value M x by products with M^-1 A and M */
    it->info = 1;      /* resid is the start */
    /* The fractional parts of the multiples of the golden ratio do not repeat in a pattern to which a mode could be
     * orthogonal. */
    for (int i = 0; i < it->n; i++) {
        it->resid[i] = fmod((i + 1) * 0.6180339887498949, 1.0) - 0.5;
    }
    return SB_OK;
}

/* Computes the products that ARPACK requests until it is done. In mode 2 the argument of the operator is replaced by M
 * times the result. */
static int iterate(sb_context *ctx, const sb_lanczos *spec, iteration *it) {
    for (;;) {
        dsaupd_(&it->ido, "G", &it->n, "LA", &it->wanted, &tolerance, it->resid, &it->basis, it->V, &it->n, it->iparam,
                it->ipntr, it->workd, it->workl, &it->lworkl, &it->info, 1, 2);
        double *x = it->workd + it->ipntr[0] - 1, *y = it->workd + it->ipntr[1] - 1;
        if (sb_interrupted(ctx)) {
            return sb_fail(ctx, SB_INTERRUPTED, "%s: interrupted in the computation of its fastest modes", spec->what);
        }
        if (it->ido == 2) {
            SB_TRY(spec->mass(spec->self, x, y));
        } else if (it->ido == 1 || it->ido == -1) {
            SB_TRY(spec->apply(spec->self, x, y));
            SB_TRY(spec->mass(spec->self, y, x));
        } else {
            return SB_OK;
        }
    }
}

static int finish(sb_context *ctx, const sb_lanczos *spec, iteration *it, double *values, double *vectors) {
    if (it->info == 0) {
        const fortran_int with_vectors = 1;
        const double sigma = 0.0;
        dseupd_(&with_vectors, "A", it->select, it->values, it->V, &it->n, &sigma, "G", &it->n, "LA", &it->wanted,
                &tolerance, it->resid, &it->basis, it->V, &it->n, it->iparam, it->ipntr, it->workd, it->workl,
                &it->lworkl, &it->info, 1, 1, 2);
    }
    if (it->info != 0 || it->iparam[4] < it->wanted) {
        return sb_fail(ctx, SB_NOT_CONVERGED,
                       "%s: %d of the %d fastest modes were found in %d restarts (ARPACK: %d); their frequencies lie "
                       "too close together, or a number is not finite",
                       spec->what, it->info < 0 ? 0 : (int)it->iparam[4], it->wanted, (int)it->iparam[2],
                       (int)it->info);
    }
    /* ARPACK's eigenvalues ascend. */
    for (int i = 0; i < it->wanted; i++) {
        const int from = it->wanted - 1 - i;
        values[i] = it->values[from];
        if (vectors != NULL) {
            memcpy(vectors + (size_t)i * (size_t)it->n, it->V + (size_t)from * (size_t)it->n,
                   (size_t)it->n * sizeof *vectors);
        }
    }
    return SB_OK;
}

int sb_lanczos_solve(sb_context *ctx, const sb_lanczos *spec, int count, double *values, double *vectors) {
    iteration it;
    SB_SCRATCH(scratch, ctx);
    SB_TRY(begin(&scratch, spec, count, &it));
    SB_TRY(iterate(ctx, spec, &it));
    return finish(ctx, spec, &it, values, vectors);
}
