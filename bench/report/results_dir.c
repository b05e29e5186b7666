/* What README.md and index.html of the results folder have in common. */
#include "bench/report/results_dir.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "bench/cli/data.h"
#include "core/output/csv.h"
#include "core/output/sink.h"

int sb_folder_path(const sb_folder *folder, const char *file, const char **path) {
    const size_t size = strlen(folder->out) + strlen(file) + 2;
    char *text;
    SB_NEW(folder->arena, text, size);
    snprintf(text, size, "%s/%s", folder->out, file);
    *path = text;
    return SB_OK;
}

bool sb_folder_has(const sb_folder *folder, const char *file) {
    const char *path;
    return sb_folder_path(folder, file, &path) == SB_OK && access(path, R_OK) == 0;
}

static int open_folder(sb_context *ctx, sb_arena *arena, const sb_registry *registry, const char *out, sb_folder *folder) {
    const char *settled;
    *folder = (sb_folder){.ctx = ctx, .arena = arena, .registry = registry, .out = out};
    SB_TRY(sb_claims_read(ctx, arena, &folder->claims));
    SB_TRY(sb_folder_path(folder, "claims.csv", &settled));
    sb_table_init(&folder->settled, arena);
    return access(settled, R_OK) == 0 ? sb_table_read_csv_text(&folder->settled, ctx, settled) : SB_OK;
}

const char *sb_folder_verdict(const sb_folder *folder, const char *id, int *row) {
    for (*row = 0; *row < folder->settled.nrows; ++*row) {
        if (strcmp(sb_table_text(&folder->settled, *row, "id"), id) == 0) {
            return sb_table_text(&folder->settled, *row, "verdict");
        }
    }
    *row = -1;
    return "open";
}

int sb_folder_count(const sb_folder *folder, const sb_paper *paper, int counts[SB_VERDICTS + 1]) {
    int total = 0, row;
    for (int v = 0; v <= SB_VERDICTS; v++) {
        counts[v] = 0;
    }
    for (int i = 0; i < folder->claims.nrows; i++) {
        const char *id = sb_table_text(&folder->claims, i, "id");
        if (paper == NULL || sb_paper_has(paper, id)) {
            const char *verdict = sb_folder_verdict(folder, id, &row);
            int v = 0;
            while (v < SB_VERDICTS && strcmp(verdict, sb_verdict_name[v]) != 0) {
                v++;
            }
            counts[v]++;
            total++;
        }
    }
    return total;
}

bool sb_folder_shows(const sb_folder *folder, const sb_experiment *experiment) {
    for (const char *const *file = experiment->files; file != NULL && *file != NULL; file++) {
        if (sb_folder_has(folder, *file)) {
            return true;
        }
    }
    return false;
}

static int write_file(const sb_folder *folder, const char *file, int (*put)(const sb_folder *folder, FILE *to)) {
    const char *path;
    sb_outfile to;
    SB_TRY(sb_folder_path(folder, file, &path));
    SB_TRY(sb_outfile_open(folder->ctx, folder->arena, path, &to));
    const int status = put(folder, to.stream);
    if (status != SB_OK) {
        sb_outfile_abandon(&to);
        return status;
    }
    return sb_outfile_commit(&to);
}

int sb_folder_write(sb_context *ctx, const sb_registry *registry, const char *out, const char *file, int (*put)(const sb_folder *folder, FILE *to)) {
    sb_arena arena;
    sb_folder folder;
    sb_arena_init(&arena, ctx);
    int status = open_folder(ctx, &arena, registry, out, &folder);
    status = status == SB_OK ? write_file(&folder, file, put) : status;
    sb_arena_free(&arena);
    return status;
}

const char *sb_file_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

bool sb_ends_with(const char *name, const char *end) {
    const size_t a = strlen(name), b = strlen(end);
    return a >= b && strcmp(name + a - b, end) == 0;
}
