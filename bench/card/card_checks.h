/* Summarizes the contract checks of a card: how many passed, and the failures that share a cause. */
#pragma once

#include "bench/card/card_data.h"

/* One failed check, or the same order not reached, on one or more problems. */
typedef struct sb_card_failure {
    const sb_table *table; /* of its first row */
    int row;
    const char *sentence;
    int nproblems, nreasons;
    const char **problems; /* with the measured order, where it is one: "kepler (1.02)" */
    const char **reasons;  /* known reasons, each once */
} sb_card_failure;

typedef struct sb_card_checks {
    bool passed;
    const char *summary; /* one or two sentences */
    int count;
    sb_card_failure *failures;
} sb_card_checks;

/* Fails with SB_NO_MEMORY, or with SB_IO if the file of known failures cannot be read. */
int sb_card_check(sb_context *ctx, sb_arena *arena, const sb_card_data *data, sb_card_checks *out);
