/* How often the verdicts of `amplification` and `blowup` on a step are right: steppers whose stability is known in
 * closed form, at equilibria with known exponents; and resolved steps on chaotic motions, where the exact flow grows.
 */
#include <math.h>

#include "analysis/row.h"
#include "analysis/stability/amplification.h"
#include "analysis/stability/blowup.h"
#include "bench/experiments/general/classes.h"
#include "bench/experiments/general/stable_classes.h"
#include "bench/experiments/general/with_faulty.h"
#include "bench/runner/verdicts.h"
#include "core/run/build.h"

enum { FIRST = 2000, MEMBERS = 4, STEPS = 8 };

static const sb_column columns[] = {
    {"verdict", SB_COL_KEY, "", "the verdict: of amplification, or of blowup"},
    {"class", SB_COL_KEY, "", "class of problems"},
    {"members", SB_COL_INFO, "", "what varies in the class"},
    {"stepper", SB_COL_KEY, "", "the stepper"},
    {"reason", SB_COL_INFO, "", "what the right answer follows from"},
    {"stable", SB_COL_INFO, "", "number of runs with a stable step"},
    {"unstable", SB_COL_INFO, "", "number of runs with an unstable step"},
    {"unclear", SB_COL_INFO, "", "verdict unclear"},
    {"failed", SB_COL_INFO, "", "steps whose equations were not solved"},
    {"false_alarms", SB_COL_INFO, "", "verdict no, or linear growth, of a stable step"},
    {"missed", SB_COL_INFO, "", "verdict yes of an unstable step"},
};

typedef struct counts {
    long truth[2], unclear, failed, false_alarms, missed; /* truth: unstable, stable */
} counts;

static int write_row(sb_sink *out, const char *verdict, const char *name, const char *members, const char *stepper,
                     const char *reason, const counts *n) {
    return n->truth[0] + n->truth[1] == 0
               ? SB_OK
               : SB_ROW(out, sb_text(verdict), sb_text(name), sb_text(members), sb_text(stepper), sb_text(reason),
                        sb_int(n->truth[1]), sb_int(n->truth[0]), sb_int(n->unclear), sb_int(n->failed),
                        sb_int(n->false_alarms), sb_int(n->missed));
}

/* Returns step number i of member k: h |lambda| from 1/20 to 10, evenly in its logarithm. */
static double pick_step(const sb_exponent *exponents, int count, int k, int i) {
    double largest = 0.0;
    for (int j = 0; j < count; j++) {
        largest = fmax(largest, hypot(exponents[j].re, exponents[j].im));
    }
    return 0.05 * pow(200.0, ((double)i + fmod(0.7548776662466927 * k, 1.0)) / STEPS) / largest;
}

static int add_amplification(sb_context *ctx, sb_arena *arena, const sb_pair *pair, double h, bool stable, counts *n) {
    sb_amplification a;
    const int status = sb_amplification_measure(ctx, arena, pair, h, &a);
    if (status != SB_OK && !sb_failure_is_result(status)) {
        return status;
    }
    n->truth[stable]++;
    if (status != SB_OK) {
        n->failed++;
    } else {
        n->unclear += a.bounded == SB_UNCLEAR;
        n->false_alarms += stable && (a.bounded == SB_GROWS || a.bounded == SB_GROWS_LINEARLY);
        n->missed += !stable && a.bounded == SB_BOUNDED;
    }
    return SB_OK;
}

static int run_member(sb_context *ctx, sb_arena *arena, const sb_stable_class *type, const sb_stable_stepper *stepper,
                      int k, counts *n) {
    sb_exponent exponents[SB_EXPONENTS_MAX];
    sb_system sys;
    sb_pair pair;
    int count;
    SB_TRY(sb_stable_class_member(ctx, arena, type, k, &sys, exponents, &count));
    SB_TRY(sb_pair_build(ctx, arena, &sys, stepper->stepper, &pair));
    for (int i = 0; i < STEPS && sb_stepper_check(ctx, pair.type, &sys) == SB_OK; i++) {
        const double h = pick_step(exponents, count, k, i);
        bool stable;
        if (sb_stable_truth(stepper, type, exponents, count, h, &stable)) {
            SB_TRY(add_amplification(ctx, arena, &pair, h, stable, n));
        }
    }
    return SB_OK;
}

static int study(sb_context *ctx, const sb_stable_class *type, const sb_stable_stepper *stepper, sb_sink *out) {
    const int members = sb_problem_class_members(type->members, MEMBERS);
    counts n = {0};
    for (int k = FIRST; k < FIRST + members; k++) {
        SB_SCRATCH(arena, ctx);
        SB_TRY(run_member(ctx, &arena, type, stepper, k, &n));
    }
    return write_row(out, "amplification", type->name, type->members, stepper->stepper, stepper->reason, &n);
}

/* ---- Runs. ---- */

/* Steps of a motion, in units of `unit`: below and above the limit, or resolved steps of a chaotic motion. The latter
 * count as stable: the growth is that of the exact flow. */
typedef struct motion {
    const char *name, *problem, *stepper, *reason;
    double unit;  /* s; 0: the time scale of the problem */
    double limit; /* steps below it are stable */
    double h[4];  /* 0 ends them */
} motion;

#define OSCILLATOR "oscillator in motion", "oscillator:omega=3,v0=1"
#define PENDULUM "hanging pendulum in motion", "pendulum:theta0=0,l=0.6,g=5"
#define THREAD "thread in motion", "thread:n=2,l=0.6,g=5"
#define HENON_HEILES "chaotic Henon and Heiles", "henon_heiles:x0=0,y0=-0.15,vx0=0.54,vy0=0.05"
#define DOUBLE_PENDULUM "chaotic double pendulum", "double_pendulum"
#define AT_LIMIT                                                                                                       \
    1.0, { 0.5, 0.95, 1.05, 1.5 }
#define RESOLVED "resolved steps", 0.0, INFINITY

static const motion motions[] = {
    {OSCILLATOR, "verlet", "limit 2/omega", 2.0 / 3.0, AT_LIMIT},
    {OSCILLATOR, "rk4", "limit 2 sqrt 2/omega", 2.0 * M_SQRT2 / 3.0, AT_LIMIT},
    {OSCILLATOR, "midpoint", "unconditionally stable", 2.0 / 3.0, INFINITY, {0.5, 1.5, 5.0, 20.0}},
    {OSCILLATOR, "newmark:beta=0.1", "limit 1/sqrt(1/4 - beta)", 2.581988897471611 / 3.0, AT_LIMIT},
    {PENDULUM, "shake", "limit 2/omega", 0.692820323027551, AT_LIMIT},
    {PENDULUM, "rattle", "limit 2/omega", 0.692820323027551, AT_LIMIT},
    {THREAD, "rattle", "limit 2/omega", 0.374957562082087, AT_LIMIT},
    {HENON_HEILES, "verlet", RESOLVED, {0.03, 0.06, 0.12, 0.25}},
    {HENON_HEILES, "midpoint", RESOLVED, {0.03, 0.06, 0.12, 0.25}},
    {HENON_HEILES, "rk4", RESOLVED, {0.03, 0.06, 0.12, 0.25}},
    {DOUBLE_PENDULUM, "midpoint", RESOLVED, {0.02, 0.05, 0.1}},
    {DOUBLE_PENDULUM, "gauss", RESOLVED, {0.02, 0.05, 0.1}},
    {DOUBLE_PENDULUM, "rk4", RESOLVED, {0.02, 0.05, 0.1}},
};

/* Adds the verdict of a run with the step h. */
static int add_blowup(sb_context *ctx, sb_arena *arena, const sb_pair *pair, double h, bool stable, counts *n) {
    const double scale = pair->sys->time_scale;
    const sb_blowup_config config = {.kick = 1e-9, .growth = 1e8, .steps = 2000, .predictable = true};
    sb_flow flow;
    sb_growth found;
    sb_flow_init(arena, pair, config.kick, config.growth, scale / 16.0, &flow);
    SB_TRY(sb_blowup_growth(ctx, arena, &config, pair, h, &flow, &found));
    n->truth[stable]++;
    n->false_alarms += stable && !found.stable;
    n->missed += !stable && found.stable;
    return SB_OK;
}

static int study_motion(sb_context *ctx, const motion *m, sb_sink *out) {
    counts n = {0};
    for (int k = 0; k < 4 && m->h[k] > 0.0; k++) {
        sb_system sys;
        sb_pair pair;
        SB_SCRATCH(arena, ctx);
        SB_TRY(sb_system_build(ctx, &arena, m->problem, 0, NULL, &sys));
        SB_TRY(sb_pair_build(ctx, &arena, &sys, m->stepper, &pair));
        SB_TRY(add_blowup(ctx, &arena, &pair, m->h[k] * (m->unit > 0.0 ? m->unit : sys.time_scale), m->h[k] < m->limit,
                          &n));
    }
    return write_row(out, "blowup", m->name, "one", m->stepper, m->reason, &n);
}

static int study_all(sb_bench *bench, sb_sink *out) {
    for (int c = 0; c < sb_stable_class_count; c++) {
        for (int i = 0; i < sb_stable_stepper_count; i++) {
            SB_TRY(study(bench->ctx, &sb_stable_classes[c], &sb_stable_steppers[i], out));
        }
    }
    for (size_t i = 0; i < sizeof motions / sizeof *motions; i++) {
        SB_TRY(study_motion(bench->ctx, &motions[i], out));
    }
    return SB_OK;
}

static int run(sb_bench *bench) {
    return sb_bench_with_faulty(bench, sizeof columns / sizeof *columns, columns, study_all, "confusion_stable.csv");
}

SB_DEFINE_EXPERIMENT(confusion_stable) = {
    .entry = {"confusion_stable", "How often the verdicts on the stability of a step are right.", "notes11 3", NULL, 0},
    .files = SB_LIST("confusion_stable.csv"),
    .run = run,
};
