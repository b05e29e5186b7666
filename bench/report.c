/* The results folder as a page: claims with their verdicts, tables and figures. */
#include "bench/report.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/data.h"
#include "core/csv.h"
#include "core/sink.h"

/* Longer or wider files are linked, not shown. */
enum { MOST_ROWS = 50, MOST_COLUMNS = 14, VERDICTS = 4 };

typedef struct page {
    sb_context *ctx;
    sb_arena *arena;
    const sb_registry *registry;
    const char *out;
    FILE *to;
    sb_table claims, results;
} page;

/* The papers in the order they are told, and what a claim's id or an experiment's name begins with. */
typedef struct paper {
    const char *key, *title;
} paper;

static const paper papers[] = {
    {"wm96", "Wendlandt and Marsden, Mechanical integrators derived from a discrete variational principle"},
    {"spook07", "Lacoursière, Regularized, stabilized, variational methods for multibodies"},
    {"reg05", "Lacoursière, A regularized time stepper for multibody systems"},
    {"notes11", "Lacoursière, Simple numerical methods for mechanical systems subject to strong forces and constraints"},
    {"transv18", "Transversal stability of constraints"},
};
enum { PAPERS = sizeof papers / sizeof papers[0] };

static bool belongs(const char *name, const paper *p) {
    return strncmp(name, p->key, strlen(p->key)) == 0;
}

static int path_of(const page *me, const char *file, const char **path) {
    const size_t size = strlen(me->out) + strlen(file) + 2;
    char *text;
    SB_NEW(me->arena, text, size);
    snprintf(text, size, "%s/%s", me->out, file);
    *path = text;
    return SB_OK;
}

static bool present(const page *me, const char *file) {
    const char *path;
    return path_of(me, file, &path) == SB_OK && access(path, R_OK) == 0;
}

static bool ends_with(const char *name, const char *end) {
    const size_t a = strlen(name), b = strlen(end);
    return a >= b && strcmp(name + a - b, end) == 0;
}

static int row_of(const sb_table *table, const char *id) {
    for (int i = 0; i < table->nrows; i++) {
        if (strcmp(sb_table_text(table, i, "id"), id) == 0) {
            return i;
        }
    }
    return -1;
}

/* Text as Markdown shows it. */
static void put(FILE *to, const char *text) {
    for (const char *c = text; *c != '\0'; c++) {
        if (strchr("|*_\\`", *c) != NULL) {
            fputc('\\', to);
        }
        if (*c == '<') {
            fputs("&lt;", to);
        } else {
            fputc(*c, to);
        }
    }
}

/* ---- Numbers. ---- */

/* Columns that hold magnitudes of errors, for which three digits say all. */
static bool is_magnitude(const char *column) {
    static const char *const words[] = {"difference", "tolerance", "defect",      "noise",     "dev_", "rounding", "spread",
                                        "se_",        "err_",      "correlation", "amplitude", "rank", "deviation"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strstr(column, words[i]) != NULL) {
            return true;
        }
    }
    return strncmp(column, "slope", 5) == 0;
}

/* A cell: numbers with the digits that are worth reading, everything else as it stands. */
static void put_cell(FILE *to, const char *column, const char *text) {
    char *end;
    const double x = strtod(text, &end);
    if (text[0] == '\0' || *end != '\0' || strspn(text, "0123456789-") == strlen(text)) {
        put(to, text);
        return;
    }
    fprintf(to, is_magnitude(column) ? "%.3g" : "%.13g", x);
}

/* ---- Claims. ---- */

static void put_counts(page *me) {
    fputs("| paper | claims", me->to);
    for (int v = 0; v < VERDICTS; v++) {
        fprintf(me->to, " | %s", sb_verdict_name[v]);
    }
    fputs(" | open |\n|---|--:|--:|--:|--:|--:|--:|\n", me->to);
    for (int p = 0; p < PAPERS; p++) {
        int total = 0, open = 0, counts[VERDICTS] = {0};
        for (int i = 0; i < me->claims.nrows; i++) {
            const char *id = sb_table_text(&me->claims, i, "id");
            if (!belongs(id, &papers[p])) {
                continue;
            }
            const int at = row_of(&me->results, id);
            total++;
            open += at < 0;
            for (int v = 0; v < VERDICTS && at >= 0; v++) {
                counts[v] += strcmp(sb_table_text(&me->results, at, "verdict"), sb_verdict_name[v]) == 0;
            }
        }
        fprintf(me->to, "| %s | %d", papers[p].key, total);
        for (int v = 0; v < VERDICTS; v++) {
            fprintf(me->to, " | %d", counts[v]);
        }
        fprintf(me->to, " | %d |\n", open);
    }
    fputc('\n', me->to);
}

static void put_claims(page *me, const paper *p) {
    fprintf(me->to, "### %s: %s\n\n| claim | where | what it says | published | measured | verdict |\n|---|---|---|---|---|---|\n", p->key,
            p->title);
    for (int i = 0; i < me->claims.nrows; i++) {
        const char *id = sb_table_text(&me->claims, i, "id");
        if (!belongs(id, p)) {
            continue;
        }
        const int at = row_of(&me->results, id);
        const char *verdict = at < 0 ? "open" : sb_table_text(&me->results, at, "verdict");
        const char *const cells[] = {sb_table_text(&me->claims, i, "where"), sb_table_text(&me->claims, i, "claim"),
                                     sb_table_text(&me->claims, i, "published"), at < 0 ? "" : sb_table_text(&me->results, at, "measured")};
        fprintf(me->to, "| `%s`", id);
        for (size_t c = 0; c < sizeof cells / sizeof cells[0]; c++) {
            fputs(" | ", me->to);
            put(me->to, cells[c]);
        }
        fprintf(me->to, " | %s%s%s |\n", strcmp(verdict, "reproduced") == 0 ? "" : "**", verdict,
                strcmp(verdict, "reproduced") == 0 ? "" : "**");
    }
    fputc('\n', me->to);
}

/* Why a claim is not simply reproduced. */
static void put_reasons(page *me) {
    fputs("### What is behind the other verdicts\n\n", me->to);
    for (int i = 0; i < me->results.nrows; i++) {
        const char *verdict = sb_table_text(&me->results, i, "verdict");
        if (strcmp(verdict, "reproduced") != 0) {
            fprintf(me->to, "- `%s`, %s: ", sb_table_text(&me->results, i, "id"), verdict);
            put(me->to, sb_table_text(&me->results, i, "reason"));
            fputs(".\n", me->to);
        }
    }
    fputc('\n', me->to);
}

/* ---- Experiments. ---- */

static void put_table(page *me, const sb_table *table) {
    for (int j = 0; j < table->ncolumns; j++) {
        fputs("| ", me->to);
        put(me->to, table->columns[j].name);
        fputc(' ', me->to);
    }
    fputs("|\n", me->to);
    for (int j = 0; j < table->ncolumns; j++) {
        fputs("|---", me->to);
    }
    fputs("|\n", me->to);
    for (int i = 0; i < table->nrows; i++) {
        for (int j = 0; j < table->ncolumns; j++) {
            fputs("| ", me->to);
            put_cell(me->to, table->columns[j].name, sb_table_text(table, i, table->columns[j].name));
            fputc(' ', me->to);
        }
        fputs("|\n", me->to);
    }
    fputc('\n', me->to);
}

/* A small table is shown; beside a figure it is folded. Times are never shown: this page is the same from run to run. */
static int put_csv(page *me, const sb_experiment *experiment, const char *file, bool folded) {
    sb_table table;
    const char *path;
    SB_TRY(path_of(me, file, &path));
    sb_table_init(&table, me->arena);
    SB_TRY(sb_table_read_csv_text(&table, me->ctx, path));
    if (experiment->timed || table.nrows > MOST_ROWS || table.ncolumns > MOST_COLUMNS) {
        fprintf(me->to, "[%s](%s): %d rows.\n\n", file, file, table.nrows);
        return SB_OK;
    }
    if (folded) {
        fprintf(me->to, "<details><summary>%s</summary>\n\n", file);
    } else {
        fprintf(me->to, "[%s](%s)\n\n", file, file);
    }
    put_table(me, &table);
    if (folded) {
        fputs("</details>\n\n", me->to);
    }
    return SB_OK;
}

static bool any_present(const page *me, const sb_experiment *experiment) {
    for (const char *const *file = experiment->files; file != NULL && *file != NULL; file++) {
        if (present(me, *file)) {
            return true;
        }
    }
    return false;
}

static int put_experiment(page *me, const sb_experiment *experiment) {
    if (!any_present(me, experiment)) {
        return SB_OK;
    }
    fprintf(me->to, "### %s\n\n", experiment->entry.name);
    put(me->to, experiment->entry.brief);
    fprintf(me->to, " %s.", experiment->entry.ref);
    for (const char *const *claim = experiment->claims; claim != NULL && *claim != NULL; claim++) {
        fprintf(me->to, "%s `%s`", claim == experiment->claims ? " Settles" : ",", *claim);
    }
    fprintf(me->to, "%s\n\n", experiment->claims != NULL && experiment->claims[0] != NULL ? "." : "");
    bool figure = false;
    for (const char *const *file = experiment->files; *file != NULL; file++) {
        if (ends_with(*file, ".gif") && present(me, *file)) {
            fprintf(me->to, "![%s](%s)\n\n", experiment->entry.brief, *file);
        }
        if (ends_with(*file, ".png") && present(me, *file)) {
            const int stem = (int)strlen(*file) - 4;
            fprintf(me->to, "[![%s](%s)](%.*s.svg)\n\n", experiment->entry.brief, *file, stem, *file);
            figure = true;
        }
    }
    for (const char *const *file = experiment->files; *file != NULL; file++) {
        if (ends_with(*file, ".csv") && present(me, *file)) {
            SB_TRY(put_csv(me, experiment, *file, figure));
        }
    }
    return SB_OK;
}

/* The experiments of a paper; those of none where p is NULL. */
static int put_experiments(page *me, const paper *p) {
    for (int i = 0; i < me->registry->count[SB_KIND_EXPERIMENT]; i++) {
        const sb_experiment *experiment = (const sb_experiment *)me->registry->entries[SB_KIND_EXPERIMENT][i];
        bool mine = p != NULL && belongs(experiment->entry.name, p);
        if (p == NULL) {
            mine = true;
            for (int k = 0; k < PAPERS; k++) {
                mine = mine && !belongs(experiment->entry.name, &papers[k]);
            }
        }
        if (mine) {
            SB_TRY(put_experiment(me, experiment));
        }
    }
    return SB_OK;
}

static int write_page(page *me) {
    fputs("# Results\n\nEverything in this folder is written by `stepbench bench`, this page included; `make bench` runs all of it. Every "
          "table is a CSV file, every figure an SVG and a PNG file of the experiment's name, and [claims.csv](claims.csv) has the verdict "
          "on every claim with its tolerance and the reason for it. The same sources give the same bytes, except in files of measured "
          "times, which stand apart (`*_times.csv` and the figures drawn from them), and in [provenance.json](provenance.json), which says "
          "where and how the folder was made.\n\nA claim is *reproduced* as the paper states it, *corrected* where it holds only after an "
          "erratum, *refuted* where it does not hold, *undecidable* where the paper leaves out what would decide it.\n\n## Claims\n\n",
          me->to);
    put_counts(me);
    for (int p = 0; p < PAPERS; p++) {
        put_claims(me, &papers[p]);
    }
    put_reasons(me);
    for (int p = 0; p < PAPERS; p++) {
        fprintf(me->to, "## Tables and figures of %s\n\n", papers[p].key);
        SB_TRY(put_experiments(me, &papers[p]));
    }
    fputs("## Beyond the papers\n\n", me->to);
    return put_experiments(me, NULL);
}

static int read_and_write(page *me) {
    const char *results, *readme;
    sb_outfile file;
    SB_TRY(sb_claims_read(me->ctx, me->arena, &me->claims));
    SB_TRY(path_of(me, "claims.csv", &results));
    SB_TRY(path_of(me, "README.md", &readme));
    sb_table_init(&me->results, me->arena);
    if (access(results, R_OK) == 0) {
        SB_TRY(sb_table_read_csv_text(&me->results, me->ctx, results));
    }
    SB_TRY(sb_outfile_open(me->ctx, me->arena, readme, &file));
    me->to = file.stream;
    const int status = write_page(me);
    if (status != SB_OK) {
        sb_outfile_abandon(&file);
        return status;
    }
    return sb_outfile_commit(&file);
}

int sb_bench_write_readme(sb_context *ctx, const sb_registry *registry, const char *out) {
    sb_arena arena;
    sb_arena_init(&arena, ctx);
    page me = {.ctx = ctx, .arena = &arena, .registry = registry, .out = out};
    const int status = read_and_write(&me);
    sb_arena_free(&arena);
    return status;
}
