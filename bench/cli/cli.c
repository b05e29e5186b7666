/* Finds and runs a command or an analysis by its name, for the program and for sessions. */
#include "bench/cli/label.h"

#include <string.h>

static int unknown_command(cli *me, const char *name) {
    const char *names[64];
    int count = 0;
    for (; cli_commands[count] != NULL; count++) {
        names[count] = cli_commands[count]->entry->name;
    }
    for (int i = 0; i < me->registry->count[SB_KIND_ANALYSIS] && count < 64; i++) {
        names[count++] = me->registry->entries[SB_KIND_ANALYSIS][i]->name;
    }
    return sb_fail_name(me->ctx, cli_no_command, name, count, names, "`help` lists all");
}

bool cli_find_command(const cli *me, const char *name, cli_command *out) {
    for (int i = 0; cli_commands[i] != NULL; i++) {
        if (strcmp(cli_commands[i]->entry->name, name) == 0) {
            *out = *cli_commands[i];
            return true;
        }
    }
    for (int i = 0; i < me->registry->count[SB_KIND_ANALYSIS]; i++) {
        const sb_entry *analysis = me->registry->entries[SB_KIND_ANALYSIS][i];
        if (strcmp(analysis->name, name) == 0) {
            *out = cli_analysis_command(analysis);
            return true;
        }
    }
    return false;
}

static bool asks_for_help(int argc, char *const *argv) {
    for (int i = 0; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            return true;
        }
    }
    return false;
}

int cli_run_named(cli *me, const char *name, bool help, int argc, char *const *argv) {
    if (!cli_find_command(me, name, &me->command)) {
        return unknown_command(me, name);
    }
    me->help = help;
    if (me->command.run == NULL && !help && !asks_for_help(argc, argv)) {
        return cli_precision(me, "quad", name, argc, argv);
    }
    SB_TRY(help ? SB_OK : cli_parse(me, argc, argv));
    if (me->help) {
        cli_help_command(&(cli_page){stdout, false}, &me->command);
        return SB_OK;
    }
    SB_TRY(cli_labels_check(me));
    SB_TRY(cli_check_outputs(me));
    /* The experiments of the papers' studies, and what their files add to the others, end with the command. */
    sb_registry *registry = me->registry;
    const int experiments = registry->count[SB_KIND_EXPERIMENT];
    const size_t size = (size_t)experiments * sizeof **registry->entries;
    const sb_entry **kept;
    SB_NEW(me->arena, kept, experiments);
    if (experiments > 0) {
        memcpy(kept, registry->entries[SB_KIND_EXPERIMENT], size);
    }
    const int status = me->command.run(me);
    if (experiments > 0) {
        memcpy(registry->entries[SB_KIND_EXPERIMENT], kept, size);
    }
    registry->count[SB_KIND_EXPERIMENT] = experiments;
    return status;
}
