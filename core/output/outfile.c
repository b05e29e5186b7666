/* Files that appear whole or not at all: a temporary name beside the target, renamed at the end. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/output/sink.h"

static const char *name_of(const sb_outfile *file) { return file->path != NULL ? file->path : "standard output"; }

static int cannot_write(sb_outfile *file, int why) {
    return sb_fail(file->ctx, SB_IO, "%s cannot be written: %s", name_of(file), strerror(why));
}

/* Returns the process that left the file `entry` under the temporary name of `name` (NULL: of any file); 0 if it is no
 * temporary name. */
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

/* Removes what an earlier writer of the same file left when it was killed. */
static int open_temporary(sb_arena *arena, sb_outfile *out) {
    const char *slash = strrchr(out->path, '/');
    const size_t room = strlen(out->path) + 32, directory = slash != NULL ? (size_t)(slash - out->path) + 1 : 0;
    char *temporary;
    SB_NEW(arena, temporary, room);
    snprintf(temporary, room, "%.*s.", (int)directory, out->path);
    sb_outfile_sweep(temporary, out->path + directory, 0);
    snprintf(temporary, room, "%s.tmp-%ld", out->path, (long)getpid());
    out->stream = fopen(temporary, "wb");
    out->temporary = temporary;
    return out->stream != NULL ? SB_OK : cannot_write(out, errno);
}

/* Follows symbolic links to the file they lead to, which need not exist: a rename onto a link would replace the
 * link. */
static int follow(sb_arena *arena, sb_outfile *out) {
    enum { LINKS_MAX = 40, ROOM = 4096 }; /* as many as Linux follows */
    struct stat info;
    for (int k = 0; k < LINKS_MAX && lstat(out->path, &info) == 0 && S_ISLNK(info.st_mode); k++) {
        const char *slash = strrchr(out->path, '/');
        const size_t directory = slash != NULL ? (size_t)(slash - out->path) + 1 : 0;
        char *next;
        SB_NEW(arena, next, directory + ROOM);
        const ssize_t length = readlink(out->path, next + directory, ROOM - 1);
        if (length <= 0) {
            return cannot_write(out, errno);
        }
        memcpy(next, out->path, directory);
        out->path = next[directory] == '/' ? next + directory : next;
    }
    return SB_OK;
}

int sb_outfile_open(sb_context *ctx, sb_arena *arena, const char *path, sb_outfile *out) {
    struct stat info;
    *out = (sb_outfile){.ctx = ctx, .stream = stdout};
    if (path == NULL) {
        return SB_OK;
    }
    out->path = sb_strdup(arena, path);
    if (out->path == NULL) {
        return SB_NO_MEMORY;
    }
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
    if (why != 0) {
        if (file->temporary != NULL) {
            unlink(file->temporary);
        }
        return cannot_write(file, why);
    }
    return SB_OK;
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
    char *part = sb_strdup(arena, path);
    if (part == NULL) {
        return SB_NO_MEMORY;
    }
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
