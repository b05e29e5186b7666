/* The verdict of `drift` on problems whose answer is known, two of which nothing else in the project uses. */
#include "analysis/conservation/drift.h"
#include "bench/experiments/general/classes.h"
#include "tests/analysis/fixture.h"

enum { MEMBERS = 6, LENGTHS = 4, BATCHES = 32 };

/* Runs one member at a tenth of its time scale, and counts by verdict. */
static void run_member(fixture *f, const sb_problem_class *type, const char *stepper, int k, long of[3],
                       long *unclear) {
    static const double scales[LENGTHS] = {1000.0, 100.0, 40.0, 15.0}, n = 10.0;
    sb_system sys;
    sb_pair pair;
    sb_drift *energy;
    int count;
    gsl_test(sb_problem_class_member(&f->ctx, &f->arena, type, k, &sys) != SB_OK ||
                 sb_pair_build(&f->ctx, &f->arena, &sys, stepper, &pair) != SB_OK,
             "%s, member %d: %s", type->name, k, f->ctx.message);
    for (int l = 0; l < LENGTHS; l++) {
        gsl_test(sb_drift_measure(&f->ctx, &f->arena, &pair, sys.time_scale / n, lround(scales[l] * n), BATCHES,
                                  &energy, &count) != SB_OK,
                 "%s on member %d of %s: %s", stepper, k, type->name, f->ctx.message);
        of[energy->verdict]++;
        *unclear += energy->verdict == SB_DRIFT_UNCLEAR;
        gsl_test((energy->verdict == SB_DRIFT_UNCLEAR) == isnan(energy->decides), "unclear, and %g s decide",
                 energy->decides);
    }
}

int main(void) {
    fixture f;
    long runs[2] = {0}, wrong[2] = {0}, unclear[2] = {0}; /* without and with a drift */
    fixture_init(&f);
    for (int c = 0; c < sb_problem_class_count; c++) {
        const sb_problem_class *type = &sb_problem_classes[c];
        for (const sb_known_drift *known = type->known; known->stepper != NULL; known++) {
            long of[3] = {0};
            for (int k = 0; k < MEMBERS; k++) {
                run_member(&f, type, known->stepper, k, of, &unclear[known->drifts]);
            }
            runs[known->drifts] += MEMBERS * LENGTHS;
            wrong[known->drifts] += of[known->drifts ? SB_DRIFT_NONE : SB_DRIFT_YES];
            gsl_test(of[known->drifts ? SB_DRIFT_NONE : SB_DRIFT_YES] > 4, "%s, %s: none %ld, unclear %ld, drift %ld",
                     type->name, known->stepper, of[0], of[1], of[2]);
        }
    }
    gsl_test(100 * wrong[0] > runs[0], "a drift is seen in %ld of %ld runs without one", wrong[0], runs[0]);
    gsl_test(100 * wrong[1] > runs[1], "no drift is seen in %ld of %ld runs with one", wrong[1], runs[1]);
    gsl_test(3 * unclear[0] > runs[0] || 5 * unclear[1] > runs[1], "%ld and %ld of %ld and %ld runs are unclear",
             unclear[0], unclear[1], runs[0], runs[1]);
    fixture_free(&f);
    return gsl_test_summary();
}
