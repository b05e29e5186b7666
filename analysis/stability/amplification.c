/* Analysis `amplification`: amplification matrix of a stepper at an equilibrium, and its eigenvalues (roots). notes11
 * 3, transv18. */
#include <complex.h>
#include <string.h>

#include <cblas.h>

#include <stepbench/numerics/lapack.h>

#include "analysis/modes/spectra_dense.h"
#include "analysis/row.h"
#include "analysis/stability/amplification.h"
#include "analysis/stability/step_map.h"
#include "analysis/vary.h"

const char *const sb_bounded_name[] = {"yes", "neutral", "linear", "unclear", "no"};

/* Adds |x|^2 to *whole, and the square of its component tangent to the constraints to *tangent. x is the real or the
 * imaginary part of a displacement, U the basis of the tangent space, of d columns. */
static void add_shares(int n, int d, const double *U, const double *x, double *whole, double *tangent) {
    *whole += cblas_ddot(n, x, 1, x, 1);
    for (int j = 0; j < d; j++) {
        const double along = cblas_ddot(n, U + (size_t)j * (size_t)n, 1, x, 1);
        *tangent += along * along;
    }
}

/* ---- Roots. ---- */

static int descending(const void *a, const void *b) {
    const sb_root *x = a, *y = b;
    if (x->modulus != y->modulus) {
        return x->modulus > y->modulus ? -1 : 1;
    }
    return x->im > y->im ? -1 : x->im < y->im;
}

/* Sets the real and the imaginary part of eigenvector j, stored as LAPACK does; the imaginary part is NULL for a real
 * root. */
static void unpack(int size, const double *V, const double *im, int j, const double **re_part, const double **im_part) {
    const int first = im[j] < 0.0 ? j - 1 : j;
    *re_part = V + (size_t)first * (size_t)size;
    *im_part = im[j] != 0.0 ? *re_part + size : NULL;
}

/* Returns |y'x| for unit vectors. */
static double cosine(int size, const double *yr, const double *yi, const double *xr, const double *xi) {
    double re = 0.0, imag = 0.0;
    for (int k = 0; k < size; k++) {
        re += yr[k] * xr[k];
        if (xi != NULL) {
            re += yi[k] * xi[k];
            imag += yr[k] * xi[k] - yi[k] * xr[k];
        }
    }
    return hypot(re, imag);
}

static int set_roots(sb_arena *arena, const sb_step_map *map, sb_amplification *out, double *angle) {
    const int size = map->size, n = map->n;
    double *re, *im, *left, *right, *U;
    int rank = 0;
    SB_TRY(SB_VECTORS(arena, size, &re, &im));
    SB_TRY(SB_VECTORS(arena, (size_t)size * (size_t)size, &left, &right));
    SB_NEW(arena, U, (size_t)n * (size_t)n);
    SB_TRY(sb_tangent_basis(map->method.ctx, map->sys, map->at.t, map->at.q, U, &rank));
    /* An orthonormal basis in the units of x. */
    const int d = n - rank;
    for (int k = 0; k < n * d; k++) {
        U[k] /= map->scale[k % n];
    }
    lapack_int info = LAPACKE_dgeqrf(LAPACK_COL_MAJOR, n, d, U, n, re);
    info = info == 0 ? LAPACKE_dorgqr(LAPACK_COL_MAJOR, n, d, d, U, n, re) : info;
    memcpy(map->work, map->J, (size_t)size * (size_t)size * sizeof(double));
    info = info != 0
               ? info
               : LAPACKE_dgeev(LAPACK_COL_MAJOR, 'V', 'V', size, map->work, size, re, im, left, size, right, size);
    if (info != 0) {
        return sb_lapack_fail(map->method.ctx, info, SB_NOT_CONVERGED,
                              "%s on %s: the eigenvalues of the amplification matrix did not converge at h = %.9g",
                              map->method.type->entry.name, map->sys->name, map->h);
    }
    for (int j = 0; j < size; j++) {
        const double *xr, *xi, *yr, *yi;
        double whole = 0.0, tangent = 0.0;
        unpack(size, right, im, j, &xr, &xi);
        unpack(size, left, im, j, &yr, &yi);
        add_shares(n, d, U, xr, &whole, &tangent);
        if (xi != NULL) {
            add_shares(n, d, U, xi, &whole, &tangent);
        }
        angle[j] = cosine(size, yr, yi, xr, xi);
        out->roots[j] = (sb_root){.re = re[j],
                                  .im = im[j],
                                  .modulus = hypot(re[j], im[j]),
                                  .tolerance = fmin(map->noise / fmax(angle[j], DBL_MIN), cbrt(map->noise)),
                                  .transversal = whole > 0.0 ? fmin(1.0, tangent / whole) : 0.0,
                                  .multiplicity = 1};
    }
    return SB_OK;
}

/* Returns whether two roots are equal to within their tolerances. */
static bool equal(const sb_root *a, const sb_root *b) {
    return hypot(a->re - b->re, a->im - b->im) <= 8.0 * fmax(a->tolerance, b->tolerance);
}

/* Sets root->defective if it has fewer eigenvectors than its multiplicity: the dimension of the null space of J - root,
 * the number of its singular values below the norm of the error of J. */
static int count_eigenvectors(sb_arena *arena, const sb_step_map *map, sb_root *root) {
    const int size = map->size;
    double complex *A, none;
    double *singular;
    int vectors = 0;
    SB_NEW(arena, A, (size_t)size * (size_t)size);
    SB_NEW(arena, singular, size);
    for (int i = 0; i < size * size; i++) {
        A[i] = map->J[i] - (i % (size + 1) == 0 ? CMPLX(root->re, root->im) : 0.0);
    }
    const lapack_int info = LAPACKE_zgesdd(LAPACK_COL_MAJOR, 'N', size, size, A, size, singular, &none, 1, &none, 1);
    if (info != 0) {
        return sb_lapack_fail(map->method.ctx, info, SB_NOT_CONVERGED,
                              "%s on %s: the singular values of the amplification matrix did not converge at h = %.9g",
                              map->method.type->entry.name, map->sys->name, map->h);
    }
    for (int i = 0; i < size; i++) {
        vectors += singular[i] <= size * map->noise;
    }
    root->defective = vectors < root->multiplicity;
    return SB_OK;
}

static int set_multiplicities(sb_arena *arena, const sb_step_map *map, const double *angle, sb_amplification *out) {
    const double parallel = fmin(0.01, 30.0 * sqrt(out->noise));
    for (int i = 0; i < out->count; i++) {
        sb_root *root = &out->roots[i];
        for (int j = 0; j < out->count; j++) {
            root->multiplicity += j != i && equal(root, &out->roots[j]);
        }
        root->defective = root->multiplicity > 1 && angle[i] < parallel;
        if (root->defective && root->modulus > 0.5) { /* smaller ones decide nothing */
            SB_TRY(count_eigenvectors(arena, map, root));
        }
    }
    return SB_OK;
}

static void evaluate(sb_amplification *out) {
    out->radius = out->transversal_radius = 0.0;
    out->bounded = SB_BOUNDED;
    for (int i = 0; i < out->count; i++) {
        const sb_root *root = &out->roots[i];
        out->radius = sb_larger(out->radius, root->modulus);
        if (root->transversal >= 0.5) {
            out->transversal_radius = sb_larger(out->transversal_radius, root->modulus);
        }
        const double blur = 8.0 * root->tolerance, pair = 8.0 * sqrt(out->noise);
        sb_bounded verdict = SB_BOUNDED;
        if (!(root->modulus <= 1.0 + blur)) {
            verdict = SB_GROWS;
        } else if (root->defective && root->transversal >= 0.5 && hypot(root->re - 1.0, root->im) <= pair) {
            verdict = SB_DRIFTS;
        } else if (blur > 0.1 && root->modulus > 1.0 - blur) {
            verdict = SB_BOUND_UNCLEAR;
        } else if (root->defective && root->transversal >= 0.5 && root->modulus >= 1.0 - blur) {
            verdict = SB_GROWS_LINEARLY;
        }
        out->bounded = verdict > out->bounded ? verdict : out->bounded;
    }
}

int sb_amplification_measure(sb_context *ctx, sb_arena *arena, const sb_pair *pair, double h, sb_amplification *out) {
    sb_step_map map;
    double *angle;
    *out = (sb_amplification){.h = h};
    SB_TRY(sb_step_map_init(ctx, arena, pair->type, pair->config, pair->sys, h, &map));
    out->count = map.size;
    out->noise = map.noise;
    SB_NEW(arena, out->roots, map.size);
    SB_NEW(arena, angle, map.size);
    SB_TRY(set_roots(arena, &map, out, angle));
    SB_TRY(set_multiplicities(arena, &map, angle, out));
    evaluate(out);
    qsort(out->roots, (size_t)out->count, sizeof *out->roots, descending);
    return SB_OK;
}

int sb_amplification_examine(sb_context *ctx, sb_arena *arena, const sb_pair *pair, double h, sb_step_result *out) {
    sb_amplification a;
    SB_SCRATCH(scratch, ctx);
    const int status = sb_amplification_measure(ctx, &scratch, pair, h, &a);
    if (status != SB_OK) {
        *out = (sb_step_result){.bounded = SB_GROWS, .radius = NAN, .nowhere = status == SB_UNSUPPORTED};
        return sb_failure_keep(arena, status, &out->failure);
    }
    *out = (sb_step_result){.bounded = a.bounded, .radius = a.radius};
    for (int i = 0; i < a.count; i++) {
        const double blur = 8.0 * a.roots[i].tolerance;
        out->dissipates = out->dissipates || (fabs(a.roots[i].im) > blur && a.roots[i].modulus < 1.0 - blur - 1e-6);
    }
    return SB_OK;
}

int sb_root_judge(void *search, double h, sb_bounded *verdict) {
    sb_root_search *s = search;
    sb_step_result r;
    SB_TRY(sb_amplification_examine(s->ctx, s->arena, s->pair, h, &r));
    s->examined = s->examined || r.failure == NULL;
    s->beyond = sb_is_stable(r.bounded) ? s->beyond : r;
    *verdict = r.bounded;
    return SB_OK;
}

/* ---- Rows. ---- */

typedef struct amplification_config {
    sb_reals h;
    const char *vary;
    sb_reals values;
    int roots;
} amplification_config;

/* Writes the rows of one step of `pair`, the pair of the task with the parameter set to `value`: the row of the matrix
 * and, if asked for, one per root. */
static int write_step(sb_task *task, const sb_pair *pair, sb_cell parameter, sb_cell value) {
    const amplification_config *config = task->config;
    const sb_cell none = sb_empty();
    sb_amplification a;
    SB_SCRATCH(arena, task->ctx);
    const int status = sb_amplification_measure(task->ctx, &arena, pair, task->h, &a);
    if (sb_failure_is_result(status)) {
        task->failed = status;
        return sb_row_status(task, sb_failure_text(task->ctx, status), SB_CELLS(parameter, value));
    }
    SB_TRY(status);
    SB_TRY(sb_row(task, SB_CELLS(parameter, value, sb_real(a.radius), sb_real(a.transversal_radius),
                                 sb_text(sb_bounded_name[a.bounded]))));
    for (int i = 0; i < a.count && config->roots; i++) {
        const sb_root *r = &a.roots[i];
        SB_TRY(sb_row(task, SB_CELLS(parameter, value, none, none, none, sb_int(i), sb_real(r->re), sb_real(r->im),
                                     sb_real(r->modulus), sb_real(r->tolerance), sb_real(r->transversal),
                                     sb_int(r->multiplicity), sb_yes(r->defective))));
    }
    return SB_OK;
}

static int check(const sb_task *task) {
    const amplification_config *config = task->config;
    const bool varied = config->vary[0] != '\0';
    if (varied != (config->values.n > 0)) {
        return sb_fail(task->ctx, SB_BAD_USAGE,
                       "amplification: vary and values go together: vary=end_mass,values=[1,10,100]");
    }
    return varied ? sb_pair_check_vary(task->ctx, task->arena, task->pair, config->vary, &config->values) : SB_OK;
}

/* Writes the rows of all steps of `pair`. */
static int write_steps(sb_task *task, const sb_reals *h, const sb_pair *pair, sb_cell parameter, sb_cell value) {
    for (int i = 0; i < h->n; i++) {
        task->h = h->x[i];
        SB_TRY(write_step(task, pair, parameter, value));
    }
    return SB_OK;
}

static int run(sb_task *task) {
    const amplification_config *config = task->config;
    sb_reals h;
    sb_pair_param param;
    SB_TRY(sb_pick_values(task->arena, &config->h, 1, sb_default_step(task->sys->time_scale), 2.0, &h));
    if (config->vary[0] == '\0') {
        return write_steps(task, &h, task->pair, sb_empty(), sb_empty());
    }
    SB_TRY(sb_pair_find_param(task->ctx, task->arena, task->pair, config->vary, &param));
    for (int k = 0; k < config->values.n; k++) {
        sb_pair varied;
        SB_TRY(sb_pair_vary(task->ctx, task->arena, task->pair, &param, config->values.x[k], &varied));
        SB_TRY(write_steps(task, &h, &varied, sb_text(param.name), sb_real(config->values.x[k])));
    }
    return SB_OK;
}

static const sb_param params[] = {
    {"h", SB_REALS, offsetof(amplification_config, h), "", 0.0, INFINITY, SB_OPEN, NULL, "s",
     "steps; empty: a tenth of the problem's time scale in two digits"},
    SB_PARAM_TEXT(amplification_config, vary, "",
                  "the parameter that takes each of `values`, problem.NAME or stepper.NAME (NAME if only one of them "
                  "has it): with h the axes of a stability map"),
    {"values", SB_REALS, offsetof(amplification_config, values), "", -INFINITY, INFINITY, SB_OPEN, NULL, "",
     "values of the parameter"},
    SB_PARAM_CHOICE(amplification_config, roots, "no", "no|yes",
                    "also write a row for every root, the largest modulus first; with --plot always"),
    {0}};

static const sb_column columns[] = {
    SB_KEY_COLUMNS,
    SB_COLUMNS_VARIED,
    {"radius", SB_COL_EXACT, "", "spectral radius, the largest modulus of a root"},
    {"radius_transversal", SB_COL_EXACT, "",
     "largest modulus of a root whose mode is tangent to the constraint manifold"},
    {"stable", SB_COL_INFO, "",
     "yes: all roots are within the unit circle; neutral: a defective root of a tangent mode is 1, as of a free "
     "motion; linear: another one is on the circle; no: a root is outside; unclear: the tolerance of a root is too "
     "large to decide"},
    {"root", SB_COL_KEY, "", "number of the root; empty in the row of the matrix"},
    {"re", SB_COL_EXACT, "", "real part of the root"},
    {"im", SB_COL_EXACT, "", "imaginary part of the root"},
    {"modulus", SB_COL_EXACT, "", "modulus of the root"},
    {"tolerance", SB_COL_ERROR, "",
     "error bound of the root from that of the matrix; its square or cube root for a defective root"},
    {"transversal", SB_COL_EXACT, "",
     "fraction of the displacement of its mode that is tangent to the constraint manifold"},
    {"multiplicity", SB_COL_INFO, "", "number of roots that are equal to within their tolerances"},
    {"defective", SB_COL_INFO, "", "yes: a multiple root with fewer eigenvectors than its multiplicity"},
    SB_COLUMN_STATUS};

SB_DEFINE_ANALYSIS(amplification) = {
    .entry = {"amplification",
              "amplification matrix, roots and stability map of a stepper at an equilibrium, constraints included",
              "notes11 3", params, sizeof(amplification_config)},
    SB_COLUMNS(columns),
    .example = "stepbench amplification -p oscillator -s verlet -s midpoint --h [1,2] --plot roots.svg",
    .plot = "amplification",
    .plot_switch = "roots",
    .check = check,
    .fixed_steps = true,
    .run = run};
