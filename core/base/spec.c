/* Parses specifications "name:k=v,..." of registered entries. */
#include "core/base/spec.h"

#include <string.h>

#include "core/base/params.h"
#include "core/base/text.h"

/* Returns a copy of the name part of a specification and sets *options to what follows the colon, or "". Returns NULL
 * when out of memory, also when `text` is NULL because its caller was. */
static char *split(sb_arena *arena, const char *text, const char **options) {
    if (text == NULL) {
        return NULL;
    }
    const size_t length = strcspn(text, ":");
    *options = text + length + (text[length] == ':');
    return sb_asprintf(arena, "%.*s", (int)length, text);
}

/* Returns "name:options"; NULL when out of memory. */
static const char *join(sb_arena *arena, const char *name, const char *options) {
    return sb_asprintf(arena, "%s%s%s", name, options[0] != '\0' ? ":" : "", options);
}

static int configure(sb_context *ctx, sb_arena *arena, const sb_entry *entry, const char *options, const char *text,
                     const char *glob, sb_spec *out) {
    *out = (sb_spec){entry, sb_alloc(arena, 1, entry->config_size), text, glob};
    return out->config == NULL || text == NULL ? SB_NO_MEMORY
                                               : sb_config_parse(ctx, arena, entry, options, out->config);
}

/* Splits "compound(base)" into its two names; *base is NULL where there are no parentheses. */
static int split_compound(sb_context *ctx, sb_arena *arena, const char *name, char **compound, char **base) {
    const char *open = strchr(name, '(');
    *base = NULL;
    if (open == NULL) {
        return SB_OK;
    }
    if (!sb_ends_with(name, ")")) {
        return sb_fail(ctx, SB_BAD_USAGE, "\"%s\" does not end with a parenthesis, as in yoshida4(verlet)", name);
    }
    SB_PRINT(arena, *compound, "%.*s", (int)(open - name), name);
    SB_PRINT(arena, *base, "%.*s", (int)strlen(open) - 2, open + 1);
    return SB_OK;
}

/* Appends the parameters of the compound to those of the base. */
static int append_params(sb_arena *arena, const sb_entry *compound, const sb_stepper *base, sb_entry *out) {
    const size_t offset = sb_compound_offset(base);
    const int count = sb_param_count(base->entry.params), added = sb_param_count(compound->params);
    sb_param *params;
    if (added == 0) {
        return SB_OK;
    }
    SB_NEW(arena, params, count + added + 1);
    for (int i = 0; i < count + added; i++) {
        params[i] = i < count ? base->entry.params[i] : compound->params[i - count];
        params[i].offset += i < count ? 0 : offset;
    }
    out->params = params;
    out->config_size = offset + compound->config_size;
    return SB_OK;
}

/* Finds the entry of this name. For "compound(base)" among the steppers it makes one. */
static int find(sb_context *ctx, sb_arena *arena, sb_kind kind, const char *name, const sb_entry **out) {
    char *compound_name, *base_name = NULL;
    if (kind == SB_KIND_STEPPER) {
        SB_TRY(split_compound(ctx, arena, name, &compound_name, &base_name));
    }
    if (base_name == NULL) {
        *out = sb_registry_find(ctx, kind, name);
        return *out != NULL ? SB_OK : SB_BAD_USAGE;
    }
    const sb_compound *compound = (const sb_compound *)sb_registry_find(ctx, SB_KIND_COMPOUND, compound_name);
    const sb_entry *base;
    sb_compound_stepper *made;
    if (compound == NULL) {
        return SB_BAD_USAGE;
    }
    SB_TRY(find(ctx, arena, kind, base_name, &base));
    SB_NEW(arena, made, 1);
    *made = (sb_compound_stepper){*(const sb_stepper *)base, compound, (const sb_stepper *)base};
    made->stepper.entry.name = name;
    made->stepper.entry.brief = compound->entry.brief;
    made->stepper.entry.ref = compound->entry.ref;
    SB_TRY(append_params(arena, &compound->entry, made->base, &made->stepper.entry));
    SB_TRY(compound->compose(ctx, made));
    *out = &made->stepper.entry;
    return SB_OK;
}

int sb_spec_parse(sb_context *ctx, sb_arena *arena, sb_kind kind, const char *text, sb_spec *out) {
    const char *options, *name = split(arena, text, &options);
    const sb_entry *entry;
    if (name == NULL) {
        return SB_NO_MEMORY;
    }
    SB_TRY(find(ctx, arena, kind, name, &entry));
    return configure(ctx, arena, entry, options, sb_strdup(arena, text), NULL, out);
}

/* Appends the compound steppers that match "compound(base)" with globs and whose base fits. */
static int expand_compounds(sb_context *ctx, sb_arena *arena, const char *compound, const char *base,
                            const char *options, const char *text, sb_specs *out) {
    const sb_registry *registry = ctx->registry;
    const sb_entry *outer, *inner, *entry;
    for (int i = 0; (outer = sb_registry_match(registry, SB_KIND_COMPOUND, compound, i)) != NULL; i++) {
        for (int j = 0; (inner = sb_registry_match(registry, SB_KIND_STEPPER, base, j)) != NULL; j++) {
            const char *name;
            SB_PRINT(arena, name, "%s(%s)", outer->name, inner->name);
            const int status = find(ctx, arena, SB_KIND_STEPPER, name, &entry);
            if (status == SB_UNSUPPORTED) {
                continue;
            }
            SB_TRY(status);
            SB_TRY(configure(ctx, arena, entry, options, join(arena, name, options), text, &out->list[out->count++]));
        }
    }
    return SB_OK;
}

/* Appends the specifications of the entries that match. */
static int expand(sb_context *ctx, sb_arena *arena, sb_kind kind, const char *text, sb_specs *out) {
    const char *options, *name = split(arena, text, &options);
    const sb_entry *entry;
    const int before = out->count;
    char *compound, *base = NULL;
    if (name == NULL) {
        return SB_NO_MEMORY;
    }
    if (strpbrk(name, "*?[") == NULL) {
        return sb_spec_parse(ctx, arena, kind, text, &out->list[out->count++]);
    }
    if (kind == SB_KIND_STEPPER) {
        SB_TRY(split_compound(ctx, arena, name, &compound, &base));
    }
    if (base != NULL) {
        SB_TRY(expand_compounds(ctx, arena, compound, base, options, text, out));
    }
    for (int i = 0; base == NULL && (entry = sb_registry_match(ctx->registry, kind, name, i)) != NULL; i++) {
        SB_TRY(
            configure(ctx, arena, entry, options, join(arena, entry->name, options), text, &out->list[out->count++]));
    }
    return out->count > before ? SB_OK
                               : sb_fail(ctx, SB_BAD_USAGE, "no %s matches \"%s\"; `stepbench list %s` names them all",
                                         sb_kind_name[kind], name, sb_kind_plural[kind]);
}

int sb_specs_parse(sb_context *ctx, sb_arena *arena, sb_kind kind, int count, const char *const *texts, sb_specs *out) {
    *out = (sb_specs){0};
    size_t room = 0;
    for (int i = 0; i < count; i++) {
        const bool glob = strpbrk(texts[i], "*?[") != NULL;
        const int compounds = strchr(texts[i], '(') != NULL ? ctx->registry->count[SB_KIND_COMPOUND] : 0;
        room += glob ? (size_t)(ctx->registry->count[kind] + 1) * (size_t)(compounds + 1) : 1;
    }
    SB_NEW(arena, out->list, room);
    for (int i = 0; i < count; i++) {
        SB_TRY(expand(ctx, arena, kind, texts[i], out));
    }
    return SB_OK;
}

const char *sb_spec_resolved(sb_arena *arena, const sb_spec *spec) {
    const char *parameters = sb_config_format(arena, spec->entry, spec->config);
    return parameters != NULL ? join(arena, spec->entry->name, parameters) : NULL;
}
