/* Arenas of a block. */
#ifndef STEPBENCH_CORE_BASE_SCRATCH_H
#define STEPBENCH_CORE_BASE_SCRATCH_H

#include <stepbench/context.h>

/* Declares an arena that is freed when its block is left, also by SB_TRY and SB_NEW. */
#define SB_SCRATCH(arena, ctx)                                                                                         \
    sb_arena arena __attribute__((cleanup(sb_arena_free)));                                                            \
    sb_arena_init(&(arena), (ctx))

#endif
