/* Writes files that appear whole or not at all: under a temporary name in the same directory, renamed at the end. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/text.h"
#include "core/output/sink.h"

static int cannot_write(sb_outfile *file, int why) {
    return sb_fail(file->ctx, SB_IO, "%s cannot be written: %s", file->path != NULL ? file->path : "standard output",
                   strerror(why));
}

/* Returns the number of the process that wrote the file `entry`, a temporary file of `name` (NULL: of any file).
 * Returns 0 if it is not one. */
static long left_by(const char *entry, const char *name) {
    static const char mark[] = ".tmp-";
    const char *at = name == NULL ? entry : strncmp(entry, name, strlen(name)) == 0 ? entry + strlen(name) : "";
    for (const char *next = at; name == NULL && (next = strstr(next, mark)) != NULL; next++) {
        at = next; /* the last one */
    }
    if (strncmp(at, mark, sizeof mark - 1) != 0) {
        return 0;
    }
    const char *number = at + sizeof mark - 1;
    const size_t digits = strspn(number, "0123456789");
    return digits < 10 && number[digits] == '\0' ? strtol(number, NULL, 10) : 0;
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

void sb_outfile_sweep(const char *directory, const char *name, long pid) {
    DIR *list = opendir(directory);
    for (const struct dirent *entry; list != NULL && (entry = readdir(list)) != NULL;) {
        const long left = left_by(entry->d_name, name);
        if (left > 0 && (pid == 0 ? sb_process_ended(left) : left == pid)) {
            unlinkat(dirfd(list), entry->d_name, 0);
        }
    }
    if (list != NULL) {
        closedir(list);
    }
}

/* Opens the file under its temporary name. Removes what an earlier writer of the same file left when it was killed. */
static int open_temporary(sb_arena *arena, sb_outfile *out) {
    const char *name = sb_file_name(out->path), *directory;
    SB_PRINT(arena, directory, "%.*s.", (int)(name - out->path), out->path);
    sb_outfile_sweep(directory, name, 0);
    SB_PRINT(arena, out->temporary, "%s.tmp-%ld", out->path, (long)getpid());
    out->stream = fopen(out->temporary, "wb");
    return out->stream != NULL ? SB_OK : cannot_write(out, errno);
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
        return open_temporary(arena, out);
    }
    if (S_ISDIR(info.st_mode)) {
        return cannot_write(out, EISDIR);
    }
    out->stream = fopen(path, "wb");
    return out->stream != NULL ? SB_OK : cannot_write(out, errno);
}

int sb_outfile_check(sb_outfile *file) {
    if (file->stream == NULL || !ferror(file->stream)) {
        return SB_OK;
    }
    const int last = errno;
    errno = 0;
    fflush(file->stream); /* fails again: the failure may be older than errno, of the flush before a fork */
    const int why = errno != 0 ? errno : last != 0 ? last : EIO;
    sb_outfile_abandon(file);
    return cannot_write(file, why);
}

int sb_outfile_commit(sb_outfile *file) {
    FILE *stream = file->stream;
    if (stream == NULL) {
        return SB_OK;
    }
    errno = 0;
    int why = fflush(stream) != 0 || ferror(stream) ? (errno != 0 ? errno : EIO) : 0;
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
    if (file->temporary != NULL) {
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
    if (file->temporary != NULL) {
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
