/* Where the bench finds what it reads: plot scripts and the list of claims. */
#include "bench/cli/data.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/output/csv.h"

enum { FOLDER_MAX = 4096 };

/* The data folder of an installed tree: SB_DATADIR_FROM_BINARY as seen from the folder of the running binary. */
static bool installed_folder(char *out) {
    const ssize_t length = readlink("/proc/self/exe", out, FOLDER_MAX);
    if (length <= 0 || length >= FOLDER_MAX) {
        return false;
    }
    out[length] = '\0';
    char *name = strrchr(out, '/');
    const size_t room = (size_t)(FOLDER_MAX - (name - out));
    return (size_t)snprintf(name, room, "/%s", SB_DATADIR_FROM_BINARY) < room && access(out, R_OK) == 0;
}

static const char *data_folder(char installed[FOLDER_MAX + 1]) {
    const char *folder = getenv("STEPBENCH_DATA");
    if (folder == NULL || folder[0] == '\0') {
        folder = installed_folder(installed) ? installed : SB_DATADIR;
    }
    return folder;
}

int sb_data_path(sb_context *ctx, sb_arena *arena, const char *file, const char **path) {
    char installed[FOLDER_MAX + 1];
    const char *folder = data_folder(installed);
    const size_t size = strlen(folder) + strlen(file) + 2;
    char *joined;
    SB_NEW(arena, joined, size);
    snprintf(joined, size, "%s/%s", folder, file);
    if (access(joined, R_OK) != 0) {
        return sb_fail(ctx, SB_IO, "no %s in the data folder %s; STEPBENCH_DATA names another folder", file, folder);
    }
    *path = joined;
    return SB_OK;
}

int sb_data_experiment_path(sb_context *ctx, sb_arena *arena, const char *file, const char **path) {
    const char *experiments;
    SB_TRY(sb_data_path(ctx, arena, "experiments", &experiments));
    DIR *list = opendir(experiments);
    const size_t size = strlen(experiments) + strlen(file) + 260; /* two slashes and the longest name of a folder */
    char *joined = list != NULL ? sb_alloc(arena, size, 1) : NULL;
    int status = joined != NULL ? SB_IO : SB_NO_MEMORY;
    for (const struct dirent *entry; status == SB_IO && (entry = readdir(list)) != NULL;) {
        snprintf(joined, size, "%s/%s/%s", experiments, entry->d_name, file);
        if (entry->d_name[0] != '.' && access(joined, R_OK) == 0) {
            *path = joined;
            status = SB_OK;
        }
    }
    if (list != NULL) {
        closedir(list);
    }
    return status == SB_IO ? sb_fail(ctx, SB_IO, "no folder of %s has %s; STEPBENCH_DATA names another data folder",
                                     experiments, file)
                           : status;
}

int sb_claims_read(sb_context *ctx, sb_arena *arena, sb_table *claims) {
    const char *path;
    SB_TRY(sb_data_path(ctx, arena, "claims.csv", &path));
    sb_table_init(claims, arena);
    return sb_table_read_csv_text(claims, ctx, path);
}
