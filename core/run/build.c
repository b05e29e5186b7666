/* Builds systems and methods from specifications. */
#include <stdio.h>
#include <string.h>

#include "core/base/apart.h"
#include "core/base/registry.h"
#include "core/base/surroundings.h"
#include "core/run/build.h"
#include "core/run/completeness.h"
#include "core/run/consistency.h"
#include "core/run/redundancy.h"

/* Returns the flags that follow from the callbacks; the problem itself sets SB_HAS_SINGULAR_MASS, or the start does. */
static unsigned derive_flags(const sb_system *sys) {
    unsigned flags = sys->flags & (unsigned)SB_HAS_SINGULAR_MASS;
    flags |= sys->force.value != NULL ? (unsigned)SB_HAS_FORCE : 0U;
    flags |= sys->holonomic.m > 0 ? (unsigned)SB_HAS_HOLONOMIC : 0U;
    flags |= sys->holonomic.m > 0 && sys->holonomic.degree < 0 ? (unsigned)SB_HAS_CURVED_HOLONOMIC : 0U;
    flags |= sys->holonomic.rate != NULL ? (unsigned)SB_HAS_RHEONOMIC : 0U;
    flags |= sys->potential.rate != NULL ? (unsigned)SB_HAS_TIME_POTENTIAL : 0U;
    flags |= sys->nonholonomic.m > 0 ? (unsigned)SB_HAS_NONHOLONOMIC : 0U;
    flags |= sys->contact.m > 0 ? (unsigned)SB_HAS_CONTACT : 0U;
    flags |= sys->contact.k > 0 ? (unsigned)SB_HAS_FRICTION : 0U;
    flags |= sys->inertia.gradient != NULL ? (unsigned)SB_HAS_VARIABLE_MASS : 0U;
    flags |= sys->chart != NULL ? (unsigned)SB_OFFERS_CHART : 0U;
    flags |= sys->rigid != NULL ? (unsigned)SB_OFFERS_RIGID : 0U;
    flags |= sys->exact != NULL ? (unsigned)SB_OFFERS_EXACT : 0U;
    flags |= sys->potential.springs != NULL ? (unsigned)SB_OFFERS_SPRINGS : 0U;
    flags |= sys->world != NULL ? (unsigned)SB_OFFERS_WORLD : 0U;
    return flags;
}

/* Sets the name and the flags of a system that has every callback its terms need. */
static int describe(sb_context *ctx, const char *name, sb_system *sys) {
    sys->name = name;
    SB_TRY(sb_completeness_check(ctx, sys));
    sys->flags = derive_flags(sys);
    sys->redundant = NULL;
    return SB_OK;
}

/* Returns whether a coordinate has no inertia at the start, and constraints that may prescribe its motion. */
static bool has_massless(const sb_system *sys, const sb_scalar *Mx) {
    bool found = false;
    for (int i = 0; i < sys->n && sb_system_bilateral(sys) > 0; i++) {
        const int at = sb_pattern_find(&sys->inertia.M, i, i);
        found = found || at < 0 || Mx[at] == 0.0;
    }
    return found;
}

int sb_system_finish(sb_context *ctx, sb_arena *arena, const char *name, sb_system *sys) {
    sb_consistency consistency;
    SB_SCRATCH(scratch, ctx);
    SB_TRY(describe(ctx, name, sys));
    SB_TRY(sb_consistency_init(&scratch, sys, &consistency));
    sb_scalar t;
    SB_TRY(sys->initial(sys->self, &t, consistency.q, consistency.v));
    SB_TRY(sb_consistency_check(&consistency, ctx, t, consistency.q, consistency.v));
    SB_TRY(sb_completeness_evaluate(ctx, sys, t, consistency.q, consistency.v, consistency.Mx));
    sys->flags |= has_massless(sys, consistency.Mx) ? (unsigned)SB_HAS_SINGULAR_MASS : 0U;
    return sb_redundancy_find(ctx, arena, t, consistency.q, sys);
}

/* Applies one formulation to *sys, which is moved to the arena as the inner system. */
static int reformulate(sb_context *ctx, sb_arena *arena, const sb_spec *spec, bool checked, sb_system *sys) {
    const sb_entry *entry = spec->entry;
    const sb_formulation *formulation = (const sb_formulation *)entry;
    sb_system *inner;
    SB_NEW(arena, inner, 1);
    *inner = *sys;
    if ((formulation->needs & ~inner->flags) != 0) {
        return sb_fail(ctx, SB_UNSUPPORTED, "-w %s does not fit %s: it needs %s", entry->name, inner->name,
                       sb_offer_meaning(formulation->needs & ~inner->flags));
    }
    const unsigned refused = formulation->refuses & inner->flags;
    if (refused != 0) {
        return sb_fail(ctx, SB_UNSUPPORTED, "-w %s does not fit %s: it cannot reformulate %s", entry->name, inner->name,
                       sb_feature_meaning(refused));
    }
    SB_TRY(formulation->init(ctx, arena, spec->config, inner, sys));
    sys->coordinates = sys->n == inner->n ? sys->coordinates : NULL;
    sys->world = NULL; /* its joints are no longer the constraints of the system */
    const size_t size = strlen(spec->text) + strlen(inner->name) + 3;
    char *name;
    SB_NEW(arena, name, size);
    snprintf(name, size, "%s(%s)", spec->text, inner->name);
    return checked ? sb_system_finish(ctx, arena, name, sys) : describe(ctx, name, sys);
}

int sb_system_reformulate(sb_context *ctx, sb_arena *arena, const char *formulation, const sb_system *sys,
                          sb_system *out) {
    sb_spec spec;
    SB_TRY(sb_spec_parse(ctx, arena, SB_KIND_FORMULATION, formulation, &spec));
    *out = *sys;
    return reformulate(ctx, arena, &spec, true, out);
}

/* What is built. */
typedef struct building {
    sb_context *ctx;
    const sb_spec *problem;
    const sb_specs *formulations;
    bool checked;
    int (*change)(void *arg, sb_system *sys);
    void *change_arg;
    sb_arena *arena;
    sb_system *out;
} building;

static int build(void *arg) {
    const building *b = arg;
    sb_context *ctx = b->ctx;
    *b->out = (sb_system){0};
    SB_TRY(((const sb_problem *)b->problem->entry)->init(ctx, b->arena, b->problem->config, b->out));
    SB_TRY(b->change != NULL ? b->change(b->change_arg, b->out) : SB_OK);
    SB_TRY(b->checked ? sb_system_finish(ctx, b->arena, b->problem->text, b->out)
                      : describe(ctx, b->problem->text, b->out));
    for (int i = 0; i < b->formulations->count; i++) {
        SB_TRY(reformulate(ctx, b->arena, &b->formulations->list[i], b->checked, b->out));
    }
    return SB_OK;
}

/* Returns whether code of a plug-in takes part. */
static bool is_foreign(const building *b) {
    bool foreign = sb_registry_is_foreign(b->ctx->registry, b->problem->entry);
    for (int i = 0; i < b->formulations->count; i++) {
        foreign = foreign || sb_registry_is_foreign(b->ctx->registry, b->formulations->list[i].entry);
    }
    return foreign;
}

static const char remedy[] = "under a sanitizer it says where (docs/adding-a-problem.md)";

/* Adds to the sentence that the system crashed which callbacks get no `self`, where `init` alone does not crash.
 * Returns SB_UNSUPPORTED. */
static int add_selves(building b) {
    char sentence[SB_MESSAGE_MAX], selves[160] = "";
    snprintf(sentence, sizeof sentence, "%s", b.ctx->message);
    b.checked = false;
    if (sb_try_apart(b.ctx, build, &b, 0, SB_UNSUPPORTED, b.problem->text, "built", remedy) == SB_OK &&
        build(&b) == SB_OK) {
        sb_completeness_selves(b.out, selves, sizeof selves);
    }
    return sb_fail(b.ctx, SB_UNSUPPORTED, "%s%s", sentence, selves);
}

/* Builds the system, first in a child process if it is a plug-in's: a crash then costs only the pairs with it. */
static int make(building b) {
    sb_context *ctx = b.ctx;
    sb_surroundings kept;
    if (!is_foreign(&b)) {
        return build(&b);
    }
    const int tried = sb_try_apart(ctx, build, &b, 0, SB_UNSUPPORTED, b.problem->text, "built", remedy);
    if (tried == SB_UNSUPPORTED && b.checked) {
        return add_selves(b);
    }
    SB_TRY(tried);
    sb_surroundings_keep(&kept, ctx->notice != NULL); /* the program has one, a session none */
    const int status = build(&b);
    return sb_surroundings_restore(&kept)
               ? status
               : sb_fail(ctx, SB_BAD_PLUGIN, "%s closes files that it has not opened, while it is built",
                         b.problem->text);
}

int sb_system_make(sb_context *ctx, sb_arena *arena, const sb_spec *problem, const sb_specs *formulations,
                   sb_system *out) {
    return make((building){ctx, problem, formulations, true, NULL, NULL, arena, out});
}

int sb_system_make_from(sb_context *ctx, sb_arena *arena, const sb_spec *problem, const sb_specs *formulations,
                        int (*change)(void *arg, sb_system *sys), void *arg, sb_system *out) {
    return make((building){ctx, problem, formulations, true, change, arg, arena, out});
}

int sb_system_make_unchecked(sb_context *ctx, sb_arena *arena, const sb_spec *problem, const sb_specs *formulations,
                             sb_system *out) {
    return make((building){ctx, problem, formulations, false, NULL, NULL, arena, out});
}

int sb_system_build(sb_context *ctx, sb_arena *arena, const char *problem, int nformulations,
                    const char *const *formulations, sb_system *out) {
    sb_spec spec;
    sb_specs around;
    SB_TRY(sb_spec_parse(ctx, arena, SB_KIND_PROBLEM, problem, &spec));
    SB_TRY(sb_specs_parse(ctx, arena, SB_KIND_FORMULATION, nformulations, formulations, &around));
    return sb_system_make(ctx, arena, &spec, &around, out);
}

int sb_method_build(sb_context *ctx, sb_arena *arena, const char *stepper, const sb_system *sys, sb_method *out) {
    sb_spec spec;
    SB_TRY(sb_spec_parse(ctx, arena, SB_KIND_STEPPER, stepper, &spec));
    return sb_method_init(ctx, arena, (const sb_stepper *)spec.entry, spec.config, sys, out);
}
