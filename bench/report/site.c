/* Writes index.html of a results directory, one static page with everything in it. */
#include <string.h>

#include "bench/data/data.h"
#include "bench/report/html.h"
#include "bench/report/site.h"
#include "core/base/escape.h"
#include "core/base/text.h"

/* ---- Sections of the page, which are also the entries of its list of contents. ---- */

typedef struct section {
    const char *id, *title, *text;
    const sb_paper *paper; /* whose experiments it holds */
    bool experiments;
    int (*write)(sb_site *me); /* what it begins with, or NULL */
} section;

static int write_fall(sb_site *me) {
    fputs("<div id=\"fall-views\" class=\"falls\"></div>\n", me->to);
    return SB_OK;
}

static int write_provenance(sb_site *me) {
    fputs("<dl id=\"provenance-list\"></dl>\n", me->to);
    return SB_OK;
}

static bool has_card(const sb_site *me, const sb_entry *entry, char **file) {
    *file = sb_asprintf(me->results.arena, "cards/%s.html", entry->name);
    return *file != NULL && sb_results_has(&me->results, *file);
}

static bool has_cards(const sb_site *me) {
    const sb_registry *registry = me->results.registry;
    char *file;
    for (int i = 0; i < registry->count[SB_KIND_STEPPER]; i++) {
        if (has_card(me, registry->entries[SB_KIND_STEPPER][i], &file)) {
            return true;
        }
    }
    return false;
}

static int write_cards(sb_site *me) {
    const sb_registry *registry = me->results.registry;
    fputs("<ul class=\"cards\">\n", me->to);
    for (int i = 0; i < registry->count[SB_KIND_STEPPER]; i++) {
        const sb_entry *entry = registry->entries[SB_KIND_STEPPER][i];
        char *file;
        if (has_card(me, entry, &file)) {
            sb_html(me->to, "<li><a href=\"%s\">%s</a> <span class=\"quiet\">%s</span></li>\n", file, entry->name,
                    entry->brief);
        }
    }
    fputs("</ul>\n", me->to);
    return SB_OK;
}

/* Calls `visit` for each section that has something to show, in the order of the page. */
static int each_section(sb_site *me, int (*visit)(sb_site *me, const section *part)) {
    const sb_results *results = &me->results;
    if (sb_results_measured(results, NULL)) {
        SB_TRY(visit(me, &(section){.id = "part-claims", .title = "Claims", .write = sb_site_claims}));
    }
    for (const sb_paper *paper = sb_papers; paper->key != NULL; paper++) {
        char *id;
        SB_PRINT(results->arena, id, "of-%s", paper->key);
        if (sb_results_shows_paper(results, paper)) {
            SB_TRY(visit(me, &(section){id, paper->key, paper->title, paper, true, NULL}));
        }
    }
    if (sb_results_shows_paper(results, NULL)) {
        SB_TRY(visit(me, &(section){.id = "part-experiments", .title = "Experiments", .experiments = true}));
    }
    if (results->study == NULL && sb_results_has(results, "ladder_fall.csv") &&
        sb_results_has(results, "ladder_fall_runs.csv")) {
        SB_TRY(visit(me, &(section){.id = "part-ladder",
                                    .title = "The ladder falls",
                                    .text = "Ten squares of rigid rods, released from the horizontal, by three methods "
                                            "with a step of 1/60 s. A ladder turns orange from the time at which the "
                                            "numerical motion is no longer a motion of the ladder",
                                    .write = write_fall}));
    }
    if (has_cards(me)) {
        SB_TRY(visit(me, &(section){.id = "part-cards", .title = "Cards of the steppers", .write = write_cards}));
    }
    if (sb_results_has(results, "provenance.json")) {
        SB_TRY(visit(me, &(section){.id = "part-provenance", .title = "Provenance", .write = write_provenance}));
    }
    return SB_OK;
}

static int write_section(sb_site *me, const section *part) {
    fprintf(me->to, "<section id=\"%s\"><h2>%s</h2>\n", part->id, part->title);
    if (part->text != NULL) {
        sb_html(me->to, "<p class=\"quiet\">%s.</p>\n", part->text);
    }
    SB_TRY(part->write != NULL ? part->write(me) : SB_OK);
    SB_TRY(part->experiments ? sb_site_experiments(me, part->paper) : SB_OK);
    fputs("</section>\n", me->to);
    return SB_OK;
}

/* ---- Head and list of contents. ---- */

static int write_title(sb_site *me) {
    const sb_study *study = me->results.study;
    sb_escape(me->to, SB_HTML, study != NULL ? study->title : "stepbench: results");
    return SB_OK;
}

static int write_about(sb_site *me) {
    const sb_study *study = me->results.study;
    if (study == NULL) {
        fputs("Tables and figures, computed by <code>stepbench bench</code>, and a verdict on every claim of a paper "
              "that they decide. The same sources give the same bytes, except for measured times.",
              me->to);
        return SB_OK;
    }
    sb_html(me->to, study->text[0] != '\0' ? "%s</p>\n<p>" : "%s", study->text);
    sb_html(me->to, "Written by <code>stepbench study %s --out DIR</code>.", sb_file_name(study->file));
    return SB_OK;
}

/* Writes the choices by paper and verdict, which a page without claims lacks. */
static int write_choices(sb_site *me) {
    const sb_results *results = &me->results;
    if (!sb_results_measured(results, NULL)) {
        return SB_OK;
    }
    fputs("<select id=\"filter-paper\" aria-label=\"paper\"><option value=\"\">all papers</option>", me->to);
    for (const sb_paper *paper = sb_papers; paper->key != NULL; paper++) {
        if (sb_results_measured(results, paper) || sb_results_shows_paper(results, paper)) {
            fprintf(me->to, "<option>%s</option>", paper->key);
        }
    }
    fputs("</select> <select id=\"filter-verdict\" aria-label=\"verdict\"><option value=\"\">all verdicts</option>",
          me->to);
    for (int v = 0; v < SB_VERDICTS; v++) {
        fprintf(me->to, "<option>%s</option>", sb_verdict_name[v]);
    }
    fputs("<option>open</option></select>", me->to);
    return SB_OK;
}

static int write_link(sb_site *me, const section *part) {
    fprintf(me->to, "<li><a href=\"#%s\">%s</a>", part->id, part->title);
    if (part->experiments) {
        fputs("<ul>", me->to);
        SB_TRY(sb_site_links(me, part->paper));
        fputs("</ul>", me->to);
    }
    fputs("</li>\n", me->to);
    return SB_OK;
}

static int write_links(sb_site *me) { return each_section(me, write_link); }

static int write_sections(sb_site *me) { return each_section(me, write_section); }

/* ---- The page. ---- */

/* Writes a part of the page by its name, or the file of the data directory that has this name. */
static int write_part(void *arg, const char *name) {
    static const struct {
        const char *name;
        int (*write)(sb_site *me);
    } parts[] = {{"title", write_title},
                 {"about", write_about},
                 {"choices", write_choices},
                 {"links", write_links},
                 {"sections", write_sections}};
    sb_site *me = arg;
    char *file;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (strcmp(parts[i].name, name) == 0) {
            return parts[i].write(me);
        }
    }
    SB_PRINT(me->results.arena, file, "assets/%s", name);
    return sb_html_asset(me->results.ctx, me->results.arena, file, me->to);
}

int sb_site_write(const sb_results *results, FILE *to) {
    sb_site me = {.results = *results, .to = to};
    SB_TRY(sb_data_table(results->ctx, results->arena, "assets/charts.csv", &me.charts));
    SB_TRY(sb_site_directory(results));
    SB_TRY(sb_site_provenance(results));
    return sb_html_page(results->ctx, results->arena, "assets/page.html", to, write_part, &me);
}
