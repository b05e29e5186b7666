/* Finds the files of the data directory. */
#include "bench/cli/data.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

int sb_data_find(sb_context *ctx, sb_arena *arena, const char *directory, const char *file, const char **path) {
    const char *parent;
    char *pattern;
    glob_t found;
    SB_TRY(sb_data_path(ctx, arena, directory, &parent));
    SB_PRINT(arena, *path, "%s/%s", parent, file);
    if (access(*path, R_OK) == 0) {
        return SB_OK;
    }
    pattern = sb_text_replace(arena, parent, "[", "[[]"); /* not a set of characters */
    if (pattern == NULL) {
        return SB_NO_MEMORY;
    }
    SB_PRINT(arena, pattern, "%s/*/%s", pattern, file);
    const bool any = glob(pattern, GLOB_NOESCAPE, NULL, &found) == 0;
    *path = any ? sb_strdup(arena, found.gl_pathv[0]) : NULL;
    globfree(&found);
    if (!any) {
        return sb_fail(ctx, SB_IO, "no subdirectory of %s has %s; STEPBENCH_DATA names another data directory", parent,
                       file);
    }
    return *path != NULL ? SB_OK : SB_NO_MEMORY;
}

int sb_data_table(sb_context *ctx, sb_arena *arena, const char *file, sb_table *table) {
    const char *path;
    SB_TRY(sb_data_path(ctx, arena, file, &path));
    sb_table_init(table, arena);
    return sb_table_read_csv_text(table, ctx, path);
}

int sb_claims_read(sb_context *ctx, sb_arena *arena, sb_table *claims) {
    return sb_data_table(ctx, arena, "claims.csv", claims);
}
