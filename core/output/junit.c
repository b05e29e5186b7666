/* Writes rows as a report of tests in the format of JUnit, which services of continuous integration show: a test per
 * row, named by its keys. */
#include <string.h>

#include "core/base/escape.h"
#include "core/output/view.h"

/* Returns why the test of a row has failed: it differs from what was expected, its verdict, or its status, a sentence;
 * NULL: it has not. */
static const char *failure(const sb_table *table, int row) {
    const char *expected = sb_table_text(table, row, "expected"), *verdict = sb_table_text(table, row, "verdict"),
               *status = sb_table_text(table, row, "status"), *message = sb_table_text(table, row, "message");
    if (expected[0] != '\0') {
        return expected;
    }
    if (strcmp(verdict, "failed") == 0 || strcmp(verdict, "lower") == 0) {
        return message[0] != '\0' ? message : verdict;
    }
    return strchr(status, ' ') != NULL ? status : NULL;
}

static void write_name(const sb_table *table, int row, FILE *to) {
    const char *separator = "";
    for (int j = 0; j < table->ncolumns; j++) {
        char number[32];
        const sb_cell *cell = sb_table_cell(table, row, j);
        if (table->columns[j].kind == SB_COL_KEY && !sb_cell_is_empty(cell)) {
            fprintf(to, "%s%s ", separator, table->columns[j].name);
            sb_escape(to, SB_HTML, sb_cell_text(cell, number));
            separator = ", ";
        }
    }
}

void sb_write_junit(const sb_table *table, FILE *to) {
    int failures = 0;
    for (int i = 0; i < table->nrows; i++) {
        failures += failure(table, i) != NULL;
    }
    fprintf(to,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"stepbench\" tests=\"%d\" failures=\"%d\">\n",
            table->nrows, failures);
    for (int i = 0; i < table->nrows; i++) {
        const char *why = failure(table, i);
        fputs("<testcase classname=\"stepbench\" name=\"", to);
        write_name(table, i, to);
        if (why == NULL) {
            fputs(sb_table_is(table, i, "verdict", "unclear") ? "\"><skipped message=\"unclear\"/></testcase>\n"
                                                              : "\"/>\n",
                  to);
        } else {
            fputs("\"><failure message=\"", to);
            sb_escape(to, SB_HTML, why);
            fputs("\"/></testcase>\n", to);
        }
    }
    fputs("</testsuite>\n", to);
}
