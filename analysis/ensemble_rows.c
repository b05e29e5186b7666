/* Medians and quartiles of the rows of an ensemble. */
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <string.h>

#include "analysis/ensemble.h"
#include "analysis/row.h"
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

static int begin(sb_sink *sink, int ncolumns, const sb_column *columns) { return SB_OK; }

static int keep_row(sb_sink *sink, const sb_cell *cells) {
    sb_ensemble_rows *me = (sb_ensemble_rows *)sink;
    return me->rows.sink.row(&me->rows.sink, cells);
}

int sb_ensemble_open(sb_context *ctx, long members, int ncolumns, const sb_column *columns, sb_sink *out,
                     sb_ensemble_rows *me) {
    *me = (sb_ensemble_rows){
        .sink = {begin, keep_row, sb_sink_ignore_end, sb_sink_ignore_abandon}, .out = out, .members = members};
    sb_arena_init(&me->arena, ctx);
    return sb_table_begin(&me->rows, &me->arena, ncolumns, columns);
}

/* Frees the rows. */
static int clear(sb_ensemble_rows *me) {
    const sb_table before = me->rows;
    sb_arena fresh;
    sb_arena_init(&fresh, me->arena.ctx);
    const int status = sb_table_begin(&me->rows, &fresh, before.ncolumns, before.columns);
    sb_arena_free(&me->arena);
    me->arena = fresh;
    me->rows.arena = &me->arena;
    return status;
}

void sb_ensemble_close(sb_ensemble_rows *me) { sb_arena_free(&me->arena); }

static bool same(const sb_cell *a, const sb_cell *b) {
    return a->type == SB_CELL_TEXT || b->type == SB_CELL_TEXT
               ? a->type == b->type && strcmp(a->text, b->text) == 0
               : (a->type == SB_CELL_EMPTY) == (b->type == SB_CELL_EMPTY) && !(sb_cell_number(a) < sb_cell_number(b)) &&
                     !(sb_cell_number(a) > sb_cell_number(b));
}

/* Returns whether two rows agree in their keys. */
static bool same_keys(const sb_table *rows, int i, int k) {
    for (int j = 0; j < rows->ncolumns; j++) {
        if (rows->columns[j].kind == SB_COL_KEY && !same(sb_table_cell(rows, i, j), sb_table_cell(rows, k, j))) {
            return false;
        }
    }
    return true;
}

/* Returns whether a row has a result: a cell that is not empty, other than its keys and `status`. */
static bool has_result(const sb_table *rows, int i) {
    for (int j = 0; j < rows->ncolumns; j++) {
        if (rows->columns[j].kind != SB_COL_KEY && strcmp(rows->columns[j].name, "status") != 0 &&
            sb_table_cell(rows, i, j)->type != SB_CELL_EMPTY) {
            return true;
        }
    }
    return false;
}

/* Rows with the same keys. */
typedef struct group {
    int count, *rows;
    double *x; /* scratch, sorted */
} group;

/* Sorts the numbers in column j and returns their count. */
static size_t sort_numbers(const sb_table *rows, const group *g, int j) {
    size_t n = 0;
    for (int i = 0; i < g->count; i++) {
        const double x = sb_cell_number(sb_table_cell(rows, g->rows[i], j));
        if (!isnan(x)) {
            g->x[n++] = x;
        }
    }
    gsl_sort(g->x, 1, n);
    return n;
}

/* Returns the quantile of n sorted numbers, empty without one. Between an infinite number and another it is NaN. */
static sb_cell quantile(const group *g, size_t n, double p) {
    return n == 0 ? sb_empty() : sb_known(gsl_stats_quantile_from_sorted_data(g->x, 1, n, p));
}

/* Returns the cell on which the rows with a result agree, else an empty one. */
static sb_cell common(const sb_table *rows, const group *g, int j, bool results) {
    const sb_cell *first = NULL;
    for (int i = 0; i < g->count; i++) {
        const sb_cell *cell = sb_table_cell(rows, g->rows[i], j);
        if (results && !has_result(rows, g->rows[i])) {
            continue;
        }
        if (first != NULL && !same(first, cell)) {
            return sb_empty();
        }
        first = cell;
    }
    return first != NULL ? *first : sb_empty();
}

static int write_group(const sb_ensemble_rows *me, const group *g, sb_cell *cells) {
    const sb_table *rows = &me->rows;
    int n = 0, results = 0;
    for (int i = 0; i < g->count; i++) {
        results += has_result(rows, g->rows[i]);
    }
    for (int j = 0; j < rows->ncolumns; j++) {
        const size_t count = rows->columns[j].kind != SB_COL_KEY ? sort_numbers(rows, g, j) : 0;
        if (has_quartiles(&rows->columns[j])) {
            cells[n++] = quantile(g, count, 0.5);
            cells[n++] = quantile(g, count, 0.25);
            cells[n++] = quantile(g, count, 0.75);
        } else {
            cells[n++] = count > 0 ? quantile(g, count, 0.5) : common(rows, g, j, results > 0);
        }
    }
    cells[n] = sb_real((double)(results > 0 ? me->members - results : g->count) / (double)me->members);
    return me->out->row(me->out, cells);
}

/* Sets the rows of the group that begins with row `first`. */
static void find_group(const sb_table *rows, int first, bool *taken, group *g) {
    g->count = 0;
    for (int i = first; i < rows->nrows; i++) {
        if (!taken[i] && same_keys(rows, first, i)) {
            taken[i] = true;
            g->rows[g->count++] = i;
        }
    }
}

int sb_ensemble_write(sb_ensemble_rows *me) {
    const sb_table *rows = &me->rows;
    bool *taken;
    sb_cell *cells;
    group g;
    SB_SCRATCH(scratch, me->arena.ctx);
    SB_NEW(&scratch, taken, rows->nrows);
    SB_NEW(&scratch, cells, 3 * rows->ncolumns + 1);
    SB_NEW(&scratch, g.rows, rows->nrows);
    SB_NEW(&scratch, g.x, rows->nrows);
    for (int i = 0; i < rows->nrows; i++) {
        if (!taken[i]) {
            find_group(rows, i, taken, &g);
            SB_TRY(write_group(me, &g, cells));
        }
    }
    return clear(me);
}
