/* Writes the card of a stepper, one self-contained page of its measurements. card_data.h lists what is measured and
 * what it costs. */
#include "bench/card/card.h"

#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "bench/card/references.h"
#include "bench/process/pool.h"
#include "bench/report/html.h"
#include "core/base/params.h"
#include "core/base/text.h"
#include "core/output/provenance.h"
#include "core/output/sink.h"

#define PAGE_HEAD "<header><p class=\"quiet\">Card of a time-stepper, by stepbench</p><h1>%s</h1>"

/* Writes the meanings of the bits in a set: of SB_KEEPS_... if `kept` is set, else of features and offers. */
static void write_words(FILE *to, const char *term, unsigned set, bool kept) {
    const char *comma = "";
    if (set == 0) {
        return;
    }
    fprintf(to, "<dt>%s</dt><dd>", term);
#define WRITE_WORD(flag, bit, word, meaning)                                                                           \
    if ((set & (unsigned)(flag)) != 0) {                                                                               \
        sb_html(to, "%s%s", comma, meaning);                                                                           \
        comma = "; ";                                                                                                  \
    }
    if (kept) {
        SB_KEEPS_LIST(WRITE_WORD)
    } else {
        SB_FEATURE_LIST(WRITE_WORD)
        SB_OFFER_LIST(WRITE_WORD)
    }
#undef WRITE_WORD
    fputs("</dd>\n", to);
}

static int write_parameters(const sb_card *card) {
    const sb_entry *entry = &card->subject->type->entry;
    if (entry->params == NULL || entry->params[0].name == NULL) {
        return SB_OK;
    }
    fputs("<details><summary>Parameters</summary><div "
          "class=\"scroll\"><table><thead><tr><th>name</th><th>default</th><th>allowed</th><th>meaning</th></tr></"
          "thead><tbody>\n",
          card->to);
    for (const sb_param *p = entry->params; p->name != NULL; p++) {
        char range[160];
        sb_param_range(p, range, sizeof range);
        sb_html(card->to, "<tr><td>%s</td><td>%s</td><td>%s</td><td>%s</td></tr>\n", p->name,
                p->initial != NULL ? p->initial : "none", range, p->doc);
    }
    fputs("</tbody></table></div></details>\n", card->to);
    return SB_OK;
}

/* Writes the first line that a program prints; nothing if it fails. */
static void write_output(FILE *to, const char *before, char *const *argv) {
    char line[80] = "";
    FILE *out = tmpfile();
    if (out != NULL && sb_program_run(argv, NULL, out) == 0) {
        rewind(out);
        line[strcspn(fgets(line, sizeof line, out) != NULL ? line : "", "\n")] = '\0';
    }
    if (out != NULL) {
        fclose(out);
    }
    sb_html(to, "%s%s", line[0] != '\0' ? before : "", line);
}

/* Writes the name of the file of a plug-in, the day of its last change, and its commit. */
static void write_plugin(const sb_card *card) {
    struct stat file;
    struct tm day;
    char date[16];
    if (card->plugin == NULL || stat(card->plugin, &file) != 0 || gmtime_r(&file.st_mtime, &day) == NULL) {
        return;
    }
    strftime(date, sizeof date, "%Y-%m-%d", &day);
    const char *name = sb_file_name(card->plugin);
    char *directory =
        name > card->plugin ? sb_asprintf(card->arena, "%.*s", (int)(name - card->plugin), card->plugin) : NULL;
    sb_html(card->to, "<dt>file</dt><dd>%s of %s", name, date);
    write_output(card->to, ", commit ",
                 (char *[]){"git", "-C", directory != NULL ? directory : ".", "log", "-1", "--format=%h of %cs", "--",
                            (char *)name, NULL});
    fputs("</dd>\n", card->to);
}

static int write_identity(const sb_card *card) {
    const sb_stepper *type = card->subject->type;
    const char *doi, *reference = sb_reference_text(card->ctx, card->arena, type->entry.ref, &doi);
    if (reference == NULL) {
        return SB_NO_MEMORY;
    }
    sb_html(card->to, PAGE_HEAD "<p>%s</p></header>\n<dl><dt>reference</dt><dd>%s", card->subject->stepper,
            type->entry.brief, reference);
    if (doi != NULL) {
        sb_html(card->to, " <a href=\"https://doi.org/%s\">doi:%s</a>", doi, doi);
    }
    fprintf(card->to, "</dd>\n<dt>claims order</dt><dd>%d</dd>\n<dt>kind</dt><dd>%s, %s</dd>\n", card->subject->order,
            type->start_pair != NULL ? "two-step: its state holds the last point" : "one-step",
            card->plugin != NULL ? "a plug-in" : "built in");
    write_plugin(card);
    for (size_t i = 0; i < sizeof type->lower / sizeof *type->lower; i++) {
        char term[40];
        snprintf(term, sizeof term, "order %d with", type->lower[i].order);
        write_words(card->to, term, type->lower[i].features, false);
    }
    fputs("<dt>takes</dt><dd>potentials and constant masses</dd>\n", card->to);
    write_words(card->to, "and also", type->supports, false);
    write_words(card->to, "needs", type->needs, false);
    write_words(card->to, "claims to keep", card->subject->keeps, true);
    fputs("</dl>\n", card->to);
    return write_parameters(card);
}

static int begin_page(sb_context *ctx, sb_arena *arena, const char *title, FILE *to) {
    sb_html(to,
            "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
            "content=\"width=device-width, initial-scale=1\">\n<title>%s: stepbench card</title>\n<style>\n",
            title);
    SB_TRY(sb_html_asset(ctx, arena, "assets/card.css", to));
    fputs("</style></head>\n<body>\n", to);
    return SB_OK;
}

static void end_page(FILE *to) {
    fprintf(to,
            "<footer class=\"quiet\">stepbench %s. Everything on this page is a number that comes out the same on "
            "every run; measured times are not among them.</footer>\n"
            "</body></html>\n",
            sb_version);
}

static int write_page(sb_card *card) {
    SB_TRY(begin_page(card->ctx, card->arena, card->subject->stepper, card->to));
    SB_TRY(write_identity(card));
    SB_TRY(sb_card_tables(card));
    if (card->subject->faults == 0) {
        SB_TRY(sb_card_plots(card));
        fputs("<script>\n", card->to);
        SB_TRY(sb_html_asset(card->ctx, card->arena, "assets/card.js", card->to));
        fputs("</script>\n", card->to);
    }
    end_page(card->to);
    return SB_OK;
}

int sb_card_write(sb_card *card) {
    sb_outfile file;
    SB_TRY(sb_outfile_open(card->ctx, card->arena, card->path, &file));
    card->to = file.stream;
    return sb_outfile_close(&file, write_page(card));
}

static int write_refusal(sb_context *ctx, sb_arena *arena, const char *plugin, const char *why, FILE *to) {
    const char *name = sb_file_name(plugin);
    SB_TRY(begin_page(ctx, arena, name, to));
    sb_html(to, PAGE_HEAD "</header>\n<h2>What is wrong with it</h2>\n<p class=\"bad\">%s</p>\n", name, why);
    end_page(to);
    return SB_OK;
}

int sb_card_write_refusal(sb_context *ctx, sb_arena *arena, const char *plugin, const char *why, const char *path) {
    sb_outfile file;
    SB_TRY(sb_outfile_open(ctx, arena, path, &file));
    return sb_outfile_close(&file, write_refusal(ctx, arena, plugin, why, file.stream));
}
