/* Registers the analyses and runs one over the product of problems and steppers. */
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
    const sb_entry *entry;
    const char *options;
    SB_TRY(sb_spec_find(ctx, arena, SB_KIND_STEPPER, stepper, &entry, &options));
    void *config = sb_alloc(arena, 1, entry->config_size);
    if (config == NULL) {
        return SB_NO_MEMORY;
    }
    *out = (sb_pair){sys->name, stepper, sys, (const sb_stepper *)entry, config};
    return sb_config_parse(ctx, arena, entry, options, config);
}

/* One entry of the product's sides: a specification without globs, and whether the user named it outright. */
typedef struct choice {
    const sb_entry *entry;
    const char *spec, *options;
    bool named;
    sb_system sys;     /* problems */
    void *config;      /* steppers */
    const char *unfit; /* why the system could not be built, NULL if it could */
} choice;

typedef struct choices {
    int count;
    choice *list;
} choices;

static bool is_glob(const char *name) {
    return strpbrk(name, "*?[") != NULL;
}

/* "name:options" with the name part replaced. */
static char *respell(sb_arena *arena, const char *name, const char *options) {
    const size_t n = strlen(name), k = strlen(options);
    char *spec = sb_alloc(arena, n + k + 2, 1);
    if (spec != NULL) {
        memcpy(spec, name, n);
        if (k > 0) {
            spec[n] = ':';
            memcpy(spec + n + 1, options, k);
        }
    }
    return spec;
}

static int add_matches(sb_context *ctx, sb_arena *arena, sb_kind kind, const char *glob, const char *options, choices *out) {
    const int before = out->count;
    const sb_entry *entry;
    for (int i = 0; (entry = sb_registry_match(ctx->registry, kind, glob, i)) != NULL; i++) {
        const char *spec = respell(arena, entry->name, options);
        if (spec == NULL) {
            return SB_NO_MEMORY;
        }
        out->list[out->count++] = (choice){.entry = entry, .spec = spec, .options = options};
    }
    if (out->count == before) {
        return sb_fail(ctx, SB_BAD_USAGE, "no %s matches \"%s\"; `stepbench list %s` names them all", sb_kind_name[kind], glob,
                       sb_kind_plural[kind]);
    }
    return SB_OK;
}

static int expand(sb_context *ctx, sb_arena *arena, sb_kind kind, int count, const char *const *specs, choices *out) {
    SB_NEW(arena, out->list, (size_t)count * (size_t)(ctx->registry->count[kind] + 1));
    for (int i = 0; i < count; i++) {
        char *name = sb_strdup(arena, specs[i]);
        if (name == NULL) {
            return SB_NO_MEMORY;
        }
        char *colon = strchr(name, ':');
        const char *options = "";
        if (colon != NULL) {
            *colon = '\0';
            options = colon + 1;
        }
        if (is_glob(name)) {
            SB_TRY(add_matches(ctx, arena, kind, name, options, out));
            continue;
        }
        const sb_entry *entry = sb_registry_find(ctx, kind, name);
        if (entry == NULL) {
            return SB_BAD_USAGE;
        }
        out->list[out->count++] = (choice){.entry = entry, .spec = specs[i], .options = options, .named = true};
    }
    return SB_OK;
}

/* Keeps the context's sentence: a failure that becomes a row. */
static int keep_message(sb_context *ctx, sb_arena *arena, const char **out) {
    *out = sb_strdup(arena, ctx->message);
    return *out != NULL ? SB_OK : SB_NO_MEMORY;
}

static int build_systems(sb_context *ctx, sb_arena *arena, const sb_analysis *analysis, int nformulations, const char *const *formulations,
                         choices *problems) {
    for (int i = 0; i < problems->count; i++) {
        choice *c = &problems->list[i];
        int status = sb_system_build(ctx, arena, c->spec, nformulations, formulations, &c->sys);
        if (status == SB_OK && (analysis->needs & ~c->sys.flags) != 0) {
            const unsigned lacking = analysis->needs & ~c->sys.flags;
            const char *offer = sb_offer_meaning(lacking);
            status = sb_fail(ctx, SB_UNSUPPORTED, "%s cannot be run on %s: it needs %s", analysis->entry.name, c->spec,
                             offer[0] != '\0' ? offer : sb_feature_meaning(lacking));
        }
        if (status == SB_UNSUPPORTED && !c->named) {
            SB_TRY(keep_message(ctx, arena, &c->unfit));
        } else if (status != SB_OK) {
            return status;
        }
    }
    return SB_OK;
}

static int parse_steppers(sb_context *ctx, sb_arena *arena, choices *steppers) {
    for (int i = 0; i < steppers->count; i++) {
        choice *c = &steppers->list[i];
        c->config = sb_alloc(arena, 1, c->entry->config_size);
        if (c->config == NULL) {
            return SB_NO_MEMORY;
        }
        SB_TRY(sb_config_parse(ctx, arena, c->entry, c->options, c->config));
    }
    return SB_OK;
}

/* Pairs named outright must fit; said before anything is run. */
static int check_named(sb_context *ctx, const choices *problems, const choices *steppers) {
    for (int i = 0; i < problems->count; i++) {
        for (int j = 0; j < steppers->count; j++) {
            const choice *p = &problems->list[i], *s = &steppers->list[j];
            if (p->named && s->named && p->unfit == NULL) {
                SB_TRY(sb_stepper_check(ctx, (const sb_stepper *)s->entry, &p->sys));
            }
        }
    }
    return SB_OK;
}

struct sb_product {
    const sb_analysis *analysis;
    const void *config;
    choices problems, steppers;
};

/* Why the system of pair k could not be built; NULL if it could. */
static const char *unfit(const sb_product *product, int k) {
    return product->problems.list[k / product->steppers.count].unfit;
}

static int check_options(sb_context *ctx, const sb_product *product) {
    for (int k = 0; k < sb_product_count(product) && product->analysis->check != NULL; k++) {
        const sb_pair pair = sb_product_pair(product, k);
        if (unfit(product, k) == NULL && sb_stepper_check(ctx, pair.type, pair.sys) == SB_OK) {
            SB_TRY(product->analysis->check(ctx, product->config, &pair));
        }
    }
    return SB_OK;
}

int sb_product_new(sb_context *ctx, sb_arena *arena, const sb_analysis *analysis, const void *config, const sb_call *call,
                   sb_product **out) {
    static const char *const all = "*";
    const char *const problem = analysis->default_problem != NULL ? analysis->default_problem : all;
    const char *const stepper = analysis->default_stepper != NULL ? analysis->default_stepper : all;
    sb_product *product;
    SB_NEW(arena, product, 1);
    product->analysis = analysis;
    product->config = config;
    choices *ps = &product->problems, *ss = &product->steppers;
    SB_TRY(call->nproblems > 0 ? expand(ctx, arena, SB_KIND_PROBLEM, call->nproblems, call->problems, ps)
                               : expand(ctx, arena, SB_KIND_PROBLEM, 1, &problem, ps));
    SB_TRY(call->nsteppers > 0 ? expand(ctx, arena, SB_KIND_STEPPER, call->nsteppers, call->steppers, ss)
                               : expand(ctx, arena, SB_KIND_STEPPER, 1, &stepper, ss));
    for (int j = 0; j < ss->count && call->nsteppers == 0; j++) {
        ss->list[j].named = false; /* the user didn't */
    }
    SB_TRY(build_systems(ctx, arena, analysis, call->nformulations, call->formulations, ps));
    SB_TRY(parse_steppers(ctx, arena, ss));
    SB_TRY(check_named(ctx, ps, ss));
    *out = product;
    return check_options(ctx, product);
}

int sb_product_count(const sb_product *product) {
    return product->problems.count * product->steppers.count;
}

sb_pair sb_product_pair(const sb_product *product, int k) {
    const choice *p = &product->problems.list[k / product->steppers.count], *s = &product->steppers.list[k % product->steppers.count];
    return (sb_pair){p->unfit == NULL ? p->sys.name : p->spec, s->spec, &p->sys, (const sb_stepper *)s->entry, s->config};
}

int sb_product_run(sb_context *ctx, const sb_product *product, int k, const sb_pair *pair, sb_sink *out) {
    if (unfit(product, k) != NULL) {
        return sb_row_failure(product->analysis, pair, 0.0, SB_OK, unfit(product, k), out);
    }
    const int status = sb_stepper_check(ctx, pair->type, pair->sys);
    if (status == SB_UNSUPPORTED) {
        return sb_row_failure(product->analysis, pair, 0.0, SB_OK, ctx->message, out);
    }
    SB_TRY(status);
    int failed = SB_OK;
    SB_TRY(sb_row_go_on(product->analysis->run(ctx, product->config, pair, out), &failed));
    const bool named = product->problems.list[k / product->steppers.count].named && product->steppers.list[k % product->steppers.count].named;
    if (!named || failed == SB_OK) {
        return SB_OK;
    }
    return ctx->message[0] != '\0' ? failed /* the sentence may be gone after steps that went well */
                                   : sb_fail(ctx, failed, "%s of %s on %s: some rows have no result; their status says why", product->analysis->entry.name, pair->stepper, pair->problem);
}

static int run_all(sb_context *ctx, sb_arena *arena, const sb_analysis *analysis, const void *config, const sb_call *call, sb_sink *out) {
    sb_product *product;
    SB_TRY(sb_product_new(ctx, arena, analysis, config, call, &product));
    int status = out->begin(out, analysis->ncolumns, analysis->columns), failed = SB_OK;
    const char *why = "";
    for (int k = 0; k < sb_product_count(product) && status == SB_OK; k++) {
        int result = SB_OK;
        const sb_pair pair = sb_product_pair(product, k);
        status = sb_row_go_on(sb_product_run(ctx, product, k, &pair, out), &result);
        if (result != SB_OK) {
            failed = result;
            status = keep_message(ctx, arena, &why);
        }
    }
    if (status != SB_OK) {
        out->abandon(out);
        return status;
    }
    SB_TRY(out->end(out));
    return failed == SB_OK ? SB_OK : sb_fail(ctx, failed, "%s", why);
}

int sb_analysis_run(sb_context *ctx, const char *analysis, const char *options, int nproblems, const char *const *problems, int nformulations,
                    const char *const *formulations, int nsteppers, const char *const *steppers, sb_sink *out) {
    const sb_entry *entry = sb_registry_find(ctx, SB_KIND_ANALYSIS, analysis);
    if (entry == NULL) {
        return SB_BAD_USAGE;
    }
    sb_arena arena;
    sb_arena_init(&arena, ctx);
    void *config = sb_alloc(&arena, 1, entry->config_size);
    int status = config == NULL ? SB_NO_MEMORY : sb_config_parse(ctx, &arena, entry, options, config);
    if (status == SB_OK) {
        const sb_call call = {nproblems, nformulations, nsteppers, problems, formulations, steppers};
        status = run_all(ctx, &arena, (const sb_analysis *)entry, config, &call, out);
    }
    sb_arena_free(&arena);
    return status;
}
