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

enum { PROBLEM, STEPPER, FORMULATION, LENGTH, STEPS, QUANTITY, VALUE, ERROR, DIGITS_COLUMNS, DIGITS_LINE = 1000 };

typedef struct digits_row {
    char text[DIGITS_LINE]; /* holds the words */
    const char *word[DIGITS_COLUMNS];
} digits_row;

/* Splits a line of CSV, whose words may be quoted, into the words of the row; the last one, the error that is allowed
 * in the size of the state, may be missing and is NULL then. Returns whether it has the others. */
static inline bool digits_split(const char *line, digits_row *row) {
    char *to = row->text;
    int words = 0;
    row->word[ERROR] = NULL;
    for (const char *c = line; words < DIGITS_COLUMNS; c++) {
        row->word[words++] = to;
        bool quoted = *c == '"';
        c += quoted;
        while (*c != '\0' && *c != '\n' && (quoted || *c != ',')) {
            if (*c == '"') {
                quoted = false;
                c++;
                continue;
            }
            *to++ = *c++;
        }
        *to++ = '\0';
        if (*c != ',') {
            return words >= ERROR;
        }
    }
    return false;
}

static inline void digits_copy(const digits_row *from, digits_row *to) {
    memcpy(to->text, from->text, sizeof to->text);
    for (int w = 0; w < DIGITS_COLUMNS; w++) {
        to->word[w] = from->word[w] != NULL ? to->text + (from->word[w] - from->text) : NULL;
    }
}

/* Whether two rows are values of one state; those of a state follow one another. `a` may be without words. */
static inline bool digits_same_state(const digits_row *a, const digits_row *b) {
    for (int w = 0; w < QUANTITY; w++) {
        if (a->word[w] == NULL || strcmp(a->word[w], b->word[w]) != 0) {
            return false;
        }
    }
    return true;
}

typedef void (*digits_visit)(void *arg, const digits_row *row);

/* Calls `visit` with every row of every table. */
static inline void digits_read(digits_visit visit, void *arg) {
    glob_t files;
    char line[DIGITS_LINE];
    digits_row row;
    expect(glob(SB_SOURCE_DIR "/tests/digits/*.csv", 0, NULL, &files) == 0, "there are no tables");
    for (size_t i = 0; i < files.gl_pathc; i++) {
        FILE *file = fopen(files.gl_pathv[i], "r");
        expect(file != NULL, "%s does not open", files.gl_pathv[i]);
        for (int n = 0; file != NULL && fgets(line, sizeof line, file) != NULL; n++) {
            const bool whole = digits_split(line, &row);
            expect(whole, "%s, line %d has fewer than %d words", files.gl_pathv[i], n + 1, ERROR);
            if (whole && n > 0) {
                visit(arg, &row);
            }
        }
        if (file != NULL) {
            fclose(file);
        }
    }
    globfree(&files);
}

#endif
