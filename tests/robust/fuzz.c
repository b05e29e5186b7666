/* Random command lines, run in this process: fuzz FIRST COUNT [--files] [--show]. With --files the lines read files
 * that are damaged at random. Line number k is the same on every run, so that ranges can be run apart; --show prints
 * the lines, and the damaged files.
 *
 * A child process runs a batch of lines one after the other; a line that crashes costs the child, and the next one goes
 * on behind it. Of each line it is checked that its exit status is 0, 1, 2 or 3, that a failure says so in a sentence
 * on standard error, that a sanitizer has nothing to report and that no temporary file is left. The interrupt is set
 * soon after a line begins; one that goes on for a minute is a finding, too. Under AddressSanitizer each batch ends
 * with a search for leaks, and so does every process that a line has started. Findings go to standard output; exit
 * status 1 if there are any. */
#define _GNU_SOURCE /* nftw's flags, memfd_create */
#include <errno.h>
#include <ftw.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bench/cli/cli.h"
#include "core/output/sink.h"
#include "tests/robust/files.h"

enum {
    BATCH = 250,       /* lines of a child */
    SHORT_MS = 30,     /* after which most lines are interrupted; */
    LONG_MS = 500,     /* every sixteenth may run this long */
    PATIENCE_S = 60,   /* an interrupted line that takes longer is a finding, however busy the machine */
    LEAK_EXIT = 23,    /* the exit status of a child that has found a leak */
    LATE_EXIT = 24,    /* and of one whose line did not hear the interrupt */
    OUTPUT_MAX = 4096, /* of a line's output, kept for a finding */
    MEMORY_MB = 2048   /* of a process; more is refused to it */
};

/* The sanitizers' functions, where there are any. */
int __lsan_do_recoverable_leak_check(void) __attribute__((weak));
void __sanitizer_set_report_fd(void *fd) __attribute__((weak));
const char *__asan_default_options(void);
const char *__ubsan_default_options(void);

/* Memory beyond the limit is refused as by malloc; what GSL, OpenBLAS and gnuplot keep for good is no leak of a line.
 */
const char *__asan_default_options(void) {
    return "allocator_may_return_null=1:soft_rss_limit_mb=1500:max_allocation_size_mb=1000:detect_leaks=1:exitcode=99:"
           "leak_check_at_exit=0:malloc_context_size=5:quarantine_size_mb=16"; /* the last two: twice as fast */
}

const char *__ubsan_default_options(void) { return "print_stacktrace=1"; }

typedef struct shared {
    atomic_long current; /* the line that runs */
    atomic_long counted; /* lines up to here are in by_status */
    atomic_long findings;
    atomic_long by_status[4];
} shared;

/* What the lines are made from. */
typedef struct source {
    grammar g;
    files f;
    bool damages; /* lines that read damaged files */
} source;

/* Makes line number k, and its files in the working directory. Returns the name of the damaged file, or NULL. */
static const char *make_line(const source *from, long k, line *l) {
    if (from->damages) {
        return files_line(&from->f, (uint64_t)k, l);
    }
    grammar_line(&from->g, (uint64_t)k, l);
    return NULL;
}

static shared *board;
static volatile sig_atomic_t interrupted;
static int saved_out, captured_out, captured_err, reports; /* file descriptors */

/* ---- Findings. ---- */

static void print_line(FILE *to, const line *l) {
    for (int i = 0; i < l->argc; i++) {
        fputs(i > 0 ? " '" : "'", to);
        for (const char *c = l->argv[i]; *c != '\0'; c++) {
            fputs(*c == '\'' ? "'\\''" : (const char[]){*c, '\0'}, to);
        }
        fputc('\'', to);
    }
    fputc('\n', to);
}

static size_t contents(int file, char *text, size_t size) {
    const ssize_t length = pread(file, text, size - 1, 0);
    text[length > 0 ? length : 0] = '\0';
    return length > 0 ? (size_t)length : 0;
}

static void empty(int file) {
    if (ftruncate(file, 0) != 0 || lseek(file, 0, SEEK_SET) != 0) {
        _exit(1);
    }
}

static void finding(const source *g, long k, const char *what) {
    static char text[OUTPUT_MAX];
    static line l;
    FILE *to = fdopen(dup(saved_out), "w");
    make_line(g, k, &l);
    fprintf(to, "line %ld: %s\n  ", k, what);
    print_line(to, &l);
    if (contents(captured_err, text, sizeof text) > 0) {
        fprintf(to, "  stderr: %s\n", text);
    }
    if (contents(reports, text, sizeof text) > 0) {
        fprintf(to, "  report: %s\n", text);
    }
    fclose(to);
    empty(reports);
    atomic_fetch_add(&board->findings, 1);
}

/* ---- One line. ---- */

static volatile sig_atomic_t expired; /* how often the clock has said that the time of the line is over */

static void on_signal(int number) {
    if (number == SIGUSR1 && expired++ > 0) {
        _exit(LATE_EXIT);
    }
    interrupted = 1;
}

/* The interrupt comes after `ms` by the clock. Where files are read it comes after as much processor time, or ten times
 * as much by the clock, so that a busy machine reads as much of a file as an idle one. Timers of its own: ITIMER_REAL
 * is that of a line which waits for a step to return (bench/process/escape.h). */
static void set_timer(int ms, bool reads) {
    static timer_t timers[2];
    static bool created;
    expired = 0;
    for (int k = 0; k < 2; k++) {
        const int after = k == 0 && reads ? 10 * ms : ms;
        const struct itimerspec t = {{k == 0 ? PATIENCE_S : 0, 0}, {after / 1000, 1000000L * (after % 1000)}};
        if (!created) {
            struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = k == 0 ? SIGUSR1 : SIGUSR2};
            timer_create(k == 0 ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID, &event, &timers[k]);
        }
        timer_settime(timers[k], 0, ms > 0 ? &t : &(struct itimerspec){0}, NULL);
    }
    created = true;
}

static bool temporary_left;

static int remove_entry(const char *path, const struct stat *info, int type, struct FTW *at) {
    (void)info;
    temporary_left = temporary_left || (strstr(path, ".tmp-") != NULL && type != FTW_DP);
    return at->level == 0 ? 0 : remove(path);
}

/* A failure is one sentence or more, the last of which the program speaks, with nothing missing in it. */
static const char *check_message(int status) {
    static char text[1 << 16];
    const size_t length = contents(captured_err, text, sizeof text);
    if (strstr(text, "(null)") != NULL) {
        return "(null) on standard error";
    }
    if (status == CLI_DONE || length == sizeof text - 1) {
        return NULL;
    }
    const char *at = text, *sentence = NULL;
    while ((at = strstr(at, "stepbench: ")) != NULL) {
        sentence = at++;
    }
    return sentence == NULL || strlen(sentence) < 20 ? "a failure without a sentence"
           : text[length - 1] != '\n'                ? "a message that does not end its line"
                                                     : NULL;
}

static const char *run_line(const source *g, line *l, long k) {
    static char text[64];
    interrupted = 0;
    set_timer(k % 16 == 0 ? LONG_MS : SHORT_MS, g->damages);
    const int status = cli_program(&interrupted, l->argc, l->argv);
    set_timer(0, false);
    fflush(NULL);
    clearerr(stdout);
    temporary_left = false;
    nftw(".", remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    if (status < 0 || status > 3) {
        snprintf(text, sizeof text, "exit status %d", status);
        return text;
    }
    if (k >= atomic_load(&board->counted)) { /* not again when a leak is looked for */
        atomic_store(&board->counted, k + 1);
        atomic_fetch_add(&board->by_status[status], 1);
    }
    if (contents(reports, text, sizeof text) > 0) {
        return "a sanitizer's report";
    }
    return temporary_left ? "a temporary file is left" : check_message(status);
}

/* ---- A batch. ---- */

/* A process that a line has started ends by _exit, where no sanitizer looks for leaks. The linker puts this in its
 * place. */
void __real__exit(int status) __attribute__((noreturn));
void __wrap__exit(int status) __attribute__((noreturn));
void __wrap__exit(int status) {
    if (__lsan_do_recoverable_leak_check != NULL && status != LATE_EXIT && atomic_load(&board->current) % 16 == 0) {
        __lsan_do_recoverable_leak_check();
    }
    __real__exit(status);
}

static void run_batch(const source *g, long from, long to) {
    static line l;
    dup2(captured_out, STDOUT_FILENO);
    dup2(captured_err, STDERR_FILENO);
    setvbuf(stderr, NULL, _IOFBF, 1 << 14); /* a message is many small writes; the end of each line flushes it */
    if (__sanitizer_set_report_fd != NULL) {
        __sanitizer_set_report_fd((void *)(intptr_t)reports);
    } else {
        setrlimit(RLIMIT_AS, &(struct rlimit){(rlim_t)MEMORY_MB << 20, (rlim_t)MEMORY_MB << 20});
    }
    const int signals[] = {SIGUSR1, SIGUSR2, SIGTERM};
    for (int s = 0; s < 3; s++) {
        sigaction(signals[s], &(struct sigaction){.sa_handler = on_signal, .sa_flags = SA_RESTART}, NULL);
    }
    for (long k = from; k < to; k++) {
        atomic_store(&board->current, k);
        make_line(g, k, &l);
        empty(captured_out);
        empty(captured_err);
        const char *what = run_line(g, &l, k);
        if (what != NULL) {
            finding(g, k, what);
        }
    }
    const bool leak = __lsan_do_recoverable_leak_check != NULL && __lsan_do_recoverable_leak_check() != 0;
    __real__exit(leak ? LEAK_EXIT : 0);
}

static int run_child(const source *g, long from, long to) {
    int ended;
    fflush(NULL);
    const pid_t pid = fork();
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL); /* a fuzzer that is killed leaves no process behind */
        run_batch(g, from, to);
    }
    while (waitpid(pid, &ended, 0) < 0 && errno == EINTR) {
    }
    return ended;
}

/* Every line from `from` on, whatever becomes of the children. */
static void run_range(const source *g, long from, long to) {
    char what[160];
    while (from < to) {
        const int ended = run_child(g, from, to);
        if (ended == 0) {
            return;
        }
        if (WIFEXITED(ended) && WEXITSTATUS(ended) == LEAK_EXIT) {
            if (to - from == 1) {
                finding(g, from, "a leak");
                return;
            }
            empty(reports);
            for (long k = from; k < to; k++) { /* which one? */
                run_range(g, k, k + 1);
            }
            return;
        }
        from = atomic_load(&board->current);
        if (WIFSIGNALED(ended)) {
            snprintf(what, sizeof what, "killed by signal %d (%s)", WTERMSIG(ended), strsignal(WTERMSIG(ended)));
        } else if (WEXITSTATUS(ended) == LATE_EXIT) {
            snprintf(what, sizeof what, "not ended %d s after an interrupt", PATIENCE_S);
        } else {
            snprintf(what, sizeof what, "the process ended with exit status %d", WEXITSTATUS(ended));
        }
        finding(g, from++, what);
    }
}

static int parse(int argc, char **argv, long *first, long *count, bool *damages, bool *show) {
    char *end = NULL;
    *damages = *show = false;
    for (int i = 3; i < argc; i++) {
        *damages = *damages || strcmp(argv[i], "--files") == 0;
        *show = *show || strcmp(argv[i], "--show") == 0;
    }
    *first = argc >= 3 ? strtol(argv[1], &end, 10) : -1;
    *count = argc >= 3 && *end == '\0' ? strtol(argv[2], &end, 10) : -1;
    return *first >= 0 && *count > 0 && *end == '\0' && argc == 3 + *damages + *show ? 0 : 2;
}

static void show_line(const source *g, long k) {
    static line l;
    const char *file = make_line(g, k, &l);
    print_line(stdout, &l);
    FILE *damaged = file != NULL ? fopen(file, "rb") : NULL;
    for (int c; damaged != NULL && (c = getc(damaged)) != EOF;) {
        putchar(c);
    }
    if (damaged != NULL) {
        fclose(damaged);
    }
}

int main(int argc, char **argv) {
    static source g;
    char scratch[200];
    long first, count;
    bool show;
    sb_context ctx;
    sb_arena arena;
    sb_registry registry;
    if (parse(argc, argv, &first, &count, &g.damages, &show) != 0) {
        fputs("usage: fuzz FIRST COUNT [--files] [--show]\n", stderr);
        return 2;
    }
    sb_context_init(&ctx);
    sb_arena_init(&arena, &ctx);
    cli_libraries();
    if (cli_register(&registry, &ctx) != SB_OK || grammar_init(&g.g, &ctx, &arena, &registry) != SB_OK ||
        files_init(&g.f, &ctx, &arena) != SB_OK) {
        fprintf(stderr, "fuzz: %s\n", ctx.message);
        return 1;
    }
    snprintf(scratch, sizeof scratch, "%s/stepbench-fuzz-XXXXXX", sb_temporary_directory());
    board = mmap(NULL, sizeof *board, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    saved_out = dup(STDOUT_FILENO);
    captured_out = memfd_create("stdout", 0);
    captured_err = memfd_create("stderr", 0);
    reports = memfd_create("reports", 0);
    /* A line may name the folder above its own. */
    if (board == MAP_FAILED || mkdtemp(scratch) == NULL || chdir(scratch) != 0 || mkdir("above", 0777) != 0 ||
        mkdir("above/here", 0777) != 0 || chdir("above/here") != 0) {
        perror("fuzz");
        return 1;
    }
    for (long k = first; show && k < first + count; k++) {
        show_line(&g, k);
    }
    signal(SIGXFSZ, SIG_IGN);
    for (long k = first; k < first + count; k += BATCH) {
        run_range(&g, k, k + BATCH < first + count ? k + BATCH : first + count);
    }
    const long findings = atomic_load(&board->findings);
    printf("%ld %s from number %ld on: exit status 0 %ld times, 1 %ld, 2 %ld, 3 %ld; findings: %ld\n", count,
           g.damages ? "damaged files" : "command lines", first, atomic_load(&board->by_status[0]),
           atomic_load(&board->by_status[1]), atomic_load(&board->by_status[2]), atomic_load(&board->by_status[3]),
           findings);
    sb_arena_free(&arena);
    sb_registry_free(&registry);
    if (chdir(scratch) == 0) {
        nftw(".", remove_entry, 16, FTW_DEPTH | FTW_PHYS);
        rmdir(scratch);
    }
    return findings > 0;
}
