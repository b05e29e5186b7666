/* Rows from a process that ends at any moment, in parts of any length, or damaged on the way: what is read are whole
 * rows as they were written, and a status only if it was sent to the end. */
#include <math.h>
#include <string.h>
#include <unistd.h>

#include <gsl/gsl_test.h>

#include "bench/process/row_pipe.h"

enum { COLUMNS = 4, ROWS = 3 };

static const sb_column columns[COLUMNS] = {{"none", SB_COL_INFO, "", ""},
                                           {"count", SB_COL_INFO, "", ""},
                                           {"value", SB_COL_EXACT, "", ""},
                                           {"name", SB_COL_KEY, "", ""}};
static const char *const names[ROWS] = {"", "step 3, \"so\"", "e"}; /* empty, and the letter of the end */

static bool row_is_right(const sb_table *table, int i) {
    const sb_cell *cells = table->cells + (size_t)i * COLUMNS;
    return strcmp(sb_table_text(table, i, "name"), names[i]) == 0 && cells[1].type == SB_CELL_INT &&
           cells[1].integer == i - 1 && cells[2].type == SB_CELL_REAL &&
           (i == 1 ? isnan(cells[2].real) : cells[2].real == 1.0 / (i + 3)) && cells[0].type == SB_CELL_EMPTY;
}

/* Returns the number of rows that end before byte `at`. */
static int rows_within(const long ends[ROWS + 1], long at) {
    int count = 0;
    while (count < ROWS && ends[count + 1] <= at) {
        count++;
    }
    return count;
}

/* Reads the bytes in parts of `part` bytes. */
static void read_copy(sb_arena *arena, const char *bytes, long size, long part, int nrows, sb_pipe_end end,
                      const char *what, long at) {
    sb_table table;
    sb_row_reader reader = {.arena = arena, .ncolumns = COLUMNS};
    int right = 0;
    sb_table_init(&table, arena);
    int status = table.sink.begin(&table.sink, COLUMNS, columns);
    for (long from = 0; from < size && status == SB_OK; from += part) {
        status =
            sb_row_reader_take(&reader, bytes + from, (size_t)(size - from < part ? size - from : part), &table.sink);
    }
    for (int i = 0; i < table.nrows; i++) {
        right += row_is_right(&table, i);
    }
    const sb_pipe_end found = sb_row_reader_end(&reader);
    if (status != SB_OK || table.nrows != nrows || right != nrows || found != end) {
        gsl_test(1, "%s at byte %ld: status %d, %d rows of %d, %d right, end %d instead of %d", what, at, status,
                 table.nrows, nrows, right, (int)found, (int)end);
    }
    if (found == SB_PIPE_CLOSED) {
        gsl_test(reader.status != SB_NOT_CONVERGED || strcmp(reader.message, "what went wrong") != 0,
                 "the status: %d, %s", reader.status, reader.message);
    }
}

int main(void) {
    sb_context ctx;
    sb_arena arena;
    sb_row_pipe pipe;
    sb_context_init(&ctx);
    sb_arena_init(&arena, &ctx);
    FILE *file = tmpfile();
    const int fd = fileno(file);
    long ends[ROWS + 1] = {0}; /* of each row, in bytes */
    int status = sb_row_pipe_init(&pipe, &ctx, dup(fd), COLUMNS, false);
    status = status == SB_OK ? pipe.sink.begin(&pipe.sink, COLUMNS, columns) : status;
    for (int i = 0; i < ROWS && status == SB_OK; i++) {
        const sb_cell row[COLUMNS] = {sb_empty(), sb_int(i - 1), sb_real(i == 1 ? (double)NAN : 1.0 / (i + 3)),
                                      sb_text(names[i])};
        status = pipe.sink.row(&pipe.sink, row);
        ends[i + 1] = lseek(fd, 0, SEEK_END);
        gsl_test(!(ends[i + 1] > ends[i]), "row %d has been sent before the next begins", i);
    }
    snprintf(ctx.message, sizeof ctx.message, "what went wrong");
    status = status == SB_OK ? sb_row_pipe_close(&pipe, SB_NOT_CONVERGED) : status;
    gsl_test(status != SB_OK, "rows and status are written");
    const long whole = lseek(fd, 0, SEEK_END);
    char *bytes = sb_alloc(&arena, (size_t)whole, 1);
    gsl_test(bytes == NULL || pread(fd, bytes, (size_t)whole, 0) != whole, "the bytes are read back");
    for (long size = whole; size > 0 && bytes != NULL; size--) {
        const bool at_row = size == ends[1] || size == ends[2] || size == ends[3];
        read_copy(&arena, bytes, size, size % 7 + 1, rows_within(ends, size),
                  size == whole ? SB_PIPE_CLOSED
                  : at_row      ? SB_PIPE_OPEN
                                : SB_PIPE_DAMAGED,
                  "ended", size);
    }
    for (long at = 0; at < whole && bytes != NULL; at++) {
        const char byte = bytes[at];
        bytes[at] = (char)(byte ^ (1 << (at % 8)));
        read_copy(&arena, bytes, whole, whole, rows_within(ends, at), SB_PIPE_DAMAGED, "another bit", at);
        bytes[at] = byte;
    }
    for (long at = 0; at + 16 <= whole && bytes != NULL; at += 5) { /* of a length: 2^63 - 1 and -1, too */
        char kept[16];
        memcpy(kept, bytes + at, sizeof kept);
        memset(bytes + at, 0xff, sizeof kept);
        bytes[at + 15] = 0x7f;
        read_copy(&arena, bytes, whole, whole, rows_within(ends, at), SB_PIPE_DAMAGED, "garbage", at);
        memcpy(bytes + at, kept, sizeof kept);
    }
    if (bytes != NULL) {
        for (long part = 1; part <= whole; part++) {
            read_copy(&arena, bytes, whole, part, ROWS, SB_PIPE_CLOSED, "as it was written, in parts", part);
        }
    }
    { /* a text without an end is not waited for */
        const char head[] = {'r', SB_CELL_TEXT, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10};
        const size_t size = 1 << 20;
        char *flood = sb_alloc(&arena, size, 1);
        sb_row_reader reader = {.arena = &arena, .ncolumns = COLUMNS};
        sb_table table;
        sb_table_init(&table, &arena);
        status = table.sink.begin(&table.sink, COLUMNS, columns);
        status = status == SB_OK ? sb_row_reader_take(&reader, head, sizeof head, &table.sink) : status;
        for (int i = 0; i < 4 && status == SB_OK && flood != NULL; i++) {
            status = sb_row_reader_take(&reader, memset(flood, 0, size), size, &table.sink);
        }
        gsl_test(status != SB_OK || sb_row_reader_end(&reader) != SB_PIPE_DAMAGED || reader.room >= size,
                 "a text without an end: status %d, %zu bytes are kept", status, reader.room);
    }
    fclose(pipe.file);
    fclose(file);
    sb_arena_free(&arena);
    return gsl_test_summary();
}
