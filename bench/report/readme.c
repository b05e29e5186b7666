/* Writes README.md of a results directory: claims with their verdicts, tables and figures. */
#include "bench/report/readme.h"

#include <stdlib.h>
#include <string.h>

#include "bench/report/results_dir.h"
#include "core/output/csv.h"
#include "core/output/sink.h"

/* Longer or wider files are linked, not shown. */
enum { MOST_ROWS = 50, MOST_COLUMNS = 14 };

typedef struct page {
    sb_results results;
    FILE *to;
} page;

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
    static const char *const words[] = {"difference", "tolerance", "defect",   "noise", "dev_",
                                        "rounding",   "spread",    "se_",      "err_",  "correlation",
                                        "amplitude",  "rank",      "deviation"};
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
    for (int v = 0; v < SB_VERDICTS; v++) {
        fprintf(me->to, " | %s", sb_verdict_name[v]);
    }
    fputs(" | open |\n|---|--:|--:|--:|--:|--:|--:|\n", me->to);
    for (const sb_paper *paper = sb_papers; paper->key != NULL; paper++) {
        int counts[SB_VERDICTS + 1];
        fprintf(me->to, "| %s | %d", paper->key, sb_results_count(&me->results, paper, counts));
        for (int v = 0; v <= SB_VERDICTS; v++) {
            fprintf(me->to, " | %d", counts[v]);
        }
        fputs(" |\n", me->to);
    }
    fputc('\n', me->to);
}

static void put_claims(page *me, const sb_paper *p) {
    const sb_table *claims = &me->results.claims;
    fprintf(
        me->to,
        "### %s: %s\n\n| claim | where | what it says | published | measured | verdict |\n|---|---|---|---|---|---|\n",
        p->key, p->title);
    for (int i = 0; i < claims->nrows; i++) {
        const char *id = sb_table_text(claims, i, "id");
        if (!sb_paper_has(p, id)) {
            continue;
        }
        int at;
        const char *verdict = sb_results_verdict(&me->results, id, &at);
        const char *const cells[] = {sb_table_text(claims, i, "where"), sb_table_text(claims, i, "claim"),
                                     sb_table_text(claims, i, "published"),
                                     at < 0 ? "" : sb_table_text(&me->results.settled, at, "measured")};
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
    for (int i = 0; i < me->results.settled.nrows; i++) {
        const char *verdict = sb_table_text(&me->results.settled, i, "verdict");
        if (strcmp(verdict, "reproduced") != 0) {
            fprintf(me->to, "- `%s`, %s: ", sb_table_text(&me->results.settled, i, "id"), verdict);
            put(me->to, sb_table_text(&me->results.settled, i, "reason"));
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

/* A small table is shown; beside a figure it is folded. Times are never shown: this page is the same from run to run.
 */
static int put_csv(page *me, const sb_experiment *experiment, const char *file, bool folded) {
    sb_table table;
    const char *path;
    SB_TRY(sb_results_path(&me->results, file, &path));
    sb_table_init(&table, me->results.arena);
    SB_TRY(sb_table_read_csv_text(&table, me->results.ctx, path));
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

static int put_experiment(page *me, const sb_experiment *experiment) {
    if (!sb_results_shows(&me->results, experiment)) {
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
        if ((sb_ends_with(*file, ".svg") || sb_ends_with(*file, ".gif")) && sb_results_has(&me->results, *file)) {
            fprintf(me->to, "![%s](%s)\n\n", experiment->entry.brief, *file);
            figure = true;
        }
    }
    for (const char *const *file = experiment->files; *file != NULL; file++) {
        if (sb_ends_with(*file, ".csv") && sb_results_has(&me->results, *file)) {
            SB_TRY(put_csv(me, experiment, *file, figure));
        }
    }
    return SB_OK;
}

/* The experiments of a paper; those of none where p is NULL. */
static int put_experiments(page *me, const sb_paper *p) {
    const sb_registry *registry = me->results.registry;
    for (int i = 0; i < registry->count[SB_KIND_EXPERIMENT]; i++) {
        if (sb_paper_has(p, registry->entries[SB_KIND_EXPERIMENT][i]->name)) {
            SB_TRY(put_experiment(me, (const sb_experiment *)registry->entries[SB_KIND_EXPERIMENT][i]));
        }
    }
    return SB_OK;
}

static int write_page(page *me) {
    fputs("# Results\n\n`stepbench bench` writes every file of this folder, this page included; `make bench` runs all "
          "experiments. "
          "A table is a CSV file and a figure an SVG and a PNG file with the name of the experiment. "
          "[claims.csv](claims.csv) lists the "
          "verdict on every claim, its tolerance and the reason for the tolerance. [provenance.json](provenance.json) "
          "describes the "
          "machine and the build. The same sources give the same bytes everywhere but in the provenance and in "
          "`times/`, which holds the "
          "measured times. `index.html` and `cards/`, the same results as web pages, are built by `make bench` and not "
          "committed; neither "
          "are the PNG files.\n\nA claim is *reproduced* as the paper states it, *corrected* where it holds only after "
          "an "
          "erratum, *refuted* where it does not hold, *undecidable* where the paper leaves out what would decide "
          "it.\n\n## Claims\n\n",
          me->to);
    put_counts(me);
    for (const sb_paper *paper = sb_papers; paper->key != NULL; paper++) {
        put_claims(me, paper);
    }
    put_reasons(me);
    for (const sb_paper *paper = sb_papers; paper->key != NULL; paper++) {
        fprintf(me->to, "## Tables and figures of %s\n\n", paper->key);
        SB_TRY(put_experiments(me, paper));
    }
    fputs("## Beyond the papers\n\n", me->to);
    return put_experiments(me, NULL);
}

static int put_readme(const sb_results *results, FILE *to) {
    page me = {*results, to};
    return write_page(&me);
}

int sb_bench_write_readme(sb_context *ctx, const sb_registry *registry, const char *out) {
    return sb_results_write(ctx, registry, out, "README.md", put_readme);
}
