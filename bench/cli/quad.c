/* Runs stepbench_quad as a child. */
#include "bench/cli/quad.h"

#include <errno.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/cli/data.h"
#include "bench/cli/plugin.h"
#include "core/base/text.h"

extern char **environ;

enum { PATH_SIZE = 4096 };

/* Sets *program to stepbench_quad in the folder of this program. */
static int find(cli *me, const char **program) {
    char path[PATH_SIZE];
    sb_program_path(path);
    char *slash = strrchr(path, '/');
    SB_PRINT(me->arena, *program, "%.*sstepbench_quad", slash != NULL ? (int)(slash + 1 - path) : 0, path);
    return access(*program, X_OK) == 0
               ? SB_OK
               : sb_fail(me->ctx, SB_IO,
                         "%s is missing: quadruple precision needs it; build the target stepbench_quad, on a system "
                         "whose compiler and libc have binary128",
                         *program);
}

/* Sets the message to what the child has written to standard error, without the name of the program. */
static int report(cli *me, FILE *errors, int status) {
    char text[SB_MESSAGE_MAX];
    const size_t length = fread(text, 1, sizeof text - 1, errors);
    text[length] = '\0';
    text[strcspn(text, "\n")] = '\0';
    const char *from = strncmp(text, "stepbench: ", 11) == 0 ? text + 11 : text;
    return sb_fail(me->ctx, status, "%s", from[0] != '\0' ? from : "stepbench_quad failed without a message");
}

static int outcome(cli *me, FILE *errors, int state) {
    if (!WIFEXITED(state)) {
        return WIFSIGNALED(state) && WTERMSIG(state) == SIGINT
                   ? sb_fail(me->ctx, SB_INTERRUPTED, "interrupted")
                   : sb_fail(me->ctx, SB_IO, "stepbench_quad was terminated by signal %d",
                             WIFSIGNALED(state) ? WTERMSIG(state) : 0);
    }
    switch (WEXITSTATUS(state)) {
    case CLI_DONE: return SB_OK;
    case CLI_BAD_USAGE: return report(me, errors, SB_BAD_USAGE);
    case CLI_ENDED_EARLY: return report(me, errors, SB_NOT_CONVERGED);
    default: return report(me, errors, SB_IO);
    }
}

/* Runs the program with its arguments. */
static int run(cli *me, const char *program, const char *const *arguments) {
    FILE *errors = tmpfile();
    pid_t child;
    int state = 0;
    if (errors == NULL) {
        return sb_fail(me->ctx, SB_IO, "no temporary file for the messages of stepbench_quad: %s", strerror(errno));
    }
    fflush(stdout);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, fileno(errors), STDERR_FILENO);
    const int failed = posix_spawn(&child, program, &actions, NULL, (char *const *)arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    while (failed == 0 && waitpid(child, &state, 0) < 0 && errno == EINTR) {
    }
    rewind(errors);
    const int status = failed != 0 ? sb_fail(me->ctx, SB_IO, "%s cannot be started: %s", program, strerror(failed))
                                   : outcome(me, errors, state);
    fclose(errors);
    return status;
}

/* Appends `--plugin OBJECT` for every plug-in to the arguments: those from C files are compiled for this precision. */
static int add_plugins(cli *me, const char **arguments, int *count) {
    for (int i = 0; i < me->registry->nplugins; i++) {
        const char *file = me->registry->plugins[i].path;
        if (sb_ends_with(file, ".c")) {
            SB_TRY(cli_plugin_compile(me->ctx, me->arena, file, true, &file));
        }
        arguments[(*count)++] = "--plugin";
        arguments[(*count)++] = file;
    }
    return SB_OK;
}

int cli_quad(cli *me, const char *command, int argc, char *const *argv) {
    const char *program, **arguments;
    int count = 0;
    SB_TRY(find(me, &program));
    SB_NEW(me->arena, arguments, argc + 2 * me->registry->nplugins + 3);
    arguments[count++] = program;
    arguments[count++] = command;
    for (int i = 0; i < argc; i++) {
        const bool plugin = strncmp(argv[i], "--plugin", 8) == 0; /* is in the registry */
        i += plugin && argv[i][8] == '\0';
        if (!plugin) {
            arguments[count++] = argv[i];
        }
    }
    const int own = count;
    int status = add_plugins(me, arguments, &count);
    status = status == SB_OK ? run(me, program, arguments) : status;
    for (int i = own; i + 1 < count; i += 2) {
        if (sb_ends_with(me->registry->plugins[(i - own) / 2].path, ".c")) {
            cli_plugin_remove(arguments[i + 1]);
        }
    }
    return status;
}
