/* Runs commands of stepbench with one allocation failing, for every allocation in turn or for TRIES of them. The
 * program must not crash; it ends with 0 and the undisturbed output, or with 1, 2 or 3 and a sentence; no half-written
 * file stays. allocations SHIM STEPBENCH FOLDER TRIES [NAME...] TRIES is per command; 0 means all. Writes one line per
 * finding, and per command its name and the numbers of allocations, tries, findings and ends that a library caused.
 * Exit status 1 if there are findings. */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORDS = 16, FILES = 64, PATH = 1000, LIMIT = 120 };

typedef struct command {
    const char *name;
    const char *words[WORDS];
    long most; /* tries, for a command that takes seconds; 0: no limit */
} command;

static const command commands[] = {
    {"run", {"run", "-p", "pendulum", "-s", "shake", "--h", "1/10", "--steps", "5"}, 0},
    {"run_file", {"run", "-p", "dsp", "-s", "em", "--h", "1/10", "--steps", "5", "-o", "a.json"}, 0},
    {"order", {"order", "-p", "oscillator", "-s", "verlet", "--levels", "3", "-o", "order.csv"}, 0},
    {"show", {"show", "shake", "pendulum", "order"}, 0},
    {"list", {"list", "--json"}, 0},
    {"compare", {"compare", "-p", "oscillator", "-s", "verlet", "--format", "csv"}, 0},
    {"modes", {"modes", "-p", "thread:n=600", "--count", "2", "--format", "csv"}, 0},
    {"drift", {"drift", "-p", "oscillator", "-s", "verlet", "-s", "rk4", "--t-end", "60", "--format", "md"}, 0},
    {"stability", {"stability", "-s", "verlet", "--cells", "2", "--format", "json"}, 0},
    {"card", {"card", "verlet", "--against", "rk4", "-o", "card.html"}, 400},
    {"linear", {"run", "-p", "star:arms=40", "-s", "spook", "--h", "1/100", "--steps", "2", "-o", "a.md"}, 0},
    {"bench", {"bench", "notes11_recurrences", "--jobs", "1", "--out", "."}, 400},
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

/* What is not stepbench's to change: a library that ends the process itself when it gets no memory. */
static const struct {
    const char *says; /* on standard error */
    const char *reason;
} known[] = {
    {"error while loading shared libraries", "the dynamic loader ends the process before main"},
    {"Operating system error: Cannot allocate memory",
     "libgfortran, which ARPACK needs, ends the process when it is loaded"},
    {"libgomp: Out of memory", "libgomp, which SuiteSparse needs, ends the process when it is loaded"},
};

typedef struct bytes {
    char *data;
    size_t size;
} bytes;

typedef struct file {
    char path[PATH];
    bytes content;
} file;

/* What a run leaves: how it ended, what it wrote, its files. */
typedef struct outcome {
    int ended;
    bytes out, err;
    int nfiles;
    file files[FILES];
} outcome;

static char folder[PATH], work[PATH];

static void die(const char *what) {
    perror(what);
    exit(2);
}

static bytes read_all(const char *path) {
    bytes b = {NULL, 0};
    struct stat info;
    const int from = open(path, O_RDONLY);
    if (from < 0 || fstat(from, &info) != 0 || (b.data = calloc(1, (size_t)info.st_size + 1)) == NULL) {
        die(path);
    }
    b.size = (size_t)info.st_size;
    if (read(from, b.data, b.size) != (ssize_t)b.size) {
        die(path);
    }
    close(from);
    return b;
}

static bool equal(const bytes *a, const bytes *b) {
    return a->size == b->size && memcmp(a->data, b->data, a->size) == 0;
}

/* Lists the regular files below `path` into `o` (NULL: removes them, folders included). */
static void walk(const char *path, outcome *o) {
    DIR *list = opendir(path);
    for (const struct dirent *entry; list != NULL && (entry = readdir(list)) != NULL;) {
        char name[2 * PATH];
        struct stat info;
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) {
            continue;
        }
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        if (lstat(name, &info) != 0) {
            continue;
        }
        if (S_ISDIR(info.st_mode)) {
            walk(name, o);
            if (o == NULL) {
                rmdir(name);
            }
        } else if (o == NULL) {
            unlink(name);
        } else if (o->nfiles < FILES && S_ISREG(info.st_mode)) {
            file *f = &o->files[o->nfiles++];
            snprintf(f->path, sizeof f->path, "%s", name + strlen(work) + 1);
            f->content = read_all(name);
        }
    }
    if (list != NULL) {
        closedir(list);
    }
}

static void release(outcome *o) {
    free(o->out.data);
    free(o->err.data);
    for (int i = 0; i < o->nfiles; i++) {
        free(o->files[i].content.data);
    }
    *o = (outcome){.ended = 0};
}

static void redirect(const char *name, int to) {
    char path[2 * PATH];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    const int stream = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (stream < 0 || dup2(stream, to) < 0) {
        _exit(127);
    }
}

static void in_child(const char *shim, const char *program, const command *c, long at, const char *counter) {
    char number[32];
    const char *argv[WORDS + 2] = {program};
    for (int i = 0; i < WORDS && c->words[i] != NULL; i++) {
        argv[i + 1] = c->words[i];
    }
    snprintf(number, sizeof number, "%ld", at);
    setenv("LD_PRELOAD", shim, 1);
    setenv("FAIL_ALLOCATION", number, 1);
    setenv("FAIL_ALLOCATION_COUNT", counter, 1);
    setenv("OPENBLAS_CORETYPE", "Haswell", 1); /* spares a restart of the program */
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
    redirect("stdout", STDOUT_FILENO);
    redirect("stderr", STDERR_FILENO);
    if (chdir(work) == 0) {
        alarm(LIMIT);
        execv(program, (char *const *)argv);
    }
    _exit(127);
}

static void run(const char *shim, const char *program, const command *c, long at, const char *counter, outcome *o) {
    char path[2 * PATH];
    walk(work, NULL);
    const pid_t child = fork();
    if (child < 0) {
        die("fork");
    }
    if (child == 0) {
        in_child(shim, program, c, at, counter);
    }
    if (waitpid(child, &o->ended, 0) != child) {
        die("waitpid");
    }
    snprintf(path, sizeof path, "%s/stdout", folder);
    o->out = read_all(path);
    snprintf(path, sizeof path, "%s/stderr", folder);
    o->err = read_all(path);
    o->nfiles = 0;
    walk(work, o);
}

static const file *find(const outcome *o, const char *path) {
    for (int i = 0; i < o->nfiles; i++) {
        if (strcmp(o->files[i].path, path) == 0) {
            return &o->files[i];
        }
    }
    return NULL;
}

/* Returns whether a run that failed has a reason for another file: what bench writes of all experiments says that one
 * failed, and a card or a comparison says on standard error that an analysis is missing. */
static bool may_differ(const outcome *o, const char *path) {
    static const char *const summaries[] = {"claims.csv",      "verdicts.csv", "README.md",
                                            "provenance.json", "index.html",   "site/provenance.js"};
    for (size_t i = 0; i < sizeof summaries / sizeof summaries[0]; i++) {
        if (o->ended != 0 && strcmp(path, summaries[i]) == 0) {
            return true;
        }
    }
    return o->ended != 0 && strstr(o->err.data, "written without what was lost") != NULL;
}

/* The files that both runs have are the same, and nothing stays under a temporary name. */
static const char *check_files(const outcome *truth, const outcome *o) {
    for (int i = 0; i < o->nfiles; i++) {
        const file *same = find(truth, o->files[i].path);
        if (strstr(o->files[i].path, ".tmp-") != NULL) {
            return "a temporary file stays";
        }
        if (same != NULL && !may_differ(o, o->files[i].path) && !equal(&same->content, &o->files[i].content)) {
            return "a file differs";
        }
    }
    return NULL;
}

static bool is_known(const outcome *o) {
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strstr(o->err.data, known[i].says) != NULL) {
            return true;
        }
    }
    return false;
}

/* NULL, or what is wrong. */
static const char *judge(const outcome *truth, const outcome *o) {
    if (WIFSIGNALED(o->ended)) {
        return WTERMSIG(o->ended) == SIGALRM ? "it does not end" : "it crashes";
    }
    const int status = WEXITSTATUS(o->ended);
    if (status > 3) {
        return "a wrong exit status";
    }
    if (status != 0) {
        return strstr(o->err.data, "stepbench: ") == NULL ? "no sentence" : check_files(truth, o);
    }
    if (!equal(&truth->out, &o->out)) {
        return "exit status 0 with another output";
    }
    return truth->nfiles == o->nfiles ? check_files(truth, o) : "exit status 0 with other files";
}

static int torture(const char *shim, const char *program, const command *c, long tries) {
    char counter[2 * PATH];
    static outcome truth, o;
    long count = 0;
    int findings = 0, libraries = 0;
    snprintf(counter, sizeof counter, "%s/count", folder);
    const int stream = open(counter, O_RDWR | O_CREAT | O_TRUNC, 0666);
    if (stream < 0 || write(stream, &count, sizeof count) != (ssize_t)sizeof count) {
        die(counter);
    }
    run(shim, program, c, 0, counter, &truth);
    if (pread(stream, &count, sizeof count, 0) != (ssize_t)sizeof count || count == 0 || truth.ended != 0) {
        printf("%s: does not run undisturbed: %s\n", c->name, truth.err.data);
        return 1;
    }
    close(stream);
    tries = tries == 0 || tries > count ? count : tries;
    tries = c->most > 0 && tries > c->most ? c->most : tries;
    for (long i = 0; i < tries; i++) {
        const long k =
            1 + (2 * i + 1) * count / (2 * tries); /* spread evenly; every one when there are as many tries */
        run(shim, program, c, k, "/dev/null", &o);
        const char *wrong = judge(&truth, &o);
        if (wrong != NULL && is_known(&o)) {
            libraries++;
        } else if (wrong != NULL) {
            findings++;
            printf("%s: allocation %ld: %s (status %d): %.300s\n", c->name, k, wrong, o.ended, o.err.data);
            fflush(stdout);
        }
        release(&o);
    }
    release(&truth);
    printf("%s,%ld,%ld,%d,%d\n", c->name, count, tries, findings, libraries);
    fflush(stdout);
    return findings;
}

int main(int argc, char **argv) {
    int findings = 0;
    if (argc < 5) {
        fprintf(stderr, "usage: allocations SHIM STEPBENCH FOLDER TRIES [NAME...]\n");
        return 2;
    }
    snprintf(folder, sizeof folder, "%s", argv[3]);
    snprintf(work, sizeof work, "%.900s/work", folder);
    if (mkdir(work, 0777) != 0) {
        die(work);
    }
    for (int i = 0; i < COMMANDS; i++) {
        bool asked = argc == 5;
        for (int j = 5; j < argc; j++) {
            asked = asked || strcmp(argv[j], commands[i].name) == 0;
        }
        findings += asked ? torture(argv[1], argv[2], &commands[i], strtol(argv[4], NULL, 10)) : 0;
    }
    return findings > 0;
}
