/* Opens a results directory for one call: creates the directories, takes the locks in out/.parts, and removes both when
 * everything is merged. */
#include <string.h>
#include <unistd.h>

#include "bench/runner/bench.h"
#include "bench/runner/lock.h"
#include "core/output/json.h"
#include "core/output/sink.h"

/* Sets *path to the lock of the directory, out/.parts/lock, or of an experiment, out/.parts/NAME.lock. */
static int lock_path(sb_bench_call *call, const sb_experiment *experiment, char **path) {
    SB_PRINT(call->arena, *path, "%s/.parts/%s%slock", call->out, experiment != NULL ? experiment->entry.name : "",
             experiment != NULL ? "." : "");
    return SB_OK;
}

static int take(sb_bench_call *call, const sb_experiment *experiment, bool exclusive, int *lock) {
    char *path;
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

/* Fails if the directory has a file under the name of one of the pages, but neither `parts` nor a provenance of an
 * earlier call. */
static int check_pages(sb_bench_call *call, const char *parts) {
    static const char *const pages[] = {"provenance.json", "README.md", "index.html",
                                        "claims.csv",      "claims.md", "verdicts.csv"};
    bool own = access(parts, F_OK) == 0;
    for (size_t i = 0; i < sizeof pages / sizeof *pages && !own; i++) {
        char *page;
        SB_PRINT(call->arena, page, "%s/%s", call->out, pages[i]);
        const bool there = access(page, F_OK) == 0;
        own = there && i == 0 && !sb_json_is_foreign(page);
        if (there && !own) {
            return sb_fail(
                call->ctx, SB_BAD_USAGE,
                "%s would be replaced, which stepbench has not written, as a provenance.json beside it would "
                "say; name another directory with --out",
                page);
        }
    }
    return SB_OK;
}

int sb_bench_open(sb_bench_call *call, bool create) {
    char *parts, *times;
    bool timed = false;
    SB_PRINT(call->arena, parts, "%s/.parts", call->out);
    SB_PRINT(call->arena, times, "%s/times", call->out);
    call->lock = -1;
    for (int i = 0; i < call->count; i++) {
        call->list[i].lock = -1;
        timed = timed || call->list[i].experiment->timed;
    }
    SB_TRY(check_pages(call, parts));
    if (create) {
        SB_TRY(sb_make_directories(call->ctx, call->arena, timed ? times : call->out));
        SB_TRY(sb_make_directories(call->ctx, call->arena, parts));
    } else if (access(parts, F_OK) != 0) {
        return sb_fail(call->ctx, SB_IO,
                       "%s holds no parts to merge; the same call with --plan prints the commands that make them",
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
    const char *part;
    char *path;
    for (int i = 0; i < call->count; i++) {
        SB_TRY(sb_bench_part(call->arena, call->out, call->list[i].experiment, &part));
        unlink(part);
        SB_TRY(lock_path(call, call->list[i].experiment, &path));
        unlink(path);
    }
    SB_TRY(lock_path(call, NULL, &path));
    unlink(path);
    *strrchr(path, '/') = '\0';
    rmdir(path); /* fails while parts of another call are in it */
    return SB_OK;
}
