/* Counts right and wrong verdicts of `order`: every built-in stepper with the order it claims, and with one more, on
 * small systems with exact solutions for every kind of smooth term. */
#include <string.h>

#include "analysis/accuracy/order_verdict.h"
#include "bench/check/check.h"
#include "bench/experiments/general/confusion.h"

static const sb_found found_order[] = {[SB_ORDER_AS_CLAIMED] = SB_FOUND_YES,
                                       [SB_ORDER_HIGHER] = SB_FOUND_YES,
                                       [SB_ORDER_LOWER] = SB_FOUND_NO,
                                       [SB_ORDER_UNCLEAR] = SB_FOUND_UNCLEAR};

/* Adds the verdicts of one pair. Where terms of the class lower the order of a stepper, its order on one system may be
 * higher than claimed: there a claim of one more is not known to be wrong. The order of a solver with error control is
 * one in its tolerance. */
static int add_system(sb_context *ctx, sb_arena *arena, const sb_system *sys, const char *stepper, sb_confusion *kept,
                      sb_confusion *too_high) {
    static const sb_order_config config = {.levels = 6, .ratio = 2.0, .scales = 10.0, .reference = "exact"};
    sb_pair pair;
    sb_order order;
    SB_TRY(sb_pair_build(ctx, arena, sys, stepper, &pair));
    if (pair.type->control.tolerance != NULL || sb_stepper_check(ctx, pair.type, sys) != SB_OK) {
        return SB_OK;
    }
    const int claimed = sb_stepper_order(pair.type, pair.config, sys->flags),
              highest = sb_stepper_order(pair.type, pair.config, 0);
    SB_TRY(sb_order_measure(ctx, arena, &config, &pair, &order));
    kept->of[SB_ANSWER_YES][found_order[sb_order_compare_method(&order, claimed).verdict]]++;
    if (claimed == highest) {
        too_high->of[SB_ANSWER_NO][found_order[sb_order_compare_method(&order, claimed + 1.0).verdict]]++;
    }
    return SB_OK;
}

/* Writes the rows of a stepper on a family. */
static int study_family(sb_context *ctx, const sb_families *all, const char *family, const char *stepper,
                        sb_sink *out) {
    sb_confusion kept = {.verdict = "order", .name = family, .stepper = stepper, .truth = "kept"}, too_high = kept;
    too_high.truth = "too_high";
    SB_SCRATCH(arena, ctx);
    for (int k = 0; k < all->count; k++) {
        SB_TRY(strcmp(all->family[k], family) == 0 ? add_system(ctx, &arena, &all->sys[k], stepper, &kept, &too_high)
                                                   : SB_OK);
    }
    SB_TRY(sb_confusion_write(&kept, out));
    return sb_confusion_write(&too_high, out);
}

static int study(sb_bench *bench, sb_sink *out) {
    const sb_registry *registry = bench->ctx->registry;
    sb_families all;
    SB_TRY(sb_families_list(bench->ctx, &bench->arena, false, &all));
    for (int i = 0; i < registry->count[SB_KIND_STEPPER] - SB_FAULT_COUNT; i++) { /* built in */
        const char *stepper = sb_check_specification(registry->entries[SB_KIND_STEPPER][i]->name);
        for (int k = 0; k < all.count; k++) {
            SB_TRY(all.first[k] ? study_family(bench->ctx, &all, all.family[k], stepper, out) : SB_OK);
        }
    }
    return SB_OK;
}

SB_DEFINE_EXPERIMENT(confusion_order) {
    return sb_confusion_run(bench, sb_faulty_register,
                            "verdict,class,stepper,truth,runs,yes,no,unclear,false_alarms,missed", study,
                            "confusion_order.csv");
}
