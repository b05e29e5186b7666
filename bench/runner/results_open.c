/* Opening a results directory for one call: the directories, the locks in out/.parts, and what is removed when
 * everything is merged. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/runner/bench.h"
#include "bench/runner/lock.h"

static int make_folder(sb_context *ctx, const char *path) {
    char part[4096];
    if (strlen(path) >= sizeof part) {
        return sb_fail(ctx, SB_IO, "the folder %.60s... has too long a name", path);
    }
    for (const char *slash = path + 1;; slash++) {
        if (*slash != '/' && *slash != '\0') {
            continue;
        }
        snprintf(part, sizeof part, "%.*s", (int)(slash - path), path);
        if (mkdir(part, 0777) != 0 && errno != EEXIST) {
            return sb_fail(ctx, SB_IO, "the folder %s cannot be made: %s", part, strerror(errno));
        }
        if (*slash == '\0') {
            break;
        }
    }
    if (access(path, W_OK | X_OK) != 0) {
        return sb_fail(ctx, SB_IO, "the folder %s cannot be written to: %s", path, strerror(errno));
    }
    return SB_OK;
}

/* out/.parts/lock for the directory, out/.parts/NAME.lock for an experiment. */
static int lock_path(sb_bench_call *call, const sb_experiment *experiment, const char **path) {
    const char *name = experiment != NULL ? experiment->entry.name : "";
    const size_t size = strlen(call->out) + strlen(name) + 16;
    char *text;
    SB_NEW(call->arena, text, size);
    snprintf(text, size, "%s/.parts/%s%slock", call->out, name, experiment != NULL ? "." : "");
    *path = text;
    return SB_OK;
}

static int take(sb_bench_call *call, const sb_experiment *experiment, bool exclusive, int *lock) {
    const char *path;
    SB_TRY(lock_path(call, experiment, &path));
    return sb_lock_take(call->ctx, path, exclusive, lock);
}

static int lock(sb_bench_call *call) {
    SB_TRY(take(call, NULL, !call->part, &call->lock));
    for (int i = 0; i < call->count && call->part; i++) {
        SB_TRY(take(call, call->list[i].experiment, true, &call->list[i].lock));
    }
    return SB_OK;
}

int sb_bench_open(sb_bench_call *call, bool create) {
    char parts[4200];
    call->lock = -1;
    for (int i = 0; i < call->count; i++) {
        call->list[i].lock = -1;
    }
    if (create) {
        SB_TRY(make_folder(call->ctx, call->out));
        for (int i = 0; i < call->count; i++) {
            if (call->list[i].experiment->timed) {
                snprintf(parts, sizeof parts, "%s/times", call->out);
                SB_TRY(make_folder(call->ctx, parts));
            }
        }
    }
    snprintf(parts, sizeof parts, "%s/.parts", call->out);
    if (create) {
        SB_TRY(make_folder(call->ctx, parts));
    } else if (access(parts, F_OK) != 0) {
        return sb_fail(call->ctx, SB_IO,
                       "%s holds no parts to merge; `stepbench bench --plan` prints the commands that make them",
                       call->out);
    }
    const int status = lock(call);
    if (status != SB_OK) {
        sb_bench_close(call);
    }
    return status;
}

void sb_bench_close(sb_bench_call *call) {
    for (int i = 0; i < call->count; i++) {
        sb_lock_release(call->list[i].lock);
        call->list[i].lock = -1;
    }
    sb_lock_release(call->lock);
    call->lock = -1;
}

int sb_bench_remove_parts(sb_bench_call *call) {
    const char *path;
    char parts[4200];
    for (int i = 0; i < call->count; i++) {
        SB_TRY(sb_bench_part(call->arena, call->out, call->list[i].experiment, &path));
        unlink(path);
        SB_TRY(lock_path(call, call->list[i].experiment, &path));
        unlink(path);
    }
    SB_TRY(lock_path(call, NULL, &path));
    unlink(path);
    snprintf(parts, sizeof parts, "%s/.parts", call->out);
    rmdir(parts); /* stays while another call's parts are in it */
    return SB_OK;
}
