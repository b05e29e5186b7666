/* `stepbench card`: writes one page with all measurements of a stepper, compared with those of others. */
#include <string.h>
#include <unistd.h>

#include "bench/card/card.h"
#include "bench/cli/cli.h"
#include "bench/process/pool.h"
#include "core/base/escape.h"
#include "core/base/text.h"
#include "core/run/build.h"

typedef struct card_options {
    const char *against;
    long seconds;
} card_options;

static const sb_param card_params[] = {
    SB_PARAM_TEXT(card_options, against, SB_CARD_BASELINES,
                  "the steppers it is compared with, separated by commas, at most 7; the stepper itself is left out"),
    {"seconds", SB_INT, offsetof(card_options, seconds), "10", 1.0, 1e6, SB_CLOSED, NULL, "s",
     "processor time that one analysis on one problem may take"},
    {0},
};

enum { BASELINES = 7 };

/* Returns the length of the first specification of a list separated by commas. A piece NAME=... after a comma is a
 * further parameter of the specification. */
static size_t first_of(const char *list) {
    size_t length = strcspn(list, ",");
    while (list[length] == ',') {
        const char *next = list + length + 1;
        const size_t name = strcspn(next, "=:,");
        if (next[name] != '=') {
            break;
        }
        length += 1 + strcspn(next, ",");
    }
    return length;
}

/* Checks the specification of a stepper. */
static int check(cli *me, const char *stepper) {
    sb_spec spec;
    return sb_spec_parse(me->ctx, me->arena, SB_KIND_STEPPER, stepper, &spec);
}

static int split(cli *me, const char *list, const char *subject, const char *out[BASELINES], int *count) {
    *count = 0;
    for (const char *rest = list; *rest != '\0';) {
        const size_t length = first_of(rest);
        char *name;
        SB_NEW(me->arena, name, length + 1);
        memcpy(name, rest, length);
        rest += length + (rest[length] == ',');
        if (strcmp(name, subject) == 0) {
            continue;
        }
        SB_TRY(check(me, name));
        if (*count == BASELINES) {
            return sb_fail(me->ctx, SB_BAD_USAGE, "card --against takes at most %d steppers", BASELINES);
        }
        out[(*count)++] = name;
    }
    return SB_OK;
}

/* Prints a page to a PDF file with a browser in headless mode. */
static int print_pdf(cli *me, const char *html, const char *pdf) {
    static const char *const browsers[] = {"chromium", "chromium-browser", "google-chrome"};
    char target[4200], directory[2000] = "", *path, *address;
    if (html[0] != '/' && getcwd(directory, sizeof directory) == NULL) {
        return sb_fail(me->ctx, SB_IO,
                       "the path of the current directory is unknown, and a browser needs the whole path of %s", html);
    }
    snprintf(target, sizeof target, "--print-to-pdf=%s", pdf);
    SB_PRINT(me->arena, path, "%s%s%s", directory, directory[0] != '\0' ? "/" : "", html);
    path = sb_escaped(me->arena, SB_URL, path);
    SB_TRY(path != NULL ? SB_OK : SB_NO_MEMORY);
    SB_PRINT(me->arena, address, "file://%s", path);
    for (size_t i = 0; i < sizeof browsers / sizeof *browsers; i++) {
        const char *const argv[] = {
            browsers[i], "--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer", target,
            address,     NULL};
        if (sb_program_run(me->ctx, (char *const *)argv, NULL, NULL) == 0) {
            return SB_OK;
        }
        SB_TRY(sb_poll(me->ctx));
    }
    return sb_fail(me->ctx, SB_IO,
                   "%s is written, but no PDF: that takes chromium, which is not installed or failed; print the page "
                   "from any browser",
                   html);
}

/* Returns false if the stepper crashed or did not return on every problem that it takes. */
static bool any_completed(const sb_card_data *data) {
    int taken = 0;
    for (int i = 0; i < data->problems; i++) {
        taken += data->evaluations[i].refusal == NULL;
    }
    return data->faults == 0 || data->faults < taken;
}

static int write_card(cli *me, const char *word, const char *path) {
    const card_options *options = me->config;
    const char *stepper, *plugin, *wrong, *names[BASELINES], **problem;
    const sb_card_data *list[BASELINES];
    sb_card_data subject, baselines[BASELINES];
    sb_meter meter;
    int count;
    SB_TRY(cli_load_stepper(me, word, &stepper, &plugin, &wrong));
    if (wrong != NULL) {
        SB_TRY(sb_card_write_refusal(me->ctx, me->arena, plugin, wrong, path));
        return sb_fail(me->ctx, SB_BAD_PLUGIN, "%s", wrong);
    }
    SB_TRY(split(me, options->against, stepper, names, &count));
    SB_TRY(check(me, stepper));
    const int problems = me->problems.count;
    SB_NEW(me->arena, problem, problems);
    for (int i = 0; i < problems; i++) {
        problem[i] = me->problems.list[i].text;
    }
    sb_meter_begin(&meter, me->ctx, (1.0 + count) * (problems > 0 ? problems : me->registry->count[SB_KIND_PROBLEM]));
    const sb_limits limits = {sb_processes_at_a_time(me->shared.jobs), options->seconds, &meter};
    SB_TRY(sb_card_data_make(me->ctx, me->arena, stepper, problems, problem, SB_CARD_SUBJECT, &limits, &subject));
    for (int k = 0; k < count; k++) {
        list[k] = &baselines[k];
        SB_TRY(sb_card_data_make(me->ctx, me->arena, names[k], problems, problem, SB_CARD_BASELINE, &limits,
                                 &baselines[k]));
    }
    sb_meter_clear(&meter);
    sb_card card = {.ctx = me->ctx,
                    .arena = me->arena,
                    .subject = &subject,
                    .nbaselines = count,
                    .baselines = list,
                    .plugin = plugin,
                    .path = path};
    SB_TRY(sb_card_write(&card));
    const char *lost = subject.lost;
    for (int k = 0; k < count && lost == NULL; k++) {
        lost = baselines[k].lost;
    }
    if (lost != NULL) {
        return sb_fail(me->ctx, SB_NO_MEMORY, "the page is written without what was lost: %s", lost);
    }
    return any_completed(&subject)
               ? SB_OK
               : sb_fail(me->ctx, SB_NOT_CONVERGED,
                         "the page is written: %s crashed or did not return on every problem it was tried on; "
                         "--seconds gives it more time",
                         stepper);
}

static int run_card(cli *me) {
    if (me->words.count != 1) {
        return sb_fail(me->ctx, SB_BAD_USAGE, "card takes one stepper, by its name or as a plug-in's file");
    }
    if (me->output == NULL && isatty(STDOUT_FILENO)) {
        return sb_fail(me->ctx, SB_BAD_USAGE, "card writes a page: name its file with -o FILE.html or -o FILE.pdf");
    }
    if (me->output == NULL || !sb_ends_with(me->output, ".pdf")) {
        return write_card(me, me->words.list[0], me->output);
    }
    char *page;
    SB_PRINT(me->arena, page, "%s.html", me->output);
    SB_TRY(write_card(me, me->words.list[0], page));
    return print_pdf(me, page, me->output);
}

const cli_command cli_card = {
    &(const sb_entry){"card",
                      "Writes one page with all measurements of a stepper, by name or from the file of a plug-in, "
                      "compared with others",
                      "", card_params, sizeof(card_options)},
    "stepbench card STEPPER|FILE.so|FILE.c[:PARAMETERS] [-p PROBLEM]... [--against A,B,...] [--seconds N] [--jobs N] "
    "[-o "
    "FILE.html|FILE.pdf]",
    CLI_WORDS | CLI_OUTPUT | CLI_PROBLEMS | CLI_JOBS,
    run_card,
    NULL,
    "stepbench card rk4 --against euler_explicit,midpoint -o rk4.html",
};
