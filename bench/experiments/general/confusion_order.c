/* Counts right and wrong verdicts of `order`: every built-in stepper with the order it claims, and with one more, on
 * small systems with exact solutions for every kind of smooth term. */
#include <math.h>
#include <string.h>

#include "analysis/accuracy/order_verdict.h"
#include "analysis/row.h"
#include "bench/card/evaluate.h"
#include "bench/check/check.h"
#include "bench/check/systems.h"
#include "bench/runner/experiment_tools.h"

static const sb_column columns[] = {
    {"verdict", SB_COL_KEY, "", "the verdict: of order"},
    {"class", SB_COL_KEY, "", "family of systems, by their features"},
    {"stepper", SB_COL_KEY, "", "the stepper"},
    {"truth", SB_COL_KEY, "",
     "kept: the order claimed is that of the method on systems of the class; too_high: one more is claimed"},
    {"runs", SB_COL_INFO, "", "number of systems of the class that the stepper takes"},
    {"yes", SB_COL_INFO, "", "verdict as_claimed or higher"},
    {"no", SB_COL_INFO, "", "verdict lower"},
    {"unclear", SB_COL_INFO, "", "verdict unclear: with errors of round-off there is nothing to measure"},
    {"false_alarms", SB_COL_INFO, "", "verdict lower where the claim is kept"},
    {"missed", SB_COL_INFO, "", "verdict as_claimed or higher where the claim is too high"},
};

enum { FAMILIES_MAX = 32, TRUTHS = 2 };
static const char *const truths[TRUTHS] = {"kept", "too_high"};

/* Numbers of verdicts by family, truth and verdict. */
typedef struct tally {
    int count;
    const char *family[FAMILIES_MAX];
    int of[FAMILIES_MAX][TRUTHS][SB_ORDER_UNCLEAR + 1];
} tally;

static int find_family(tally *all, const char *family) {
    int at = 0;
    while (at < all->count && strcmp(all->family[at], family) != 0) {
        at++;
    }
    all->family[at] = family;
    all->count = at == all->count ? at + 1 : all->count;
    return at;
}

/* Adds the verdicts of one pair. Where terms of the class lower the order of a stepper, its order on one system may be
 * higher than claimed: there a claim of one more is not known to be wrong. */
static int evaluate(sb_context *ctx, sb_arena *arena, const sb_pair *pair, const char *family, tally *all) {
    static const sb_order_config config = {.levels = 6, .ratio = 2.0, .scales = 10.0, .reference = "exact"};
    const int claimed = sb_stepper_order(pair->type, pair->config, pair->sys->flags),
              highest = sb_stepper_order(pair->type, pair->config, 0);
    sb_order order;
    SB_TRY(sb_order_measure(ctx, arena, &config, pair, &order));
    const int at = find_family(all, family);
    all->of[at][0][sb_order_compare_method(&order, claimed).verdict]++;
    if (claimed == highest) {
        all->of[at][1][sb_order_compare_method(&order, claimed + 1.0).verdict]++;
    }
    return SB_OK;
}

static int write_rows(const tally *all, const char *stepper, sb_sink *out) {
    for (int k = 0; k < all->count; k++) {
        for (int t = 0; t < TRUTHS; t++) {
            const int *n = all->of[k][t], yes = n[SB_ORDER_AS_CLAIMED] + n[SB_ORDER_HIGHER], no = n[SB_ORDER_LOWER],
                      unclear = n[SB_ORDER_UNCLEAR], runs = yes + no + unclear;
            if (runs > 0) {
                SB_TRY(SB_ROW(out, sb_text("order"), sb_text(all->family[k]), sb_text(stepper), sb_text(truths[t]),
                              sb_int(runs), sb_int(yes), sb_int(no), sb_int(unclear), sb_int(t == 0 ? no : 0),
                              sb_int(t == 1 ? yes : 0)));
            }
        }
    }
    return SB_OK;
}

static int study(sb_context *ctx, sb_arena *arena, const char *stepper, sb_sink *out) {
    tally all = {0};
    for (int k = 0; k < sb_check_system_count(); k++) {
        sb_system *sys;
        sb_pair pair;
        SB_NEW(arena, sys, 1);
        SB_TRY(sb_check_system_make(ctx, arena, k, sys));
        SB_TRY(sb_pair_build(ctx, arena, sys, stepper, &pair));
        const char *family = sb_family_of(arena, sys->flags);
        if (family == NULL) {
            return SB_NO_MEMORY;
        }
        /* the order of a solver with error control is one in its tolerance */
        if (pair.type->control.tolerance == NULL && sb_stepper_check(ctx, pair.type, sys) == SB_OK) {
            SB_TRY(evaluate(ctx, arena, &pair, family, &all));
        }
    }
    return write_rows(&all, stepper, out);
}

static int run(sb_bench *bench) {
    const sb_registry *registry = bench->ctx->registry;
    sb_table table;
    SB_TRY(SB_TABLE(bench, columns, &table));
    for (int i = 0; i < registry->count[SB_KIND_STEPPER]; i++) {
        SB_SCRATCH(arena, bench->ctx);
        const char *spec = sb_check_specification(registry->entries[SB_KIND_STEPPER][i]->name);
        SB_TRY(study(bench->ctx, &arena, spec, &table.sink));
    }
    return sb_bench_save(bench, &table, "confusion_order.csv");
}

SB_DEFINE_EXPERIMENT(confusion_order) = {
    .entry = {"confusion_order", "How often the verdict of order is right, with the claimed order and with one more.",
              "hlw06", NULL, 0},
    .files = SB_LIST("confusion_order.csv"),
    .run = run,
};
