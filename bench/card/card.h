/* Writes the card of a stepper: one self-contained page of its measurements. card_data.h lists what is measured and
 * what it costs. */
#pragma once

#include "bench/card/card_data.h"
#include "bench/report/page.h"

/* The default baselines: an explicit and an implicit method, one that satisfies constraints and one that relaxes them.
 */
#define SB_CARD_BASELINES "rk4,midpoint,shake,reg"

typedef struct sb_card {
    sb_context *ctx;
    sb_arena *arena;
    const sb_card_data *subject;
    int nbaselines;
    const sb_card_data *const *baselines; /* what it is compared with */
    const char *plugin;                   /* the file it came from; NULL: built in */
    const char *path;                     /* of the page; NULL: standard output */
} sb_card;

/* Writes the page. Fails with SB_IO or SB_NO_MEMORY. */
int sb_card_write(const sb_card *card);

/* Writes the card of a plug-in that could not be loaded: the reason `why`. */
int sb_card_write_refusal(sb_context *ctx, sb_arena *arena, const char *plugin, const char *why, const char *path);

/* Adds the figures to the values of the page: order, work-precision, energy, stability. assets/card.js draws them. */
int sb_card_plots(const sb_card *card, sb_page *page);
