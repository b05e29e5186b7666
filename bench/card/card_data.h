/* Computes the data of a card: the evaluation of a stepper on every problem, its energy over a long run, its stability.
 *
 * What a card costs: the subject runs
 *   the analyses of SB_EVALUATED_LIST (evaluate.h) on each problem of at most SB_SMALL_COORDINATES coordinates that
 * it takes, where workprec with 7 and order with 6 step lengths take most of the time; 20 000 steps on one
 * problem of each of the first SB_CARD_PANELS families, for the figure of the energy; the contract checks on the 19
 * check systems (bench/check/systems.c); SB_RADIUS_POINTS amplification matrices on each probe, and SB_MAP_ACROSS x
 * SB_MAP_UP for the map. A baseline runs workprec, the energies of all families and the probes. Every analysis of a
 * pair is a process of its own that ends after limits->seconds of processor time (10 by default), limits->jobs at a
 * time. */
#pragma once

#include "bench/card/evaluate.h"
#include "bench/check/check.h"

enum { SB_MAP_ACROSS = 40, SB_MAP_UP = 12, SB_RADIUS_POINTS = 80 };
/* Problems per section of figures. */
enum { SB_CARD_PANELS = 6 };

/* The spectral radius of the amplification matrix against h omega, on a problem with one frequency. */
typedef struct sb_probe {
    const char *problem, *name; /* specification; name on the page */
    bool takes;
    sb_table rows; /* of analysis amplification */
} sb_probe;

enum { SB_PROBE_OSCILLATOR, SB_PROBE_PENDULUM, SB_PROBES };

typedef struct sb_card_data {
    const char *stepper; /* its specification */
    const sb_stepper *type;
    int order;      /* the claimed one, without the lower ones of classes of systems */
    unsigned keeps; /* SB_KEEPS_... claimed */
    int problems;
    sb_evaluation *evaluations; /* one per problem */
    sb_check systems;           /* checks on systems with one kind of term each */
    sb_table *energy;           /* of analysis energy, where `shows` is set and a figure shows it */
    bool *shows; /* whether the energy is shown: on named problems, otherwise on the first one of each family */
    sb_probe probes[SB_PROBES];
    sb_table map;     /* of analysis amplification on a damped oscillator: SB_MAP_UP dampings, SB_MAP_ACROSS steps each;
                         empty without forces */
    int faults;       /* evaluations that ended in a crash or a timeout */
    const char *lost; /* the first lack of memory or disk; NULL: none */
} sb_card_data;

/* The use of the data. A baseline is shown on cards of other steppers, by its errors, its energies and its stability.
 * The energies of a subject cover the first SB_CARD_PANELS families, the energies of a baseline all families. */
typedef enum sb_card_role { SB_CARD_SUBJECT, SB_CARD_BASELINE, SB_CARD_BOTH } sb_card_role;

/* Computes the data of a card on `count` problems, given as specifications. With a count of 0 on every registered
 * problem; those with more than SB_SMALL_COORDINATES coordinates are then not tried. After three crashes or time-outs
 * the remaining problems are not tried, and their evaluations say so. Fails as sb_pairs_run_limited. */
int sb_card_data_make(sb_context *ctx, sb_arena *arena, const char *stepper, int count, const char *const *problems,
                      sb_card_role role, const sb_limits *limits, sb_card_data *out);

/* Axes of the map: the largest h omega, and the largest damping rate over omega. */
#define SB_MAP_TAU 4.0
#define SB_MAP_GAMMA 3.0
