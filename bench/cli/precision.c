/* Runs a command in another precision: by the program stepbench_quad or stepbench_single, as a child process. */
#include <errno.h>
#include <poll.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/cli/cli.h"
#include "bench/cli/plugin.h"
#include "bench/data/data.h"
#include "bench/process/meter.h"
#include "core/base/escape.h"
#include "core/base/text.h"

extern char **environ;

enum { PATH_SIZE = 4096 };

/* Sets *program to the program of the precision in the directory of this one. */
static int find(cli *me, const char *precision, const char **program) {
    char path[PATH_SIZE];
    sb_program_path(path);
    char *slash = strrchr(path, '/');
    SB_PRINT(me->arena, *program, "%.*sstepbench_%s", slash != NULL ? (int)(slash + 1 - path) : 0, path, precision);
    return access(*program, X_OK) == 0
               ? SB_OK
               : sb_fail(me->ctx, SB_IO,
                         "%s is missing: --precision=%s needs it; build the target stepbench_%s, with a compiler that "
                         "has %s",
                         *program, precision, precision,
                         strcmp(precision, "quad") == 0 ? "binary128" : "-fsingle-precision-constant");
}

/* The standard error of the child: lines `progress STEPS-DONE STEPS WHAT`, and sentences, of which the last is the
 * message if it fails. */
typedef struct listener {
    cli *me;
    const char *program;
    FILE *from;
    sb_meter meter;
    char what[SB_MESSAGE_MAX], message[SB_MESSAGE_MAX]; /* of the last line of progress; the last other line */
} listener;

/* Shows a line of progress. Each run has its own measure, because the number of runs is not known. */
static int show(listener *l, const char *line) {
    double done, total;
    int at;
    if (sscanf(line, "progress %lf %lf %n", &done, &total, &at) < 2) {
        return SB_OK;
    }
    if (strcmp(line + at, l->what) != 0) {
        sb_meter_clear(&l->meter);
        sb_meter_begin(&l->meter, l->me->ctx, total);
        strcpy(l->what, line + at);
    }
    l->meter.done = done;
    return sb_meter_show(&l->meter, l->what);
}

/* Writes the last sentence to standard error. */
static void pass_on(listener *l) {
    if (l->message[0] != '\0') {
        sb_meter_clear(&l->meter);
        sb_write_line(stderr, "stepbench: %s", l->message);
    }
}

/* Reads until the child ends. Fails when interrupted, or when the watch of the context ends the command. */
static int listen_to(listener *l) {
    char line[SB_MESSAGE_MAX];
    setvbuf(l->from, NULL, _IONBF, 0); /* poll does not see what a buffer holds */
    for (;;) {
        if (sb_interrupted(l->me->ctx)) { /* the child may not have received the signal */
            return sb_fail(l->me->ctx, SB_INTERRUPTED, "interrupted");
        }
        struct pollfd next = {fileno(l->from), POLLIN, 0};
        if (poll(&next, 1, 200) <= 0) { /* ms */
            SB_TRY(l->what[0] != '\0' ? sb_meter_show(&l->meter, l->what) : SB_OK);
            continue;
        }
        if (fgets(line, sizeof line, l->from) == NULL) {
            if (feof(l->from) || errno != EINTR) {
                return SB_OK;
            }
            clearerr(l->from);
            continue;
        }
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, "progress ", 9) == 0) {
            SB_TRY(show(l, line));
        } else {
            pass_on(l);
            strcpy(l->message, strncmp(line, "stepbench: ", 11) == 0 ? line + 11 : line);
        }
    }
}

static int outcome(const listener *l, int state) {
    cli *me = l->me;
    if (!WIFEXITED(state)) {
        return WIFSIGNALED(state) && WTERMSIG(state) == SIGINT
                   ? sb_fail(me->ctx, SB_INTERRUPTED, "interrupted")
                   : sb_fail(me->ctx, SB_IO, "%s was terminated by signal %d", l->program,
                             WIFSIGNALED(state) ? WTERMSIG(state) : 0);
    }
    const int code = WEXITSTATUS(state);
    return code == CLI_DONE ? SB_OK
                            : sb_fail(me->ctx,
                                      code == CLI_BAD_USAGE     ? SB_BAD_USAGE
                                      : code == CLI_ENDED_EARLY ? SB_NOT_CONVERGED
                                                                : SB_IO,
                                      "%s%s", l->message[0] != '\0' ? "" : l->program,
                                      l->message[0] != '\0' ? l->message : " failed without a message");
}

/* Runs the program with its arguments; `l` has the meter. */
static int run(listener *l, const char *const *arguments) {
    pid_t child;
    int ends[2], state = 0;
    if (pipe(ends) != 0 || (l->from = fdopen(ends[0], "r")) == NULL) {
        return sb_fail(l->me->ctx, SB_IO, "no pipe for the messages of %s: %s", l->program, strerror(errno));
    }
    fflush(stdout);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    posix_spawn_file_actions_addclose(&actions, ends[1]);
    const int failed = posix_spawn(&child, l->program, &actions, NULL, (char *const *)arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    int status = failed != 0 ? sb_fail(l->me->ctx, SB_IO, "%s cannot be started: %s", l->program, strerror(failed))
                             : listen_to(l);
    if (status != SB_OK && failed == 0) { /* it ends in order; code that does not return is ended after a second */
        char line[SB_MESSAGE_MAX];
        struct pollfd next = {fileno(l->from), POLLIN, 0};
        kill(child, SIGTERM);
        while (poll(&next, 1, 1000) > 0 && fgets(line, sizeof line, l->from) != NULL) {
        }
        kill(child, SIGKILL);
    }
    while (failed == 0 && waitpid(child, &state, 0) < 0 && errno == EINTR) {
    }
    sb_meter_clear(&l->meter);
    fclose(l->from);
    status = status != SB_OK ? status : outcome(l, state);
    if (status == SB_OK) {
        pass_on(l);
    }
    return status;
}

/* The words of a call of the program, and the objects that are compiled for it. */
typedef struct call {
    const char **words;
    int count, made;
    const char **objects;
} call;

/* Appends the plug-ins, compiled for the precision, and the files themselves for the runs that `roundoff` starts in a
 * lower one. */
static int add_plugins(cli *me, const char *precision, const char *command, call *c) {
    char *sources = NULL;
    for (int i = 0; i < me->registry->nplugins; i++) {
        const char *file = me->registry->plugins[i].path, *object = file;
        if (me->registry->plugins[i].engine != NULL) {
            return sb_fail(me->ctx, SB_UNSUPPORTED, "engine %s has no --precision=%s; leave it out",
                           me->registry->plugins[i].engine, precision);
        }
        if (sb_ends_with(file, ".c")) {
            SB_TRY(cli_plugin_compile(me->ctx, me->arena, file, precision, &object));
            c->objects[c->made++] = object;
        }
        c->words[c->count++] = "--plugin";
        c->words[c->count++] = object;
        SB_PRINT(me->arena, sources, "%s%s%s",
                 sources != NULL ? sources : "--lower-plugins=", sources != NULL ? "\n" : "", file);
    }
    if (sources != NULL && strcmp(command, "roundoff") == 0) {
        c->words[c->count++] = sources;
    }
    return SB_OK;
}

int cli_precision(cli *me, const char *precision, const char *command, int argc, char *const *argv) {
    const int plugins = me->registry->nplugins;
    listener l = {.me = me};
    call c = {0};
    sb_meter_begin(&l.meter, me->ctx, 0.0);
    SB_TRY(find(me, precision, &l.program));
    SB_NEW(me->arena, c.words, argc + 2 * plugins + 5);
    SB_NEW(me->arena, c.objects, plugins);
    c.words[c.count++] = l.program;
    c.words[c.count++] = command;
    for (int i = 0; i < argc; i++) {
        c.words[c.count++] = argv[i];
    }
    if (sb_meter_on(&l.meter)) {
        c.words[c.count++] = "--progress";
    }
    int status = add_plugins(me, precision, command, &c);
    status = status == SB_OK ? run(&l, c.words) : status;
    for (int i = 0; i < c.made; i++) {
        cli_plugin_remove(c.objects[i]);
    }
    return status;
}
