/* What the analyses share about their rows and options: status rows, default steps, which failures are results. */
#include <string.h>

#include "analysis/row.h"
#include "core/run/run.h"

enum { COLUMNS_MAX = 64 };

bool sb_failure_is_result(int status) {
    return status > 0 || status == SB_INCONSISTENT || status == SB_UNSUPPORTED;
}

int sb_row_failure(const sb_analysis *analysis, const sb_pair *pair, double h, int why, const char *status, sb_sink *out) {
    sb_cell cells[COLUMNS_MAX];
    for (int j = 0; j < analysis->ncolumns && j < COLUMNS_MAX; j++) {
        const char *name = analysis->columns[j].name;
        cells[j] = sb_empty();
        if (strcmp(name, "problem") == 0) {
            cells[j] = sb_text(pair->problem);
        } else if (strcmp(name, "stepper") == 0) {
            cells[j] = sb_text(pair->stepper);
        } else if (strcmp(name, "h") == 0 && h > 0.0) {
            cells[j] = sb_real(h);
        } else if (strcmp(name, "status") == 0) {
            cells[j] = sb_text(status);
        }
    }
    SB_TRY(out->row(out, cells));
    return why;
}

int sb_row_go_on(int status, int *failed) {
    if (!sb_failure_is_result(status)) {
        return status;
    }
    *failed = status;
    return SB_OK;
}

int sb_check_lengths(sb_context *ctx, const sb_system *sys, const sb_reals *h, double t_end, double scales) {
    for (int i = 0; i < h->n; i++) {
        long steps;
        SB_TRY(sb_pick_length(ctx, sys, t_end, scales, h->x[i], &steps));
    }
    return SB_OK;
}

static void sort_descending(sb_reals *list) {
    for (int i = 1; i < list->n; i++) {
        const double x = list->x[i];
        int j = i;
        for (; j > 0 && list->x[j - 1] < x; j--) {
            list->x[j] = list->x[j - 1];
        }
        list->x[j] = x;
    }
}

int sb_pick_steps(sb_arena *arena, const sb_system *sys, const sb_reals *asked, long levels, double ratio, sb_reals *out) {
    out->n = asked->n > 0 ? asked->n : (int)levels;
    SB_NEW(arena, out->x, out->n);
    double h = sys->time_scale / 10.0;
    for (int i = 0; i < out->n; i++, h /= ratio) {
        out->x[i] = asked->n > 0 ? asked->x[i] : h;
    }
    sort_descending(out);
    return SB_OK;
}

int sb_fit_steps(sb_context *ctx, const sb_reals *asked, double t_end, sb_reals *h) {
    long steps;
    if (asked->n > 0 || !(t_end > 0.0)) {
        return SB_OK;
    }
    SB_TRY(sb_steps(ctx, t_end, h->x[0], SB_STEPS_UP, &steps));
    const double factor = t_end / ((double)steps * h->x[0]);
    for (int i = 0; i < h->n; i++) {
        h->x[i] *= factor;
    }
    return SB_OK;
}

int sb_pick_length(sb_context *ctx, const sb_system *sys, double t_end, double scales, double h, long *steps) {
    return t_end > 0.0 ? sb_steps(ctx, t_end, h, SB_STEPS_EXACT, steps) : sb_steps(ctx, scales * sys->time_scale, h, SB_STEPS_UP, steps);
}

int sb_each_step(sb_context *ctx, const void *config, const sb_pair *pair, const sb_reals *asked, long levels, double t_end, sb_step_rows write, sb_sink *out) {
    sb_arena arena;
    sb_reals h = {0};
    int failed = SB_OK;
    sb_arena_init(&arena, ctx);
    int status = sb_pick_steps(&arena, pair->sys, asked, levels, 2.0, &h);
    if (status == SB_OK) {
        status = sb_fit_steps(ctx, asked, t_end, &h);
    }
    for (int i = 0; i < h.n && status == SB_OK; i++) {
        sb_arena scratch;
        sb_arena_init(&scratch, ctx);
        status = sb_row_go_on(write(ctx, &scratch, config, pair, h.x[i], out), &failed);
        sb_arena_free(&scratch);
    }
    sb_arena_free(&arena);
    return status != SB_OK ? status : failed;
}
