/* Parses specifications "name:k=v,..." of registered entries. Runs, tables and provenance use the parsed form. The name
 * of a stepper may be "compound(base)": a stepper that a compound makes from the base, with the parameters of the base,
 * then those of the compound. */
#pragma once

#include "core/base/registry.h"

typedef struct sb_spec {
    const sb_entry *entry;
    void *config;     /* entry->config_size bytes, every parameter set */
    const char *text; /* the specification, with the name of the entry in place of a glob */
    const char *glob; /* the specification with the glob that matched; NULL: it has no glob */
} sb_spec;

typedef struct sb_specs {
    int count;
    sb_spec *list;
} sb_specs;

/* Finds the entry and parses its parameters. Fails with SB_BAD_USAGE, which names the unknown entry or parameter, or
 * the value out of range. */
int sb_spec_parse(sb_context *ctx, sb_arena *arena, sb_kind kind, const char *text, sb_spec *out);

/* Parses `count` specifications in order; a glob in the name part expands to every entry that it matches. Fails with
 * SB_BAD_USAGE as sb_spec_parse, and for a glob without a match. */
int sb_specs_parse(sb_context *ctx, sb_arena *arena, sb_kind kind, int count, const char *const *texts, sb_specs *out);

/* Returns "name:k=v,..." with every parameter; NULL when out of memory. */
const char *sb_spec_resolved(sb_arena *arena, const sb_spec *spec);
