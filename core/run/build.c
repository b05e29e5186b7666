/* From command-line specifications "name:k=v,..." to systems and methods. */
#include <stdio.h>
#include <string.h>

#include "core/run/build.h"
#include "core/base/registry.h"

int sb_spec_find(sb_context *ctx, sb_arena *arena, int kind, const char *spec, const sb_entry **entry, const char **options) {
    char *name = sb_strdup(arena, spec);
    if (name == NULL) {
        return SB_NO_MEMORY;
    }
    char *colon = strchr(name, ':');
    *options = "";
    if (colon != NULL) {
        *colon = '\0';
        *options = colon + 1;
    }
    *entry = sb_registry_find(ctx, (sb_kind)kind, name);
    return *entry == NULL ? SB_BAD_USAGE : SB_OK;
}

/* Finds the entry of `spec` and parses its configuration. */
static int configure(sb_context *ctx, sb_arena *arena, sb_kind kind, const char *spec, const sb_entry **entry, void **config) {
    const char *options;
    SB_TRY(sb_spec_find(ctx, arena, (int)kind, spec, entry, &options));
    *config = sb_alloc(arena, 1, (*entry)->config_size);
    if (*config == NULL) {
        return SB_NO_MEMORY;
    }
    return sb_config_parse(ctx, arena, *entry, options, *config);
}

/* The flags that follow from the callbacks; SB_HAS_SINGULAR_MASS is the problem's own word. */
static unsigned derive_flags(const sb_system *sys) {
    unsigned flags = sys->flags & (unsigned)SB_HAS_SINGULAR_MASS;
    flags |= sys->force.value != NULL ? (unsigned)SB_HAS_FORCE : 0U;
    flags |= sys->holonomic.m > 0 ? (unsigned)SB_HAS_HOLONOMIC : 0U;
    flags |= sys->holonomic.m > 0 && sys->holonomic.degree < 0 ? (unsigned)SB_HAS_CURVED_HOLONOMIC : 0U;
    flags |= sys->nonholonomic.m > 0 ? (unsigned)SB_HAS_NONHOLONOMIC : 0U;
    flags |= sys->contact.m > 0 ? (unsigned)SB_HAS_CONTACT : 0U;
    flags |= sys->contact.k > 0 ? (unsigned)SB_HAS_FRICTION : 0U;
    flags |= sys->inertia.gradient != NULL ? (unsigned)SB_HAS_VARIABLE_MASS : 0U;
    flags |= sys->chart != NULL ? (unsigned)SB_OFFERS_CHART : 0U;
    flags |= sys->rigid != NULL ? (unsigned)SB_OFFERS_RIGID : 0U;
    flags |= sys->exact != NULL ? (unsigned)SB_OFFERS_EXACT : 0U;
    return flags;
}

int sb_system_finish(sb_context *ctx, sb_arena *arena, const char *name, sb_system *sys) {
    sys->name = name;
    if (sys->n < 1 || sys->H.cols != sys->n || sys->inertia.M.cols != sys->n || sys->inertia.mass == NULL || sys->initial == NULL || !(sys->time_scale > 0.0) ||
        (sys->holonomic.m > 0 && (sys->holonomic.G.rows != sys->n || sys->holonomic.G.cols != sys->holonomic.m))) {
        return sb_fail(ctx, SB_BAD_USAGE, "%s is incomplete: a problem sets n, H (n x n), M (n x n), mass, initial, time_scale > 0, and G (n x m) where m > 0", name);
    }
    SB_TRY(sb_contact_check(ctx, sys));
    sys->flags = derive_flags(sys);
    sb_consistency consistency;
    SB_TRY(sb_consistency_init(arena, sys, &consistency));
    double t;
    SB_TRY(sys->initial(sys->self, &t, consistency.q, consistency.v));
    return sb_consistency_check(&consistency, ctx, consistency.q, consistency.v);
}

/* One formulation around *sys, which moves to the arena as the inner system. */
static int reformulate(sb_context *ctx, sb_arena *arena, const char *spec, sb_system *sys) {
    const sb_entry *entry;
    void *config;
    SB_TRY(configure(ctx, arena, SB_KIND_FORMULATION, spec, &entry, &config));
    const sb_formulation *formulation = (const sb_formulation *)entry;
    sb_system *inner;
    SB_NEW(arena, inner, 1);
    *inner = *sys;
    if ((formulation->needs & ~inner->flags) != 0) {
        return sb_fail(ctx, SB_UNSUPPORTED, "-w %s does not fit %s: it needs %s", entry->name, inner->name, sb_offer_meaning(formulation->needs & ~inner->flags));
    }
    if ((formulation->refuses & inner->flags) != 0) {
        return sb_fail(ctx, SB_UNSUPPORTED, "-w %s does not fit %s: it cannot reformulate %s", entry->name, inner->name, sb_feature_meaning(formulation->refuses & inner->flags));
    }
    SB_TRY(formulation->init(ctx, arena, config, inner, sys));
    const size_t size = strlen(spec) + strlen(inner->name) + 3;
    char *name;
    SB_NEW(arena, name, size);
    snprintf(name, size, "%s(%s)", spec, inner->name);
    return sb_system_finish(ctx, arena, name, sys);
}

int sb_system_build(sb_context *ctx, sb_arena *arena, const char *problem, int nformulations, const char *const *formulations, sb_system *out) {
    const sb_entry *entry;
    void *config;
    SB_TRY(configure(ctx, arena, SB_KIND_PROBLEM, problem, &entry, &config));
    *out = (sb_system){0};
    SB_TRY(((const sb_problem *)entry)->init(ctx, arena, config, out));
    const char *name = sb_strdup(arena, problem);
    if (name == NULL) {
        return SB_NO_MEMORY;
    }
    SB_TRY(sb_system_finish(ctx, arena, name, out));
    for (int i = 0; i < nformulations; i++) {
        SB_TRY(reformulate(ctx, arena, formulations[i], out));
    }
    return SB_OK;
}

int sb_method_build(sb_context *ctx, sb_arena *arena, const char *stepper, const sb_system *sys, sb_method *out) {
    const sb_entry *entry;
    void *config;
    SB_TRY(configure(ctx, arena, SB_KIND_STEPPER, stepper, &entry, &config));
    return sb_method_init(ctx, arena, (const sb_stepper *)entry, config, sys, out);
}
