/* The options of every command that writes rows: format, columns, pivot and digits. */
#pragma once

#include <stepbench/entry.h>

#include "core/output/table.h"

typedef struct sb_row_options {
    int format; /* an sb_format */
    const char *columns, *pivot;
    long digits;
} sb_row_options;

/* Rows of a parameter table, for a struct whose member `rows` is an sb_row_options. */
#define SB_ROW_FORMAT_PARAM(type)                                                                                      \
    SB_PARAM("format", SB_CHOICE, offsetof(type, rows.format), "csv", 0, 0, SB_CLOSED, SB_FORMAT_CHOICES, "",          \
             "how rows are written; the default is a table on a terminal, otherwise what the ending of -o FILE says")
#define SB_ROW_FORM_PARAMS(type)                                                                                       \
    SB_PARAM("columns", SB_TEXT, offsetof(type, rows.columns), "", 0, 0, SB_CLOSED, NULL, "",                          \
             "names of the columns in their order, joined by commas; empty: all"),                                     \
        SB_PARAM("pivot", SB_TEXT, offsetof(type, rows.pivot), "", 0, 0, SB_CLOSED, NULL, "",                          \
                 "a column whose values become columns: with --pivot stepper a row per problem and a column per "      \
                 "stepper"),                                                                                           \
        SB_PARAM("digits", SB_INT, offsetof(type, rows.digits), "0", 0.0, 17.0, SB_CLOSED, NULL, "",                   \
                 "significant digits of numbers; 0: all in csv and json, at most six in the other formats")

/* Returns the format without --format: by the ending of the file's name, otherwise CSV; without a file (NULL) a table
 * on a terminal and CSV elsewhere. */
sb_format sb_rows_usual_format(const char *path);

/* Fails with SB_BAD_USAGE if the file of the rows of a command, whose format follows from its name, has the ending of a
 * picture or of a page. */
int sb_rows_check_ending(sb_context *ctx, const char *command, const char *path);

/* Returns whether rows are written to be read: as a table, Markdown or LaTeX. */
bool sb_rows_for_people(sb_format format);

/* Opens a sink that writes rows in the requested form to `to`. */
int sb_rows_form(sb_context *ctx, sb_arena *arena, const sb_row_options *options, sb_format format, sb_sink *to,
                 sb_sink **out);
