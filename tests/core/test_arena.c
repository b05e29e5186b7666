/* The arena owns objects of libraries: each is destroyed once, the last one first, while the arena's memory is still
 * there. */
#include <string.h>

#include <gsl/gsl_test.h>

#include <stepbench/context.h>

enum { OBJECTS = 3 };

typedef struct object {
    int number;
    const char *text; /* in the same arena */
    char *log;        /* outside it */
} object;

static void destroy(void *pointer) {
    const object *o = pointer;
    gsl_test(strcmp(o->text, "alive") != 0, "object %d is destroyed before the arena's memory", o->number);
    o->log[strlen(o->log)] = (char)('0' + o->number);
}

static int own(sb_arena *arena, int number, char *log) {
    object *o;
    SB_NEW(arena, o, 1);
    *o = (object){number, sb_strdup(arena, "alive"), log};
    return o->text == NULL ? SB_NO_MEMORY : sb_arena_own(arena, o, destroy);
}

int main(void) {
    sb_context ctx;
    sb_arena arena;
    char log[2 * OBJECTS + 1] = "";
    sb_context_init(&ctx);
    sb_arena_init(&arena, &ctx);
    for (int i = 0; i < OBJECTS; i++) {
        gsl_test(own(&arena, i, log) != SB_OK, "object %d is owned: %s", i, ctx.message);
    }
    gsl_test(log[0] != '\0', "nothing is destroyed before its time");
    sb_arena_free(&arena);
    gsl_test(strcmp(log, "210") != 0, "the last one first: %s", log);
    sb_arena_free(&arena);
    gsl_test(strcmp(log, "210") != 0, "each of them once: %s", log);

    memset(log, 0, sizeof log);
    ctx.alloc_budget = 2; /* the object and its text, but not what remembers it */
    gsl_test_int(own(&arena, 7, log), SB_NO_MEMORY, "an object that cannot be owned");
    gsl_test(strcmp(log, "7") != 0, "is destroyed at once: %s", log);
    sb_arena_free(&arena);
    gsl_test(strcmp(log, "7") != 0, "and once: %s", log);
    return gsl_test_summary();
}
