/* One stepper on one problem under all the analyses that judge it, each in a process of its own. */
#include "bench/card/evaluate.h"

#include <string.h>

static const struct {
    const char *name, *options;
} judged[SB_JUDGED_COUNT] = {
#define SB_JUDGED_ROW(constant, name, options) [constant] = {name, options},
    SB_JUDGED_LIST(SB_JUDGED_ROW)
#undef SB_JUDGED_ROW
};

const char *sb_judged_name(int which) {
    return judged[which].name;
}

const char *sb_family_of(sb_arena *arena, unsigned flags) {
    char text[256] = "";
#define ADD_WORD(flag, bit, word, meaning)                                                                                                 \
    if ((flags & (unsigned)(flag)) != 0) {                                                                                                 \
        strcat(strcat(text, text[0] != '\0' ? " + " : ""), word);                                                                          \
    }
    SB_FEATURE_LIST(ADD_WORD)
#undef ADD_WORD
    return sb_strdup(arena, text[0] != '\0' ? text : "unconstrained");
}

int sb_judge(sb_context *ctx, sb_arena *arena, const sb_system *sys, const char *stepper, long seconds, sb_judgement *out) {
    sb_pair pair;
    *out = (sb_judgement){.problem = sys->name, .stepper = stepper, .family = sb_family_of(arena, sys->flags), .time_scale = sys->time_scale};
    SB_TRY(sb_pair_build(ctx, arena, sys, stepper, &pair));
    out->order = sb_stepper_order(pair.type, sys->flags);
    if (sb_stepper_check(ctx, pair.type, sys) != SB_OK) {
        out->refusal = sb_strdup(arena, ctx->message);
        return out->refusal != NULL && out->family != NULL ? SB_OK : SB_NO_MEMORY;
    }
    for (int k = 0; k < SB_JUDGED_COUNT; k++) {
        const sb_analysis *analysis = (const sb_analysis *)sb_registry_find(ctx, SB_KIND_ANALYSIS, judged[k].name);
        if (analysis == NULL) {
            return SB_BAD_USAGE;
        }
        const bool given_up = k > 0 && (out->fates[k - 1] == SB_FATE_DIED || out->fates[k - 1] == SB_FATE_LATE);
        if (given_up) {
            sb_table_init(&out->tables[k], arena);
            SB_TRY(out->tables[k].sink.begin(&out->tables[k].sink, analysis->ncolumns, analysis->columns));
            out->fates[k] = out->fates[k - 1];
            out->epitaphs[k] = out->epitaphs[k - 1];
            continue;
        }
        SB_TRY(sb_isolate(ctx, arena, analysis, judged[k].options, &pair, seconds, &out->tables[k], &out->fates[k], &out->epitaphs[k]));
        if (out->fates[k] == SB_FATE_DIED || out->fates[k] == SB_FATE_LATE) {
            out->fault = out->epitaphs[k];
        }
        if (out->fates[k] == SB_FATE_LOST && out->lost == NULL) {
            out->lost = out->epitaphs[k];
        }
    }
    return out->family != NULL ? SB_OK : SB_NO_MEMORY;
}
