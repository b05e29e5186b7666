/* Writes files that appear whole or not at all: a file without a name in the same directory gets its name at the end.
 */
#define _GNU_SOURCE /* O_TMPFILE */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/base/text.h"
#include "core/output/sink.h"

static int cannot_write(sb_outfile *file, int why) {
    return sb_fail(file->ctx, SB_IO, "%s cannot be written: %s", file->path != NULL ? file->path : "standard output",
                   strerror(why));
}

/* A process that has ended but has not yet been waited for has the state "Z" behind the name in parentheses in /proc
 * (Linux). */
bool sb_process_ended(long pid) {
    char path[64], line[512];
    if (kill((pid_t)pid, 0) != 0) {
        return errno == ESRCH;
    }
    snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    FILE *file = fopen(path, "r");
    const char *state = file != NULL && fgets(line, sizeof line, file) != NULL ? strrchr(line, ')') : NULL;
    if (file != NULL) {
        fclose(file);
    }
    return state != NULL && strncmp(state, ") Z", 3) == 0;
}

/* Opens a file without a name in the directory of the file: nothing is left of a process that is killed. On a file
 * system that has no such files, and without /proc, which gives it its name later, the file has its temporary name from
 * the beginning. */
static int open_temporary(sb_arena *arena, sb_outfile *out) {
    const char *directory;
    SB_PRINT(arena, directory, "%.*s.", (int)(sb_file_name(out->path) - out->path), out->path);
    SB_PRINT(arena, out->temporary, "%s.tmp-XXXXXX", out->path);
    int descriptor = access("/proc/self/fd", X_OK) == 0 ? open(directory, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666) : -1;
    if (descriptor < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL || errno == ENOENT)) {
        const mode_t mask = umask(0);
        umask(mask);
        descriptor = mkstemp(out->temporary);
        out->named = descriptor >= 0 && fchmod(descriptor, 0666 & ~mask) == 0;
    }
    out->stream = descriptor >= 0 ? fdopen(descriptor, "wb") : NULL;
    return out->stream != NULL ? SB_OK : cannot_write(out, errno);
}

/* Gives the open file its temporary name, which no other file has. Returns 0 or the errno of the failure. */
static int give_name(sb_outfile *file) {
    enum { DIGITS = 6, TRIES = 100 };
    char *digits = file->temporary + strlen(file->temporary) - DIGITS, open_file[64];
    int why = EEXIST;
    snprintf(open_file, sizeof open_file, "/proc/self/fd/%d", fileno(file->stream));
    for (int k = 0; k < TRIES && why == EEXIST; k++) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        snprintf(digits, DIGITS + 1, "%0*lx", (int)DIGITS, (unsigned long)(now.tv_nsec + getpid()) & 0xffffff);
        why = linkat(AT_FDCWD, open_file, AT_FDCWD, file->temporary, AT_SYMLINK_FOLLOW) == 0 ? 0 : errno;
    }
    file->named = why == 0;
    return why;
}

/* Follows symbolic links to the file they lead to, which need not exist: a rename onto a link would replace the
 * link. */
static int follow(sb_arena *arena, sb_outfile *out) {
    enum { LINKS_MAX = 40, ROOM = 4096 }; /* as many as Linux follows */
    struct stat info;
    for (int k = 0; k < LINKS_MAX && lstat(out->path, &info) == 0 && S_ISLNK(info.st_mode); k++) {
        char target[ROOM];
        const ssize_t length = readlink(out->path, target, ROOM - 1);
        if (length <= 0) {
            return cannot_write(out, errno);
        }
        const int directory = target[0] != '/' ? (int)(sb_file_name(out->path) - out->path) : 0;
        SB_PRINT(arena, out->path, "%.*s%.*s", directory, out->path, (int)length, target);
    }
    return SB_OK;
}

int sb_outfile_open(sb_context *ctx, sb_arena *arena, const char *path, sb_outfile *out) {
    struct stat info;
    *out = (sb_outfile){.ctx = ctx, .stream = stdout};
    if (path == NULL) {
        return SB_OK;
    }
    SB_PRINT(arena, out->path, "%s", path);
    if (stat(path, &info) != 0 || S_ISREG(info.st_mode)) {
        SB_TRY(follow(arena, out));
        const bool exists = access(out->path, W_OK) == 0; /* a rename would replace a protected file, too */
        if (!exists && errno != ENOENT) {
            return cannot_write(out, errno);
        }
        SB_TRY(open_temporary(arena, out));
        if (exists) { /* who may read it may go on to */
            (void)!fchmod(fileno(out->stream), info.st_mode & 07777);
        }
        return SB_OK;
    }
    if (S_ISDIR(info.st_mode)) {
        return cannot_write(out, EISDIR);
    }
    out->stream = fopen(path, "wb");
    return out->stream != NULL ? SB_OK : cannot_write(out, errno);
}

/* Returns the errno of the failure to write the file, which may be older than errno: that of another byte, which a full
 * disk refuses, too. The file is then abandoned. */
static int reason(const sb_outfile *file) {
    const int last = errno;
    errno = 0;
    const bool refused =
        fflush(file->stream) != 0 || (file->temporary != NULL && write(fileno(file->stream), "", 1) < 0);
    return refused && errno != 0 ? errno : last != 0 ? last : EIO;
}

int sb_outfile_check(sb_outfile *file) {
    if (file->stream == NULL || !ferror(file->stream)) {
        return SB_OK;
    }
    const int why = reason(file);
    sb_outfile_abandon(file);
    return cannot_write(file, why);
}

int sb_outfile_commit(sb_outfile *file) {
    FILE *stream = file->stream;
    if (stream == NULL) {
        return SB_OK;
    }
    errno = 0;
    int why = fflush(stream) != 0 ? errno : ferror(stream) ? reason(file) : 0;
    if (why == 0 && file->temporary != NULL && !file->named) {
        why = give_name(file);
    }
    file->stream = NULL;
    if (stream != stdout && fclose(stream) != 0 && why == 0) {
        why = errno;
    }
    if (why == 0 && file->temporary != NULL && rename(file->temporary, file->path) != 0) {
        why = errno;
    }
    if (why == 0) {
        return SB_OK;
    }
    if (file->named) {
        unlink(file->temporary);
    }
    return cannot_write(file, why);
}

void sb_outfile_abandon(sb_outfile *file) {
    FILE *stream = file->stream;
    if (stream == NULL) {
        return;
    }
    file->stream = NULL;
    if (stream == stdout) {
        fflush(stream);
        return;
    }
    fclose(stream);
    if (file->named) {
        unlink(file->temporary);
    }
}

int sb_outfile_close(sb_outfile *file, int status) {
    if (status == SB_OK) {
        return sb_outfile_commit(file);
    }
    sb_outfile_abandon(file);
    return status;
}

int sb_make_directories(sb_context *ctx, sb_arena *arena, const char *path) {
    char *part;
    SB_PRINT(arena, part, "%s", path);
    for (char *end = part; *end != '\0';) {
        end += strspn(end, "/");
        end += strcspn(end, "/");
        const char kept = *end;
        *end = '\0';
        if (mkdir(part, 0777) != 0 && errno != EEXIST) {
            return sb_fail(ctx, SB_IO, "the directory %s cannot be created: %s", part, strerror(errno));
        }
        *end = kept;
    }
    return access(path, W_OK | X_OK) == 0
               ? SB_OK
               : sb_fail(ctx, SB_IO, "the directory %s cannot be written to: %s", path, strerror(errno));
}

const char *sb_temporary_directory(void) {
    const char *directory = getenv("TMPDIR");
    return directory != NULL && directory[0] != '\0' ? directory : "/tmp";
}
