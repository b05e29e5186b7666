/* An analysis over a product of problems and steppers, each pair in a process of its own. */
#include "bench/process/sweep.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "analysis/row.h"
#include "bench/process/monitor.h"
#include "bench/process/pool.h"
#include "bench/process/row_pipe.h"

/* One pair: its rows, once its process has ended. */
typedef struct part {
    FILE *file; /* open while the process runs */
    bool ended;
    sb_table rows;
    int status;
    char *message;
} part;

typedef struct sweep {
    sb_context *ctx;
    sb_arena *arena;
    const sb_analysis *analysis;
    const sb_product *product;
    part *parts;
    sb_last_words *words; /* of each pair, in memory shared with the processes */
    int written;          /* pairs whose rows have reached `out` */
    int failed; /* the numerical failure of the last pair named outright that had one, its sentence, or SB_OK */
    const char *why;
    sb_sink *out;
} sweep;

static int before(void *arg, int k) {
    sweep *me = arg;
    part *p = &me->parts[k];
    p->file = tmpfile();
    if (p->file == NULL) {
        return sb_fail(me->ctx, SB_IO, "no temporary file for the rows of a process: %s", strerror(errno));
    }
    sb_table_init(&p->rows, me->arena);
    return p->rows.sink.begin(&p->rows.sink, me->analysis->ncolumns, me->analysis->columns);
}

static int run_pair(sweep *me, int k, sb_sink *out) {
    const sb_pair pair = sb_product_pair(me->product, k);
    sb_pair watched;
    SB_TRY(sb_pair_watch(me->arena, &pair, &me->words[k], &watched));
    return sb_product_run(me->ctx, me->product, k, &watched, out);
}

static int child(void *arg, int k) {
    sweep *me = arg;
    sb_parcel parcel;
    sb_parcel_init(&parcel, me->ctx, me->parts[k].file, me->analysis->ncolumns);
    me->ctx->message[0] = '\0';
    return sb_parcel_close(&parcel, run_pair(me, k, &parcel.sink)) == SB_OK ? 0 : 1;
}

/* The row of a pair that did not come to its last word. */
static int bury(sweep *me, int k, int ended) {
    const sb_pair pair = sb_product_pair(me->product, k);
    char place[160], text[300];
    if (sb_interrupted(me->ctx)) {
        return SB_OK;
    }
    sb_last_words_place(&me->words[k], place, sizeof place);
    sb_death(ended, place, text, sizeof text);
    fprintf(stderr, "stepbench: %s of %s on %s: %s\n", me->analysis->entry.name, pair.stepper, pair.problem, text);
    return sb_row_failure(me->analysis, &pair, 0.0, SB_OK, text, &me->parts[k].rows.sink);
}

/* Rows reach `out` in the order of the pairs, as early as that lets them. */
static int write_ready(sweep *me) {
    while (me->written < sb_product_count(me->product) && me->parts[me->written].ended) {
        const part *p = &me->parts[me->written++];
        for (int i = 0; i < p->rows.nrows; i++) {
            SB_TRY(me->out->row(me->out, p->rows.cells + (size_t)i * (size_t)p->rows.ncolumns));
        }
        if (sb_failure_is_result(p->status)) {
            me->failed = p->status;
            me->why = p->message;
        } else if (p->status != SB_OK) {
            return sb_fail(me->ctx, p->status, "%s", p->message);
        }
    }
    return SB_OK;
}

static int after(void *arg, int k, long pid, int ended, double seconds) {
    sweep *me = arg;
    part *p = &me->parts[k];
    bool closed;
    (void)pid;
    (void)seconds;
    p->message = sb_alloc(me->arena, SB_MESSAGE_MAX, 1);
    if (p->message == NULL) {
        return SB_NO_MEMORY;
    }
    SB_TRY(sb_parcel_read(me->arena, p->file, &p->rows, &closed, &p->status, p->message));
    fclose(p->file);
    p->file = NULL;
    SB_TRY(closed ? SB_OK : bury(me, k, ended));
    p->ended = true;
    return write_ready(me);
}

/* Asked to stop, what is finished is kept, also behind a pair that isn't. */
static int write_rest(sweep *me) {
    for (int k = me->written; k < sb_product_count(me->product); k++) {
        const sb_table *rows = &me->parts[k].rows;
        for (int i = 0; i < rows->nrows; i++) {
            SB_TRY(me->out->row(me->out, rows->cells + (size_t)i * (size_t)rows->ncolumns));
        }
    }
    return sb_fail(me->ctx, SB_INTERRUPTED, "interrupted; the rows that were finished are kept");
}

int sb_sweep(sb_context *ctx, sb_arena *arena, const sb_analysis *analysis, const void *config, const sb_call *call,
             long jobs, sb_sink *out) {
    sweep me = {.ctx = ctx, .arena = arena, .analysis = analysis, .out = out};
    const sb_processes work = {&me, before, child, after};
    sb_product *product;
    SB_TRY(sb_product_new(ctx, arena, analysis, config, call, &product));
    const int count = sb_product_count(product);
    me.product = product;
    SB_NEW(arena, me.parts, count);
    SB_TRY(out->begin(out, analysis->ncolumns, analysis->columns));
    SB_TRY(sb_last_words_share(ctx, count, &me.words));
    const int status = sb_processes_run(ctx, arena, count, jobs, &work);
    sb_last_words_free(me.words, count);
    for (int k = 0; k < count; k++) {
        if (me.parts[k].file != NULL) {
            fclose(me.parts[k].file);
        }
    }
    if (sb_interrupted(ctx)) {
        return write_rest(&me);
    }
    SB_TRY(status);
    SB_TRY(out->end(out));
    return me.failed == SB_OK ? SB_OK : sb_fail(ctx, me.failed, "%s", me.why);
}
