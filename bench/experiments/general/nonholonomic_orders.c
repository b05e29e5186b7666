/* spook07 (24) and (29) on nonholonomic problems: the limit gamma -> 0, orders, and the change of the energy. */

#include <stepbench/numerics/dynamics.h>

#include "bench/runner/experiment_tools.h"

enum { PROBLEMS = 3, STEPPERS = 2, GAMMAS = 7, STEPS = 5, LARGEST = 8 };

/* The disk turns faster than the others by a factor of four, and by (29) with h = 0.02 s it falls flat after 12 s. */
typedef struct subject {
    const char *name;
    double h, end; /* the largest step, and the duration for the change of the energy, s */
} subject;
static const subject subjects[PROBLEMS] = {
    {"knife_edge", 0.08, 20.0}, {"chaplygin_sleigh", 0.08, 20.0}, {"rolling_disk", 0.02, 5.0}};
static const char *const names[STEPPERS] = {"nonholonomic_variational", "spook"};

static const double t_end = 5.0, h = 0.01;

/* Runs a stepper and keeps the positions after every step. */
static int follow(sb_bench *bench, int which, const char *stepper, double step, double end, sb_path *out) {
    const sb_run run = {.h = step, .steps = lround(end / step), .every = 1};
    return sb_bench_whole_path(bench, subjects[which].name, "", stepper, &run, out);
}

static int energy_gained(sb_bench *bench, const sb_path *p, double *gained) {
    const long at[2] = {0, p->count - 1};
    double T[2], V[2];
    sb_dynamics dyn;
    SB_TRY(sb_dynamics_init(bench->ctx, &bench->arena, &p->sys, &dyn));
    for (int i = 0; i < 2; i++) {
        SB_TRY(sb_dynamics_energy(&dyn, 0.0, p->q + at[i] * p->n, p->v + at[i] * p->n, &T[i], &V[i]));
    }
    *gained = T[1] + V[1] - (T[0] + V[0]);
    return SB_OK;
}

/* With A at (t, q), computes the largest |A' v - w| over |v|, and subtracts h A lambda from tmp. */
static int add_rows(const sb_nonholonomic *rows, double t, const double *q, const double *v, const double *lambda,
                    double *tmp, double *rate) {
    double A[LARGEST * LARGEST], w[LARGEST];
    SB_TRY(rows->value(rows->self, t, q, A, w));
    sb_csc_mult_add(&rows->A, A, -h, lambda, tmp);
    sb_csc_mult_t(&rows->A, A, v, tmp + LARGEST);
    *rate = sb_distance_max(rows->m, tmp + LARGEST, w) / sb_norm_max(rows->A.rows, v);
    return SB_OK;
}

/* Computes the largest relative residual of (24) with gamma = 0 over a run: of M(q0) v1 - M(q0 - h v0) v0 = h F +
 * A(q0)' alpha with the force at (q0, v1), and of A(q1) (q1 - q0) over h. For problems whose force, except for the
 * inertial part, is a function of only q. */
static int residual(sb_bench *bench, const char *problem, double *out) {
    sb_system sys;
    sb_method me;
    sb_orbit orbit;
    double before[LARGEST], p[LARGEST], F[LARGEST], tmp[2 * LARGEST];
    sb_dynamics dyn;
    SB_TRY(sb_system_build(bench->ctx, &bench->arena, problem, 0, NULL, &sys));
    SB_TRY(sb_bench_orbit(bench->ctx, &bench->arena, &sys, "nonholonomic_variational:gamma=0", h, &me, &orbit));
    SB_TRY(sb_dynamics_init(bench->ctx, &bench->arena, &sys, &dyn));
    if (sys.n > LARGEST || sys.force.value != NULL) {
        return sb_fail(bench->ctx, SB_UNSUPPORTED, "%s has more than %d coordinates, or a force beside its potential",
                       problem, LARGEST);
    }
    *out = 0.0;
    for (long k = 0; k < lround(t_end / h); k++) {
        const sb_state *a = &orbit.next, *b = &orbit.now;
        double row;
        SB_TRY(sb_orbit_advance(&orbit, h, 1));
        SB_TRY(sb_system_force(&sys, a->t, a->q, b->v, F, tmp));
        for (int i = 0; i < sys.n; i++) {
            before[i] = a->q[i] - h * a->v[i];
        }
        SB_TRY(sb_dynamics_momentum(&dyn, before, a->v, p));
        SB_TRY(sb_dynamics_momentum(&dyn, a->q, b->v, tmp));
        const double size = sb_norm_max(sys.n, tmp);
        for (int i = 0; i < sys.n; i++) {
            tmp[i] -= p[i] + h * F[i];
        }
        SB_TRY(add_rows(&sys.nonholonomic, a->t, a->q, b->v, b->lambda, tmp, &row));
        *out = sb_larger(*out, sb_norm_max(sys.n, tmp) / size);
        SB_TRY(add_rows(&sys.nonholonomic, b->t, b->q, b->v, b->lambda, tmp, &row));
        *out = sb_larger(*out, row);
    }
    return SB_OK;
}

/* Writes the distances from the runs with gamma = 0. */
static int measure_limit(sb_bench *bench) {
    sb_table table;
    SB_TRY(sb_bench_table(bench, "nonholonomic_gamma", &table));
    for (int p = 0; p < PROBLEMS; p++) {
        sb_path limit[STEPPERS];
        for (int s = 0; s < STEPPERS; s++) {
            SB_TRY(follow(bench, p, sb_bench_format(bench, "%s:gamma=0", names[s]), h, t_end, &limit[s]));
        }
        for (int k = 0; k < GAMMAS; k++) {
            const double gamma = pow(10.0, -2.0 - k);
            double off[STEPPERS];
            for (int s = 0; s < STEPPERS; s++) {
                sb_path run;
                SB_TRY(follow(bench, p, sb_bench_format(bench, "%s:gamma=%.17g", names[s], gamma), h, t_end, &run));
                off[s] = sb_distance_max((int)run.count * run.n, run.q, limit[s].q);
            }
            SB_TRY(SB_TABLE_ROW(&table, sb_text(subjects[p].name), sb_real(gamma), sb_real(off[0]), sb_real(off[1])));
        }
    }
    return sb_bench_save(bench, &table, "nonholonomic_gamma.csv");
}

static int measure_orders(sb_bench *bench) {
    sb_table all = {0};
    for (int p = 0; p < PROBLEMS; p++) {
        SB_TRY(sb_bench_analyse_more(bench, "order",
                                     sb_bench_format(bench, "h=[%g,%g,%g,%g,%g],t_end=4", subjects[p].h,
                                                     subjects[p].h / 2.0, subjects[p].h / 4.0, subjects[p].h / 8.0,
                                                     subjects[p].h / 16.0),
                                     SB_LIST(subjects[p].name), SB_LIST(names[0], names[1]), &all));
    }
    return sb_bench_save(bench, &all, "nonholonomic_orders.csv");
}

/* Writes the change of the energy in a long run. */
static int measure_energies(sb_bench *bench) {
    sb_table table;
    SB_TRY(sb_bench_table(bench, "nonholonomic_energy", &table));
    for (int p = 0; p < PROBLEMS; p++) {
        for (int k = 0; k < STEPS; k++) {
            const double step = subjects[p].h / (double)(1 << k);
            sb_path run;
            double gained[STEPPERS];
            for (int s = 0; s < STEPPERS; s++) {
                SB_TRY(follow(bench, p, names[s], step, subjects[p].end, &run));
                SB_TRY(energy_gained(bench, &run, &gained[s]));
            }
            SB_TRY(SB_TABLE_ROW(&table, sb_text(subjects[p].name), sb_real(step), sb_real(subjects[p].end),
                                sb_real(gained[0]), sb_real(gained[1])));
        }
    }
    return sb_bench_save(bench, &table, "nonholonomic_energy.csv");
}

SB_DEFINE_EXPERIMENT(nonholonomic_orders) {
    double left = 0.0;
    SB_TRY(measure_limit(bench));
    SB_TRY(measure_orders(bench));
    SB_TRY(measure_energies(bench));
    for (int p = 0; p < PROBLEMS; p++) {
        double residue = (double)NAN;
        SB_TRY(residual(bench, subjects[p].name, &residue));
        left = sb_larger(left, residue);
    }
    return sb_bench_measure(bench, "spook07-eq24/residual", left, 0.0);
}
