/* An analysis of one pair in a process of its own: a stepper that crashes or never returns costs its rows, and is told
 * where it died. */
#include "bench/process/isolate.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analysis/row.h"
#include "bench/process/monitor.h"
#include "bench/process/pool.h"
#include "bench/process/row_pipe.h"

/* How much longer than its processor time a process may take by the clock: on a busy machine, or asleep. */
enum { PATIENCE = 10 };

typedef struct task {
    sb_context *ctx;
    const sb_analysis *analysis;
    const void *config;
    const sb_pair *pair;
    long seconds;
    FILE *file;           /* what the child says */
    sb_last_words *words; /* in memory shared with it */
    int ended;            /* as waitpid says */
} task;

/* ---- The child. ---- */

/* Signals end it as they end any program: the clock's, too. What a plug-in prints is not ours to print. */
static void prepare_child(long seconds) {
    static const int defaults[] = {SIGINT, SIGTERM, SIGHUP, SIGXFSZ, SIGALRM};
    const struct rlimit no_core = {0, 0}, time = {(rlim_t)seconds, (rlim_t)seconds + 1};
    for (size_t i = 0; i < sizeof defaults / sizeof *defaults; i++) {
        signal(defaults[i], SIG_DFL);
    }
    setrlimit(RLIMIT_CORE, &no_core);
    setrlimit(RLIMIT_CPU, &time);
    alarm((unsigned)(PATIENCE * seconds));
    const int nowhere = open("/dev/null", O_RDWR);
    if (nowhere >= 0) {
        dup2(nowhere, STDOUT_FILENO);
        dup2(nowhere, STDERR_FILENO);
    }
}

static int do_task(const task *t, sb_parcel *parcel) {
    sb_arena arena;
    sb_pair pair;
    sb_arena_init(&arena, t->ctx);
    const int status = sb_pair_watch(&arena, t->pair, t->words, &pair);
    return status == SB_OK ? sb_analysis_run_pair(t->ctx, t->analysis, t->config, &pair, &parcel->sink) : status;
}

static int child(void *arg, int k) {
    const task *t = arg;
    sb_parcel parcel;
    (void)k;
    prepare_child(t->seconds);
    sb_parcel_init(&parcel, t->ctx, t->file, t->analysis->ncolumns);
    t->ctx->message[0] = '\0';
    return sb_parcel_close(&parcel, do_task(t, &parcel)) == SB_OK ? 0 : 1;
}

/* ---- The parent. ---- */

static int after(void *arg, int k, long pid, int ended, double seconds) {
    (void)k;
    (void)pid;
    (void)seconds;
    ((task *)arg)->ended = ended;
    return SB_OK;
}

/* What became of a child that did not come to its last word. */
static sb_run_outcome evaluate(const task *t, char *text, size_t size) {
    const char *what = t->analysis->entry.name;
    const int number = WIFSIGNALED(t->ended) ? WTERMSIG(t->ended) : 0;
    char place[160], death[300];
    sb_last_words_place(t->words, place, sizeof place);
    if (number == SIGXCPU || number == SIGKILL) {
        snprintf(text, size, "%s: it did not return within %ld s of processor time, %s", what, t->seconds, place);
        return SB_RUN_TIMED_OUT;
    }
    if (number == SIGALRM) {
        snprintf(text, size, "%s: it did not return within %ld s, %s", what, PATIENCE * t->seconds, place);
        return SB_RUN_TIMED_OUT;
    }
    sb_death(t->ended, place, death, sizeof death);
    snprintf(text, size, "%s: %s", what, death);
    return SB_RUN_CRASHED;
}

static int spawn(sb_arena *arena, task *t, sb_table *rows, sb_run_outcome *outcome, const char **message) {
    const sb_processes work = {t, NULL, child, after};
    char text[SB_MESSAGE_MAX] = "";
    bool closed;
    int status = SB_OK;
    SB_TRY(sb_processes_run(t->ctx, arena, 1, 1, &work));
    if (sb_interrupted(t->ctx)) {
        return sb_fail(t->ctx, SB_INTERRUPTED, "interrupted");
    }
    SB_TRY(sb_parcel_read(arena, t->file, rows, &closed, &status, text));
    *outcome = !closed                                           ? evaluate(t, text, sizeof text)
               : status == SB_OK || sb_failure_is_result(status) ? SB_RUN_DONE
               : status == SB_NO_MEMORY || status == SB_IO       ? SB_RUN_LOST
                                                                 : SB_RUN_FAILED;
    *message = sb_strdup(arena, *outcome == SB_RUN_DONE ? "" : text[0] != '\0' ? text : sb_status_text(status));
    return *message != NULL ? SB_OK : SB_NO_MEMORY;
}

static int isolate(sb_arena *arena, task *t, sb_table *rows, sb_run_outcome *outcome, const char **message) {
    SB_TRY(sb_last_words_share(t->ctx, 1, &t->words));
    t->file = tmpfile();
    const int status = t->file != NULL
                           ? spawn(arena, t, rows, outcome, message)
                           : sb_fail(t->ctx, SB_IO, "no temporary file for the rows of a process: %s", strerror(errno));
    if (t->file != NULL) {
        fclose(t->file);
    }
    sb_last_words_free(t->words, 1);
    return status;
}

int sb_isolate(sb_context *ctx, sb_arena *arena, const sb_analysis *analysis, const char *options, const sb_pair *pair,
               long seconds, sb_table *rows, sb_run_outcome *outcome, const char **message) {
    void *config = sb_alloc(arena, 1, analysis->entry.config_size);
    if (config == NULL) {
        return SB_NO_MEMORY;
    }
    SB_TRY(sb_config_parse(ctx, arena, &analysis->entry, options, config));
    sb_table_init(rows, arena);
    SB_TRY(rows->sink.begin(&rows->sink, analysis->ncolumns, analysis->columns));
    task t = {.ctx = ctx, .analysis = analysis, .config = config, .pair = pair, .seconds = seconds};
    return isolate(arena, &t, rows, outcome, message);
}
