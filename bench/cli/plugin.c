/* Loads plug-ins from the command line: shared objects, and C files, which are compiled first. */
#include "bench/cli/plugin.h"

#include <errno.h>
#include <sha2.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/cli/cli.h"
#include "bench/data/data.h"
#include "bench/process/pool.h"
#include "bench/runner/experiment.h"
#include "core/output/sink.h"

/* Sets *path to the directory of the public headers, in the build tree or beside the data of an installation, and *data
 * to the directory of the headers that analyses and experiments include. */
static int find_headers(sb_context *ctx, sb_arena *arena, const char **path, const char **data) {
    SB_TRY(sb_data_path(ctx, arena, ".", data));
    return sb_data_path(ctx, arena, "include", path) == SB_OK ? SB_OK : sb_data_path(ctx, arena, "../../include", path);
}

/* The definition and the option of the compiler for a precision. */
typedef struct arithmetic {
    const char *name, *definition, *option;
} arithmetic;

static const arithmetic precisions[] = {{"double", "-USB_QUAD", "-USB_SINGLE"},
                                        {"quad", "-DSB_QUAD", "-USB_SINGLE"},
                                        {"single", "-DSB_SINGLE", "-fsingle-precision-constant"}};

static const arithmetic *find_precision(const char *name) {
    const arithmetic *p = precisions;
    while (strcmp(p->name, name) != 0) {
        p++;
    }
    return p;
}

static int compile(sb_context *ctx, sb_arena *arena, const char *source, const char *name, const char *object) {
    const arithmetic *p = find_precision(name);
    const char *cc = getenv("CC"), *slash = strrchr(source, '/'), *headers, *data;
    char *include, *internal, *beside, *file;
    SB_TRY(find_headers(ctx, arena, &headers, &data));
    SB_PRINT(arena, file, "%s%s", source[0] == '-' ? "./" : "", source); /* no option */
    SB_PRINT(arena, internal, "-I%s", data);
    SB_PRINT(arena, include, "-I%s", headers);
    SB_PRINT(arena, beside, "-I%.*s", slash != NULL ? (int)(slash - source) + 1 : 2, slash != NULL ? source : "./");
    cc = cc != NULL && cc[0] != '\0' ? cc : "cc";
    /* -Werror: a `double *` is not an `sb_scalar *` in another precision; a function without its header returns an
     * int to the compiler, and numbers are garbage. */
    static const char in_words[] = "command -v ${0%% *} >/dev/null || exit 127; exec $0 \"$@\""; /* "cc -g" */
    const char *const argv[] = {"sh",
                                "-c",
                                in_words,
                                cc,
                                "-std=c11",
                                "-O2",
                                "-ffp-contract=off",
                                "-Werror=incompatible-pointer-types",
                                "-Werror=implicit-function-declaration",
                                "-Werror=implicit-int",
                                "-Werror=int-conversion",
                                "-D_DEFAULT_SOURCE",
                                "-DSB_PLUGIN",
                                p->definition,
                                p->option,
                                beside,
                                include,
                                internal,
                                "-shared",
                                "-fPIC",
                                file,
                                "-o",
                                object,
                                "-lm",
                                NULL};
    const int exited = sb_program_run(ctx, (char *const *)argv, stderr, NULL);
    SB_TRY(sb_poll(ctx));
    return exited == 0
               ? SB_OK
               : sb_fail(ctx, SB_BAD_PLUGIN,
                         exited == SB_NO_PROGRAM ? "%s cannot be compiled: there is no compiler %s"
                         : p > precisions ? "%s does not compile with %s for --precision=%s, where every physical "
                                            "quantity is an sb_scalar; see its messages"
                                          : "%s does not compile with %s; see its messages",
                         source, cc, name);
}

int cli_plugin_compile(sb_context *ctx, sb_arena *arena, const char *source, const char *precision,
                       const char **object) {
    const char *name = sb_file_name(source);
    char *directory, *path;
    SB_PRINT(arena, directory, "%s/stepbench-XXXXXX", sb_temporary_directory());
    if (mkdtemp(directory) == NULL) {
        return sb_fail(ctx, SB_IO, "no temporary directory to compile %s in: %s", source, strerror(errno));
    }
    SB_PRINT(arena, path, "%s/%.*s.so", directory, (int)strlen(name) - 2, name);
    *object = path;
    const int status = compile(ctx, arena, source, precision, path);
    if (status != SB_OK) {
        cli_plugin_remove(path);
    }
    return status;
}

void cli_plugin_remove(const char *object) {
    const char *slash = strrchr(object, '/');
    char directory[4096];
    snprintf(directory, sizeof directory, "%.*s", (int)(slash - object), object);
    unlink(object);
    rmdir(directory);
}

static int load_source(sb_context *ctx, sb_registry *registry, const char *source) {
    const char *object;
    SB_TRY(cli_plugin_compile(ctx, &registry->arena, source, "double", &object));
    int status = sb_registry_load(registry, object);
    if (status == SB_OK) {
        sb_loaded *loaded = &registry->plugins[registry->nplugins - 1];
        loaded->path = sb_strdup(&registry->arena, source);
        status = loaded->path == NULL ? SB_NO_MEMORY
                 : SHA256File(source, loaded->sha256) != NULL
                     ? SB_OK
                     : sb_fail(ctx, SB_BAD_PLUGIN, "plug-in %s cannot be read: %s", source, strerror(errno));
    }
    cli_plugin_remove(object); /* the loaded code remains in memory */
    return status;
}

/* Checks the new analyses and experiments, whose types the core does not have. `before`: the numbers of entries before
 * the plug-in. */
static int check_entries(sb_context *ctx, const sb_registry *registry, const int before[SB_KIND_COUNT],
                         const char *file) {
    for (int i = before[SB_KIND_ANALYSIS]; i < registry->count[SB_KIND_ANALYSIS]; i++) {
        const sb_analysis *analysis = (const sb_analysis *)registry->entries[SB_KIND_ANALYSIS][i];
        if (analysis->run == NULL || analysis->ncolumns == 0) {
            return sb_fail(ctx, SB_BAD_PLUGIN, "plug-in %s leaves out what every analysis has: columns and run", file);
        }
    }
    for (int i = before[SB_KIND_EXPERIMENT]; i < registry->count[SB_KIND_EXPERIMENT]; i++) {
        const sb_experiment *experiment = (const sb_experiment *)registry->entries[SB_KIND_EXPERIMENT][i];
        if (experiment->run == NULL) {
            return sb_fail(ctx, SB_BAD_PLUGIN, "plug-in %s leaves out what every experiment has: run", file);
        }
    }
    return SB_OK;
}

int cli_load_plugin(sb_context *ctx, sb_registry *registry, const char *file) {
    int before[SB_KIND_COUNT];
    memcpy(before, registry->count, sizeof before);
    SB_TRY(sb_ends_with(file, ".c") ? load_source(ctx, registry, file) : sb_registry_load(registry, file));
    return check_entries(ctx, registry, before, file);
}

/* Returns the length of the file at the begin of a word FILE or FILE:PARAMETERS, 0 if the word is the name of a
 * stepper: a file ends with .so or .c, or has a slash. */
static size_t file_length(const char *word) {
    static const char *const suffixes[] = {".so", ".c"};
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        for (const char *at = strstr(word, suffixes[i]); at != NULL; at = strstr(at + 1, suffixes[i])) {
            const char *end = at + strlen(suffixes[i]);
            if (*end == '\0' || *end == ':') {
                return (size_t)(end - word);
            }
        }
    }
    return strchr(word, '/') != NULL ? strlen(word) : 0;
}

int cli_load_stepper(cli *me, const char *word, const char **stepper, const char **plugin, const char **wrong) {
    const int steppers = me->registry->count[SB_KIND_STEPPER];
    const size_t length = file_length(word);
    char *file, *whole;
    *plugin = NULL;
    *wrong = NULL;
    *stepper = word;
    if (length == 0) {
        return SB_OK;
    }
    SB_PRINT(me->arena, file, "%.*s", (int)length, word);
    *plugin = file;
    const int status = cli_load_plugin(me->ctx, me->registry, file);
    if (status == SB_BAD_PLUGIN || status == SB_BAD_USAGE) {
        *wrong = sb_strdup(me->arena, me->ctx->message);
        return *wrong != NULL ? SB_OK : SB_NO_MEMORY;
    }
    SB_TRY(status);
    if (me->registry->count[SB_KIND_STEPPER] == steppers) {
        *wrong = "the plug-in has no stepper";
    } else {
        SB_PRINT(me->arena, whole, "%s%s", me->registry->entries[SB_KIND_STEPPER][steppers]->name, word + length);
        *stepper = whole;
    }
    return SB_OK;
}
