/* Loads plug-ins from the command line: shared objects, and C files, which are compiled first. */
#include "bench/cli/plugin.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/cli/data.h"
#include "bench/process/pool.h"
#include "core/base/text.h"

/* Sets *path to the directory of the headers: that of the build tree, or beside the data of an installed one. */
static int find_headers(sb_context *ctx, sb_arena *arena, const char **path) {
    return sb_data_path(ctx, arena, "include", path) == SB_OK ? SB_OK : sb_data_path(ctx, arena, "../../include", path);
}

static int compile(sb_context *ctx, sb_arena *arena, const char *source, const char *object) {
    const char *cc = getenv("CC"), *slash = strrchr(source, '/'), *headers;
    char *include, *beside;
    SB_TRY(find_headers(ctx, arena, &headers));
    SB_PRINT(arena, include, "-I%s", headers);
    SB_PRINT(arena, beside, "-I%.*s", slash != NULL ? (int)(slash - source) + 1 : 2, slash != NULL ? source : "./");
    cc = cc != NULL && cc[0] != '\0' ? cc : "cc";
    const char *const argv[] = {cc,
                                "-std=c11",
                                "-O2",
                                "-ffp-contract=off",
                                "-D_DEFAULT_SOURCE",
                                "-DSB_PLUGIN",
                                beside,
                                include,
                                "-shared",
                                "-fPIC",
                                source,
                                "-o",
                                object,
                                "-lm",
                                NULL};
    const int exited = sb_program_run((char *const *)argv, false, NULL);
    return exited == 0 ? SB_OK
                       : sb_fail(ctx, SB_BAD_PLUGIN,
                                 exited == SB_NO_PROGRAM ? "%s cannot be compiled: there is no compiler %s"
                                                         : "%s does not compile with %s; see its messages",
                                 source, cc);
}

/* Compiles the C file in a directory of its own, and loads the result. */
static int load_source(sb_context *ctx, sb_registry *registry, const char *source) {
    sb_arena *arena = &registry->arena;
    const char *folder = getenv("TMPDIR"), *slash = strrchr(source, '/'), *name = slash != NULL ? slash + 1 : source;
    char *directory, *object;
    SB_PRINT(arena, directory, "%s/stepbench-XXXXXX", folder != NULL ? folder : "/tmp");
    if (mkdtemp(directory) == NULL) {
        return sb_fail(ctx, SB_IO, "no temporary directory to compile %s in: %s", source, strerror(errno));
    }
    SB_PRINT(arena, object, "%s/%.*s.so", directory, (int)strlen(name) - 2, name);
    int status = compile(ctx, arena, source, object);
    status = status == SB_OK ? sb_registry_load(registry, object) : status;
    if (status == SB_OK) {
        registry->plugins[registry->nplugins - 1].path = source;
    }
    unlink(object); /* what is loaded stays */
    rmdir(directory);
    return status;
}

int cli_load_plugin(sb_context *ctx, sb_registry *registry, const char *file) {
    return sb_ends_with(file, ".c") ? load_source(ctx, registry, file) : sb_registry_load(registry, file);
}
