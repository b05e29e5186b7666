/* Memory and errors: all memory of a run comes from one arena and is freed at once; a failure is a sentence. */
#ifndef STEPBENCH_ARENA_H
#define STEPBENCH_ARENA_H

#include <stdbool.h>
#include <stddef.h>

#include <stepbench/scalar.h>
#include <stepbench/status.h>

typedef struct sb_context sb_context; /* context.h */
typedef struct sb_arena sb_arena;

/* Records the formatted sentence in ctx and returns `status`, so that a failure reads `return sb_fail(ctx, ...)`: what
 * failed, where, which value, and what would work. */
int sb_fail(sb_context *ctx, int status, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Returns `count` zeroed objects of `size` bytes, aligned to 64 bytes; a valid pointer for a count of 0. Returns NULL
 * (message in the context) when memory or the budget is exhausted: the caller returns SB_NO_MEMORY. */
void *sb_alloc(sb_arena *arena, size_t count, size_t size);

/* Sets `pointer` to `n` zeroed objects of its type; without memory the calling function returns SB_NO_MEMORY. */
#define SB_NEW(arena, pointer, n)                                                                                      \
    do {                                                                                                               \
        (pointer) = sb_alloc((arena), (size_t)(n), sizeof *(pointer));                                                 \
        if ((pointer) == NULL) {                                                                                       \
            return SB_NO_MEMORY;                                                                                       \
        }                                                                                                              \
    } while (0)

typedef sb_scalar *sb_vector;
/* Sets each of the `count` pointers to `n` zeroed numbers from the arena. Returns SB_NO_MEMORY without memory. */
int sb_vectors(sb_arena *arena, size_t n, size_t count, sb_vector *const *vectors);

/* The same for the addresses of pointers given one by one: SB_TRY(SB_VECTORS(arena, n, &q, &v)). */
#define SB_VECTORS(arena, n, ...)                                                                                      \
    sb_vectors((arena), (size_t)(n), sizeof((sb_vector *[]){__VA_ARGS__}) / sizeof(sb_vector *),                       \
               (sb_vector *[]){__VA_ARGS__})

#endif
