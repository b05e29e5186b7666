/* Writes the claims of the papers to index.html: one line each, folded per paper, the text on demand. */
#include <stdlib.h>
#include <string.h>

#include "bench/report/html.h"
#include "bench/report/site.h"

static const char *verdict_name(int v) { return v < SB_VERDICTS ? sb_verdict_name[v] : "open"; }

/* Writes the verdicts on the claims of a paper as a bar and in words. */
static void write_counts(sb_site *me, const sb_paper *paper) {
    int counts[SB_VERDICTS + 1];
    const int total = sb_results_count(&me->results, paper, counts);
    const char *comma = "";
    fputs("<span class=\"bar\" aria-hidden=\"true\">", me->to);
    for (int v = 0; v <= SB_VERDICTS && total > 0; v++) {
        if (counts[v] > 0) {
            fprintf(me->to, "<span class=\"%s\" style=\"width:%.2f%%\"></span>", verdict_name(v),
                    100.0 * counts[v] / total);
        }
    }
    fprintf(me->to, "</span><span>%d claims: ", total);
    for (int v = 0; v <= SB_VERDICTS; v++) {
        if (counts[v] > 0) {
            fprintf(me->to, "%s<span class=\"verdict %s\">%d %s</span>", comma, verdict_name(v), counts[v],
                    verdict_name(v));
            comma = ", ";
        }
    }
    fputs("</span>", me->to);
}

/* Writes what a quantity is compared with. */
static void write_tolerance(FILE *to, const sb_table *rows, int row) {
    const char *comparison = sb_table_text(rows, row, "comparison"), *expected = sb_table_text(rows, row, "expected");
    const char *tolerance = sb_table_text(rows, row, "tolerance");
    if (tolerance[0] != '\0') {
        const bool order = strcmp(comparison, "order") == 0;
        fprintf(to, ", within %s%.2g of %.12g", order ? "three standard errors + " : "", strtod(tolerance, NULL),
                strtod(expected, NULL));
    } else if (comparison[0] != '\0') {
        sb_html(to, expected[0] != '\0' ? ", %s %s" : ", %s%s", comparison, expected);
    }
}

/* Writes the measured number of a quantity, with its standard error or spread, its form, and its tolerance. */
static void write_quantity(sb_site *me, int row) {
    const sb_table *rows = &me->results.quantities;
    const char *uncertainty = sb_table_text(rows, row, "uncertainty");
    sb_html(me->to, "<li>%s: <b>%s%s%s</b> <span class=\"quiet\">%s", sb_table_text(rows, row, "quantity"),
            sb_table_text(rows, row, "measured"), uncertainty[0] != '\0' ? " ± " : "", uncertainty,
            sb_table_text(rows, row, "form"));
    write_tolerance(me->to, rows, row);
    fputs("</span></li>", me->to);
}

static void write_claim(sb_site *me, const sb_paper *paper, int i) {
    const sb_table *claims = &me->results.claims, *rows = &me->results.quantities;
    const char *id = sb_table_text(claims, i, "id"), *verdict = sb_results_verdict(&me->results, id);
    const char *published = sb_table_text(claims, i, "published"), *comment = sb_table_text(claims, i, "comment");
    sb_html(me->to,
            "<details class=\"claim\" id=\"%s\" data-paper=\"%s\" data-verdict=\"%s\"><summary><span class=\"verdict "
            "%s\">%s</span> <code>%s</code> <span class=\"line\">%s</span></summary>\n<p>%s%s%s%s.</p><ul>",
            id, paper->key, verdict, verdict, sb_results_verdict_words(&me->results, i), id,
            sb_table_text(claims, i, "claim"), sb_table_text(claims, i, "where"),
            sb_results_own(&me->results, i) ? " (our own result)" : "", published[0] != '\0' ? ". Published: " : "",
            published);
    for (int row = sb_claim_row(rows, id, 0); row >= 0; row = sb_claim_row(rows, id, row + 1)) {
        write_quantity(me, row);
    }
    sb_html(me->to, "</ul><p>%s</p></details>\n", comment);
}

static void write_paper(sb_site *me, const sb_paper *paper) {
    const sb_table *claims = &me->results.claims;
    fprintf(me->to, "<details class=\"paper\"><summary><b>%s</b> ", paper->key);
    write_counts(me, paper);
    fputs("</summary>\n", me->to);
    for (int i = 0; i < claims->nrows; i++) {
        if (sb_paper_has(paper, sb_table_text(claims, i, "id"))) {
            write_claim(me, paper, i);
        }
    }
    fputs("</details>\n", me->to);
}

int sb_site_claims(sb_site *me) {
    const bool study = me->results.study != NULL;
    for (const sb_paper *paper = sb_papers; paper->key != NULL && !study; paper++) {
        if (sb_results_measured(&me->results, paper)) {
            write_paper(me, paper);
        }
    }
    if (study) {
        write_paper(me, &sb_study_paper);
    }
    fputs("<details><summary>How a claim is judged</summary>\n<p>A claim is reproduced as the paper states it, "
          "corrected where it holds only after an erratum, refuted where it does not hold, undecidable where the paper "
          "leaves out what would decide it, and open where it was not measured.</p>\n",
          me->to);
    for (const char *const *text = sb_results_sources; *text != NULL && !study; text++) {
        sb_html(me->to, "<p>%s</p>\n", *text);
    }
    fputs("</details>\n", me->to);
    return SB_OK;
}
