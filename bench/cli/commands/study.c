/* `stepbench study`: regenerates the tables and figures that a file describes. */
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/study/study.h"

/* Fails if the directory of the results is that of a study with claims, whose file claims.csv the results would
 * replace. */
static int check_directory(cli *me, const char *file) {
    const char *out = ((const cli_bench_options *)me->config)->out, *claims, *folder;
    const int length = (int)(sb_file_name(file) - file);
    struct stat of, to;
    SB_PRINT(me->arena, folder, "%.*s.", length, file);
    SB_PRINT(me->arena, claims, "%.*sclaims.csv", length, file);
    const bool same = stat(folder, &of) == 0 && stat(out, &to) == 0 && of.st_dev == to.st_dev && of.st_ino == to.st_ino;
    return same && access(claims, F_OK) == 0
               ? sb_fail(me->ctx, SB_BAD_USAGE,
                         "study: --out %s is the directory of the study, whose claims.csv the results would replace; "
                         "take another directory",
                         out)
               : SB_OK;
}

static int run_file(cli *me, const char *file) {
    sb_study study;
    SB_TRY(sb_study_read(me, strcmp(file, "-") == 0 ? "/dev/stdin" : file, &study));
    SB_TRY(check_directory(me, file));
    me->words.count--; /* the other words select among its experiments */
    me->words.list++;
    return cli_bench_run(me, &study);
}

static int run_study(cli *me) {
    const sb_kind kind = SB_KIND_EXPERIMENT;
    sb_registry *registry = me->registry;
    const int count = registry->count[kind], room = registry->room[kind];
    const sb_entry **const entries = registry->entries[kind];
    if (me->words.count == 0) {
        return sb_fail(me->ctx, SB_BAD_USAGE, "study needs a file: stepbench study FILE.json --out DIR");
    }
    if (!cli_given(me, "out")) {
        return sb_fail(me->ctx, SB_BAD_USAGE, "study needs --out, the directory of its results");
    }
    registry->count[kind] = registry->room[kind] =
        0; /* the registry has the experiments of the file, not those of the program */
    registry->entries[kind] = NULL;
    const int status = run_file(me, me->words.list[0]);
    registry->count[kind] = count;
    registry->room[kind] = room;
    registry->entries[kind] = entries;
    return status;
}

const cli_command cli_study = {
    &(const sb_entry){
        "study",
        "Regenerates the tables and figures of a study, which a JSON file describes, each experiment in its own "
        "process",
        "", cli_bench_params, sizeof(cli_bench_options)},
    "stepbench study FILE.json [GLOB...] --out DIR [--jobs N] [--resume] [--dry-run | --plan | --part | --merge | "
    "--replot | --compare DIR]",
    CLI_WORDS | CLI_OUTPUT | CLI_ROWS,
    run_study,
    NULL,
    "stepbench study pendulums.json --out pendulums",
};
