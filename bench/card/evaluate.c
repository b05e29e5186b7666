/* Runs all analyses of a card on one stepper and one problem, each in its own process. */
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

/* Sets *out to the options of an analysis, with the reference if it takes one. */
static int options_of(sb_arena *arena, int k, const sb_entry *analysis, const char *reference, const char **out) {
    char *text;
    *out = evaluated[k].options;
    if (sb_param_find(analysis, "reference") != NULL) {
        SB_PRINT(arena, text, "%s%sreference=%s", *out, **out != '\0' ? "," : "", reference);
        *out = text;
    }
    return SB_OK;
}

/* Runs the analyses of a set on a pair. Stops after the first that crashes or does not return. */
static int run_set(sb_context *ctx, sb_arena *arena, const sb_pair *pair, const char *reference, unsigned set,
                   long seconds, sb_meter *meter, sb_evaluation *out) {
    for (int k = 0; k < SB_EVALUATED_COUNT; k++) {
        const sb_analysis *analysis = (const sb_analysis *)sb_registry_find(ctx, SB_KIND_ANALYSIS, evaluated[k].name);
        const char *options;
        if (analysis == NULL) {
            return SB_BAD_USAGE;
        }
        SB_TRY(options_of(arena, k, &analysis->entry, reference, &options));
        if (out->fault != NULL || (set & SB_EVALUATED_BIT(k)) == 0) {
            sb_table_init(&out->tables[k], arena);
            SB_TRY(out->tables[k].sink.begin(&out->tables[k].sink, analysis->ncolumns, analysis->columns));
            out->outcomes[k] = k > 0 ? out->outcomes[k - 1] : SB_RUN_DONE;
            out->messages[k] = k > 0 ? out->messages[k - 1] : "";
            continue;
        }
        SB_TRY(sb_pair_run_limited(ctx, arena, analysis, options, pair, seconds, meter, &out->tables[k],
                                   &out->outcomes[k], &out->messages[k]));
        if (out->outcomes[k] == SB_RUN_CRASHED || out->outcomes[k] == SB_RUN_TIMED_OUT) {
            out->fault = out->messages[k];
        }
        if (out->outcomes[k] == SB_RUN_LOST && out->lost == NULL) {
            out->lost = out->messages[k];
        }
    }
    return SB_OK;
}

int sb_evaluate(sb_context *ctx, sb_arena *arena, const sb_system *sys, const char *stepper, const char *reference,
                unsigned set, long seconds, sb_meter *meter, sb_evaluation *out) {
    sb_pair pair;
    *out = (sb_evaluation){.problem = sys->name,
                           .stepper = stepper,
                           .family = sb_family_of(arena, sys->flags),
                           .time_scale = sys->time_scale};
    SB_TRY(sb_pair_build(ctx, arena, sys, stepper, &pair));
    out->order = sb_stepper_order(pair.type, pair.config, sys->flags);
    if (sb_stepper_check(ctx, pair.type, sys) != SB_OK) {
        out->refusal = sb_strdup(arena, ctx->message);
        SB_TRY(out->refusal != NULL ? SB_OK : SB_NO_MEMORY);
    } else {
        SB_TRY(run_set(ctx, arena, &pair, reference, set, seconds, meter, out));
    }
    if (meter != NULL) {
        meter->done += 1.0;
    }
    return out->family != NULL ? SB_OK : SB_NO_MEMORY;
}
