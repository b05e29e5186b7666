/* Locks a results directory by flock on a file, which names the process that took the lock last. */
#include "bench/runner/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/base/escape.h"
#include "core/output/sink.h"

enum { HOST_MAX = 256, WAIT_MS = 10000, POLL_MS = 20, NOTE_MS = 1000 };

typedef struct holder {
    long pid; /* 0: unknown */
    char host[HOST_MAX];
} holder;

static void this_host(char out[HOST_MAX]) {
    if (gethostname(out, HOST_MAX) != 0) {
        out[0] = '\0';
    }
    out[HOST_MAX - 1] = '\0';
}

static holder read_holder(const char *path) {
    holder h = {0};
    FILE *file = fopen(path, "r");
    if (file != NULL) {
        if (fscanf(file, "%ld %255s", &h.pid, h.host) != 2) {
            h = (holder){0};
        }
        fclose(file);
    }
    return h;
}

static bool lives_here(const holder *h) {
    char host[HOST_MAX];
    this_host(host);
    return h->pid > 0 && strcmp(host, h->host) == 0 && !sb_process_ended(h->pid);
}

/* Writes this process into the locked file, unless the file names a process that is alive and shares the lock. */
static void write_holder(int lock, const char *path) {
    char host[HOST_MAX], text[HOST_MAX + 32];
    const holder before = read_holder(path);
    if (lives_here(&before)) {
        return;
    }
    this_host(host);
    const int length = snprintf(text, sizeof text, "%ld %s\n", (long)getpid(), host[0] != '\0' ? host : "?");
    if (ftruncate(lock, 0) == 0 && pwrite(lock, text, (size_t)length, 0) < 0) {
        return; /* the message of another call will lack the process */
    }
}

/* Returns whether `path` still names the locked file: the previous holder may have removed it in between. */
static bool is_current(int lock, const char *path) {
    struct stat ours, named;
    return fstat(lock, &ours) == 0 && stat(path, &named) == 0 && ours.st_ino == named.st_ino &&
           ours.st_dev == named.st_dev;
}

static int refuse(sb_context *ctx, const char *path, const holder *h, bool alive) {
    char who[HOST_MAX + 64] = "another process";
    if (h->pid > 0) {
        snprintf(who, sizeof who, "process %ld on %s%s", h->pid, h->host,
                 alive ? "" : ", or by a process that it started");
    }
    return sb_fail(
        ctx, SB_IO,
        "%s is locked by %s: only one run at a time may write a results directory; wait for its end, or end it", path,
        who);
}

/* Tries to take the lock. Returns false when another process has it; otherwise sets *status and *lock. */
static bool try_lock(sb_context *ctx, const char *path, bool exclusive, int *lock, int *status) {
    *status = SB_OK;
    for (;;) {
        *lock = open(path, O_RDWR | O_CREAT, 0666);
        if (*lock < 0) {
            *status = sb_fail(ctx, SB_IO, "%s cannot be opened: %s", path, strerror(errno));
            return true;
        }
        if (flock(*lock, (exclusive ? LOCK_EX : LOCK_SH) | LOCK_NB) != 0) {
            const int why = errno;
            close(*lock);
            *lock = -1;
            if (why != EWOULDBLOCK && why != EINTR) {
                sb_write_line(stderr, "stepbench: %s: no locks here (%s): nothing keeps another run away", path,
                              strerror(why));
            }
            return why != EWOULDBLOCK && why != EINTR;
        }
        if (is_current(*lock, path)) {
            write_holder(*lock, path);
            return true;
        }
        close(*lock);
    }
}

int sb_lock_take(sb_context *ctx, const char *path, bool exclusive, int *lock) {
    const struct timespec nap = {0, POLL_MS * 1000000L};
    int status;
    for (int waited = 0; !try_lock(ctx, path, exclusive, lock, &status); waited += POLL_MS) {
        const holder h = read_holder(path);
        const bool alive = lives_here(&h);
        if (sb_interrupted(ctx)) {
            return sb_fail(ctx, SB_INTERRUPTED, "interrupted while waiting for the lock %s", path);
        }
        if (alive || waited >= WAIT_MS) {
            return refuse(ctx, path, &h, alive);
        }
        if (waited == NOTE_MS) {
            sb_write_line(stderr, "stepbench: waiting for processes that an earlier run has left in %s", path);
        }
        nanosleep(&nap, NULL);
    }
    return status;
}

void sb_lock_release(int lock) {
    if (lock >= 0) {
        close(lock);
    }
}
