/* Counts right and wrong verdicts of `drift` on kinds of problems and steppers on which no threshold was chosen or
 * changed. The right answer is that of theory, checked by a run of sixteen times the length. */
#include <math.h>

#include "analysis/conservation/drift.h"
#include "analysis/conservation/quantities.h"
#include "analysis/row.h"
#include "bench/experiments/general/confusion.h"
#include "bench/experiments/general/foreign.h"

enum { MEMBERS = 6, STEPS = 2, BATCHES = 32, LONGER = 16, RUNS = MEMBERS * STEPS };
static const double per_scale[STEPS] = {2.0, 8.0}; /* steps per time scale of the problem */
static const double scales = 300.0;                /* length of a run in time scales */

static const sb_column columns[] = {
    {"class", SB_COL_KEY, "", "class of problems"},
    {"stepper", SB_COL_KEY, "", "the stepper"},
    {"theory", SB_COL_INFO, "", "whether the energy drifts: yes, no, or open"},
    {"reason", SB_COL_INFO, "", "reason of this answer"},
    {"runs", SB_COL_INFO, "", "number of runs: six members, two steps"},
    {"drifting", SB_COL_INFO, "", "runs that drift by theory, or in a run of sixteen times the length"},
    {"longer", SB_COL_INFO, "", "runs that drift in the longer run"},
    {"steady", SB_COL_INFO, "", "runs that do not drift by theory, nor in the longer run"},
    {"yes", SB_COL_INFO, "", "verdict drift"},
    {"no", SB_COL_INFO, "", "verdict none"},
    {"unclear", SB_COL_INFO, "", "verdict unclear"},
    {"lost", SB_COL_INFO, "", "verdict lost: the run does not resolve the motion"},
    {"failed", SB_COL_INFO, "", "runs that ended early"},
    {"false_alarms", SB_COL_INFO, "", "verdict drift of a steady run"},
    {"missed", SB_COL_INFO, "", "verdict none of a drifting run"},
};

typedef enum answer { NO, YES, OPEN } answer;
static const char *const answers[] = {"no", "yes", "open"};

#define SYMPLECTIC                                                                                                     \
    "symplectic: the modified energy is conserved over exponentially long times at small steps, hlw06 IX.8"
#define FIFTH "order 4, not symplectic: the energy changes by O(h^5) per unit of time, hlw06 IX"
#define BORIS "neither symplectic nor, in this field, of a conserved modified energy, hairer18"

static const struct {
    sb_foreign kind;
    const char *stepper;
    answer theory;
    const char *reason;
} known[] = {
    {SB_FOREIGN_CLUSTER, "verlet", NO, SYMPLECTIC},
    {SB_FOREIGN_CLUSTER, "euler_symplectic", NO, SYMPLECTIC},
    {SB_FOREIGN_CLUSTER, "rk4", YES, FIFTH},
    {SB_FOREIGN_CHARGE, "foreign_boris", OPEN, BORIS},
    {SB_FOREIGN_CHARGE, "rk4", YES, FIFTH},
    {SB_FOREIGN_ENCOUNTER, "verlet", NO, SYMPLECTIC},
    {SB_FOREIGN_ENCOUNTER, "kahan_li8(verlet)", NO, SYMPLECTIC},
    {SB_FOREIGN_ENCOUNTER, "rk4", YES, FIFTH},
    {SB_FOREIGN_ROLLING, "nonholonomic_variational", OPEN,
     "good energies come from the integrability of examples, modin20"},
    {SB_FOREIGN_ROLLING, "moreau", OPEN, "good energies come from the integrability of examples, modin20"},
    {SB_FOREIGN_UNIFORM, "foreign_boris", NO, "its field is uniform and its well harmonic, hairer18"},
    {SB_FOREIGN_UNIFORM, "rk4", YES, FIFTH},
    {SB_FOREIGN_NETWORK, "verlet", NO, SYMPLECTIC},
    {SB_FOREIGN_NETWORK, "midpoint", NO, "conserves quadratic invariants, cooper87"},
    {SB_FOREIGN_NETWORK, "foreign_drag", YES, "takes 2e-8 of the kinetic energy per time scale"},
    {SB_FOREIGN_NETWORK, "rk4", YES, FIFTH},
};

typedef struct counts {
    long of[SB_DRIFT_VERDICTS], failed, false_alarms, missed;
    int truth[3], drifts; /* runs that drift in the longer run */
} counts;

/* Runs sixteen times as long. The energy drifts if its mean over the last sixteenth differs from that over the first by
 * half of its range there, and is steady if it differs by less than an eighth; otherwise the answer is open. */
static int run_longer(sb_context *ctx, sb_arena *arena, const sb_system *sys, const char *stepper, double h, long steps,
                      answer *out) {
    sb_method method;
    sb_orbit orbit;
    sb_dynamics dyn;
    double lo = INFINITY, hi = -INFINITY, mean[2] = {0.0, 0.0}, size;
    SB_TRY(sb_bench_orbit(ctx, arena, sys, stepper, h, &method, &orbit));
    SB_TRY(sb_dynamics_init(ctx, arena, sys, &dyn));
    for (long k = 0; k < LONGER * steps; k++) {
        double energy;
        SB_TRY(sb_orbit_advance(&orbit, h, 1));
        if (k >= steps && k < (LONGER - 1) * steps) {
            continue;
        }
        SB_TRY(sb_quantities_energy(&dyn, orbit.now.t, orbit.now.q, orbit.now.v, &energy, &size));
        mean[k >= steps] += energy / (double)steps;
        lo = k < steps ? fmin(lo, energy) : lo;
        hi = k < steps ? fmax(hi, energy) : hi;
    }
    const double change = fabs(mean[1] - mean[0]), range = fmax(hi - lo, 1e-12 * size);
    *out = !(change < 0.5 * range) ? YES : change < 0.125 * range ? NO : OPEN;
    return SB_OK;
}

static int run_one(sb_context *ctx, int i, int k, counts *n) {
    const double steps = per_scale[k % STEPS];
    sb_system sys;
    sb_pair pair;
    sb_drift *energy; /* the first one */
    int count, failed = SB_OK;
    answer longer = OPEN;
    SB_SCRATCH(arena, ctx);
    SB_TRY(sb_foreign_make(ctx, &arena, known[i].kind, k / STEPS, &sys));
    SB_TRY(sb_pair_build(ctx, &arena, &sys, known[i].stepper, &pair));
    const double h = sys.time_scale / steps;
    const long length = lround(scales * steps);
    SB_TRY(sb_row_go_on(sb_drift_measure(ctx, &arena, &pair, h, length, BATCHES, &energy, &count), &failed));
    if (failed != SB_OK) {
        n->failed++;
        return SB_OK;
    }
    SB_TRY(sb_row_go_on(run_longer(ctx, &arena, &sys, known[i].stepper, h, length, &longer), &failed));
    const answer truth = known[i].theory == YES || failed != SB_OK || longer == YES ? YES : longer;
    n->of[energy->verdict]++;
    n->drifts += longer == YES;
    n->truth[truth]++;
    n->false_alarms += truth == NO && energy->verdict == SB_DRIFT_YES;
    n->missed += truth == YES && energy->verdict == SB_DRIFT_NONE;
    return SB_OK;
}

static int study(sb_bench *bench, sb_sink *out) {
    for (int i = 0; i < SB_COUNT(known); i++) {
        counts n = {0};
        for (int k = 0; k < RUNS; k++) {
            SB_TRY(run_one(bench->ctx, i, k, &n));
        }
        SB_TRY(SB_ROW(out, sb_text(sb_foreign_name[known[i].kind]), sb_text(known[i].stepper),
                      sb_text(answers[known[i].theory]), sb_text(known[i].reason), sb_int(RUNS), sb_int(n.truth[YES]),
                      sb_int(n.drifts), sb_int(n.truth[NO]), sb_int(n.of[SB_DRIFT_YES]), sb_int(n.of[SB_DRIFT_NONE]),
                      sb_int(n.of[SB_DRIFT_UNCLEAR]), sb_int(n.of[SB_DRIFT_LOST]), sb_int(n.failed),
                      sb_int(n.false_alarms), sb_int(n.missed)));
    }
    return SB_OK;
}

static int run(sb_bench *bench) {
    return sb_bench_with(bench, sb_foreign_register, SB_COUNT(columns), columns, study, "confusion_foreign.csv");
}

SB_DEFINE_EXPERIMENT(confusion_foreign) = {
    .entry = {"confusion_foreign", "How often the verdict of drift is right, on kinds of problems that it has not met.",
              "hlw06 IX.8; modin20; hairer18", NULL, 0},
    .files = SB_LIST("confusion_foreign.csv"),
    .seconds = 10,
    .run = run,
};
