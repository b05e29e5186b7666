/* The work of forces and drivers and their impulse along a symmetry: on exact solutions with every kind of term, and
 * along the runs of right and wrong steppers. */
#include <complex.h>

#include <stepbench/numerics/norm.h>

#include "analysis/conservation/applied_work.h"
#include "analysis/conservation/drift.h"
#include "analysis/conservation/properties.h"
#include "bench/check/faulty.h"
#include "bench/check/systems.h"
#include "tests/analysis/fixture.h"

enum { N = 4 };

static const double t_end = 6.4;

/* Returns the largest |E(t) - E(0) - W(t)| along the exact solution in `steps` steps, from the second on; *size is the
 * integral of |power|. */
static double defect_on_solution(fixture *f, const sb_system *sys, long steps, double *size) {
    const double h = t_end / (double)steps;
    sb_applied_work work;
    sb_dynamics dyn;
    double q[N], v[N], kinetic, potential, first = 0.0, most = 0.0;
    gsl_test(sb_applied_work_init(&f->ctx, &f->arena, sys, h, &work) != SB_OK ||
                 sb_dynamics_init(&f->ctx, &f->arena, sys, &dyn) != SB_OK,
             "%s: %s", sys->name, f->ctx.message);
    for (long k = 0; k <= steps; k++) {
        const double t = h * (double)k;
        int status = sys->exact(sys->self, t, q, v, NULL);
        status = status == SB_OK ? sb_applied_work_add(&work, t, q, v) : status;
        status = status == SB_OK ? sb_dynamics_energy(&dyn, 0.0, q, v, &kinetic, &potential) : status;
        gsl_test(status != SB_OK, "%s at t = %g", sys->name, t);
        first = k == 0 ? kinetic + potential : first;
        most = k == 1 ? most : sb_larger(most, fabs(kinetic + potential - first - work.value));
    }
    *size = work.size;
    return most;
}

/* The energy of an exact solution changes by the work: to the order 9 of the quadrature. Round-off is that of a sum of
 * as many terms as steps, and of an acceleration in each. */
static void exact_solutions(fixture *f) {
    int working = 0, driven = 0;
    for (int k = 0; k < sb_check_system_count(); k++) {
        sb_system sys;
        double size, coarse, fine;
        gsl_test_int(sb_check_system_make(&f->ctx, &f->arena, k, &sys), SB_OK, "%s", sb_check_system_name(k));
        if (!sb_applied_work_exists(&sys)) {
            continue;
        }
        coarse = defect_on_solution(f, &sys, 16, &size);
        fine = defect_on_solution(f, &sys, 32, &size);
        gsl_test(!(fine <= coarse * pow(2.0, -8.5) || fine <= 1e-13 * (1.0 + size)),
                 "%s: E - E(0) - W is %.2g, and %.2g for half the step", sys.name, coarse, fine);
        gsl_test(!(coarse <= 2e-3 * (1.0 + size)), "%s: %.2g of %.2g", sys.name, coarse, size);
        working += size > 0.1;
        driven += size > 0.1 && sys.nonholonomic.m > 0 && sys.force.value == NULL;
    }
    gsl_test(working < 8 || driven < 1, "%d systems do work, %d of them by a driver", working, driven);
}

/* In x'' = -x - gamma x' + ... the damped oscillator loses E(0) - E(t), both in closed form: W of a run with rk4 at
 * h = 1/100 is right to the error of rk4, 1e-9. */
static void damped_oscillator(fixture *f) {
    const double gamma = 0.3, complex_part = sqrt(1.0 - 0.25 * gamma * gamma), h = 0.01;
    const double complex r = -0.5 * gamma + I * complex_part, a = conj(r) / (conj(r) - r), b = 1.0 - a,
                         x = a * cexp(r * 6.0) + b * cexp(conj(r) * 6.0),
                         u = a * r * cexp(r * 6.0) + b * conj(r) * cexp(conj(r) * 6.0);
    const double lost = 0.5 - 0.5 * (creal(x) * creal(x) + creal(u) * creal(u));
    const sb_pair pair = pair_of(f, "oscillator:gamma=0.3,x0=1,v0=0", "rk4");
    sb_drift *d;
    int count;
    gsl_test_int(sb_drift_measure(&f->ctx, &f->arena, &pair, h, 600, 32, &d, &count), SB_OK, "a run");
    gsl_test(strcmp(d->quantity, "energy balance") != 0, "the quantity is %s", d->quantity);
    gsl_test(!(d->max <= 1e-9), "the balance holds: %.2g", d->max);
    gsl_test(!(lost > 0.3 && lost < 0.5), "of a loss of %.3g", lost);
    sb_table table;
    rows(f, "energy", "h=0.01,steps=600,blocks=1", pair.problem, "rk4", &table);
    gsl_test(!(fabs(sb_table_real(&table, 0, "high")) + fabs(sb_table_real(&table, 0, "low")) <= 2e-9),
             "and the analysis energy leaves nothing: %.2g", sb_table_real(&table, 0, "high"));
}

/* Returns the largest defect of the energy balance of a stepper on check system k, h = 1/20 and half of it. */
static void balances(fixture *f, const sb_system *sys, const char *stepper, double most[2]) {
    sb_pair pair;
    gsl_test_int(sb_pair_build(&f->ctx, &f->arena, sys, stepper, &pair), SB_OK, "%s", stepper);
    for (int i = 0; i < 2; i++) {
        const double h = ldexp(0.05, -i);
        sb_drift *d;
        int count;
        most[i] = NAN;
        gsl_test_int(sb_drift_measure(&f->ctx, &f->arena, &pair, h, lround(10.0 / h), 32, &d, &count), SB_OK,
                     "%s on %s", stepper, sys->name);
        most[i] = d[0].max;
    }
}

/* A wrong force leaves a defect that no step makes small; the same method without a fault, of order 2, has a fourth of
 * it at half the step. Forces taken at the start of the step are those of a method of order 1. */
static void planted_forces(fixture *f) {
    static const struct {
        const char *system;
        sb_fault fault;
        double order;
    } cases[] = {{"check.force_q", SB_FAULT_RIGHT, 2.0},
                 {"check.force_v", SB_FAULT_RIGHT, 2.0},
                 {"check.force_t", SB_FAULT_RIGHT, 2.0},
                 {"check.driven", SB_FAULT_RIGHT, 2.0},
                 {"check.nonholonomic_force", SB_FAULT_RIGHT, 2.0},
                 {"check.force_q", SB_FAULT_NO_FORCE, 0.0},
                 {"check.force_v", SB_FAULT_NO_FORCE, 0.0},
                 {"check.force_t", SB_FAULT_NO_FORCE, 0.0},
                 {"check.force_v", SB_FAULT_HALF_FORCE, 0.0},
                 {"check.force_v", SB_FAULT_NO_DRAG, 0.0},
                 {"check.force_t", SB_FAULT_FORCE_AT_ZERO, 0.0},
                 {"check.driven", SB_FAULT_NO_DRIVER, 0.0},
                 {"check.force_v", SB_FAULT_WEAK_SPRING, 0.0},
                 {"check.holonomic_forces", SB_FAULT_NO_FORCE, 0.0},
                 {"check.curved_force", SB_FAULT_NO_FORCE, 0.0},
                 {"check.mass_force", SB_FAULT_HALF_FORCE, 0.0},
                 {"check.nonholonomic_force", SB_FAULT_NO_FORCE, 0.0},
                 {"check.force_t", SB_FAULT_FORCE_OLD_T, 1.0},
                 {"check.force_v", SB_FAULT_FORCE_OLD_V, 1.0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int k = 0; k < sb_check_system_count(); k++) {
            sb_system sys;
            double most[2];
            if (strcmp(sb_check_system_name(k), cases[i].system) != 0) {
                continue;
            }
            gsl_test_int(sb_check_system_make(&f->ctx, &f->arena, k, &sys), SB_OK, "%s", cases[i].system);
            balances(f, &sys, sb_faulty_list[cases[i].fault].stepper.entry.name, most);
            near(log2(most[0] / most[1]), cases[i].order, 0.25, cases[i].system);
            gsl_test(cases[i].order == 0.0 && !(most[1] > 5e-3), "%s on %s: %.2g", sb_faulty_list[cases[i].fault].text,
                     cases[i].system, most[1]);
        }
    }
}

/* The isotropic oscillator in the plane with a drag, whose angular momentum falls as e^(-drag t). */
static const double drag = 0.4;

static int turn(const void *self, int i, const double *q, double *xi) {
    (void)self;
    (void)i; /* x1 = q1 - q2/2, x2 = q2: planar.c */
    xi[1] = q[0] - 0.5 * q[1];
    xi[0] = -q[1] + 0.5 * xi[1];
    return SB_OK;
}

static void impulse(fixture *f) {
    static const char *const names[] = {"Jz"};
    sb_system sys = {0};
    sb_pair pair;
    sb_momentum *m;
    sb_drift *d;
    int count;
    for (int k = 0; k < sb_check_system_count(); k++) {
        if (strcmp(sb_check_system_name(k), "check.force_v") == 0) {
            gsl_test_int(sb_check_system_make(&f->ctx, &f->arena, k, &sys), SB_OK, "a drag");
        }
    }
    sys.symmetry = (sb_symmetry){.count = 1, .names = names, .generator = turn};
    gsl_test_int(sb_pair_build(&f->ctx, &f->arena, &sys, "rk4", &pair), SB_OK, "a pair");
    gsl_test_int(sb_momentum_measure(&f->ctx, &f->arena, &pair, SB_START_LEGENDRE, 0.01, 500, &m, &count), SB_OK,
                 "a run");
    near(m->impulse, m->continuous * expm1(-drag * 5.0), 1e-9, "the impulse of the drag"); /* the error of rk4 */
    gsl_test(!(m->continuous_deviation <= 1e-9 && m->discrete_deviation <= 1e-9 && fabs(m->continuous) > 0.3),
             "is what the momentum loses: %.2g of %.2g", m->continuous_deviation, m->continuous);
    gsl_test(m->excluded == NULL, "which is no momentum that the system conserves");
    gsl_test_int(sb_drift_measure(&f->ctx, &f->arena, &pair, 0.01, 500, 32, &d, &count), SB_OK, "a drift");
    gsl_test(count != 2 || !(d[1].max <= 1e-9) || !(fabs(d[1].initial - m->continuous) <= 1e-15),
             "drift has the same balance: %.2g", d[1].max);
    gsl_test_int(sb_pair_build(&f->ctx, &f->arena, &sys, "faulty_no_drag", &pair), SB_OK, "a wrong pair");
    gsl_test_int(sb_momentum_measure(&f->ctx, &f->arena, &pair, SB_START_LEGENDRE, 0.01, 500, &m, &count), SB_OK,
                 "a run without the drag");
    gsl_test(!(m->continuous_deviation > 0.5 * fabs(m->continuous)), "and a wrong force shows: %.2g",
             m->continuous_deviation);
}

/* What the system does not conserve has no verdict, and a reason. */
static void left_out(fixture *f) {
    static const struct {
        const char *analysis, *problem, *stepper, *verdict, *reason;
    } cases[] = {{"drift", "bouncing_ball", "moreau", "verdict", "dry friction"},
                 {"symplecticity", "oscillator:gamma=0.3", "midpoint", "symplectic", "forces"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sb_table table;
        rows(f, cases[i].analysis, "", cases[i].problem, cases[i].stepper, &table);
        gsl_test(sb_table_text(&table, 0, cases[i].verdict)[0] != '\0' ||
                     strstr(sb_table_text(&table, 0, "status"), cases[i].reason) == NULL,
                 "%s on %s: %s, %s", cases[i].analysis, cases[i].problem, sb_table_text(&table, 0, cases[i].verdict),
                 sb_table_text(&table, 0, "status"));
    }
}

int main(void) {
    fixture f;
    fixture_init(&f);
    for (int k = 0; k < SB_FAULT_COUNT; k++) {
        gsl_test_int(sb_registry_add(&f.registry, SB_KIND_STEPPER, &sb_faulty_list[k].stepper.entry), SB_OK,
                     "registered");
    }
    exact_solutions(&f);
    damped_oscillator(&f);
    planted_forces(&f);
    impulse(&f);
    left_out(&f);
    fixture_free(&f);
    return gsl_test_summary();
}
