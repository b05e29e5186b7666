/* A card's words and numbers: what is wrong with the stepper, its measures problem by problem, what it does not take.
 */
#include <math.h>
#include <string.h>

#include "bench/card/card.h"
#include "bench/card/references.h"
#include "bench/report/html.h"

/* ---- What is wrong. ---- */

static const char *quantity_of(const char *check) {
    return strcmp(check, "order of q") == 0 ? "q" : strcmp(check, "order of v") == 0 ? "v" : check;
}

static bool is_order(const char *check) {
    return strncmp(check, "order of ", 9) == 0;
}

/* Failures that stand in one line: those of one check with one sentence, and of one claimed order. */
static bool alike(const sb_table *a, int i, const sb_table *b, int k) {
    return strcmp(sb_table_text(a, i, "verdict"), "failed") == 0 &&
           strcmp(sb_table_text(b, k, "verdict"), "failed") == 0 &&
           strcmp(sb_table_text(a, i, "check"), sb_table_text(b, k, "check")) == 0 &&
           (is_order(sb_table_text(a, i, "check"))
                ? sb_table_real(a, i, "allowed") == sb_table_real(b, k, "allowed")
                : strcmp(sb_table_text(a, i, "message"), sb_table_text(b, k, "message")) == 0);
}

static bool already_reported(const sb_card_data *d, int problem, int row) {
    const sb_table *table = &d->evaluations[problem].tables[SB_EVALUATED_CONTRACT];
    for (int i = 0; i <= problem; i++) {
        const sb_table *before = &d->evaluations[i].tables[SB_EVALUATED_CONTRACT];
        for (int k = 0; d->evaluations[i].refusal == NULL && k < before->nrows && !(i == problem && k >= row); k++) {
            if (alike(before, k, table, row)) {
                return true;
            }
        }
    }
    return false;
}

/* Each reason once. */
static void put_reasons(FILE *to, int count, const char *const *reasons) {
    for (int i = 0; i < count; i++) {
        bool reported = false;
        for (int k = 0; k < i; k++) {
            reported = reported || strcmp(reasons[k], reasons[i]) == 0;
        }
        if (!reported) {
            fputs("<br>Known, and why: ", to);
            sb_html_text(to, reasons[i]);
            fputs(".", to);
        }
    }
}

static int put_finding(const sb_card *card, const sb_table *known, int problem, int row) {
    const sb_card_data *d = card->subject;
    const sb_table *table = &d->evaluations[problem].tables[SB_EVALUATED_CONTRACT];
    const char *check = sb_table_text(table, row, "check"), *comma = "", **reasons;
    int count = 0;
    SB_NEW(card->arena, reasons, d->problems);
    fputs("<li><span class=\"bad\">", card->to);
    if (is_order(check)) {
        fprintf(card->to, "it claims order %g, and its %s is lower", sb_table_real(table, row, "allowed"), check);
    } else {
        sb_html_text(card->to, sb_table_text(table, row, "message"));
    }
    fputs("</span> on ", card->to);
    for (int i = problem; i < d->problems; i++) {
        const sb_evaluation *j = &d->evaluations[i];
        const sb_table *other = &j->tables[SB_EVALUATED_CONTRACT];
        for (int k = 0; j->refusal == NULL && k < other->nrows; k++) {
            if (!alike(table, row, other, k)) {
                continue;
            }
            fputs(comma, card->to);
            sb_html_text(card->to, j->problem);
            if (is_order(check)) {
                const double slope = sb_table_real(other, k, "measured");
                fprintf(card->to, slope < 0.5 ? " (its error does not fall with the step)" : " (%.2f)", slope);
            }
            comma = ", ";
            const char *why = sb_known_reason(known, d->stepper, j->problem, quantity_of(check));
            if (why != NULL) {
                reasons[count++] = why;
            }
        }
    }
    put_reasons(card->to, count, reasons);
    fputs("</li>\n", card->to);
    return SB_OK;
}

static int put_wrongs(const sb_card *card) {
    const sb_card_data *d = card->subject;
    sb_table known;
    int checks = 0, failed = 0, taken = 0;
    SB_TRY(sb_known_failures(card->ctx, card->arena, &known));
    for (int i = 0; i < d->problems; i++) {
        const sb_table *table = &d->evaluations[i].tables[SB_EVALUATED_CONTRACT];
        taken += d->evaluations[i].refusal == NULL;
        checks += d->evaluations[i].refusal == NULL ? table->nrows : 0;
        for (int k = 0; d->evaluations[i].refusal == NULL && k < table->nrows; k++) {
            failed += strcmp(sb_table_text(table, k, "verdict"), "failed") == 0;
        }
    }
    fprintf(card->to, "<h2>Does it do what it claims?</h2>\n<p class=\"%s\">", failed + d->faults > 0 ? "bad" : "good");
    if (taken == 0) {
        fputs("It takes none of the problems.</p>\n", card->to);
        return SB_OK;
    }
    if (failed + d->faults == 0) {
        fprintf(card->to, "All %d checks passed, on the %d problem%s it takes.</p>\n", checks, taken,
                taken == 1 ? "" : "s");
        return SB_OK;
    }
    if (d->faults > 0) {
        fprintf(card->to, "It crashed or did not return on %d of the %d problem%s it was tried on.%s", d->faults, taken,
                taken == 1 ? "" : "s", failed > 0 ? " " : "");
    }
    if (failed > 0) {
        fprintf(card->to, "%d of %d checks failed on the %d problem%s it was tried on.", failed, checks, taken,
                taken == 1 ? "" : "s");
    }
    fputs("</p>\n", card->to);
    fputs("<ul>\n", card->to);
    for (int i = 0; i < d->problems; i++) {
        const sb_evaluation *j = &d->evaluations[i];
        if (j->refusal == NULL && j->fault != NULL) {
            fputs("<li><span class=\"bad\">", card->to);
            sb_html_text(card->to, j->fault);
            fputs("</span> <span class=\"quiet\">(on ", card->to);
            sb_html_text(card->to, j->problem);
            fputs(")</span></li>\n", card->to);
        }
        for (int k = 0; j->refusal == NULL && k < j->tables[SB_EVALUATED_CONTRACT].nrows; k++) {
            if (strcmp(sb_table_text(&j->tables[SB_EVALUATED_CONTRACT], k, "verdict"), "failed") == 0 &&
                !already_reported(d, i, k)) {
                SB_TRY(put_finding(card, &known, i, k));
            }
        }
    }
    fputs("</ul>\n", card->to);
    return SB_OK;
}

/* ---- The measures. ---- */

static void put_value(FILE *to, const sb_measure *m) {
    if (isnan(m->value)) {
        const bool unlimited = strncmp(m->note, "stable up to", 12) == 0;
        fprintf(to, "<td class=\"number quiet\" title=\"");
        sb_html_text(to, m->note);
        fprintf(to, "\">%s</td>", unlimited ? "no limit" : "");
        return;
    }
    const bool order = strncmp(m->name, "order", 5) == 0;
    fputs("<td class=\"number\" title=\"", to);
    if (!isnan(m->uncertainty)) {
        fprintf(to, "%s %.2g", order || strcmp(m->name, "energy drift") == 0 ? "standard error" : "noise",
                m->uncertainty);
    }
    fprintf(to,
            order                                       ? "\">%.2f</td>"
            : fabs(m->value) >= 1e-3 || m->value == 0.0 ? "\">%.3g</td>"
                                                        : "\">%.1e</td>",
            m->value);
}

static bool is_shown(const sb_evaluation *j) {
    return j->refusal == NULL && j->fault == NULL;
}

/* Which measures any problem has. */
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

static void put_measures(const sb_card *card) {
    const sb_card_data *d = card->subject;
    bool used[SB_MEASURES] = {false};
    sb_measure list[SB_MEASURES];
    int count = find_columns(d, used, list);
    if (count == 0) {
        return;
    }
    fputs("<h2>Numbers</h2>\n<p>Errors over four time scales T of each problem, from h = T/10 down; drift over 1000 T, "
          "defects over 1 to 20 T, at T/10. Standard errors "
          "show when a number is pointed at.</p>\n<div class=\"scroll\" tabindex=\"0\"><table "
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
        fputs("<tr><th scope=\"row\">", card->to);
        sb_html_text(card->to, d->evaluations[i].problem);
        fprintf(card->to, "<br><span class=\"quiet\">%s</span></th>", d->evaluations[i].family);
        for (int k = 0; k < count; k++) {
            if (used[k]) {
                put_value(card->to, &list[k]);
            }
        }
        fputs("</tr>\n", card->to);
    }
    fputs("</tbody></table></div>\n", card->to);
}

/* ---- Where it ends. ---- */

static void put_end(FILE *to, const char *problem, double h, const char *analysis, const char *text, bool *begun) {
    fputs(*begun ? "<li>" : "<h2>Where it breaks down, and how</h2>\n<ul>\n<li>", to);
    sb_html_text(to, problem);
    if (!isnan(h)) {
        fprintf(to, ", h = %.3g s", h);
    }
    fprintf(to, "%s%s: ", analysis[0] != '\0' ? ", " : "", analysis);
    sb_html_text(to, text);
    fputs("</li>\n", to);
    *begun = true;
}

/* How the smallest unstable step ended a run, the largest step of the other analyses that failed, and analyses that
 * ended with an error. */
static void put_blowups(const sb_card *card) {
    const sb_card_data *d = card->subject;
    bool begun = false;
    for (int i = 0; i < d->problems; i++) {
        static const sb_evaluated where[] = {SB_EVALUATED_BLOWUP, SB_EVALUATED_WORKPREC, SB_EVALUATED_DRIFT};
        const sb_evaluation *j = &d->evaluations[i];
        for (size_t w = 0; j->refusal == NULL && w < sizeof where / sizeof *where; w++) {
            const sb_table *table = &j->tables[where[w]];
            int k = 0;
            while (k < table->nrows && strstr(sb_table_text(table, k, "status"), " ended at step ") == NULL) {
                k++;
            }
            if (k < table->nrows) {
                put_end(card->to, j->problem, sb_table_real(table, k, "h"), "", sb_table_text(table, k, "status"),
                        &begun);
            }
        }
        for (int k = 0; j->refusal == NULL && k < SB_EVALUATED_COUNT; k++) {
            if (j->outcomes[k] == SB_RUN_FAILED || j->outcomes[k] == SB_RUN_LOST) {
                put_end(card->to, j->problem, (double)NAN, sb_evaluated_name(k), j->messages[k], &begun);
            }
        }
    }
    fputs(begun ? "</ul>\n" : "", card->to);
}

static void put_refusals(const sb_card *card) {
    const sb_card_data *d = card->subject;
    bool begun = false;
    for (int i = 0; i < d->problems; i++) {
        if (d->evaluations[i].refusal == NULL) {
            continue;
        }
        fputs(begun ? "" : "<details><summary>Problems it does not take, and why</summary><ul>\n", card->to);
        fputs("<li>", card->to);
        sb_html_text(card->to, d->evaluations[i].problem);
        fputs(": ", card->to);
        sb_html_text(card->to, d->evaluations[i].refusal);
        fputs("</li>\n", card->to);
        begun = true;
    }
    fputs(begun ? "</ul></details>\n" : "", card->to);
}

int sb_card_tables(const sb_card *card) {
    SB_TRY(put_wrongs(card));
    put_measures(card);
    put_blowups(card);
    put_refusals(card);
    return SB_OK;
}
