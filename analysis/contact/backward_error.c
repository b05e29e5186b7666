/* Analysis `backward_error`: the backward error of an iterative solver as a compliance of each row, and the stability
 * of the step with it. reg05 (5.5). */
#include <string.h>

#include <stepbench/numerics/dynamics.h>
#include <stepbench/numerics/lapack.h>
#include <stepbench/numerics/lcp.h>

#include "analysis/contact/backward_error.h"
#include "analysis/row.h"
#include "analysis/vary.h"
#include "core/mechanics/matrices.h"

/* ---- The implied compliance of a row, and the eigenvalues of the linearized step. ---- */

sb_implied sb_implied_compliance(double w, double z, double g, bool level, double noise_w, double noise_z) {
    if (!(fabs(w) > noise_w) || !(fabs(z) > noise_z)) {
        return (sb_implied){fabs(w) > noise_w ? (double)INFINITY : 0.0, false, false};
    }
    const double beta = -w / z, alpha = level ? -w / g : -1.0;
    return (sb_implied){beta, beta < 0.0, beta < 0.0 && !(alpha >= 0.0 && alpha < 1.0)};
}

/* Computes y = -P D C' e_j with the diagonal matrix D of `on_row` (NULL: 1). */
static void respond(const sb_implied_step *s, int j, const double *on_row, double *y) {
    for (int a = 0; a < s->rows; a++) {
        y[a] = 0.0;
    }
    for (int b = 0; b < s->rows; b++) {
        const double c = s->C[j + b * s->n] * (on_row != NULL ? on_row[b] : 1.0);
        for (int a = 0; a < s->rows && c != 0.0; a++) {
            y[a] -= s->P[a + b * s->rows] * c;
        }
    }
}

/* Sets a column of the map: q1, v1 and y for the impulses y and the unit vector in q[q] or v[v] (-1: none). */
static void set_column(const sb_implied_step *s, const double *y, int q, int v, double *column) {
    const int n = s->n;
    for (int i = 0; i < n; i++) {
        double sum = i == v ? 1.0 : 0.0;
        for (int a = 0; a < s->rows; a++) {
            sum += s->B[i + a * n] * y[a];
        }
        column[i] = (i == q ? 1.0 : 0.0) + s->h * sum;
        column[n + i] = sum;
    }
    if (s->E != NULL) {
        memcpy(column + 2 * n, y, (size_t)s->rows * sizeof(double));
    }
}

int sb_implied_radius(sb_context *ctx, const sb_implied_step *s, double *radius) {
    const int n = s->n, size = 2 * n + (s->E != NULL ? s->rows : 0);
    double *map, *re, *im, *y;
    SB_SCRATCH(scratch, ctx);
    SB_NEW(&scratch, map, (size_t)size * (size_t)size);
    SB_TRY(SB_VECTORS(&scratch, size, &re, &im));
    SB_NEW(&scratch, y, s->rows);
    for (int j = 0; j < n; j++) {
        respond(s, j, s->on_level, y);
        set_column(s, y, j, -1, map + j * size);
        respond(s, j, NULL, y);
        set_column(s, y, -1, j, map + (n + j) * size);
    }
    for (int a = 0; a < s->rows && s->E != NULL; a++) {
        set_column(s, s->E + a * s->rows, -1, -1, map + (2 * n + a) * size);
    }
    double unused;
    const lapack_int info = LAPACKE_dgeev(LAPACK_COL_MAJOR, 'N', 'N', size, map, size, re, im, &unused, 1, &unused, 1);
    *radius = info == 0 ? 0.0 : (double)NAN;
    for (int i = 0; i < size && info == 0; i++) {
        *radius = sb_larger(*radius, hypot(re[i], im[i]));
    }
    return sb_lapack_no_memory(info) ? sb_fail(ctx, SB_NO_MEMORY, SB_LAPACK_NO_MEMORY) : SB_OK;
}

/* ---- A step. ---- */

typedef struct backward_error_config {
    sb_step_options step;
    sb_reals sweeps;
    long steps;
    const char *lcp;
    double c, b;
} backward_error_config;

enum { COLD, WARM, STARTS };
static const char *const start_name[STARTS] = {"cold", "warm"};

/* An eigenvalue is outside the unit circle if its modulus exceeds 1 by more than this. Free motion has defective pairs
 * at 1, whose error is the square root of round-off times the condition number of the equations. */
static const double outside = 1e-5;

/* Results of one number of sweeps and one start, over the steps of a run. */
typedef struct tally {
    long rows, negative, inconsistent;
    long steps, with_negative, unstable, both;
    double residual, radius_perturbed, radius_step;
    double *z; /* the solution of the previous step */
} tally;

/* The run, the exact solver of its steps, and the solvers that are examined. */
typedef struct series {
    sb_context *ctx;
    const sb_system *sys;
    const backward_error_config *config;
    double h;
    sb_contact_step step;
    const sb_contact_problem *problem; /* problem of the last step */
    sb_contact_config exact;
    sb_lcp *lcp;    /* by number of sweeps */
    tally *tallies; /* and by start */
    int count;      /* free rows of a solution: those strictly between their bounds */
    int *free;
    double *r, *v1, *lambda, *F, *tmp, *unit, *lo, *hi, *zero;
    double *on_level, *C, *B, *P, *E; /* entries of the free rows: sb_implied_step */
} series;

/* Returns the coefficient Psi of reg05 (4.4). */
static double psi(const series *w) { return 1.0 / (1.0 + w->config->c * w->config->b / w->h); }

/* Returns whether row i has a position level g, a holonomic constraint or a gap. */
static bool has_level(const sb_contact_step *step, int i) {
    return i < step->sys->holonomic.m || (i >= step->bilateral && i < step->bilateral + step->sys->contact.m);
}

/* Sets up the complementarity problem of the step from (t, q, v): S, b and the bounds in w->step. */
static int set_problem(series *w, const sb_sample *s) {
    sb_contact_step *step = &w->step;
    long iters = 0;
    SB_TRY(sb_contact_step_evaluate(step, s->t, w->h, s->q));
    for (int i = 0; i < step->rows; i++) {
        const bool level = has_level(step, i);
        step->Sigma[i] = level ? w->config->c * psi(w) / (w->h * w->h) : 0.0;
        step->s[i] = level ? -psi(w) / w->h * step->level[i] : step->level[i];
    }
    sb_contact_step_factor(step);
    SB_TRY(sb_system_force(w->sys, s->t, s->q, s->v, w->F, w->tmp));
    sb_mass_mult(&step->mass, s->v, w->r);
    sb_axpy(w->sys->n, w->h, w->F, w->r);
    return sb_contact_step_solve(step, w->h, w->r, w->lambda, w->v1, w->lambda, &iters);
}

/* An impulse below this fraction of the largest one of the step is zero. The proximal term of sb_contact_step causes
 * impulses of 1e-12 of it. */
static const double negligible = 1e-9;

/* Returns the largest sqrt(S_jj) |z_j|; sqrt(S_ii) times it is a bound of every term of row i. */
static double scale(const series *w, const double *z) {
    double most = 0.0;
    for (int j = 0; j < w->step.rows; j++) {
        most = sb_larger(most, sqrt(w->problem->Sx[w->problem->diagonal[j]]) * fabs(z[j]));
    }
    return most;
}

/* Sets the list of the free rows and their implied compliances beta, and returns whether a beta is negative. */
static bool set_free_rows(series *w, const double *z, tally *t, double *beta) {
    const sb_contact_step *step = &w->step;
    const sb_pattern *S = &w->problem->S;
    const double most = scale(w, z), roundoff = sqrt((double)step->rows) * DBL_EPSILON;
    bool negative = false;
    w->count = 0;
    for (int i = 0; i < step->rows; i++) {
        if (!(z[i] > w->problem->lo[i] && z[i] < w->problem->hi[i])) {
            continue;
        }
        double size;
        const double residual = sb_lcp_row(S, w->problem->Sx, w->problem->b, z, i, &size);
        const double root = sqrt(w->problem->Sx[w->problem->diagonal[i]]);
        const sb_implied implied = sb_implied_compliance(residual, z[i], step->s[i], has_level(step, i),
                                                         roundoff * (size + root * most), negligible * most / root);
        w->free[w->count] = i;
        w->on_level[w->count] = has_level(step, i) ? psi(w) / w->h : 0.0;
        beta[w->count++] = implied.beta;
        t->rows++;
        t->negative += implied.negative;
        t->inconsistent += implied.inconsistent;
        negative = negative || implied.negative;
    }
    return negative;
}

/* Sets C and B = M^-1 C of the free rows. */
static void set_rows(series *w) {
    const sb_contact_step *step = &w->step;
    const int n = w->sys->n;
    memset(w->C, 0, (size_t)n * (size_t)w->count * sizeof(double));
    for (int a = 0; a < w->count; a++) {
        double *const column = w->C + a * n;
        for (int k = step->C.p[w->free[a]]; k < step->C.p[w->free[a] + 1]; k++) {
            column[step->C.i[k]] = step->Cx[k];
        }
        sb_mass_solve(&step->mass, column, w->B + a * n);
    }
}

/* Sets P = (S + beta)^-1, which solves the perturbed equations and is 0 on rows of infinite beta. *singular: the matrix
 * has no inverse. */
static int set_perturbed(series *w, const double *beta, bool *singular) {
    const int count = w->count;
    double *A;
    lapack_int *pivots;
    SB_SCRATCH(scratch, w->ctx);
    SB_NEW(&scratch, A, (size_t)count * (size_t)count);
    SB_NEW(&scratch, pivots, count);
    for (int b = 0; b < count; b++) {
        for (int a = 0; a < count; a++) {
            const int at = sb_pattern_find(&w->problem->S, w->free[a], w->free[b]);
            const bool absent = isinf(beta[a]) || isinf(beta[b]);
            A[a + b * count] =
                absent ? (a == b ? 1.0 : 0.0) : (at >= 0 ? w->problem->Sx[at] : 0.0) + (a == b ? beta[a] : 0.0);
            w->P[a + b * count] = a == b && !absent ? 1.0 : 0.0;
        }
    }
    *singular = LAPACKE_dgesv(LAPACK_COL_MAJOR, count, count, A, count, pivots, w->P, count) != 0;
    return SB_OK;
}

/* Computes the spectral radius of the linearized step; 1 if it is 1 to within `outside`. */
static int radius(const series *w, const double *E, double *out) {
    const sb_implied_step linear = {
        .n = w->sys->n, .rows = w->count, .h = w->h, .on_level = w->on_level, .C = w->C, .B = w->B, .P = w->P, .E = E};
    SB_TRY(sb_implied_radius(w->ctx, &linear, out));
    *out = fabs(*out - 1.0) <= outside ? 1.0 : *out;
    return SB_OK;
}

/* Sets the columns of P and E: the results of the sweeps for a unit right-hand side and for a unit start, with all rows
 * that are not free at zero. */
static int set_sweeps(series *w, sb_lcp *lcp) {
    const sb_contact_step *step = &w->step;
    const size_t n = (size_t)w->count;
    for (int i = 0; i < step->rows; i++) {
        w->lo[i] = w->hi[i] = 0.0;
    }
    for (size_t j = 0; j < n; j++) {
        w->lo[w->free[j]] = -(double)INFINITY;
        w->hi[w->free[j]] = (double)INFINITY;
    }
    for (size_t j = 0; j < 2 * n; j++) {
        const bool start = j >= n;
        const int row = w->free[start ? j - n : j];
        sb_lcp_report report;
        memset(w->unit, 0, (size_t)step->rows * sizeof(double));
        memset(w->zero, 0, (size_t)step->rows * sizeof(double));
        (start ? w->unit : w->zero)[row] = start ? 1.0 : -1.0; /* b = -e_j gives P e_j */
        SB_TRY(sb_lcp_solve(lcp, w->problem->Sx, w->zero, w->lo, w->hi, w->unit, NULL, &report));
        for (size_t i = 0; i < n; i++) {
            (start ? w->E + (j - n) * n : w->P + j * n)[i] = w->unit[w->free[i]];
        }
    }
    return SB_OK;
}

/* Solves the step with one number of sweeps and adds the results to the tally. */
static int try_sweeps(series *w, sb_lcp *lcp, int start, tally *t) {
    const sb_contact_step *step = &w->step;
    double *const beta = w->tmp;
    sb_lcp_report report;
    if (start == COLD) {
        memset(t->z, 0, (size_t)step->rows * sizeof(double));
    }
    SB_TRY(sb_lcp_solve(lcp, w->problem->Sx, w->problem->b, w->problem->lo, w->problem->hi, t->z, NULL, &report));
    t->residual = sb_larger(t->residual, report.residual);
    const bool negative = set_free_rows(w, t->z, t, beta);
    set_rows(w);
    double perturbed = (double)INFINITY, radius_step;
    bool singular;
    SB_TRY(set_perturbed(w, beta, &singular));
    SB_TRY(singular ? SB_OK : radius(w, NULL, &perturbed));
    const bool unstable = !(perturbed <= 1.0 + outside);
    t->radius_perturbed = sb_larger(t->radius_perturbed, perturbed);
    t->steps++;
    t->with_negative += negative;
    t->unstable += unstable;
    t->both += negative && unstable;
    SB_TRY(set_sweeps(w, lcp));
    SB_TRY(radius(w, start == WARM ? w->E : NULL, &radius_step));
    t->radius_step = sb_larger(t->radius_step, radius_step);
    return SB_OK;
}

static int observe(void *arg, const sb_sample *sample) {
    series *w = arg;
    SB_TRY(set_problem(w, sample));
    for (int k = 0; k < w->config->sweeps.n; k++) {
        for (int start = 0; start < STARTS; start++) {
            SB_TRY(try_sweeps(w, &w->lcp[k], start, &w->tallies[k * STARTS + start]));
        }
    }
    return SB_OK;
}

/* Sets up the solver with each number of sweeps. */
static int bind_solvers(sb_arena *arena, series *w) {
    const backward_error_config *config = w->config;
    SB_NEW(arena, w->lcp, config->sweeps.n);
    SB_NEW(arena, w->tallies, config->sweeps.n * STARTS);
    for (int k = 0; k < config->sweeps.n; k++) {
        const sb_lcp_solver *type;
        const void *parsed, *own;
        SB_TRY(sb_lcp_find(w->ctx, arena, config->lcp, "auto", &type, &parsed));
        SB_TRY(sb_config_vary(w->ctx, arena, &type->entry, parsed, "sweeps", config->sweeps.x[k], &own));
        SB_TRY(sb_lcp_init(w->ctx, arena, type, own, &w->problem->S, &w->lcp[k]));
        for (int start = 0; start < STARTS; start++) {
            SB_NEW(arena, w->tallies[k * STARTS + start].z, w->step.rows);
        }
    }
    return SB_OK;
}

/* Allocates the arrays and the solvers. */
static int prepare(sb_arena *arena, series *w) {
    const int n = w->sys->n, rows = sb_system_multipliers(w->sys);
    w->exact = (sb_contact_config){.lcp = "block_pivot", .friction = SB_FRICTION_ITERATED, .tol = 1e-10, .maxit = 500};
    SB_TRY(sb_contact_step_init(w->ctx, arena, w->sys, NULL, &w->exact, "auto", &w->step));
    w->problem = sb_contact_step_problem(&w->step);
    SB_NEW(arena, w->free, rows);
    SB_TRY(SB_VECTORS(arena, n, &w->r, &w->v1, &w->F));
    SB_NEW(arena, w->tmp, n + rows);
    SB_TRY(SB_VECTORS(arena, rows, &w->on_level, &w->lambda, &w->unit, &w->zero, &w->lo, &w->hi));
    SB_TRY(SB_VECTORS(arena, (size_t)n * (size_t)rows, &w->C, &w->B));
    SB_TRY(SB_VECTORS(arena, (size_t)rows * (size_t)rows, &w->P, &w->E));
    return bind_solvers(arena, w);
}

/* ---- Rows. ---- */

static int write_tallies(const sb_task *task, const series *w) {
    for (int k = 0; k < w->config->sweeps.n * STARTS; k++) {
        const tally *t = &w->tallies[k];
        const double rows = (double)t->rows;
        SB_TRY(sb_row(task, SB_CELLS(sb_int((long)w->config->sweeps.x[k / STARTS]), sb_text(start_name[k % STARTS]),
                                     sb_int(t->steps), sb_int(t->rows), sb_real((double)t->negative / rows),
                                     sb_real((double)t->inconsistent / rows), sb_real(t->residual),
                                     sb_int(t->with_negative), sb_int(t->unstable), sb_int(t->both),
                                     sb_real(t->radius_perturbed), sb_real(t->radius_step))));
    }
    return SB_OK;
}

static int run(sb_task *task) {
    const backward_error_config *config = task->config;
    series w = {.ctx = task->ctx, .sys = task->sys, .config = config, .h = task->h};
    SB_TRY(prepare(task->arena, &w));
    SB_TRY(sb_pair_run(task->ctx, task->arena, task->pair, task->h, config->steps, observe, &w));
    return write_tallies(task, &w);
}

static const char *inapplicable(const sb_system *sys) {
    return sb_system_multipliers(sys) == 0 ? "the problem has no constraints, and so nothing to solve" : NULL;
}

static const sb_param params[] = {
    SB_OPTION_H("a tenth of the problem's time scale in two digits"),
    SB_PARAM_INT(backward_error_config, steps, "50", 1.0, 1e9,
                 "number of steps of the run; the equations of each step are solved"),
    SB_PARAM_TEXT(backward_error_config, lcp, "pgs:tol=0", "an LCP solver with a parameter sweeps"),
    {"sweeps", SB_REALS, offsetof(backward_error_config, sweeps), "[1,2,5,10,20,50]", 1.0, 1e9, SB_OPEN_HI, NULL, "",
     "numbers of sweeps"},
    SB_PARAM_NOT_NEGATIVE(backward_error_config, c, "0", "unit of g^2/(N m)",
                          "compliance of the equations solved, reg05 (4.4)"),
    SB_PARAM_NOT_NEGATIVE(backward_error_config, b, "0", "N m s per unit of g^2", "damping of the equations solved"),
    {0}};

static const sb_column columns[] = {
    SB_COLUMN_PROBLEM,
    {"stepper", SB_COL_KEY, "", "the stepper that computes the motion"},
    SB_COLUMN_H,
    {"sweeps", SB_COL_KEY, "", "sweeps of the solver per step"},
    {"start", SB_COL_KEY, "", "start of the iteration; cold: zero; warm: the impulses of the previous step"},
    {"steps", SB_COL_INFO, "", "number of steps solved"},
    {"rows", SB_COL_INFO, "", "number of rows strictly between their bounds, in all steps"},
    {"negative", SB_COL_EXACT, "",
     "fraction of these rows whose residual is a negative compliance or inverse drag beta, if it is not read as "
     "damping"},
    {"inconsistent", SB_COL_EXACT, "",
     "fraction of these rows whose residual is no combination of a compliance and a damping that are both "
     "non-negative"},
    {"residual", SB_COL_ERROR, "", "largest natural residual of a step"},
    {"steps_negative", SB_COL_EXACT, "", "number of steps with a negative row"},
    {"steps_unstable", SB_COL_EXACT, "",
     "number of steps whose equations, perturbed by beta, have an eigenvalue outside the unit circle"},
    {"steps_both", SB_COL_EXACT, "", "number of steps with both"},
    {"radius_perturbed", SB_COL_EXACT, "", "largest spectral radius of the perturbed equations"},
    {"radius_step", SB_COL_EXACT, "",
     "largest spectral radius of the step as computed, with this number of sweeps and this start"},
    SB_COLUMN_STATUS};

SB_DEFINE_ANALYSIS(backward_error) = {
    .entry = {"backward_error",
              "backward error of an iterative solver as a compliance of each row, and the spectral radius of the step",
              "reg05 (5.5)", params, sizeof(backward_error_config)},
    .default_problem = "rod_chain",
    .default_stepper = "reg",
    .levels = 1,
    SB_COLUMNS(columns),
    .example = "stepbench backward_error --h 1/10 --steps 100",
    .inapplicable = inapplicable,
    .run = run};
