/* Counts right and wrong verdicts of `drift` on the energy, for classes of problems with a known answer on which no
 * threshold was chosen. */
#include <math.h>

#include "analysis/conservation/drift.h"
#include "analysis/row.h"
#include "bench/experiments/general/confusion.h"

enum { MEMBERS = 5, FIRST = 1000, STEPS = 2, LENGTHS = 2, BATCHES = 32 };
static const double per_scale[STEPS] = {12.0, 24.0};   /* steps per time scale of the problem */
static const double scales[LENGTHS] = {1000.0, 100.0}; /* length of a run in time scales */

static const sb_column columns[] = {
    {"verdict", SB_COL_KEY, "", "the verdict: of drift, on the energy"},
    {"class", SB_COL_KEY, "", "class of problems"},
    {"members", SB_COL_INFO, "", "parameters that vary in the class"},
    {"stepper", SB_COL_KEY, "", "the stepper"},
    {"truth", SB_COL_INFO, "", "the right answer: yes, the energy drifts, or no"},
    {"reason", SB_COL_INFO, "", "reason for the right answer"},
    {"runs", SB_COL_INFO, "", "number of runs: members, two steps, lengths of 1000 and 100 time scales"},
    {"yes", SB_COL_INFO, "", "verdict drift"},
    {"no", SB_COL_INFO, "", "verdict none: no drift beyond round-off and the standard error of the slope"},
    {"unclear", SB_COL_INFO, "", "verdict unclear"},
    {"lost", SB_COL_INFO, "", "verdict lost: the run does not resolve the motion"},
    {"failed", SB_COL_INFO, "", "runs that ended early"},
    {"false_alarms", SB_COL_INFO, "", "verdict drift where there is none"},
    {"missed", SB_COL_INFO, "", "verdict none where there is a drift"},
};

typedef struct counts {
    long of[SB_DRIFT_VERDICTS], failed; /* by sb_drift_verdict */
} counts;

/* Adds the runs of one member. */
static int run_member(sb_context *ctx, sb_arena *arena, const sb_problem_class *type, const char *stepper, int k,
                      counts *out) {
    sb_system sys;
    sb_pair pair;
    SB_TRY(sb_problem_class_pair(ctx, arena, type, k, stepper, &sys, &pair));
    for (int i = 0; i < STEPS * LENGTHS; i++) {
        const double n = per_scale[i % STEPS];
        sb_drift *energy; /* the first one */
        int count, failed = SB_OK;
        SB_TRY(sb_row_go_on(sb_drift_measure(ctx, arena, &pair, sys.time_scale / n, lround(scales[i / STEPS] * n),
                                             BATCHES, &energy, &count),
                            &failed));
        out->failed += failed != SB_OK;
        if (failed == SB_OK) {
            out->of[energy->verdict]++;
        }
    }
    return SB_OK;
}

static int study(sb_context *ctx, const sb_problem_class *type, const sb_known_drift *known, sb_sink *out) {
    counts n = {0};
    const int members = sb_problem_class_members(type->members, MEMBERS);
    for (int k = FIRST; k < FIRST + members; k++) {
        SB_SCRATCH(arena, ctx);
        SB_TRY(run_member(ctx, &arena, type, known->stepper, k, &n));
    }
    return SB_ROW(out, sb_text("drift"), sb_text(type->name), sb_text(type->members), sb_text(known->stepper),
                  sb_text(known->drifts ? "yes" : "no"), sb_text(known->reason),
                  sb_int((long)members * STEPS * LENGTHS), sb_int(n.of[SB_DRIFT_YES]), sb_int(n.of[SB_DRIFT_NONE]),
                  sb_int(n.of[SB_DRIFT_UNCLEAR]), sb_int(n.of[SB_DRIFT_LOST]), sb_int(n.failed),
                  sb_int(known->drifts ? 0 : n.of[SB_DRIFT_YES]), sb_int(known->drifts ? n.of[SB_DRIFT_NONE] : 0));
}

static int study_all(sb_bench *bench, sb_sink *out) {
    for (int i = 0; i < sb_evaluation_class_count; i++) {
        const sb_problem_class *type = &sb_evaluation_classes[i];
        for (const sb_known_drift *known = type->known; known->stepper != NULL; known++) {
            SB_TRY(study(bench->ctx, type, known, out));
        }
    }
    return SB_OK;
}

static int run(sb_bench *bench) {
    return sb_bench_with(bench, sb_faulty_register, sizeof columns / sizeof *columns, columns, study_all,
                         "confusion_drift.csv");
}

SB_DEFINE_EXPERIMENT(confusion_drift) = {
    .entry = {"confusion_drift", "How often the verdict of drift is right, on problems with a known answer.",
              "hlw06 IX.8", NULL, 0},
    .files = SB_LIST("confusion_drift.csv"),
    .seconds = 15,
    .run = run,
};
