/* Counts right and wrong verdicts of `drift` on the energy, for classes of problems with a known answer on which no
 * threshold was chosen. */
#include "analysis/row.h"
#include "bench/experiments/general/confusion.h"

enum { MEMBERS = 5, FIRST = 1000, STEPS = 2, SHORT = 1, LENGTHS = 2, BATCHES = 32 };
static const double per_scale[STEPS] = {12.0, 24.0};   /* steps per time scale of the problem */
static const double scales[LENGTHS] = {1000.0, 100.0}; /* length of a run in time scales */

typedef struct job {
    const sb_problem_class *type;
    const sb_known_drift *known;
} job;

/* Adds the runs of a member: two steps, lengths of 1000 and 100 time scales. The right answer is that of theory,
 * checked over the shorter length. */
static int add_member(sb_context *ctx, sb_arena *arena, const void *data, int k, sb_confusion *n) {
    const job *of = data;
    sb_system sys;
    sb_pair pair;
    SB_TRY(sb_problem_class_pair(ctx, arena, of->type, k, of->known->stepper, &sys, &pair));
    for (int i = 0; i < STEPS; i++) {
        const double h = sys.time_scale / per_scale[i];
        sb_answer truth = of->known->drifts ? SB_ANSWER_YES : SB_ANSWER_NO;
        bool confirmed;
        SB_TRY(sb_confusion_check(ctx, arena, &sys, of->known->stepper, h, lround(scales[SHORT] * per_scale[i]), &truth,
                                  &confirmed));
        for (int j = 0; j < LENGTHS; j++) {
            sb_drift *energy; /* the first one */
            int count, failed = SB_OK;
            SB_TRY(sb_row_go_on(
                sb_drift_measure(ctx, arena, &pair, h, lround(scales[j] * per_scale[i]), BATCHES, &energy, &count),
                &failed));
            n->confirmed += confirmed;
            n->of[truth][failed != SB_OK ? SB_FOUND_FAILED : sb_found_drift[energy->verdict]]++;
        }
    }
    return SB_OK;
}

static int study_all(sb_bench *bench, sb_sink *out) {
    for (int i = 0; i < sb_evaluation_class_count; i++) {
        const sb_problem_class *type = &sb_evaluation_classes[i];
        for (const sb_known_drift *known = type->known; known->stepper != NULL; known++) {
            const job of = {type, known};
            sb_confusion n = {.verdict = "drift",
                              .name = type->name,
                              .members = type->members,
                              .stepper = known->stepper,
                              .truth = known->drifts ? "yes" : "no",
                              .reason = known->reason,
                              .fault = SB_ANSWER_YES};
            SB_TRY(sb_confusion_study(bench->ctx, &of, FIRST, sb_problem_class_members(type->members, MEMBERS),
                                      add_member, &n, out));
        }
    }
    return SB_OK;
}

SB_DEFINE_EXPERIMENT(confusion_drift) {
    return sb_confusion_run(
        bench, sb_faulty_register,
        "verdict,class,members,stepper,truth,reason,runs,confirmed,yes,no,unclear,lost,failed,false_alarms,missed",
        study_all, "confusion_drift.csv");
}
