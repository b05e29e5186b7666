/* SPOOK on the ladder of spook07 6 written out by hand: the time a generic step is compared with. */
#ifndef STEPBENCH_BENCH_PERF_BARE_LADDER_H
#define STEPBENCH_BENCH_PERF_BARE_LADDER_H

#include <stepbench/context.h>

typedef struct sb_bare_ladder {
    long N;                             /* squares */
    double m, l, g, eps, tau_over_h, h; /* of every rod and every constraint */
    struct sb_bare_square *squares;     /* factors, N + 1 */
} sb_bare_ladder;

/* All members but `squares` set by the caller. */
int sb_bare_ladder_init(sb_arena *arena, sb_bare_ladder *ladder);
/* One step in place; q and v are those of the problem `ladder`, four numbers a rod. SB_SINGULAR when a pivot is not
 * positive. */
int sb_bare_ladder_step(const sb_bare_ladder *ladder, double *q, double *v);

#endif
