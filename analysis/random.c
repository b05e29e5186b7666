/* Random numbers that an arena owns. */
#include "analysis/random.h"

static void free_generator(void *generator) { gsl_rng_free(generator); }

int sb_random(sb_arena *arena, unsigned long seed, gsl_rng **out) {
    *out = gsl_rng_alloc(gsl_rng_mt19937);
    if (*out == NULL) {
        return sb_fail(arena->ctx, SB_NO_MEMORY, "out of memory for the random numbers");
    }
    gsl_rng_set(*out, seed);
    return sb_arena_own(arena, *out, free_generator);
}
