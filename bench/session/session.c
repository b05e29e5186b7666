/* Opens sessions for other languages and runs commands in them. */
#define _GNU_SOURCE /* dladdr */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "bench/cli/cli.h"
#include "bench/cli/plugin.h"
#include "bench/engine/engine.h"
#include "bench/session/internal.h"
#include "core/base/apart.h"
#include "core/base/params.h"
#include "core/base/text.h"
#include "core/output/provenance.h"

int sb_session_version(void) { return SB_SESSION_VERSION; }

void sb_session_around_forks(int (*enter)(void), void (*before)(void), void (*parent)(void), void (*child)(void),
                             void (*leave)(int entered)) {
    sb_fork_set_hooks(&(sb_fork_hooks){enter, before, parent, child, leave});
}

/* Makes the symbols of this library available to plug-ins: its host may have loaded it with RTLD_LOCAL. */
static void publish(void) {
    Dl_info self;
    if (dladdr(sb_version, &self) != 0) {
        (void)dlopen(self.dli_fname, RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD);
    }
}

sb_session *sb_session_open(void) {
    sb_session *session = calloc(1, sizeof *session);
    if (session == NULL) {
        return NULL;
    }
    session->locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (session->locale == (locale_t)0) {
        free(session);
        return NULL;
    }
    sb_context_init(&session->ctx);
    sb_arena_init(&session->arena, &session->ctx);
    sb_arena_init(&session->last, &session->ctx);
    publish();
    const locale_t before = sb_session_call_begin(session);
    cli_libraries();
    if (sb_session_call_end(before, cli_register(&session->registry, &session->ctx)) != SB_OK) {
        sb_session_close(session);
        return NULL;
    }
    return session;
}

void sb_session_close(sb_session *session) {
    if (session == NULL) {
        return;
    }
    while (session->systems != NULL) {
        sb_session_system_close(session->systems);
    }
    sb_registry_free(&session->registry);
    sb_arena_free(&session->arena);
    sb_arena_free(&session->last);
    freelocale(session->locale);
    free(session);
}

const char *sb_session_message(const sb_session *session) { return session->ctx.message; }

const char *sb_session_measured(const sb_session *session) {
    return session->measured != NULL ? session->measured : "";
}

/* Calls the watch of the host: 0, or another number where it ends the command. */
static int watch_progress(void *arg, double done, double total, const char *what) {
    const sb_session *session = arg;
    return session->watch(session->watch_arg, done, total, what) == SB_SESSION_DONE ? SB_OK : SB_INTERRUPTED;
}

void sb_session_watch(sb_session *session, sb_session_progress watch, void *arg) {
    session->watch = watch;
    session->watch_arg = arg;
    session->ctx.watch = watch != NULL ? watch_progress : NULL;
    session->ctx.watch_arg = session;
}

int sb_session_load(sb_session *session, const char *plugin) {
    const locale_t before = sb_session_call_begin(session);
    const bool listens = sb_session_listen(session);
    const int status = cli_load_plugin(&session->ctx, &session->registry, plugin);
    sb_session_listen_end(session, listens);
    return sb_session_call_end(before, status);
}

int sb_session_engine(sb_session *session, const char *command) {
    const locale_t before = sb_session_call_begin(session);
    const bool listens = sb_session_listen(session);
    const int status = sb_engine_load(&session->registry, command);
    sb_session_listen_end(session, listens);
    return sb_session_call_end(before, status);
}

/* Returns SB_OK if the callback of the rows returned SB_SESSION_DONE, and fails otherwise. */
static int end_row(sb_context *ctx, int result) {
    return result == SB_SESSION_DONE ? SB_OK : sb_fail(ctx, SB_IO, "the callback of the rows returned %d", result);
}

/* A sink that passes rows to a callback. */
typedef struct callback_sink {
    sb_sink sink;
    sb_arena *arena;
    sb_session_row row;
    void *arg;
    int ncolumns;
    double *numbers;
    const char **texts;
} callback_sink;

static int pass(const callback_sink *me) {
    return end_row(me->arena->ctx, me->row(me->arg, me->ncolumns, me->numbers, me->texts));
}

static int callback_begin(sb_sink *sink, int ncolumns, const sb_column *columns) {
    callback_sink *me = (callback_sink *)sink;
    me->ncolumns = ncolumns;
    SB_NEW(me->arena, me->numbers, ncolumns);
    SB_NEW(me->arena, me->texts, ncolumns);
    for (int j = 0; j < ncolumns; j++) {
        me->numbers[j] = (double)NAN;
        me->texts[j] = columns[j].name;
    }
    return pass(me);
}

static int callback_row(sb_sink *sink, const sb_cell *cells) {
    callback_sink *me = (callback_sink *)sink;
    for (int j = 0; j < me->ncolumns; j++) {
        const sb_cell *c = &cells[j];
        me->texts[j] = c->type == SB_CELL_TEXT ? c->text : NULL;
        me->numbers[j] = c->type == SB_CELL_REAL ? c->real : c->type == SB_CELL_INT ? (double)c->integer : (double)NAN;
    }
    return pass(me);
}

/* Keeps the options that a command has measured. */
static int keep_measured(sb_session *session, const cli *me) {
    char *lines = "";
    for (int i = 0; i < me->nmeasured; i++) {
        SB_PRINT(&session->last, lines, "%s%s%s", lines, i > 0 ? "\n" : "", me->measured[i]);
    }
    session->measured = lines;
    return SB_OK;
}

/* Fails for --plugin and --engine, which only the program reads. */
static int check_words(sb_session *session, int argc, char *const *argv) {
    for (int i = 1; i < argc; i++) {
        if (cli_early_words(argv[i]) > 0 && strncmp(argv[i], "--precision", 11) != 0) {
            return sb_fail(&session->ctx, SB_BAD_USAGE,
                           "%s in a session takes neither --plugin nor --engine; load the plug-in or start the engine "
                           "before it (sb_session_load, sb_session_engine; Bench.load, Bench.engine in Python)",
                           argv[0]);
        }
    }
    return argc > 0 ? SB_OK : sb_fail(&session->ctx, SB_BAD_USAGE, "no command was given");
}

static int run_command(sb_session *session, int argc, char *const *argv, sb_session_row row, void *arg) {
    SB_SCRATCH(arena, &session->ctx);
    session->measured = NULL;
    sb_arena_free(&session->last);
    callback_sink sink = {.sink = {callback_begin, callback_row, sb_sink_ignore_end, sb_sink_ignore_abandon},
                          .arena = &arena,
                          .row = row,
                          .arg = arg};
    cli me = {
        .ctx = &session->ctx, .arena = &arena, .registry = &session->registry, .rows = row != NULL ? &sink.sink : NULL};
    SB_TRY(check_words(session, argc, argv));
    const int status = cli_run_named(&me, argv[0], false, argc - 1, argv + 1);
    return status >= 0 && keep_measured(session, &me) != SB_OK ? SB_NO_MEMORY : status;
}

int sb_session_command(sb_session *session, int argc, char *const *argv, sb_session_row row, void *arg) {
    const locale_t before = sb_session_call_begin(session);
    const bool listens = sb_session_listen(session);
    const int status = run_command(session, argc, argv, row, arg);
    fflush(stdout);
    sb_session_listen_end(session, listens);
    return sb_session_call_end(before, status);
}

/* Returns the entry, or NULL with a sentence in the context. */
static const sb_entry *find(sb_session *session, const char *kind, const char *name) {
    for (sb_kind k = 0; k < SB_KIND_COUNT; k++) {
        if (strcmp(kind, sb_kind_plural[k]) == 0) {
            return sb_registry_find(&session->ctx, k, name);
        }
    }
    sb_fail_name(&session->ctx, "no kind is named", kind, SB_KIND_COUNT, sb_kind_plural, "steppers, problems");
    return NULL;
}

static int pass_parameters(sb_session *session, const char *kind, const char *name, sb_session_row row, void *arg) {
    enum { COLUMNS = 5 };
    static const char *const heads[COLUMNS] = {"name", "default", "allowed", "unit", "meaning"};
    double numbers[COLUMNS] = {(double)NAN, (double)NAN, (double)NAN, (double)NAN, (double)NAN};
    const sb_entry *entry = find(session, kind, name);
    if (entry == NULL) {
        return SB_BAD_USAGE;
    }
    SB_TRY(end_row(&session->ctx, row(arg, COLUMNS, numbers, heads)));
    for (const sb_param *p = entry->params; p != NULL && p->name != NULL; p++) {
        char allowed[SB_RANGE_MAX];
        sb_param_range(p, allowed, sizeof allowed);
        const char *cells[COLUMNS] = {p->name, p->initial != NULL ? p->initial : "", allowed, p->unit, p->doc};
        SB_TRY(end_row(&session->ctx, row(arg, COLUMNS, numbers, cells)));
    }
    return SB_OK;
}

int sb_session_parameters(sb_session *session, const char *kind, const char *name, sb_session_row row, void *arg) {
    const locale_t before = sb_session_call_begin(session);
    return sb_session_call_end(before, pass_parameters(session, kind, name, row, arg));
}
