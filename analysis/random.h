/* Random numbers that an arena owns. */
#pragma once

#include <gsl/gsl_rng.h>

#include <stepbench/context.h>

/* Sets *out to the generator mt19937 of GSL with this seed, freed with the arena. Fails with SB_NO_MEMORY. */
int sb_random(sb_arena *arena, unsigned long seed, gsl_rng **out);
