/* Writes the text and the tables of a card as HTML: whether the stepper does what it claims, its measures problem by
 * problem, where it breaks down, and what it does not take. */
#include <math.h>
#include <string.h>

#include "bench/card/card.h"
#include "bench/card/card_checks.h"
#include "bench/report/html.h"

/* ---- The checks. ---- */

static void write_failure(FILE *to, const sb_card_failure *failure) {
    sb_html(to, "<li><span class=\"bad\">%s</span> on ", failure->sentence);
    for (int i = 0; i < failure->nproblems; i++) {
        sb_html(to, i > 0 ? ", %s" : "%s", failure->problems[i]);
    }
    for (int i = 0; i < failure->nreasons; i++) {
        sb_html(to, "<br>Known, and why: %s.", failure->reasons[i]);
    }
    fputs("</li>\n", to);
}

static int write_checks(const sb_card *card) {
    const sb_card_data *d = card->subject;
    sb_card_checks checks;
    SB_TRY(sb_card_check(card->ctx, card->arena, d, &checks));
    fprintf(card->to, "<h2>Does it do what it claims?</h2>\n<p class=\"%s\">%s</p>\n", checks.passed ? "good" : "bad",
            checks.summary);
    if (d->faults + checks.count == 0) {
        return SB_OK;
    }
    fputs("<ul>\n", card->to);
    for (int i = 0; i < d->problems; i++) {
        if (d->evaluations[i].refusal == NULL && d->evaluations[i].fault != NULL) {
            sb_html(card->to, "<li><span class=\"bad\">%s</span> <span class=\"quiet\">(on %s)</span></li>\n",
                    d->evaluations[i].fault, d->evaluations[i].problem);
        }
    }
    for (int i = 0; i < checks.count; i++) {
        write_failure(card->to, &checks.failures[i]);
    }
    fputs("</ul>\n", card->to);
    return SB_OK;
}

/* Adds the unclear checks of a table to a list, which begins with the first. */
static void write_unclear_of(FILE *to, const sb_table *table, bool *begun) {
    for (int k = sb_table_find(table, "verdict", "unclear", 0); k >= 0;
         k = sb_table_find(table, "verdict", "unclear", k + 1)) {
        fputs(*begun ? "" : "<details><summary>What could not be decided, and why</summary><ul>\n", to);
        sb_html(to, "<li>%s, %s: %s</li>\n", sb_table_text(table, k, "problem"), sb_table_text(table, k, "check"),
                sb_table_text(table, k, "message"));
        *begun = true;
    }
}

static void write_unclear(const sb_card *card) {
    const sb_card_data *d = card->subject;
    bool begun = false;
    for (int i = 0; i < d->problems; i++) {
        write_unclear_of(card->to, &d->evaluations[i].tables[SB_EVALUATED_CONTRACT], &begun);
    }
    write_unclear_of(card->to, &d->systems.rows, &begun);
    fputs(begun ? "</ul></details>\n" : "", card->to);
}

/* ---- The measures. ---- */

static void write_value(FILE *to, const sb_measure *m) {
    const bool order = strncmp(m->name, "order", 5) == 0, drift = strcmp(m->name, "energy drift") == 0;
    if (isnan(m->value)) {
        sb_html(to, "<td class=\"number quiet\" title=\"%s\">%s</td>", m->note,
                strncmp(m->note, "stable up to", 12) == 0 ? "no limit" : "");
        return;
    }
    const bool small = fabs(m->value) < 1e-3 && m->value != 0.0;
    fprintf(to,
            order   ? "<td class=\"number\">%.2f"
            : small ? "<td class=\"number\">%.1e"
                    : "<td class=\"number\">%.3g",
            m->value);
    if (!isnan(m->uncertainty)) {
        fprintf(to, "<small class=\"quiet\">%s %.1g</small>", order || drift ? "±" : "noise", m->uncertainty);
    }
    fputs("</td>", to);
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

static void write_measures(const sb_card *card) {
    const sb_card_data *d = card->subject;
    bool used[SB_MEASURES] = {false};
    sb_measure list[SB_MEASURES];
    int count = find_columns(d, used, list);
    if (count == 0) {
        return;
    }
    fputs("<h2>Numbers</h2>\n<p>From h = T/10 in two digits down, with the time scale T of the problem: errors over "
          "4 T, defects over 1 to 20 T, drift over 1000 T, or over one period where that is longer. Below a number "
          "stands its standard error, or the noise of round-off.</p>\n<div class=\"scroll\" tabindex=\"0\"><table "
          "class=\"wide\"><thead><tr><th>problem</th>",
          card->to);
    for (int k = 0; k < count; k++) {
        if (used[k]) {
            fprintf(card->to, "<th class=\"number\">%s%s%s</th>", list[k].name, list[k].unit[0] != '\0' ? ", " : "",
                    list[k].unit);
        }
    }
    fputs("</tr></thead><tbody>\n", card->to);
    for (int i = 0; i < d->problems; i++) {
        if (!is_shown(&d->evaluations[i])) {
            continue;
        }
        sb_measures_of(&d->evaluations[i], list, &count);
        sb_html(card->to, "<tr><th scope=\"row\">%s<br><span class=\"quiet\">%s</span></th>", d->evaluations[i].problem,
                d->evaluations[i].family);
        for (int k = 0; k < count; k++) {
            if (used[k]) {
                write_value(card->to, &list[k]);
            }
        }
        fputs("</tr>\n", card->to);
    }
    fputs("</tbody></table></div>\n", card->to);
}

/* ---- Where it breaks down. ---- */

/* Adds an item to a list, which begins with the first: the problem, then ", h = 0.1 s" or ", order", and what
 * happened. */
static void write_end(FILE *to, const char *problem, const char *where, const char *text, bool *begun) {
    fputs(*begun ? "" : "<h2>Where it breaks down, and how</h2>\n<ul>\n", to);
    sb_html(to, "<li>%s%s: %s</li>\n", problem, where, text);
    *begun = true;
}

/* Writes how the smallest unstable step ended a run, the largest step of the other analyses that failed, and the
 * analyses that ended with an error. */
static void write_blowups(const sb_card *card) {
    const sb_card_data *d = card->subject;
    bool begun = false;
    for (int i = 0; i < d->problems; i++) {
        static const sb_evaluated where[] = {SB_EVALUATED_BLOWUP, SB_EVALUATED_WORKPREC, SB_EVALUATED_DRIFT};
        const sb_evaluation *j = &d->evaluations[i];
        char place[40] = "";
        for (size_t w = 0; j->refusal == NULL && w < sizeof where / sizeof *where; w++) {
            const sb_table *table = &j->tables[where[w]];
            int k = 0;
            while (k < table->nrows && strstr(sb_table_text(table, k, "status"), " ended at step ") == NULL) {
                k++;
            }
            if (k < table->nrows) {
                const double h = sb_table_real(table, k, "h");
                snprintf(place, sizeof place, isnan(h) ? "" : ", h = %.3g s", h);
                write_end(card->to, j->problem, place, sb_table_text(table, k, "status"), &begun);
            }
        }
        for (int k = 0; j->refusal == NULL && k < SB_EVALUATED_COUNT; k++) {
            if (j->outcomes[k] == SB_RUN_FAILED || j->outcomes[k] == SB_RUN_LOST) {
                snprintf(place, sizeof place, ", %s", sb_evaluated_name(k));
                write_end(card->to, j->problem, place, j->messages[k], &begun);
            }
        }
    }
    fputs(begun ? "</ul>\n" : "", card->to);
}

static void write_refusals(const sb_card *card) {
    const sb_card_data *d = card->subject;
    bool begun = false;
    for (int i = 0; i < d->problems; i++) {
        if (d->evaluations[i].refusal == NULL) {
            continue;
        }
        fputs(begun ? "" : "<details><summary>Problems it does not take, and why</summary><ul>\n", card->to);
        sb_html(card->to, "<li>%s: %s</li>\n", d->evaluations[i].problem, d->evaluations[i].refusal);
        begun = true;
    }
    fputs(begun ? "</ul></details>\n" : "", card->to);
}

int sb_card_tables(const sb_card *card) {
    SB_TRY(write_checks(card));
    write_unclear(card);
    write_measures(card);
    write_blowups(card);
    write_refusals(card);
    return SB_OK;
}
