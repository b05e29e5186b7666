/* Command lines derived from the registry: commands, analyses, their options, specifications, values in and out of
 * range, malformed words. */
#ifndef STEPBENCH_TESTS_GRAMMAR_H
#define STEPBENCH_TESTS_GRAMMAR_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/registry.h"

enum { LINE_WORDS = 48, LINE_TEXT = 16384 };

typedef struct line {
    int argc;
    char *argv[LINE_WORDS + 1];
    size_t used;
    char text[LINE_TEXT];
} line;

typedef struct grammar {
    const sb_registry *registry;
    bool *fits; /* whether stepper s takes problem p: fits[p * steppers + s] */
} grammar;

/* Finds out which stepper takes which problem; the array comes from `arena`. */
int grammar_init(grammar *g, sb_context *ctx, sb_arena *arena, const sb_registry *registry);

/* Writes the command line number `seed`; the same for the same number and registry. */
void grammar_line(const grammar *g, uint64_t seed, line *out);

#endif
