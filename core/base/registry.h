/* The registry: all entries of every kind, built in or from a plug-in. */
#pragma once

#include <stepbench/plugin.h>

/* 64 hexadecimal digits and the end of the text. */
enum { SB_SHA256_SIZE = 65 };

/* A file that was loaded, or an engine. */
typedef struct sb_loaded {
    void *handle; /* result of dlopen */
    const char *path;
    const char *engine; /* name and version of an engine, whose command is `path`; NULL: a plug-in */
    char sha256[SB_SHA256_SIZE];
} sb_loaded;

typedef struct sb_registry {
    sb_arena arena;
    int count[SB_KIND_COUNT];
    int room[SB_KIND_COUNT];
    const sb_entry **entries[SB_KIND_COUNT]; /* in the order of registration */
    int nplugins;
    sb_loaded plugins[64];
} sb_registry;

/* "stepper", "problem", ...; and the plural used on the command line. */
extern const char *const sb_kind_name[SB_KIND_COUNT];
extern const char *const sb_kind_plural[SB_KIND_COUNT];

/* Makes an empty registry and sets ctx->registry to it. Returns SB_OK. */
int sb_registry_init(sb_registry *registry, sb_context *ctx);
/* Closes the plug-ins and frees the memory. */
void sb_registry_free(sb_registry *registry);
/* Fails with SB_BAD_USAGE if the name is taken or malformed. */
int sb_registry_check_name(const sb_registry *registry, sb_kind kind, const char *name);
/* Fails with SB_BAD_USAGE unless the names of the parameters are identifiers of C, which a specification NAME:k=v,k=v
 * can name, and differ from each other, and for control characters in texts. */
int sb_registry_check_texts(sb_context *ctx, const sb_entry *entry);
/* Appends an entry to the list of its kind. Fails with SB_BAD_USAGE if its name is taken or malformed. */
int sb_registry_add(sb_registry *registry, sb_kind kind, const sb_entry *entry);
/* Loads a plug-in, first in a child process, so that a damaged file cannot end this one. Fails with SB_BAD_PLUGIN when
 * the file is missing or damaged, crashes or hangs while it is loaded, or has no entry, or one that does not fit; with
 * SB_BAD_USAGE when a name is taken. It registers all entries or none. */
int sb_registry_load(sb_registry *registry, const char *path);
/* Returns whether the entry comes from a plug-in. */
bool sb_registry_is_foreign(const sb_registry *registry, const sb_entry *entry);

/* Appends to what was loaded. Fails with SB_BAD_PLUGIN if there is no room. */
int sb_registry_note(sb_registry *registry, sb_loaded loaded);

/* Returns the entry, or NULL with a sentence in ctx that names the nearest names. */
const sb_entry *sb_registry_find(sb_context *ctx, sb_kind kind, const char *name);
/* Returns the i-th entry of the kind whose name matches a glob (fnmatch), or NULL past the last. */
const sb_entry *sb_registry_match(const sb_registry *registry, sb_kind kind, const char *glob, int i);

/* Writes up to 3 of `names` that are nearest to `name` in edit distance to `out`: "a, b and c"; "" if none is near. */
void sb_nearest_names(const char *name, int count, const char *const *names, char *out, size_t size);
/* Fails with SB_BAD_USAGE and the sentence: `what` "NAME"; the nearest of `names`, or `otherwise` if none is near. */
int sb_fail_name(sb_context *ctx, const char *what, const char *name, int count, const char *const *names,
                 const char *otherwise);
