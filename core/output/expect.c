/* Compares rows with those of a file: the numbers of the last release. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/text.h"
#include "core/output/csv.h"

/* The allowed difference, relative to its size, of a number with many digits: other processors round differently. */
static const double ROUNDING = 1e-9;

typedef struct expect_sink {
    sb_sink sink;
    sb_context *ctx;
    sb_arena *arena;
    const char *file;
    sb_sink *inner;
    sb_table expected; /* as text */
    bool *seen;        /* of its rows */
    int ncolumns;      /* of the rows */
    sb_column *columns;
    int *to; /* of each column of the file: its index in the rows, -1: a tolerance */
    long rows, different;
} expect_sink;

static bool is_tolerance(const expect_sink *me, const char *name) {
    static const char suffix[] = "_tolerance";
    const size_t length = strlen(name), size = sizeof suffix - 1;
    char of[80];
    if (length <= size || length >= sizeof of || strcmp(name + length - size, suffix) != 0) {
        return false;
    }
    memcpy(of, name, length - size);
    of[length - size] = '\0';
    return sb_table_column(&me->expected, of) >= 0;
}

static int find_column(const expect_sink *me, const char *name) {
    int j = me->ncolumns - 1;
    while (j >= 0 && strcmp(me->columns[j].name, name) != 0) {
        j--;
    }
    return j;
}

static int expect_begin(sb_sink *sink, int ncolumns, const sb_column *columns) {
    expect_sink *me = (expect_sink *)sink;
    sb_table *expected = &me->expected;
    sb_table_init(expected, me->arena);
    SB_TRY(sb_table_read_csv_text(expected, me->ctx, me->file));
    if (expected->nrows == 0) {
        return sb_fail(me->ctx, SB_BAD_USAGE, "%s has no rows to compare with", me->file);
    }
    SB_NEW(me->arena, me->seen, expected->nrows);
    SB_NEW(me->arena, me->to, expected->ncolumns);
    SB_NEW(me->arena, me->columns, ncolumns + 1);
    me->ncolumns = ncolumns;
    memcpy(me->columns, columns, (size_t)ncolumns * sizeof *columns);
    me->columns[ncolumns] = (sb_column){"expected", SB_COL_INFO, "", "what differs from the file of --expect"};
    for (int j = 0; j < expected->ncolumns; j++) {
        const char *name = expected->columns[j].name;
        me->to[j] = find_column(me, name);
        if (me->to[j] < 0 && !is_tolerance(me, name)) {
            return sb_fail(me->ctx, SB_BAD_USAGE, "%s has a column %s, and the rows have none", me->file, name);
        }
    }
    return me->inner->begin(me->inner, ncolumns + 1, me->columns);
}

/* Reads a text that is a finite number and nothing else. */
static bool is_number(const char *text, double *x) {
    sb_scalar read;
    char *end;
    const bool whole = sb_text_number(text, &end, &read) && *end == '\0';
    *x = whole ? (double)read : (double)NAN;
    return whole;
}

/* Returns whether a cell agrees with a text, a number within the tolerance; with NULL the cell is a key, of which a
 * sentence has to be the same, too. */
static bool agrees(const sb_cell *cell, const char *text, const char *tolerance) {
    char room[32];
    const char *ours = sb_cell_text(cell, room);
    double expected, x, allowed;
    if (strcmp(ours, text) == 0) {
        return true;
    }
    if (cell->type == SB_CELL_TEXT) {
        return tolerance != NULL && strchr(text, ' ') != NULL && strchr(ours, ' ') != NULL;
    }
    if (!is_number(ours, &x) || !is_number(text, &expected)) {
        return false;
    }
    if (tolerance != NULL && tolerance[0] != '\0') {
        return is_number(tolerance, &allowed) && fabs(x - expected) <= allowed * (1.0 + 1e-6);
    }
    allowed = fmax(sb_text_unit(text, strlen(text)), ROUNDING * fabs(expected));
    return fabs(x - expected) <= allowed * (1.0 + 1e-6);
}

/* Returns the tolerance of a column in a row of the file, "" if it has none. */
static const char *tolerance_of(const expect_sink *me, int row, const char *column) {
    char name[100];
    snprintf(name, sizeof name, "%s_tolerance", column);
    return sb_table_text(&me->expected, row, name);
}

/* Returns the row of the file with the same keys, -1 if there is none; without keys the next row. */
static int find_row(const expect_sink *me, const sb_cell *cells) {
    for (int i = 0; i < me->expected.nrows; i++) {
        bool same = !me->seen[i];
        for (int j = 0; j < me->expected.ncolumns && same; j++) {
            const int to = me->to[j];
            same = to < 0 || me->columns[to].kind != SB_COL_KEY ||
                   agrees(&cells[to], sb_table_cell(&me->expected, i, j)->text, NULL);
        }
        if (same) {
            return i;
        }
    }
    return -1;
}

/* Passes a row on, with a sentence. */
static int pass(expect_sink *me, const sb_cell *cells, const char *sentence) {
    sb_cell *all;
    SB_NEW(me->arena, all, me->ncolumns + 1);
    memcpy(all, cells, (size_t)me->ncolumns * sizeof *cells);
    all[me->ncolumns] = sb_text(sentence);
    me->different += sentence[0] != '\0';
    return me->inner->row(me->inner, all);
}

static int expect_row(sb_sink *sink, const sb_cell *cells) {
    expect_sink *me = (expect_sink *)sink;
    const int row = find_row(me, cells);
    const char *sentence = "";
    for (int j = 0; j < me->expected.ncolumns && row >= 0; j++) {
        const char *text = sb_table_cell(&me->expected, row, j)->text, *name = me->expected.columns[j].name;
        const int to = me->to[j];
        if (to >= 0 && !agrees(&cells[to], text, tolerance_of(me, row, name))) {
            char room[32];
            SB_PRINT(me->arena, sentence, "%s%s%s was %s and is %s", sentence, sentence[0] != '\0' ? "; " : "", name,
                     text, sb_cell_text(&cells[to], room));
        }
    }
    if (row >= 0) {
        me->seen[row] = true;
        me->rows++;
    }
    return pass(me, cells, sentence);
}

/* Writes a row for each of the file that is missing. */
static int write_missing(expect_sink *me) {
    sb_cell *cells;
    SB_NEW(me->arena, cells, me->ncolumns);
    for (int i = 0; i < me->expected.nrows; i++) {
        for (int j = 0; j < me->ncolumns; j++) {
            cells[j] = sb_empty();
        }
        for (int j = 0; j < me->expected.ncolumns; j++) {
            if (me->to[j] >= 0 && me->columns[me->to[j]].kind == SB_COL_KEY) {
                cells[me->to[j]] = sb_text(sb_table_cell(&me->expected, i, j)->text);
            }
        }
        SB_TRY(me->seen[i] ? SB_OK : pass(me, cells, "the row is missing"));
    }
    return SB_OK;
}

static int expect_end(sb_sink *sink) {
    expect_sink *me = (expect_sink *)sink;
    SB_TRY(write_missing(me));
    SB_TRY(me->inner->end(me->inner));
    return me->different == 0 ? SB_OK
                              : sb_fail(me->ctx, SB_NOT_CONVERGED,
                                        "%ld of the %d rows of %s differ or are missing; the column expected says how",
                                        me->different, me->expected.nrows, me->file);
}

static void expect_abandon(sb_sink *sink) {
    expect_sink *me = (expect_sink *)sink;
    me->inner->abandon(me->inner);
}

int sb_sink_expect(sb_context *ctx, sb_arena *arena, const char *file, sb_sink *inner, sb_sink **out) {
    expect_sink *me;
    SB_NEW(arena, me, 1);
    *me = (expect_sink){.sink = {expect_begin, expect_row, expect_end, expect_abandon},
                        .ctx = ctx,
                        .arena = arena,
                        .file = file,
                        .inner = inner};
    *out = &me->sink;
    return SB_OK;
}
