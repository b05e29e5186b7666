/* Registers the analyses, and runs one on every pair of a list of problems and a list of steppers. */
#include <limits.h>
#include <string.h>

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
    *out = (sb_pair){sys->name, spec.text, sys, (const sb_stepper *)spec.entry, spec.config, NULL, NULL};
    return SB_OK;
}

int sb_pair_run(sb_context *ctx, sb_arena *arena, const sb_pair *pair, double h, long steps, sb_observer observe,
                void *arg) {
    sb_method method = {0};
    sb_run run = {.h = h, .steps = steps, .every = 1};
    SB_TRY(sb_method_init(ctx, arena, pair->type, pair->config, pair->sys, &method));
    return sb_run_method(&method, &run, observe, arg);
}

/* So many problems are built once, and the processes of their pairs inherit their systems. Those of more problems are
 * built again where they are needed, because thousands would fill the memory. The same limit holds for the systems,
 * members of ensembles included, whose references are shared. */
enum { KEPT = 64 };

/* A problem of the product. */
typedef struct candidate {
    const sb_system *sys; /* NULL if it is built again */
    const char *name;     /* of the system */
    sb_scalar time_scale, period;
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
    const char **refusal;      /* for each pair: why it cannot be run, NULL if it can */
    sb_references *references; /* for each system; NULL: there are too many */
};

/* Builds the system of a problem. A system that cannot be built, or that lacks what the analysis needs, is unfit. */
static int build_system(sb_context *ctx, sb_arena *arena, const sb_product *product, const sb_spec *spec,
                        sb_system *sys, const char **unfit) {
    const sb_analysis *analysis = product->analysis;
    int status = sb_system_make(ctx, arena, spec, &product->call.formulations, sys);
    status = status == SB_OK ? sb_ensemble_check(ctx, &product->call.ensemble, spec, sys) : status;
    const unsigned lacking = analysis->needs & ~sys->flags;
    if (status == SB_OK && lacking != 0) {
        const char *offer = sb_offer_meaning(lacking);
        status = sb_fail(ctx, SB_UNSUPPORTED, "%s cannot be run on %s: it needs %s", analysis->entry.name, spec->text,
                         offer[0] != '\0' ? offer : sb_feature_meaning(lacking));
    }
    return status == SB_UNSUPPORTED ? keep_message(ctx, arena, unfit) : status;
}

/* Sets the options of a problem: those of the call, or a copy with those that are measured on its system. */
static int set_options(sb_context *ctx, sb_arena *arena, const sb_product *product, const sb_system *sys,
                       candidate *c) {
    const sb_analysis *analysis = product->analysis;
    char *own;
    c->config = product->config;
    if (analysis->measure == NULL || c->unfit != NULL) {
        return SB_OK;
    }
    SB_NEW(arena, own, analysis->entry.config_size);
    c->config = memcpy(own, product->config, analysis->entry.config_size);
    return analysis->measure(ctx, arena, sys, own, &c->measured);
}

/* Returns the number of runs of a pair. */
static int runs_of(const sb_product *product) {
    return product->call.ensemble.members > 0 ? (int)product->call.ensemble.members : 1;
}

/* Return the numbers of the pair, of the problem and of the stepper of run k. */
static int pair_of(const sb_product *product, int k) { return k / runs_of(product); }
static int problem_of(const sb_product *product, int k) { return pair_of(product, k) / product->call.steppers.count; }
static int stepper_of(const sb_product *product, int k) { return pair_of(product, k) % product->call.steppers.count; }

/* Returns whether the user named both the problem and the stepper of run k. */
static bool named(const sb_product *product, int k) {
    return product->call.problems.list[problem_of(product, k)].glob == NULL &&
           product->call.steppers.list[stepper_of(product, k)].glob == NULL;
}

/* Checks one pair. Fails with SB_UNSUPPORTED if it does not fit, with SB_BAD_USAGE if its options are invalid. The
 * message names the steppers that take the problem, unless an earlier one does: *advised. */
static int check_pair(sb_context *ctx, const sb_product *product, const candidate *problem, const sb_pair *pair,
                      bool *advised) {
    const sb_analysis *analysis = product->analysis;
    if (problem->unfit != NULL) {
        return sb_fail(ctx, SB_UNSUPPORTED, "%s", problem->unfit);
    }
    const char *refusal = sb_analysis_refusal(analysis, pair->type);
    if (refusal != NULL) {
        return sb_fail(ctx, SB_UNSUPPORTED, "%s does not take %s: %s", analysis->entry.name, pair->stepper, refusal);
    }
    if (analysis->steps == NULL || analysis->steps(problem->config)) {
        const int fits = sb_stepper_refusal(ctx, pair->type, pair->sys, !*advised);
        *advised = *advised || fits == SB_UNSUPPORTED;
        SB_TRY(fits);
    }
    return sb_analysis_check_pair(ctx, analysis, problem->config, pair);
}

/* What the checks of the pairs have found. */
typedef struct verdict {
    int fitting, failed;
    const char *why; /* of the first failure of a named pair or an option */
} verdict;

/* Keeps the reasons why pairs of problem i cannot be run. */
static int check_pairs(sb_context *ctx, sb_arena *arena, sb_product *product, int i, const sb_system *sys,
                       verdict *found) {
    const int n = product->call.steppers.count, runs = runs_of(product);
    bool advised = false;
    for (int j = 0; j < n; j++) {
        const int k = (i * n + j) * runs;
        sb_pair pair = sb_product_pair(product, k);
        pair.sys = sys;
        const int status = check_pair(ctx, product, &product->problems[i], &pair, &advised);
        if (status == SB_OK) {
            found->fitting++;
            continue;
        }
        if (status != SB_UNSUPPORTED && status != SB_BAD_USAGE) {
            return status;
        }
        SB_TRY(keep_message(ctx, arena, &product->refusal[i * n + j]));
        if (found->failed == SB_OK && (status == SB_BAD_USAGE || named(product, k))) {
            found->failed = status;
            found->why = product->refusal[i * n + j];
        }
    }
    return SB_OK;
}

/* Builds problem i and checks its pairs. */
static int add_problem(sb_context *ctx, sb_arena *arena, sb_product *product, int i, verdict *found) {
    const bool kept = product->call.problems.count <= KEPT;
    const sb_spec *spec = &product->call.problems.list[i];
    candidate *c = &product->problems[i];
    sb_system *sys;
    SB_SCRATCH(scratch, ctx);
    sb_arena *place = kept ? arena : &scratch;
    SB_NEW(place, sys, 1);
    SB_TRY(build_system(ctx, place, product, spec, sys, &c->unfit));
    c->sys = kept ? sys : NULL;
    c->name = sb_strdup(arena, c->unfit == NULL ? sys->name : spec->text);
    SB_TRY(c->name != NULL ? SB_OK : SB_NO_MEMORY);
    c->time_scale = sys->time_scale;
    c->period = sys->period;
    SB_TRY(set_options(ctx, arena, product, sys, c));
    return check_pairs(ctx, arena, product, i, sys, found);
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
    const int count = product->call.problems.count;
    verdict found = {.why = ""};
    SB_NEW(arena, product->problems, count);
    SB_NEW(arena, product->refusal, (size_t)count * (size_t)product->call.steppers.count);
    if ((double)count * product->call.steppers.count * runs_of(product) > INT_MAX) {
        return sb_fail(ctx, SB_BAD_USAGE, "%s: more than %d runs: fewer members or pairs are needed",
                       analysis->entry.name, INT_MAX);
    }
    for (int i = 0; i < count; i++) {
        SB_TRY(add_problem(ctx, arena, product, i, &found));
    }
    const int systems = count * runs_of(product);
    if (systems <= KEPT) {
        SB_NEW(arena, product->references, systems);
    }
    for (int i = 0; i < systems && product->references != NULL; i++) {
        product->references[i].arena = arena;
    }
    *out = product;
    return found.failed == SB_OK || found.fitting > 0 ? SB_OK : sb_fail(ctx, found.failed, "%s", found.why);
}

const sb_call *sb_product_call(const sb_product *product) { return &product->call; }

const char *sb_product_measured(const sb_product *product, int i) { return product->problems[i].measured; }

int sb_analysis_columns(const sb_analysis *analysis, const sb_ensemble *ensemble, sb_arena *arena, int *count,
                        const sb_column **columns) {
    *count = analysis->ncolumns;
    *columns = analysis->columns;
    return ensemble->members > 0 ? sb_ensemble_columns(arena, analysis->ncolumns, analysis->columns, count, columns)
                                 : SB_OK;
}

int sb_product_count(const sb_product *product) {
    return product->call.problems.count * product->call.steppers.count * runs_of(product);
}

sb_pair sb_product_pair(const sb_product *product, int k) {
    const candidate *p = &product->problems[problem_of(product, k)];
    const sb_spec *s = &product->call.steppers.list[stepper_of(product, k)];
    return (sb_pair){.problem = p->name,
                     .stepper = s->text,
                     .sys = product->call.ensemble.members == 0 ? p->sys : NULL,
                     .type = (const sb_stepper *)s->entry,
                     .config = s->config,
                     .references =
                         product->references != NULL
                             ? &product->references[problem_of(product, k) * runs_of(product) + k % runs_of(product)]
                             : NULL};
}

/* Builds the system of run k in the arena; *pair is that of sb_product_pair. */
static int build_run(sb_context *ctx, sb_arena *arena, const sb_product *product, int k, sb_pair *pair) {
    const sb_call *call = &product->call;
    const int i = problem_of(product, k);
    const candidate *c = &product->problems[i];
    const sb_system like = {.name = c->name, .time_scale = c->time_scale, .period = c->period};
    sb_system *sys;
    sb_member *member;
    SB_NEW(arena, sys, 1);
    SB_NEW(arena, member, 1);
    *member = (sb_member){&call->ensemble, k % runs_of(product)};
    pair->sys = sys;
    pair->member = call->ensemble.members > 0 ? member : NULL;
    return pair->member == NULL
               ? sb_system_make(ctx, arena, &call->problems.list[i], &call->formulations, sys)
               : sb_member_system(ctx, arena, member, &call->problems.list[i], &call->formulations, &like, sys);
}

/* Writes the rows of a pair that can be run. A member that cannot be built has a row with the reason. */
static int run_pair(sb_context *ctx, const sb_product *product, int k, const sb_pair *pair, sb_sink *out) {
    sb_pair built = *pair;
    SB_SCRATCH(arena, ctx);
    if (pair->sys == NULL) {
        const int status = build_run(ctx, &arena, product, k, &built);
        if (sb_failure_is_result(status)) {
            SB_TRY(sb_row_not_run(product->analysis, pair, sb_failure_text(ctx, status), out));
        }
        SB_TRY(status);
    }
    return sb_analysis_run_pair(ctx, product->analysis, product->problems[problem_of(product, k)].config, &built, out);
}

int sb_product_run(sb_context *ctx, const sb_product *product, int k, const sb_pair *pair, sb_sink *out) {
    const char *refusal = product->refusal[pair_of(product, k)];
    if (refusal != NULL) {
        SB_TRY(sb_row_not_run(product->analysis, pair, refusal, out));
        return named(product, k) ? sb_fail(ctx, SB_UNSUPPORTED, "%s", refusal) : SB_OK;
    }
    int failed = SB_OK;
    SB_TRY(sb_row_go_on(run_pair(ctx, product, k, pair, out), &failed));
    if (!named(product, k) || failed == SB_OK) {
        return SB_OK;
    }
    return ctx->message[0] != '\0'
               ? failed /* the message may have been cleared by later steps */
               : sb_fail(ctx, failed, "%s of %s on %s: some rows have no result; their status says why",
                         product->analysis->entry.name, pair->stepper, pair->problem);
}

void sb_product_rows_open(sb_context *ctx, const sb_product *product, sb_sink *out, sb_product_rows *me) {
    const sb_analysis *analysis = product->analysis;
    *me = (sb_product_rows){.members = product->call.ensemble.members, .out = out};
    if (me->members > 0) {
        sb_ensemble_open(ctx, me->members, analysis->ncolumns, analysis->columns, out, &me->ensemble);
    }
}

sb_sink *sb_product_rows_sink(sb_product_rows *me) { return me->members > 0 ? &me->ensemble.sink : me->out; }

int sb_product_rows_end(sb_product_rows *me, int k) {
    return me->members > 0 && (k + 1) % me->members == 0 ? sb_ensemble_write(&me->ensemble) : SB_OK;
}

void sb_product_rows_close(sb_product_rows *me) {
    if (me->members > 0) {
        sb_ensemble_close(&me->ensemble);
    }
}

int sb_analysis_run(sb_context *ctx, const char *name, const char *options, int nproblems, const char *const *problems,
                    int nformulations, const char *const *formulations, int nsteppers, const char *const *steppers,
                    const sb_ensemble *ensemble, sb_sink *out) {
    const sb_entry *entry = sb_registry_find(ctx, SB_KIND_ANALYSIS, name);
    const sb_analysis *analysis = (const sb_analysis *)entry;
    sb_call call = {.ensemble = ensemble != NULL ? *ensemble : (sb_ensemble){0}};
    sb_product *product;
    sb_product_rows members;
    const sb_column *columns;
    int ncolumns;
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
    SB_TRY(sb_analysis_columns(analysis, &call.ensemble, &arena, &ncolumns, &columns));
    SB_TRY(out->begin(out, ncolumns, columns));
    int failed = SB_OK, status = SB_OK;
    sb_product_rows_open(ctx, product, out, &members);
    const char *why = "";
    for (int k = 0; k < sb_product_count(product) && status == SB_OK; k++) {
        int result = SB_OK;
        const sb_pair pair = sb_product_pair(product, k);
        status = sb_row_go_on(sb_product_run(ctx, product, k, &pair, sb_product_rows_sink(&members)), &result);
        status = status == SB_OK ? sb_product_rows_end(&members, k) : status;
        if (result != SB_OK) {
            failed = result;
            status = keep_message(ctx, &arena, &why);
        }
    }
    sb_product_rows_close(&members);
    if (status != SB_OK) {
        out->abandon(out);
        return status;
    }
    SB_TRY(out->end(out));
    return failed == SB_OK ? SB_OK : sb_fail(ctx, failed, "%s", why);
}
