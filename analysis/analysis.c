/* Registers the analyses, and runs one on every pair of a list of problems and a list of steppers. */
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/row.h"
#include "core/run/build.h"

#define SB_ANALYSIS(name) extern const sb_analysis sb_analysis_##name;
#include "analysis/list.def"
#undef SB_ANALYSIS

int sb_analyses_register(sb_registry *registry) {
#define SB_ANALYSIS(name) SB_TRY(sb_registry_add(registry, SB_KIND_ANALYSIS, &sb_analysis_##name.entry));
#include "analysis/list.def"
#undef SB_ANALYSIS
    return SB_OK;
}

int sb_pair_build(sb_context *ctx, sb_arena *arena, const sb_system *sys, const char *stepper, sb_pair *out) {
    sb_spec spec;
    SB_TRY(sb_spec_parse(ctx, arena, SB_KIND_STEPPER, stepper, &spec));
    *out = (sb_pair){sys->name, spec.text, sys, (const sb_stepper *)spec.entry, spec.config};
    return SB_OK;
}

int sb_pair_run(sb_context *ctx, sb_arena *arena, const sb_pair *pair, double h, long steps, sb_observer observe,
                void *arg) {
    sb_method method = {0};
    sb_run run = {.h = h, .steps = steps, .every = 1};
    SB_TRY(sb_method_init(ctx, arena, pair->type, pair->config, pair->sys, &method));
    return sb_run_method(&method, &run, observe, arg);
}

/* A problem of the product. */
typedef struct candidate {
    sb_system sys;
    const char *unfit; /* why the system could not be built, NULL if it could */
    const void *config;
    const char *measured; /* options in `config` that were measured on the system, NULL: none */
} candidate;

/* Copies the message of a failure that becomes a row. */
static int keep_message(sb_context *ctx, sb_arena *arena, const char **out) {
    *out = sb_strdup(arena, ctx->message);
    return *out != NULL ? SB_OK : SB_NO_MEMORY;
}

struct sb_product {
    const sb_analysis *analysis;
    const void *config;
    sb_call call;
    candidate *problems;
    const char **refusal; /* for each pair: why it cannot be run, NULL if it can */
};

/* Builds the system of a problem. A system that cannot be built, or that lacks what the analysis needs, is unfit. */
static int build_system(sb_context *ctx, sb_arena *arena, const sb_product *product, const sb_spec *spec,
                        candidate *out) {
    const sb_analysis *analysis = product->analysis;
    int status = sb_system_make(ctx, arena, spec, &product->call.formulations, &out->sys);
    const unsigned lacking = analysis->needs & ~out->sys.flags;
    if (status == SB_OK && lacking != 0) {
        const char *offer = sb_offer_meaning(lacking);
        status = sb_fail(ctx, SB_UNSUPPORTED, "%s cannot be run on %s: it needs %s", analysis->entry.name, spec->text,
                         offer[0] != '\0' ? offer : sb_feature_meaning(lacking));
    }
    return status == SB_UNSUPPORTED ? keep_message(ctx, arena, &out->unfit) : status;
}

/* Sets the options of a problem: those of the call, or a copy with those that are measured on its system. */
static int set_options(sb_context *ctx, sb_arena *arena, const sb_product *product, candidate *c) {
    const sb_analysis *analysis = product->analysis;
    char *own;
    c->config = product->config;
    if (analysis->measure == NULL || c->unfit != NULL) {
        return SB_OK;
    }
    SB_NEW(arena, own, analysis->entry.config_size);
    c->config = memcpy(own, product->config, analysis->entry.config_size);
    return analysis->measure(ctx, arena, &c->sys, own, &c->measured);
}

/* Returns the problem of pair k. */
static const candidate *problem_of(const sb_product *product, int k) {
    return &product->problems[k / product->call.steppers.count];
}

/* Returns whether the user named both the problem and the stepper of pair k. */
static bool named(const sb_product *product, int k) {
    const int n = product->call.steppers.count;
    return product->call.problems.list[k / n].glob == NULL && product->call.steppers.list[k % n].glob == NULL;
}

/* Checks one pair. Fails with SB_UNSUPPORTED if it does not fit, with SB_BAD_USAGE if its options are invalid. */
static int check_pair(sb_context *ctx, const sb_product *product, int k) {
    const sb_analysis *analysis = product->analysis;
    const candidate *problem = problem_of(product, k);
    const sb_pair pair = sb_product_pair(product, k);
    if (problem->unfit != NULL) {
        return sb_fail(ctx, SB_UNSUPPORTED, "%s", problem->unfit);
    }
    const char *refusal = sb_analysis_refusal(analysis, pair.type);
    if (refusal != NULL) {
        return sb_fail(ctx, SB_UNSUPPORTED, "%s does not take %s: %s", analysis->entry.name, pair.stepper, refusal);
    }
    if (analysis->steps == NULL || analysis->steps(problem->config)) {
        SB_TRY(sb_stepper_check(ctx, pair.type, pair.sys));
    }
    return sb_analysis_check_pair(ctx, analysis, problem->config, &pair);
}

/* Keeps the reasons why pairs cannot be run. Fails if no pair can be run and one of them was named or its options are
 * invalid. */
static int check_pairs(sb_context *ctx, sb_arena *arena, sb_product *product) {
    const int count = sb_product_count(product);
    int fitting = 0, failed = SB_OK;
    const char *why = "";
    SB_NEW(arena, product->refusal, count);
    for (int k = 0; k < count; k++) {
        const int status = check_pair(ctx, product, k);
        if (status == SB_OK) {
            fitting++;
            continue;
        }
        if (status != SB_UNSUPPORTED && status != SB_BAD_USAGE) {
            return status;
        }
        SB_TRY(keep_message(ctx, arena, &product->refusal[k]));
        if (failed == SB_OK && (status == SB_BAD_USAGE || named(product, k))) {
            failed = status;
            why = product->refusal[k];
        }
    }
    return failed == SB_OK || fitting > 0 ? SB_OK : sb_fail(ctx, failed, "%s", why);
}

/* Sets the specifications to the default of the analysis (NULL: all) if the call has none. */
static int set_default(sb_context *ctx, sb_arena *arena, sb_kind kind, const char *text, sb_specs *specs) {
    const char *const name = text != NULL ? text : "*";
    return specs->count > 0 ? SB_OK : sb_specs_parse(ctx, arena, kind, 1, &name, specs);
}

int sb_product_new(sb_context *ctx, sb_arena *arena, const sb_analysis *analysis, const void *config,
                   const sb_call *call, sb_product **out) {
    sb_product *product;
    SB_NEW(arena, product, 1);
    *product = (sb_product){.analysis = analysis, .config = config, .call = *call};
    SB_TRY(set_default(ctx, arena, SB_KIND_PROBLEM, analysis->default_problem, &product->call.problems));
    SB_TRY(set_default(ctx, arena, SB_KIND_STEPPER, analysis->default_stepper, &product->call.steppers));
    for (int j = 0; j < product->call.steppers.count && call->steppers.count == 0; j++) {
        product->call.steppers.list[j].glob =
            analysis->default_stepper != NULL ? analysis->default_stepper : "*"; /* not named by the user */
    }
    const sb_specs *problems = &product->call.problems;
    SB_NEW(arena, product->problems, problems->count);
    for (int i = 0; i < problems->count; i++) {
        SB_TRY(build_system(ctx, arena, product, &problems->list[i], &product->problems[i]));
        SB_TRY(set_options(ctx, arena, product, &product->problems[i]));
    }
    *out = product;
    return check_pairs(ctx, arena, product);
}

const sb_call *sb_product_call(const sb_product *product) { return &product->call; }

const char *sb_product_measured(const sb_product *product, int i) { return product->problems[i].measured; }

int sb_product_count(const sb_product *product) { return product->call.problems.count * product->call.steppers.count; }

sb_pair sb_product_pair(const sb_product *product, int k) {
    const int n = product->call.steppers.count;
    const candidate *p = problem_of(product, k);
    const sb_spec *s = &product->call.steppers.list[k % n];
    return (sb_pair){p->unfit == NULL ? p->sys.name : product->call.problems.list[k / n].text, s->text, &p->sys,
                     (const sb_stepper *)s->entry, s->config};
}

int sb_product_run(sb_context *ctx, const sb_product *product, int k, const sb_pair *pair, sb_sink *out) {
    const char *refusal = product->refusal[k];
    if (refusal != NULL) {
        SB_TRY(sb_row_not_run(product->analysis, pair, refusal, out));
        return named(product, k) ? sb_fail(ctx, SB_UNSUPPORTED, "%s", refusal) : SB_OK;
    }
    int failed = SB_OK;
    SB_TRY(
        sb_row_go_on(sb_analysis_run_pair(ctx, product->analysis, problem_of(product, k)->config, pair, out), &failed));
    if (!named(product, k) || failed == SB_OK) {
        return SB_OK;
    }
    return ctx->message[0] != '\0'
               ? failed /* the message may have been cleared by later steps */
               : sb_fail(ctx, failed, "%s of %s on %s: some rows have no result; their status says why",
                         product->analysis->entry.name, pair->stepper, pair->problem);
}

int sb_analysis_run(sb_context *ctx, const char *name, const char *options, int nproblems, const char *const *problems,
                    int nformulations, const char *const *formulations, int nsteppers, const char *const *steppers,
                    sb_sink *out) {
    const sb_entry *entry = sb_registry_find(ctx, SB_KIND_ANALYSIS, name);
    const sb_analysis *analysis = (const sb_analysis *)entry;
    sb_call call;
    sb_product *product;
    char *config;
    if (entry == NULL) {
        return SB_BAD_USAGE;
    }
    SB_SCRATCH(arena, ctx);
    SB_NEW(&arena, config, entry->config_size);
    SB_TRY(sb_config_parse(ctx, &arena, entry, options, config));
    SB_TRY(sb_specs_parse(ctx, &arena, SB_KIND_PROBLEM, nproblems, problems, &call.problems));
    SB_TRY(sb_specs_parse(ctx, &arena, SB_KIND_FORMULATION, nformulations, formulations, &call.formulations));
    SB_TRY(sb_specs_parse(ctx, &arena, SB_KIND_STEPPER, nsteppers, steppers, &call.steppers));
    SB_TRY(sb_product_new(ctx, &arena, analysis, config, &call, &product));
    int status = out->begin(out, analysis->ncolumns, analysis->columns), failed = SB_OK;
    const char *why = "";
    for (int k = 0; k < sb_product_count(product) && status == SB_OK; k++) {
        int result = SB_OK;
        const sb_pair pair = sb_product_pair(product, k);
        status = sb_row_go_on(sb_product_run(ctx, product, k, &pair, out), &result);
        if (result != SB_OK) {
            failed = result;
            status = keep_message(ctx, &arena, &why);
        }
    }
    if (status != SB_OK) {
        out->abandon(out);
        return status;
    }
    SB_TRY(out->end(out));
    return failed == SB_OK ? SB_OK : sb_fail(ctx, failed, "%s", why);
}
