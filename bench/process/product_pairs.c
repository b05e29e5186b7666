/* Runs an analysis on the pairs of a product, and writes their rows. */
#include "analysis/row.h"
#include "bench/process/pairs.h"
#include "core/base/escape.h"

typedef struct whole {
    sb_context *ctx;
    const sb_analysis *analysis;
    const sb_product *product;
    sb_product_rows rows;
    int failed; /* the last failure of a pair, and the message of the first one with that status */
    char message[SB_MESSAGE_MAX];
} whole;

static int run_pair(void *arg, int k, const sb_pair *pair, sb_progress *progress, sb_sink *rows) {
    const whole *w = arg;
    return sb_product_run(w->ctx, w->product, k, pair, rows);
}

/* Adds a row for a run whose process ended before its analysis or whose rows were damaged, and for one of several that
 * failed with what is no result; reports it on standard error. Wrong usage and files that cannot be read end all. */
static int pair_ended(void *arg, int k, int status, const char *message, bool crashed, sb_sink *out) {
    whole *w = arg;
    const sb_pair pair = sb_product_pair(w->product, k);
    const char *text = message[0] != '\0' ? message : sb_status_text(status);
    const bool is_result = crashed || status == SB_OK || sb_failure_is_result(status);
    if (!is_result && (status == SB_BAD_USAGE || status == SB_IO || sb_product_count(w->product) == 1)) {
        return sb_fail(w->ctx, status, "%s", text);
    }
    const int before = w->failed;
    if (status != SB_OK && (w->rows.members == 0 || !is_result)) { /* an ensemble counts its failures */
        w->failed = is_result ? status : SB_NOT_CONVERGED;
    }
    if (status != SB_OK && is_result && !crashed) {
        if (before != status) {
            snprintf(w->message, sizeof w->message, "%s", text);
        }
    } else if (status != SB_OK) {
        snprintf(w->message, sizeof w->message, "%s on %s: %s", pair.stepper, pair.problem, text);
        sb_write_line(stderr, "stepbench: %s of %s", w->analysis->entry.name, w->message);
        SB_TRY(sb_row_not_run(w->analysis, &pair, text, out));
    }
    return sb_product_rows_end(&w->rows, k);
}

int sb_pairs_run(sb_context *ctx, sb_arena *arena, const sb_analysis *analysis, const sb_product *product, long jobs,
                 long seconds, sb_meter *meter, sb_sink *out) {
    const int count = sb_product_count(product);
    whole w = {.ctx = ctx, .analysis = analysis, .product = product};
    const sb_pair_work work = {
        .arg = &w,
        .name = analysis->entry.name,
        .ncolumns = analysis->ncolumns,
        .columns = analysis->columns,
        .run = run_pair,
        .ended = pair_ended,
        .together = sb_product_call(product)->ensemble.members > 0,
    };
    sb_pair *list;
    SB_NEW(arena, list, count);
    for (int k = 0; k < count; k++) {
        list[k] = sb_product_pair(product, k);
    }
    sb_product_rows_open(ctx, product, out, &w.rows);
    const int status =
        sb_pairs_work(ctx, arena, &work, count, list, jobs, seconds, meter, sb_product_rows_sink(&w.rows));
    sb_product_rows_close(&w.rows);
    SB_TRY(status);
    return w.failed == SB_OK ? SB_OK : sb_fail(ctx, w.failed, "%s", w.message);
}
