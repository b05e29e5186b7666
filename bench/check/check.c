/* Runs the contract checks of one stepper on every check system and every registered problem that it takes. */
#include "bench/check/check.h"

#include <string.h>

#include "analysis/checks.h"
#include "analysis/row.h"
#include "bench/check/systems.h"
#include "core/run/build.h"

typedef struct checking {
    sb_context *ctx;
    sb_arena *arena;
    const sb_analysis *contract;
    const char *stepper;
    int count;
    sb_limited_run *list; /* on the systems that the stepper takes */
} checking;

/* Adds the run on a system if the stepper takes it. */
static int add_system(checking *me, const sb_system *sys) {
    sb_pair pair;
    SB_TRY(sb_pair_build(me->ctx, me->arena, sys, me->stepper, &pair));
    if (sb_stepper_check(me->ctx, pair.type, sys) == SB_OK) {
        me->list[me->count++] = (sb_limited_run){.analysis = me->contract, .options = "", .pair = pair};
    }
    return SB_OK;
}

static int add_check_systems(checking *me) {
    for (int k = 0; k < sb_check_system_count(); k++) {
        sb_system *sys;
        SB_NEW(me->arena, sys, 1);
        SB_TRY(sb_check_system_make(me->ctx, me->arena, k, sys));
        SB_TRY(add_system(me, sys));
    }
    return SB_OK;
}

static int add_problems(checking *me, int coordinates) {
    const sb_registry *registry = me->ctx->registry;
    for (int i = 0; i < registry->count[SB_KIND_PROBLEM]; i++) {
        sb_system *sys;
        SB_NEW(me->arena, sys, 1);
        const int status =
            sb_system_build(me->ctx, me->arena, registry->entries[SB_KIND_PROBLEM][i]->name, 0, NULL, sys);
        if (status == SB_OK) {
            SB_TRY(sys->n <= coordinates ? add_system(me, sys) : SB_OK);
        } else if (!sb_failure_is_result(status) && status != SB_BAD_USAGE) {
            return status; /* a problem of a plug-in may be incomplete */
        }
    }
    return SB_OK;
}

/* Adds the rows of a run, and a failed check if it did not end. A pair that the stepper refuses is left out. */
static int keep_rows(const checking *me, const sb_limited_run *run, sb_check *out) {
    const sb_task task = {.ctx = me->ctx, .analysis = me->contract, .pair = &run->pair, .out = &out->rows.sink};
    if (run->outcome == SB_RUN_NOT_TRIED || run->refused) {
        return SB_OK;
    }
    out->systems++;
    SB_TRY(sb_table_write_rows(&run->rows, &out->rows.sink));
    if (run->outcome == SB_RUN_DONE) {
        return SB_OK;
    }
    return sb_check_write(&task, &(sb_check_result){.check = SB_CHECK_RETURNS, .passed = SB_NO, .measured = 1.0}, "%s",
                          run->message);
}

int sb_check_stepper(sb_context *ctx, sb_arena *arena, const char *stepper, int coordinates, const sb_limits *limits,
                     sb_check *out) {
    const sb_analysis *contract = (const sb_analysis *)sb_registry_find(ctx, SB_KIND_ANALYSIS, "contract");
    checking me = {.ctx = ctx, .arena = arena, .contract = contract, .stepper = stepper};
    *out = (sb_check){0};
    if (contract == NULL) {
        return SB_BAD_USAGE;
    }
    SB_NEW(arena, me.list, sb_check_system_count() + ctx->registry->count[SB_KIND_PROBLEM]);
    SB_TRY(add_check_systems(&me));
    SB_TRY(coordinates > 0 ? add_problems(&me, coordinates) : SB_OK);
    if (limits->meter != NULL) {
        sb_meter_begin(limits->meter, ctx, me.count);
    }
    SB_TRY(sb_pairs_run_limited(ctx, arena, limits, SB_MOST_FAULTS, me.count, 1, me.list));
    if (limits->meter != NULL) {
        sb_meter_clear(limits->meter);
    }
    SB_TRY(sb_table_begin(&out->rows, arena, contract->ncolumns, contract->columns));
    for (int i = 0; i < me.count; i++) {
        SB_TRY(keep_rows(&me, &me.list[i], out));
    }
    return SB_OK;
}

const char *sb_check_specification(const char *name) {
    return strcmp(name, "spook") == 0                     ? "spook:eps=0"
           : strcmp(name, "variational_regularized") == 0 ? "variational_regularized:eps=0"
                                                          : name;
}
