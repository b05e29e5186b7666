/* spook07 (29): one linear system per step with holonomic, nonholonomic and driven constraints. Residuals of its
 * solution in the equations that define it. */
#include <string.h>

#include <stepbench/numerics/dynamics.h>
#include <stepbench/numerics/saddle.h>

#include "bench/experiments/spook07/linear_system.h"
#include "bench/runner/experiment_tools.h"

enum { STEPS = 120, PROBLEMS = 5, SOLVERS = 2 };

/* The paper's parameters, and a drag of 1e6 on nonholonomic rows. */
static const double h = 1.0 / 60.0, eps = 1e-8, theta = 2.0, drag_inverse = 1e-6;

/* A system with every block of (29): five coordinates, three holonomic rows of rank two, two nonholonomic ones driven
 * by cos t, springs. */
static const double M[25] = {2.0, 0.3, 0.0, 0.1, 0.0, 0.3, 1.0, 0.2, 0.0, 0.0, 0.0, 0.2, 1.5,
                             0.0, 0.4, 0.1, 0.0, 0.0, 3.0, 0.5, 0.0, 0.0, 0.4, 0.5, 2.0};
static const double K[25] = {9.0, -1.0, 0.0, 0.0, 0.0, -1.0, 5.0, -2.0, 0.0, 0.0, 0.0, -2.0, 7.0,
                             1.0, 0.0,  0.0, 0.0, 1.0, 4.0,  0.0, 0.0,  0.0, 0.0, 0.0, 6.0};
static const double G[15] = {1.0,  -1.0, 0.5, 0.0, 0.2, 0.0,  1.0, 1.0,
                             -2.0, 0.0,  1.0, 0.0, 1.5, -2.0, 0.2}; /* the last is the sum of the others */
static const double A[10] = {0.3, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0, -1.0};
static const double w[2] = {0.7, -0.4};

static const char *const problems[PROBLEMS] = {"ladder:N=10", "knife_edge", "chaplygin_sleigh", "matrices",
                                               "oscillator:gamma=0.5"};
static const char *const solvers[SOLVERS] = {"auto", "dense"};

/* As in the columns; printed: residual of (29) with h f(+). */
typedef struct checked {
    double residual, printed, definition, schur;
} checked;

typedef struct scratch {
    const sb_system *sys;
    sb_mass mass;
    sb_pattern C;
    double *Cx, *g, *g1, *before, *q, *F, *tmp, *Hx, *r, *size;
} scratch;

static int prepare(sb_bench *bench, sb_arena *arena, const sb_system *sys, scratch *s) {
    const int n = sys->n, rows = sb_system_multipliers(sys), most = n > rows ? n : rows;
    s->sys = sys;
    SB_TRY(sb_mass_init(bench->ctx, arena, sys, &s->mass));
    SB_TRY(sb_system_constraints(arena, sys, &s->C));
    SB_NEW(arena, s->Cx, sb_pattern_nnz(&s->C));
    SB_TRY(SB_VECTORS(arena, rows, &s->g, &s->g1, &s->before));
    SB_TRY(SB_VECTORS(arena, n, &s->q, &s->F, &s->tmp));
    SB_NEW(arena, s->Hx, sb_pattern_nnz(&sys->H));
    SB_TRY(SB_VECTORS(arena, most, &s->r, &s->size));
    return SB_OK;
}

/* Raises *worst to max |r_i| over max size_i, or to max |r_i| if the latter is 0. */
static void add_residual(int count, const double *r, const double *size, double *worst) {
    const double most = sb_norm_max(count, size);
    *worst = sb_larger(*worst, most > 0.0 ? sb_norm_max(count, r) / most : sb_norm_max(count, r));
}

/* Checks the upper row of (29), M (v1 - v0) = h F + C Lambda with the impulses Lambda = h lambda. */
static int check_momenta(scratch *s, const sb_state *in, const sb_state *out, checked *c) {
    const int n = s->sys->n;
    sb_mass_mult(&s->mass, out->v, s->r);
    sb_mass_mult(&s->mass, in->v, s->tmp);
    for (int i = 0; i < n; i++) {
        s->size[i] = fabs(s->r[i]) + fabs(s->tmp[i]);
        s->r[i] -= s->tmp[i];
    }
    SB_TRY(sb_system_applied_force(s->sys, in->t, in->q, in->v, s->F, s->tmp, s->Hx));
    for (int i = 0; i < n; i++) {
        s->r[i] -= h * s->F[i];
        s->size[i] += h * fabs(s->F[i]);
    }
    for (int j = 0; j < s->C.cols; j++) {
        for (int k = s->C.p[j]; k < s->C.p[j + 1]; k++) {
            const double term = h * s->Cx[k] * out->lambda[j];
            s->r[s->C.i[k]] -= term;
            s->size[s->C.i[k]] += fabs(term);
        }
    }
    add_residual(n, s->r, s->size, &c->residual);
    if (s->sys->force.value == NULL) {
        return SB_OK;
    }
    SB_TRY(s->sys->force.value(s->sys->force.self, in->t, in->q, in->v, s->F));
    sb_axpy(n, h * (1.0 - h), s->F, s->r);
    add_residual(n, s->r, s->size, &c->printed);
    return SB_OK;
}

/* Checks the lower rows of (29) and, where g is linear, those of (26): eps lambda + (g1 + 2 g0 + g(q0 - h v0))/4 +
 * (tau/h) G (q1 - q0) = 0. */
static int check_constraints(scratch *s, const sb_state *in, const sb_state *out, checked *c) {
    const sb_holonomic *H = &s->sys->holonomic;
    const int n = s->sys->n, m = H->m;
    const double psi = 1.0 / (1.0 + 4.0 * theta);
    for (int j = 0; j < s->C.cols; j++) {
        double rate = 0.0, rate0 = 0.0, size = 0.0;
        for (int k = s->C.p[j]; k < s->C.p[j + 1]; k++) {
            rate += s->Cx[k] * out->v[s->C.i[k]];
            rate0 += s->Cx[k] * in->v[s->C.i[k]];
            size += fabs(s->Cx[k] * out->v[s->C.i[k]]);
        }
        const double relax =
            j < m ? 4.0 * psi * eps / (h * h) * h * out->lambda[j] : drag_inverse / h * h * out->lambda[j];
        const double right = j < m ? psi * rate0 - 4.0 * psi / h * s->g[j] : s->g[j];
        s->r[j] = rate + relax - right;
        s->size[j] = size + fabs(relax) + fabs(right);
    }
    add_residual(s->C.cols, s->r, s->size, &c->residual);
    if (m == 0 || H->degree != 1) {
        return SB_OK;
    }
    for (int i = 0; i < n; i++) {
        s->q[i] = in->q[i] - h * in->v[i];
    }
    SB_TRY(H->value(H->self, 0.0, s->q, s->before, NULL));
    SB_TRY(H->value(H->self, 0.0, out->q, s->g1, NULL));
    for (int j = 0; j < m; j++) {
        const double moved = s->g1[j] - s->g[j], mean = 0.25 * (s->g1[j] + 2.0 * s->g[j] + s->before[j]);
        s->r[j] = eps * out->lambda[j] + mean + theta * moved;
        s->size[j] = 0.0;
        for (int k = s->C.p[j]; k < s->C.p[j + 1]; k++) {
            s->size[j] += fabs(s->Cx[k]) * (fabs(out->q[s->C.i[k]]) + fabs(in->q[s->C.i[k]]));
        }
    }
    add_residual(m, s->r, s->size, &c->definition);
    return SB_OK;
}

static int evaluate(scratch *s, const sb_state *in) {
    const sb_system *sys = s->sys;
    const int m = sys->holonomic.m;
    SB_TRY(sb_mass_evaluate(&s->mass, in->q));
    if (m > 0) {
        SB_TRY(sb_holonomic_value(sys, 0.0, in->q, s->g, s->Cx));
    }
    if (sys->nonholonomic.m > 0) {
        SB_TRY(sys->nonholonomic.value(sys->nonholonomic.self, in->t, in->q, s->Cx + sb_pattern_nnz(&sys->holonomic.G),
                                       s->g + m));
    }
    return SB_OK;
}

/* Runs one problem by the saddle form, and compares each step with the definition and with the Schur form. */
static int follow(sb_bench *bench, const sb_system *sys, const char *solver, checked *c) {
    sb_arena *arena = &bench->arena;
    sb_method method, complement;
    sb_state in, out, other;
    scratch s;
    const char *common = "spook:start=full,eps=1e-8,tau=2,gamma=1e-6";
    SB_TRY(prepare(bench, arena, sys, &s));
    SB_TRY(sb_method_build(bench->ctx, arena, sb_bench_format(bench, "%s,solver=%s", common, solver), sys, &method));
    SB_TRY(sb_method_build(bench->ctx, arena, sb_bench_format(bench, "%s,form=schur", common), sys, &complement));
    SB_TRY(sb_state_new(&method, arena, &in));
    SB_TRY(sb_state_new(&method, arena, &out));
    SB_TRY(sb_state_new(&complement, arena, &other));
    SB_TRY(sb_method_start(&method, 0.0, NULL, NULL, h, &in));
    *c = (checked){0};
    for (int k = 0; k < STEPS; k++) {
        SB_TRY(sb_method_step(&method, &in, h, &out));
        SB_TRY(sb_method_step(&complement, &in, h, &other));
        SB_TRY(evaluate(&s, &in));
        SB_TRY(check_momenta(&s, &in, &out, c));
        SB_TRY(check_constraints(&s, &in, &out, c));
        c->schur = sb_larger(c->schur, sb_distance_max(sys->n, other.v, out.v) / sb_norm_max(sys->n, out.v));
        sb_state_copy(&method, &out, &in);
    }
    return SB_OK;
}

static int build(sb_bench *bench, const char *problem, sb_quadratic *data, sb_system *sys) {
    if (strcmp(problem, "matrices") != 0) {
        return sb_system_build(bench->ctx, &bench->arena, problem, 0, NULL, sys);
    }
    *data = (sb_quadratic){.n = 5, .m = 3, .r = 2, .M = M, .K = K, .G = G, .A = A, .w = w};
    return sb_quadratic_system(bench->ctx, &bench->arena, "linear", data, 1.0, sys);
}

SB_DEFINE_EXPERIMENT(spook07_step) {
    sb_table table;
    double printed = 0.0;
    SB_TRY(sb_bench_table(bench, "spook07_step", &table));
    for (int p = 0; p < PROBLEMS; p++) {
        sb_quadratic data;
        sb_system sys;
        SB_TRY(build(bench, problems[p], &data, &sys));
        for (int k = 0; k < SOLVERS; k++) {
            checked c;
            SB_TRY(follow(bench, &sys, solvers[k], &c));
            const bool linear = sys.holonomic.m > 0 && sys.holonomic.degree == 1;
            SB_TRY(SB_TABLE_ROW(&table, sb_text(problems[p]), sb_text(solvers[k]), sb_int(sys.holonomic.m),
                                sb_int(sys.nonholonomic.m), sb_int(STEPS), sb_real(c.residual),
                                linear ? sb_real(c.definition) : sb_empty(), sb_real(c.schur)));
            printed = sb_larger(printed, c.printed);
        }
    }
    SB_TRY(sb_bench_save(bench, &table, "spook07_step.csv"));
    return sb_bench_measure(bench, "spook07-eq29/printed", printed, 0.0);
}
