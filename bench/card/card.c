/* Collects what the card of a stepper says: what it is, whether it does what it claims, its measures problem by
 * problem, where it breaks down, and what it does not take. */
#include "bench/card/card.h"

#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "bench/card/card_checks.h"
#include "bench/card/references.h"
#include "bench/process/pool.h"
#include "core/base/params.h"
#include "core/base/text.h"
#include "core/output/provenance.h"
#include "core/output/sink.h"

/* ---- What it is. ---- */

/* Adds a term with the meanings of the bits in a set: of SB_KEEPS_... if `kept` is set, else of features and offers. */
static void add_words(sb_page *page, json_t *terms, const char *term, unsigned set, bool kept) {
    if (set == 0) {
        return;
    }
    json_t *item = sb_page_object(page, terms), *words;
    sb_page_text(page, item, "term", term);
    words = sb_page_list(page, item, "words");
#define ADD_WORD(flag, bit, word, meaning)                                                                             \
    if ((set & (unsigned)(flag)) != 0) {                                                                               \
        sb_page_item(page, words, meaning);                                                                            \
    }
    if (kept) {
        SB_KEEPS_LIST(ADD_WORD)
    } else {
        SB_FEATURE_LIST(ADD_WORD)
        SB_OFFER_LIST(ADD_WORD)
    }
#undef ADD_WORD
}

static void add_parameters(sb_page *page, const sb_entry *entry) {
    json_t *list = sb_page_list(page, page->values, "parameters");
    for (const sb_param *p = entry->params; p != NULL && p->name != NULL; p++) {
        char range[SB_RANGE_MAX];
        json_t *item = sb_page_object(page, list);
        sb_param_range(p, range, sizeof range);
        sb_page_text(page, item, "name", p->name);
        sb_page_text(page, item, "initial", p->initial != NULL ? p->initial : "none");
        sb_page_text(page, item, "range", range);
        sb_page_text(page, item, "doc", p->doc);
    }
    sb_page_flag(page, page->values, "any_parameters", json_array_size(list) > 0);
}

/* Adds the name of the file of a plug-in, the day of its last change, and its commit if git knows it. */
static void add_plugin(const sb_card *card, sb_page *page) {
    struct stat file;
    struct tm day;
    char date[16], commit[80] = "";
    if (card->plugin == NULL || stat(card->plugin, &file) != 0 || gmtime_r(&file.st_mtime, &day) == NULL) {
        return;
    }
    strftime(date, sizeof date, "%Y-%m-%d", &day);
    const char *name = sb_file_name(card->plugin);
    char *directory =
        name > card->plugin ? sb_asprintf(card->arena, "%.*s", (int)(name - card->plugin), card->plugin) : NULL;
    char *argv[] = {"git",        "-C", directory != NULL ? directory : ".", "log", "-1", "--format=%h of %cs", "--",
                    (char *)name, NULL};
    FILE *out = tmpfile();
    if (out != NULL && sb_program_run(card->ctx, argv, NULL, out) == 0) {
        rewind(out);
        commit[strcspn(fgets(commit, sizeof commit, out) != NULL ? commit : "", "\n")] = '\0';
    }
    if (out != NULL) {
        fclose(out);
    }
    sb_page_text(page, page->values, "file", name);
    sb_page_text(page, page->values, "date", date);
    sb_page_text(page, page->values, "commit", commit);
}

static int add_identity(const sb_card *card, sb_page *page) {
    const sb_stepper *type = card->subject->type;
    const char *doi, *reference = sb_reference_text(card->ctx, card->arena, type->entry.ref, &doi);
    json_t *const all = page->values, *terms = sb_page_list(page, all, "terms");
    sb_page_text(page, all, "brief", type->entry.brief);
    sb_page_text(page, all, "reference", reference);
    sb_page_text(page, all, "doi", doi);
    sb_page_format(page, all, "order", "%d", card->subject->order);
    sb_page_text(page, all, "kind",
                 type->start_pair != NULL          ? "two-step: its state holds the last point"
                 : type->multistep                 ? "multistep: its state holds earlier points"
                 : type->continues || type->opaque ? "its state has more than q and v"
                                                   : "one-step");
    sb_page_flag(page, all, "plugin", card->plugin != NULL);
    sb_page_flag(page, all, "engine", type->uncounted);
    add_plugin(card, page);
    for (size_t i = 0; i < sizeof type->lower / sizeof *type->lower; i++) {
        char term[40];
        snprintf(term, sizeof term, "order %d with", type->lower[i].order);
        add_words(page, terms, term, type->lower[i].features, false);
    }
    json_t *takes = sb_page_object(page, terms);
    sb_page_text(page, takes, "term", "takes");
    sb_page_item(page, sb_page_list(page, takes, "words"), "potentials and constant masses");
    add_words(page, terms, "and also", type->supports, false);
    add_words(page, terms, "needs", type->needs, false);
    add_words(page, terms, "claims to keep", card->subject->keeps, true);
    add_parameters(page, &type->entry);
    return reference != NULL ? SB_OK : SB_NO_MEMORY;
}

/* ---- Whether an engine moves the mechanism. ---- */

/* Adds the rows of the check with this verdict, on all problems. */
static void add_physics_rows(sb_page *page, json_t *list, const sb_card_data *d, const char *verdict) {
    for (int i = 0; i < d->problems; i++) {
        const sb_table *table = &d->evaluations[i].tables[SB_EVALUATED_PHYSICS];
        for (int k = sb_table_find(table, "verdict", verdict, 0); k >= 0;
             k = sb_table_find(table, "verdict", verdict, k + 1)) {
            json_t *row = sb_page_object(page, list);
            sb_page_text(page, row, "verdict", verdict);
            sb_page_text(page, row, "problem", d->evaluations[i].problem);
            sb_page_text(page, row, "check", sb_table_text(table, k, "check"));
            sb_page_format(page, row, "measured", "%.2g", sb_table_real(table, k, "measured"));
            sb_page_format(page, row, "allowed", "%.2g", sb_table_real(table, k, "allowed"));
            sb_page_text(page, row, "message", sb_table_text(table, k, "message"));
        }
    }
}

/* Returns the worst verdict on a problem. */
static const char *physics_of(const sb_evaluation *j) {
    const sb_table *table = &j->tables[SB_EVALUATED_PHYSICS];
    return sb_table_count(table, "verdict", "failed") > 0                         ? "failed"
           : table->nrows == 0 || sb_table_count(table, "verdict", "unclear") > 0 ? "unclear"
                                                                                  : "passed";
}

static int add_physics(const sb_card *card, sb_page *page) {
    static const char *const verdicts[] = {"failed", "unclear", "passed"};
    const sb_card_data *d = card->subject;
    const char *summary = "", *first = "";
    json_t *list = sb_page_list(page, page->values, "physics");
    for (int v = 0; v < 3 && d->type->uncounted; v++) {
        bool any = false;
        for (int i = 0; i < d->problems; i++) {
            const sb_evaluation *j = &d->evaluations[i];
            if (j->refusal == NULL && strcmp(physics_of(j), verdicts[v]) == 0) {
                first = first[0] == '\0' ? verdicts[v] : first;
                SB_PRINT(card->arena, summary, "%s%s%s%s", summary,
                         any                  ? ", "
                         : summary[0] != '\0' ? "; "
                                              : "",
                         any      ? ""
                         : v == 0 ? "failed on "
                         : v == 1 ? "unclear on "
                                  : "passed on ",
                         j->problem);
                any = true;
            }
        }
        add_physics_rows(page, list, d, verdicts[v]);
    }
    sb_page_text(page, page->values, "physics_summary", summary);
    sb_page_flag(page, page->values, "physics_passed", strcmp(first, "passed") == 0);
    return SB_OK;
}

/* ---- The checks. ---- */

static void add_texts(sb_page *page, json_t *in, const char *name, int count, const char *const *texts) {
    json_t *list = sb_page_list(page, in, name);
    for (int i = 0; i < count; i++) {
        sb_page_item(page, list, texts[i]);
    }
}

static int add_checks(const sb_card *card, sb_page *page) {
    const sb_card_data *d = card->subject;
    json_t *const all = page->values, *list;
    sb_card_checks checks;
    SB_TRY(sb_card_check(card->ctx, card->arena, d, &checks));
    sb_page_flag(page, all, "passed", checks.passed);
    sb_page_text(page, all, "summary", checks.summary);
    list = sb_page_list(page, all, "faults");
    for (int i = 0; i < d->problems; i++) {
        if (d->evaluations[i].refusal == NULL && d->evaluations[i].fault != NULL) {
            json_t *item = sb_page_object(page, list);
            sb_page_text(page, item, "fault", d->evaluations[i].fault);
            sb_page_text(page, item, "problem", d->evaluations[i].problem);
        }
    }
    list = sb_page_list(page, all, "failures");
    for (int i = 0; i < checks.count; i++) {
        const sb_card_failure *failure = &checks.failures[i];
        json_t *item = sb_page_object(page, list);
        sb_page_text(page, item, "sentence", failure->sentence);
        add_texts(page, item, "problems", failure->nproblems, failure->problems);
        add_texts(page, item, "reasons", failure->nreasons, failure->reasons);
    }
    return SB_OK;
}

/* Adds the checks of a table that are unclear or, as its status says, were not made. */
static void add_unclear(sb_page *page, json_t *list, const sb_table *table) {
    for (int k = 0; k < table->nrows; k++) {
        const char *verdict = sb_table_text(table, k, "verdict"), *check = sb_table_text(table, k, "check");
        if (verdict[0] == '\0' || strcmp(verdict, "unclear") == 0) {
            json_t *item = sb_page_object(page, list);
            sb_page_text(page, item, "problem", sb_table_text(table, k, "problem"));
            sb_page_text(page, item, "check", check[0] != '\0' ? check : "contract");
            sb_page_text(page, item, "message", sb_table_text(table, k, verdict[0] != '\0' ? "message" : "status"));
        }
    }
}

/* ---- The measures. ---- */

static void add_value(sb_page *page, json_t *cells, const sb_measure *m) {
    const bool order = strncmp(m->name, "order", 5) == 0, drift = strcmp(m->name, "energy drift") == 0;
    const bool small = fabs(m->value) < 1e-3 && m->value != 0.0;
    json_t *cell = sb_page_object(page, cells);
    sb_page_text(page, cell, "note", m->note);
    sb_page_flag(page, cell, "none", isnan(m->value));
    if (isnan(m->value)) {
        sb_page_flag(page, cell, "no_limit", strncmp(m->note, "stable up to", 12) == 0);
        return;
    }
    sb_page_format(page, cell, "value", order ? "%.2f" : small ? "%.1e" : "%.3g", m->value);
    if (!isnan(m->uncertainty)) {
        /* a drift that the slope does not show leaves its range for good, or is one-way */
        const bool bent = drift && strcmp(m->note, "drift") == 0 && fabs(m->value) <= 5.0 * m->uncertainty;
        sb_page_format(page, cell, "uncertainty", "%s %.1g%s", order || drift ? "±" : "noise", m->uncertainty,
                       bent ? "; it drifts, along no line" : "");
    }
}

static bool is_shown(const sb_evaluation *j) { return j->refusal == NULL && j->fault == NULL; }

/* Sets used[k] if any problem has measure k, and their names. Returns the number of measures. */
static int find_columns(const sb_card_data *d, bool used[SB_MEASURES], sb_measure names[SB_MEASURES]) {
    int count = 0;
    for (int i = 0; i < d->problems; i++) {
        sb_measure list[SB_MEASURES];
        if (!is_shown(&d->evaluations[i])) {
            continue;
        }
        sb_measures_of(&d->evaluations[i], list, &count);
        for (int k = 0; k < count; k++) {
            used[k] = used[k] || !isnan(list[k].value);
            names[k] = list[k];
        }
    }
    return count;
}

static void add_measures(const sb_card_data *d, sb_page *page) {
    bool used[SB_MEASURES] = {false};
    sb_measure list[SB_MEASURES];
    int count = find_columns(d, used, list);
    json_t *columns = sb_page_list(page, page->values, "columns"), *rows = sb_page_list(page, page->values, "rows");
    for (int k = 0; k < count; k++) {
        if (used[k]) {
            json_t *column = sb_page_object(page, columns);
            sb_page_text(page, column, "name", list[k].name);
            sb_page_text(page, column, "unit", list[k].unit);
        }
    }
    sb_page_flag(page, page->values, "measured", count > 0);
    for (int i = 0; i < d->problems; i++) {
        if (!is_shown(&d->evaluations[i])) {
            continue;
        }
        json_t *row = sb_page_object(page, rows), *cells;
        sb_measures_of(&d->evaluations[i], list, &count);
        sb_page_text(page, row, "problem", d->evaluations[i].problem);
        sb_page_text(page, row, "family", d->evaluations[i].family);
        cells = sb_page_list(page, row, "cells");
        for (int k = 0; k < count; k++) {
            if (used[k]) {
                add_value(page, cells, &list[k]);
            }
        }
    }
}

/* ---- Where it breaks down, and what it does not take. ---- */

static void add_end(sb_page *page, json_t *list, const char *problem, const char *place, const char *text) {
    json_t *item = sb_page_object(page, list);
    sb_page_text(page, item, "problem", problem);
    sb_page_text(page, item, "place", place);
    sb_page_text(page, item, "text", text);
}

/* Adds how the smallest unstable step ended a run, the largest step of the other analyses that failed, and the analyses
 * that ended with an error. */
static void add_ends(sb_page *page, json_t *list, const sb_evaluation *j) {
    static const sb_evaluated where[] = {SB_EVALUATED_BLOWUP, SB_EVALUATED_WORKPREC, SB_EVALUATED_DRIFT};
    char place[40];
    for (size_t w = 0; w < sizeof where / sizeof *where; w++) {
        const sb_table *table = &j->tables[where[w]];
        int k = 0;
        while (k < table->nrows && strstr(sb_table_text(table, k, "status"), " ended at step ") == NULL) {
            k++;
        }
        if (k < table->nrows) {
            const double h = sb_table_real(table, k, "h");
            place[0] = '\0';
            if (!isnan(h)) {
                snprintf(place, sizeof place, ", h = %.3g s", h);
            }
            add_end(page, list, j->problem, place, sb_table_text(table, k, "status"));
        }
    }
    for (int k = 0; k < SB_EVALUATED_COUNT; k++) {
        if (j->outcomes[k] == SB_RUN_FAILED || j->outcomes[k] == SB_RUN_LOST) {
            snprintf(place, sizeof place, ", %s", sb_evaluated_name(k));
            add_end(page, list, j->problem, place, j->messages[k]);
        }
    }
}

static void add_problems(const sb_card_data *d, sb_page *page) {
    json_t *ends = sb_page_list(page, page->values, "ends"), *refusals = sb_page_list(page, page->values, "refusals"),
           *unclear = sb_page_list(page, page->values, "unclear");
    for (int i = 0; i < d->problems; i++) {
        const sb_evaluation *j = &d->evaluations[i];
        if (j->refusal != NULL) {
            add_end(page, refusals, j->problem, "", j->refusal);
        } else {
            add_unclear(page, unclear, &j->tables[SB_EVALUATED_CONTRACT]);
            add_ends(page, ends, j);
        }
    }
    add_unclear(page, unclear, &d->systems.rows);
}

/* ---- The page. ---- */

static int write_page(sb_page *page, const char *stepper, const char *path) {
    sb_outfile file;
    sb_page_text(page, page->values, "stepper", stepper);
    sb_page_text(page, page->values, "version", sb_version);
    SB_TRY(sb_outfile_open(page->ctx, page->arena, path, &file));
    return sb_outfile_close(&file, sb_page_write(page, "card.html", file.stream));
}

int sb_card_write(const sb_card *card) {
    sb_page page;
    SB_TRY(sb_page_begin(card->ctx, card->arena, &page));
    SB_TRY(add_identity(card, &page));
    SB_TRY(add_physics(card, &page));
    SB_TRY(add_checks(card, &page));
    add_measures(card->subject, &page);
    add_problems(card->subject, &page);
    SB_TRY(sb_card_plots(card, &page));
    return write_page(&page, card->subject->stepper, card->path);
}

int sb_card_write_refusal(sb_context *ctx, sb_arena *arena, const char *plugin, const char *why, const char *path) {
    sb_page page;
    SB_TRY(sb_page_begin(ctx, arena, &page));
    sb_page_text(&page, page.values, "wrong", why);
    return write_page(&page, sb_file_name(plugin), path);
}
