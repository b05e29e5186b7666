/* Reads a results directory for README.md and index.html. */
#include "bench/report/results_dir.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "bench/data/data.h"
#include "core/output/csv.h"
#include "core/output/sink.h"

const sb_paper sb_study_paper = {"", 0, ""};

int sb_results_path(const sb_results *results, const char *file, const char **path) {
    SB_PRINT(results->arena, *path, "%s/%s", results->out, file);
    return SB_OK;
}

bool sb_results_has(const sb_results *results, const char *file) {
    const char *path;
    return sb_results_path(results, file, &path) == SB_OK && access(path, R_OK) == 0;
}

bool sb_is_figure(const char *file) { return sb_ends_with(file, ".svg") || sb_ends_with(file, ".gif"); }

bool sb_results_figure(const sb_results *results, const char *file) {
    return sb_is_figure(file) && sb_results_has(results, file);
}

int sb_results_open(sb_context *ctx, sb_arena *arena, const sb_registry *registry, const sb_study *study,
                    const char *out, sb_results *results) {
    const char *path;
    *results = (sb_results){.ctx = ctx, .arena = arena, .registry = registry, .study = study, .out = out};
    SB_TRY(sb_claims_read(ctx, arena, study != NULL ? study->file : NULL, &results->claims));
    SB_TRY(sb_results_path(results, "claims.csv", &path));
    sb_table_init(&results->quantities, arena);
    return access(path, R_OK) == 0 ? sb_table_read_csv_text(&results->quantities, ctx, path) : SB_OK;
}

const char *sb_results_verdict(const sb_results *results, const char *id) {
    const sb_table *rows = &results->quantities;
    return sb_claim_row(rows, id, 0) < 0 ? "open" : sb_verdict_name[sb_claim_verdict(rows, id)];
}

bool sb_results_own(const sb_results *results, int row) { return sb_table_is(&results->claims, row, "kind", "own"); }

const char *sb_results_verdict_words(const sb_results *results, int row) {
    const char *verdict = sb_results_verdict(results, sb_table_text(&results->claims, row, "id"));
    if (!sb_results_own(results, row)) {
        return verdict;
    }
    return strcmp(verdict, "reproduced") == 0 ? "holds" : strcmp(verdict, "refuted") == 0 ? "does not hold" : verdict;
}

bool sb_results_measured(const sb_results *results, const sb_paper *paper) {
    for (int i = 0; i < results->claims.nrows; i++) {
        const char *id = sb_table_text(&results->claims, i, "id");
        if ((paper == NULL || sb_paper_has(paper, id)) && sb_claim_row(&results->quantities, id, 0) >= 0) {
            return true;
        }
    }
    return false;
}

int sb_results_count(const sb_results *results, const sb_paper *paper, int counts[SB_VERDICTS + 1]) {
    int total = 0;
    memset(counts, 0, (SB_VERDICTS + 1) * sizeof *counts);
    for (int i = 0; i < results->claims.nrows; i++) {
        const char *id = sb_table_text(&results->claims, i, "id");
        if (!sb_results_own(results, i) && (paper == NULL || sb_paper_has(paper, id))) {
            const char *verdict = sb_results_verdict(results, id);
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

static bool shows(const sb_results *results, const sb_experiment *experiment) {
    for (const char *const *file = experiment->files; file != NULL && *file != NULL; file++) {
        if (sb_results_has(results, *file)) {
            return true;
        }
    }
    return false;
}

bool sb_results_shows_of(const sb_results *results, const sb_paper *paper, const sb_experiment *experiment) {
    const bool belongs = results->study != NULL ? paper == NULL : sb_paper_has(paper, experiment->entry.name);
    return belongs && shows(results, experiment);
}
