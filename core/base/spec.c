/* Specifications "name:k=v,..." of registered things. */
#include "core/base/spec.h"

#include <stdio.h>
#include <string.h>

#include "core/base/params.h"

/* Returns a copy of the name part of a specification; NULL when out of memory. *options: what follows the colon, or "".
 */
static char *split(sb_arena *arena, const char *text, const char **options) {
    const size_t length = strcspn(text, ":");
    char *name = sb_strdup(arena, text);
    *options = text + length + (text[length] == ':');
    if (name != NULL) {
        name[length] = '\0';
    }
    return name;
}

/* Returns "name:options"; NULL when out of memory. */
static const char *join(sb_arena *arena, const char *name, const char *options) {
    const size_t size = strlen(name) + strlen(options) + 2;
    char *text = sb_alloc(arena, size, 1);
    if (text != NULL) {
        snprintf(text, size, "%s%s%s", name, options[0] != '\0' ? ":" : "", options);
    }
    return text;
}

static int configure(sb_context *ctx, sb_arena *arena, const sb_entry *entry, const char *options, const char *text,
                     const char *glob, sb_spec *out) {
    *out = (sb_spec){entry, sb_alloc(arena, 1, entry->config_size), text, glob};
    return out->config == NULL || text == NULL ? SB_NO_MEMORY
                                               : sb_config_parse(ctx, arena, entry, options, out->config);
}

int sb_spec_parse(sb_context *ctx, sb_arena *arena, sb_kind kind, const char *text, sb_spec *out) {
    const char *options, *name = split(arena, text, &options);
    if (name == NULL) {
        return SB_NO_MEMORY;
    }
    const sb_entry *entry = sb_registry_find(ctx, kind, name);
    return entry == NULL ? SB_BAD_USAGE : configure(ctx, arena, entry, options, sb_strdup(arena, text), NULL, out);
}

/* Appends what the specification stands for. */
static int expand(sb_context *ctx, sb_arena *arena, sb_kind kind, const char *text, sb_specs *out) {
    const char *options, *name = split(arena, text, &options);
    const sb_entry *entry;
    int matches = 0;
    if (name == NULL) {
        return SB_NO_MEMORY;
    }
    if (strpbrk(name, "*?[") == NULL) {
        return sb_spec_parse(ctx, arena, kind, text, &out->list[out->count++]);
    }
    for (; (entry = sb_registry_match(ctx->registry, kind, name, matches)) != NULL; matches++) {
        SB_TRY(
            configure(ctx, arena, entry, options, join(arena, entry->name, options), text, &out->list[out->count++]));
    }
    return matches > 0 ? SB_OK
                       : sb_fail(ctx, SB_BAD_USAGE, "no %s matches \"%s\"; `stepbench list %s` names them all",
                                 sb_kind_name[kind], name, sb_kind_plural[kind]);
}

int sb_specs_parse(sb_context *ctx, sb_arena *arena, sb_kind kind, int count, const char *const *texts, sb_specs *out) {
    *out = (sb_specs){0};
    SB_NEW(arena, out->list, (size_t)count * (size_t)(ctx->registry->count[kind] + 1));
    for (int i = 0; i < count; i++) {
        SB_TRY(expand(ctx, arena, kind, texts[i], out));
    }
    return SB_OK;
}

const char *sb_spec_resolved(sb_arena *arena, const sb_spec *spec) {
    const char *parameters = sb_config_format(arena, spec->entry, spec->config);
    return parameters != NULL ? join(arena, spec->entry->name, parameters) : NULL;
}
