/* Medians and spreads over the members of ensembles. */
#include <math.h>
#include <string.h>

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>

#include "bench/study/study.h"
#include "core/base/text.h"
#include "core/output/csv.h"

typedef struct median {
    const sb_table *rows;
    bool *is_numeric;  /* per column: not a key, and a cell has a number or there are no rows */
    bool *has_result;  /* per row */
    int *group_of_row; /* per row: the first row with the same keys */
    double *work;
} median;

static const sb_cell *at(const sb_table *rows, int i, int j) {
    return &rows->cells[(size_t)i * (size_t)rows->ncolumns + (size_t)j];
}

/* Returns the number in a cell, 0 without one. Sets *found to whether it has one. */
static double value(const sb_cell *cell, bool *found) {
    *found = cell->type == SB_CELL_REAL || cell->type == SB_CELL_INT;
    return cell->type == SB_CELL_REAL ? cell->real : cell->type == SB_CELL_INT ? (double)cell->integer : 0.0;
}

static bool same(const sb_cell *a, const sb_cell *b) {
    bool numbers[2];
    const double x = value(a, &numbers[0]), y = value(b, &numbers[1]);
    return a->type == b->type && (a->type == SB_CELL_TEXT ? strcmp(a->text, b->text) == 0 : x == y);
}

/* Replaces the longest specification of a member in the text of a key by the specification of its ensemble. */
static int strip(sb_arena *arena, const sb_study_experiment *e, sb_cell *cell) {
    const sb_study_member *found = NULL;
    for (int k = 0; k < e->nmembers && cell->type == SB_CELL_TEXT; k++) {
        if (strstr(cell->text, e->members[k].text) != NULL &&
            (found == NULL || strlen(e->members[k].text) > strlen(found->text))) {
            found = &e->members[k];
        }
    }
    if (found != NULL) {
        cell->text = sb_text_replace(arena, cell->text, found->text, found->of);
    }
    return found == NULL || cell->text != NULL ? SB_OK : SB_NO_MEMORY;
}

/* Returns whether a row has a result: a cell that is not empty, other than its keys and `status`. */
static bool has_result(const sb_table *rows, int i) {
    for (int j = 0; j < rows->ncolumns; j++) {
        if (rows->columns[j].kind != SB_COL_KEY && strcmp(rows->columns[j].name, "status") != 0 &&
            at(rows, i, j)->type != SB_CELL_EMPTY) {
            return true;
        }
    }
    return false;
}

/* Sets the group of each row, the number of the first row that has the same keys. */
static void find_groups(const median *me) {
    const sb_table *rows = me->rows;
    for (int i = 0; i < rows->nrows; i++) {
        bool alike = false;
        for (int k = 0; k <= i && !alike; k++) {
            alike = me->group_of_row[k] == k || k == i;
            for (int j = 0; j < rows->ncolumns && alike; j++) {
                alike = rows->columns[j].kind != SB_COL_KEY || same(at(rows, i, j), at(rows, k, j));
            }
            me->group_of_row[i] = alike ? k : i;
        }
    }
}

/* Sets the median and the spread of column j over a group; NaN if one of its numbers is NaN. */
static void set_number(const median *me, int group, int j, sb_cell out[2]) {
    int n = 0;
    bool found, finite = true;
    for (int i = group; i < me->rows->nrows; i++) {
        const double x = value(at(me->rows, i, j), &found);
        if (me->group_of_row[i] == group && me->has_result[i] && found) {
            me->work[n++] = x;
            finite = finite && isfinite(x);
        }
    }
    gsl_sort(me->work, 1, (size_t)n);
    out[0] = out[1] = n == 0 ? sb_empty() : sb_real((double)NAN);
    if (n > 0 && finite) {
        out[0] = sb_real(gsl_stats_median_from_sorted_data(me->work, 1, (size_t)n));
        out[1] = sb_real(0.5 * (me->work[n - 1] - me->work[0]));
    }
}

/* Returns the cell on which the rows of a group agree, else an empty one. */
static sb_cell common(const median *me, int group, int j) {
    const sb_cell *first = NULL;
    for (int i = group; i < me->rows->nrows; i++) {
        if (me->group_of_row[i] == group && me->has_result[i]) {
            first = first != NULL ? first : at(me->rows, i, j);
            if (!same(first, at(me->rows, i, j))) {
                return sb_empty();
            }
        }
    }
    return first != NULL ? *first : sb_empty();
}

static int write_group(const median *me, int group, sb_cell *cells, sb_sink *out) {
    const sb_table *rows = me->rows;
    int n = 0, size[2] = {0, 0};
    for (int j = 0; j < rows->ncolumns; j++) {
        if (rows->columns[j].kind == SB_COL_KEY) {
            cells[n++] = *at(rows, group, j);
        } else if (me->is_numeric[j]) {
            set_number(me, group, j, &cells[n]);
            n += 2;
        } else {
            cells[n++] = common(me, group, j);
        }
    }
    for (int i = group; i < rows->nrows; i++) {
        size[me->has_result[i]] += me->group_of_row[i] == group;
    }
    cells[n] = sb_int(size[1]);
    cells[n + 1] = sb_int(size[0]);
    return out->row(out, cells);
}

static int set_columns(median *me, sb_arena *arena, sb_column *columns, int *count) {
    const sb_table *rows = me->rows;
    int n = 0;
    for (int j = 0; j < rows->ncolumns; j++) {
        const sb_column *c = &rows->columns[j];
        bool found = rows->nrows == 0;
        for (int i = 0; i < rows->nrows && !found; i++) {
            value(at(rows, i, j), &found);
        }
        me->is_numeric[j] = found && c->kind != SB_COL_KEY;
        columns[n++] = *c;
        if (me->is_numeric[j]) {
            const char *name;
            SB_PRINT(arena, name, "%s" SB_SPREAD_SUFFIX, c->name);
            columns[n++] = (sb_column){name, SB_COL_INFO, c->unit, "half the range over the ensemble"};
        }
    }
    columns[n++] = (sb_column){"members", SB_COL_INFO, "", "members of the ensemble with a result"};
    columns[n++] = (sb_column){"failed", SB_COL_INFO, "", "members of the ensemble without a result"};
    *count = n;
    return SB_OK;
}

int sb_study_median(sb_context *ctx, sb_arena *arena, const sb_study_experiment *experiment, const sb_table *rows,
                    sb_table *out) {
    sb_table stripped = *rows;
    median me = {.rows = &stripped};
    const size_t cells = (size_t)rows->nrows * (size_t)rows->ncolumns;
    sb_column *columns;
    sb_cell *row;
    int count;
    SB_NEW(arena, stripped.cells, cells);
    for (size_t i = 0; i < cells; i++) {
        SB_TRY(sb_poll(ctx));
        stripped.cells[i] = rows->cells[i];
        SB_TRY(rows->columns[i % (size_t)rows->ncolumns].kind == SB_COL_KEY
                   ? strip(arena, experiment, &stripped.cells[i])
                   : SB_OK);
    }
    SB_NEW(arena, me.is_numeric, rows->ncolumns);
    SB_NEW(arena, me.group_of_row, rows->nrows);
    SB_NEW(arena, me.has_result, rows->nrows);
    for (int i = 0; i < rows->nrows; i++) {
        me.has_result[i] = has_result(rows, i);
    }
    SB_NEW(arena, me.work, rows->nrows);
    SB_NEW(arena, columns, 2 * rows->ncolumns + 2);
    SB_NEW(arena, row, 2 * rows->ncolumns + 2);
    SB_TRY(set_columns(&me, arena, columns, &count));
    find_groups(&me);
    sb_table_init(out, arena);
    SB_TRY(out->sink.begin(&out->sink, count, columns));
    for (int i = 0; i < rows->nrows; i++) {
        SB_TRY(me.group_of_row[i] == i ? write_group(&me, i, row, &out->sink) : SB_OK);
    }
    return SB_OK;
}
