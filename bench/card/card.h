/* The card of a stepper: one self-contained page of what was found about it. */
#ifndef STEPBENCH_BENCH_CARD_CARD_H
#define STEPBENCH_BENCH_CARD_CARD_H

#include <stdio.h>

#include "bench/card/card_data.h"

/* What a card compares with unless asked otherwise: an explicit and an implicit method, and one that keeps constraints
 * and one that relaxes them. */
#define SB_CARD_BASELINES "rk4,midpoint,shake,reg"

typedef struct sb_card {
    sb_context *ctx;
    sb_arena *arena;
    const sb_card_data *subject;
    int nbaselines;
    const sb_card_data *const *baselines; /* what it is compared with */
    const char *plugin;                   /* the file it came from; NULL: built in */
    const char *path;                     /* of the page; NULL: standard output */
    FILE *to;                             /* set by sb_card_write */
} sb_card;

int sb_card_write(sb_card *card);

/* The card of a plug-in that could not be loaded: what was wrong with it. */
int sb_card_write_refusal(sb_context *ctx, sb_arena *arena, const char *plugin, const char *why, const char *path);

/* Sections, written to card->to. */
int sb_card_tables(const sb_card *card); /* what is wrong; the measures problem by problem; what it does not take */
int sb_card_plots(const sb_card *card);  /* order, work-precision, energy, stability */

#endif
