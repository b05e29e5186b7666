/* Runs the contract checks of one stepper on every check system and every registered problem that it takes. */
#pragma once

#include "bench/process/pairs.h"

/* The results of the checks of a stepper. */
typedef struct sb_check {
    int systems;   /* that the stepper takes */
    sb_table rows; /* of the analysis `contract` */
} sb_check;

/* A small problem: every analysis of it by an implicit stepper of several stages ends within seconds. */
enum { SB_SMALL_COORDINATES = 9 };

/* Systems on which a stepper may crash or not return before the others are left out. */
enum { SB_MOST_FAULTS = 3 };

/* Runs the checks on the check systems and on the registered problems of at most `coordinates` coordinates, each in a
 * process of its own. A crash or a time-out is a failed check "returns"; after three the remaining systems are not
 * tried. limits->meter is initialised here, and shows the systems as parts of the work (NULL: nothing is shown). Fails
 * with SB_BAD_USAGE for an unknown stepper, SB_INTERRUPTED, SB_IO or SB_NO_MEMORY. */
int sb_check_stepper(sb_context *ctx, sb_arena *arena, const char *stepper, int coordinates, const sb_limits *limits,
                     sb_check *out);

/* Returns the specification of a built-in stepper under which it solves the rigid system: the defaults of some
 * regularize rows, and their error then tends to the error of the compliance. */
const char *sb_check_specification(const char *name);
