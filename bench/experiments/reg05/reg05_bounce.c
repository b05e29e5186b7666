/* reg05 4: orders of three steppers on a bouncing ball, in four norms that suit impacts and in the maximum norm of the
 * velocity; and the order of a fourth-order method with and without location of the impacts. */

#include "bench/runner/experiment_tools.h"

enum { STEPPERS = 3, LEVELS = 9, FINE = 10, SHOWN = 56, COARSE_STEPS = 36 };

/* The first two decide the claim. SPOOK has its default compliance, eps = 1e-8 m/N. */
static const char *const steppers[] = {"reg", "moreau", "spook", NULL};
/* The largest step, s. No impact is at a multiple of it or of its fractions. */
static const double coarsest = 0.05;

/* Measures the largest error of the velocity. */
static int sup_of(sb_bench *bench, const char *stepper, double h, double *out) {
    sb_path path;
    SB_TRY(sb_bench_path(bench, "bouncing_ball", stepper, h, lround(COARSE_STEPS * coarsest / h), 1, &path));
    *out = path.failure == NULL ? 0.0 : NAN;
    for (long k = 0; k < path.count; k++) {
        double q, v;
        SB_TRY(path.sys.exact(path.sys.self, path.t[k], &q, &v, NULL));
        *out = sb_larger(*out, fabs(path.v[k] - v));
    }
    return SB_OK;
}

/* Writes the largest errors of the velocity. */
static int sup_norms(sb_bench *bench) {
    sb_table table;
    SB_TRY(sb_bench_table(bench, "reg05_bounce_sup", &table));
    for (int k = 0; k < STEPPERS * LEVELS; k++) {
        const double h = ldexp(coarsest, -(k % LEVELS));
        double sup;
        SB_TRY(sup_of(bench, steppers[k / LEVELS], h, &sup));
        SB_TRY(SB_TABLE_ROW(&table, sb_text(steppers[k / LEVELS]), sb_real(h), sb_real(sup)));
    }
    return sb_bench_save(bench, &table, "reg05_bounce_sup.csv");
}

static int draw_paths(sb_bench *bench) {
    sb_path reg, moreau;
    sb_table table;
    const double h = coarsest;
    SB_TRY(sb_bench_table(bench, "reg05_bounce_path", &table));
    SB_TRY(sb_bench_path(bench, "bouncing_ball", "reg", h, SHOWN, 1, &reg));
    SB_TRY(sb_bench_path(bench, "bouncing_ball", "moreau", h, SHOWN, 1, &moreau));
    for (long j = 0; j <= SHOWN * FINE; j++) {
        const double t = (double)j * h / FINE;
        const bool sampled = j % FINE == 0 && j / FINE < reg.count && j / FINE < moreau.count;
        double q, v;
        SB_TRY(reg.sys.exact(reg.sys.self, t, &q, &v, NULL));
        SB_TRY(SB_NUMBERS(&table, t, q, sampled ? reg.q[j / FINE] : NAN, sampled ? moreau.q[j / FINE] : NAN));
    }
    return sb_bench_save_curves(bench, &table, "reg05_bounce_path.csv");
}

/* ---- A method of order four: x'' = -x from rest at 1 to 1.31 m, and a wall at x = -d with the restitution e. ---- */

static const double wall = 0.5, restitution = 0.9, vibro_end = 30.0;
enum { VIBRO_LEVELS = 6, STARTS = 32 };

/* Returns the place of start i (m). */
static double vibro_start(int i) { return 1.0 + 0.01 * i; }

/* Returns the exact position from rest at R. Between impacts x = R cos(phase); an impact multiplies R^2 - d^2 by e^2.
 */
static double vibro_exact(double R, double t) {
    double since = t, phase = 0.0; /* since: time after the last impact */
    while (since > acos(-wall / R) - phase) {
        since -= acos(-wall / R) - phase;
        R = sqrt(wall * wall + restitution * restitution * (R * R - wall * wall));
        phase = -acos(-wall / R);
    }
    return R * cos(phase + since);
}

/* Finds the part of the step h from `from` at whose end the wall is reached, by bisection to round-off. */
static int locate(const sb_method *me, const sb_state *from, double h, sb_state *to, double *part) {
    double before = 0.0, behind = h;
    while (behind - before > 2.0 * DBL_EPSILON * h) {
        *part = 0.5 * (before + behind);
        SB_TRY(sb_method_step(me, from, *part, to));
        *(to->q[0] < -wall ? &behind : &before) = *part;
    }
    return SB_OK;
}

/* Measures the mean error of the position by rk4 from rest at x0. With `located`, steps end at the impacts. */
static int vibro(sb_bench *bench, double x0, bool located, double h, double *error) {
    sb_system sys;
    sb_method me;
    sb_orbit orbit;
    const long steps = lround(vibro_end / h);
    SB_SCRATCH(scratch, bench->ctx);
    SB_TRY(sb_system_build(bench->ctx, &scratch, sb_bench_format(bench, "oscillator:omega=1,x0=%.17g,v0=0", x0), 0,
                           NULL, &sys));
    SB_TRY(sb_bench_orbit(bench->ctx, &scratch, &sys, "rk4", h, &me, &orbit));
    *error = 0.0;
    for (long k = 1; k <= steps; k++) {
        SB_TRY(sb_orbit_advance(&orbit, h, 1)); /* orbit.next is the state before the step */
        if (orbit.now.q[0] < -wall && orbit.now.v[0] < 0.0) {
            double part = h;
            if (located) {
                SB_TRY(locate(&me, &orbit.next, h, &orbit.now, &part));
            }
            const double x = orbit.now.q[0], v = -restitution * orbit.now.v[0];
            SB_TRY(sb_orbit_start(&orbit, (double)k * h, &x, &v, h));
            if (part < h) {
                SB_TRY(sb_orbit_advance(&orbit, h - part, 1));
            }
        }
        *error += fabs(orbit.now.q[0] - vibro_exact(x0, (double)k * h)) / (double)steps;
    }
    return SB_OK;
}

static int write_located(sb_bench *bench) {
    sb_table table;
    SB_TRY(sb_bench_table(bench, "reg05_bounce_located", &table));
    for (int k = 0; k < VIBRO_LEVELS; k++) {
        const double h = ldexp(vibro_end / 307.0, -k); /* impacts are at random places within these steps */
        double sum[2] = {0.0, 0.0};
        for (int i = 0; i < 2 * STARTS; i++) {
            double error;
            SB_TRY(vibro(bench, vibro_start(i / 2), i % 2 == 1, h, &error));
            sum[i % 2] += error / STARTS;
        }
        SB_TRY(SB_NUMBERS(&table, h, sum[0], sum[1]));
    }
    return sb_bench_save(bench, &table, "reg05_bounce_located.csv");
}

SB_DEFINE_EXPERIMENT(reg05_bounce) {
    sb_table rows;
    SB_TRY(sb_bench_analyse(
        bench, "order",
        "h=[0.05,0.025,0.0125,0.00625,0.003125,0.0015625,0.00078125,0.000390625,0.0001953125],t_end=1.8",
        SB_LIST("bouncing_ball"), steppers, &rows));
    SB_TRY(sb_bench_save(bench, &rows, "reg05_bounce.csv"));
    SB_TRY(sup_norms(bench));
    SB_TRY(draw_paths(bench));
    return write_located(bench);
}
