/* A pair with one parameter of its problem or its stepper set to another number. */
#include <string.h>

#include "analysis/row.h"
#include "analysis/vary.h"
#include "core/base/params.h"
#include "core/run/build.h"

/* ---- Finding. ---- */

/* Returns the registered problem of the pair; NULL for a problem under a formulation and for a system that was not
 * built from a registered problem. */
static const sb_entry *problem_of(const sb_context *ctx, const sb_pair *pair) {
    const size_t length = strcspn(pair->problem, ":");
    const sb_entry *entry;
    for (int i = 0; (entry = sb_registry_match(ctx->registry, SB_KIND_PROBLEM, "*", i)) != NULL; i++) {
        if (strlen(entry->name) == length && strncmp(entry->name, pair->problem, length) == 0) {
            return entry;
        }
    }
    return NULL;
}

static bool has(const sb_entry *entry, const char *param) {
    return entry != NULL && sb_param_find(entry, param) != NULL;
}

int sb_pair_find_param(sb_context *ctx, sb_arena *arena, const sb_pair *pair, const char *name, sb_pair_param *out) {
    static const char *const owner[] = {"problem.", "stepper."};
    const size_t length = strlen(owner[0]);
    const bool given[] = {strncmp(name, owner[0], length) == 0, strncmp(name, owner[1], length) == 0};
    const char *const stepper = pair->type->entry.name, *param = given[0] || given[1] ? name + length : name;
    const bool in_problem = !given[1] && has(problem_of(ctx, pair), param),
               in_stepper = !given[0] && has(&pair->type->entry, param);
    if (in_problem && in_stepper) {
        return sb_fail(ctx, SB_BAD_USAGE,
                       "%s is a parameter of the problem %s and of the stepper %s: write problem.%s or stepper.%s",
                       param, pair->problem, stepper, param, param);
    }
    if (!in_problem && !given[1] && strchr(pair->problem, '(') != NULL) {
        return sb_fail(
            ctx, SB_BAD_USAGE,
            "%s cannot be varied: a problem under a formulation, as %s, is varied by giving -p once per value", name,
            pair->problem);
    }
    if (!in_problem && !in_stepper) {
        return given[0]   ? sb_fail(ctx, SB_BAD_USAGE, "the problem %s has no parameter %s", pair->problem, param)
               : given[1] ? sb_fail(ctx, SB_BAD_USAGE, "the stepper %s has no parameter %s", stepper, param)
                          : sb_fail(ctx, SB_BAD_USAGE, "neither the problem %s nor the stepper %s has a parameter %s",
                                    pair->problem, stepper, param);
    }
    char *text;
    SB_NEW(arena, text, length + strlen(param) + 1);
    strcat(strcpy(text, owner[in_stepper]), param);
    *out = (sb_pair_param){text, text + length, in_stepper};
    return SB_OK;
}

/* ---- Varying. ---- */

/* Returns the end of the "name=value" of a specification that begins at `at`: the next comma outside brackets. */
static const char *end_of_setting(const char *at) {
    int depth = 0;
    for (; *at != '\0' && (*at != ',' || depth > 0); at++) {
        depth += (*at == '[') - (*at == ']');
    }
    return at;
}

static bool is_setting_of(const char *at, const char *param) {
    const size_t length = strlen(param);
    return strncmp(at, param, length) == 0 && at[length] == '=';
}

/* Returns the first setting of a specification, "" if there is none. */
static const char *first_setting(const char *spec) {
    const char *colon = strchr(spec, ':');
    return colon != NULL ? colon + 1 : "";
}

bool sb_pair_sets(const sb_pair *pair, const char *param) {
    for (const char *at = first_setting(pair->problem), *end; *at != '\0'; at = *end == ',' ? end + 1 : end) {
        end = end_of_setting(at);
        if (is_setting_of(at, param)) {
            return true;
        }
    }
    return false;
}

/* Sets *out to the specification without the settings of `param` and with param=value added. */
static int respell(sb_arena *arena, const char *spec, const char *param, const char *value, char **out) {
    const size_t room = strlen(spec) + strlen(param) + strlen(value) + 4, head = strcspn(spec, ":");
    SB_NEW(arena, *out, room);
    char *to = memcpy(*out, spec, head);
    to += head;
    *to++ = ':';
    for (const char *at = first_setting(spec), *end; *at != '\0'; at = *end == ',' ? end + 1 : end) {
        end = end_of_setting(at);
        if (!is_setting_of(at, param)) {
            memcpy(to, at, (size_t)(end - at));
            to += end - at;
            *to++ = ',';
        }
    }
    snprintf(to, room - (size_t)(to - *out), "%s=%s", param, value);
    return SB_OK;
}

int sb_config_vary(sb_context *ctx, sb_arena *arena, const sb_entry *entry, const void *config, const char *param,
                   double x, const void **out) {
    char value[32], *copy;
    sb_format_real(x, value);
    SB_NEW(arena, copy, entry->config_size);
    memcpy(copy, config, entry->config_size);
    *out = copy;
    return sb_config_set(ctx, arena, entry, param, value, copy);
}

/* Builds the problem, or the member of it that the pair has. */
static int build(sb_context *ctx, sb_arena *arena, const sb_pair *pair, const char *spec, sb_system *out) {
    const sb_specs none = {0};
    sb_spec parsed;
    SB_TRY(sb_spec_parse(ctx, arena, SB_KIND_PROBLEM, spec, &parsed));
    return pair->member != NULL ? sb_member_system(ctx, arena, pair->member, &parsed, &none, pair->sys, out)
                                : sb_system_make(ctx, arena, &parsed, &none, out);
}

static int vary_problem(sb_context *ctx, sb_arena *arena, const char *name, double x, sb_pair *pair) {
    char value[32], *spec;
    sb_system *sys;
    sb_format_real(x, value);
    SB_NEW(arena, sys, 1);
    SB_TRY(respell(arena, pair->problem, name, value, &spec));
    SB_TRY(build(ctx, arena, pair, spec, sys));
    SB_TRY(sb_stepper_check(ctx, pair->type, sys));
    pair->sys = sys;
    pair->references = NULL;
    return SB_OK;
}

int sb_pair_vary(sb_context *ctx, sb_arena *arena, const sb_pair *pair, const sb_pair_param *param, double x,
                 sb_pair *out) {
    *out = *pair;
    return param->of_stepper
               ? sb_config_vary(ctx, arena, &pair->type->entry, pair->config, param->param, x, &out->config)
               : vary_problem(ctx, arena, param->param, x, out);
}

int sb_pair_check_vary(sb_context *ctx, sb_arena *arena, const sb_pair *pair, const char *name,
                       const sb_reals *values) {
    sb_pair_param param;
    SB_TRY(sb_pair_find_param(ctx, arena, pair, name, &param));
    for (int k = 0; k < values->n; k++) {
        sb_pair varied;
        const int status = sb_pair_vary(ctx, arena, pair, &param, values->x[k], &varied);
        SB_TRY(sb_failure_is_result(status) ? SB_OK : status);
    }
    return SB_OK;
}
