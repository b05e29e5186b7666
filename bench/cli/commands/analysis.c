/* An analysis as a command: its options are its parameters, its rows go to the sink. */
#include <string.h>

#include "analysis/analysis.h"
#include "bench/cli/cli.h"
#include "bench/cli/provenance.h"
#include "bench/process/pool.h"
#include "bench/process/sweep.h"

const unsigned cli_analysis_takes = CLI_PROBLEMS | CLI_FORMULATIONS | CLI_STEPPERS | CLI_OUTPUT | CLI_JOBS;

/* Passes rows on. Abandoned for an interruption, it ends the inner sink instead: finished rows are kept. */
typedef struct keeping_sink {
    sb_sink sink;
    sb_sink *inner;
    sb_context *ctx;
    bool begun, ended;
} keeping_sink;

static int keep_begin(sb_sink *sink, int ncolumns, const sb_column *columns) {
    keeping_sink *me = (keeping_sink *)sink;
    me->begun = true;
    return me->inner->begin(me->inner, ncolumns, columns);
}

static int keep_row(sb_sink *sink, const sb_cell *cells) {
    keeping_sink *me = (keeping_sink *)sink;
    return me->inner->row(me->inner, cells);
}

static int keep_end(sb_sink *sink) {
    keeping_sink *me = (keeping_sink *)sink;
    me->ended = true;
    return me->inner->end(me->inner);
}

static void keep_abandon(sb_sink *sink) {
    keeping_sink *me = (keeping_sink *)sink;
    char message[SB_MESSAGE_MAX];
    memcpy(message, me->ctx->message, sizeof message);
    if (me->begun && sb_interrupted(me->ctx) && me->inner->end(me->inner) == SB_OK) {
        return;
    }
    me->inner->abandon(me->inner);
    memcpy(me->ctx->message, message, sizeof message);
}

/* Times are measured one pair at a time unless --jobs says otherwise. */
static long jobs_for(const cli *me, const sb_analysis *analysis) {
    if (me->jobs > 0) {
        return me->jobs;
    }
    for (int j = 0; j < analysis->ncolumns; j++) {
        if (analysis->columns[j].kind == SB_COL_TIME) {
            return 1;
        }
    }
    return sb_processors();
}

int cli_analysis(cli *me) {
    const char *const *comments = NULL;
    sb_sink *sink;
    SB_TRY(cli_comments(me, &comments));
    SB_TRY(cli_sink(me, comments, &sink));
    keeping_sink keep = {.sink = {keep_begin, keep_row, keep_end, keep_abandon}, .inner = sink, .ctx = me->ctx};
    const sb_analysis *analysis = (const sb_analysis *)me->entry;
    const sb_call call = {me->problems, me->formulations, me->steppers};
    const int status = sb_sweep(me->ctx, me->arena, analysis, me->config, &call, jobs_for(me, analysis), &keep.sink);
    if (status != SB_OK && !keep.ended) {
        keep.sink.abandon(&keep.sink);
        return status;
    }
    char message[SB_MESSAGE_MAX];
    memcpy(message, me->ctx->message, sizeof message);
    SB_TRY(cli_write_provenance(me));
    memcpy(me->ctx->message, message, sizeof message);
    return status;
}
