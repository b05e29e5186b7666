/* Records error sentences in a context, and allocates from the arena of a run. */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <stepbench/context.h>

#include "core/base/grow.h"
#include "core/base/rounding.h"

void sb_context_init(sb_context *ctx) {
    memset(ctx, 0, sizeof *ctx);
    ctx->alloc_budget = -1;
}

int sb_fail(sb_context *ctx, int status, const char *format, ...) {
    const int rounding = sb_rounding_nearest();
    va_list args;
    va_start(args, format);
    vsnprintf(ctx->message, sizeof ctx->message, format, args);
    va_end(args);
    sb_rounding_restore(rounding);
    return status;
}

/* The header of a block; the objects follow at the next multiple of the alignment. One block per object lets valgrind
 * and the sanitizers detect an overrun of a single array. */
typedef struct sb_arena_block {
    struct sb_arena_block *next;
} sb_arena_block;

enum { ALIGNMENT = 64 };

typedef struct sb_arena_owned {
    struct sb_arena_owned *next;
    void *object;
    void (*destroy)(void *object);
} sb_arena_owned;

void sb_arena_init(sb_arena *arena, sb_context *ctx) { *arena = (sb_arena){.ctx = ctx}; }

int sb_arena_own(sb_arena *arena, void *object, void (*destroy)(void *object)) {
    sb_arena_owned *owned = sb_alloc(arena, 1, sizeof *owned);
    if (owned == NULL) {
        destroy(object);
        return SB_NO_MEMORY;
    }
    *owned = (sb_arena_owned){arena->owned, object, destroy};
    arena->owned = owned;
    return SB_OK;
}

void sb_arena_free(sb_arena *arena) {
    for (const sb_arena_owned *owned = arena->owned; owned != NULL; owned = owned->next) {
        owned->destroy(owned->object);
    }
    arena->owned = NULL;
    while (arena->blocks != NULL) {
        sb_arena_block *block = arena->blocks;
        arena->blocks = block->next;
        free(block);
    }
}

static void *out_of_memory(sb_context *ctx, size_t count, size_t size) {
    sb_fail(ctx, SB_NO_MEMORY, "out of memory: %zu objects of %zu bytes were asked for; a smaller problem may fit",
            count, size);
    return NULL;
}

/* AddressSanitizer, where the program or a plug-in is built with it: the numbers behind an array cannot be used then.
 */
__attribute__((weak)) void __asan_poison_memory_region(const volatile void *from, size_t bytes);

void *sb_alloc(sb_arena *arena, size_t count, size_t size) {
    sb_context *ctx = arena->ctx;
    if (ctx->alloc_budget == 0 || (size != 0 && count > (SIZE_MAX - 2 * ALIGNMENT) / size)) {
        return out_of_memory(ctx, count, size);
    }
    if (ctx->alloc_budget > 0) {
        ctx->alloc_budget--;
    }
    const size_t bytes = (ALIGNMENT + count * size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    sb_arena_block *block = aligned_alloc(ALIGNMENT, bytes);
    if (block == NULL) {
        return out_of_memory(ctx, count, size);
    }
    memset(block, 0, bytes);
    block->next = arena->blocks;
    arena->blocks = block;
    if (__asan_poison_memory_region != NULL) {
        const size_t used = ALIGNMENT + count * size;
        __asan_poison_memory_region((char *)block + used, bytes - used);
    }
    return (char *)block + ALIGNMENT;
}

char *sb_strdup(sb_arena *arena, const char *text) {
    const size_t size = strlen(text) + 1;
    char *copy = sb_alloc(arena, size, 1);
    if (copy != NULL) {
        memcpy(copy, text, size);
    }
    return copy;
}

void *sb_grown(sb_arena *arena, const void *list, size_t count, size_t room, size_t size) {
    void *grown = sb_alloc(arena, room, size);
    return grown != NULL && count > 0 ? memcpy(grown, list, count * size) : grown;
}

int sb_vectors(sb_arena *arena, size_t n, size_t count, sb_vector *const *vectors) {
    for (size_t k = 0; k < count; k++) {
        SB_NEW(arena, *vectors[k], n);
    }
    return SB_OK;
}

void sb_count_step(sb_context *ctx, sb_scalar t) {
    sb_own_steps *own = ctx->own_steps;
    ctx->substeps++;
    if (own == NULL) {
        return;
    }
    if (own->count == own->room) {
        const long room = own->room > 0 ? 2 * own->room : 64;
        sb_scalar *grown = sb_grown(own->arena, own->t, (size_t)own->count, (size_t)room, sizeof *grown);
        if (grown == NULL) {
            return;
        }
        own->t = grown;
        own->room = room;
    }
    own->t[own->count++] = t;
}
