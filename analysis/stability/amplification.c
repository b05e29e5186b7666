/* Analysis `amplification`: amplification matrix, roots and stability map of any stepper at an equilibrium. notes11 3, transv18. */
#include <float.h>
#include <stdlib.h>
#include <string.h>

#include <stepbench/numerics/norm.h>

#include "analysis/row.h"
#include "analysis/stability/amplification.h"
#include "analysis/stability/step_map.h"
#include "analysis/vary.h"
#include "core/base/lapack.h"

extern const sb_analysis sb_analysis_amplification;

const char *const sb_bounded_name[] = {"yes", "linear", "no", "unclear"};

/* ---- Which part of a mode is tangent to the constraints. ---- */

/* U: an orthonormal basis of the range of G at the fixed point, rank columns; constraints that depend on others add nothing. */
static int normal_space(sb_arena *arena, const sb_step_map *map, double **U, int *rank) {
    const sb_holonomic *hol = &map->sys->holonomic;
    const int n = map->n, m = hol->m;
    *rank = 0;
    *U = NULL;
    if (m == 0) {
        return SB_OK;
    }
    double *G, *Gx, *singular, *left, *super, none;
    const int least = n < m ? n : m;
    SB_NEW(arena, G, (size_t)n * (size_t)m);
    SB_NEW(arena, Gx, sb_pattern_nnz(&hol->G));
    SB_NEW(arena, singular, least);
    SB_NEW(arena, super, least);
    SB_NEW(arena, left, (size_t)n * (size_t)least);
    SB_TRY(hol->value(hol->self, map->at.q, NULL, Gx));
    for (int j = 0; j < m; j++) {
        for (int k = hol->G.p[j]; k < hol->G.p[j + 1]; k++) {
            G[j * n + hol->G.i[k]] = Gx[k];
        }
    }
    const lapack_int info = LAPACKE_dgesvd(LAPACK_COL_MAJOR, 'S', 'N', n, m, G, n, singular, left, n, &none, 1, super);
    if (info != 0) {
        return sb_lapack_fail(map->method.ctx, info, SB_SINGULAR, "%s: its constraints have no singular values at the equilibrium", map->sys->name);
    }
    while (*rank < least && singular[*rank] > n * DBL_EPSILON * singular[0]) {
        ++*rank;
    }
    *U = left;
    return SB_OK;
}

/* |x|^2 and the part of it in U, of a (real or imaginary part of a) displacement. */
static void add_shares(int n, int rank, const double *U, const double *x, double *whole, double *normal) {
    for (int k = 0; k < n; k++) {
        *whole += x[k] * x[k];
    }
    for (int j = 0; j < rank; j++) {
        double along = 0.0;
        for (int k = 0; k < n; k++) {
            along += U[j * n + k] * x[k];
        }
        *normal += along * along;
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

/* Eigenvector j as LAPACK packs it: real and imaginary part, the latter NULL for a real root. */
static void unpack(int size, const double *V, const double *im, int j, const double **re_part, const double **im_part) {
    const int first = im[j] < 0.0 ? j - 1 : j;
    *re_part = V + (size_t)first * (size_t)size;
    *im_part = im[j] != 0.0 ? *re_part + size : NULL;
}

/* |y'x| of unit vectors. */
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
    int rank;
    SB_NEW(arena, re, size);
    SB_NEW(arena, im, size);
    SB_NEW(arena, left, (size_t)size * (size_t)size);
    SB_NEW(arena, right, (size_t)size * (size_t)size);
    SB_TRY(normal_space(arena, map, &U, &rank));
    memcpy(map->work, map->J, (size_t)size * (size_t)size * sizeof(double));
    const lapack_int info = LAPACKE_dgeev(LAPACK_COL_MAJOR, 'V', 'V', size, map->work, size, re, im, left, size, right, size);
    if (info != 0) {
        return sb_lapack_fail(map->method.ctx, info, SB_NOT_CONVERGED, "%s on %s: LAPACK did not find the roots at h = %.9g",
                       map->method.type->entry.name, map->sys->name, map->h);
    }
    for (int j = 0; j < size; j++) {
        const double *xr, *xi, *yr, *yi;
        double whole = 0.0, normal = 0.0;
        unpack(size, right, im, j, &xr, &xi);
        unpack(size, left, im, j, &yr, &yi);
        add_shares(n, rank, U, xr, &whole, &normal);
        if (xi != NULL) {
            add_shares(n, rank, U, xi, &whole, &normal);
        }
        angle[j] = cosine(size, yr, yi, xr, xi);
        out->roots[j] = (sb_root){.re = re[j],
                                  .im = im[j],
                                  .modulus = hypot(re[j], im[j]),
                                  .tolerance = fmin(map->noise / fmax(angle[j], DBL_MIN), cbrt(map->noise)),
                                  .transversal = whole > 0.0 ? fmax(0.0, 1.0 - normal / whole) : 0.0,
                                  .multiplicity = 1};
    }
    return SB_OK;
}

static bool one(const sb_root *a, const sb_root *b) {
    return hypot(a->re - b->re, a->im - b->im) <= 8.0 * fmax(a->tolerance, b->tolerance);
}

static void set_multiplicities(sb_amplification *out, const double *angle) {
    for (int i = 0; i < out->count; i++) {
        for (int j = 0; j < out->count; j++) {
            out->roots[i].multiplicity += j != i && one(&out->roots[i], &out->roots[j]);
        }
        out->roots[i].defective = out->roots[i].multiplicity > 1 && angle[i] < 0.01;
    }
}

/* Which verdict on a root overrules which. */
static int rank_of(sb_bounded verdict) {
    return verdict == SB_GROWS ? 3 : verdict == SB_UNCLEAR ? 2 : verdict == SB_GROWS_LINEARLY ? 1 : 0;
}

static void judge(sb_amplification *out) {
    out->radius = out->transversal_radius = 0.0;
    out->bounded = SB_BOUNDED;
    for (int i = 0; i < out->count; i++) {
        const sb_root *root = &out->roots[i];
        out->radius = sb_larger(out->radius, root->modulus);
        if (root->transversal >= 0.5) {
            out->transversal_radius = sb_larger(out->transversal_radius, root->modulus);
        }
        const double blur = 8.0 * root->tolerance;
        sb_bounded verdict = SB_BOUNDED;
        if (!(root->modulus <= 1.0 + blur)) {
            verdict = SB_GROWS;
        } else if (blur > 0.1 && root->modulus > 1.0 - blur) {
            verdict = SB_UNCLEAR;
        } else if (root->defective && root->transversal >= 0.5 && root->modulus >= 1.0 - blur) {
            verdict = SB_GROWS_LINEARLY;
        }
        out->bounded = rank_of(verdict) > rank_of(out->bounded) ? verdict : out->bounded;
    }
}

int sb_amplification_measure(sb_context *ctx, sb_arena *arena, const sb_pair *pair, double h, sb_amplification *out) {
    sb_step_map map;
    double *angle;
    *out = (sb_amplification){.h = h};
    int status = sb_step_map_init(ctx, arena, pair->type, pair->config, pair->sys, h, &map);
    if (status == SB_OK) {
        out->count = map.size;
        out->noise = map.noise;
        out->roots = sb_alloc(arena, (size_t)map.size, sizeof *out->roots);
        angle = sb_alloc(arena, (size_t)map.size, sizeof *angle);
        status = out->roots == NULL || angle == NULL ? SB_NO_MEMORY : set_roots(arena, &map, out, angle);
        if (status == SB_OK) {
            set_multiplicities(out, angle);
            judge(out);
            qsort(out->roots, (size_t)out->count, sizeof *out->roots, descending);
        }
    }
    sb_step_map_fini(&map);
    return status;
}

/* ---- Rows. ---- */

typedef struct amplification_config {
    sb_reals h;
    const char *vary;
    sb_reals values;
    int roots;
} amplification_config;

enum {
    PROBLEM,
    STEPPER,
    H,
    PARAMETER,
    VALUE,
    RADIUS,
    TRANSVERSAL,
    STABLE,
    ROOT,
    RE,
    IM,
    MODULUS,
    TOLERANCE,
    SHARE,
    MULTIPLICITY,
    DEFECTIVE,
    STATUS,
    COLUMNS
};

/* One value of the parameter varied; `name` is "" when none is. */
typedef struct variation {
    const char *name;
    double value;
    sb_pair pair;
} variation;

static void begin_row(const variation *v, double h, sb_cell row[COLUMNS]) {
    for (int j = 0; j < COLUMNS; j++) {
        row[j] = sb_empty();
    }
    row[PROBLEM] = sb_text(v->pair.problem);
    row[STEPPER] = sb_text(v->pair.stepper);
    row[H] = sb_real(h);
    if (v->name[0] != '\0') {
        row[PARAMETER] = sb_text(v->name);
        row[VALUE] = sb_real(v->value);
    }
    row[STATUS] = sb_text(SB_STATUS_FINE);
}

static int write_roots(const variation *v, const sb_amplification *a, sb_sink *out) {
    for (int i = 0; i < a->count; i++) {
        const sb_root *root = &a->roots[i];
        sb_cell row[COLUMNS];
        begin_row(v, a->h, row);
        row[ROOT] = sb_int(i);
        row[RE] = sb_real(root->re);
        row[IM] = sb_real(root->im);
        row[MODULUS] = sb_real(root->modulus);
        row[TOLERANCE] = sb_real(root->tolerance);
        row[SHARE] = sb_real(root->transversal);
        row[MULTIPLICITY] = sb_int(root->multiplicity);
        row[DEFECTIVE] = sb_text(root->defective ? "yes" : "no");
        SB_TRY(out->row(out, row));
    }
    return SB_OK;
}

static int write_step(sb_context *ctx, const variation *v, double h, bool roots, sb_sink *out) {
    sb_arena arena;
    sb_amplification a;
    sb_cell row[COLUMNS];
    sb_arena_init(&arena, ctx);
    int status = sb_interrupted(ctx) ? sb_fail(ctx, SB_INTERRUPTED, "interrupted at h = %.9g", h)
                                                           : sb_amplification_measure(ctx, &arena, &v->pair, h, &a);
    begin_row(v, h, row);
    if (status == SB_OK) {
        row[RADIUS] = sb_real(a.radius);
        row[TRANSVERSAL] = sb_real(a.transversal_radius);
        row[STABLE] = sb_text(sb_bounded_name[a.bounded]);
        status = out->row(out, row);
        if (status == SB_OK && roots) {
            status = write_roots(v, &a, out);
        }
    } else if (sb_failure_is_result(status)) {
        row[STATUS] = sb_text(ctx->message[0] != '\0' ? ctx->message : sb_status_text(status));
        const int written = out->row(out, row);
        status = written != SB_OK ? written : status;
    }
    sb_arena_free(&arena);
    return status;
}

static int check_in(sb_context *ctx, sb_arena *arena, const amplification_config *config, const sb_pair *pair) {
    if ((config->vary[0] != '\0') != (config->values.n > 0)) {
        return sb_fail(ctx, SB_BAD_USAGE, "amplification: vary and values go together: vary=end_mass,values=[1,10,100]");
    }
    for (int k = 0; k < config->values.n; k++) {
        sb_pair varied;
        SB_TRY(sb_pair_vary(ctx, arena, pair, config->vary, config->values.x[k], &varied));
    }
    return SB_OK;
}

static int check(sb_context *ctx, const void *config, const sb_pair *pair) {
    sb_arena arena;
    sb_arena_init(&arena, ctx);
    const int status = check_in(ctx, &arena, config, pair);
    sb_arena_free(&arena);
    return status;
}

static int write_rows(sb_context *ctx, sb_arena *arena, const amplification_config *config, const sb_pair *pair, sb_sink *out) {
    sb_reals h;
    const bool varied = config->vary[0] != '\0';
    int failed = SB_OK;
    SB_TRY(sb_pick_steps(arena, pair->sys, &config->h, 1, 2.0, &h));
    for (int k = 0; k < (varied ? config->values.n : 1); k++) {
        variation v = {.name = config->vary, .value = varied ? config->values.x[k] : 0.0, .pair = *pair};
        if (varied) {
            SB_TRY(sb_pair_vary(ctx, arena, pair, v.name, v.value, &v.pair));
        }
        for (int i = 0; i < h.n; i++) {
            SB_TRY(sb_row_go_on(write_step(ctx, &v, h.x[i], config->roots, out), &failed));
        }
    }
    return failed;
}

static int run(sb_context *ctx, const void *config, const sb_pair *pair, sb_sink *out) {
    sb_arena arena;
    sb_arena_init(&arena, ctx);
    const int status = write_rows(ctx, &arena, config, pair, out);
    sb_arena_free(&arena);
    return status;
}

static const sb_param params[] = {
    {"h", SB_REALS, offsetof(amplification_config, h), "", 0.0, INFINITY, SB_OPEN, NULL, "s",
     "steps; empty: a tenth of the problem's time scale"},
    {"vary", SB_TEXT, offsetof(amplification_config, vary), "", 0.0, 0.0, SB_CLOSED, NULL, "",
     "a parameter of the stepper, or else of the problem, that takes each of `values`: with h the two axes of a stability map"},
    {"values", SB_REALS, offsetof(amplification_config, values), "", -INFINITY, INFINITY, SB_OPEN, NULL, "",
     "values of the parameter varied"},
    {"roots", SB_CHOICE, offsetof(amplification_config, roots), "no", 0.0, 0.0, SB_CLOSED, "no|yes", "",
     "a row for every root too, from the largest modulus down"},
    {0}};

static const sb_column columns[COLUMNS] = {
    {"problem", SB_COL_KEY, "", "the problem"},
    {"stepper", SB_COL_KEY, "", "the stepper"},
    {"h", SB_COL_KEY, "s", "step"},
    {"parameter", SB_COL_KEY, "", "the parameter varied; empty if none is"},
    {"value", SB_COL_KEY, "", "its value"},
    {"radius", SB_COL_EXACT, "", "largest modulus of a root"},
    {"radius_transversal", SB_COL_EXACT, "", "the same of the modes that move along the constraints"},
    {"stable", SB_COL_INFO, "",
     "yes: all roots within the unit circle; linear: a defective one of a transversal mode on it; no: one outside; unclear: too blurred to "
     "tell"},
    {"root", SB_COL_KEY, "", "number of the root, in rows of a root"},
    {"re", SB_COL_EXACT, "", "its real part"},
    {"im", SB_COL_EXACT, "", "its imaginary part"},
    {"modulus", SB_COL_EXACT, "", "its modulus"},
    {"tolerance", SB_COL_ERROR, "",
     "how far the noise of the matrix may have moved it: the square or cube root of that where it is defective"},
    {"transversal", SB_COL_EXACT, "", "share of its mode's displacement that is tangent to the constraints"},
    {"multiplicity", SB_COL_INFO, "", "roots that are one to within their tolerances"},
    {"defective", SB_COL_INFO, "", "yes: a multiple root with fewer eigenvectors"},
    {"status", SB_COL_INFO, "", "ok, or why there is no result"}};

const sb_analysis sb_analysis_amplification = {
    .entry = {"amplification", "amplification matrix, roots and stability map of any stepper at an equilibrium, constraints included",
              "notes11 3", params, sizeof(amplification_config)},
    .ncolumns = COLUMNS,
    .columns = columns,
    .check = check,
    .run = run};
