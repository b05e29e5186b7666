/* Writes README.md of a results directory: claims with their verdicts, tables and figures. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/report/results_dir.h"
#include "bench/runner/agreement.h"
#include "core/output/csv.h"
#include "core/output/sink.h"

/* Longer or wider files are linked, not shown. */
enum { MOST_ROWS = 50, MOST_COLUMNS = 14 };

typedef struct page {
    sb_results results;
    FILE *to;
} page;

/* Writes a text with the marks of Markdown escaped. */
static void write_text(FILE *to, const char *text) {
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

/* Returns whether a column holds magnitudes of errors, of which three digits are enough. */
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

/* Writes a cell: a magnitude with three digits, other numbers with 13, everything else unchanged. */
static void write_cell(FILE *to, const char *column, const char *text) {
    char *end;
    const double x = strtod(text, &end);
    if (text[0] == '\0' || *end != '\0' || strcmp(column, "published") == 0 ||
        strspn(text, "0123456789-") == strlen(text)) {
        write_text(to, text);
        return;
    }
    fprintf(to, is_magnitude(column) ? "%.3g" : "%.13g", x);
}

/* ---- Claims. ---- */

static void write_counts(page *me) {
    fputs("| paper | claims", me->to);
    for (int v = 0; v < SB_VERDICTS; v++) {
        fprintf(me->to, " | %s", sb_verdict_name[v]);
    }
    fputs(" | open |\n|---|--:|--:|--:|--:|--:|--:|\n", me->to);
    for (const sb_paper *paper = sb_papers; paper->key != NULL; paper++) {
        if (!sb_results_measured(&me->results, paper)) {
            continue;
        }
        int counts[SB_VERDICTS + 1];
        fprintf(me->to, "| %s | %d", paper->key, sb_results_count(&me->results, paper, counts));
        for (int v = 0; v <= SB_VERDICTS; v++) {
            fprintf(me->to, " | %d", counts[v]);
        }
        fputs(" |\n", me->to);
    }
    fputc('\n', me->to);
}

/* Writes one claim: its verdict, its statement, its place in the paper, and the comment. */
static void write_claim(page *me, int i) {
    const sb_table *claims = &me->results.claims;
    const char *id = sb_table_text(claims, i, "id"), *comment = sb_table_text(claims, i, "comment");
    fprintf(me->to, "#### `%s`: %s\n\n", id, sb_results_verdict_words(&me->results, i));
    write_text(me->to, sb_table_text(claims, i, "claim"));
    fputs(" (", me->to);
    write_text(me->to, sb_table_text(claims, i, "where"));
    fputs("; published: ", me->to);
    write_text(me->to, sb_table_text(claims, i, "published"));
    fputs(").", me->to);
    if (comment[0] != '\0') {
        fputs(" *", me->to);
        write_text(me->to, comment);
        fputs("*", me->to);
    }
    fputs("\n\n", me->to);
}

/* Writes the claims of a paper, or with NULL the project's own: those that are measured, and the names of the others.
 */
static void write_claims(page *me, const sb_paper *p) {
    const sb_table *claims = &me->results.claims;
    const char *before = "Open, not measured here: ";
    for (int open = 0; open < 2; open++) {
        for (int i = 0; i < claims->nrows; i++) {
            const char *id = sb_table_text(claims, i, "id");
            const bool own = sb_results_own(&me->results, i), here = p == NULL ? own : !own && sb_paper_has(p, id);
            if (!here || open != (sb_claim_row(&me->results.quantities, id, 0) < 0)) {
                continue;
            }
            if (open) {
                fprintf(me->to, "%s`%s`", before, id);
                before = ", ";
            } else {
                write_claim(me, i);
            }
        }
    }
    fputs(before[0] == ',' ? ".\n\n" : "", me->to);
}

static void write_legend(page *me) {
    fputs(
        "## Claims\n\nA claim is *reproduced* if every quantity of its printed form passes, *corrected* if every "
        "quantity of a corrected form passes, *refuted* if neither does, *undecidable* if the paper leaves out what "
        "would decide it. Quantities of the form *both* belong to the printed and to the corrected form; those that "
        "are only *reported* decide nothing. [claims.csv](claims.csv) has the quantities of each claim: published and "
        "measured number, standard error or spread, tolerance and its reason.\n\n",
        me->to);
}

/* The sources, the claims of every paper that has a measured one, and the project's own. */
static void write_all_claims(page *me) {
    fputs("## Sources\n\n", me->to);
    for (const char *const *text = sb_results_sources; *text != NULL; text++) {
        write_text(me->to, *text);
        fputs("\n\n", me->to);
    }
    write_legend(me);
    write_counts(me);
    for (const sb_paper *paper = sb_papers; paper->key != NULL; paper++) {
        if (sb_results_measured(&me->results, paper)) {
            fprintf(me->to, "### %s: %s\n\n", paper->key, paper->title);
            write_claims(me, paper);
        }
    }
    fputs("## Our own results\n\nThese statements are in none of the papers and are not counted above. The form "
          "*printed* is the statement as it stands here.\n\n",
          me->to);
    write_claims(me, NULL);
}

/* ---- Experiments. ---- */

static bool is_spread(const sb_table *table, int j) { return sb_ends_with(table->columns[j].name, SB_SPREAD_SUFFIX); }

/* A cell, with its spread if that counts: "4 ± 2". */
static void write_number(FILE *to, const sb_table *table, int i, const char *column) {
    const char *text = sb_table_text(table, i, column);
    char name[128];
    snprintf(name, sizeof name, "%s" SB_SPREAD_SUFFIX, column);
    const double spread = strtod(sb_table_text(table, i, name), NULL);
    write_cell(to, column, text);
    if (spread > sb_undeclared_tolerance * fabs(strtod(text, NULL))) {
        fprintf(to, " ± %g", spread);
    }
}

static void write_table(page *me, const sb_table *table) {
    for (int j = 0; j < table->ncolumns; j++) {
        if (!is_spread(table, j)) {
            fputs("| ", me->to);
            write_text(me->to, table->columns[j].name);
            fputc(' ', me->to);
        }
    }
    fputs("|\n", me->to);
    for (int j = 0; j < table->ncolumns; j++) {
        fputs(is_spread(table, j) ? "" : "|---", me->to);
    }
    fputs("|\n", me->to);
    for (int i = 0; i < table->nrows; i++) {
        for (int j = 0; j < table->ncolumns; j++) {
            if (!is_spread(table, j)) {
                fputs("| ", me->to);
                write_number(me->to, table, i, table->columns[j].name);
                fputc(' ', me->to);
            }
        }
        fputs("|\n", me->to);
    }
    fputc('\n', me->to);
}

static int shown_columns(const sb_table *table) {
    int count = 0;
    for (int j = 0; j < table->ncolumns; j++) {
        count += !is_spread(table, j);
    }
    return count;
}

/* A small table is shown, unless a figure shows it. Times are never shown: this page is the same from run to run. */
static int write_csv(page *me, const sb_experiment *experiment, const char *file, bool figure) {
    sb_table table;
    const char *path;
    SB_TRY(sb_results_path(&me->results, file, &path));
    sb_table_init(&table, me->results.arena);
    SB_TRY(sb_table_read_csv_text(&table, me->results.ctx, path));
    if (experiment->timed || figure || table.nrows > MOST_ROWS || shown_columns(&table) > MOST_COLUMNS) {
        fprintf(me->to, "[%s](%s): %d rows.\n\n", file, file, table.nrows);
        return SB_OK;
    }
    fprintf(me->to, "[%s](%s)\n\n", file, file);
    write_table(me, &table);
    return SB_OK;
}

/* Copies a table in Markdown. */
static int copy_table(page *me, const char *file) {
    const char *path;
    char *text;
    SB_TRY(sb_results_path(&me->results, file, &path));
    SB_TRY(sb_text_read(me->results.ctx, me->results.arena, path, &text));
    fprintf(me->to, "[%s](%s)\n\n%s\n", file, file, text);
    return SB_OK;
}

static int write_experiment(page *me, const sb_experiment *experiment) {
    if (!sb_results_shows(&me->results, experiment)) {
        return SB_OK;
    }
    fprintf(me->to, "### %s\n\n", experiment->entry.name);
    write_text(me->to, experiment->entry.brief);
    fprintf(me->to, experiment->entry.ref[0] != '\0' ? " %s." : "%s", experiment->entry.ref);
    const char *const *claims;
    SB_TRY(sb_claims_of(&me->results.quantities, me->results.arena, experiment->entry.name, &claims));
    for (int k = 0; claims[k] != NULL; k++) {
        fprintf(me->to, "%s `%s`", k == 0 ? " Decides" : ",", claims[k]);
    }
    fprintf(me->to, "%s\n\n", claims[0] != NULL ? "." : "");
    if (experiment->command != NULL) {
        fprintf(me->to, "    %s\n\n", experiment->command);
    }
    bool figure = false;
    for (const char *const *file = experiment->files; *file != NULL; file++) {
        if (sb_results_figure(&me->results, *file)) {
            fprintf(me->to, "![%s](%s)\n\n", experiment->entry.brief, *file);
            figure = true;
        }
    }
    for (const char *const *file = experiment->files; *file != NULL; file++) {
        if (!sb_results_has(&me->results, *file)) {
            continue;
        }
        if (sb_ends_with(*file, ".csv")) {
            SB_TRY(write_csv(me, experiment, *file, figure));
        } else if (sb_ends_with(*file, ".md")) {
            SB_TRY(copy_table(me, *file));
        } else if (!sb_is_figure(*file) && !sb_ends_with(*file, ".png")) {
            fprintf(me->to, "[%s](%s)\n\n", *file, *file);
        }
    }
    return SB_OK;
}

/* Writes the experiments of a paper; if p is NULL, the experiments without a paper. */
static int write_experiments(page *me, const sb_paper *p) {
    const sb_registry *registry = me->results.registry;
    for (int i = 0; i < registry->count[SB_KIND_EXPERIMENT]; i++) {
        const sb_experiment *experiment = sb_experiment_at(registry, i);
        SB_TRY(sb_paper_has(p, experiment->entry.name) ? write_experiment(me, experiment) : SB_OK);
    }
    return SB_OK;
}

/* The beginning of the page in a directory without claims of papers. */
static const char about_experiments[] =
    "# Results\n\n`stepbench bench` writes this page and the files of this folder. A table is a CSV file and a figure "
    "an "
    "SVG and a PNG file with the name of the experiment. `index.html` is the same page for a browser, and "
    "[provenance.json](provenance.json) describes the machine and the build.\n\n";

/* The beginning of the page in the directory of `make bench`. */
static const char about_results[] =
    "# Results\n\n`stepbench bench` writes this page and every other file of this folder but these: `make mutate` "
    "writes "
    "`mutations.csv`, which wrong lines the tests notice, `make torture` writes `robustness.csv`, the long tests under "
    "attack, `make peers` writes `times/peers*`, engines of rigid bodies beside the steppers, and `make references` "
    "writes "
    "`references.csv`, bounds of the errors of solutions in quadruple precision. `make bench` runs all experiments. A "
    "table is a CSV file and a figure an SVG and a PNG file with the name of the experiment. [claims.csv](claims.csv) "
    "has "
    "a row for each quantity measured for a claim, with its tolerance and the reason for the tolerance; "
    "[verdicts.csv](verdicts.csv) has the verdicts, which follow from these rows. [provenance.json](provenance.json) "
    "describes the machine and the build. The same sources give the same bytes everywhere but in the provenance and in "
    "`times/`, which holds the measured times. `index.html` and `cards/`, the same results as web pages, are built by "
    "`make bench` and not committed; neither are the PNG files.\n\n";

/* Writes the page of the experiments of the program. */
static int write_program(const sb_results *results, FILE *to) {
    page me = {*results, to};
    const bool measured = sb_results_measured(results, NULL);
    fputs(measured ? about_results : about_experiments, to);
    if (measured) {
        write_all_claims(&me);
    }
    for (const sb_paper *paper = sb_papers; paper->key != NULL; paper++) {
        if (sb_results_shows_paper(results, paper)) {
            fprintf(to, "## Tables and figures of %s\n\n", paper->key);
            SB_TRY(write_experiments(&me, paper));
        }
    }
    if (sb_results_shows_paper(results, NULL)) {
        fputs("## Beyond the papers\n\n", to);
        SB_TRY(write_experiments(&me, NULL));
    }
    return SB_OK;
}

/* Writes the page of a study: its claims, then its experiments in their order. */
static int write_study(const sb_results *results, FILE *to) {
    page me = {*results, to};
    const sb_registry *registry = results->registry;
    const char *file = sb_file_name(results->study->file);
    fputs("# ", to);
    write_text(to, results->study->title);
    fputs("\n\n", to);
    write_text(to, results->study->text);
    fprintf(to,
            "%s`stepbench study %s --out DIR` writes this page and the files of this folder. "
            "[provenance.json](provenance.json) names the version of the program, the build, the machine and the "
            "SHA-256 digest of %s; beside every table FILE stands FILE.provenance.json with every parameter.\n\n",
            results->study->text[0] != '\0' ? "\n\n" : "", file, file);
    if (sb_results_measured(results, NULL)) {
        write_legend(&me);
        write_claims(&me, &sb_study_paper);
        fputs("## Tables and figures\n\n", to);
    }
    for (int i = 0; i < registry->count[SB_KIND_EXPERIMENT]; i++) {
        SB_TRY(write_experiment(&me, sb_experiment_at(registry, i)));
    }
    return SB_OK;
}

int sb_readme_write(const sb_results *results, FILE *to) {
    return results->study != NULL ? write_study(results, to) : write_program(results, to);
}
