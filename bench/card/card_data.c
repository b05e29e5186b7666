/* Computes the data of a card: the evaluation of a stepper on every problem, its energy over a long run, its stability.
 */
#include "bench/card/card_data.h"

#include <stdio.h>
#include <string.h>

#include "core/run/build.h"

enum { MOST_FAULTS = 3 };

static const char *const probe_problem[SB_PROBES] = {"oscillator:omega=1", "pendulum:g=1"};
static const char *const probe_name[SB_PROBES] = {"oscillator", "pendulum, hanging"};

static int analyse(sb_context *ctx, sb_arena *arena, const char *analysis, const char *options, const sb_system *sys,
                   long seconds, sb_card_data *out, sb_table *rows) {
    const sb_entry *entry = sb_registry_find(ctx, SB_KIND_ANALYSIS, analysis);
    const char *message;
    sb_run_outcome outcome;
    sb_pair pair;
    if (entry == NULL) {
        return SB_BAD_USAGE;
    }
    SB_TRY(sb_pair_build(ctx, arena, sys, out->stepper, &pair));
    SB_TRY(sb_pair_run_limited(ctx, arena, (const sb_analysis *)entry, options, &pair, seconds, NULL, rows, &outcome,
                               &message));
    out->lost = out->lost == NULL && outcome == SB_RUN_LOST ? message : out->lost;
    return SB_OK;
}

/* "h=[a,b,...]", equidistant up to `last`. */
static const char *steps_list(sb_arena *arena, const char *name, int n, double first, double last) {
    char *text = sb_alloc(arena, 24 * (size_t)n + 32, 1);
    if (text == NULL) {
        return NULL;
    }
    int used = sprintf(text, "%s=[", name);
    for (int i = 0; i < n; i++) {
        used += sprintf(text + used, "%s%.9g", i > 0 ? "," : "", first + (last - first) * i / (n - 1));
    }
    sprintf(text + used, "]");
    return text;
}

static int probe(sb_context *ctx, sb_arena *arena, long seconds, sb_card_data *out) {
    for (int k = 0; k < SB_PROBES; k++) {
        sb_system *sys;
        SB_NEW(arena, sys, 1);
        SB_TRY(sb_system_build(ctx, arena, probe_problem[k], 0, NULL, sys));
        out->probes[k] = (sb_probe){.problem = probe_problem[k],
                                    .name = probe_name[k],
                                    .takes = sb_stepper_check(ctx, out->type, sys) == SB_OK};
        const char *options = steps_list(arena, "h", SB_RADIUS_POINTS, SB_MAP_TAU / SB_RADIUS_POINTS, SB_MAP_TAU);
        if (options == NULL) {
            return SB_NO_MEMORY;
        }
        SB_TRY(out->probes[k].takes
                   ? analyse(ctx, arena, "amplification", options, sys, seconds, out, &out->probes[k].rows)
                   : SB_OK);
    }
    return SB_OK;
}

/* Cells are evaluated at their middles. */
static int map(sb_context *ctx, sb_arena *arena, long seconds, sb_card_data *out) {
    const double across = SB_MAP_TAU / SB_MAP_ACROSS, up = SB_MAP_GAMMA / SB_MAP_UP;
    sb_system *sys;
    if ((out->type->supports & (unsigned)SB_HAS_FORCE) == 0 || !out->probes[SB_PROBE_OSCILLATOR].takes) {
        return SB_OK;
    }
    SB_NEW(arena, sys, 1);
    SB_TRY(sb_system_build(ctx, arena, "oscillator:omega=1,gamma=0.1", 0, NULL, sys));
    const char *h = steps_list(arena, "h", SB_MAP_ACROSS, 0.5 * across, SB_MAP_TAU - 0.5 * across);
    const char *gamma = steps_list(arena, ",vary=problem.gamma,values", SB_MAP_UP, 0.5 * up, SB_MAP_GAMMA - 0.5 * up);
    if (h == NULL || gamma == NULL) {
        return SB_NO_MEMORY;
    }
    char *options;
    SB_NEW(arena, options, strlen(h) + strlen(gamma) + 1);
    strcat(strcpy(options, h), gamma);
    return analyse(ctx, arena, "amplification", options, sys, seconds, out, &out->map);
}

/* Decides whether the problem is the first of its family, and sets *before to the number of families before it. */
static bool new_family(const sb_card_data *d, int problem, int *before) {
    *before = 0;
    for (int i = 0; i < problem; i++) {
        if (d->shows[i] && strcmp(d->evaluations[i].family, d->evaluations[problem].family) == 0) {
            return false;
        }
        *before += d->shows[i];
    }
    return true;
}

/* Tries problem i; a large one if it is named. */
static int try_problem(sb_context *ctx, sb_arena *arena, const char *problem, bool named, int i, long seconds,
                       sb_card_role role, sb_meter *meter, sb_card_data *out) {
    int before;
    sb_evaluation *j = &out->evaluations[i];
    sb_pair pair;
    sb_system *sys;
    SB_NEW(arena, sys, 1);
    SB_TRY(sb_system_build(ctx, arena, problem, 0, NULL, sys));
    SB_TRY(sb_pair_build(ctx, arena, sys, out->stepper, &pair));
    const bool large = !named && sys->n > SB_SMALL_COORDINATES && sb_stepper_check(ctx, pair.type, sys) == SB_OK;
    const char *untried = out->faults >= MOST_FAULTS
                              ? "not tried: it had crashed, or not returned, on three problems before"
                          : large ? "not tried: it has more than 9 coordinates; compare tries it"
                                  : NULL;
    if (untried != NULL) {
        *j = (sb_evaluation){.problem = problem,
                             .stepper = out->stepper,
                             .family = sb_family_of(arena, sys->flags),
                             .time_scale = sys->time_scale,
                             .refusal = untried};
        return j->family != NULL ? SB_OK : SB_NO_MEMORY;
    }
    SB_TRY(sb_evaluate(ctx, arena, sys, out->stepper, "auto",
                       role == SB_CARD_BASELINE ? SB_EVALUATED_BIT(SB_EVALUATED_WORKPREC) : SB_EVALUATED_ALL, seconds,
                       meter, j));
    const bool fault = j->refusal == NULL && j->fault != NULL;
    out->faults += fault;
    out->lost = out->lost == NULL ? j->lost : out->lost;
    out->shows[i] = j->refusal == NULL && !fault && (new_family(out, i, &before) || named);
    return out->shows[i] && (named || role != SB_CARD_SUBJECT || before < SB_CARD_PANELS)
               ? analyse(ctx, arena, "energy", "steps=20000", sys, seconds, out, &out->energy[i])
               : SB_OK;
}

int sb_card_data_make(sb_context *ctx, sb_arena *arena, const char *stepper, int count, const char *const *problems,
                      long seconds, sb_card_role role, sb_meter *meter, sb_card_data *out) {
    const sb_registry *registry = ctx->registry;
    sb_spec spec;
    *out = (sb_card_data){.stepper = stepper, .problems = count > 0 ? count : registry->count[SB_KIND_PROBLEM]};
    SB_TRY(sb_spec_parse(ctx, arena, SB_KIND_STEPPER, stepper, &spec));
    out->type = (const sb_stepper *)spec.entry;
    out->order = sb_stepper_order(out->type, spec.config, 0);
    out->keeps = sb_stepper_keeps(out->type, spec.config);
    SB_NEW(arena, out->evaluations, out->problems);
    SB_NEW(arena, out->energy, out->problems);
    SB_NEW(arena, out->shows, out->problems);
    for (int i = 0; i < out->problems; i++) {
        const char *problem = count > 0 ? problems[i] : registry->entries[SB_KIND_PROBLEM][i]->name;
        SB_TRY(try_problem(ctx, arena, problem, count > 0, i, seconds, role, meter, out));
    }
    if (role != SB_CARD_BASELINE && out->faults < MOST_FAULTS) {
        SB_TRY(sb_check_stepper(ctx, arena, stepper, 0, seconds, NULL, &out->systems));
    }
    if (out->faults > 0) {
        return SB_OK; /* its stability is not the question */
    }
    SB_TRY(probe(ctx, arena, seconds, out));
    return role == SB_CARD_BASELINE ? SB_OK : map(ctx, arena, seconds, out);
}
