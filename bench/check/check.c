/* Runs the contract checks of one stepper on every check system and every registered problem that it takes. */
#include "bench/check/check.h"

#include <string.h>

#include "analysis/row.h"
#include "bench/check/systems.h"
#include "bench/process/pairs.h"
#include "core/run/build.h"

enum { MOST_FAULTS = 3 };

typedef struct checking {
    sb_context *ctx;
    sb_arena *arena;
    const sb_analysis *contract;
    const char *stepper;
    long seconds;
    sb_meter *meter;
    sb_check *out;
} checking;

/* Writes the failed check of a run that did not end. */
static int write_fault(const checking *me, const sb_pair *pair, const char *message) {
    const sb_task task = {.ctx = me->ctx, .analysis = me->contract, .pair = pair, .out = &me->out->rows.sink};
    me->out->faults++;
    return sb_row(&task, SB_CELLS(sb_text("returns"), sb_text("failed"), sb_empty(), sb_empty(), sb_text(message)));
}

/* Runs the checks on one system that the stepper takes. */
static int check_system(const checking *me, const sb_pair *pair) {
    sb_table rows;
    sb_run_outcome outcome;
    const char *message;
    SB_TRY(sb_pair_run_limited(me->ctx, me->arena, me->contract, "", pair, me->seconds, me->meter, &rows, &outcome,
                               &message));
    SB_TRY(sb_table_write_rows(&rows, &me->out->rows.sink));
    me->out->systems++;
    return outcome == SB_RUN_DONE ? SB_OK : write_fault(me, pair, message);
}

static int try_system(const checking *me, const sb_system *sys) {
    sb_pair pair;
    SB_TRY(sb_pair_build(me->ctx, me->arena, sys, me->stepper, &pair));
    if (me->out->faults < MOST_FAULTS && sb_stepper_check(me->ctx, pair.type, sys) == SB_OK) {
        SB_TRY(check_system(me, &pair));
    }
    if (me->meter != NULL) {
        me->meter->done += 1.0;
    }
    return SB_OK;
}

static int try_check_systems(const checking *me) {
    for (int k = 0; k < sb_check_system_count(); k++) {
        sb_system *sys;
        SB_NEW(me->arena, sys, 1);
        SB_TRY(sb_check_system_make(me->ctx, me->arena, k, sys));
        SB_TRY(try_system(me, sys));
    }
    return SB_OK;
}

static int try_problems(const checking *me, int coordinates) {
    const sb_registry *registry = me->ctx->registry;
    for (int i = 0; i < registry->count[SB_KIND_PROBLEM]; i++) {
        sb_system *sys;
        SB_NEW(me->arena, sys, 1);
        const int status =
            sb_system_build(me->ctx, me->arena, registry->entries[SB_KIND_PROBLEM][i]->name, 0, NULL, sys);
        if (status == SB_OK) {
            SB_TRY(sys->n <= coordinates ? try_system(me, sys) : SB_OK);
        } else if (!sb_failure_is_result(status) && status != SB_BAD_USAGE) {
            return status; /* a problem of a plug-in may be incomplete */
        }
    }
    return SB_OK;
}

int sb_check_stepper(sb_context *ctx, sb_arena *arena, const char *stepper, int coordinates, long seconds,
                     sb_meter *meter, sb_check *out) {
    const sb_analysis *contract = (const sb_analysis *)sb_registry_find(ctx, SB_KIND_ANALYSIS, "contract");
    const checking me = {ctx, arena, contract, stepper, seconds, meter, out};
    if (contract == NULL) {
        return SB_BAD_USAGE;
    }
    *out = (sb_check){0};
    if (meter != NULL) {
        sb_meter_begin(meter, ctx,
                       sb_check_system_count() + (coordinates > 0 ? ctx->registry->count[SB_KIND_PROBLEM] : 0));
    }
    sb_table_init(&out->rows, arena);
    SB_TRY(out->rows.sink.begin(&out->rows.sink, contract->ncolumns, contract->columns));
    SB_TRY(try_check_systems(&me));
    SB_TRY(coordinates > 0 ? try_problems(&me, coordinates) : SB_OK);
    if (meter != NULL) {
        sb_meter_clear(meter);
    }
    for (int i = 0; i < out->rows.nrows; i++) {
        const char *verdict = sb_table_text(&out->rows, i, "verdict");
        out->checks++;
        out->failed += strcmp(verdict, "failed") == 0;
        out->unclear += strcmp(verdict, "unclear") == 0;
    }
    return SB_OK;
}

const char *sb_check_specification(const char *name) {
    return strcmp(name, "spook") == 0                     ? "spook:eps=0"
           : strcmp(name, "variational_regularized") == 0 ? "variational_regularized:eps=0"
                                                          : name;
}
