/* Plug-ins: a shared object with one `sb_plugin_entry`, checked and registered like a built-in. */
#include <dlfcn.h>
#include <string.h>

#include "core/registry.h"

void sb_registry_free(sb_registry *registry) {
    for (int i = 0; i < registry->nplugins; i++) {
        dlclose(registry->plugins[i]);
    }
    registry->nplugins = 0;
    sb_arena_free(&registry->arena);
}

/* What nothing works without. */
static bool complete(const sb_plugin *plugin) {
    const sb_entry *entry = plugin->entry;
    if (entry == NULL || entry->brief == NULL || entry->ref == NULL) {
        return false;
    }
    switch (plugin->kind) {
    case SB_KIND_STEPPER:
        return ((const sb_stepper *)entry)->init != NULL && ((const sb_stepper *)entry)->step != NULL;
    case SB_KIND_PROBLEM:
        return ((const sb_problem *)entry)->init != NULL;
    default:
        return ((const sb_decorator *)entry)->init != NULL;
    }
}

static int check_plugin(sb_context *ctx, const char *path, const sb_plugin *plugin) {
    if (plugin == NULL) {
        return sb_fail(ctx, SB_BAD_PLUGIN, "plug-in %s exports no sb_plugin_entry: was it compiled with -DSB_PLUGIN?", path);
    }
    if (plugin->abi != SB_ABI) {
        return sb_fail(ctx, SB_BAD_PLUGIN, "plug-in %s was built for interface %d, this stepbench has interface %d: compile it again", path,
                       plugin->abi, SB_ABI);
    }
    if (plugin->kind != SB_KIND_STEPPER && plugin->kind != SB_KIND_PROBLEM && plugin->kind != SB_KIND_DECORATOR) {
        return sb_fail(ctx, SB_BAD_PLUGIN, "plug-in %s brings none of a stepper, a problem and a decorator", path);
    }
    if (!complete(plugin)) {
        return sb_fail(ctx, SB_BAD_PLUGIN, "plug-in %s leaves out what every %s has: a line about it, a reference, init%s", path,
                       sb_kind_name[plugin->kind], plugin->kind == SB_KIND_STEPPER ? " and step" : "");
    }
    return SB_OK;
}

/* dlopen searches the library path for names without a slash; here they are files. */
int sb_registry_load(sb_registry *registry, const char *path) {
    sb_context *ctx = registry->arena.ctx;
    const int room = (int)(sizeof registry->plugins / sizeof registry->plugins[0]);
    if (registry->nplugins == room) {
        return sb_fail(ctx, SB_BAD_PLUGIN, "plug-in %s is one too many: there is room for %d", path, room);
    }
    const size_t length = strlen(path);
    char *file;
    SB_NEW(&registry->arena, file, length + 3);
    memcpy(file, "./", 2);
    memcpy(strchr(path, '/') != NULL ? file : file + 2, path, length + 1);
    void *handle = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) {
        const char *why = dlerror();
        return sb_fail(ctx, SB_BAD_PLUGIN, "plug-in %s cannot be loaded: %s", path, why != NULL ? why : "no reason given");
    }
    const sb_plugin *plugin = dlsym(handle, "sb_plugin_entry");
    int status = check_plugin(ctx, path, plugin);
    if (status == SB_OK) {
        status = sb_registry_add(registry, plugin->kind, plugin->entry);
    }
    if (status != SB_OK) {
        dlclose(handle);
        return status;
    }
    registry->plugins[registry->nplugins++] = handle;
    return SB_OK;
}
