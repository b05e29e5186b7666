/* The tables of digits, the files *.csv of this folder: the states after a few steps, computed by the scripts beside
 * them from the formulas of the references. */
#ifndef STEPBENCH_TESTS_DIGITS_TABLE_H
#define STEPBENCH_TESTS_DIGITS_TABLE_H

#include <glob.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <stepbench/numerics/norm.h>

#include "core/base/params.h"
#include "core/base/registry.h"
#include "core/run/build.h"
#include "core/run/register.h"
#include "integrators/register.h"
#include "problems/register.h"

static int failures; /* the first of them are printed */
enum { PRINTED = 50 };

static inline __attribute__((format(printf, 2, 3))) void expect(bool good, const char *format, ...) {
    va_list arguments;
    if (good || ++failures > PRINTED) {
        return;
    }
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
}

/* Registers what both precisions have. */
static inline void digits_register(sb_context *ctx, sb_registry *registry) {
    sb_context_init(ctx);
    expect(sb_registry_init(registry, ctx) == SB_OK && sb_register_numerics(registry) == SB_OK &&
               sb_register_steppers(registry) == SB_OK && sb_register_problems(registry) == SB_OK,
           "the built-ins do not register: %s", ctx->message);
}

enum { PROBLEM, STEPPER, FORMULATION, LENGTH, STEPS, Q, V, LAMBDA, ERROR, DIGITS_COLUMNS, DIGITS_LINE = 4000 };

/* A state of one stepper; the words q, v and lambda are numbers between blanks. */
typedef struct digits_row {
    const char *word[DIGITS_COLUMNS];
} digits_row;

/* Splits a line of CSV, whose words may be quoted, at its commas. Returns whether it has all columns. */
static inline bool digits_split(char *line, digits_row *row) {
    char *to = line;
    int words = 0;
    for (char *c = line; words < DIGITS_COLUMNS; c++) {
        row->word[words++] = to;
        bool quoted = false;
        for (; *c != '\0' && *c != '\n' && (quoted || *c != ','); c++) {
            if (*c == '"') {
                quoted = !quoted;
            } else {
                *to++ = *c;
            }
        }
        const char end = *c;
        *to++ = '\0';
        if (end != ',') {
            return words == DIGITS_COLUMNS;
        }
    }
    return false;
}

typedef void (*digits_visit)(void *arg, const digits_row *row);

/* Calls `visit` with every row of every table, once per stepper. */
static inline void digits_read(digits_visit visit, void *arg) {
    glob_t files;
    char line[DIGITS_LINE], *rest;
    digits_row row;
    expect(glob(SB_SOURCE_DIR "/tests/digits/*.csv", 0, NULL, &files) == 0, "there are no tables");
    for (size_t i = 0; i < files.gl_pathc; i++) {
        FILE *file = fopen(files.gl_pathv[i], "r");
        expect(file != NULL, "%s does not open", files.gl_pathv[i]);
        for (int n = 1; file != NULL && fgets(line, sizeof line, file) != NULL; n++) {
            const bool whole = strchr(line, '\n') != NULL && digits_split(line, &row);
            expect(whole, "%s, line %d has not %d words", files.gl_pathv[i], n, DIGITS_COLUMNS);
            if (whole && n > 1) {
                for (char *name = strtok_r((char *)row.word[STEPPER], " ", &rest); name != NULL;
                     name = strtok_r(NULL, " ", &rest)) {
                    row.word[STEPPER] = name;
                    visit(arg, &row);
                }
            }
        }
        if (file != NULL) {
            fclose(file);
        }
    }
    globfree(&files);
}

#endif
