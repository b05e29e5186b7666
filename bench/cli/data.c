/* Finds the files of the data directory. */
#include "bench/cli/data.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/registry.h"
#include "core/base/text.h"
#include "core/output/csv.h"

enum { PATH_SIZE = 4096 };

void sb_program_path(char out[PATH_SIZE]) {
    const ssize_t length = readlink("/proc/self/exe", out, PATH_SIZE - 1);
    snprintf(out + (length > 0 ? length : 0), PATH_SIZE - (size_t)(length > 0 ? length : 0), "%s",
             length > 0 ? "" : "stepbench");
}

static const char *data_directory(char installed[2 * PATH_SIZE]) {
    const char *directory = getenv("STEPBENCH_DATA");
    if (directory != NULL && directory[0] != '\0') {
        return directory;
    }
    sb_program_path(installed);
    char *slash = strrchr(installed, '/');
    if (slash == NULL) {
        return SB_DATADIR;
    }
    snprintf(slash, PATH_SIZE, "/%s", SB_DATADIR_FROM_BINARY);
    return access(installed, R_OK) == 0 ? installed : SB_DATADIR;
}

int sb_data_path(sb_context *ctx, sb_arena *arena, const char *file, const char **path) {
    char installed[2 * PATH_SIZE];
    const char *directory = data_directory(installed);
    SB_PRINT(arena, *path, "%s/%s", directory, file);
    return access(*path, R_OK) == 0
               ? SB_OK
               : sb_fail(ctx, SB_IO, "no %s in the data directory %s; STEPBENCH_DATA names another directory", file,
                         directory);
}

/* Sets *path to the file in the first subdirectory of `parent`, in alphabetical order, that contains it; NULL if none
 * does.
 */
static int find_below(sb_arena *arena, const char *parent, const char *file, const char **path) {
    const struct dirent *entry;
    DIR *list = opendir(parent);
    int status = list == NULL && errno == ENOMEM ? SB_NO_MEMORY : SB_OK;
    *path = NULL;
    while (list != NULL && status == SB_OK && (entry = readdir(list)) != NULL) {
        const char *found = sb_asprintf(arena, "%s/%s/%s", parent, entry->d_name, file);
        status = found != NULL ? SB_OK : SB_NO_MEMORY;
        if (found != NULL && entry->d_name[0] != '.' && access(found, R_OK) == 0 &&
            (*path == NULL || strcmp(found, *path) < 0)) {
            *path = found;
        }
    }
    if (list != NULL) {
        closedir(list);
    }
    return status;
}

/* Sets *path to the file beside a plug-in or in the directory above, which has the sources if the plug-in is in a build
 * directory; NULL if there is none. */
static int find_beside(sb_arena *arena, const char *plugin, const char *file, const char **path) {
    const char *slash = strrchr(plugin, '/');
    for (int above = 0; above < 2; above++) {
        SB_PRINT(arena, *path, "%.*s%s%s", slash != NULL ? (int)(slash + 1 - plugin) : 0, plugin, above ? "../" : "",
                 file);
        if (access(*path, R_OK) == 0) {
            return SB_OK;
        }
    }
    *path = NULL;
    return SB_OK;
}

/* Sets *path to the file beside the first plug-in that has it; NULL if none does. */
static int find_beside_plugins(sb_context *ctx, sb_arena *arena, const char *file, const char **path) {
    const sb_registry *registry = ctx->registry;
    *path = NULL;
    for (int i = 0; registry != NULL && i < registry->nplugins && *path == NULL; i++) {
        SB_TRY(find_beside(arena, registry->plugins[i].path, file, path));
    }
    return SB_OK;
}

int sb_data_find(sb_context *ctx, sb_arena *arena, const char *directory, const char *file, const char **path) {
    const char *parent;
    SB_TRY(sb_data_path(ctx, arena, directory, &parent));
    SB_PRINT(arena, *path, "%s/%s", parent, file);
    if (access(*path, R_OK) == 0) {
        return SB_OK;
    }
    SB_TRY(find_below(arena, parent, file, path));
    if (*path == NULL) {
        SB_TRY(find_beside_plugins(ctx, arena, file, path));
    }
    return *path != NULL ? SB_OK
                         : sb_fail(ctx, SB_IO,
                                   "no subdirectory of %s has %s, nor has the directory of a plug-in; STEPBENCH_DATA "
                                   "names another data directory",
                                   parent, file);
}

int sb_data_table(sb_context *ctx, sb_arena *arena, const char *file, sb_table *table) {
    const char *path;
    SB_TRY(sb_data_path(ctx, arena, file, &path));
    sb_table_init(table, arena);
    return sb_table_read_csv_text(table, ctx, path);
}

/* Appends the claims of a file whose id the table does not have. */
static int add_claims(sb_context *ctx, sb_arena *arena, const char *path, sb_table *claims) {
    sb_table own;
    sb_table_init(&own, arena);
    SB_TRY(sb_table_read_csv_text(&own, ctx, path));
    if (own.ncolumns != claims->ncolumns || sb_table_column(&own, "id") != 0) {
        return sb_fail(ctx, SB_IO, "%s has other columns than bench/claims.csv: %d, the first of which is id", path,
                       claims->ncolumns);
    }
    for (int i = 0; i < own.nrows; i++) {
        if (sb_table_find(claims, "id", sb_table_text(&own, i, "id"), 0) < 0) {
            SB_TRY(claims->sink.row(&claims->sink, own.cells + i * own.ncolumns));
        }
    }
    return SB_OK;
}

int sb_claims_read(sb_context *ctx, sb_arena *arena, sb_table *claims) {
    const sb_registry *registry = ctx->registry;
    SB_TRY(sb_data_table(ctx, arena, "claims.csv", claims));
    for (int i = 0; registry != NULL && i < registry->nplugins; i++) {
        const char *path;
        SB_TRY(find_beside(arena, registry->plugins[i].path, "claims.csv", &path));
        SB_TRY(path != NULL ? add_claims(ctx, arena, path, claims) : SB_OK);
    }
    return SB_OK;
}
