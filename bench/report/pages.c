/* Writes README.md, claims.md and index.html of a results directory: experiments with their files, claims with their
 * verdicts. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/data/data.h"
#include "bench/report/summary.h"
#include "core/output/csv.h"
#include "core/output/sink.h"

typedef struct report {
    sb_results results;
    sb_table charts; /* bench/report/assets/charts.csv: the columns that the chart of a table shows first */
    sb_page page;
} report;

/* ---- The directory. ---- */

/* Stands for the paper of a study: all claims are of it. */
static const sb_paper study_paper = {"", 0, ""};

static bool is_figure(const char *file) { return sb_ends_with(file, ".svg") || sb_ends_with(file, ".gif"); }

static int open_results(sb_context *ctx, sb_arena *arena, const sb_registry *registry, const sb_study *study,
                        const char *out, sb_results *results) {
    const char *path;
    *results = (sb_results){.ctx = ctx, .arena = arena, .registry = registry, .study = study, .out = out};
    SB_TRY(sb_claims_read(ctx, arena, study != NULL ? study->file : NULL, &results->claims));
    SB_TRY(sb_results_path(results, "claims.csv", &path));
    sb_table_init(&results->quantities, arena);
    return access(path, R_OK) == 0 ? sb_table_read_csv_text(&results->quantities, ctx, path) : SB_OK;
}

/* Returns the verdict on a claim, "open" if nothing was measured. */
static const char *verdict_on(const sb_results *results, const char *id) {
    const sb_table *rows = &results->quantities;
    return sb_claim_row(rows, id, 0) < 0 ? "open" : sb_verdict_name[sb_claim_verdict(rows, id)];
}

static bool is_own(const sb_results *results, int row) { return sb_table_is(&results->claims, row, "kind", "own"); }

/* Returns the verdict on a row of the list of claims in the words of the pages. */
static const char *words_of(const sb_results *results, int row) {
    const char *verdict = verdict_on(results, sb_table_text(&results->claims, row, "id"));
    if (!is_own(results, row)) {
        return verdict;
    }
    return strcmp(verdict, "reproduced") == 0 ? "holds" : strcmp(verdict, "refuted") == 0 ? "does not hold" : verdict;
}

/* Returns whether a quantity of a claim of the paper (NULL: of any paper) was measured. */
static bool is_measured(const sb_results *results, const sb_paper *paper) {
    for (int i = 0; i < results->claims.nrows; i++) {
        const char *id = sb_table_text(&results->claims, i, "id");
        if ((paper == NULL || sb_paper_has(paper, id)) && sb_claim_row(&results->quantities, id, 0) >= 0) {
            return true;
        }
    }
    return false;
}

static bool shows(const sb_results *results, const sb_experiment *experiment) {
    for (const char *const *file = experiment->files; file != NULL && *file != NULL; file++) {
        if (sb_results_has(results, *file)) {
            return true;
        }
    }
    return false;
}

/* Returns whether the experiment belongs to the paper (NULL: to none, as those of a study) and any of its files exists.
 */
static bool shows_of(const sb_results *results, const sb_paper *paper, const sb_experiment *experiment) {
    const bool belongs = results->study != NULL ? paper == NULL : sb_paper_has(paper, experiment->entry.name);
    return belongs && shows(results, experiment);
}

/* ---- Claims. ---- */

/* Counts the claims of a paper, without our own, by verdict, and adds their shares for a bar. */
static void add_counts(report *me, const sb_paper *paper, json_t *group) {
    const sb_table *claims = &me->results.claims;
    int counts[SB_VERDICTS + 1] = {0}, total = 0;
    for (int i = 0; i < claims->nrows; i++) {
        const char *id = sb_table_text(claims, i, "id"), *verdict = verdict_on(&me->results, id);
        int v = 0;
        while (v < SB_VERDICTS && strcmp(verdict, sb_verdict_name[v]) != 0) {
            v++;
        }
        const bool counted = !is_own(&me->results, i) && sb_paper_has(paper, id);
        counts[v] += counted;
        total += counted;
    }
    json_t *list = sb_page_list(&me->page, group, "counts");
    sb_page_format(&me->page, group, "total", "%d", total);
    for (int v = 0; v <= SB_VERDICTS; v++) {
        json_t *count = sb_page_object(&me->page, list);
        sb_page_text(&me->page, count, "verdict", v < SB_VERDICTS ? sb_verdict_name[v] : "open");
        sb_page_format(&me->page, count, "count", "%d", counts[v]);
        sb_page_format(&me->page, count, "percent", "%.2f", total > 0 ? 100.0 * counts[v] / total : 0.0);
        sb_page_flag(&me->page, count, "any", counts[v] > 0);
    }
}

/* Returns how close a quantity is to its bound: 1 at the bound, less where it passes, more where it fails. */
static double closeness(const sb_table *rows, int row) {
    const double x = strtod(sb_table_text(rows, row, "measured"), NULL),
                 y = strtod(sb_table_text(rows, row, "expected"), NULL),
                 tolerance = strtod(sb_table_text(rows, row, "tolerance"), NULL),
                 part = sb_table_is(rows, row, "comparison", "at most")    ? x / y
                        : sb_table_is(rows, row, "comparison", "at least") ? y / x
                                                                           : fabs(x - y) / tolerance;
    return sb_table_is(rows, row, "passed", "no") ? (part > 1.0 ? part : 1.0) : part < 1.0 ? part : part >= 1.0;
}

/* Returns whether the paper prints a number for a quantity. */
static bool has_number(const sb_table *rows, int row) {
    return strpbrk(sb_table_text(rows, row, "published"), "0123456789") != NULL;
}

/* Returns whether the page shows a quantity: it counts, and has a printed number or is the one of its form that is
 * closest to its bound. */
static bool is_shown(const sb_table *rows, int row) {
    const char *id = sb_table_text(rows, row, "claim"), *form = sb_table_text(rows, row, "form");
    bool closest = true;
    for (int k = sb_claim_row(rows, id, 0); k >= 0; k = sb_claim_row(rows, id, k + 1)) {
        const double other = closeness(rows, k), own = closeness(rows, row);
        closest = closest && (!sb_table_is(rows, k, "form", form) || own > other || (own == other && row <= k));
    }
    return strcmp(form, "reported") != 0 && (closest || has_number(rows, row));
}

/* Adds a quantity of a claim: what was measured and what it is compared with. `ours`: its bound is not a number of the
 * paper. */
static void add_quantity(report *me, int row, json_t *list) {
    static const char *const texts[] = {"quantity", "form", "published", "measured", "uncertainty"};
    const sb_table *rows = &me->results.quantities;
    const char *comparison = sb_table_text(rows, row, "comparison"), *expected = sb_table_text(rows, row, "expected"),
               *tolerance = sb_table_text(rows, row, "tolerance"), *measured = sb_table_text(rows, row, "measured");
    json_t *quantity = sb_page_object(&me->page, list);
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        sb_page_text(&me->page, quantity, texts[k], sb_table_text(rows, row, texts[k]));
    }
    if (tolerance[0] != '\0') {
        sb_page_format(&me->page, quantity, "error", "%.2g", fabs(strtod(measured, NULL) - strtod(expected, NULL)));
        sb_page_format(&me->page, quantity, "allowed", "%.2g%s", strtod(tolerance, NULL),
                       strcmp(comparison, "order") == 0 ? " + 3 se" : "");
        sb_page_format(&me->page, quantity, "of", "%.12g", strtod(expected, NULL));
    } else if (expected[0] != '\0') {
        sb_page_format(&me->page, quantity, "compared", "%s %.12g", comparison, strtod(expected, NULL));
    }
    sb_page_flag(&me->page, quantity, "number", has_number(rows, row));
    sb_page_flag(&me->page, quantity, "ours",
                 comparison[0] != '\0' && strcmp(comparison, "holds") != 0 && !has_number(rows, row));
    sb_page_flag(&me->page, quantity, "failed", sb_table_is(rows, row, "passed", "no"));
    sb_page_flag(&me->page, quantity, "shown", is_shown(rows, row));
}

/* Returns whether the list of claims has a number of the paper, and not a word that says where one would be. */
static bool is_published(const char *text) {
    return text[0] != '\0' && strcmp(text, "caption") != 0 && strcmp(text, "open") != 0 && strcmp(text, "-") != 0;
}

static void add_claim(report *me, int row, json_t *list) {
    static const char *const texts[] = {"id", "claim", "where", "comment"};
    const sb_table *claims = &me->results.claims, *rows = &me->results.quantities;
    const char *id = sb_table_text(claims, row, "id"), *published = sb_table_text(claims, row, "published");
    json_t *claim = sb_page_object(&me->page, list), *quantities;
    int hidden = 0;
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        sb_page_text(&me->page, claim, texts[k], sb_table_text(claims, row, texts[k]));
    }
    sb_page_text(&me->page, claim, "verdict", verdict_on(&me->results, id));
    sb_page_text(&me->page, claim, "words", words_of(&me->results, row));
    sb_page_flag(&me->page, claim, "own", is_own(&me->results, row));
    sb_page_flag(&me->page, claim, "decided", sb_claim_row(rows, id, 0) >= 0);
    sb_page_flag(&me->page, claim, "remark", strcmp(verdict_on(&me->results, id), "reproduced") != 0);
    quantities = sb_page_list(&me->page, claim, "quantities");
    for (int k = sb_claim_row(rows, id, 0); k >= 0; k = sb_claim_row(rows, id, k + 1)) {
        add_quantity(me, k, quantities);
        hidden += !sb_table_is(rows, k, "form", "reported") && !is_shown(rows, k);
    }
    sb_page_format(&me->page, claim, "more", hidden > 0 ? "%d" : "", hidden);
    sb_page_text(&me->page, claim, "published", is_published(published) ? published : "");
}

/* Adds the claims of a paper, and a list of the names of those that are not measured. */
static void add_claims(report *me, const sb_paper *paper, json_t *group) {
    const sb_table *claims = &me->results.claims;
    json_t *list = sb_page_list(&me->page, group, "claims"), *open = sb_page_list(&me->page, group, "open");
    for (int i = 0; i < claims->nrows; i++) {
        const char *id = sb_table_text(claims, i, "id");
        if (!sb_paper_has(paper, id)) {
            continue;
        }
        add_claim(me, i, list);
        if (sb_claim_row(&me->results.quantities, id, 0) < 0) {
            sb_page_item(&me->page, open, id);
        }
    }
}

/* ---- Experiments. ---- */

/* Returns the caption of a figure, the first line of its plot script; the line about the experiment if there is none.
 */
static const char *caption(report *me, const sb_experiment *experiment, const char *file) {
    const char *path;
    char *name, *text;
    file = sb_file_name(file);
    name = sb_asprintf(me->results.arena, "%.*s.gp", (int)strcspn(file, "."), file);
    if (name == NULL || sb_data_find(me->results.ctx, me->results.arena, "experiments", name, &path) != SB_OK ||
        sb_text_read(me->results.ctx, me->results.arena, path, &text) != SB_OK || text[0] != '#') {
        return experiment->entry.brief[0] != '\0' ? experiment->entry.brief : file;
    }
    text[strcspn(text, "\n")] = '\0';
    return text + 1 + strspn(text + 1, " ");
}

/* Adds a table, and writes its data for the page. */
static int add_table(report *me, const char *file, json_t *list) {
    static const char *const attributes[] = {"x", "y", "by", "log"};
    const int row = sb_table_find(&me->charts, "file", sb_file_name(file), 0);
    int rows, columns;
    SB_TRY(sb_site_table(&me->results, file, &rows, &columns));
    json_t *table = sb_page_object(&me->page, list);
    sb_page_text(&me->page, table, "file", file);
    sb_page_format(&me->page, table, "rows", "%d", rows);
    sb_page_format(&me->page, table, "columns", "%d", columns);
    json_t *chart = sb_page_list(&me->page, table, "chart");
    for (size_t k = 0; k < sizeof attributes / sizeof *attributes && row >= 0; k++) {
        json_t *attribute = sb_page_object(&me->page, chart);
        sb_page_text(&me->page, attribute, "name", attributes[k]);
        sb_page_text(&me->page, attribute, "value", sb_table_text(&me->charts, row, attributes[k]));
    }
    return SB_OK;
}

/* Adds the files that exist: figures, tables, and others. A picture in PNG is also an SVG or a GIF file. */
static int add_files(report *me, const sb_experiment *experiment, json_t *to) {
    json_t *figures = sb_page_list(&me->page, to, "figures"), *tables = sb_page_list(&me->page, to, "tables"),
           *others = sb_page_list(&me->page, to, "others"), *committed = sb_page_list(&me->page, to, "committed");
    const char *thumbnail = NULL;
    for (const char *const *file = experiment->files; *file != NULL; file++) {
        if (!sb_results_has(&me->results, *file)) {
            continue;
        }
        if (is_figure(*file)) {
            json_t *figure = sb_page_object(&me->page, figures);
            sb_page_text(&me->page, figure, "file", *file);
            sb_page_text(&me->page, figure, "caption", caption(me, experiment, *file));
            thumbnail = thumbnail != NULL ? thumbnail : *file;
        } else if (sb_ends_with(*file, ".csv")) {
            SB_TRY(add_table(me, *file, tables));
        } else {
            sb_page_item(&me->page, others, *file);
            if (!sb_ends_with(*file, ".png")) {
                sb_page_item(&me->page, committed, *file);
            }
        }
    }
    sb_page_text(&me->page, to, "thumbnail", thumbnail);
    return SB_OK;
}

static int add_experiment(report *me, const sb_experiment *experiment, json_t *list) {
    const char *const *claims;
    json_t *to = sb_page_object(&me->page, list), *decided;
    sb_page_text(&me->page, to, "name", experiment->entry.name);
    sb_page_text(&me->page, to, "brief", experiment->entry.brief);
    sb_page_text(&me->page, to, "ref", experiment->entry.ref);
    sb_page_text(&me->page, to, "command", experiment->command);
    SB_TRY(sb_claims_of(&me->results.quantities, me->results.arena, experiment->entry.name, &claims));
    decided = sb_page_list(&me->page, to, "decided");
    for (int k = 0; claims[k] != NULL; k++) {
        json_t *claim = sb_page_object(&me->page, decided);
        sb_page_text(&me->page, claim, "id", claims[k]);
        sb_page_text(&me->page, claim, "verdict", verdict_on(&me->results, claims[k]));
    }
    return add_files(me, experiment, to);
}

static bool has_figure(const report *me, const sb_experiment *experiment) {
    for (const char *const *file = experiment->files; *file != NULL; file++) {
        if (is_figure(*file) && sb_results_has(&me->results, *file)) {
            return true;
        }
    }
    return false;
}

/* Adds the experiments of a paper (NULL: of none of the papers) whose files are there, first those with a figure; those
 * of a study in its order. */
static int add_experiments(report *me, const sb_paper *paper, json_t *group) {
    const sb_registry *registry = me->results.registry;
    const bool study = me->results.study != NULL;
    json_t *list = sb_page_list(&me->page, group, "experiments");
    for (int plain = 0; plain < (study ? 1 : 2); plain++) {
        for (int i = 0; i < registry->count[SB_KIND_EXPERIMENT]; i++) {
            const sb_experiment *experiment = (const sb_experiment *)registry->entries[SB_KIND_EXPERIMENT][i];
            if (shows_of(&me->results, paper, experiment) && (study || has_figure(me, experiment) == (plain == 0))) {
                SB_TRY(add_experiment(me, experiment, list));
            }
        }
    }
    sb_page_flag(&me->page, group, "shown", json_array_size(list) > 0);
    return SB_OK;
}

/* ---- The page. ---- */

/* Adds a paper with its claims and experiments; with a key of "" the experiments of none of the papers, and in a study
 * all claims. */
static int add_group(report *me, const sb_paper *paper, json_t *groups) {
    const bool none = paper->key[0] == '\0', study = me->results.study != NULL,
               measured = (!none || study) && is_measured(&me->results, none ? NULL : paper);
    json_t *group = sb_page_object(&me->page, groups);
    sb_page_text(&me->page, group, "key", paper->key);
    sb_page_text(&me->page, group, "title", paper->title);
    sb_page_flag(&me->page, group, "measured", measured);
    if (measured) {
        add_counts(me, paper, group);
        add_claims(me, paper, group);
    }
    return add_experiments(me, none ? NULL : paper, group);
}

static int add_cards(report *me) {
    const sb_registry *registry = me->results.registry;
    json_t *cards = sb_page_list(&me->page, me->page.values, "cards");
    for (int i = 0; i < registry->count[SB_KIND_STEPPER]; i++) {
        const sb_entry *entry = registry->entries[SB_KIND_STEPPER][i];
        const char *file;
        SB_PRINT(me->results.arena, file, "cards/%s.html", entry->name);
        if (sb_results_has(&me->results, file)) {
            json_t *card = sb_page_object(&me->page, cards);
            sb_page_text(&me->page, card, "file", file);
            sb_page_text(&me->page, card, "name", entry->name);
            sb_page_text(&me->page, card, "brief", entry->brief);
        }
    }
    sb_page_flag(&me->page, me->page.values, "any_cards", json_array_size(cards) > 0);
    return SB_OK;
}

static int add_all(report *me) {
    const sb_study *study = me->results.study;
    json_t *const all = me->page.values, *groups, *verdicts;
    sb_page_text(&me->page, all, "title", study != NULL ? study->title : "");
    sb_page_flag(&me->page, all, "study", study != NULL);
    sb_page_text(&me->page, all, "text", study != NULL ? study->text : "");
    sb_page_text(&me->page, all, "file", study != NULL ? sb_file_name(study->file) : "");
    sb_page_flag(&me->page, all, "any_claims", is_measured(&me->results, NULL));
    sb_page_flag(&me->page, all, "provenance", sb_results_has(&me->results, "provenance.json"));
    sb_page_flag(&me->page, all, "ladder",
                 study == NULL && sb_results_has(&me->results, "ladder_fall.csv") &&
                     sb_results_has(&me->results, "ladder_fall_runs.csv"));
    verdicts = sb_page_list(&me->page, all, "verdicts");
    for (int v = 0; v < SB_VERDICTS; v++) {
        sb_page_item(&me->page, verdicts, sb_verdict_name[v]);
    }
    groups = sb_page_list(&me->page, all, "papers");
    for (const sb_paper *paper = sb_papers; paper->key != NULL && study == NULL; paper++) {
        SB_TRY(add_group(me, paper, groups));
    }
    SB_TRY(add_group(me, &study_paper, groups));
    return add_cards(me);
}

static int write_page(const report *me, const char *template, const char *file) {
    const char *path;
    sb_outfile to;
    SB_TRY(sb_results_path(&me->results, file, &path));
    SB_TRY(sb_outfile_open(me->results.ctx, me->results.arena, path, &to));
    return sb_outfile_close(&to, sb_page_write(&me->page, template, to.stream));
}

int sb_results_write_pages(sb_context *ctx, const sb_registry *registry, const sb_study *study, const char *out) {
    report me;
    SB_SCRATCH(arena, ctx);
    SB_TRY(open_results(ctx, &arena, registry, study, out, &me.results));
    SB_TRY(sb_data_table(ctx, &arena, "assets/charts.csv", &me.charts));
    SB_TRY(sb_page_begin(ctx, &arena, &me.page));
    SB_TRY(sb_site_directory(&me.results));
    SB_TRY(sb_site_provenance(&me.results));
    SB_TRY(add_all(&me));
    SB_TRY(write_page(&me, "results.md", "README.md"));
    if (is_measured(&me.results, NULL)) {
        SB_TRY(write_page(&me, "claims.md", "claims.md"));
    }
    SB_TRY(write_page(&me, "results.html", "index.html"));
    if (study == NULL || study->summary == NULL) {
        return SB_OK;
    }
    const char *file;
    SB_PRINT(&arena, file, "%s.html", study->summary);
    SB_TRY(sb_summary_add(&me.results, &me.page));
    return write_page(&me, "summary.html", file);
}
