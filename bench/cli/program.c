/* Runs the program: from its argument vector to its exit status. */
#include "bench/cli/cli.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "bench/cli/plugin.h"
#include "bench/engine/engine.h"
#include "core/base/escape.h"
#include "core/output/provenance.h"

static int exit_status(int status) {
    if (status > 0) {
        return CLI_ENDED_EARLY;
    }
    switch (status) {
    case SB_OK: return CLI_DONE;
    case SB_BAD_USAGE:
    case SB_UNSUPPORTED:
    case SB_INCONSISTENT:
    case SB_BAD_PLUGIN: return CLI_BAD_USAGE;
    default: return CLI_FAILED;
    }
}

/* Loads the plug-ins and engines, and sets *precision to the value of --precision, wherever they are on the command
 * line, before the command is looked up, and removes their words from the line. Words behind "--", and values of
 * options, are left for the command: `complete` completes with what its words load. */
static int take_early(cli *me, int *argc, char *const **argv, const char **precision) {
    char **kept;
    int count = 0;
    bool options = true;
    SB_NEW(me->arena, kept, *argc + 1);
    for (int i = 0; i < *argc; i++) {
        char *word = (*argv)[i], *next = i + 1 < *argc ? (*argv)[i + 1] : NULL;
        const int words = i > 0 ? cli_early_words(word) : 0;
        const char *value = words == 1 ? strchr(word, '=') + 1 : next;
        const bool loads = words > 0 && strncmp(word, "--precision", 11) != 0;
        options = options && !(i > 0 && strcmp(word, "--") == 0);
        if (loads && value == NULL && options) {
            return sb_fail(me->ctx, SB_BAD_USAGE, "%s needs a value, the %s", word,
                           word[2] == 'e' ? "command of an engine" : "file of a plug-in");
        }
        if (loads && value != NULL && (options || strcmp(kept[1], "complete") == 0)) {
            SB_TRY(word[2] == 'e' ? sb_engine_load(me->registry, value)
                                  : cli_load_plugin(me->ctx, me->registry, value));
        }
        if (words == 0 || !options) {
            kept[count++] = word;
        }
        if (words > 0 && !loads && options) {
            *precision = value != NULL ? value : "";
        }
        if (options && next != NULL && (words == 2 || (count > 1 && cli_takes_next(me, kept[1], word, next)))) {
            i++;
            kept[count] = next;
            count += words == 0;
        }
    }
    *argc = count;
    *argv = kept;
    return *precision == NULL || strcmp(*precision, "quad") == 0 || strcmp(*precision, "single") == 0
               ? SB_OK
               : sb_fail(me->ctx, SB_BAD_USAGE, "--precision=%s: the other precisions are quad and single", *precision);
}

static int dispatch(cli *me, int argc, char *const *argv) {
    const char *precision = NULL;
    int at = 1;
    SB_TRY(take_early(me, &argc, &argv, &precision));
    if (precision != NULL) {
        return at < argc ? cli_precision(me, precision, argv[at], argc - at - 1, argv + at + 1)
                         : sb_fail(me->ctx, SB_BAD_USAGE, "--precision=%s needs a command", precision);
    }
    if (at >= argc) {
        cli_help(me, &(cli_page){stderr, false});
        return sb_fail(me->ctx, SB_BAD_USAGE, "no command or analysis was given");
    }
    const char *word = argv[at];
    if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0 || strcmp(word, "version") == 0) {
        printf("stepbench %s\n", sb_version);
        return SB_OK;
    }
    const bool help = strcmp(word, "help") == 0;
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || (help && at + 1 >= argc)) {
        cli_help(me, &(cli_page){stdout, false});
        return SB_OK;
    }
    if (word[0] == '-') {
        return sb_fail(me->ctx, SB_BAD_USAGE,
                       "no option %s before the command; `stepbench help` shows how it is called", word);
    }
    at += help ? 2 : 1;
    return cli_run_named(me, argv[at - 1], help, argc - at, argv + at);
}

/* A sentence that was written to standard error. */
typedef struct notice {
    char *sentence;
    struct notice *next;
} notice;

typedef struct notices {
    sb_arena *arena;
    notice *first;
} notices;

/* Writes a sentence to standard error, once. */
static void write_notice(void *arg, const char *sentence) {
    notices *list = arg;
    for (const notice *n = list->first; n != NULL; n = n->next) {
        if (strcmp(n->sentence, sentence) == 0) {
            return;
        }
    }
    notice *added = sb_alloc(list->arena, 1, sizeof *added);
    char *copy = sb_strdup(list->arena, sentence);
    if (added != NULL && copy != NULL) {
        *added = (notice){copy, list->first};
        list->first = added;
    }
    sb_write_line(stderr, "stepbench: %s", sentence);
}

int cli_program(volatile sig_atomic_t *interrupt, int argc, char *const *argv) {
    sb_context ctx;
    sb_registry registry;
    sb_arena arena;
    sb_context_init(&ctx);
    ctx.interrupt = interrupt;
    sb_arena_init(&arena, &ctx);
    ctx.notice = write_notice;
    ctx.notice_arg = &(notices){.arena = &arena};
    int status = cli_register(&registry, &ctx);
    if (status == SB_OK) {
        cli me = {.ctx = &ctx, .arena = &arena, .registry = &registry};
        status = dispatch(&me, argc, argv);
    }
    /* output longer than the buffer may have failed earlier */
    if ((fflush(stdout) != 0 || ferror(stdout)) && status == SB_OK) {
        status = sb_fail(&ctx, SB_IO, "standard output cannot be written: %s", strerror(errno));
    }
    if (status != SB_OK) {
        sb_write_line(stderr, "stepbench: %s", ctx.message[0] != '\0' ? ctx.message : sb_status_text(status));
    }
    sb_arena_free(&arena);
    if (registry.nplugins > 0) { /* what a plug-in does at the end of the process would replace its status, or last */
        sb_arena_free(&registry.arena); /* with the engines */
        fflush(NULL);
        _exit(exit_status(status));
    }
    sb_registry_free(&registry);
    return exit_status(status);
}
