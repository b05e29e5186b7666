/* The ladder and the rod chain: the counts of spook07 6 and what they are made of, their charts, short exact motion. */
#include <stdio.h>

#include <stepbench/numerics/dynamics.h>
#include <stepbench/numerics/norm.h>

#include "tests/problems/differences.h"
#include "tests/problems/systems.h"

/* N = 20: 61 rods of 4 coordinates, 4 N + 1 joints of two rows, and a unit row a rod: 467 where the paper prints 427.
 */
static void counts(fixture *f) {
    sb_system sys;
    fixture_build(f, "ladder:N=20", NULL, &sys);
    gsl_test(sys.n != 244, "244 coordinates (%d)", sys.n);
    gsl_test(sys.holonomic.m != 162 + 61, "162 joint rows and 61 unit rows (%d)", sys.holonomic.m);
    gsl_test(sys.n + sys.holonomic.m != 467, "467 variables");
    gsl_test(sys.chart == NULL || sys.chart->n != 21, "a chain of 21 links");
}

/* Every joint by its definition in the paper, rods counted from 1, at an arbitrary q: the rows are the components of
 * these gaps. */
static void joints(fixture *f) {
    sb_system sys;
    double q[64], g[64];
    enum { N = 4 };
    fixture_build(f, "ladder:N=4,l=0.7", NULL, &sys);
    for (int i = 0; i < sys.n; i++) {
        q[i] = sin(1.7 * i);
    }
    gsl_test(sb_holonomic_value(&sys, 0.0, q, g, NULL) != SB_OK, "g");
    double sum = 0.0, expected = 0.0;
    for (int i = 0; i < sys.holonomic.m; i++) {
        sum += g[i] * g[i];
    }
    for (int j = 1; j <= 3 * N + 1; j++) {
        const double *rod = q + 4 * (j - 1), unit = 0.5 * (rod[2] * rod[2] + rod[3] * rod[3] - 1.0);
        const int tail_on = j <= 2 ? 0 : j % 3 == 2 ? j - 3 : j - 2;
        expected += unit * unit;
        for (int c = 0; c < 2; c++) {
            const double *other = q + 4 * (tail_on > 0 ? tail_on - 1 : 0), *next = q + 4 * j;
            const double gap = rod[c] - 0.35 * rod[2 + c] - (tail_on > 0 ? other[c] + 0.35 * other[2 + c] : 0.0);
            expected += gap * gap;
            if (j % 3 == 0) {
                const double closure = rod[c] + 0.35 * rod[2 + c] - next[c] - 0.35 * next[2 + c];
                expected += closure * closure;
            }
        }
    }
    /* Sums of some fifty squares. */
    gsl_test(!close_to(sum, expected, 64.0 * DBL_EPSILON * expected), "the constraints are the paper's (%.16g, %.16g)",
             sum, expected);
}

/* No pattern grows faster than N, and the initial state is on the constraints exactly. */
static void size(fixture *f) {
    sb_system sys[2];
    static double q[4 * 3001], v[4 * 3001], g[11003];
    double t;
    fixture_build(f, "ladder:N=500", NULL, &sys[0]);
    fixture_build(f, "ladder:N=1000,rungs=down", NULL, &sys[1]);
    gsl_test(!(sb_pattern_nnz(&sys[1].holonomic.G) < 2 * sb_pattern_nnz(&sys[0].holonomic.G) + 16),
             "G's entries are in proportion to N");
    gsl_test(sb_pattern_nnz(&sys[1].H) != sys[1].n, "H is diagonal");
    gsl_test(sys[1].initial(sys[1].self, &t, q, v) != SB_OK || sb_holonomic_value(&sys[1], 0.0, q, g, NULL) != SB_OK,
             "a long ladder");
    gsl_test(sb_norm_max(sys[1].holonomic.m, g) != 0.0, "starts on its constraints exactly");
    gsl_test(sys[1].chart != NULL, "long ladders have no chart");
}

/* A rod's mass, 10 kg or 7 times as much, by where the rod is at the start: the first rung is the upright rod at x = 0,
 * the last rung the one at x = N l; rods counted from 1 as in the paper. */
static bool heavy(const char *which, int rod, const double *at, double end) {
    const bool upright = at[2] == 0.0;
    return strcmp(which, "alternate") == 0 ? rod % 2 == 1
                                           : upright && at[0] == (strcmp(which, "root") == 0 ? 0.0 : end);
}

/* A tilted ladder is the level one turned about the origin: x + iy of every centre and direction times exp(i tilt). */
static void tilts(fixture *f) {
    static const char *const sides[2][2] = {{"ladder:N=3", "ladder:N=3,tilt=0.4"},
                                            {"ladder:N=3,rungs=down", "ladder:N=3,rungs=down,tilt=0.4"}};
    for (int k = 0; k < 2; k++) {
        double q[2][40], v[40], t;
        for (int i = 0; i < 2; i++) {
            sb_system sys;
            fixture_build(f, sides[k][i], NULL, &sys);
            gsl_test(sys.initial(sys.self, &t, q[i], v), "%s", sides[k][i]);
        }
        for (int i = 0; i < 40; i += 2) {
            const double x = q[0][i] * cos(0.4) - q[0][i + 1] * sin(0.4),
                         y = q[0][i] * sin(0.4) + q[0][i + 1] * cos(0.4);
            gsl_test(!close_to(q[1][i], x, 16.0 * DBL_EPSILON) || !close_to(q[1][i + 1], y, 16.0 * DBL_EPSILON),
                     "%s: vector %d is (%g, %g)", sides[k][1], i / 2, q[1][i], q[1][i + 1]);
        }
    }
}

static void masses(fixture *f) {
    static const char *const choices[] = {"alternate", "root", "tip"};
    for (int k = 0; k < 3; k++) {
        char spec[80];
        sb_system sys;
        double q[64], v[64], Mx[64], t;
        snprintf(spec, sizeof spec, "ladder:N=4,l=2,mass_ratio=7,heavy=%s", choices[k]);
        fixture_build(f, spec, NULL, &sys);
        gsl_test(sys.initial(sys.self, &t, q, v) | sys.inertia.mass(sys.inertia.self, q, Mx), "%s: masses", spec);
        for (int i = 0; i < sys.n; i += 4) {
            const double expected = heavy(choices[k], i / 4 + 1, q + i, 8.0) ? 70.0 : 10.0;
            gsl_test(Mx[i] != expected || Mx[i + 1] != expected, "%s: mass of rod %d, %g", spec, i / 4 + 1, Mx[i]);
            gsl_test(!close_to(Mx[i + 2], expected * 4.0 / 12.0, 4.0 * DBL_EPSILON * expected), "%s: m l^2/12", spec);
        }
    }
}

/* Rod 2 of a chain of four moved away by (0.3, 0.4): two of the four joints are open by 0.5, four of their eight rows
 * are +-0.3 or +-0.4. Rods that are too long open no joint as long as their ends would meet at the right length. */
static void gaps(fixture *f) {
    sb_system sys;
    double q[16], v[16], out[8], t;
    fixture_build(f, "rod_chain:n=4,theta0=0.7,l=1.5", NULL, &sys);
    gsl_test(strcmp(sys.outputs.list[3].name, "g_joint") != 0 || strcmp(sys.outputs.list[4].name, "gap") != 0,
             "g_joint and gap are the last outputs");
    gsl_test(sys.initial(sys.self, &t, q, v), "a chain");
    q[4] += 0.3;
    q[5] += 0.4;
    gsl_test(sys.outputs.value(sys.outputs.self, t, q, v, out), "its outputs");
    gsl_test_rel(out[4], 0.5 * sqrt(2.0 / 4.0), 1e-14, "gap: root mean square over the joints");
    gsl_test_rel(out[3], sqrt(2.0 * 0.25 / 8.0), 1e-14, "g_joint: root mean square over the rows");
    q[2] *= 1.25;
    q[3] *= 1.25;
    gsl_test(sys.outputs.value(sys.outputs.self, t, q, v, out), "its outputs with a rod too long");
    gsl_test_rel(out[4], 0.5 * sqrt(2.0 / 4.0), 1e-14, "gap: of rods of their own length");
    gsl_test(!(fabs(out[3] - sqrt(2.0 * 0.25 / 8.0)) > 0.01), "g_joint: of the rods as they are, %g", out[3]);
}

/* The equations of motion of a ladder large enough for the sparse solver, at arbitrary velocities: M a = F + G' lambda,
 * G a = -v' Hess g v.
 */
static void accelerations(fixture *f) {
    sb_system sys;
    sb_dynamics dyn;
    enum { NQ = 244, NG = 223 };
    static double q[NQ], v[NQ], a[NQ], F[NQ], tmp[NQ], Ma[NQ], lambda[NG], Gx[8 * NG], curved[NG], Ga[NG];
    double t, worst = 0.0;
    fixture_build(f, "ladder:N=20", NULL, &sys);
    int status = sb_dynamics_init(&f->ctx, &f->arena, &sys, &dyn) | sys.initial(sys.self, &t, q, v);
    for (int i = 0; i < sys.n; i++) {
        v[i] = sin(2.3 * i);
    }
    status |= sb_dynamics_acceleration(&dyn, t, q, v, a, lambda) | sb_system_force(&sys, t, q, v, F, tmp) |
              sb_dynamics_momentum(&dyn, q, a, Ma);
    status |= sb_holonomic_value(&sys, 0.0, q, NULL, Gx) | sb_holonomic_curvature(&sys, 0.0, q, v, curved);
    gsl_test(status != SB_OK, "accelerations");
    sb_csc_mult_add(&sys.holonomic.G, Gx, 1.0, lambda, F);
    sb_csc_mult_t(&sys.holonomic.G, Gx, a, Ga);
    const double size = sb_norm_max(sys.holonomic.m, lambda), fast = sb_norm_max(sys.n, a);
    for (int i = 0; i < sys.n; i++) {
        worst = fmax(worst, fabs(Ma[i] - F[i]) / size);
    }
    for (int i = 0; i < sys.holonomic.m; i++) {
        worst = fmax(worst, fabs(Ga[i] + curved[i]) / fast);
    }
    /* Backward stable but for the growth of a factorization without pivoting, which leaves a hundred units here. */
    gsl_test(!(worst <= 1e-12) || !(size > 0.0), "the equations of motion hold at N = 20 (%g)", worst);
}

/* The state at t of a run, with its energy. */
static double run(fixture *f, const char *spec, const char *formulation, const char *stepper, double h, double t,
                  double *outputs) {
    sb_system sys;
    sb_method method = {0};
    sb_state state[2];
    sb_dynamics dyn;
    double v[64], T = NAN, V = NAN;
    fixture_build(f, spec, formulation, &sys);
    int status = sb_method_build(&f->ctx, &f->arena, stepper, &sys, &method) |
                 sb_state_new(&method, &f->arena, &state[0]) | sb_state_new(&method, &f->arena, &state[1]);
    status |=
        sb_dynamics_init(&f->ctx, &f->arena, &sys, &dyn) | sb_method_start(&method, 0.0, NULL, NULL, h, &state[0]);
    const int steps = (int)lround(t / h);
    for (int k = 0; k < steps && status == SB_OK; k++) {
        status = sb_method_step(&method, &state[k % 2], h, &state[(k + 1) % 2]);
    }
    status = status == SB_OK ? sb_method_report(&method, &state[steps % 2], v, NULL) : status;
    status = status == SB_OK ? sys.outputs.value(sys.outputs.self, t, state[steps % 2].q, v, outputs) : status;
    status = status == SB_OK ? sb_dynamics_energy(&dyn, 0.0, state[steps % 2].q, v, &T, &V) : status;
    gsl_test(status != SB_OK, "%s on %s (%s)", stepper, sys.name, status != SB_OK ? f->ctx.message : "done");
    return T + V;
}

/* Before the first flat square all formulations have the same motion, and symmetric steppers keep its energy to their
 * order: 2e-4 h^2-ish of the terms. */
static void motion(fixture *f, const char *spec) {
    double rod[8], chart[8], shaken[8], zero[8];
    const double t = 0.5, h = 1e-3;
    const double start = run(f, spec, NULL, "rattle", h, 0.0, zero);
    const double e_rattle = run(f, spec, NULL, "rattle", h, t, rod),
                 e_shake = run(f, spec, NULL, "shake", h, t, shaken);
    const double e_chart = run(f, spec, "chart:lagrangian=chart", "rk4", h, t, chart);
    const double potential_drop = fabs(zero[1] - chart[1]) * 9.81 * 100.0;
    gsl_test(!(potential_drop > 10.0), "%s: it falls", spec);
    gsl_test(!close_to(e_chart, start, 1e-9 * potential_drop), "%s: rk4 in the chart keeps the energy (%.12g, %.12g)",
             spec, e_chart, start);
    /* Second order: the time scale is 0.05, (h/0.05)^2 = 4e-4. */
    gsl_test(!close_to(e_rattle, start, 4e-4 * potential_drop), "%s: rattle keeps the energy (%.9g, %.9g)", spec,
             e_rattle, start);
    gsl_test(!close_to(e_shake, start, 4e-4 * potential_drop), "%s: shake keeps the energy (%.9g, %.9g)", spec, e_shake,
             start);
    for (int k = 0; k < 3; k++) {
        gsl_test(!close_to(rod[k], chart[k], 4e-4 * (1.0 + fabs(chart[k]))),
                 "%s: rods and chart agree in output %d (%.9g, %.9g)", spec, k, rod[k], chart[k]);
    }
    gsl_test(!(rod[3] <= 1e-12 && rod[4] <= 1e-9), "%s: the joints hold (%g, %g)", spec, rod[3], rod[4]);
}

static void refuses(fixture *f, const char *spec, const char *word) {
    sb_system sys;
    const int status = sb_system_build(&f->ctx, &f->arena, spec, 0, NULL, &sys);
    gsl_test(status != SB_BAD_USAGE || strstr(f->ctx.message, word) == NULL, "%s is refused: %s", spec,
             status == SB_OK ? "it is not" : f->ctx.message);
}

int main(void) {
    fixture f;
    fixture_open(&f);
    counts(&f);
    joints(&f);
    size(&f);
    masses(&f);
    tilts(&f);
    gaps(&f);
    accelerations(&f);
    motion(&f, "ladder:N=3");
    motion(&f, "ladder:N=2,rungs=down,mass_ratio=3,heavy=tip");
    motion(&f, "rod_chain:n=4");
    refuses(&f, "ladder:N=0", "N");
    refuses(&f, "ladder:mass_ratio=0", "mass_ratio");
    refuses(&f, "ladder:mass_ratio=-2", "mass_ratio");
    refuses(&f, "ladder:heavy=middle", "heavy");
    refuses(&f, "rod_chain:n=0", "n");
    fixture_close(&f);
    return gsl_test_summary();
}
