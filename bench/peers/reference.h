/* The exact motion of four_bar in closed form, and of the ladder by its reduction to angles. */
#ifndef STEPBENCH_BENCH_PEERS_REFERENCE_H
#define STEPBENCH_BENCH_PEERS_REFERENCE_H

#include "bench/peers/mechanism.h"

/* Positions of the tip and states of the bodies at times j dt. */
typedef struct reference {
    double dt;
    int count; /* samples that are known, the first one included */
    double (*tip)[2];
    peer_body *last; /* states of the bodies at the last sample asked for */
} reference;

/* Computes `count` + 1 samples. The motion of the ladder is chaotic: it is integrated with two tolerances, 1e-13 and
 * 1e-12, and known up to the first time at which the two tips differ by `close` (m). */
int reference_new(sb_context *ctx, sb_arena *arena, const mechanism *m, double dt, int count, double close,
                  reference *out);

#endif
