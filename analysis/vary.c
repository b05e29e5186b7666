/* A pair with one parameter set to another number. */
#include <stdio.h>
#include <string.h>

#include "analysis/vary.h"
#include "core/run/build.h"

static bool has_param(const sb_entry *entry, const char *name) {
    for (const sb_param *p = entry->params; p != NULL && p->name != NULL; p++) {
        if (strcmp(p->name, name) == 0) {
            return true;
        }
    }
    return false;
}

bool sb_pair_has(sb_context *ctx, const sb_pair *pair, const char *name) {
    const size_t length = strcspn(pair->problem, ":");
    const sb_entry *problem;
    if (has_param(&pair->type->entry, name)) {
        return true;
    }
    for (int i = 0; (problem = sb_registry_match(ctx->registry, SB_KIND_PROBLEM, "*", i)) != NULL; i++) {
        if (strlen(problem->name) == length && strncmp(problem->name, pair->problem, length) == 0) {
            return has_param(problem, name);
        }
    }
    return false;
}

/* Returns the specification without `name` and with name=value added, or NULL when out of memory. */
static const char *respell(sb_arena *arena, const char *spec, const char *name, const char *value) {
    const size_t room = strlen(spec) + strlen(name) + strlen(value) + 4, length = strlen(name);
    char *out = sb_alloc(arena, room, 1), *to = out;
    if (out == NULL) {
        return NULL;
    }
    const char *colon = strchr(spec, ':');
    const size_t head = colon != NULL ? (size_t)(colon - spec) : strlen(spec);
    memcpy(to, spec, head);
    to += head;
    *to++ = ':';
    for (const char *at = colon != NULL ? colon + 1 : ""; *at != '\0';) {
        int depth = 0;
        const char *end = at;
        for (; *end != '\0' && (*end != ',' || depth > 0); end++) {
            depth += (*end == '[') - (*end == ']');
        }
        if (strncmp(at, name, length) != 0 || at[length] != '=') {
            memcpy(to, at, (size_t)(end - at));
            to += end - at;
            *to++ = ',';
        }
        at = *end == ',' ? end + 1 : end;
    }
    snprintf(to, room - (size_t)(to - out), "%s=%s", name, value);
    return out;
}

static int vary_problem(sb_context *ctx, sb_arena *arena, const char *name, const char *value, sb_pair *pair) {
    sb_system *sys = sb_alloc(arena, 1, sizeof *sys);
    const char *spec = respell(arena, pair->problem, name, value);
    if (sys == NULL || spec == NULL) {
        return SB_NO_MEMORY;
    }
    SB_TRY(sb_system_build(ctx, arena, spec, 0, NULL, sys));
    SB_TRY(sb_stepper_check(ctx, pair->type, sys));
    pair->sys = sys;
    return SB_OK;
}

int sb_pair_vary(sb_context *ctx, sb_arena *arena, const sb_pair *pair, const char *name, double x, sb_pair *out) {
    const sb_entry *stepper = &pair->type->entry;
    char value[32];
    sb_format_real(x, value);
    *out = *pair;
    if (has_param(stepper, name)) {
        void *config = sb_alloc(arena, 1, stepper->config_size);
        if (config == NULL) {
            return SB_NO_MEMORY;
        }
        memcpy(config, pair->config, stepper->config_size);
        out->config = config;
        return sb_config_set(ctx, arena, stepper, name, value, config);
    }
    if (strchr(pair->problem, '(') != NULL) {
        return sb_fail(
            ctx, SB_BAD_USAGE,
            "%s is not a parameter of %s, and a problem under a formulation is varied by giving -p once per value",
            name, stepper->name);
    }
    return vary_problem(ctx, arena, name, value, out);
}
