/* Writes rows in another form: a selection of columns, fewer digits, one column per value of a column (pivot), the best
 * numbers marked. A pivoted table has no place for the standard error and the verdict beside a number: they are written
 * with it, as 2.3(6) and, if the verdict is unclear, with a question mark. */
#include <stdio.h>
#include <string.h>

#include "core/base/registry.h"
#include "core/base/text.h"
#include "core/output/table.h"

typedef struct form_sink {
    sb_sink sink;
    sb_context *ctx;
    sb_arena *arena;
    sb_row_form form;
    sb_sink *inner;
    sb_table table; /* the rows kept for `end` */
    int count;      /* columns that are selected */
    int *from;      /* their indices among those of the source */
    int *se;        /* of a pivoted table: the source's column of their standard errors; -1: none */
    int verdict;    /* the source's column of this name; -1: none */
    const sb_column *source;
    sb_column *columns;
    sb_cell *row;
} form_sink;

static bool is(const char *text) { return text != NULL && text[0] != '\0'; }

static bool keeps_rows(const form_sink *me) { return is(me->form.pivot) || me->form.mark; }

/* ---- Selection. ---- */

static int unknown(form_sink *me, const char *option, const char *name, int ncolumns, const sb_column *columns) {
    const char **names;
    char *what, *all = "there are ";
    SB_NEW(me->arena, names, ncolumns);
    for (int j = 0; j < ncolumns; j++) {
        names[j] = columns[j].name;
        SB_PRINT(me->arena, all, "%s%s%s", all, j > 0 ? ", " : "", names[j]);
    }
    SB_PRINT(me->arena, what, "%s: no column is named", option);
    return sb_fail_name(me->ctx, what, name, ncolumns, names, all);
}

static int find(form_sink *me, const char *option, const char *name, int ncolumns, const sb_column *columns, int *at) {
    for (*at = 0; *at < ncolumns; ++*at) {
        if (strcmp(columns[*at].name, name) == 0) {
            return SB_OK;
        }
    }
    return unknown(me, option, name, ncolumns, columns);
}

static int select_columns(form_sink *me, const char *name, int ncolumns, const sb_column *columns) {
    int at;
    SB_TRY(find(me, "--columns", name, ncolumns, columns, &at));
    for (int j = 0; j < me->count; j++) {
        if (me->from[j] == at) {
            return sb_fail(me->ctx, SB_BAD_USAGE, "--columns: the column %s is named twice", name);
        }
    }
    me->from[me->count++] = at;
    return SB_OK;
}

/* Selects the named columns and the column of the pivot. */
static int select_all(form_sink *me, int ncolumns, const sb_column *columns) {
    const char *rest = is(me->form.columns) ? me->form.columns : NULL;
    bool pivoted = !is(me->form.pivot);
    SB_NEW(me->arena, me->from, ncolumns + 1);
    for (int j = 0; rest == NULL && j < ncolumns; j++) {
        me->from[me->count++] = j;
    }
    while (rest != NULL) {
        const int length = (int)strcspn(rest, ",");
        char *name;
        SB_PRINT(me->arena, name, "%.*s", length, rest);
        SB_TRY(select_columns(me, name, ncolumns, columns));
        pivoted = pivoted || strcmp(name, me->form.pivot) == 0;
        rest = rest[length] == ',' ? rest + length + 1 : NULL;
    }
    int at = 0;
    SB_TRY(is(me->form.pivot) ? find(me, "--pivot", me->form.pivot, ncolumns, columns, &at) : SB_OK);
    if (!pivoted && is(me->form.columns)) {
        me->from[me->count++] = at;
    }
    return SB_OK;
}

/* Returns the index of the column with the standard error of the column `name`: NAME_se, or se_X of slope_X, or se of
 * measured; -1 if there is none, or a column of that name is selected, too. */
static int find_error(const form_sink *me, const char *name, int ncolumns, const sb_column *columns) {
    char error[100];
    const char *const slope = strncmp(name, "slope_", 6) == 0 ? name + 6 : NULL;
    for (int j = 0; j < ncolumns; j++) {
        snprintf(error, sizeof error, "%s_se", name);
        bool found = strcmp(columns[j].name, error) == 0;
        snprintf(error, sizeof error, "se_%s", slope != NULL ? slope : "");
        found = found || (slope != NULL && strcmp(columns[j].name, error) == 0) ||
                (strcmp(name, "measured") == 0 && strcmp(columns[j].name, "se") == 0);
        for (int k = 0; k < me->count && found; k++) {
            found = me->from[k] != j;
        }
        if (found) {
            return j;
        }
    }
    return -1;
}

static int form_begin(sb_sink *sink, int ncolumns, const sb_column *columns) {
    form_sink *me = (form_sink *)sink;
    SB_TRY(select_all(me, ncolumns, columns));
    SB_NEW(me->arena, me->columns, me->count);
    SB_NEW(me->arena, me->row, me->count);
    SB_NEW(me->arena, me->se, me->count);
    me->verdict = -1;
    for (int j = 0; j < ncolumns; j++) {
        me->verdict = strcmp(columns[j].name, "verdict") == 0 ? j : me->verdict;
    }
    for (int j = 0; j < me->count; j++) {
        me->columns[j] = columns[me->from[j]];
        me->se[j] = find_error(me, me->columns[j].name, ncolumns, columns);
    }
    if (!keeps_rows(me)) {
        return me->inner->begin(me->inner, me->count, me->columns);
    }
    return sb_table_begin(&me->table, me->arena, me->count, me->columns);
}

/* Returns the significant digits of a number in a view. */
static int shown_digits(sb_column_kind kind) {
    return kind == SB_COL_ERROR || kind == SB_COL_TIME ? 3 : kind == SB_COL_SLOPE ? 4 : 6;
}

/* A number with its certain digits keeps them, if there are not more than the form shows. */
static void limit_digits(form_sink *me, int j) {
    sb_cell *cell = &me->row[j];
    const int most = me->form.digits > 0                   ? me->form.digits
                     : me->form.people && cell->digits > 0 ? shown_digits(me->columns[j].kind)
                                                           : 0;
    if (cell->type == SB_CELL_REAL && most > 0) {
        cell->digits = cell->digits > 0 && cell->digits < most ? cell->digits : most;
    }
}

void sb_text_with_error(double x, double se, char out[SB_WITH_ERROR]) {
    const double size = fmax(fabs(x), se);
    const int power = size < 1e-3 || size >= 1e6 ? (int)floor(log10(size)) : 0;
    const double unit = pow(10.0, power);
    int digits = -(int)floor(log10(se / unit)); /* decimals of the unit of the standard error */
    digits = round(se / unit * pow(10.0, digits)) >= 10.0 ? digits - 1 : digits;
    digits = digits < 0 ? 0 : digits > 17 ? 17 : digits;
    const double last = pow(10.0, -digits), shown = fabs(x / unit) < 0.5 * last ? 0.0 : x / unit; /* not -0 */
    const int length = snprintf(out, SB_WITH_ERROR, "%.*f(%.0f)", digits, shown, se / unit / last);
    if (power != 0 && length > 0 && length < SB_WITH_ERROR) {
        snprintf(out + length, (size_t)(SB_WITH_ERROR - length), "e%+03d", power);
    }
}

/* Joins a number of a pivoted table with its standard error, and marks it if the verdict is unclear. */
static int join(form_sink *me, const sb_cell *cells, int j) {
    sb_cell *cell = &me->row[j];
    const sb_cell *se = me->se[j] >= 0 ? &cells[me->se[j]] : NULL,
                  *verdict = me->verdict >= 0 ? &cells[me->verdict] : NULL;
    const bool known = se != NULL && se->type == SB_CELL_REAL && se->real > 0.0 && isfinite(se->real),
               unclear = verdict != NULL && verdict->type == SB_CELL_TEXT && strcmp(verdict->text, "unclear") == 0 &&
                         (se != NULL || strcmp(me->columns[j].name, "measured") == 0);
    char number[SB_WITH_ERROR];
    if (cell->type != SB_CELL_REAL || !isfinite(cell->real) || !(known || unclear)) {
        return SB_OK;
    }
    if (known) {
        sb_text_with_error(cell->real, se->real, number);
    } else {
        snprintf(number, sizeof number, "%s", sb_cell_text(cell, (char[32]){0}));
    }
    SB_PRINT(me->arena, cell->text, "%s%s", number, unclear ? "?" : "");
    cell->type = SB_CELL_TEXT;
    return SB_OK;
}

/* Returns whether the columns were selected or a pivot, and the present row has a value in none but keys. */
static bool is_empty(const form_sink *me) {
    int values = 0;
    for (int j = 0; j < me->count; j++) {
        const bool value = me->columns[j].kind != SB_COL_KEY &&
                           (me->form.pivot == NULL || strcmp(me->columns[j].name, me->form.pivot) != 0);
        values += value;
        if (value && !sb_cell_is_empty(&me->row[j])) {
            return false;
        }
    }
    return values > 0 && (is(me->form.columns) || is(me->form.pivot));
}

static int form_row(sb_sink *sink, const sb_cell *cells) {
    form_sink *me = (form_sink *)sink;
    sb_sink *const to = keeps_rows(me) ? &me->table.sink : me->inner;
    for (int j = 0; j < me->count; j++) {
        me->row[j] = cells[me->from[j]];
        limit_digits(me, j);
        SB_TRY(is(me->form.pivot) ? join(me, cells, j) : SB_OK);
    }
    return is_empty(me) ? SB_OK : to->row(to, me->row);
}

/* ---- Groups: rows that agree in some columns. ---- */

typedef struct groups {
    const sb_table *table;
    const bool *by; /* the columns */
    int count, last;
    int *first; /* row of each group */
    int *of;    /* group of each row */
} groups;

static bool equal(const sb_cell *a, const sb_cell *b) {
    return a->type == b->type && (a->type == SB_CELL_TEXT    ? strcmp(a->text, b->text) == 0
                                  : a->type == SB_CELL_REAL  ? a->real == b->real
                                  : a->type == SB_CELL_EMPTY ? true
                                                             : a->integer == b->integer);
}

static bool agree(const groups *g, int i, int k) {
    for (int j = 0; j < g->table->ncolumns; j++) {
        if (g->by[j] && !equal(sb_table_cell(g->table, i, j), sb_table_cell(g->table, k, j))) {
            return false;
        }
    }
    return true;
}

/* Finds the group of every row. The rows of a second stepper usually come in the order of the first, so the search
 * begins after the last group found. */
static int find_groups(sb_arena *arena, const sb_table *table, const bool *by, groups *out) {
    groups g = {.table = table, .by = by};
    SB_NEW(arena, g.first, table->nrows + 1);
    SB_NEW(arena, g.of, table->nrows + 1);
    for (int i = 0; i < table->nrows; i++) {
        int k = 0;
        while (k < g.count && !agree(&g, i, g.first[(g.last + 1 + k) % g.count])) {
            k++;
        }
        g.last = k < g.count ? (g.last + 1 + k) % g.count : g.count;
        if (g.last == g.count) {
            g.first[g.count++] = i;
        }
        g.of[i] = g.last;
    }
    *out = g;
    return SB_OK;
}

/* ---- The best of each column. ---- */

/* The numbers of a column in a group of rows. */
typedef struct extent {
    int count;
    double least, largest;
} extent;

/* Marks the least number of a column in every group of rows that differ in the stepper alone, and those that are shown
 * with the same digits; none if all of them are. */
static int mark_column(form_sink *me, const groups *g, int column) {
    const int digits = me->form.digits > 0 ? me->form.digits : shown_digits(me->columns[column].kind);
    const double same = 1.0 + 0.5 * pow(10.0, 1 - digits); /* half a unit of the last digit shown */
    extent *extents;
    SB_NEW(me->arena, extents, g->count);
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < me->table.nrows; i++) {
            sb_cell *cell = sb_table_cell(&me->table, i, column);
            extent *e = &extents[g->of[i]];
            if (cell->type != SB_CELL_REAL || isnan(cell->real)) {
                continue;
            }
            if (pass == 0) {
                e->least = e->count == 0 ? cell->real : fmin(e->least, cell->real);
                e->largest = e->count++ == 0 ? cell->real : fmax(e->largest, cell->real);
            } else {
                cell->best = cell->real <= same * e->least && e->largest > same * e->least;
            }
        }
    }
    return SB_OK;
}

static int mark_best(form_sink *me) {
    bool *by;
    groups g;
    if (sb_table_column(&me->table, "stepper") < 0) {
        return SB_OK;
    }
    SB_NEW(me->arena, by, me->count);
    for (int j = 0; j < me->count; j++) {
        by[j] = me->columns[j].kind == SB_COL_KEY && strcmp(me->columns[j].name, "stepper") != 0;
    }
    SB_TRY(find_groups(me->arena, &me->table, by, &g));
    for (int j = 0; j < me->count; j++) {
        if (me->columns[j].kind == SB_COL_ERROR || me->columns[j].kind == SB_COL_TIME) {
            SB_TRY(mark_column(me, &g, j));
        }
    }
    return SB_OK;
}

/* ---- Pivot. ---- */

/* In a view a number keeps the digits of its column's kind in a column that holds several kinds. */
static sb_cell moved(const sb_cell *cell, sb_column_kind kind, bool mixed) {
    sb_cell out = *cell;
    if (mixed && out.type == SB_CELL_REAL && out.digits == 0) {
        out.digits = shown_digits(kind);
    }
    return out;
}

typedef struct pivot {
    int at; /* the column whose values become columns */
    int nkeys, nvalues;
    bool *key; /* for each column: it identifies a row */
    groups rows, columns;
    int *place; /* row of the table for each pair of a row and a column, plus 1 */
} pivot;

static int fill_places(form_sink *me, pivot *p) {
    SB_NEW(me->arena, p->place, (size_t)p->rows.count * (size_t)p->columns.count + 1);
    for (int i = 0; i < me->table.nrows; i++) {
        int *place = &p->place[p->rows.of[i] * p->columns.count + p->columns.of[i]];
        if (*place != 0) {
            return sb_fail(me->ctx, SB_BAD_USAGE,
                           "--pivot %s: several rows have the same place in the table; with --columns, name the "
                           "columns that distinguish them, or columns that are empty in all but one of them",
                           me->form.pivot);
        }
        *place = i + 1;
    }
    return SB_OK;
}

static int begin_pivoted(form_sink *me, const pivot *p) {
    const bool several = p->nvalues > 1;
    sb_column *columns;
    char number[32];
    int count = 0;
    SB_NEW(me->arena, columns, p->nkeys + 1 + p->columns.count);
    SB_NEW(me->arena, me->row, p->nkeys + 1 + p->columns.count);
    sb_column value = {"column", SB_COL_KEY, "", "column of the rows before the pivot"};
    for (int j = 0; j < me->count; j++) {
        if (p->key[j]) {
            columns[count++] = me->columns[j];
        } else if (j != p->at && !several) {
            value = me->columns[j];
        }
    }
    if (several) {
        columns[count++] = value;
        value = (sb_column){"", SB_COL_INFO, "", ""};
    }
    for (int c = 0; c < p->columns.count; c++) {
        columns[count] = value;
        columns[count].doc = "";
        SB_PRINT(me->arena, columns[count].name, "%s",
                 sb_cell_text(sb_table_cell(&me->table, p->columns.first[c], p->at), number));
        count++;
    }
    return me->inner->begin(me->inner, count, columns);
}

/* Writes the row of one column of values in group r, unless it is empty. */
static int write_pivoted(form_sink *me, const pivot *p, int r, int value) {
    bool any = false;
    int count = 0;
    for (int j = 0; j < me->count; j++) {
        if (p->key[j]) {
            me->row[count++] = *sb_table_cell(&me->table, p->rows.first[r], j);
        }
    }
    if (p->nvalues > 1) {
        const sb_column *column = &me->columns[value];
        char *name;
        SB_PRINT(me->arena, name, column->unit[0] != '\0' ? "%s [%s]" : "%s", column->name, column->unit);
        me->row[count++] = sb_text(name);
    }
    for (int c = 0; c < p->columns.count; c++) {
        const int place = p->place[r * p->columns.count + c];
        me->row[count] = place > 0 ? moved(sb_table_cell(&me->table, place - 1, value), me->columns[value].kind,
                                           me->form.people && p->nvalues > 1)
                                   : sb_empty();
        any = any || !sb_cell_is_empty(&me->row[count]);
        count++;
    }
    return any ? me->inner->row(me->inner, me->row) : SB_OK;
}

static int write_pivot(form_sink *me) {
    pivot p = {.at = sb_table_column(&me->table, me->form.pivot)};
    bool *head, *except;
    SB_NEW(me->arena, p.key, me->count);
    SB_NEW(me->arena, head, me->count);
    SB_NEW(me->arena, except, me->count);
    for (int j = 0; j < me->count; j++) {
        head[j] = j == p.at;
        p.key[j] = !head[j] && me->columns[j].kind == SB_COL_KEY;
        except[j] = head[j] || p.key[j];
        p.nkeys += p.key[j];
        p.nvalues += !except[j];
    }
    SB_TRY(find_groups(me->arena, &me->table, p.key, &p.rows));
    SB_TRY(find_groups(me->arena, &me->table, head, &p.columns));
    SB_TRY(fill_places(me, &p));
    SB_TRY(begin_pivoted(me, &p));
    for (int r = 0; r < p.rows.count; r++) {
        for (int j = 0; j < me->count; j++) {
            SB_TRY(except[j] ? SB_OK : write_pivoted(me, &p, r, j));
        }
    }
    return SB_OK;
}

/* ---- The sink. ---- */

static int write_kept(form_sink *me) {
    SB_TRY(me->form.mark ? mark_best(me) : SB_OK);
    if (is(me->form.pivot)) {
        return write_pivot(me);
    }
    SB_TRY(me->inner->begin(me->inner, me->count, me->columns));
    return sb_table_write_rows(&me->table, me->inner);
}

static int form_end(sb_sink *sink) {
    form_sink *me = (form_sink *)sink;
    const int status = keeps_rows(me) ? write_kept(me) : SB_OK;
    if (status != SB_OK) {
        me->inner->abandon(me->inner);
        return status;
    }
    return me->inner->end(me->inner);
}

static void form_abandon(sb_sink *sink) {
    sb_sink *inner = ((form_sink *)sink)->inner;
    inner->abandon(inner);
}

int sb_sink_form(sb_context *ctx, sb_arena *arena, const sb_row_form *form, sb_sink *inner, sb_sink **out) {
    form_sink *me;
    *out = inner;
    if (!is(form->columns) && !is(form->pivot) && form->digits == 0 && !form->people && !form->mark) {
        return SB_OK;
    }
    SB_NEW(arena, me, 1);
    *me = (form_sink){.sink = {form_begin, form_row, form_end, form_abandon},
                      .ctx = ctx,
                      .arena = arena,
                      .form = *form,
                      .inner = inner};
    *out = &me->sink;
    return SB_OK;
}
