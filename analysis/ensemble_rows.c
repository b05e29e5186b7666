/* Medians and quartiles of the rows of an ensemble. */
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <string.h>

#include "analysis/row.h"
#include "core/base/grow.h"
#include "core/base/text.h"

static bool has_quartiles(const sb_column *c) { return c->kind != SB_COL_KEY && c->kind != SB_COL_INFO; }

int sb_ensemble_columns(sb_arena *arena, int ncolumns, const sb_column *columns, int *count, const sb_column **out) {
    sb_column *list;
    int n = 0;
    SB_NEW(arena, list, 3 * ncolumns + 1);
    for (int j = 0; j < ncolumns; j++) {
        const sb_column *c = &columns[j];
        list[n++] = *c;
        for (int i = 1; i <= 3 && has_quartiles(c); i += 2) {
            const char *name;
            SB_PRINT(arena, name, "%s_q%d", c->name, i);
            list[n++] = (sb_column){name, c->kind, c->unit, i == 1 ? "first quartile" : "third quartile"};
        }
    }
    list[n++] = (sb_column){"failed", SB_COL_EXACT, "", "share of the members without a result"};
    *count = n;
    *out = list;
    return SB_OK;
}

/* Numbers of a column, in blocks: of thousands of members each group holds hundreds of blocks, and nothing is copied
 * while it grows. */
enum { BLOCK = 64 };
typedef struct block {
    struct block *before;
    double x[BLOCK];
} block;

/* The rows with the same keys. */
typedef struct sb_ensemble_group {
    long rows, results; /* number of rows, and of those with a result */
    sb_cell *common;    /* cells in which the rows agree, those with a result if there are any; else empty */
    size_t *count;      /* of the numbers of each column */
    block **last;       /* of the blocks of each column */
} group;

static int begin(sb_sink *sink, int ncolumns, const sb_column *columns) { return SB_OK; }

static bool same(const sb_cell *a, const sb_cell *b) {
    return a->type == SB_CELL_TEXT || b->type == SB_CELL_TEXT
               ? a->type == b->type && strcmp(a->text, b->text) == 0
               : (a->type == SB_CELL_EMPTY) == (b->type == SB_CELL_EMPTY) && !(sb_cell_number(a) < sb_cell_number(b)) &&
                     !(sb_cell_number(a) > sb_cell_number(b));
}

static bool same_keys(const sb_ensemble_rows *me, const sb_cell *a, const sb_cell *b) {
    for (int j = 0; j < me->ncolumns; j++) {
        if (me->columns[j].kind == SB_COL_KEY && !same(&a[j], &b[j])) {
            return false;
        }
    }
    return true;
}

/* Returns whether a row has a result: a cell that is not empty, other than its keys and `status`. */
static bool has_result(const sb_ensemble_rows *me, const sb_cell *cells) {
    for (int j = 0; j < me->ncolumns; j++) {
        if (me->columns[j].kind != SB_COL_KEY && strcmp(me->columns[j].name, "status") != 0 &&
            cells[j].type != SB_CELL_EMPTY) {
            return true;
        }
    }
    return false;
}

/* Adds a group. */
static int add_group(sb_ensemble_rows *me) {
    SB_GROW(&me->arena, me->list, me->count, me->room);
    group *g = &me->list[me->count];
    *g = (group){0};
    SB_NEW(&me->arena, g->common, me->ncolumns);
    SB_NEW(&me->arena, g->count, me->ncolumns);
    SB_NEW(&me->arena, g->last, me->ncolumns);
    me->last = me->count++;
    return SB_OK;
}

/* Finds the group of a row, or adds one. The rows of a member usually come in the order of the one before, so that the
 * search begins after the last group found. */
static int find_group(sb_ensemble_rows *me, const sb_cell *cells, group **out) {
    for (int i = 1; i <= me->count; i++) {
        const int k = (me->last + i) % me->count;
        if (same_keys(me, me->list[k].common, cells)) {
            me->last = k;
            *out = &me->list[k];
            return SB_OK;
        }
    }
    SB_TRY(add_group(me));
    *out = &me->list[me->last];
    return SB_OK;
}

static int add_number(sb_arena *arena, group *g, int j, double x) {
    const size_t at = g->count[j]++ % BLOCK;
    if (at == 0) {
        block *next;
        SB_NEW(arena, next, 1);
        next->before = g->last[j];
        g->last[j] = next;
    }
    g->last[j]->x[at] = x;
    return SB_OK;
}

/* Sets the common cells to those of a row. */
static int copy_cells(sb_ensemble_rows *me, const sb_cell *cells, sb_cell *common) {
    for (int j = 0; j < me->ncolumns; j++) {
        common[j] = cells[j];
        if (cells[j].type == SB_CELL_TEXT) {
            common[j].text = sb_strdup(&me->arena, cells[j].text);
            SB_TRY(common[j].text != NULL ? SB_OK : SB_NO_MEMORY);
        }
    }
    return SB_OK;
}

static int keep_row(sb_sink *sink, const sb_cell *cells) {
    sb_ensemble_rows *me = (sb_ensemble_rows *)sink;
    const bool result = has_result(me, cells);
    group *g;
    SB_TRY(find_group(me, cells, &g));
    if (g->rows == 0 || (result && g->results == 0)) {
        SB_TRY(copy_cells(me, cells, g->common));
    }
    for (int j = 0; j < me->ncolumns; j++) {
        const double x = sb_cell_number(&cells[j]);
        if (me->columns[j].kind != SB_COL_KEY && !isnan(x)) {
            SB_TRY(add_number(&me->arena, g, j, x));
        }
        if ((result || g->results == 0) && !same(&g->common[j], &cells[j])) {
            g->common[j] = sb_empty();
        }
    }
    g->rows++;
    g->results += result;
    return SB_OK;
}

void sb_ensemble_open(sb_context *ctx, long members, int ncolumns, const sb_column *columns, sb_sink *out,
                      sb_ensemble_rows *me) {
    *me = (sb_ensemble_rows){.sink = {begin, keep_row, sb_sink_ignore_end, sb_sink_ignore_abandon},
                             .out = out,
                             .members = members,
                             .ncolumns = ncolumns,
                             .columns = columns};
    sb_arena_init(&me->arena, ctx);
}

void sb_ensemble_close(sb_ensemble_rows *me) { sb_arena_free(&me->arena); }

/* Sets *x to the sorted numbers of column j. */
static int sort_numbers(sb_arena *arena, const group *g, int j, double **x) {
    size_t left = g->count[j];
    SB_NEW(arena, *x, left);
    for (const block *b = g->last[j]; b != NULL; b = b->before) {
        const size_t size = (left - 1) % BLOCK + 1; /* the last block alone may not be full */
        left -= size;
        memcpy(*x + left, b->x, size * sizeof **x);
    }
    gsl_sort(*x, 1, g->count[j]);
    return SB_OK;
}

/* Returns the quantile of n sorted numbers, empty without one. Between an infinite number and another it is NaN. */
static sb_cell quantile(const double *x, size_t n, double p) {
    return n == 0 ? sb_empty() : sb_known(gsl_stats_quantile_from_sorted_data(x, 1, n, p));
}

static int write_group(const sb_ensemble_rows *me, const group *g) {
    sb_cell *cells;
    int n = 0;
    SB_SCRATCH(scratch, me->arena.ctx);
    SB_NEW(&scratch, cells, 3 * me->ncolumns + 1);
    for (int j = 0; j < me->ncolumns; j++) {
        double *x;
        SB_TRY(sort_numbers(&scratch, g, j, &x));
        if (has_quartiles(&me->columns[j])) {
            cells[n++] = quantile(x, g->count[j], 0.5);
            cells[n++] = quantile(x, g->count[j], 0.25);
            cells[n++] = quantile(x, g->count[j], 0.75);
        } else {
            cells[n++] = g->count[j] > 0 ? quantile(x, g->count[j], 0.5) : g->common[j];
        }
    }
    cells[n] = sb_real((double)(g->results > 0 ? me->members - g->results : g->rows) / (double)me->members);
    return me->out->row(me->out, cells);
}

int sb_ensemble_write(sb_ensemble_rows *me) {
    for (int k = 0; k < me->count; k++) {
        SB_TRY(write_group(me, &me->list[k]));
    }
    sb_arena_free(&me->arena);
    me->count = me->room = 0;
    return SB_OK;
}
