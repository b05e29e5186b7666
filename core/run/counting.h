/* A system that counts the evaluations of its terms, for work-precision diagrams. */
#pragma once

#include <stepbench/system.h>

typedef struct sb_counts {
    long mass, force, hessian, constraint; /* M; V_q or f; any second derivative; g, G or A */
} sb_counts;

/* Sets `out` to `inner` with callbacks that count. The counts are added to *counts, which has to outlive `out`. */
int sb_system_counting(sb_context *ctx, sb_arena *arena, const sb_system *inner, sb_counts *counts, sb_system *out);
