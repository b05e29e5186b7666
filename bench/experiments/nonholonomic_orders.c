/* spook07 (24) and (29) on nonholonomic problems: the limit gamma -> 0, orders, and what the energy does. */
#include <math.h>
#include <string.h>

#include "bench/findings.h"

enum { PROBLEMS = 2, STEPPERS = 2, GAMMAS = 7, STEPS = 5, LARGEST = 8 };

static const char *const problems[PROBLEMS + 1] = {"knife_edge", "chaplygin_sleigh", NULL};
static const char *const names[STEPPERS] = {"nonholonomic_variational", "spook"};

static const sb_column gamma_columns[] = {
    {"problem", SB_COL_KEY, "", "the problem"},
    {"gamma", SB_COL_KEY, "1/(N s)", "regularization"},
    {"eq24", SB_COL_ERROR, "", "largest distance in q from the run with gamma = 0 over 5 s at h = 0.01 s, by (24)"},
    {"eq29", SB_COL_ERROR, "", "the same by (29)"},
};
static const sb_column energy_columns[] = {
    {"problem", SB_COL_KEY, "", "the problem"},
    {"h", SB_COL_KEY, "s", "step"},
    {"eq24", SB_COL_EXACT, "J", "energy after 20 s less that at the start, by (24)"},
    {"eq29", SB_COL_EXACT, "J", "the same by (29)"},
};
enum { GAMMA_COLUMNS = sizeof gamma_columns / sizeof gamma_columns[0], ENERGY_COLUMNS = sizeof energy_columns / sizeof energy_columns[0] };

static const double t_end = 5.0, h = 0.01, long_run = 20.0;

/* Positions after every step, and the energy gained. */
typedef struct path {
    double *q;
    double gained;
    long kept;
    int n;
    sb_dynamics dyn;
    double start;
} path;

static int keep(void *arg, const sb_sample *sample) {
    path *p = arg;
    double T, V;
    memcpy(p->q + p->kept * p->n, sample->q, (size_t)p->n * sizeof(double));
    SB_TRY(sb_dynamics_energy(&p->dyn, sample->q, sample->v, &T, &V));
    p->start = p->kept == 0 ? T + V : p->start;
    p->gained = T + V - p->start;
    p->kept++;
    return SB_OK;
}

static int follow(sb_bench *bench, const char *problem, const char *stepper, double step, double end, path *out) {
    sb_system sys;
    sb_method me;
    sb_run run = {.h = step, .steps = lround(end / step), .every = 1};
    if (stepper == NULL) {
        return SB_NO_MEMORY;
    }
    SB_TRY(sb_system_build(bench->ctx, &bench->arena, problem, 0, NULL, &sys));
    SB_TRY(sb_method_build(bench->ctx, &bench->arena, stepper, &sys, &me));
    *out = (path){.n = sys.n};
    SB_TRY(sb_dynamics_init(bench->ctx, &bench->arena, &sys, &out->dyn));
    SB_NEW(&bench->arena, out->q, (run.steps + 1) * sys.n);
    const int status = sb_run_method(&me, &run, keep, out);
    sb_dynamics_fini(&out->dyn);
    sb_method_fini(&me);
    return status;
}

static double distance(const path *a, const path *b) {
    double worst = 0.0;
    for (long i = 0; i < a->kept * a->n; i++) {
        worst = sb_larger(worst, fabs(a->q[i] - b->q[i]));
    }
    return worst;
}

/* The largest residual of (24) with gamma = 0 over a run: of M (v1 - v0) = h F + A(q0)' alpha, and of A(q1) (q1 - q0) over h; relative. For
 * problems with one row and a diagonal mass. */
static int residual(sb_bench *bench, const char *problem, double *out) {
    sb_system sys;
    sb_method me;
    sb_state s[2];
    double A[LARGEST], M[LARGEST], F[LARGEST], tmp[LARGEST];
    SB_TRY(sb_system_build(bench->ctx, &bench->arena, problem, 0, NULL, &sys));
    SB_TRY(sb_method_build(bench->ctx, &bench->arena, "nonholonomic_variational:gamma=0,tol=1e-14", &sys, &me));
    SB_TRY(sb_state_new(&me, &bench->arena, &s[0]));
    SB_TRY(sb_state_new(&me, &bench->arena, &s[1]));
    if (sys.n > LARGEST || sys.nonholonomic.m != 1 || sb_pattern_nnz(&sys.inertia.M) != sys.n) {
        return sb_fail(bench->ctx, SB_UNSUPPORTED, "%s is not of one nonholonomic row and a diagonal mass", problem);
    }
    SB_TRY(sb_method_start(&me, 0.0, NULL, NULL, h, &s[0]));
    *out = 0.0;
    for (long k = 0; k < lround(t_end / h); k++) {
        const sb_state *a = &s[k % 2], *b = &s[1 - k % 2];
        double worst = 0.0, size = 0.0, row = 0.0;
        SB_TRY(sb_method_step(&me, a, h, &s[1 - k % 2]));
        SB_TRY(sys.inertia.mass(sys.inertia.self, a->q, M));
        SB_TRY(sb_system_force(&sys, a->t, a->q, a->v, F, tmp));
        SB_TRY(sys.nonholonomic.value(sys.nonholonomic.self, a->t, a->q, A, NULL));
        for (int i = 0; i < sys.n; i++) {
            tmp[i] = M[i] * (b->v[i] - a->v[i]) - h * F[i];
            size = fmax(size, fabs(M[i] * b->v[i]));
        }
        for (int j = sys.nonholonomic.A.p[0]; j < sys.nonholonomic.A.p[1]; j++) {
            tmp[sys.nonholonomic.A.i[j]] -= h * A[j] * b->lambda[0];
        }
        worst = sb_norm_max(sys.n, tmp) / size;
        SB_TRY(sys.nonholonomic.value(sys.nonholonomic.self, b->t, b->q, A, NULL));
        for (int j = sys.nonholonomic.A.p[0]; j < sys.nonholonomic.A.p[1]; j++) {
            const int i = sys.nonholonomic.A.i[j];
            row += A[j] * b->v[i]; /* (q1 - q0)/h without the round-off of the difference */
        }
        *out = sb_larger(*out, sb_larger(worst, fabs(row) / sb_norm_max(sys.n, b->v)));
    }
    sb_method_fini(&me);
    return SB_OK;
}

/* Powers of gamma of the distances from the runs with gamma = 0. */
static int find_limit(sb_bench *bench, double power[PROBLEMS * STEPPERS], double *se) {
    double gamma[GAMMAS], off[STEPPERS][GAMMAS];
    sb_table table;
    SB_TRY(sb_bench_table(bench, GAMMA_COLUMNS, gamma_columns, &table));
    for (int p = 0; p < PROBLEMS; p++) {
        path limit[STEPPERS];
        for (int s = 0; s < STEPPERS; s++) {
            SB_TRY(follow(bench, problems[p], sb_bench_format(bench, "%s:gamma=0", names[s]), h, t_end, &limit[s]));
        }
        for (int k = 0; k < GAMMAS; k++) {
            gamma[k] = pow(10.0, -2.0 - k);
            for (int s = 0; s < STEPPERS; s++) {
                path run;
                SB_TRY(follow(bench, problems[p], sb_bench_format(bench, "%s:gamma=%.17g", names[s], gamma[k]), h, t_end, &run));
                off[s][k] = distance(&run, &limit[s]);
            }
            SB_TRY(SB_ROW(&table.sink, sb_text(problems[p]), sb_real(gamma[k]), sb_real(off[0][k]), sb_real(off[1][k])));
        }
        for (int s = 0; s < STEPPERS; s++) {
            const sb_slope slope = sb_bench_slope(GAMMAS, gamma, off[s]);
            power[p * STEPPERS + s] = slope.value;
            *se = sb_larger(*se, slope.se);
        }
    }
    return sb_bench_save(bench, &table, "nonholonomic_gamma.csv");
}

/* Orders in q, problem by problem, (24) then (29). */
static int orders(sb_bench *bench, double order[PROBLEMS * STEPPERS], double *se) {
    sb_table rows;
    SB_TRY(sb_bench_analyse(bench, "order", "h=[0.08,0.04,0.02,0.01,0.005],t_end=4", problems,
                            (const char *const[]){names[0], names[1], NULL}, &rows));
    for (int i = 0; i < rows.nrows; i++) {
        if (strcmp(sb_table_text(&rows, i, "status"), "fit") == 0) {
            for (int k = 0; k < PROBLEMS * STEPPERS; k++) {
                if (strcmp(sb_table_text(&rows, i, "problem"), problems[k / STEPPERS]) == 0 &&
                    strcmp(sb_table_text(&rows, i, "stepper"), names[k % STEPPERS]) == 0) {
                    order[k] = sb_table_real(&rows, i, "slope_q");
                    *se = sb_larger(*se, sb_table_real(&rows, i, "se_q"));
                }
            }
        }
    }
    return sb_bench_save(bench, &rows, "nonholonomic_orders.csv");
}

/* What the energy gains in a long run: 1 or -1 where its sign is the same at every step of a problem and method, and the power of h. */
static int energies(sb_bench *bench, int sign[PROBLEMS * STEPPERS]) {
    sb_table table;
    SB_TRY(sb_bench_table(bench, ENERGY_COLUMNS, energy_columns, &table));
    for (int p = 0; p < PROBLEMS; p++) {
        for (int k = 0; k < STEPS; k++) {
            const double step = 0.08 / (double)(1 << k);
            path run[STEPPERS];
            for (int s = 0; s < STEPPERS; s++) {
                int *now = &sign[p * STEPPERS + s];
                SB_TRY(follow(bench, problems[p], names[s], step, long_run, &run[s]));
                const int this = run[s].gained > 0.0 ? 1 : -1;
                *now = k == 0 ? this : *now == this ? this : 0;
            }
            SB_TRY(SB_ROW(&table.sink, sb_text(problems[p]), sb_real(step), sb_real(run[0].gained), sb_real(run[1].gained)));
        }
    }
    return sb_bench_save(bench, &table, "nonholonomic_energy.csv");
}

static const char *word(int sign) {
    return sign > 0 ? "gains" : sign < 0 ? "loses" : "either";
}

static int run(sb_bench *bench) {
    double power[PROBLEMS * STEPPERS], order[PROBLEMS * STEPPERS] = {0.0}, left[PROBLEMS], se = 0.0, se_order = 0.0;
    int sign[PROBLEMS * STEPPERS];
    /* Linear in gamma up to terms in gamma^2, of relative size gamma/(h A M^-1 A') = 1e-2/1e-2 at the largest: a bend of a tenth. A
     * step's equations are met to round-off, some tens of eps, times the row's condition. */
    const double bend = 0.1, exact = 1e-13;
    bool holds = true;
    SB_TRY(find_limit(bench, power, &se));
    SB_TRY(orders(bench, order, &se_order));
    SB_TRY(energies(bench, sign));
    for (int p = 0; p < PROBLEMS; p++) {
        SB_TRY(residual(bench, problems[p], &left[p]));
        holds = holds && left[p] <= exact;
    }
    for (int i = 0; i < PROBLEMS * STEPPERS; i++) {
        holds = holds && fabs(power[i] - 1.0) <= bend;
    }
    SB_TRY(sb_bench_plot(bench, "nonholonomic_orders"));
    return sb_bench_find(
        bench,
        &(sb_finding){"spook07-eq24", sb_verdict_of(holds, false),
                      sb_bench_format(bench,
                                      "distance from gamma = 0 as gamma to the power of %s ((24) and (29) on knife edge, then sleigh; +- "
                                      "%.0e); with gamma = 0 A(q1)(q1 - q0) = 0 and the equations of "
                                      "motion hold to 1e-%d. Orders in q: %s (+- %.3f). Energy in 20 s: knife edge %s, %s; sleigh %s, %s",
                                      sb_bench_list(bench, "%.3f", PROBLEMS * STEPPERS, power), se,
                                      sb_decimals(sb_larger(left[0], left[1])) < 13 ? sb_decimals(sb_larger(left[0], left[1])) : 13,
                                      sb_bench_list(bench, "%.2f", PROBLEMS * STEPPERS, order), se_order, word(sign[0]), word(sign[1]),
                                      word(sign[2]), word(sign[3])),
                      "0.1 on the power 1; 1e-13 on the residuals",
                      "the variational stepper is the case gamma = 0 itself, and it is reached linearly. Constraint and multiplier sit at "
                      "opposite ends of the step, which makes both equations first-order "
                      "methods on nonholonomic problems"});
}

extern const sb_experiment sb_experiment_nonholonomic_orders;
const sb_experiment sb_experiment_nonholonomic_orders = {
    .entry = {"nonholonomic_orders",
              "Knife edge and sleigh by the variational nonholonomic stepper and SPOOK: the limit gamma to 0, orders and energy.",
              "spook07 (24)", NULL, 0},
    .claims = (const char *const[]){"spook07-eq24", NULL},
    .files = (const char *const[]){"nonholonomic_gamma.csv", "nonholonomic_orders.csv", "nonholonomic_energy.csv",
                                   "nonholonomic_orders.svg", "nonholonomic_orders.png", NULL},
    .run = run,
};
