/* Finds the files of the data directory. */
#include "bench/data/data.h"

#include <dirent.h>
#include <errno.h>
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

int sb_data_beside(sb_arena *arena, const char *plugin, const char *file, const char **path) {
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
        SB_TRY(sb_data_beside(arena, registry->plugins[i].path, file, path));
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

/* Returns whether one of the first `count` rows has the keys of a row of another table with the same columns. */
static bool has_row(const sb_table *out, int count, const sb_table *own, int row) {
    for (int i = 0; i < count; i++) {
        bool same = true;
        for (int j = 0; j < out->ncolumns; j++) {
            const char *name = out->columns[j].name;
            same = same &&
                   (out->columns[j].kind != SB_COL_KEY || sb_table_is(out, i, name, sb_table_text(own, row, name)));
        }
        if (same) {
            return true;
        }
    }
    return false;
}

/* Appends the rows of a CSV file. With `new`, only those whose keys the table does not have. */
static int add_rows(sb_context *ctx, sb_arena *arena, const char *path, bool new, sb_table *out) {
    sb_table own;
    sb_table_init(&own, arena);
    SB_TRY(sb_table_read_csv_text(&own, ctx, path));
    for (int j = 0; j < out->ncolumns; j++) {
        if (own.ncolumns != out->ncolumns || strcmp(own.columns[j].name, out->columns[j].name) != 0) {
            return sb_fail(ctx, SB_IO, "%s needs %d columns; the column %d is %s", path, out->ncolumns, j + 1,
                           out->columns[j].name);
        }
    }
    const int known = out->nrows;
    for (int i = 0; i < own.nrows; i++) {
        if (!new || !has_row(out, known, &own, i)) {
            SB_TRY(out->sink.row(&out->sink, own.cells + i * own.ncolumns));
        }
    }
    return SB_OK;
}

/* Appends the rows of the file in each subdirectory of `experiments` in the data directory, in alphabetical order. */
static int add_papers(sb_context *ctx, sb_arena *arena, const char *file, sb_table *out) {
    const char *parent, *path;
    struct dirent **list;
    SB_TRY(sb_data_path(ctx, arena, "experiments", &parent));
    const int count = scandir(parent, &list, NULL, alphasort);
    int status = count >= 0        ? SB_OK
                 : errno == ENOMEM ? SB_NO_MEMORY
                                   : sb_fail(ctx, SB_IO, "%s cannot be read: %s", parent, strerror(errno));
    for (int i = 0; i < count; i++) {
        path = status == SB_OK ? sb_asprintf(arena, "%s/%s/%s", parent, list[i]->d_name, file) : NULL;
        status = status == SB_OK && path == NULL ? SB_NO_MEMORY : status;
        if (status == SB_OK && list[i]->d_name[0] != '.' && access(path, R_OK) == 0) {
            status = add_rows(ctx, arena, path, false, out);
        }
        free(list[i]);
    }
    if (count >= 0) {
        free(list);
    }
    return status;
}

int sb_data_rows(sb_context *ctx, sb_arena *arena, const char *file, const char *study, int ncolumns,
                 const sb_column *columns, sb_table *out) {
    const sb_registry *registry = ctx->registry;
    const char *path;
    SB_TRY(sb_table_begin(out, arena, ncolumns, columns));
    if (study != NULL) {
        const char *slash = strrchr(study, '/');
        SB_PRINT(arena, path, "%.*s%s", slash != NULL ? (int)(slash + 1 - study) : 0, study, file);
        return access(path, R_OK) == 0 ? add_rows(ctx, arena, path, false, out) : SB_OK;
    }
    SB_TRY(sb_data_path(ctx, arena, ".", &path));
    SB_PRINT(arena, path, "%s/%s", path, file);
    SB_TRY(access(path, R_OK) == 0 ? add_rows(ctx, arena, path, false, out) : SB_OK);
    SB_TRY(add_papers(ctx, arena, file, out));
    for (int i = 0; registry != NULL && i < registry->nplugins; i++) {
        SB_TRY(sb_data_beside(arena, registry->plugins[i].path, file, &path));
        SB_TRY(path != NULL ? add_rows(ctx, arena, path, true, out) : SB_OK);
    }
    return SB_OK;
}

int sb_columns_read(sb_context *ctx, sb_arena *arena, sb_table *out) {
    static const sb_column columns[] = {{"table", SB_COL_KEY, "", ""},
                                        {"column", SB_COL_KEY, "", ""},
                                        {"kind", SB_COL_INFO, "", ""},
                                        {"unit", SB_COL_INFO, "", ""},
                                        {"meaning", SB_COL_INFO, "", ""}};
    return sb_data_rows(ctx, arena, "columns.csv", NULL, sizeof columns / sizeof *columns, columns, out);
}

int sb_experiments_read(sb_context *ctx, sb_arena *arena, sb_table *out) {
    static const sb_column columns[] = {{"experiment", SB_COL_KEY, "", ""}, {"reference", SB_COL_INFO, "", ""},
                                        {"files", SB_COL_INFO, "", ""},     {"runs", SB_COL_INFO, "", ""},
                                        {"seconds", SB_COL_INFO, "", ""},   {"caption", SB_COL_INFO, "", ""}};
    return sb_data_rows(ctx, arena, "experiments.csv", NULL, sizeof columns / sizeof *columns, columns, out);
}

int sb_claims_read(sb_context *ctx, sb_arena *arena, const char *study, sb_table *claims) {
    enum { COLUMNS = 6 };
    static const sb_column columns[COLUMNS] = {{"id", SB_COL_KEY, "", ""},         {"where", SB_COL_INFO, "", ""},
                                               {"kind", SB_COL_INFO, "", ""},      {"claim", SB_COL_INFO, "", ""},
                                               {"published", SB_COL_INFO, "", ""}, {"comment", SB_COL_INFO, "", ""}};
    return sb_data_rows(ctx, arena, "claims.csv", study, COLUMNS, columns, claims);
}
