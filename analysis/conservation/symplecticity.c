/* Analysis `symplecticity`: change of the symplectic form under the step map. wm96 (3.7)-(3.13), 4.6. */
#include <string.h>

#include <stepbench/numerics/norm.h>

#include "analysis/conservation/properties.h"
#include "analysis/conservation/tangent_bundle.h"
#include "analysis/orbit.h"
#include "analysis/row.h"

/* The run whose derivatives are taken. */
typedef struct tangent {
    sb_method method;
    sb_tangent_bundle bundle;
    sb_orbit orbit;
    double h, size; /* step; size of the motion, the unit of length */
    long steps;
    int n, dim; /* dim = 2 (n - m) */
    double *z, *q, *v, *p;
    double *dx0, *dx1; /* 2 n x dim: derivatives of (q, p) after the start and after the steps */
    double *Omega0, *Omega1;
    double *scale, *bound; /* for each row: root of its largest entry in Omega0; error of its entries */
} tangent;

static int tangent_init(sb_context *ctx, sb_arena *arena, const sb_pair *pair, double h, long steps, tangent *w) {
    SB_TRY(sb_method_init(ctx, arena, pair->type, pair->config, pair->sys, &w->method));
    SB_TRY(sb_tangent_bundle_init(ctx, arena, pair->sys, &w->bundle));
    SB_TRY(sb_orbit_init(&w->method, arena, &w->orbit));
    const int n = pair->sys->n, dim = 2 * w->bundle.d;
    w->n = n;
    w->dim = dim;
    w->h = h;
    w->steps = steps;
    w->size = fmax(sb_norm_max(n, w->bundle.q0), sb_norm_max(n, w->bundle.v0) * pair->sys->time_scale);
    w->size = w->size > 0.0 ? w->size : 1.0;
    SB_NEW(arena, w->z, dim);
    SB_TRY(SB_VECTORS(arena, n, &w->q, &w->v, &w->p));
    SB_TRY(SB_VECTORS(arena, 2 * n * dim, &w->dx0, &w->dx1));
    SB_TRY(SB_VECTORS(arena, dim * dim, &w->Omega0, &w->Omega1));
    SB_TRY(SB_VECTORS(arena, dim, &w->scale, &w->bound));
    return SB_OK;
}

/* column += c (q, p) */
static int add_state(tangent *w, const sb_state *state, double c, double *column) {
    SB_TRY(sb_method_momentum(&w->method, state, w->p));
    for (int k = 0; k < w->n; k++) {
        column[k] += c * state->q[k];
        column[w->n + k] += c * w->p[k];
    }
    return SB_OK;
}

/* Runs from z and adds c times the first and the last (q, p) to the two columns. */
static int add_run(tangent *w, double c, double *column0, double *column1) {
    double t;
    SB_TRY(w->bundle.sys->initial(w->bundle.sys->self, &t, w->q, w->v));
    SB_TRY(sb_tangent_bundle_point(&w->bundle, w->z, w->q, w->v));
    SB_TRY(sb_orbit_start(&w->orbit, t, w->q, w->v, w->h));
    SB_TRY(add_state(w, &w->orbit.now, c, column0));
    SB_TRY(sb_orbit_advance(&w->orbit, w->h, w->steps));
    return add_state(w, &w->orbit.now, c, column1);
}

/* Sets dx0 and dx1 by central differences of eighth order: f'(0) = sum_k c_k (f(k d) - f(-k d))/d, k = 1 ... 4. */
static int differentiate(tangent *w, double d) {
    static const double weight[4] = {4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0};
    memset(w->dx0, 0, (size_t)(2 * w->n * w->dim) * sizeof(double));
    memset(w->dx1, 0, (size_t)(2 * w->n * w->dim) * sizeof(double));
    memset(w->z, 0, (size_t)w->dim * sizeof(double));
    for (int i = 0; i < w->dim; i++) {
        double *column0 = w->dx0 + (size_t)(2 * w->n * i), *column1 = w->dx1 + (size_t)(2 * w->n * i);
        for (int k = 1; k <= 4; k++) {
            for (int sign = -1; sign <= 1; sign += 2) {
                w->z[i] = sign * k * d;
                SB_TRY(add_run(w, sign * weight[k - 1] / d, column0, column1));
            }
        }
        w->z[i] = 0.0;
    }
    return SB_OK;
}

/* Computes the form Omega_ij = dq_i . dp_j - dq_j . dp_i. */
static void form(const tangent *w, const double *dx, double *Omega) {
    for (int i = 0; i < w->dim; i++) {
        for (int j = 0; j < w->dim; j++) {
            const double *xi = dx + (size_t)(2 * w->n * i), *xj = dx + (size_t)(2 * w->n * j);
            double sum = 0.0;
            for (int k = 0; k < w->n; k++) {
                sum += xi[k] * xj[w->n + k] - xj[k] * xi[w->n + k];
            }
            Omega[j * w->dim + i] = sum;
        }
    }
}

/* Adds to bound[i] the error of the entries of the form in row i, in units of that of a number of size 1 in dx: the sum
 * over k of |dp_ik| max_j |dq_jk| + |dq_ik| max_j |dp_jk|. */
static void add_bound(const tangent *w, const double *dx, double *bound) {
    const int n = w->n;
    for (int k = 0; k < n; k++) {
        double a = 0.0, b = 0.0;
        for (int i = 0; i < w->dim; i++) {
            a = sb_larger(a, fabs(dx[2 * n * i + k]));
            b = sb_larger(b, fabs(dx[2 * n * i + n + k]));
        }
        for (int i = 0; i < w->dim; i++) {
            bound[i] += a * fabs(dx[2 * n * i + n + k]) + b * fabs(dx[2 * n * i + k]);
        }
    }
}

/* Computes the defect with the spacing d, and its round-off. */
static int defect_at(tangent *w, double d, double *defect, double *rounding) {
    SB_TRY(differentiate(w, d));
    form(w, w->dx0, w->Omega0);
    form(w, w->dx1, w->Omega1);
    memset(w->bound, 0, (size_t)w->dim * sizeof *w->bound);
    add_bound(w, w->dx0, w->bound);
    add_bound(w, w->dx1, w->bound);
    for (int i = 0; i < w->dim; i++) {
        w->scale[i] = sqrt(sb_norm_max(w->dim, w->Omega0 + (size_t)(i * w->dim)));
    }
    *defect = *rounding = 0.0;
    for (int i = 0; i < w->dim; i++) {
        for (int j = 0; j < w->dim; j++) {
            const double scale = w->scale[i] * w->scale[j];
            *defect = sb_larger(*defect, fabs(w->Omega1[j * w->dim + i] - w->Omega0[j * w->dim + i]) / scale);
            *rounding = sb_larger(*rounding, (w->bound[i] + w->bound[j]) / scale);
        }
    }
    *rounding *= DBL_EPSILON * w->size / d * sqrt((double)w->steps);
    return SB_OK;
}

int sb_symplecticity_measure(sb_context *ctx, sb_arena *arena, const sb_pair *pair, double h, long steps,
                             sb_symplecticity *out) {
    tangent w = {0};
    double fine, rounding, unused;
    SB_TRY(tangent_init(ctx, arena, pair, h, steps, &w));
    SB_TRY(defect_at(&w, 0.004 * w.size, &out->defect, &rounding));
    SB_TRY(defect_at(&w, 0.002 * w.size, &fine, &unused));
    out->noise = sb_larger(fabs(out->defect - fine), rounding);
    out->symplectic = sb_decide(out->defect, 10.0 * out->noise, sb_visible_defect(pair, h, steps));
    return SB_OK;
}

/* ---- Rows. ---- */

typedef struct symplecticity_config {
    sb_step_options step;
    long steps;
} symplecticity_config;

static int run(sb_task *task) {
    const symplecticity_config *config = task->config;
    sb_symplecticity s;
    SB_TRY(sb_symplecticity_measure(task->ctx, task->arena, task->pair, task->h, config->steps, &s));
    const bool forced = task->sys->force.value != NULL;
    return sb_row_status(
        task,
        forced
            ? "the system has forces without a potential, whose flow need not be symplectic: the defect is its own, too"
            : SB_STATUS_OK,
        SB_CELLS(sb_int(config->steps), sb_real(s.defect), sb_real(s.noise),
                 forced ? sb_empty() : sb_decision_cell(s.symplectic)));
}

static const sb_param params[] = {
    SB_OPTION_H("a tenth of the problem's time scale in two digits"),
    SB_PARAM_INT(symplecticity_config, steps, "10", 1.0, 100000.0, "number of steps between the two forms compared"),
    {0}};

static const sb_column columns[] = {
    SB_KEY_COLUMNS,
    {"steps", SB_COL_INFO, "", "number of steps between the two forms compared"},
    {"defect", SB_COL_ERROR, "",
     "largest change of an entry of the form, relative to the largest entries of its row and column"},
    {"noise", SB_COL_ERROR, "", "uncertainty of the defect due to the numerical differentiation"},
    {"symplectic", SB_COL_INFO, "",
     "yes: the defect is within 10 times the noise; unclear: the noise would hide the defect of a method of this "
     "order, and fewer or longer steps would decide; empty: see status"},
    SB_COLUMN_STATUS};

SB_DEFINE_ANALYSIS(symplecticity) = {
    .entry = {"symplecticity",
              "change of the symplectic form under the step map, on the tangent bundle of the constraint manifold",
              "wm96 (3.7)-(3.13)", params, sizeof(symplecticity_config)},
    .levels = 1,
    SB_COLUMNS(columns),
    .example = "stepbench symplecticity -p pendulum -s rattle -s shake",
    .run = run};
