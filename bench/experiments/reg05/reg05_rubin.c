/* reg05 3.1: convergence of a pendulum on springs to the rigid pendulum, from rest on the circle. */
#include <string.h>

#include "bench/runner/experiment_tools.h"

enum { LEVELS = 7, STARTS = 2 };

static const char *const names[STARTS] = {"horizontal", "45 degrees"};
static const char *const problems[STARTS] = {"pendulum:m=1,l=1,g=10,theta0=1.5707963267948966,constraint=norm",
                                             "pendulum:m=1,l=1,g=10,theta0=0.78539816339744831,constraint=norm"};

/* The largest load of the rod, m g (3 - 2 cos theta0), N. */
static const double loads[STARTS] = {30.0, 30.0 - 20.0 * M_SQRT1_2};

static const double t_end = 1.0;
/* Steps of rk4 per time sqrt(c), which is the period of the springs over 2 pi. The error is (h omega)^5/120 per step,
 * 1e-5 of a period over the longest run. */
static const double per_time = 32.0;

enum { POSITION, VELOCITY, MULTIPLIER, INTEGRAL, VIOLATION, QUANTITIES };

/* The largest differences from the rigid pendulum; INTEGRAL is the largest integral of the difference of the multiplier
 * from 0 to a time. `before` is that difference at the last sample. */
typedef struct difference {
    const sb_system *rigid;
    double c, h, of[QUANTITIES], integral, before;
} difference;

static int compare(void *arg, const sb_sample *sample) {
    difference *d = arg;
    double q[2], v[2], lambda;
    SB_TRY(d->rigid->exact(d->rigid->self, sample->t, q, v, &lambda));
    const double phi = hypot(sample->q[0], sample->q[1]) - 1.0, off = -phi / d->c - lambda;
    d->of[POSITION] = sb_larger(d->of[POSITION], hypot(sample->q[0] - q[0], sample->q[1] - q[1]));
    d->of[VELOCITY] = sb_larger(d->of[VELOCITY], hypot(sample->v[0] - v[0], sample->v[1] - v[1]));
    d->of[MULTIPLIER] = sb_larger(d->of[MULTIPLIER], fabs(off));
    d->integral += sample->step == 0 ? 0.0 : 0.5 * d->h * (d->before + off); /* trapezium rule */
    d->before = off;
    d->of[INTEGRAL] = sb_larger(d->of[INTEGRAL], fabs(d->integral));
    d->of[VIOLATION] = sb_larger(d->of[VIOLATION], fabs(phi));
    return SB_OK;
}

/* Measures the differences for the compliance c. */
static int measure(sb_bench *bench, const char *problem, double c, double of[QUANTITIES]) {
    const long steps = lround(ceil(t_end * per_time / sqrt(c)));
    const sb_run run = {.h = t_end / (double)steps, .steps = steps, .every = 1};
    sb_system rigid;
    difference d = {.rigid = &rigid, .c = c, .h = run.h};
    SB_TRY(sb_system_build(bench->ctx, &bench->arena, problem, 0, NULL, &rigid));
    SB_TRY(sb_bench_observe(bench, problem, sb_bench_format(bench, "penalty:eps=%.17g", c), "rk4", &run, compare, &d));
    memcpy(of, d.of, sizeof d.of);
    return SB_OK;
}

SB_DEFINE_EXPERIMENT(reg05_rubin) {
    sb_table table;
    SB_TRY(sb_bench_table(bench, "reg05_rubin", &table));
    for (int s = 0; s < STARTS; s++) {
        for (int k = 0; k < LEVELS; k++) {
            const double c = pow(10.0, -3.0 - 0.5 * k);
            double x[QUANTITIES];
            SB_TRY(measure(bench, problems[s], c, x));
            SB_TRY(SB_TABLE_ROW(&table, sb_text(names[s]), sb_real(c), sb_real(x[POSITION]), sb_real(x[VELOCITY]),
                                sb_real(x[MULTIPLIER]), sb_real(x[INTEGRAL]), sb_real(x[VIOLATION]),
                                sb_real(x[VIOLATION] / (c * loads[s]))));
        }
    }
    return sb_bench_save(bench, &table, "reg05_rubin.csv");
}
