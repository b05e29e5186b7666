/* Loads a plug-in, a shared object, first in a child process, and registers its entries like built-in ones. */
#include <dlfcn.h>
#include <errno.h>
#include <sha2.h>
#include <stdio.h>
#include <string.h>

#include "core/base/apart.h"
#include "core/base/registry.h"
#include "core/base/surroundings.h"
#include "core/base/text.h"

static int close_apart(void *handle) { return dlclose(handle); }

/* Unloads a plug-in, first in a child process: one that would end this process, or does not return, stays. */
static void unload(const sb_registry *registry, const sb_loaded *plugin) {
    enum { SECONDS = 1 };
    sb_surroundings kept;
    if (plugin->handle != NULL && sb_try_apart(registry->arena.ctx, close_apart, plugin->handle, SECONDS, SB_BAD_PLUGIN,
                                               plugin->path, "unloaded", "it stays") == SB_OK) {
        sb_surroundings_keep(&kept, false);
        dlclose(plugin->handle);
        (void)sb_surroundings_restore(&kept);
    }
}

void sb_registry_free(sb_registry *registry) {
    for (int i = 0; i < registry->nplugins; i++) {
        unload(registry, &registry->plugins[i]);
    }
    registry->nplugins = 0;
    sb_arena_free(&registry->arena);
}

/* Returns whether the entry has the members that every entry of its kind needs. */
static bool complete(const sb_plugin *plugin) {
    const sb_entry *entry = plugin->entry;
    if (entry == NULL || entry->brief == NULL || entry->ref == NULL) {
        return false;
    }
    switch (plugin->kind) {
    case SB_KIND_STEPPER: return ((const sb_stepper *)entry)->init != NULL && ((const sb_stepper *)entry)->step != NULL;
    case SB_KIND_PROBLEM: return ((const sb_problem *)entry)->init != NULL;
    case SB_KIND_FORMULATION: return ((const sb_formulation *)entry)->init != NULL;
    default: return true; /* this layer does not have the types of other kinds */
    }
}

static bool is_kind_of_plugins(sb_kind kind) {
    return kind == SB_KIND_STEPPER || kind == SB_KIND_PROBLEM || kind == SB_KIND_FORMULATION ||
           kind == SB_KIND_ANALYSIS || kind == SB_KIND_EXPERIMENT;
}

static int check_plugin(sb_context *ctx, const char *path, const sb_plugin *plugin) {
    const bool other = plugin->abi == SB_ABI || plugin->abi == 2 * SB_ABI || plugin->abi == 3 * SB_ABI;
    if (other && plugin->abi != SB_PLUGIN_ABI) {
        return sb_fail(ctx, SB_BAD_PLUGIN,
                       "plug-in %s was compiled for another precision: give its C file, which is compiled for each",
                       path);
    }
    if (plugin->abi != SB_PLUGIN_ABI) {
        return sb_fail(ctx, SB_BAD_PLUGIN,
                       "plug-in %s was built for interface %d, this stepbench has interface %d: compile it again", path,
                       plugin->abi, SB_PLUGIN_ABI);
    }
    if (!is_kind_of_plugins(plugin->kind)) {
        return sb_fail(ctx, SB_BAD_PLUGIN,
                       "plug-in %s brings none of a stepper, a problem, a formulation, an analysis and an experiment",
                       path);
    }
    if (!complete(plugin)) {
        return sb_fail(ctx, SB_BAD_PLUGIN,
                       "plug-in %s leaves out what every %s has: a line about it, a reference, init%s", path,
                       sb_kind_name[plugin->kind], plugin->kind == SB_KIND_STEPPER ? " and step" : "");
    }
    return SB_OK;
}

static int add_entry(sb_registry *registry, const char *path, const sb_plugin *plugin) {
    sb_context *ctx = registry->arena.ctx;
    char why[SB_MESSAGE_MAX];
    const int status = sb_registry_add(registry, plugin->kind, plugin->entry);
    if (status != SB_BAD_USAGE) {
        return status;
    }
    memcpy(why, ctx->message, sizeof why);
    return sb_fail(ctx, status, "plug-in %s: %.*s", path, SB_MESSAGE_MAX / 2, why);
}

static const sb_plugin *find_entry(void *handle, int number) {
    char name[40];
    snprintf(name, sizeof name, "sb_plugin_entry_%d", number);
    return dlsym(handle, name);
}

/* Registers the entries of the file, all or none. */
static int add_entries(sb_registry *registry, const char *path, void *handle) {
    sb_context *ctx = registry->arena.ctx;
    int before[SB_KIND_COUNT], found = 0, status = SB_OK;
    memcpy(before, registry->count, sizeof before);
    for (int k = 0; k < SB_PLUGIN_NUMBERS && status == SB_OK; k++) {
        const sb_plugin *plugin = find_entry(handle, k);
        if (plugin != NULL) {
            found++;
            status = check_plugin(ctx, path, plugin);
            status = status == SB_OK ? add_entry(registry, path, plugin) : status;
        }
    }
    if (found == 0) {
        return sb_fail(ctx, SB_BAD_PLUGIN,
                       "plug-in %s exports no sb_plugin_entry_0: was it compiled with -DSB_PLUGIN and the headers of "
                       "this stepbench?",
                       path);
    }
    if (status != SB_OK) {
        memcpy(registry->count, before, sizeof before);
    }
    return status;
}

/* Loads the file into this process. dlopen searches the library path for names without a slash; here they are files. */
static int load(sb_registry *registry, const char *path) {
    sb_context *ctx = registry->arena.ctx;
    sb_loaded *loaded = &registry->plugins[registry->nplugins];
    const char *file;
    SB_PRINT(&registry->arena, file, "%s%s", strchr(path, '/') != NULL ? "" : "./", path);
    sb_surroundings kept;
    sb_surroundings_keep(&kept, ctx->notice != NULL);
    void *handle = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (!sb_surroundings_restore(&kept)) {
        return sb_fail(ctx, SB_BAD_PLUGIN, "plug-in %s closes files that it has not opened, while it is loaded", path);
    }
    if (handle == NULL) {
        const char *why = dlerror();
        return sb_fail(ctx, SB_BAD_PLUGIN, "plug-in %s cannot be loaded: %s", path,
                       why != NULL ? why : "no reason given");
    }
    loaded->handle = handle;
    loaded->path = sb_strdup(&registry->arena, path);
    int status = loaded->path != NULL ? SB_OK : SB_NO_MEMORY;
    if (status == SB_OK && SHA256File(path, loaded->sha256) == NULL) { /* provenance identifies the file by it */
        status = sb_fail(ctx, SB_BAD_PLUGIN, "plug-in %s cannot be read: %s", path, strerror(errno));
    }
    status = status == SB_OK ? add_entries(registry, path, handle) : status;
    if (status != SB_OK) {
        dlclose(handle);
        return status;
    }
    registry->nplugins++;
    return SB_OK;
}

typedef struct loading {
    sb_registry *registry;
    const char *path;
} loading;

static int load_apart(void *arg) {
    const loading *l = arg;
    return load(l->registry, l->path);
}

/* Processor time that loading may take, s. */
enum { LOAD_SECONDS = 10 };

bool sb_registry_is_foreign(const sb_registry *registry, const sb_entry *entry) {
    for (int i = 0; i < registry->nplugins; i++) {
        for (int k = 0; k < SB_PLUGIN_NUMBERS && registry->plugins[i].handle != NULL; k++) {
            const sb_plugin *plugin = find_entry(registry->plugins[i].handle, k);
            if (plugin != NULL && plugin->entry == entry) {
                return true;
            }
        }
    }
    return false;
}

/* Fails if there is no room for one more. */
static int need_room(const sb_registry *registry, const char *path) {
    const int room = (int)(sizeof registry->plugins / sizeof registry->plugins[0]);
    return registry->nplugins < room ? SB_OK
                                     : sb_fail(registry->arena.ctx, SB_BAD_PLUGIN,
                                               "plug-in %s is one too many: there is room for %d", path, room);
}

int sb_registry_note(sb_registry *registry, sb_loaded loaded) {
    SB_TRY(need_room(registry, loaded.path));
    registry->plugins[registry->nplugins++] = loaded;
    return SB_OK;
}

int sb_registry_load(sb_registry *registry, const char *path) {
    SB_TRY(need_room(registry, path));
    /* the dynamic loader crashes on a damaged file, and a plug-in runs code of its own */
    const char *what;
    SB_PRINT(&registry->arena, what, "plug-in %s", path);
    SB_TRY(sb_try_apart(registry->arena.ctx, load_apart, &(loading){registry, path}, LOAD_SECONDS, SB_BAD_PLUGIN, what,
                        "loaded", "is the file damaged? Compile it again"));
    return load(registry, path);
}
