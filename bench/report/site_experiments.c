/* Writes the experiments to index.html: a thumbnail each; claims, figures and tables on demand. */
#include <string.h>

#include "bench/data/data.h"
#include "bench/report/html.h"
#include "bench/report/site.h"
#include "core/base/text.h"

/* Returns the first figure of an experiment that is there, NULL if there is none. */
static const char *first_figure(const sb_site *me, const sb_experiment *experiment) {
    for (const char *const *file = experiment->files; *file != NULL; file++) {
        if (sb_results_figure(&me->results, *file)) {
            return *file;
        }
    }
    return NULL;
}

/* Returns the caption of a figure, the first line of its plot script; the line about the experiment if there is none.
 */
static const char *caption(sb_site *me, const sb_experiment *experiment, const char *file) {
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

static void write_figure(sb_site *me, const sb_experiment *experiment, const char *file) {
    const char *text = caption(me, experiment, file);
    sb_html(me->to,
            "<figure class=\"figure\"><a href=\"%s\"><img loading=\"lazy\" src=\"%s\" alt=\"%s\"></a><figcaption>%s"
            "</figcaption></figure>\n",
            file, file, text, text);
}

static int write_data(sb_site *me, const char *file) {
    static const char *const attributes[] = {"x", "y", "by", "log"};
    int rows, columns;
    SB_TRY(sb_site_table(&me->results, file, &rows, &columns));
    fprintf(me->to, "<details data-file=\"%s\"", file);
    const int chart = sb_table_find(&me->charts, "file", sb_file_name(file), 0);
    for (size_t k = 0; k < sizeof attributes / sizeof *attributes && chart >= 0; k++) {
        fprintf(me->to, " data-%s=\"%s\"", attributes[k], sb_table_text(&me->charts, chart, attributes[k]));
    }
    fprintf(me->to, "><summary>%s, %d rows of %d columns</summary><p><a href=\"%s\">The file</a>.</p></details>\n",
            file, rows, columns, file);
    return SB_OK;
}

/* Writes links to the files that are neither figures nor tables. */
static void write_others(sb_site *me, const sb_experiment *experiment) {
    const char *before = "<p>Files: ";
    for (const char *const *file = experiment->files; *file != NULL; file++) {
        if (!sb_is_figure(*file) && !sb_ends_with(*file, ".csv") && sb_results_has(&me->results, *file)) {
            fprintf(me->to, "%s<a href=\"%s\">%s</a>", before, *file, *file);
            before = ", ";
        }
    }
    fputs(strcmp(before, ", ") == 0 ? "</p>\n" : "", me->to);
}

/* Writes the attributes by which the page filters: the paper, and the verdicts on the claims that it decides. */
static void write_filter_keys(sb_site *me, const sb_paper *paper, const char *const *claims) {
    fprintf(me->to, " data-paper=\"%s\" data-verdict=\"", paper != NULL ? paper->key : "");
    for (int k = 0; claims[k] != NULL; k++) {
        fprintf(me->to, "%s%s", k == 0 ? "" : " ", sb_results_verdict(&me->results, claims[k]));
    }
    fputs("\"", me->to);
}

static int write_experiment(sb_site *me, const sb_paper *paper, const sb_experiment *experiment) {
    const sb_entry *entry = &experiment->entry;
    const char *thumbnail = first_figure(me, experiment), *const * claims;
    SB_TRY(sb_claims_of(&me->results.quantities, me->results.arena, entry->name, &claims));
    fprintf(me->to, "<details class=\"experiment%s\" id=\"%s\"", thumbnail != NULL ? "" : " plain", entry->name);
    write_filter_keys(me, paper, claims);
    fputs("><summary>", me->to);
    if (thumbnail != NULL) {
        fprintf(me->to, "<img loading=\"lazy\" src=\"%s\" alt=\"\">", thumbnail);
    }
    sb_html(me->to, "<h3>%s</h3> <span class=\"line\">%s</span></summary>\n<p>", entry->name, entry->brief);
    sb_html(me->to, entry->ref[0] != '\0' ? "<span class=\"quiet\">%s.</span> " : "<span class=\"quiet\">%s</span>",
            entry->ref);
    for (int k = 0; claims[k] != NULL; k++) {
        const char *verdict = sb_results_verdict(&me->results, claims[k]);
        fprintf(me->to, "%s <a href=\"#%s\">%s</a> <span class=\"verdict %s\">%s</span>", k == 0 ? " Decides" : ",",
                claims[k], claims[k], verdict, verdict);
    }
    fputs("</p>\n", me->to);
    if (experiment->command != NULL) {
        sb_html(me->to, "<pre><code>%s</code></pre>\n", experiment->command);
    }
    for (const char *const *file = experiment->files; *file != NULL; file++) {
        if (sb_results_figure(&me->results, *file)) {
            write_figure(me, experiment, *file);
        }
    }
    for (const char *const *file = experiment->files; *file != NULL; file++) {
        if (sb_ends_with(*file, ".csv") && sb_results_has(&me->results, *file)) {
            SB_TRY(write_data(me, *file));
        }
    }
    write_others(me, experiment);
    fputs("</details>\n", me->to);
    return SB_OK;
}

/* Calls `visit` for the experiments of a paper, first for those with a figure. */
static int each_experiment(sb_site *me, const sb_paper *paper,
                           int (*visit)(sb_site *me, const sb_paper *paper, const sb_experiment *experiment)) {
    for (int plain = 0; plain < 2; plain++) {
        for (int i = 0; i < me->results.registry->count[SB_KIND_EXPERIMENT]; i++) {
            const sb_experiment *experiment = sb_experiment_at(me->results.registry, i);
            if (sb_results_shows_of(&me->results, paper, experiment) &&
                (first_figure(me, experiment) == NULL) == (plain != 0)) {
                SB_TRY(visit(me, paper, experiment));
            }
        }
    }
    return SB_OK;
}

static int write_link(sb_site *me, const sb_paper *paper, const sb_experiment *experiment) {
    fprintf(me->to, "<li><a href=\"#%s\">%s</a></li>", experiment->entry.name, experiment->entry.name);
    return SB_OK;
}

int sb_site_links(sb_site *me, const sb_paper *paper) { return each_experiment(me, paper, write_link); }

int sb_site_experiments(sb_site *me, const sb_paper *paper) {
    fputs("<div class=\"experiments\">\n", me->to);
    SB_TRY(each_experiment(me, paper, write_experiment));
    fputs("</div>\n", me->to);
    return SB_OK;
}
