/* Every state in the tables of digits is that of the program: q, v and lambda as `run` reports them. */
#include "core/run/run.h"
#include "tests/digits/table.h"

enum { VALUES = 64, KINDS = 3 };
static const char *const kinds[KINDS] = {"q", "v", "lambda"};

/* The values of a state, by kind. */
typedef struct state {
    int count[KINDS];
    sb_scalar x[KINDS][VALUES];
} state;

typedef struct checker {
    sb_context ctx;
    sb_registry registry;
    digits_row row; /* the first of the rows of `expected`; without words before the first state */
    state expected;
    long states;
} checker;

static long steps_of(const checker *me) { return strtol(me->row.word[STEPS], NULL, 10); }

typedef struct observation {
    const checker *me;
    const sb_system *sys;
    state at;
} observation;

static void copy(int count, const sb_scalar *from, int kind, state *to) {
    to->count[kind] = count;
    memcpy(to->x[kind], from, (size_t)count * sizeof *from);
}

static int observe(void *arg, const sb_sample *sample) {
    observation *o = arg;
    if (sample->step == steps_of(o->me)) {
        copy(o->sys->n, sample->q, 0, &o->at);
        copy(o->sys->n, sample->v, 1, &o->at);
        if (sample->lambda != NULL) {
            copy(sb_system_multipliers(o->sys), sample->lambda, 2, &o->at);
        }
    }
    return SB_OK;
}

/* Runs the pair of the row. */
static int run(checker *me, sb_arena *arena, sb_scalar h, observation *o) {
    const char *const *word = me->row.word;
    sb_system *sys;
    sb_method method = {0};
    SB_NEW(arena, sys, 1);
    SB_TRY(sb_system_build(&me->ctx, arena, word[PROBLEM], word[FORMULATION][0] != '\0', &word[FORMULATION], sys));
    SB_TRY(sb_method_build(&me->ctx, arena, word[STEPPER], sys, &method));
    *o = (observation){.me = me, .sys = sys};
    const long steps = steps_of(me);
    sb_run run = {.h = h, .steps = steps > 0 ? steps : 1, .every = 1, .multipliers = me->expected.count[2] > 0};
    return sb_run_method(&method, &run, observe, o);
}

/* A step commits some hundred roundings: of positions, each eps |q|, and of velocities, of forces, and of the solution
 * of a linear system, whose effect on q is smaller by h, h^2 or the condition of the scaled matrix. Five steps stay
 * below 450 eps, 1e-13 in double precision; the tables have 30 digits. A velocity is a difference of positions over h
 * where a method computes it so, and a multiplier a difference of velocities over h. Newton's iterations end after a
 * correction below the root of eps, and leave an error of the order of its square. Bounds of friction are iterated to
 * 1e-10 of the largest one, and rows of contacts to 1e-11 of their terms (contact_solve.c); steps and the condition of
 * the rows add some of these. */
static sb_scalar bound(const checker *me, const sb_system *sys, sb_scalar h, int kind) {
    const state *s = &me->expected;
    const sb_scalar rounding = sys->contact.m + sys->contact.k > 0 ? 1e-9 : 450.0 * SB_EPSILON + 1e-29;
    sb_scalar error = 0.0;
    expect(me->row.word[ERROR] == NULL || sb_parse_real(me->row.word[ERROR], &error), "an error is no number");
    const sb_scalar q = sb_norm_max(s->count[0], s->x[0]), v = sb_norm_max(s->count[1], s->x[1]),
                    lambda = sb_norm_max(s->count[2], s->x[2]);
    return (rounding + error) * (kind == 0 ? q + h * v : kind == 1 ? v + q / h : lambda + (v + q / h) / h);
}

/* Compares the rows of a state, which are complete. */
static void check(checker *me) {
    const char *const *word = me->row.word;
    sb_arena arena;
    observation o;
    sb_scalar h = 0.0;
    if (word[0] == NULL || (SB_PRECISION == 2 && strncmp(word[STEPPER], "odeiv2", 6) == 0)) { /* GSL has doubles */
        return;
    }
    sb_arena_init(&arena, &me->ctx);
    expect(sb_parse_real(word[LENGTH], &h), "%s is no length", word[LENGTH]);
    const int status = run(me, &arena, h, &o);
    expect(status == SB_OK, "%s on %s: %s", word[STEPPER], word[PROBLEM], me->ctx.message);
    for (int k = 0; status == SB_OK && k < KINDS; k++) {
        const int count = me->expected.count[k];
        expect(count == 0 || count == o.at.count[k], "%s on %s has %d values of %s, not %d", word[STEPPER],
               word[PROBLEM], o.at.count[k], kinds[k], count);
        const sb_scalar allowed = bound(me, o.sys, h, k);
        for (int i = 0; i < count; i++) {
            const sb_scalar got = o.at.x[k][i], wanted = me->expected.x[k][i];
            expect(fabs(got - wanted) <= allowed,
                   "%s on %s, h=%s, step %s: %s%d is %.17g, off the table by %.2g of %.2g", word[STEPPER],
                   word[PROBLEM], word[LENGTH], word[STEPS], kinds[k], i, (double)got, (double)(got - wanted),
                   (double)allowed);
        }
    }
    me->states++;
    sb_arena_free(&arena);
}

/* The values of a state follow one another. */
static void visit(void *arg, const digits_row *row) {
    checker *me = arg;
    if (!digits_same_state(&me->row, row)) {
        check(me);
        digits_copy(row, &me->row);
        me->expected = (state){0};
    }
    const char *quantity = row->word[QUANTITY];
    for (int k = 0; k < KINDS; k++) {
        const size_t length = strlen(kinds[k]);
        int *count = &me->expected.count[k];
        char *end;
        if (strncmp(quantity, kinds[k], length) == 0 && strtol(quantity + length, &end, 10) == *count && *end == '\0' &&
            *count < VALUES) {
            sb_scalar *x = &me->expected.x[k][(*count)++];
            expect(sb_parse_real(row->word[VALUE], x), "%s is no number", row->word[VALUE]);
            return;
        }
    }
    expect(false, "%s on %s: no quantity %s here", row->word[STEPPER], row->word[PROBLEM], quantity);
}

int main(void) {
    static checker me;
    digits_register(&me.ctx, &me.registry);
    digits_read(visit, &me);
    check(&me);
    expect(me.states > 0, "no states");
    printf("%ld states, %d failures\n", me.states, failures);
    sb_registry_free(&me.registry);
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
