/* The states of the same run in double or single precision, from the program `stepbench` in the same directory. */
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/text.h"
#include "precision/precision.h"

extern char **environ;

enum { PATH_SIZE = 4096 };

/* Sets *out to the names q0,...,v0,... as `stepbench run --columns` takes them. */
static int column_names(sb_arena *arena, int n, char **out) {
    SB_PRINT(arena, *out, "step");
    for (int i = 0; i < 2 * n; i++) {
        SB_PRINT(arena, *out, "%s,%c%d", *out, i < n ? 'q' : 'v', i % n);
    }
    return SB_OK;
}

/* Starts `stepbench run` with its output in *rows. */
static int start(const precision_call *call, bool single, const char *plugins, double h, long steps, long every,
                 pid_t *child, FILE **rows) {
    char program[PATH_SIZE] = "", *columns, *h_text, *steps_text, *every_text;
    const char *const command[] = {"stepbench", "--precision=single", "run", "-p", call->problem, "-s", call->stepper},
                      **arguments;
    int count = 0, ends[2];
    if (readlink("/proc/self/exe", program, sizeof program - 1) > 0 && strrchr(program, '/') != NULL) {
        snprintf(strrchr(program, '/'), sizeof "/stepbench", "/stepbench");
    }
    SB_TRY(column_names(call->arena, call->sys.n, &columns));
    SB_PRINT(call->arena, h_text, "%.17g", h);
    SB_PRINT(call->arena, steps_text, "%ld", steps);
    SB_PRINT(call->arena, every_text, "%ld", every);
    const char *const options[] = {"--h",      h_text,      "--steps", steps_text, "--every",
                                   every_text, "--columns", columns,   "--format", "csv"};
    SB_NEW(call->arena, arguments,
           sizeof command / sizeof *command + sizeof options / sizeof *options + 1 +
               2 * (size_t)call->formulations.count + 2 * strlen(plugins));
    for (int i = 0; i < (int)(sizeof command / sizeof *command); i++) {
        if (i != 1 || single) {
            arguments[count++] = command[i];
        }
    }
    for (int i = 0; i < call->formulations.count; i++) {
        arguments[count++] = "-w";
        arguments[count++] = call->formulations.list[i].text;
    }
    for (const char *line = plugins; *line != '\0'; line += strspn(line, "\n")) {
        const int length = (int)strcspn(line, "\n");
        SB_PRINT(call->arena, arguments[count + 1], "%.*s", length, line);
        arguments[count] = "--plugin";
        count += 2;
        line += length;
    }
    memcpy(arguments + count, options, sizeof options);
    if (pipe(ends) != 0) {
        return sb_fail(call->ctx, SB_IO, "no pipe to the run in a lower precision: %s", strerror(errno));
    }
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    posix_spawn_file_actions_addclose(&actions, ends[1]);
    const int failed = posix_spawn(child, program, &actions, NULL, (char *const *)arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (failed != 0) {
        close(ends[0]);
        return sb_fail(call->ctx, SB_IO, "%s cannot be started: %s", program, strerror(failed));
    }
    *rows = fdopen(ends[0], "r");
    return SB_OK;
}

/* Reads a line of numbers; their first one is the number of the step. */
static bool read_row(const precision_call *call, const char *line, long every, sb_solution *out) {
    char *at;
    const long step = strtol(line, &at, 10), row = step / every;
    if (at == line || step % every != 0 || row > out->count) {
        return false;
    }
    for (int i = 0; i < 2 * out->n; i++) {
        if (*at++ != ',') {
            return false;
        }
        (i < out->n ? out->q : out->v)[row * out->n + i % out->n] = sb_strtod(at, &at);
    }
    return *at == '\n';
}

int precision_run_lower(const precision_call *call, bool single, const char *plugins, double h, long count, long every,
                        sb_solution *out) {
    pid_t child;
    FILE *rows;
    char *line = NULL;
    size_t size = 0;
    long taken = 0;
    int status;
    *out = (sb_solution){.n = call->sys.n, .count = count, .dt = (sb_scalar)h * (sb_scalar)every};
    SB_NEW(call->arena, out->q, (count + 1) * out->n);
    SB_NEW(call->arena, out->v, (count + 1) * out->n);
    SB_TRY(start(call, single, plugins, h, count * every, every, &child, &rows));
    while (getline(&line, &size, rows) > 0) {
        if (line[0] != '#' && line[0] != 's' && read_row(call, line, every, out)) {
            taken++;
        }
    }
    free(line);
    fclose(rows);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return taken == count + 1
               ? SB_OK
               : sb_fail(call->ctx, SB_NOT_CONVERGED, "the run in %s precision ended after %ld of %ld samples",
                         single ? "single" : "double", taken, count + 1);
}
