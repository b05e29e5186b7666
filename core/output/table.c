/* Keeps result rows in memory. */
#include <string.h>

#include "core/base/grow.h"
#include "core/output/table.h"

/* The texts of the columns, and those of a row, share one allocation: most are shorter than its head. */
static size_t size_of(const char *text) { return text != NULL ? strlen(text) + 1 : 1; }

/* Copies a text, NULL as "", to *to and sets *to to its end. Returns the copy. */
static const char *copy_text(const char *text, char **to) {
    char *copy = strcpy(*to, text != NULL ? text : "");
    *to += size_of(copy);
    return copy;
}

static int table_begin(sb_sink *sink, int ncolumns, const sb_column *columns) {
    sb_table *table = (sb_table *)sink;
    sb_column *copy;
    size_t size = 0;
    char *texts;
    for (int j = 0; j < ncolumns; j++) {
        size += size_of(columns[j].name) + size_of(columns[j].unit) + size_of(columns[j].doc);
    }
    SB_NEW(table->arena, copy, ncolumns);
    SB_NEW(table->arena, texts, size);
    for (int j = 0; j < ncolumns; j++) {
        copy[j].kind = columns[j].kind;
        copy[j].name = copy_text(columns[j].name, &texts);
        copy[j].unit = copy_text(columns[j].unit, &texts);
        copy[j].doc = copy_text(columns[j].doc, &texts);
    }
    table->ncolumns = ncolumns;
    table->columns = copy;
    table->nrows = table->room = 0;
    table->cells = NULL;
    return SB_OK;
}

static int table_row(sb_sink *sink, const sb_cell *cells) {
    sb_table *table = (sb_table *)sink;
    const size_t width = (size_t)table->ncolumns;
    if (table->nrows == table->room) {
        const int room = table->room > 0 ? 2 * table->room : 16;
        sb_cell *grown =
            sb_grown(table->arena, table->cells, (size_t)table->nrows, (size_t)room, width * sizeof *grown);
        SB_TRY(grown != NULL ? SB_OK : SB_NO_MEMORY);
        table->cells = grown;
        table->room = room;
    }
    sb_cell *row = table->cells + (size_t)table->nrows * width;
    size_t size = 0;
    char *texts = NULL;
    for (size_t j = 0; j < width; j++) {
        size += cells[j].type == SB_CELL_TEXT ? size_of(cells[j].text) : 0;
    }
    if (size > 0) {
        SB_NEW(table->arena, texts, size);
    }
    for (size_t j = 0; j < width; j++) {
        row[j] = cells[j];
        if (cells[j].type == SB_CELL_TEXT) {
            row[j].text = copy_text(cells[j].text, &texts);
        }
    }
    table->nrows++;
    return SB_OK;
}

int sb_sink_ignore_end(sb_sink *sink) { return SB_OK; }

void sb_sink_ignore_abandon(sb_sink *sink) { (void)sink; }

void sb_table_init(sb_table *table, sb_arena *arena) {
    memset(table, 0, sizeof *table);
    table->sink = (sb_sink){table_begin, table_row, sb_sink_ignore_end, sb_sink_ignore_abandon};
    table->arena = arena;
}

int sb_table_begin(sb_table *table, sb_arena *arena, int ncolumns, const sb_column *columns) {
    sb_table_init(table, arena);
    return table_begin(&table->sink, ncolumns, columns);
}

int sb_table_column(const sb_table *table, const char *name) {
    for (int j = 0; j < table->ncolumns; j++) {
        if (strcmp(table->columns[j].name, name) == 0) {
            return j;
        }
    }
    return -1;
}

static sb_cell cell_at(const sb_table *table, int row, const char *name) {
    const int j = sb_table_column(table, name);
    return j < 0 || row < 0 || row >= table->nrows ? sb_empty() : *sb_table_cell(table, row, j);
}

double sb_table_real(const sb_table *table, int row, const char *name) {
    const sb_cell cell = cell_at(table, row, name);
    return sb_cell_number(&cell);
}

double sb_table_unit(const sb_table *table, int row, const char *name) {
    const sb_cell cell = cell_at(table, row, name);
    const double x = sb_table_real(table, row, name);
    return cell.digits == 0 || !isfinite(x) ? 0.0
           : x == 0.0                       ? pow(10.0, -cell.digits)
                                            : pow(10.0, floor(log10(fabs(x)) + 1e-9) - cell.digits + 1.0);
}

const char *sb_table_text(const sb_table *table, int row, const char *name) {
    const sb_cell cell = cell_at(table, row, name);
    return cell.type == SB_CELL_TEXT ? cell.text : "";
}

bool sb_table_is(const sb_table *table, int row, const char *name, const char *text) {
    return strcmp(sb_table_text(table, row, name), text) == 0;
}

int sb_table_find(const sb_table *table, const char *column, const char *text, int from) {
    for (int i = from; i < table->nrows; i++) {
        if (sb_table_is(table, i, column, text)) {
            return i;
        }
    }
    return -1;
}

int sb_table_count(const sb_table *table, const char *column, const char *text) {
    int count = 0;
    for (int i = 0; i < table->nrows; i++) {
        count += sb_table_is(table, i, column, text);
    }
    return count;
}

int sb_table_write_rows(const sb_table *table, sb_sink *to) {
    for (int i = 0; i < table->nrows; i++) {
        SB_TRY(to->row(to, sb_table_cell(table, i, 0)));
    }
    return SB_OK;
}

int sb_table_write(const sb_table *table, sb_sink *to) {
    int status = to->begin(to, table->ncolumns, table->columns);
    status = status == SB_OK ? sb_table_write_rows(table, to) : status;
    status = status == SB_OK ? to->end(to) : status;
    if (status != SB_OK) {
        to->abandon(to);
    }
    return status;
}
