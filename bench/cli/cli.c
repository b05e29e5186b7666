/* Finds and runs a command by its name, for the program and for sessions. */
#include "bench/cli/cli.h"

#include <gsl/gsl_errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "bench/cli/quad.h"
#include "bench/runner/registry.h"
#include "core/base/blas.h"

void cli_libraries(void) {
    if (getenv("OPENBLAS_NUM_THREADS") == NULL) {
        const sb_blas blas = sb_blas_loaded();
        if (blas.set_threads != NULL) {
            blas.set_threads(1);
        }
    }
    gsl_set_error_handler_off(); /* the default handler aborts; the status of every call is checked */
}

int cli_register(sb_registry *registry, sb_context *ctx) {
    SB_TRY(sb_registry_init(registry, ctx));
    return sb_register_builtins(registry);
}

static int unknown_command(cli *me, const char *name) {
    const char *names[64];
    int count = 0;
    for (; cli_commands[count] != NULL; count++) {
        names[count] = cli_commands[count]->entry.name;
    }
    for (int i = 0; i < me->registry->count[SB_KIND_ANALYSIS] && count < 64; i++) {
        names[count++] = me->registry->entries[SB_KIND_ANALYSIS][i]->name;
    }
    return sb_fail_name(me->ctx, "no command and no analysis is named", name, count, names,
                        "`stepbench help` lists all");
}

static const cli_command *find_command(const char *name) {
    for (int i = 0; cli_commands[i] != NULL; i++) {
        if (strcmp(cli_commands[i]->entry.name, name) == 0) {
            return cli_commands[i];
        }
    }
    return NULL;
}

static const sb_entry *find_analysis(const cli *me, const char *name) {
    for (int i = 0; i < me->registry->count[SB_KIND_ANALYSIS]; i++) {
        if (strcmp(me->registry->entries[SB_KIND_ANALYSIS][i]->name, name) == 0) {
            return me->registry->entries[SB_KIND_ANALYSIS][i];
        }
    }
    return NULL;
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
    const cli_command *command = find_command(name);
    const sb_entry *analysis = command == NULL ? find_analysis(me, name) : NULL;
    if (command == NULL && analysis == NULL) {
        return unknown_command(me, name);
    }
    me->entry = command != NULL ? &command->entry : analysis;
    me->plot = command != NULL ? command->plot : ((const sb_analysis *)analysis)->plot;
    me->help = help;
    if (command != NULL && (command->takes & (unsigned)CLI_QUAD) != 0 && !help && !asks_for_help(argc, argv)) {
        return cli_quad(me, name, argc, argv);
    }
    if (!help) {
        SB_TRY(cli_parse(me, command != NULL ? command->takes : cli_analysis_takes, argc, argv));
    }
    if (me->help && command != NULL) {
        cli_help_command(command);
        return SB_OK;
    }
    if (me->help) {
        cli_help_analysis(analysis);
        return SB_OK;
    }
    return command != NULL ? command->run(me) : cli_analysis(me);
}
