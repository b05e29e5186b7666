/* The context of one thread: its last error message, its allocation budget, its interrupt flag; and the arena of a run.
 */
#ifndef STEPBENCH_CONTEXT_H
#define STEPBENCH_CONTEXT_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#include <stepbench/arena.h>

#define SB_MESSAGE_MAX 1024

struct sb_registry;

/* Receives how much of a command is done: `done` of `total` parts of about the same length, and what runs now. A result
 * other than 0 ends the command. */
typedef int (*sb_watch)(void *arg, double done, double total, const char *what);

/* Receives a sentence about data that are not used as they were given, as poses that the joints do not allow. */
typedef void (*sb_notice)(void *arg, const char *sentence);

/* The times at which own steps of a stepper with error control end. */
typedef struct sb_own_steps {
    struct sb_arena *arena;
    long count, room;
    sb_scalar *t;
} sb_own_steps;

/* One context per thread. Initialize it with sb_context_init; it owns nothing. */
struct sb_context {
    char message[SB_MESSAGE_MAX]; /* the last error as one sentence: what failed, where, which value, and what would
                                     work */
    long alloc_budget;            /* allocations still granted; negative: no limit (tests inject failures) */
    const volatile sig_atomic_t *interrupt; /* set by a signal handler, polled by sb_poll; NULL: never interrupted */
    const struct sb_registry *registry;     /* where names are looked up */
    long factorizations;                    /* of linear systems (saddle, Schur complement) so far: a measure of work */
    sb_watch watch;                         /* of commands that take long; NULL: none */
    void *watch_arg;
    long substeps, rejected; /* accepted and rejected steps of steppers with error control so far */
    long stalled;            /* iterations of Newton's method so far that ended in the round-off of their equations */
    sb_notice notice;        /* NULL: nobody */
    void *notice_arg;
    sb_own_steps *own_steps; /* receives the steps counted by sb_count_step; NULL: none */
};

void sb_context_init(sb_context *ctx);

/* Counts an accepted step of a stepper with error control that ends at t. Without memory the time is not kept. */
void sb_count_step(sb_context *ctx, sb_scalar t);

/* Returns whether the user has asked to stop the run. */
static inline bool sb_interrupted(const sb_context *ctx) { return ctx->interrupt != NULL && *ctx->interrupt; }

/* Returns SB_INTERRUPTED when the user has asked to stop the run. Every step polls it, and every other loop whose
 * length the user sets. */
static inline int sb_poll(sb_context *ctx) {
    return sb_interrupted(ctx) ? sb_fail(ctx, SB_INTERRUPTED, "interrupted") : SB_OK;
}

/* Bump allocator. */
struct sb_arena {
    sb_context *ctx;
    struct sb_arena_block *blocks;
    struct sb_arena_owned *owned; /* objects of libraries, the last one first */
};

void sb_arena_init(sb_arena *arena, sb_context *ctx);
void sb_arena_free(sb_arena *arena);

/* Declares an arena that is freed when its block is left, also by SB_TRY and SB_NEW. */
#define SB_SCRATCH(arena, ctx)                                                                                         \
    sb_arena arena __attribute__((cleanup(sb_arena_free)));                                                            \
    sb_arena_init(&(arena), (ctx))

/* Makes the arena own an object of a library: sb_arena_free calls destroy(object), the last one first and before it
 * frees any memory. Fails with SB_NO_MEMORY, after destroy(object). */
int sb_arena_own(sb_arena *arena, void *object, void (*destroy)(void *object));

/* Returns a copy of the string in the arena; NULL like sb_alloc. */
char *sb_strdup(sb_arena *arena, const char *text);

#endif
