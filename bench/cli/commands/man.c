/* `stepbench man`: writes the manual page from the tables of commands and the registry. */
#include "bench/study/study.h"
#include "core/output/provenance.h"

static void write_command(const cli_page *page, const cli_command *command) {
    fprintf(page->out, ".SS %s\n", command->entry->name);
    cli_help_command(page, command);
}

static void write_kind(const cli *me, const cli_page *page, sb_kind kind) {
    cli_page_section(page, sb_kind_plural[kind]);
    for (int i = 0; i < me->registry->count[kind]; i++) {
        const sb_entry *entry = me->registry->entries[kind][i];
        char text[1000];
        const bool cited = entry->ref != NULL && entry->ref[0] != '\0';
        snprintf(text, sizeof text, cited ? "%s [%s]" : "%s", entry->brief, entry->ref);
        cli_page_item(page, entry->name, text);
        fputs(".RS\n", page->out);
        cli_page_params(page, entry->params, false);
        fputs(".RE\n", page->out);
    }
}

static int run_man(cli *me) {
    const cli_page page = {stdout, true};
    SB_TRY(sb_study_read_papers(me));
    printf(".TH STEPBENCH 1 \"\" \"stepbench %s\" \"User Commands\"\n.ad l\n",
           sb_version); /* synopses have long words: left-adjusted lines */
    puts(".SH NAME\nstepbench \\- a benchmark of numerical integrators for mechanical systems\n.SH SYNOPSIS");
    cli_help(me, &page);
    cli_page_section(&page, "each command");
    for (int i = 0; cli_commands[i] != NULL; i++) {
        write_command(&page, cli_commands[i]);
    }
    cli_page_section(&page, "options of several commands");
    cli_page_params(&page, cli_shared_params, true);
    cli_page_section(&page, "each analysis");
    for (int i = 0; i < me->registry->count[SB_KIND_ANALYSIS]; i++) {
        const cli_command analysis = cli_analysis_command(me->registry->entries[SB_KIND_ANALYSIS][i]);
        write_command(&page, &analysis);
    }
    for (int kind = 0; kind < SB_KIND_COUNT; kind++) {
        if (kind != SB_KIND_ANALYSIS) {
            write_kind(me, &page, (sb_kind)kind);
        }
    }
    return SB_OK;
}

const cli_command cli_man = {
    &(const sb_entry){"man", "Writes the manual page, of plug-ins too, in troff: `stepbench man | man -l -`", "", NULL,
                      0},
    "stepbench man",
    0,
    run_man,
    NULL,
    "stepbench man",
};
