/* Loads a plug-in, a shared object, first in a child process, and registers its entries like built-in ones. */
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/registry.h"
#include "core/base/surroundings.h"
#include "core/base/text.h"

void sb_registry_free(sb_registry *registry) {
    for (int i = 0; i < registry->nplugins; i++) {
        dlclose(registry->plugins[i].handle);
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
    if (plugin->abi == SB_ABI * (3 - SB_PRECISION)) {
        return sb_fail(ctx, SB_BAD_PLUGIN,
                       "plug-in %s was compiled for the other precision: give its C file, which is compiled for both",
                       path);
    }
    if (plugin->abi != SB_ABI * SB_PRECISION) {
        return sb_fail(ctx, SB_BAD_PLUGIN,
                       "plug-in %s was built for interface %d, this stepbench has interface %d: compile it again", path,
                       plugin->abi, SB_ABI * SB_PRECISION);
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

/* Registers the entries of the file, all or none. */
static int add_entries(sb_registry *registry, const char *path, void *handle) {
    sb_context *ctx = registry->arena.ctx;
    int before[SB_KIND_COUNT], found = 0, status = SB_OK;
    memcpy(before, registry->count, sizeof before);
    for (int k = 0; k < SB_PLUGIN_NUMBERS && status == SB_OK; k++) {
        char name[40];
        snprintf(name, sizeof name, "sb_plugin_entry_%d", k);
        const sb_plugin *plugin = dlsym(handle, name);
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
    sb_surroundings_keep(&kept);
    void *handle = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    sb_surroundings_restore(&kept);
    if (handle == NULL) {
        const char *why = dlerror();
        return sb_fail(ctx, SB_BAD_PLUGIN, "plug-in %s cannot be loaded: %s", path,
                       why != NULL ? why : "no reason given");
    }
    loaded->handle = handle;
    loaded->path = sb_strdup(&registry->arena, path);
    int status = loaded->path != NULL ? SB_OK : SB_NO_MEMORY;
    if (status == SB_OK && !sb_sha256_of(path, loaded->sha256)) { /* provenance identifies the file by it */
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

/* The exit status of a child process that returned from `load`, and the processor time and wall time that it may take.
 */
enum { RETURNED = 90, CPU_SECONDS = 10, WALL_SECONDS = 100 };

/* Loads the file in this child process and ends it. What a plug-in prints while it is loaded is discarded. */
static void load_and_exit(sb_registry *registry, const char *path) {
    static const int defaults[] = {SIGINT, SIGTERM, SIGHUP, SIGALRM};
    const struct rlimit no_core = {0, 0}, time = {CPU_SECONDS, CPU_SECONDS};
    for (size_t i = 0; i < sizeof defaults / sizeof *defaults; i++) {
        signal(defaults[i], SIG_DFL);
    }
    setrlimit(RLIMIT_CORE, &no_core);
    setrlimit(RLIMIT_CPU, &time);
    alarm(WALL_SECONDS);
    if (freopen("/dev/null", "w", stdout) != NULL && freopen("/dev/null", "w", stderr) != NULL) {
        (void)load(registry, path);
    }
    _exit(RETURNED);
}

/* Loads the file in a child process first: the dynamic loader crashes on a damaged file, and a plug-in runs code of its
 * own. */
static int try_load(sb_registry *registry, const char *path) {
    sb_context *ctx = registry->arena.ctx;
    int ended;
    const pid_t child = fork();
    if (child == 0) {
        load_and_exit(registry, path);
    }
    if (child < 0) {
        return sb_fail(ctx, SB_IO, "plug-in %s cannot be tried: cannot create a child process: %s", path,
                       strerror(errno));
    }
    while (waitpid(child, &ended, 0) != child) {
        if (errno != EINTR) {
            return sb_fail(ctx, SB_IO, "plug-in %s cannot be tried: the child process is lost: %s", path,
                           strerror(errno));
        }
    }
    if (WIFEXITED(ended) && WEXITSTATUS(ended) == RETURNED) {
        return SB_OK;
    }
    if (WIFEXITED(ended)) {
        return sb_fail(ctx, SB_BAD_PLUGIN, "plug-in %s ended the process with exit status %d while it was loaded", path,
                       WEXITSTATUS(ended));
    }
    const int number = WTERMSIG(ended);
    if (number == SIGXCPU || number == SIGKILL || number == SIGALRM) {
        return sb_fail(ctx, SB_BAD_PLUGIN, "plug-in %s was not loaded within %d s", path,
                       number == SIGALRM ? WALL_SECONDS : CPU_SECONDS);
    }
    return sb_fail(ctx, SB_BAD_PLUGIN,
                   "plug-in %s crashed while it was loaded: %s; is the file damaged? Compile it again", path,
                   strsignal(number));
}

int sb_registry_load(sb_registry *registry, const char *path) {
    const int room = (int)(sizeof registry->plugins / sizeof registry->plugins[0]);
    if (registry->nplugins == room) {
        return sb_fail(registry->arena.ctx, SB_BAD_PLUGIN, "plug-in %s is one too many: there is room for %d", path,
                       room);
    }
    SB_TRY(try_load(registry, path));
    return load(registry, path);
}
