/* The values of the page of a study's summary: a table of all pairs, and one per problem with every quantity. */
#include <stdlib.h>
#include <string.h>

#include "bench/report/summary.h"
#include "core/output/csv.h"

typedef struct summary {
    const sb_results *results;
    sb_page *page;
    sb_table files[2]; /* the quantities, and the times */
} summary;

static int read_file(summary *me, const char *directory, sb_table *out) {
    const char *file, *path;
    SB_PRINT(me->results->arena, file, "%s%s.csv", directory, me->results->study->summary);
    SB_TRY(sb_results_path(me->results, file, &path));
    sb_table_init(out, me->results->arena);
    return sb_results_has(me->results, file) ? sb_table_read_csv_text(out, me->results->ctx, path) : SB_OK;
}

/* Returns the column after the quantities, `status`; 0: the table has no columns. */
static int end_of_quantities(const sb_table *rows) {
    int j = 0;
    while (j < rows->ncolumns && strcmp(rows->columns[j].name, "status") != 0) {
        j++;
    }
    return j;
}

/* Returns whether column j belongs to the quantity before it: "order error" to "order". */
static bool is_part(const sb_table *rows, int j, const char *of, const char *what) {
    const char *name = j < rows->ncolumns ? rows->columns[j].name : "";
    const size_t length = strlen(of);
    return strncmp(name, of, length) == 0 && name[length] == ' ' && strcmp(name + length + 1, what) == 0;
}

/* Sets a text to a number with three digits, to the text of the cell if it has none. */
static void add_number(const summary *me, json_t *in, const char *name, const char *text) {
    char *end;
    const double x = strtod(text, &end);
    if (end != text && *end == '\0') {
        sb_page_format(me->page, in, name, "%.3g", x);
    } else {
        sb_page_text(me->page, in, name, text);
    }
}

/* Adds the cell of a quantity, whose columns begin at *j, and moves *j beyond them; row -1: an empty one. */
static void add_cell(const summary *me, const sb_table *rows, int row, int *j, json_t *list) {
    const char *name = rows->columns[*j].name;
    json_t *cell = sb_page_object(me->page, list);
    add_number(me, cell, "value", sb_table_text(rows, row, name));
    ++*j;
    for (int more = 0; more < 2; more++) {
        static const char *const parts[] = {"error", "words"};
        if (is_part(rows, *j, name, parts[more])) {
            const char *text = sb_table_text(rows, row, rows->columns[*j].name);
            add_number(me, cell, parts[more], strcmp(text, "0") == 0 ? "" : text);
            ++*j;
        }
    }
}

static int find_pair(const sb_table *rows, const char *problem, const char *stepper) {
    for (int i = 0; i < rows->nrows; i++) {
        if (sb_table_is(rows, i, "problem", problem) && sb_table_is(rows, i, "stepper", stepper)) {
            return i;
        }
    }
    return -1;
}

/* Adds a pair to a list: its cells, or `refused` and the reason. */
static void add_pair(const summary *me, const char *problem, const char *stepper, json_t *list) {
    json_t *pair = sb_page_object(me->page, list), *cells = sb_page_list(me->page, pair, "cells");
    const char *status = sb_table_text(&me->files[0], find_pair(&me->files[0], problem, stepper), "status"),
               *spread = end_of_quantities(&me->files[0]) + 1 < me->files[0].ncolumns
                             ? sb_table_text(&me->files[0], find_pair(&me->files[0], problem, stepper), "spread")
                             : "";
    bool any = false;
    for (int f = 0; f < 2; f++) {
        const sb_table *rows = &me->files[f];
        const int row = find_pair(rows, problem, stepper);
        for (int j = 2; j < end_of_quantities(rows);) {
            any = any || sb_table_text(rows, row, rows->columns[j].name)[0] != '\0';
            add_cell(me, rows, row, &j, cells);
        }
    }
    sb_page_text(me->page, pair, "problem", problem);
    sb_page_text(me->page, pair, "stepper", stepper);
    sb_page_text(me->page, pair, "status", status);
    sb_page_text(me->page, pair, "spread", spread);
    sb_page_flag(me->page, pair, "refused", !any);
}

/* Adds the names in a column of the summary, each once, to a list. */
static void add_names(const summary *me, const char *column, json_t *list) {
    const sb_table *rows = &me->files[0];
    for (int i = 0; i < rows->nrows; i++) {
        const char *name = sb_table_text(rows, i, column);
        if (sb_table_find(rows, column, name, 0) == i) {
            sb_page_text(me->page, sb_page_object(me->page, list), "name", name);
        }
    }
}

/* Adds all pairs with the same name in a column, for each of its names. */
static void add_groups(const summary *me, const char *of, json_t *groups) {
    const bool by_problem = strcmp(of, "problem") == 0;
    json_t *others = json_array(), *group, *other;
    size_t i, k;
    add_names(me, of, groups);
    add_names(me, by_problem ? "stepper" : "problem", others);
    json_array_foreach(groups, i, group) {
        json_t *pairs = sb_page_list(me->page, group, "pairs");
        json_array_foreach(others, k, other) {
            const char *a = json_string_value(json_object_get(group, "name")),
                       *b = json_string_value(json_object_get(other, "name"));
            add_pair(me, by_problem ? a : b, by_problem ? b : a, pairs);
        }
    }
    json_decref(others);
}

int sb_summary_add(const sb_results *results, sb_page *page) {
    summary me = {.results = results, .page = page};
    SB_TRY(read_file(&me, "", &me.files[0]));
    SB_TRY(read_file(&me, "times/", &me.files[1]));
    json_t *headings = sb_page_list(page, page->values, "headings");
    for (int f = 0; f < 2; f++) {
        const sb_table *rows = &me.files[f];
        for (int j = 2; j < end_of_quantities(rows); j++) {
            const char *name = rows->columns[j].name;
            sb_page_text(page, sb_page_object(page, headings), "name", name);
            for (int k = 0; k < 2; k++) {
                j += is_part(rows, j + 1, name, "error") || is_part(rows, j + 1, name, "words");
            }
        }
    }
    sb_page_text(page, page->values, "summary", results->study->summary);
    add_groups(&me, "stepper", sb_page_list(page, page->values, "steppers"));
    add_groups(&me, "problem", sb_page_list(page, page->values, "problems"));
    return SB_OK;
}
