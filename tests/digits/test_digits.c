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
    const digits_row *row;
    state expected;
    long states, pairs; /* compared; of these runs from two points */
} checker;

typedef struct observation {
    long step;
    const sb_system *sys;
    state at;
    sb_scalar first[VALUES], second[VALUES]; /* q before and after the first step */
} observation;

static void copy(int count, const sb_scalar *from, int kind, state *to) {
    to->count[kind] = count;
    memcpy(to->x[kind], from, (size_t)count * sizeof *from);
}

static int observe(void *arg, const sb_sample *sample) {
    observation *o = arg;
    const int n = o->sys->n;
    if (sample->step <= 1) {
        memcpy(sample->step == 0 ? o->first : o->second, sample->q, (size_t)n * sizeof *sample->q);
    }
    if (sample->step == o->step) {
        copy(n, sample->q, 0, &o->at);
        copy(n, sample->v, 1, &o->at);
        if (sample->lambda != NULL) {
            copy(sb_system_multipliers(o->sys), sample->lambda, 2, &o->at);
        }
    }
    return SB_OK;
}

static int build(checker *me, sb_arena *arena, sb_system **sys, sb_method *method) {
    const char *const *word = me->row->word;
    SB_NEW(arena, *sys, 1);
    SB_TRY(sb_system_build(&me->ctx, arena, word[PROBLEM], word[FORMULATION][0] != '\0', &word[FORMULATION], *sys));
    return sb_method_build(&me->ctx, arena, word[STEPPER], *sys, method);
}

/* Runs the pair of the row from its start; with `from_pair` from the first two points of that run. */
static int run(checker *me, sb_method *method, sb_scalar h, bool from_pair, observation *o) {
    sb_run run = {.h = h,
                  .steps = o->step > 0 ? o->step : 1,
                  .every = 1,
                  .q0 = from_pair ? o->first : NULL,
                  .q1 = from_pair ? o->second : NULL,
                  .multipliers = me->expected.count[2] > 0};
    return sb_run_method(method, &run, observe, o);
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
    expect(me->row->word[ERROR][0] == '\0' || sb_parse_real(me->row->word[ERROR], &error), "an error is no number");
    const sb_scalar q = sb_norm_max(s->count[0], s->x[0]), v = sb_norm_max(s->count[1], s->x[1]),
                    lambda = sb_norm_max(s->count[2], s->x[2]);
    return (rounding + error) * (kind == 0 ? q + h * v : kind == 1 ? v + q / h : lambda + (v + q / h) / h);
}

static void compare(const checker *me, const observation *o, sb_scalar h, const char *from) {
    const char *const *word = me->row->word;
    for (int k = 0; k < KINDS; k++) {
        const int count = me->expected.count[k];
        expect(count == 0 || count == o->at.count[k], "%s on %s has %d values of %s, not %d", word[STEPPER],
               word[PROBLEM], o->at.count[k], kinds[k], count);
        const sb_scalar allowed = bound(me, o->sys, fabs(h), k);
        for (int i = 0; i < count; i++) {
            const sb_scalar got = o->at.x[k][i], wanted = me->expected.x[k][i];
            expect(fabs(got - wanted) <= allowed,
                   "%s on %s, h=%s, step %s%s: %s%d is %.17g, off the table by %.2g of %.2g", word[STEPPER],
                   word[PROBLEM], word[LENGTH], word[STEPS], from, kinds[k], i, (double)got, (double)(got - wanted),
                   (double)allowed);
        }
    }
}

/* Reads numbers between blanks. */
static void read_values(const char *text, int kind, state *to) {
    char word[DIGITS_LINE];
    for (const char *c = text; *c != '\0'; c += *c == ' ') {
        const size_t length = strcspn(c, " ");
        snprintf(word, sizeof word, "%.*s", (int)length, c);
        expect(to->count[kind] < VALUES && sb_parse_real(word, &to->x[kind][to->count[kind]++]), "%s is no number",
               word);
        c += length;
    }
}

/* A two-step method started from two points of its own run is on the same run; with geometric stiffness, which needs
 * the multipliers of the step before, it is not. */
static void visit(void *arg, const digits_row *row) {
    checker *me = arg;
    const char *const *word = row->word;
    sb_arena arena;
    sb_system *sys = NULL;
    sb_method method = {0};
    sb_scalar h = 0.0;
    observation o = {.step = strtol(word[STEPS], NULL, 10)};
    if (SB_PRECISION == 2 && strncmp(word[STEPPER], "odeiv2", 6) == 0) { /* GSL has doubles */
        return;
    }
    me->row = row;
    me->expected = (state){0};
    for (int k = 0; k < KINDS; k++) {
        read_values(word[Q + k], k, &me->expected);
    }
    expect(sb_parse_real(word[LENGTH], &h), "%s is no length", word[LENGTH]);
    sb_arena_init(&arena, &me->ctx);
    int status = build(me, &arena, &sys, &method);
    o.sys = sys;
    status = status == SB_OK ? run(me, &method, h, false, &o) : status;
    expect(status == SB_OK, "%s on %s: %s", word[STEPPER], word[PROBLEM], me->ctx.message);
    if (status == SB_OK) {
        compare(me, &o, h, "");
        me->states++;
    }
    if (status == SB_OK && o.step > 1 && method.type->start_pair != NULL &&
        strstr(word[STEPPER], "geometric") == NULL) {
        status = run(me, &method, h, true, &o);
        expect(status == SB_OK, "%s on %s from two points: %s", word[STEPPER], word[PROBLEM], me->ctx.message);
        compare(me, &o, h, " from two points");
        me->pairs++;
    }
    sb_arena_free(&arena);
}

int main(void) {
    static checker me;
    digits_register(&me.ctx, &me.registry);
    digits_read(visit, &me);
    expect(me.states > 0 && me.pairs > 0, "no states");
    printf("%ld states, %ld from two points, %d failures\n", me.states, me.pairs, failures);
    sb_registry_free(&me.registry);
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
