/* Writes results/index.html, one static page with everything in the results directory. */
#include "bench/report/site.h"

#include <string.h>

#include "bench/cli/data.h"
#include "bench/report/html.h"
#include "bench/report/site_data.h"
#include "core/base/text.h"

typedef struct site {
    sb_results results;
    sb_table charts; /* bench/report/assets/charts.csv: which columns a table's chart begins with */
    FILE *to;
} site;

/* ---- Summary. ---- */

static const char *verdict_name(int v) { return v < SB_VERDICTS ? sb_verdict_name[v] : "open"; }

/* Writes the verdicts on the claims of a paper (NULL: all papers) as a bar and in words. */
static void write_bar(site *me, const sb_paper *paper) {
    int counts[SB_VERDICTS + 1];
    const int total = sb_results_count(&me->results, paper, counts);
    const char *comma = "";
    fprintf(me->to, "<tr><th scope=\"row\">%s</th><td><div class=\"bar\" aria-hidden=\"true\">",
            paper != NULL ? paper->key : "all");
    for (int v = 0; v <= SB_VERDICTS && total > 0; v++) {
        fprintf(me->to, "<span class=\"%s\" style=\"width:%.2f%%\"></span>", verdict_name(v),
                100.0 * counts[v] / total);
    }
    fprintf(me->to, "</div></td><td>%d claims: ", total);
    for (int v = 0; v <= SB_VERDICTS; v++) {
        if (counts[v] > 0) {
            fprintf(me->to, "%s<span class=\"verdict %s\">%d %s</span>", comma, verdict_name(v), counts[v],
                    verdict_name(v));
            comma = ", ";
        }
    }
    fputs("</td></tr>\n", me->to);
}

static int write_summary(site *me) {
    fputs("<table class=\"summary\"><tbody>\n", me->to);
    for (const sb_paper *paper = sb_papers; paper->key != NULL; paper++) {
        write_bar(me, paper);
    }
    write_bar(me, NULL);
    fputs("</tbody></table>\n", me->to);
    return SB_OK;
}

/* ---- Claims. ---- */

static void write_filters(site *me) {
    fputs("<div class=\"filters\"><input id=\"claim-words\" type=\"search\" placeholder=\"words\" aria-label=\"words "
          "the claim contains\">"
          "<select id=\"claim-paper\" aria-label=\"paper\"><option value=\"\">all papers</option>",
          me->to);
    for (const sb_paper *paper = sb_papers; paper->key != NULL; paper++) {
        fprintf(me->to, "<option>%s</option>", paper->key);
    }
    fputs("</select><select id=\"claim-verdict\" aria-label=\"verdict\"><option value=\"\">all verdicts</option>",
          me->to);
    for (int v = 0; v < SB_VERDICTS; v++) {
        fprintf(me->to, "<option>%s</option>", sb_verdict_name[v]);
    }
    fputs("<option>open</option></select><span id=\"claim-count\" class=\"quiet\" role=\"status\"></span></div>\n",
          me->to);
}

static void write_quantity(site *me, int row) {
    const sb_table *rows = &me->results.quantities;
    const sb_quantity_words words = sb_results_words(&me->results, row);
    sb_html_tagged(me->to, "<li>", sb_table_text(rows, row, "quantity"), ": ");
    sb_html_tagged(me->to, "<b>", words.measured, "</b>");
    sb_html_tagged(me->to, " <span class=\"quiet\">", sb_table_text(rows, row, "form"), "");
    sb_html_tagged(me->to, words.tolerance[0] != '\0' ? ", " : "", words.tolerance, "</span></li>");
}

static void write_claim(site *me, const sb_paper *paper, int i) {
    const sb_table *claims = &me->results.claims, *rows = &me->results.quantities;
    const char *id = sb_table_text(claims, i, "id"), *verdict = sb_results_verdict(&me->results, id);
    fprintf(me->to, "<tr id=\"%s\" data-paper=\"%s\" data-verdict=\"%s\"><td><code>%s</code>", id, paper->key, verdict,
            id);
    sb_html_tagged(me->to, "<br><span class=\"quiet\">", sb_table_text(claims, i, "where"),
                   sb_results_own(&me->results, i) ? " (our own result)</span></td>" : "</span></td>");
    sb_html_tagged(me->to, "<td>", sb_table_text(claims, i, "claim"), "</td>");
    sb_html_tagged(me->to, "<td data-label=\"published\">", sb_table_text(claims, i, "published"), "</td>");
    fputs("<td data-label=\"measured\"><ul>", me->to);
    for (int row = sb_claim_row(rows, id, 0); row >= 0; row = sb_claim_row(rows, id, row + 1)) {
        write_quantity(me, row);
    }
    sb_html_tagged(me->to, "</ul>", sb_table_text(claims, i, "comment"), "</td>");
    fprintf(me->to, "<td><span class=\"verdict %s\">%s</span></td></tr>\n", verdict,
            sb_results_verdict_words(&me->results, i));
}

static int write_claims(site *me) {
    for (const char *const *text = sb_results_sources; *text != NULL; text++) {
        sb_html_tagged(me->to, "<p>", *text, "</p>\n");
    }
    write_filters(me);
    fputs("<table class=\"claims\"><thead><tr><th scope=\"col\">claim</th><th scope=\"col\">what it says</th><th "
          "scope=\"col\">published</th>"
          "<th scope=\"col\">measured</th><th scope=\"col\">verdict</th></tr></thead><tbody>\n",
          me->to);
    for (const sb_paper *paper = sb_papers; paper->key != NULL; paper++) {
        for (int i = 0; i < me->results.claims.nrows; i++) {
            if (sb_paper_has(paper, sb_table_text(&me->results.claims, i, "id"))) {
                write_claim(me, paper, i);
            }
        }
    }
    fputs("</tbody></table>\n", me->to);
    return SB_OK;
}

/* ---- Experiments. ---- */

/* Returns the caption of a figure, the first line of its plot script; "" if there is none. */
static const char *caption(site *me, const char *file) {
    const char *path;
    char *name, *text;
    file = sb_file_name(file);
    name = sb_asprintf(me->results.arena, "%.*s.gp", (int)strcspn(file, "."), file);
    if (name == NULL || sb_data_find(me->results.ctx, me->results.arena, "experiments", name, &path) != SB_OK ||
        sb_text_read(me->results.ctx, me->results.arena, path, &text) != SB_OK || text[0] != '#') {
        return "";
    }
    text[strcspn(text, "\n")] = '\0';
    return text + 1 + strspn(text + 1, " ");
}

static void write_figure(site *me, const char *file) {
    const char *text = caption(me, file);
    fprintf(me->to, "<figure class=\"figure\"><a href=\"%s\"><img loading=\"lazy\" src=\"%s\" alt=\"", file, file);
    sb_html_text(me->to, text[0] != '\0' ? text : file);
    sb_html_tagged(me->to, "\"></a><figcaption>", text, "</figcaption></figure>\n");
}

static int write_data(site *me, const char *file) {
    static const char *const attributes[] = {"x", "y", "by", "log"};
    int rows, columns;
    SB_TRY(sb_site_table(&me->results, file, &rows, &columns));
    fprintf(me->to, "<details data-file=\"%s\"", file);
    for (int i = 0; i < me->charts.nrows; i++) {
        for (size_t k = 0;
             k < sizeof attributes / sizeof *attributes && sb_table_is(&me->charts, i, "file", sb_file_name(file));
             k++) {
            fprintf(me->to, " data-%s=\"%s\"", attributes[k], sb_table_text(&me->charts, i, attributes[k]));
        }
    }
    fprintf(me->to, "><summary>%s, %d rows of %d columns</summary><p><a href=\"%s\">The file</a>.</p></details>\n",
            file, rows, columns, file);
    return SB_OK;
}

static int write_experiment(site *me, const sb_experiment *experiment) {
    if (!sb_results_shows(&me->results, experiment)) {
        return SB_OK;
    }
    fprintf(me->to, "<article id=\"%s\"><h3>%s</h3><p>", experiment->entry.name, experiment->entry.name);
    sb_html_tagged(me->to, "", experiment->entry.brief, " ");
    sb_html_tagged(me->to, "<span class=\"quiet\">", experiment->entry.ref, ".</span>");
    for (const char *const *claim = experiment->claims; claim != NULL && *claim != NULL; claim++) {
        const char *verdict = sb_results_verdict(&me->results, *claim);
        fprintf(me->to, "%s <a href=\"#%s\">%s</a> <span class=\"verdict %s\">%s</span>",
                claim == experiment->claims ? " Decides" : ",", *claim, *claim, verdict, verdict);
    }
    fputs("</p>\n", me->to);
    for (const char *const *file = experiment->files; *file != NULL; file++) {
        if ((sb_ends_with(*file, ".svg") || sb_ends_with(*file, ".gif")) && sb_results_has(&me->results, *file)) {
            write_figure(me, *file);
        }
    }
    for (const char *const *file = experiment->files; *file != NULL; file++) {
        if (sb_ends_with(*file, ".csv") && sb_results_has(&me->results, *file)) {
            SB_TRY(write_data(me, *file));
        }
    }
    fputs("</article>\n", me->to);
    return SB_OK;
}

static int write_experiments(site *me, const sb_paper *paper) {
    const sb_registry *registry = me->results.registry;
    for (int i = 0; i < registry->count[SB_KIND_EXPERIMENT]; i++) {
        if (sb_paper_has(paper, registry->entries[SB_KIND_EXPERIMENT][i]->name)) {
            SB_TRY(write_experiment(me, (const sb_experiment *)registry->entries[SB_KIND_EXPERIMENT][i]));
        }
    }
    return SB_OK;
}

/* ---- Cards. ---- */

static int write_cards(site *me) {
    const sb_registry *registry = me->results.registry;
    fputs("<ul class=\"cards\">\n", me->to);
    for (int i = 0; i < registry->count[SB_KIND_STEPPER]; i++) {
        const sb_entry *entry = registry->entries[SB_KIND_STEPPER][i];
        char *file;
        SB_PRINT(me->results.arena, file, "cards/%s.html", entry->name);
        if (sb_results_has(&me->results, file)) {
            fprintf(me->to, "<li><a href=\"%s\">%s</a>", file, entry->name);
        } else {
            fprintf(me->to, "<li><code>%s</code>", entry->name);
        }
        sb_html_tagged(me->to, "<br><span class=\"quiet\">", entry->brief, "</span></li>\n");
    }
    fputs("</ul>\n", me->to);
    return SB_OK;
}

/* ---- The page. ---- */

static int write_links(site *me) {
    for (const sb_paper *paper = sb_papers; paper->key != NULL; paper++) {
        fprintf(me->to, "<a href=\"#of-%s\">%s</a> ", paper->key, paper->key);
    }
    return SB_OK;
}

static int write_papers(site *me) {
    for (const sb_paper *paper = sb_papers; paper->key != NULL; paper++) {
        fprintf(me->to, "<section id=\"of-%s\"><h2>%s</h2><p>%s.</p>\n", paper->key, paper->key, paper->title);
        SB_TRY(write_experiments(me, paper));
        fputs("</section>\n", me->to);
    }
    return SB_OK;
}

static int write_beyond(site *me) { return write_experiments(me, NULL); }

/* Writes a part of the page by its name, or the file of the data directory that has this name. */
static int write_part(site *me, const char *name) {
    static const struct {
        const char *name;
        int (*write)(site *me);
    } parts[] = {{"links", write_links},   {"summary", write_summary}, {"claims", write_claims},
                 {"papers", write_papers}, {"beyond", write_beyond},   {"cards", write_cards}};
    char *file;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (strcmp(parts[i].name, name) == 0) {
            return parts[i].write(me);
        }
    }
    SB_PRINT(me->results.arena, file, "assets/%s", name);
    return sb_html_asset(me->results.ctx, me->results.arena, file, me->to);
}

/* Writes assets/page.html, whose comments are the names of parts. */
static int write_page(site *me) {
    static const char begin[] = "<!-- ", end[] = " -->";
    const char *path;
    char *page;
    SB_TRY(sb_data_path(me->results.ctx, me->results.arena, "assets/page.html", &path));
    SB_TRY(sb_text_read(me->results.ctx, me->results.arena, path, &page));
    for (char *at = strstr(page, begin), *stop; at != NULL; at = strstr(page, begin)) {
        fwrite(page, 1, (size_t)(at - page), me->to);
        stop = strstr(at, end);
        *stop = '\0';
        SB_TRY(write_part(me, at + strlen(begin)));
        page = stop + strlen(end);
    }
    fputs(page, me->to);
    return SB_OK;
}

static int write_index(const sb_results *results, FILE *to) {
    site me = {.results = *results, .to = to};
    SB_TRY(sb_data_table(results->ctx, results->arena, "assets/charts.csv", &me.charts));
    SB_TRY(sb_site_directory(results));
    SB_TRY(sb_site_provenance(results));
    return write_page(&me);
}

int sb_bench_write_site(sb_context *ctx, const sb_registry *registry, const char *out) {
    return sb_results_write(ctx, registry, NULL, out, "index.html", write_index);
}
