/* Sinks: what is written reads back, special characters survive, a file appears whole or not at all, and a full disk is
 * reported. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <gsl/gsl_test.h>
#include <jansson.h>

#include "core/base/text.h"
#include "core/output/csv.h"
#include "core/output/json.h"
#include "core/output/table.h"

static const sb_column columns[] = {{"name", SB_COL_KEY, "", ""},
                                    {"exact", SB_COL_EXACT, "", ""},
                                    {"count", SB_COL_INFO, "", ""},
                                    {"err_q", SB_COL_ERROR, "", ""},
                                    {"slope", SB_COL_SLOPE, "", ""}};
enum { NCOLUMNS = 5, NROWS = 6 };

static const char *const texts[NROWS] = {"pl\xD0\xB4in \xE2\x89\xA4 \xF0\x9D\x9C\x86",
                                         "comma, \"quote\"",
                                         "two\nlines",
                                         "#hash",
                                         "a|b & 50% _x_ {y} \\z ~ ^ $",
                                         ""};
static const double numbers[NROWS] = {0.1, -1.0 / 3.0, 1e-300, NAN, INFINITY, 0.0};

static char folder[] = "/tmp/stepbench-sinks-XXXXXX";
static sb_context ctx;

static void file_name(char out[256], const char *name) { snprintf(out, 256, "%s/%s", folder, name); }

static int write_rows(sb_sink *sink) {
    SB_TRY(sink->begin(sink, NCOLUMNS, columns));
    for (int i = 0; i < NROWS; i++) {
        const sb_cell row[NCOLUMNS] = {sb_text(texts[i]), sb_real(numbers[i]), sb_int(i - 2),
                                       i == 2 ? sb_empty() : sb_real(1.23456e-7), sb_real(1.99951)};
        SB_TRY(sink->row(sink, row));
    }
    return SB_OK;
}

static int write_file(sb_arena *arena, sb_format format, const char *path) {
    static const char *const comments[] = {"first", "second", NULL};
    sb_sink *sink;
    SB_TRY(sb_sink_open(&ctx, arena, format, path, comments, &sink));
    const int status = write_rows(sink);
    if (status != SB_OK) {
        sink->abandon(sink);
        return status;
    }
    return sink->end(sink);
}

static char *read_file(const char *path) {
    FILE *file = fopen(path, "rb");
    char *text = calloc(1, 1 << 16);
    if (file == NULL || text == NULL || fread(text, 1, (1 << 16) - 1, file) == 0) {
        gsl_test(1, "%s is there", path);
    }
    if (file != NULL) {
        fclose(file);
    }
    return text;
}

static int files_in_folder(void) {
    char command[300];
    int count = -1;
    snprintf(command, sizeof command, "ls -A %s | wc -l", folder);
    FILE *pipe = popen(command, "r");
    if (pipe != NULL) {
        if (fscanf(pipe, "%d", &count) != 1) {
            count = -1;
        }
        pclose(pipe);
    }
    return count;
}

static bool same(double a, double b) { return isnan(a) ? isnan(b) : a == b; }

static void csv_reads_back(sb_arena *arena) {
    char path[256];
    sb_table table;
    file_name(path, "rows.csv");
    gsl_test(write_file(arena, SB_FORMAT_CSV, path) != SB_OK, "CSV is written: %s", ctx.message);
    sb_table_init(&table, arena);
    gsl_test(sb_table_read_csv(&table, &ctx, path) != SB_OK, "CSV is read: %s", ctx.message);
    gsl_test(table.ncolumns != NCOLUMNS || table.nrows != NROWS, "CSV has %d columns and %d rows", table.ncolumns,
             table.nrows);
    for (int i = 0; i < table.nrows && i < NROWS; i++) {
        gsl_test(strcmp(sb_table_text(&table, i, "name"), texts[i]) != 0, "text %d survives CSV: \"%s\"", i,
                 sb_table_text(&table, i, "name"));
        gsl_test(!same(sb_table_real(&table, i, "exact"), numbers[i]), "number %d survives CSV exactly: %g", i,
                 sb_table_real(&table, i, "exact"));
        gsl_test(sb_table_real(&table, i, "count") != (double)(i - 2), "integer %d survives CSV", i);
        gsl_test(isnan(sb_table_real(&table, i, "err_q")) != (i == 2), "only the empty cell is no number");
    }
    gsl_test(!isnan(sb_table_real(&table, 0, "nothing")) || sb_table_text(&table, 99, "name")[0] != '\0',
             "cells that are not there are NaN and \"\"");
    char *text = read_file(path);
    gsl_test(strncmp(text, "# first\n# second\nname,exact,count,err_q,slope\n", 46) != 0, "comments, then the header");
    free(text);
    remove(path);
}

static void csv_refuses_what_is_broken(sb_arena *arena) {
    static const struct {
        const char *text, *words;
    } broken[] = {{"a,b\n1\n", "1 cells"},
                  {"a,b\n1,\"2\n", "not closed"},
                  {"a\n\"1\"2\n", "after a closing quote"},
                  {"# only\n", "no header"}};
    char path[256];
    file_name(path, "broken.csv");
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
        sb_table table;
        FILE *file = fopen(path, "w");
        if (file != NULL) {
            fputs(broken[i].text, file);
            fclose(file);
        }
        sb_table_init(&table, arena);
        gsl_test(sb_table_read_csv(&table, &ctx, path) != SB_IO || strstr(ctx.message, broken[i].words) == NULL,
                 "\"%s\": %s", broken[i].words, ctx.message);
    }
    remove(path);
    sb_table table;
    sb_table_init(&table, arena);
    gsl_test(sb_table_read_csv(&table, &ctx, path) != SB_IO || strstr(ctx.message, path) == NULL,
             "a missing file is named: %s", ctx.message);
}

/* A claim's published digits must not change by being read and written: "3.95996880e-6", "2", "0.10". */
static void texts_stay_texts(sb_arena *arena) {
    static const char before[] = "id,published\na,3.95996880e-6\nb,2\nc,0.10\nd,\n";
    char path[256], again[256];
    sb_table table;
    sb_sink *sink;
    file_name(path, "claims.csv");
    file_name(again, "again.csv");
    FILE *file = fopen(path, "w");
    if (file != NULL) {
        fputs(before, file);
        fclose(file);
    }
    sb_table_init(&table, arena);
    gsl_test(sb_table_read_csv_text(&table, &ctx, path) != SB_OK ||
                 sb_sink_open(&ctx, arena, SB_FORMAT_CSV, again, NULL, &sink) != SB_OK ||
                 sb_table_write(&table, sink) != SB_OK,
             "texts are read and written: %s", ctx.message);
    char *after = read_file(again);
    gsl_test(strcmp(before, after) != 0, "and are the same:\n%s", after);
    free(after);
    remove(path);
    remove(again);
}

static void json_parses(sb_arena *arena) {
    char path[256];
    file_name(path, "rows.json");
    gsl_test(write_file(arena, SB_FORMAT_JSON, path) != SB_OK, "JSON is written: %s", ctx.message);
    json_error_t error;
    json_t *rows = json_load_file(path, 0, &error);
    gsl_test(json_array_size(rows) != NROWS, "JSON parses: %s", error.text);
    for (size_t i = 0; i < NROWS; i++) {
        const json_t *row = json_array_get(rows, i);
        const char *name = json_string_value(json_object_get(row, "name"));
        gsl_test(name == NULL || strcmp(name, texts[i]) != 0, "text %zu survives JSON", i);
        if (isfinite(numbers[i])) {
            gsl_test(json_number_value(json_object_get(row, "exact")) != numbers[i], "number %zu survives JSON exactly",
                     i);
        }
    }
    gsl_test(!json_is_null(json_object_get(json_array_get(rows, 2), "err_q")), "an empty cell is null");
    json_decref(rows);
    remove(path);
}

static void contains(sb_arena *arena, sb_format format, const char *const *pieces) {
    char path[256];
    file_name(path, "view");
    gsl_test(write_file(arena, format, path) != SB_OK, "the view is written: %s", ctx.message);
    char *text = read_file(path);
    for (; *pieces != NULL; pieces++) {
        gsl_test(strstr(text, *pieces) == NULL, "the view holds %s", *pieces);
    }
    free(text);
    remove(path);
}

static void views(sb_arena *arena) {
    contains(arena, SB_FORMAT_MD,
             (const char *const[]){"| name | exact | count | err\\_q | slope |", "| --- | ---: |", "a\\|b",
                                   "two<br>lines", "| 0.1 |", "| -0.333333 |", "1.23e-07", "2.000", NULL});
    contains(arena, SB_FORMAT_LATEX,
             (const char *const[]){"\\begin{tabular}{@{}lrrrr@{}}", "\\toprule", "err\\_q ", "50\\% \\_x\\_ \\{y\\}",
                                   "\\textbackslash{}z", "\\textasciitilde{}", "\\textasciicircum{}", "\\$",
                                   "$\\mathrm{nan}$", "$1.23\\times10^{-7}$", "\\bottomrule", NULL});
    contains(arena, SB_FORMAT_TABLE, (const char *const[]){"name ", "1.23e-07", "-0.333333 ", "  2.000", NULL});
}

/* The old file stays until the new one is whole; a temporary file never stays. */
static void whole_or_not_at_all(sb_arena *arena) {
    char path[256];
    sb_sink *sink;
    file_name(path, "kept.csv");
    gsl_test(write_file(arena, SB_FORMAT_CSV, path) != SB_OK, "a file is written");
    char *before = read_file(path);
    for (int format = SB_FORMAT_CSV; format <= SB_FORMAT_JSON; format++) {
        gsl_test(sb_sink_open(&ctx, arena, (sb_format)format, path, NULL, &sink) != SB_OK, "it is opened again");
        const sb_column one[] = {{"other", SB_COL_KEY, "", ""}};
        const sb_cell row[] = {sb_int(1)};
        gsl_test(sink->begin(sink, 1, one) != SB_OK || sink->row(sink, row) != SB_OK, "rows are written");
        char *during = read_file(path);
        gsl_test(strcmp(before, during) != 0, "format %d: the old file is untouched while rows are written", format);
        free(during);
        sink->abandon(sink);
        sink->abandon(sink);
        gsl_test(sink->end(sink) != SB_OK, "ending what is abandoned does nothing");
        char *after = read_file(path);
        gsl_test(strcmp(before, after) != 0 || files_in_folder() != 1,
                 "format %d: abandoned, it leaves the old file and no other (%d)", format, files_in_folder());
        free(after);
    }
    free(before);
    remove(path);
}

/* /dev/full takes nothing: the sink says so, at the latest in `end`. */
static void full_disk(sb_arena *arena) {
    if (access("/dev/full", W_OK) != 0) {
        return;
    }
    for (int format = SB_FORMAT_CSV; format <= SB_FORMAT_JSON; format++) {
        gsl_test(write_file(arena, (sb_format)format, "/dev/full") != SB_IO ||
                     strstr(ctx.message, "/dev/full") == NULL || strstr(ctx.message, "space") == NULL,
                 "format %d: a full disk is reported: %s", format, ctx.message);
    }
}

static void no_place(sb_arena *arena) {
    char path[256];
    sb_sink *sink;
    file_name(path, "missing/rows.csv");
    gsl_test(sb_sink_open(&ctx, arena, SB_FORMAT_CSV, path, NULL, &sink) != SB_IO ||
                 strstr(ctx.message, "missing/rows.csv") == NULL,
             "a missing folder is reported: %s", ctx.message);
    gsl_test(sb_sink_open(&ctx, arena, SB_FORMAT_CSV, folder, NULL, &sink) != SB_IO, "a folder is no file: %s",
             ctx.message);
}

/* Whichever allocation fails, the status is SB_NO_MEMORY and the folder stays empty. */
static void no_memory(sb_format format) {
    char path[256];
    long budget = 0;
    int status = SB_NO_MEMORY;
    file_name(path, "memory");
    for (; budget < 1000 && status != SB_OK; budget++) {
        sb_arena arena;
        sb_arena_init(&arena, &ctx);
        ctx.alloc_budget = budget;
        status = write_file(&arena, format, path);
        ctx.alloc_budget = -1;
        sb_arena_free(&arena);
        if (status != SB_OK) {
            gsl_test(status != SB_NO_MEMORY || files_in_folder() != 0,
                     "format %d, %ld allocations: status %d, %d files", (int)format, budget, status, files_in_folder());
        }
    }
    gsl_test(status != SB_OK || budget < 3, "format %d: %ld allocations suffice", (int)format, budget);
    remove(path);
}

/* RFC 3629: the shortest form alone, no surrogates, nothing beyond U+10FFFF. */
static void utf8(void) {
    static const char *const good[] = {"",
                                       "plain",
                                       "\xC2\x80",
                                       "\xDF\xBF",
                                       "\xE0\xA0\x80",
                                       "\xED\x9F\xBF",
                                       "\xEE\x80\x80",
                                       "\xEF\xBF\xBF",
                                       "\xF0\x90\x80\x80",
                                       "\xF4\x8F\xBF\xBF"};
    static const char *const bad[] = {"\x80",
                                      "\xC1\xBF",
                                      "\xC2",
                                      "\xC2x",
                                      "\xE0\x9F\xBF",
                                      "\xED\xA0\x80",
                                      "\xE2\x82",
                                      "\xF0\x8F\xBF\xBF",
                                      "\xF4\x90\x80\x80",
                                      "\xF5\x80\x80\x80",
                                      "\xFF",
                                      "ok\xE9"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        gsl_test(!sb_utf8_valid(good[i]), "UTF-8 text %zu is valid", i);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        json_t *string = json_string(bad[i]);
        gsl_test(sb_utf8_valid(bad[i]) || string != NULL, "UTF-8 text %zu is not valid, for jansson neither", i);
        json_decref(string);
    }
}

int main(void) {
    sb_arena arena;
    sb_context_init(&ctx);
    sb_arena_init(&arena, &ctx);
    if (mkdtemp(folder) == NULL) {
        gsl_test(1, "a folder for the test");
        return gsl_test_summary();
    }
    csv_reads_back(&arena);
    csv_refuses_what_is_broken(&arena);
    texts_stay_texts(&arena);
    json_parses(&arena);
    utf8();
    views(&arena);
    whole_or_not_at_all(&arena);
    full_disk(&arena);
    no_place(&arena);
    for (int format = SB_FORMAT_CSV; format <= SB_FORMAT_JSON; format++) {
        no_memory((sb_format)format);
    }
    gsl_test(files_in_folder() != 0, "nothing is left in the folder");
    rmdir(folder);
    sb_arena_free(&arena);
    return gsl_test_summary();
}
