/* notes11 5: the range of drag in which explicit Euler is stable on the oscillator. */
#include "analysis/stability/bisect.h"
#include "analysis/stability/recurrence.h"
#include "bench/runner/experiment_tools.h"

enum { TAUS = 19, SCAN = 400 };
static const double tolerance = 1e-15; /* of a bisection to the last bits */

/* The search for an end of the range of drag, in gamma or its inverse. */
typedef struct drags {
    sb_bench *bench;
    double tau; /* h omega, omega = 1 */
    bool inverse;
} drags;

/* Sets the verdict on explicit Euler with the drag x, or 1/x. */
static int judge(void *arg, double x, sb_bounded *verdict) {
    const drags *d = arg;
    sb_context *ctx = d->bench->ctx;
    sb_recurrence_probe probe;
    sb_recurrence found;
    sb_system sys;
    sb_pair pair;
    SB_SCRATCH(arena, ctx);
    const char *problem = sb_bench_format(d->bench, "oscillator:m=1,omega=1,gamma=%.17g", d->inverse ? 1.0 / x : x);
    SB_TRY(sb_system_build(ctx, &arena, problem, 0, NULL, &sys));
    SB_TRY(sb_pair_build(ctx, &arena, &sys, "euler_explicit", &pair));
    SB_TRY(sb_recurrence_open(ctx, &arena, &pair, &probe));
    SB_TRY(sb_recurrence_measure(&probe, d->tau, &found));
    *verdict = found.stable ? SB_BOUNDED : SB_GROWS;
    return SB_OK;
}

/* Returns value i of the scan over gamma. */
static double scanned(int i) { return 1e-3 * pow(1e6, (double)i / (SCAN - 1)); }

/* Finds the range of stable gamma by a scan over all gamma, and counts its connected parts. */
static int range_at(sb_bench *bench, double tau, double *lowest, double *highest, int *parts) {
    drags d = {bench, tau, false};
    int first = 0, last = 0;
    bool before = false;
    *parts = 0;
    for (int i = 0; i < SCAN; i++) {
        sb_bounded verdict;
        SB_TRY(judge(&d, scanned(i), &verdict));
        const bool stable = verdict == SB_BOUNDED;
        if (stable && !before && ++*parts == 1) {
            first = i;
        }
        last = stable ? i : last;
        before = stable;
    }
    double beyond = scanned(last + 1), lo = 1.0 / scanned(first), hi = 1.0 / scanned(first - 1);
    *highest = scanned(last);
    SB_TRY(sb_bisect(judge, &d, SB_BOUNDED, tolerance, highest, &beyond));
    d.inverse = true;
    SB_TRY(sb_bisect(judge, &d, SB_BOUNDED, tolerance, &lo, &hi));
    *lowest = 1.0 / lo;
    return SB_OK;
}

SB_DEFINE_EXPERIMENT(notes11_damping) {
    bool one = true;
    sb_table table;
    SB_TRY(sb_bench_table(bench, "notes11_damping", &table));
    for (int i = 0; i < TAUS; i++) {
        const double tau = 0.1 * (i + 1), low = tau, high = 2.0 / tau + tau / 2.0;
        double lowest, highest;
        int parts;
        SB_TRY(range_at(bench, tau, &lowest, &highest, &parts));
        one = one && parts == 1;
        SB_TRY(SB_NUMBERS(&table, tau, lowest, highest, low, high, highest / lowest));
    }
    SB_TRY(sb_bench_save(bench, &table, "notes11_damping.csv"));
    return sb_bench_measure(bench, "notes11-damping/interval", one, 0.0);
}
