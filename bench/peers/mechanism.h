/* The ladder and the chain of four-bars as rigid bodies and pins; gap, energy and tip of a state of the bodies. */
#ifndef STEPBENCH_BENCH_PEERS_MECHANISM_H
#define STEPBENCH_BENCH_PEERS_MECHANISM_H

#include <stepbench/system.h>

#include "bench/peers/peer.h"

typedef struct mechanism {
    const char *problem, *specification; /* the former is "ladder" or "four_bar" */
    long N;
    peer_world world; /* the bodies in their initial state */
    sb_system sys;
    double length; /* of a rod, m */
    int tip;       /* the rod whose head is the tip */
    double energy; /* total weight times the depth that the centre of mass can fall through: the scale of energies, J */
} mechanism;

/* Builds the problem with N squares or loops. */
int mechanism_new(sb_context *ctx, sb_arena *arena, const char *problem, long N, mechanism *out);
/* Sets the states of the bodies from the coordinates of the problem. The centre of a bar is the middle of its ends. */
void mechanism_bodies(const mechanism *m, const double *q, const double *v, peer_body *body);

/* Returns the root mean square over the pins of the distance between their two points, m. */
double mechanism_gap(const mechanism *m, const peer_body *body);
/* Returns kinetic and potential energy, J. */
double mechanism_energy(const mechanism *m, const peer_body *body);
/* Sets the position of the tip, m. */
void mechanism_tip(const mechanism *m, const peer_body *body, double tip[2]);

#endif
