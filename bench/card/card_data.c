/* Computes the data of a card: the evaluation of a stepper on every problem, its energy over a long run, its stability.
 */
#include "bench/card/card_data.h"

#include <string.h>

#include "core/base/text.h"
#include "core/run/build.h"

static const char *const probe_problem[SB_PROBES] = {"oscillator:omega=1", "pendulum:g=1"};
static const char *const probe_name[SB_PROBES] = {"oscillator", "pendulum, hanging"};

/* Runs that follow the evaluations, each on a pair of its own. */
typedef struct runs {
    int count;
    sb_limited_run *list;
    sb_table **to; /* the table of each run's rows */
} runs;

static int add_run(sb_context *ctx, sb_arena *arena, const char *analysis, const char *options, const sb_system *sys,
                   const char *stepper, sb_table *to, runs *all) {
    sb_limited_run *run = &all->list[all->count];
    const sb_entry *entry = sb_registry_find(ctx, SB_KIND_ANALYSIS, analysis);
    if (entry == NULL) {
        return SB_BAD_USAGE;
    }
    *run = (sb_limited_run){.analysis = (const sb_analysis *)entry, .options = options};
    all->to[all->count++] = to;
    return sb_pair_build(ctx, arena, sys, stepper, &run->pair);
}

static int run_all(sb_context *ctx, sb_arena *arena, const sb_limits *limits, const runs *all, sb_card_data *out) {
    SB_TRY(sb_pairs_run_limited(ctx, arena, limits, 0, all->count, 1, all->list));
    for (int i = 0; i < all->count; i++) {
        *all->to[i] = all->list[i].rows;
        if (out->lost == NULL && all->list[i].outcome == SB_RUN_LOST) {
            out->lost = all->list[i].message;
        }
    }
    return SB_OK;
}

/* Returns "NAME=[a,b,...]", n equidistant numbers from `first` to `last`; NULL when out of memory. */
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

static int add_probes(sb_context *ctx, sb_arena *arena, sb_card_data *out, runs *all) {
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
                   ? add_run(ctx, arena, "amplification", options, sys, out->stepper, &out->probes[k].rows, all)
                   : SB_OK);
    }
    return SB_OK;
}

/* Cells are evaluated at their middles. */
static int add_map(sb_context *ctx, sb_arena *arena, sb_card_data *out, runs *all) {
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
    const char *options;
    SB_PRINT(arena, options, "%s%s", h, gamma);
    return add_run(ctx, arena, "amplification", options, sys, out->stepper, &out->map, all);
}

/* Returns whether the problem is the first of its family, and sets *before to the number of families before it. */
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

/* Begins the evaluation of a problem; a large one is tried if it is named. */
static int begin(sb_context *ctx, sb_arena *arena, const char *problem, bool named, const char *stepper,
                 sb_evaluation *out) {
    sb_system *sys;
    SB_NEW(arena, sys, 1);
    SB_TRY(sb_system_build(ctx, arena, problem, 0, NULL, sys));
    SB_TRY(sb_evaluation_begin(ctx, arena, sys, stepper, out));
    if (out->refusal == NULL && !named && sys->n > SB_SMALL_COORDINATES) {
        out->refusal = "not tried: it has more than 9 coordinates; compare tries it";
    }
    return SB_OK;
}

/* Decides on which problems the energy is shown: where the potential or the constraints depend on time, no method
 * conserves it. */
static int add_energies(sb_context *ctx, sb_arena *arena, bool named, sb_card_role role, sb_card_data *out, runs *all) {
    for (int i = 0; i < out->problems; i++) {
        int before;
        sb_evaluation *j = &out->evaluations[i];
        if (j->untried) {
            j->refusal = "not tried: it had crashed, or not returned, on three problems before";
        }
        out->faults += j->refusal == NULL && j->fault != NULL;
        out->lost = out->lost == NULL ? j->lost : out->lost;
        out->shows[i] = j->refusal == NULL && j->fault == NULL &&
                        (j->pair.sys->flags & (unsigned)(SB_HAS_RHEONOMIC | SB_HAS_TIME_POTENTIAL)) == 0 &&
                        (new_family(out, i, &before) || named);
        if (out->shows[i] && (named || role != SB_CARD_SUBJECT || before < SB_CARD_PANELS)) {
            SB_TRY(add_run(ctx, arena, "energy", "steps=20000", j->pair.sys, out->stepper, &out->energy[i], all));
        }
    }
    return SB_OK;
}

int sb_card_data_make(sb_context *ctx, sb_arena *arena, const char *stepper, int count, const char *const *problems,
                      sb_card_role role, const sb_limits *limits, sb_card_data *out) {
    const sb_registry *registry = ctx->registry;
    const sb_limits further = {.jobs = limits->jobs, .seconds = limits->seconds};
    sb_spec spec;
    runs all = {0};
    *out = (sb_card_data){.stepper = stepper, .problems = count > 0 ? count : registry->count[SB_KIND_PROBLEM]};
    SB_TRY(sb_spec_parse(ctx, arena, SB_KIND_STEPPER, stepper, &spec));
    out->type = (const sb_stepper *)spec.entry;
    const unsigned set = role == SB_CARD_BASELINE ? SB_EVALUATED_BIT(SB_EVALUATED_WORKPREC)
                         : out->type->uncounted   ? SB_EVALUATED_ENGINE
                                                  : SB_EVALUATED_METHOD;
    out->order = sb_stepper_order(out->type, spec.config, 0);
    out->keeps = sb_stepper_keeps(out->type, spec.config);
    SB_NEW(arena, out->evaluations, out->problems);
    SB_NEW(arena, out->energy, out->problems);
    SB_NEW(arena, out->shows, out->problems);
    SB_NEW(arena, all.list, out->problems + SB_PROBES + 1);
    SB_NEW(arena, all.to, out->problems + SB_PROBES + 1);
    for (int i = 0; i < out->problems; i++) {
        const char *problem = count > 0 ? problems[i] : registry->entries[SB_KIND_PROBLEM][i]->name;
        SB_TRY(begin(ctx, arena, problem, count > 0, stepper, &out->evaluations[i]));
    }
    SB_TRY(sb_evaluate(ctx, arena, out->problems, out->evaluations, "auto", set, SB_MOST_FAULTS, limits));
    SB_TRY(add_energies(ctx, arena, count > 0, role, out, &all));
    if (role != SB_CARD_BASELINE && out->faults < SB_MOST_FAULTS) {
        SB_TRY(sb_check_stepper(ctx, arena, stepper, 0, &further, &out->systems));
    }
    if (out->faults == 0) { /* the stability of a stepper that crashes is of no interest */
        SB_TRY(add_probes(ctx, arena, out, &all));
        SB_TRY(role != SB_CARD_BASELINE ? add_map(ctx, arena, out, &all) : SB_OK);
    }
    return run_all(ctx, arena, &further, &all, out);
}
