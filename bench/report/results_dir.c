/* What README.md and index.html of a results directory have in common. */
#include "bench/report/results_dir.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "bench/cli/data.h"
#include "core/output/csv.h"
#include "core/output/sink.h"

int sb_results_path(const sb_results *results, const char *file, const char **path) {
    const size_t size = strlen(results->out) + strlen(file) + 2;
    char *text;
    SB_NEW(results->arena, text, size);
    snprintf(text, size, "%s/%s", results->out, file);
    *path = text;
    return SB_OK;
}

bool sb_results_has(const sb_results *results, const char *file) {
    const char *path;
    return sb_results_path(results, file, &path) == SB_OK && access(path, R_OK) == 0;
}

static int open_results(sb_context *ctx, sb_arena *arena, const sb_registry *registry, const char *out,
                        sb_results *results) {
    const char *settled;
    *results = (sb_results){.ctx = ctx, .arena = arena, .registry = registry, .out = out};
    SB_TRY(sb_claims_read(ctx, arena, &results->claims));
    SB_TRY(sb_results_path(results, "claims.csv", &settled));
    sb_table_init(&results->settled, arena);
    return access(settled, R_OK) == 0 ? sb_table_read_csv_text(&results->settled, ctx, settled) : SB_OK;
}

const char *sb_results_verdict(const sb_results *results, const char *id, int *row) {
    for (*row = 0; *row < results->settled.nrows; ++*row) {
        if (strcmp(sb_table_text(&results->settled, *row, "id"), id) == 0) {
            return sb_table_text(&results->settled, *row, "verdict");
        }
    }
    *row = -1;
    return "open";
}

int sb_results_count(const sb_results *results, const sb_paper *paper, int counts[SB_VERDICTS + 1]) {
    int total = 0, row;
    for (int v = 0; v <= SB_VERDICTS; v++) {
        counts[v] = 0;
    }
    for (int i = 0; i < results->claims.nrows; i++) {
        const char *id = sb_table_text(&results->claims, i, "id");
        if (paper == NULL || sb_paper_has(paper, id)) {
            const char *verdict = sb_results_verdict(results, id, &row);
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

bool sb_results_shows(const sb_results *results, const sb_experiment *experiment) {
    for (const char *const *file = experiment->files; file != NULL && *file != NULL; file++) {
        if (sb_results_has(results, *file)) {
            return true;
        }
    }
    return false;
}

static int write_file(const sb_results *results, const char *file, int (*put)(const sb_results *results, FILE *to)) {
    const char *path;
    sb_outfile to;
    SB_TRY(sb_results_path(results, file, &path));
    SB_TRY(sb_outfile_open(results->ctx, results->arena, path, &to));
    const int status = put(results, to.stream);
    if (status != SB_OK) {
        sb_outfile_abandon(&to);
        return status;
    }
    return sb_outfile_commit(&to);
}

int sb_results_write(sb_context *ctx, const sb_registry *registry, const char *out, const char *file,
                     int (*put)(const sb_results *results, FILE *to)) {
    sb_arena arena;
    sb_results results;
    sb_arena_init(&arena, ctx);
    int status = open_results(ctx, &arena, registry, out, &results);
    status = status == SB_OK ? write_file(&results, file, put) : status;
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
