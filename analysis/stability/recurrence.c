/* Analysis `recurrence`: amplification matrix, its eigenvalues and the stability limit of a stepper on the oscillator.
 * notes11 3-7. */
#include <string.h>

#include <stepbench/numerics/lapack.h>
#include <stepbench/numerics/norm.h>

#include "analysis/row.h"
#include "analysis/stability/bisect.h"
#include "analysis/stability/recurrence.h"

/* ---- Frequency and damping of the system. ---- */

static int read_constants(sb_context *ctx, const sb_system *sys, sb_recurrence_probe *out) {
    const double zero = 0.0;
    double mass = 0.0, stiffness = 0.0, damping = 0.0;
    if (sys->n != 1 || sb_system_multipliers(sys) != 0) {
        return sb_fail(ctx, SB_UNSUPPORTED,
                       "recurrence cannot be run on %s: it needs one coordinate and no constraint, as `oscillator` has",
                       sys->name);
    }
    SB_TRY(sys->inertia.mass(sys->inertia.self, &zero, &mass));
    if (sys->potential.rate != NULL) {
        return sb_fail(
            ctx, SB_UNSUPPORTED,
            "recurrence cannot be run on %s: its potential depends on time, and so do the coefficients of a recurrence",
            sys->name);
    }
    if (sys->potential.hessian != NULL) {
        SB_TRY(sb_potential_hessian(sys, 0.0, &zero, 1.0, &stiffness));
    }
    if (sys->force.jacobian != NULL) {
        SB_TRY(sys->force.jacobian(sys->force.self, 0.0, &zero, &zero, -1.0, 0.0, &stiffness));
        SB_TRY(sys->force.jacobian(sys->force.self, 0.0, &zero, &zero, 0.0, -1.0, &damping));
    }
    if (!(stiffness > 0.0)) {
        return sb_fail(
            ctx, SB_UNSUPPORTED,
            "recurrence cannot be run on %s: it needs a restoring force at q = 0, and the stiffness there is %g",
            sys->name, stiffness);
    }
    out->omega = sqrt(stiffness / mass);
    out->gamma = damping / mass;
    return SB_OK;
}

int sb_recurrence_open(sb_context *ctx, sb_arena *arena, const sb_pair *pair, sb_recurrence_probe *out) {
    *out = (sb_recurrence_probe){0};
    SB_TRY(read_constants(ctx, pair->sys, out));
    SB_TRY(sb_method_init(ctx, arena, pair->type, pair->config, pair->sys, &out->method));
    return sb_orbit_init(&out->method, arena, &out->orbit);
}

/* ---- Measuring. ---- */

/* Sets column `column` of R[0], R[1] and R[2] to the reported (q, v/omega) after 0, 1 and 2 steps from (x, w omega). */
static int follow(sb_recurrence_probe *probe, double h, double x, double w, int column, double R[3][6]) {
    const double v = w * probe->omega;
    SB_TRY(sb_orbit_start(&probe->orbit, 0.0, &x, &v, h));
    for (int k = 0; k < 3; k++) {
        double reported;
        SB_TRY(sb_orbit_advance(&probe->orbit, h, k > 0));
        SB_TRY(sb_method_report(&probe->method, &probe->orbit.now, &reported, NULL));
        R[k][2 * column] = probe->orbit.now.q[0];
        R[k][2 * column + 1] = reported / probe->omega;
    }
    return SB_OK;
}

/* Sets A = R1 R0^-1, column-major. Returns false if R0 is singular. */
static bool divide(const double R1[6], const double R0[6], double A[4]) {
    const double det = R0[0] * R0[3] - R0[1] * R0[2];
    A[0] = (R1[0] * R0[3] - R1[2] * R0[1]) / det;
    A[1] = (R1[1] * R0[3] - R1[3] * R0[1]) / det;
    A[2] = (R1[2] * R0[0] - R1[0] * R0[2]) / det;
    A[3] = (R1[3] * R0[0] - R1[1] * R0[2]) / det;
    return det != 0.0 && isfinite(A[0] + A[1] + A[2] + A[3]);
}

/* Returns max |A x - y|. */
static double residual(const double A[4], const double x[2], const double y[2]) {
    return sb_larger(fabs(A[1] * x[0] + A[3] * x[1] - y[1]), fabs(A[0] * x[0] + A[2] * x[1] - y[0]));
}

/* Returns whether all solutions are bounded. `entry` is the error of an entry of A. Near the identity the discriminant
 * is a product of small numbers, and more accurate than a and b. */
static bool bounded(const sb_recurrence *s, const double A[4], double disc, double entry) {
    const double d = s->rounding;
    if (fabs(disc) <= fmin(d, entry * (fabs(A[0] - A[3]) + fabs(A[1]) + fabs(A[2])))) { /* one double root */
        const bool scalar = fabs(A[1]) + fabs(A[2]) <= d;
        return scalar ? s->b <= 1.0 + d : s->b < 1.0 - d;
    }
    if (disc < 0.0) {
        return s->b <= 1.0 + d;
    }
    /* The error of the larger root is the sum of that of the square root, d / (2 sqrt(disc)), and that of a. */
    const double largest = 0.5 * fabs(s->a) + sqrt(disc);
    return largest <= 1.0 + d + d / sqrt(disc);
}

/* Sets the results from A, whose entries have the relative error `nonlinearity` by the test of linearity. Sets nothing
 * if LAPACK does not find the eigenvalues. */
static int evaluate(sb_context *ctx, const double A[4], double nonlinearity, sb_recurrence *out) {
    double work[4], re[2], im[2];
    memcpy(work, A, sizeof work);
    const lapack_int info = LAPACKE_dgeev(LAPACK_COL_MAJOR, 'N', 'N', 2, work, 2, re, im, NULL, 1, NULL, 1);
    if (sb_lapack_no_memory(info)) {
        return sb_fail(ctx, SB_NO_MEMORY, SB_LAPACK_NO_MEMORY);
    }
    if (info != 0) {
        return SB_OK;
    }
    /* Of real roots the larger is the first; of complex ones LAPACK returns that with positive imaginary part first. */
    const int first = fabs(re[1]) > fabs(re[0]);
    out->linear = true;
    for (int i = 0; i < 2; i++) {
        out->root[i][0] = re[i == 0 ? first : 1 - first];
        out->root[i][1] = im[i == 0 ? first : 1 - first];
    }
    out->a = 0.0 - (A[0] + A[3]);
    out->b = A[0] * A[3] - A[1] * A[2];
    /* Each entry of A has a rounding error of about 8 eps (a step takes a few operations), or the error by the test of
     * linearity if that is larger; the discriminant is a sum of products of them. */
    const double terms = fabs(A[0] * A[3]) + fabs(A[1] * A[2]) + 0.25 * out->a * out->a;
    out->rounding = terms * fmax(16.0 * DBL_EPSILON, 2.0 * nonlinearity);
    const double disc = 0.25 * (A[0] - A[3]) * (A[0] - A[3]) + A[1] * A[2];
    out->r = out->b >= 0.0 ? sqrt(out->b) : NAN;
    out->phi = disc <= 0.0 ? atan2(sqrt(fabs(disc)), -0.5 * out->a) : NAN;
    out->stable = bounded(out, A, disc, sb_norm_max(4, A) * fmax(8.0 * DBL_EPSILON, nonlinearity));
    return SB_OK;
}

int sb_recurrence_measure(sb_recurrence_probe *probe, double tau, sb_recurrence *out) {
    const double h = tau / probe->omega, mix[2] = {0.5, -0.75};
    double R[3][6], A[4]; /* columns: after the two unit vectors and after `mix` */
    *out = (sb_recurrence){
        .tau = tau, .a = NAN, .b = NAN, .r = NAN, .phi = NAN, .root = {{NAN, NAN}, {NAN, NAN}}, .rounding = NAN};
    SB_TRY(follow(probe, h, 1.0, 0.0, 0, R));
    SB_TRY(follow(probe, h, 0.0, 1.0, 1, R));
    SB_TRY(follow(probe, h, mix[0], mix[1], 2, R));
    if (!divide(R[1], R[0], A)) {
        return SB_OK;
    }
    const double size = sb_norm_max(4, A);
    const double superposition = fmax(residual(R[1], mix, R[1] + 4), residual(R[0], mix, R[0] + 4)) / fmax(size, 1.0);
    const double square = fmax(residual(A, R[1], R[2]), residual(A, R[1] + 2, R[2] + 2)) / fmax(size * size, 1.0);
    /* A nonlinear term or a dependence on more than (q, v) is of order one on unit vectors; round-off is far below
     * sqrt(eps). */
    if (!(superposition <= sqrt(DBL_EPSILON) && square <= sqrt(DBL_EPSILON))) {
        return SB_OK;
    }
    return evaluate(probe->method.ctx, A, fmax(superposition, square), out);
}

static int judge(void *arg, double tau, sb_bounded *verdict) {
    sb_recurrence_probe *probe = arg;
    sb_recurrence s;
    SB_TRY(sb_recurrence_measure(probe, tau, &s));
    if (!s.linear) {
        return sb_fail(probe->method.ctx, SB_UNSUPPORTED,
                       "%s on %s is not a linear one-step map of the reported (q, v) at tau = %g",
                       probe->method.type->entry.name, probe->method.sys->name, tau);
    }
    *verdict = s.stable ? SB_BOUNDED : SB_GROWS;
    return SB_OK;
}

int sb_recurrence_limit(sb_recurrence_probe *probe, double step, double end, double *tau_max) {
    sb_bounded verdict = SB_BOUNDED;
    double hi = 0.0;
    for (long k = 1; verdict == SB_BOUNDED; k++) {
        hi = (double)k * step;
        if (hi > end) {
            *tau_max = INFINITY;
            return SB_OK;
        }
        SB_TRY(judge(probe, hi, &verdict));
    }
    double lo = hi - step;
    SB_TRY(lo > 0.0 ? sb_bisect(judge, probe, SB_BOUNDED, 4.0 * DBL_EPSILON, &lo, &hi) : SB_OK);
    *tau_max = lo > 0.0 ? hi : 0.0;
    return SB_OK;
}

/* ---- Closed forms. ---- */

bool sb_recurrence_exact(const char *stepper, double tau, double g, double *a, double *b) {
    if (strcmp(stepper, "verlet") == 0 && g == 0.0) {
        *a = -2.0 * (1.0 - 0.5 * tau * tau);
        *b = 1.0;
    } else if (strcmp(stepper, "euler_explicit") == 0) {
        *a = -(2.0 - g);
        *b = 1.0 - g + tau * tau;
    } else if (strcmp(stepper, "euler_implicit") == 0) {
        const double det = 1.0 + g + tau * tau;
        *a = -(2.0 + g) / det;
        *b = 1.0 / det;
    } else if (strcmp(stepper, "midpoint") == 0) {
        const double det = 1.0 + 0.5 * g + 0.25 * tau * tau;
        *a = -2.0 * (1.0 - 0.25 * tau * tau) / det;
        *b = (1.0 - 0.5 * g + 0.25 * tau * tau) / det;
    } else {
        return false;
    }
    return true;
}

/* ---- Rows. ---- */

typedef struct recurrence_config {
    sb_reals tau;
    int limit;
    double limit_step, limit_end;
} recurrence_config;

/* Returns why there is no recurrence of the reported (q, v), and what examines the step instead. */
static const char *not_a_recurrence(const sb_recurrence_probe *probe) {
    return probe->method.naux > 0 ? "the reported (q, v) do not determine the next step: the stepper keeps more "
                                    "numbers from step to step; amplification and stability examine its whole state"
                                  : "one step is not a linear map of the reported (q, v), or two steps are not its "
                                    "square; amplification and stability linearize it";
}

static int write_tau(const sb_task *task, sb_recurrence_probe *probe, double tau, double tau_max) {
    sb_recurrence s;
    double a = NAN, b = NAN;
    int failed = SB_OK;
    SB_TRY(sb_row_go_on(sb_recurrence_measure(probe, tau, &s), &failed));
    const bool form = sb_recurrence_exact(task->pair->type->entry.name, tau, probe->gamma * tau / probe->omega, &a, &b);
    const sb_cell phi_exact = form && b > 0.0 && a * a <= 4.0 * b ? sb_real(acos(-0.5 * a / sqrt(b))) : sb_empty();
    const char *why = failed != SB_OK ? task->ctx->message : s.linear ? SB_STATUS_OK : not_a_recurrence(probe);
    return sb_row_status(task, why,
                         SB_CELLS(sb_real(tau), sb_known(s.a), sb_known(s.b), sb_known(s.r), sb_known(s.phi),
                                  sb_known(s.root[0][0]), sb_known(s.root[0][1]), sb_known(s.root[1][0]),
                                  sb_known(s.root[1][1]), s.linear ? sb_yes(s.stable) : sb_empty(), sb_known(tau_max),
                                  sb_known(s.phi / tau - 1.0), sb_real(probe->gamma), sb_known(a), sb_known(b),
                                  phi_exact));
}

static int run(sb_task *task) {
    const recurrence_config *config = task->config;
    sb_recurrence_probe probe;
    double tau_max = NAN;
    SB_TRY(sb_recurrence_open(task->ctx, task->arena, task->pair, &probe));
    if (config->limit) {
        int failed;
        SB_TRY(sb_row_go_on(sb_recurrence_limit(&probe, config->limit_step, config->limit_end, &tau_max), &failed));
    }
    for (int i = 0; i < config->tau.n; i++) {
        SB_TRY(write_tau(task, &probe, config->tau.x[i], tau_max));
    }
    return SB_OK;
}

static const sb_param params[] = {
    {"tau", SB_REALS, offsetof(recurrence_config, tau), "0.1,0.5,1,1.5,2,2.5,4,10", 0.0, INFINITY, SB_OPEN, NULL, "",
     "dimensionless steps h omega; the damping is a parameter of the problem: -p oscillator:gamma=..."},
    SB_PARAM_CHOICE(recurrence_config, limit, "no", "no|yes", "compute the stability limit tau_max by bisection"),
    SB_PARAM_REAL(
        recurrence_config, limit_step, "1/16", 0.0, 10.0, SB_OPEN_LO, "",
        "spacing of the search for the first unstable tau; tau_max is 0 if the method is unstable at this tau"),
    SB_PARAM_REAL(recurrence_config, limit_end, "100", 0.0, 1e6, SB_OPEN_LO, "",
                  "end of the search; tau_max is inf if the method is stable up to this tau"),
    {0}};

static const sb_column columns[] = {
    SB_COLUMN_STEPPER,
    {"tau", SB_COL_KEY, "", "dimensionless step h omega"},
    {"a", SB_COL_EXACT, "", "of x_{k+1} = -a x_k - b x_{k-1}: minus the trace of the amplification matrix"},
    {"b", SB_COL_EXACT, "", "its determinant"},
    {"r", SB_COL_EXACT, "", "sqrt(b): the modulus of complex roots; empty for b < 0"},
    {"phi", SB_COL_EXACT, "", "argument of complex roots, the phase advance per step; empty for real roots"},
    {"root1_re", SB_COL_EXACT, "",
     "real part of the first root of the characteristic equation: that with positive imaginary part, or the larger of "
     "two real ones"},
    {"root1_im", SB_COL_EXACT, "", "its imaginary part"},
    {"root2_re", SB_COL_EXACT, "", "real part of the other root"},
    {"root2_im", SB_COL_EXACT, "", "its imaginary part"},
    {"stable", SB_COL_INFO, "", "yes: all solutions are bounded; no: some grow, exponentially or linearly"},
    {"tau_max", SB_COL_EXACT, "",
     "smallest unstable tau, with limit=yes; 0: unstable for every tau, inf: no unstable tau was found"},
    {"freq_error", SB_COL_EXACT, "", "phi/tau - 1"},
    {"gamma", SB_COL_KEY, "1/s", "damping of the problem, f = -m gamma v"},
    {"a_exact", SB_COL_EXACT, "", "closed form of notes11; empty if there is none"},
    {"b_exact", SB_COL_EXACT, "", "closed form of notes11; empty if there is none"},
    {"phi_exact", SB_COL_EXACT, "", "from these, by notes11 (13)"},
    {"status", SB_COL_INFO, "", "ok, or why there is no result"}};

SB_DEFINE_ANALYSIS(recurrence) = {
    .entry = {"recurrence", "amplification matrix, roots, frequency error and stability limit on the oscillator",
              "notes11 3", params, sizeof(recurrence_config)},
    .default_problem = "oscillator",
    SB_COLUMNS(columns),
    .example = "stepbench recurrence -s verlet -s midpoint --limit",
    .fixed_steps = true,
    .run = run};
