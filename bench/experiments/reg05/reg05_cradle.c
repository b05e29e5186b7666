/* reg05 2.7: impacts in Newton's cradle, one after the other and solved for all at once; what jumps and what does not.
 */
#include <math.h>

#include <stepbench/numerics/norm.h>

#include "bench/runner/trajectory.h"
#include "bench/runner/verdicts.h"

enum { BALLS = 5, SAMPLES = 300, SIZES = 7, LEVELS = 6, RUNS = 3 };

static const double h = 1e-3; /* s */

/* The balls of the runs shown: by what, and how far they are apart. */
static const struct {
    const char *problem, *stepper;
} shown[RUNS] = {{"newtons_cradle:spacing=0.02", "reg"}, {"newtons_cradle", "reg"}, {"newtons_cradle", "moreau"}};

static const sb_column columns[1 + RUNS * BALLS] = {
    {"t", SB_COL_KEY, "s", "time"},
    {"apart0", SB_COL_EXACT, "m/s", "velocity of ball 0, balls 0.02 m apart, regularized stepper with h = 0.001 s"},
    {"apart1", SB_COL_EXACT, "m/s", "of ball 1"},
    {"apart2", SB_COL_EXACT, "m/s", "of ball 2"},
    {"apart3", SB_COL_EXACT, "m/s", "of ball 3"},
    {"apart4", SB_COL_EXACT, "m/s", "of ball 4"},
    {"touching0", SB_COL_EXACT, "m/s", "velocity of ball 0, balls that touch, regularized stepper"},
    {"touching1", SB_COL_EXACT, "m/s", "of ball 1"},
    {"touching2", SB_COL_EXACT, "m/s", "of ball 2"},
    {"touching3", SB_COL_EXACT, "m/s", "of ball 3"},
    {"touching4", SB_COL_EXACT, "m/s", "of ball 4"},
    {"moreau0", SB_COL_EXACT, "m/s", "velocity of ball 0, balls that touch, Moreau-Jean time stepping"},
    {"moreau1", SB_COL_EXACT, "m/s", "of ball 1"},
    {"moreau2", SB_COL_EXACT, "m/s", "of ball 2"},
    {"moreau3", SB_COL_EXACT, "m/s", "of ball 3"},
    {"moreau4", SB_COL_EXACT, "m/s", "of ball 4"},
};
static const sb_column size_columns[] = {
    {"n", SB_COL_KEY, "", "number of balls that touch"},
    {"first", SB_COL_EXACT, "m/s", "velocity of the first ball after the impact, regularized stepper"},
    {"last", SB_COL_EXACT, "m/s", "of the last one"},
    {"first_law", SB_COL_EXACT, "m/s", "-(1 - 2/n), all impacts at once"},
    {"last_law", SB_COL_EXACT, "m/s", "2/n"},
};
static const sb_column jump_columns[] = {
    {"h", SB_COL_KEY, "s", "step"},
    {"position", SB_COL_ERROR, "m", "largest change of a position in a step"},
    {"velocity", SB_COL_ERROR, "m/s", "largest change of a velocity in a step"},
};

static int velocities(sb_bench *bench) {
    sb_path path[RUNS];
    sb_table table;
    SB_TRY(sb_bench_table(bench, 1 + RUNS * BALLS, columns, &table));
    for (int r = 0; r < RUNS; r++) {
        SB_TRY(sb_bench_path(bench, shown[r].problem, shown[r].stepper, h, SAMPLES, 1, &path[r]));
    }
    for (long k = 0; k <= SAMPLES; k++) {
        sb_cell row[1 + RUNS * BALLS];
        row[0] = sb_real((double)k * h);
        for (int i = 0; i < RUNS * BALLS; i++) {
            row[1 + i] = k < path[i / BALLS].count ? sb_real(path[i / BALLS].v[k * BALLS + i % BALLS]) : sb_empty();
        }
        SB_TRY(table.sink.row(&table.sink, row));
    }
    return sb_bench_save(bench, &table, "reg05_cradle.csv");
}

/* The largest distance from the law of impacts solved for all at once. */
static int sizes(sb_bench *bench, double *off) {
    sb_table table;
    SB_TRY(sb_bench_table(bench, 5, size_columns, &table));
    *off = 0.0;
    for (int n = 2; n < 2 + SIZES; n++) {
        sb_path path;
        const char *problem = sb_bench_format(bench, "newtons_cradle:n=%d", n);
        if (problem == NULL) {
            return SB_NO_MEMORY;
        }
        SB_TRY(sb_bench_path(bench, problem, "reg", h, SAMPLES, SAMPLES, &path));
        const double *v = path.v + (path.count - 1) * n, first = -(1.0 - 2.0 / n), last = 2.0 / n;
        *off = sb_larger(*off, sb_larger(fabs(v[0] - first), fabs(v[n - 1] - last)));
        SB_TRY(SB_ROW(&table.sink, sb_int(n), sb_real(v[0]), sb_real(v[n - 1]), sb_real(first), sb_real(last)));
    }
    return sb_bench_save(bench, &table, "reg05_cradle_sizes.csv");
}

static double largest_change(const double *x, int n, long count) {
    double most = 0.0;
    for (long i = n; i < count * n; i++) {
        most = sb_larger(most, fabs(x[i] - x[i - n]));
    }
    return most;
}

static int jumps(sb_bench *bench, sb_slope *position, sb_slope *velocity) {
    double step[LEVELS], q[LEVELS], v[LEVELS];
    sb_table table;
    SB_TRY(sb_bench_table(bench, 3, jump_columns, &table));
    for (int k = 0; k < LEVELS; k++) {
        sb_path path;
        step[k] = ldexp(h, -k);
        SB_TRY(sb_bench_path(bench, shown[0].problem, shown[0].stepper, step[k], SAMPLES << k, 1, &path));
        q[k] = largest_change(path.q, path.n, path.count);
        v[k] = largest_change(path.v, path.n, path.count);
        SB_TRY(SB_ROW(&table.sink, sb_real(step[k]), sb_real(q[k]), sb_real(v[k])));
    }
    *position = sb_bench_slope(LEVELS, step, q);
    *velocity = sb_bench_slope(LEVELS, step, v);
    return sb_bench_save(bench, &table, "reg05_cradle_jumps.csv");
}

static int run(sb_bench *bench) {
    /* Velocities of 1 m/s are constant but for the jumps: nothing bends these powers but round-off. */
    const double bend = 1e-6, exact = 1e-9;
    double off;
    sb_slope position, velocity;
    SB_TRY(velocities(bench));
    SB_TRY(sizes(bench, &off));
    SB_TRY(jumps(bench, &position, &velocity));
    SB_TRY(sb_bench_plot(bench, "reg05_cradle"));
    const bool holds = sb_bench_slope_is(position, 1.0, bend) && sb_bench_slope_is(velocity, 0.0, bend) && off <= exact;
    return sb_bench_find(bench,
                         &(sb_finding){"reg05-impact", sb_verdict_of(false, holds),
                                       sb_bench_format(bench,
                                                       "Newton's cradle: the largest change of a position in a step "
                                                       "goes as h^%.3f, that of a velocity as h^%.3f: "
                                                       "positions are continuous but "
                                                       "no smoother. Balls that touch: the complementarity problem "
                                                       "sends the first one back with -(1 - 2/n) of its speed "
                                                       "and all others off with 2/n, to 1e-%d, n = 2 to 8",
                                                       position.value, velocity.value + 0.0,
                                                       sb_decimals(off) < 9 ? sb_decimals(off) : 9),
                                       "1e-6 on the powers 1 and 0; 1e-9 m/s",
                                       "continuous, not smooth: positions have a kink at each impact. One ball leaves "
                                       "only where the impacts are told apart, "
                                       "by balls that stand apart; "
                                       "momentum and energy are right both ways, and Newton's law does not say which"});
}

SB_DEFINE_EXPERIMENT(reg05_cradle) = {
    .entry =
        {"reg05_cradle",
         "Newton's cradle: velocities of balls that stand apart and of balls that touch, and what changes at once.",
         "reg05 2.7", NULL, 0},
    .claims = (const char *const[]){"reg05-impact", NULL},
    .files = (const char *const[]){"reg05_cradle.csv", "reg05_cradle_sizes.csv", "reg05_cradle_jumps.csv",
                                   "reg05_cradle.svg", "reg05_cradle.png", NULL},
    .run = run,
};
