/* Counts right and wrong verdicts of `contract`: every built-in stepper, which is right, and steppers with one known
 * fault, on small systems with exact solutions for every kind of term. Two faults have an effect only on built-in
 * problems, and are checked on these too. */
#include <string.h>

#include "bench/check/check.h"
#include "bench/experiments/general/confusion.h"

enum { SECONDS = 60, FAULTY_SECONDS = 2 }; /* of processor time per pair, at most */

/* Returns whether a check of the system has this verdict. */
static bool has(const sb_table *rows, const char *system, const char *verdict) {
    for (int i = sb_table_find(rows, "problem", system, 0); i >= 0; i = sb_table_find(rows, "problem", system, i + 1)) {
        if (sb_table_is(rows, i, "verdict", verdict)) {
            return true;
        }
    }
    return false;
}

/* Adds the systems of a family (NULL: all) by the verdicts of their checks: no if one failed, else unclear if one is
 * unclear. */
static void add_systems(const sb_families *all, const sb_table *rows, const char *family, sb_answer truth,
                        sb_confusion *n) {
    for (int k = 0; k < all->count; k++) {
        const char *name = all->sys[k].name;
        if ((family == NULL || strcmp(family, all->family[k]) == 0) && sb_table_find(rows, "problem", name, 0) >= 0) {
            n->of[truth][has(rows, name, "failed")    ? SB_FOUND_NO
                         : has(rows, name, "unclear") ? SB_FOUND_UNCLEAR
                                                      : SB_FOUND_YES]++;
        }
    }
}

static int study_right(sb_bench *bench, const sb_families *all, const char *stepper, sb_sink *out) {
    const sb_limits limits = {.jobs = bench->jobs, .seconds = SECONDS};
    sb_check found;
    SB_TRY(sb_check_stepper(bench->ctx, &bench->arena, stepper, 0, &limits, &found));
    for (int k = 0; k < all->count; k++) {
        sb_confusion n = {.verdict = "contract", .name = all->family[k], .stepper = stepper, .truth = "right"};
        if (all->first[k]) {
            add_systems(all, &found.rows, all->family[k], SB_ANSWER_YES, &n);
            SB_TRY(sb_confusion_write(&n, out));
        }
    }
    return SB_OK;
}

/* A fault shows on some systems only: the stepper is missed once if no system shows it. */
static int study_faulty(sb_bench *bench, const sb_families *all, const sb_faulty *faulty, sb_sink *out) {
    const sb_limits limits = {.jobs = bench->jobs, .seconds = FAULTY_SECONDS};
    const bool shows_on_problems = faulty->fault == SB_FAULT_CLAIMS_MOMENTA || faulty->fault == SB_FAULT_NO_CONTACT;
    const bool right = faulty->check == SB_CHECK_NONE;
    sb_confusion n = {
        .verdict = "contract", .name = "all", .stepper = faulty->text, .truth = right ? "right" : "wrong"};
    sb_check found;
    SB_TRY(sb_check_stepper(bench->ctx, &bench->arena, faulty->stepper.entry.name,
                            shows_on_problems ? SB_SMALL_COORDINATES : 0, &limits, &found));
    add_systems(all, &found.rows, NULL, right ? SB_ANSWER_YES : SB_ANSWER_OPEN, &n);
    if (!right && n.of[SB_ANSWER_OPEN][SB_FOUND_NO] == 0 && n.of[SB_ANSWER_OPEN][SB_FOUND_YES] > 0) {
        n.of[SB_ANSWER_OPEN][SB_FOUND_YES]--;
        n.of[SB_ANSWER_NO][SB_FOUND_YES]++;
    }
    return sb_confusion_write(&n, out);
}

static int study(sb_bench *bench, sb_sink *out) {
    const sb_registry *registry = bench->ctx->registry;
    sb_families all;
    SB_TRY(sb_families_list(bench->ctx, &bench->arena, true, &all));
    for (int i = 0; i < registry->count[SB_KIND_STEPPER] - SB_FAULT_COUNT; i++) { /* built in */
        SB_TRY(study_right(bench, &all, sb_check_specification(registry->entries[SB_KIND_STEPPER][i]->name), out));
    }
    for (int k = 0; k < SB_FAULT_COUNT; k++) {
        SB_TRY(study_faulty(bench, &all, &sb_faulty_list[k], out));
    }
    return SB_OK;
}

SB_DEFINE_EXPERIMENT(confusion_contract) {
    return sb_confusion_run(bench, sb_faulty_register,
                            "verdict,class,stepper,truth,runs,yes,no,unclear,false_alarms,missed", study,
                            "confusion_contract.csv");
}
