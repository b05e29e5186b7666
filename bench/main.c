/* stepbench's command line: sets up context, registry and signals, and hands the words over to a command. */
#include <cblas.h>
#include <errno.h>
#include <gsl/gsl_errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "analysis/analysis.h"
#include "bench/cli.h"
#include "bench/experiment.h"
#include "core/provenance.h"

/* The handler has no other way to be heard; everything else reads it through the context. */
static volatile sig_atomic_t interrupted;

/* Asked once, a command ends in order. One that hasn't a second later ends at once when asked again; a signal that merely comes
 * twice, to a process and to its group, is one request. */
static void on_signal(int number) {
    static struct timespec first;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (!interrupted) {
        interrupted = 1;
        first = now;
    } else if (now.tv_sec - first.tv_sec > 1) {
        signal(number, SIG_DFL);
        raise(number);
    }
}

static int exit_status(int status) {
    if (status > 0) {
        return CLI_ENDED_EARLY;
    }
    switch (status) {
    case SB_OK:
        return CLI_DONE;
    case SB_BAD_USAGE:
    case SB_UNSUPPORTED:
    case SB_INCONSISTENT:
    case SB_BAD_PLUGIN:
        return CLI_BAD_USAGE;
    default:
        return CLI_FAILED;
    }
}

/* Plug-ins come first wherever they stand, so that every command knows them. */
static int load_plugins(sb_registry *registry, int argc, char *const *argv) {
    for (int i = 1; i < argc; i++) {
        if (strncmp(argv[i], "--plugin=", 9) == 0) {
            SB_TRY(sb_registry_load(registry, argv[i] + 9));
        } else if (strcmp(argv[i], "--plugin") == 0 && i + 1 < argc) {
            SB_TRY(sb_registry_load(registry, argv[++i]));
        }
    }
    return SB_OK;
}

static int register_all(sb_registry *registry, sb_context *ctx, int argc, char *const *argv) {
    SB_TRY(sb_registry_init(registry, ctx));
    SB_TRY(sb_registry_add_builtins(registry));
    SB_TRY(sb_analyses_register(registry));
    SB_TRY(sb_experiments_register(registry));
    return load_plugins(registry, argc, argv);
}

static int unknown_command(cli *me, const char *name) {
    const char *names[64];
    char near[256];
    int count = 0;
    for (; cli_commands[count] != NULL; count++) {
        names[count] = cli_commands[count]->entry.name;
    }
    for (int i = 0; i < me->registry->count[SB_KIND_ANALYSIS] && count < 64; i++) {
        names[count++] = me->registry->entries[SB_KIND_ANALYSIS][i]->name;
    }
    sb_nearest_names(name, count, names, near, sizeof near);
    return sb_fail(me->ctx, SB_BAD_USAGE, "no command and no analysis is named \"%s\"; %s%s", name,
                   near[0] != '\0' ? "nearest: " : "`stepbench help` names them all", near);
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

static int run_named(cli *me, const char *name, bool help, int argc, char *const *argv) {
    const cli_command *command = find_command(name);
    const sb_entry *analysis = command == NULL ? find_analysis(me, name) : NULL;
    if (command == NULL && analysis == NULL) {
        return unknown_command(me, name);
    }
    me->entry = command != NULL ? &command->entry : analysis;
    me->help = help;
    if (!help) {
        SB_TRY(cli_parse(me, command != NULL ? command->takes : cli_analysis_takes, argc, argv));
    }
    if (me->help) {
        return command != NULL ? cli_help_command(me, command) : cli_help_analysis(me, analysis);
    }
    return command != NULL ? command->run(me) : cli_analysis(me);
}

static int dispatch(cli *me, int argc, char *const *argv) {
    int at = 1;
    while (at < argc && strncmp(argv[at], "--plugin", 8) == 0) {
        at += argv[at][8] == '=' ? 1 : 2;
    }
    if (at >= argc) {
        cli_help(me, stderr);
        return sb_fail(me->ctx, SB_BAD_USAGE, "a command or an analysis is wanted");
    }
    const char *word = argv[at];
    if (strcmp(word, "--version") == 0) {
        printf("stepbench %s\n", sb_version);
        return SB_OK;
    }
    const bool help = strcmp(word, "help") == 0;
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || (help && at + 1 >= argc)) {
        cli_help(me, stdout);
        return SB_OK;
    }
    if (word[0] == '-') {
        return sb_fail(me->ctx, SB_BAD_USAGE, "no option %s before the command; `stepbench help` shows how it is called", word);
    }
    at += help ? 2 : 1;
    return run_named(me, argv[at - 1], help, argc - at, argv + at);
}

int main(int argc, char **argv) {
    sb_context ctx;
    sb_registry registry;
    sb_arena arena;
    sb_context_init(&ctx);
    ctx.interrupt = &interrupted;
    signal(SIGINT, on_signal);
    signal(SIGTERM, on_signal);
    if (signal(SIGHUP, on_signal) == SIG_IGN) {
        signal(SIGHUP, SIG_IGN); /* nohup */
    }
    signal(SIGXFSZ, SIG_IGN); /* a file over its limit is an error of writing, told like a full disk */
    if (getenv("OPENBLAS_NUM_THREADS") == NULL) {
        openblas_set_num_threads(1);
    }
    gsl_set_error_handler_off(); /* GSL's own would abort; every call's status is looked at */
    sb_arena_init(&arena, &ctx);
    int status = register_all(&registry, &ctx, argc, argv);
    if (status == SB_OK) {
        cli me = {.ctx = &ctx, .arena = &arena, .registry = &registry};
        status = dispatch(&me, argc, argv);
    }
    if (fflush(stdout) != 0 && status == SB_OK) {
        status = sb_fail(&ctx, SB_IO, "standard output cannot be written: %s", strerror(errno));
    }
    if (status != SB_OK) {
        fprintf(stderr, "stepbench: %s\n", ctx.message[0] != '\0' ? ctx.message : sb_status_text(status));
    }
    sb_arena_free(&arena);
    sb_registry_free(&registry);
    return exit_status(status);
}
