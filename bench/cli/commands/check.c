/* `stepbench check`: whether a stepper does what it claims, in seconds. */
#include <string.h>

#include "bench/check/check.h"
#include "bench/cli/cli.h"
#include "bench/cli/provenance.h"

typedef struct check_options {
    long seconds;
    int all;
} check_options;

static const sb_param check_params[] = {
    {"seconds", SB_INT, offsetof(check_options, seconds), "10", 1.0, 1e6, SB_CLOSED, NULL, "s",
     "processor time that the checks on one system may take"},
    {"all", SB_CHOICE, offsetof(check_options, all), "no", 0, 0, SB_CLOSED, "no|yes", "",
     "write the checks that passed, too"},
    {0},
};

static int write_rows(const check_options *options, const sb_table *rows, sb_sink *sink) {
    SB_TRY(sink->begin(sink, rows->ncolumns, rows->columns));
    for (int i = 0; i < rows->nrows; i++) {
        if (options->all || strcmp(sb_table_text(rows, i, "verdict"), "passed") != 0) {
            SB_TRY(sink->row(sink, rows->cells + i * rows->ncolumns));
        }
    }
    return SB_OK;
}

/* Returns the status of the command: a broken stepper is a failure. */
static int judge(cli *me, const char *stepper, const sb_check *check) {
    if (check->systems == 0) {
        return sb_fail(me->ctx, SB_UNSUPPORTED, "%s takes none of the systems", stepper);
    }
    if (check->failed > 0) {
        return sb_fail(me->ctx, SB_NOT_CONVERGED, "%s: %d of %d checks failed on %d systems", stepper, check->failed,
                       check->checks, check->systems);
    }
    fprintf(stderr, "%s: %d checks passed on %d systems", stepper, check->checks - check->unclear, check->systems);
    fprintf(stderr, check->unclear > 0 ? ", %d are unclear\n" : "\n", check->unclear);
    return SB_OK;
}

static int run_check(cli *me) {
    const check_options *options = me->config;
    const char *const *comments = NULL;
    const char *stepper, *plugin, *wrong;
    sb_check check;
    sb_sink *sink;
    if (me->words.count != 1) {
        return sb_fail(me->ctx, SB_BAD_USAGE, "check takes one stepper, by its name or as a plug-in's file");
    }
    SB_TRY(cli_load_stepper(me, me->words.list[0], &stepper, &plugin, &wrong));
    if (wrong != NULL) {
        return sb_fail(me->ctx, SB_BAD_PLUGIN, "%s", wrong);
    }
    SB_TRY(sb_check_stepper(me->ctx, me->arena, stepper, true, options->seconds, &check));
    SB_TRY(cli_comments(me, &comments));
    SB_TRY(cli_sink(me, comments, &sink));
    const int status = write_rows(options, &check.rows, sink);
    return cli_finish(me, sink, status == SB_OK ? judge(me, stepper, &check) : status);
}

const cli_command cli_check = {
    {"check",
     "Checks that a stepper keeps the contract of a step and what it claims: small systems with exact solutions for "
     "every kind of term, and the registered problems",
     "", check_params, sizeof(check_options)},
    "stepbench check STEPPER|FILE.so [--all] [--seconds N] [-o FILE]",
    CLI_WORDS | CLI_OUTPUT,
    run_check,
};
