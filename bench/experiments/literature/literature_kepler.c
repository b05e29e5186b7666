/* Long runs of Kepler's problem, hlw06 Table I.2.1: powers of t and h in the errors of the energy, of the angular
 * momentum and of the position. */
#include "bench/runner/verdicts.h"

static const sb_column columns[] = {
    {"stepper", SB_COL_KEY, "", "the stepper"},
    {"h", SB_COL_KEY, "", "step, where a period lasts 2 pi"},
    {"periods", SB_COL_KEY, "", "length of the run"},
    {"energy", SB_COL_ERROR, "", "largest error of the energy up to then"},
    {"momentum", SB_COL_ERROR, "", "largest error of the angular momentum up to then"},
    {"position", SB_COL_ERROR, "", "error of the position then, after whole periods"},
};

enum { TIMES = 4, LEVELS = 3 };
static const int periods[TIMES] = {2, 4, 8, 16};
static const char *const problem = "kepler:e=0.3";

/* A stepper, the steps per period of its longest step, and the powers of t and h that the table states. */
typedef struct subject {
    const char *claim, *stepper;
    int steps;
    double energy_t, energy_h, position_t, position_h;
    bool keeps_momentum;
} subject;

/* Explicit Euler leaves the orbit; its steps are so short that it does so after 16 periods only by a few per cent. */
static const subject subjects[] = {
    {"literature-kepler-explicit", "euler_explicit", 100000, 1, 1, 2, 1, false},
    {"literature-kepler-symplectic", "euler_symplectic", 2000, 0, 1, 1, 1, true},
    {"literature-kepler-midpoint", "midpoint", 500, 0, 2, 1, 2, true},
    {"literature-kepler-verlet", "verlet", 500, 0, 2, 1, 2, true},
};
enum { SUBJECTS = SB_COUNT(subjects) };

typedef struct errors {
    double energy, momentum, position;
} errors;

typedef struct watch {
    long steps; /* of a period */
    double q[2], energy, momentum, largest;
    errors now, at[TIMES];
} watch;

static int observe(void *arg, const sb_sample *s) {
    watch *w = arg;
    const double *q = s->q, *v = s->v;
    const double kinetic = 0.5 * (v[0] * v[0] + v[1] * v[1]), potential = 1.0 / hypot(q[0], q[1]);
    const double energy = kinetic - potential, momentum = q[0] * v[1] - q[1] * v[0];
    if (s->step == 0) {
        *w = (watch){.steps = w->steps, .q = {q[0], q[1]}, .energy = energy, .momentum = momentum};
    }
    w->largest = sb_larger(w->largest, fabs(q[0] * v[1]) + fabs(q[1] * v[0]));
    w->now.energy = sb_larger(w->now.energy, fabs(energy - w->energy));
    w->now.momentum = sb_larger(w->now.momentum, fabs(momentum - w->momentum));
    w->now.position = hypot(q[0] - w->q[0], q[1] - w->q[1]);
    for (int i = 0; i < TIMES; i++) {
        if (s->step == periods[i] * w->steps) {
            w->at[i] = w->now;
        }
    }
    return SB_OK;
}

/* Runs a stepper from a point that is not an apsis, where the step of a symplectic method would be close to that of its
 * adjoint, and writes the errors after each of the times. */
static int measure(sb_bench *bench, const char *stepper, long steps, watch *w, sb_table *table) {
    const double h = 2.0 * acos(-1.0) / (double)steps;
    const long total = periods[TIMES - 1] * steps;
    double q[2], v[2];
    sb_system sys;
    SB_SCRATCH(arena, bench->ctx);
    SB_TRY(sb_system_build(bench->ctx, &arena, problem, 0, NULL, &sys));
    SB_TRY(sys.exact(sys.self, 1.0, q, v, NULL));
    *w = (watch){.steps = steps};
    SB_TRY(sb_bench_observe(bench, problem, "", stepper,
                            &(sb_run){.h = h, .steps = total, .every = 1, .q0 = q, .v0 = v, .t0 = 1.0}, observe, w));
    for (int i = 0; i < TIMES; i++) {
        /* Each step rounds every product of the angular momentum a few times. */
        const double rounding = 1e-15 * w->largest * sqrt((double)(periods[i] * steps));
        SB_TRY(SB_ROW(&table->sink, sb_text(stepper), sb_real(h), sb_int(periods[i]), sb_real(w->at[i].energy),
                      sb_residual(w->at[i].momentum, rounding), sb_real(w->at[i].position)));
    }
    return SB_OK;
}

static int power(sb_bench *bench, const subject *s, const char *name, sb_slope slope, double expected) {
    return SB_RECORD(bench, s->claim, SB_PRINTED, name, .measured = slope.value, .expected = expected,
                     .tolerance = 0.25, .uncertainty = slope.se, .from = "a quarter of the distance to the next power");
}

static int examine(sb_bench *bench, const subject *s, sb_table *table) {
    double h[LEVELS], t[TIMES], energy_h[LEVELS], position_h[LEVELS], energy_t[TIMES], position_t[TIMES],
        momentum_t[TIMES];
    watch w;
    for (int k = 0; k < LEVELS; k++) {
        SB_TRY(measure(bench, s->stepper, (long)s->steps << k, &w, table));
        h[k] = 1.0 / (double)(s->steps << k);
        energy_h[k] = w.at[TIMES - 1].energy;
        position_h[k] = w.at[TIMES - 1].position;
    }
    for (int i = 0; i < TIMES; i++) {
        t[i] = periods[i];
        energy_t[i] = w.at[i].energy;
        position_t[i] = w.at[i].position;
        momentum_t[i] = w.at[i].momentum;
    }
    SB_TRY(power(bench, s, "power of t in the error of the energy", sb_bench_slope(TIMES, t, energy_t), s->energy_t));
    SB_TRY(power(bench, s, "power of h in the error of the energy", sb_bench_slope(LEVELS, h, energy_h), s->energy_h));
    SB_TRY(power(bench, s, "power of t in the error of the position", sb_bench_slope(TIMES, t, position_t),
                 s->position_t));
    SB_TRY(power(bench, s, "power of h in the error of the position", sb_bench_slope(LEVELS, h, position_h),
                 s->position_h));
    if (!s->keeps_momentum) {
        return power(bench, s, "power of t in the error of the angular momentum", sb_bench_slope(TIMES, t, momentum_t),
                     1.0);
    }
    return SB_RECORD(bench, s->claim, SB_PRINTED, "largest error of the angular momentum", SB_AT_MOST,
                     .measured = w.at[TIMES - 1].momentum, .expected = 1e-11, .round_off = 1e-13, .published = "0",
                     .from = "round-off of each step, and of the last correction of an implicit one");
}

static int run(sb_bench *bench) {
    sb_table table;
    SB_TRY(SB_TABLE(bench, columns, &table));
    for (int i = 0; i < SUBJECTS; i++) {
        SB_TRY(examine(bench, &subjects[i], &table));
    }
    SB_TRY(sb_bench_save_curves(bench, &table, "literature_kepler.csv"));
    return sb_bench_plot(bench, "literature_kepler");
}

SB_DEFINE_EXPERIMENT(literature_kepler) = {
    .entry = {"literature_kepler", "Kepler's problem over many periods: how errors grow with t and h.",
              "hlw06 Table I.2.1", NULL, 0},
    .claims = SB_LIST("literature-kepler-explicit", "literature-kepler-symplectic", "literature-kepler-midpoint",
                      "literature-kepler-verlet"),
    .files = SB_LIST("literature_kepler.csv", SB_FIGURE("literature_kepler")),
    .run = run,
};
