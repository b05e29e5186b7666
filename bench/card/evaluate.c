/* Runs the analyses of a card on pairs, each in its own process. */
#include "bench/card/evaluate.h"

#include <string.h>

#include "core/base/params.h"
#include "core/base/text.h"

static const struct {
    const char *name, *options;
} evaluated[SB_EVALUATED_COUNT] = {
#define SB_EVALUATED_ROW(constant, name, options) [constant] = {name, options},
    SB_EVALUATED_LIST(SB_EVALUATED_ROW)
#undef SB_EVALUATED_ROW
};

const char *sb_evaluated_name(int which) { return evaluated[which].name; }

const char *sb_family_of(sb_arena *arena, unsigned flags) {
    char text[256] = "";
#define ADD_WORD(flag, bit, word, meaning)                                                                             \
    if ((flags & (unsigned)(flag)) != 0) {                                                                             \
        strcat(strcat(text, text[0] != '\0' ? " + " : ""), word);                                                      \
    }
    SB_FEATURE_LIST(ADD_WORD)
#undef ADD_WORD
    return sb_strdup(arena, text[0] != '\0' ? text : "unconstrained");
}

/* Sets *out to the options of an analysis, with the reference if it takes one. A step of an engine is two messages: its
 * limit, of up to a hundred steps that are tried, has two digits. */
static int options_of(sb_arena *arena, int k, const sb_pair *pair, const sb_entry *analysis, const char *reference,
                      const char **out) {
    const char *options =
        k == SB_EVALUATED_BLOWUP && pair->type->uncounted ? "steps=100,tol=0.02" : evaluated[k].options;
    *out = options;
    if (sb_param_find(analysis, "reference") != NULL) {
        SB_PRINT(arena, *out, "%s%sreference=%s", options, options[0] != '\0' ? "," : "", reference);
    }
    return SB_OK;
}

int sb_evaluation_begin(sb_context *ctx, sb_arena *arena, const sb_system *sys, const char *stepper,
                        sb_evaluation *out) {
    *out = (sb_evaluation){.problem = sys->name,
                           .stepper = stepper,
                           .family = sb_family_of(arena, sys->flags),
                           .time_scale = sys->time_scale};
    SB_TRY(sb_pair_build(ctx, arena, sys, stepper, &out->pair));
    out->order = sb_stepper_order(out->pair.type, out->pair.config, sys->flags);
    if (sb_stepper_check(ctx, out->pair.type, sys) != SB_OK) {
        SB_PRINT(arena, out->refusal, "%s", ctx->message);
    }
    return out->family != NULL ? SB_OK : SB_NO_MEMORY;
}

/* Lists and counts the runs of one evaluation, one for each analysis of the set. */
static int list_runs(sb_context *ctx, sb_arena *arena, const sb_pair *pair, const char *reference, unsigned set,
                     sb_limited_run list[SB_EVALUATED_COUNT], int *count) {
    *count = 0;
    for (int k = 0; k < SB_EVALUATED_COUNT; k++) {
        const sb_analysis *analysis = (const sb_analysis *)sb_registry_find(ctx, SB_KIND_ANALYSIS, evaluated[k].name);
        if (analysis == NULL) {
            return SB_BAD_USAGE;
        }
        if ((set & SB_EVALUATED_BIT(k)) != 0) {
            sb_limited_run *run = &list[(*count)++];
            *run = (sb_limited_run){.analysis = analysis, .pair = *pair};
            SB_TRY(options_of(arena, k, pair, &analysis->entry, reference, &run->options));
        }
    }
    return SB_OK;
}

/* Sets the results of the runs of an evaluation. */
static int collect(sb_context *ctx, sb_arena *arena, unsigned set, const sb_limited_run *run, sb_evaluation *out) {
    for (int k = 0; k < SB_EVALUATED_COUNT; k++) {
        const sb_analysis *analysis = (const sb_analysis *)sb_registry_find(ctx, SB_KIND_ANALYSIS, evaluated[k].name);
        if ((set & SB_EVALUATED_BIT(k)) == 0) {
            SB_TRY(sb_table_begin(&out->tables[k], arena, analysis->ncolumns, analysis->columns));
            out->outcomes[k] = SB_RUN_NOT_TRIED;
            out->messages[k] = "";
            continue;
        }
        out->tables[k] = run->rows;
        out->outcomes[k] = run->outcome;
        out->messages[k] = run->message;
        if (out->fault == NULL && (run->outcome == SB_RUN_CRASHED || run->outcome == SB_RUN_TIMED_OUT)) {
            out->fault = run->message;
        }
        if (out->lost == NULL && run->outcome == SB_RUN_LOST) {
            out->lost = run->message;
        }
        out->untried = run->outcome == SB_RUN_NOT_TRIED;
        out->refusal = k == SB_EVALUATED_CONTRACT && run->refused ? run->message : out->refusal;
        run++;
    }
    return SB_OK;
}

int sb_evaluate(sb_context *ctx, sb_arena *arena, int count, sb_evaluation *list, const char *reference, unsigned set,
                int faults, const sb_limits *limits) {
    sb_limited_run *all;
    int runs = 0, taken = 0;
    SB_NEW(arena, all, (size_t)count * SB_EVALUATED_COUNT);
    for (int i = 0; i < count; i++) {
        if (list[i].refusal == NULL) {
            SB_TRY(list_runs(ctx, arena, &list[i].pair, reference, set, &all[taken * runs], &runs));
            taken++;
        } else if (limits->meter != NULL) {
            limits->meter->done += 1.0;
        }
    }
    SB_TRY(sb_pairs_run_limited(ctx, arena, limits, faults, taken, runs, all));
    for (int i = 0, k = 0; i < count; i++) {
        if (list[i].refusal == NULL) {
            SB_TRY(collect(ctx, arena, set, &all[k * runs], &list[i]));
            k++;
        }
    }
    return SB_OK;
}
