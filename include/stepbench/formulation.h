/* A formulation: rewrites a system as another one with the same motion. */
#ifndef STEPBENCH_FORMULATION_H
#define STEPBENCH_FORMULATION_H

#include <stepbench/system.h>

/* A registered formulation: a system to another formulation of it. The core checks `needs` and has copied *inner to
 * *out. */
typedef struct sb_formulation {
    sb_entry entry;
    unsigned needs;   /* offers it relies on */
    unsigned removes; /* features it takes away: "try -w NAME" */
    unsigned adds;    /* features it may bring instead */
    unsigned refuses; /* features for which it is not defined */
    int (*init)(sb_context *ctx, sb_arena *arena, const void *config, const sb_system *inner, sb_system *out);
} sb_formulation;

#endif
