/* Methods of high order: the order conditions of the compositions' coefficients, and the order of every composition and
 * of Gauss collocation, two-sided, with and without constraints. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <gsl/gsl_test.h>

#include "tests/steppers/orders.h"

typedef struct scheme {
    const char *name;
    int order;
    int outer;
    double c[16];
} scheme;

static const scheme schemes[] = {
#define SB_COMPOUND(name)
#define SB_COMPOSITION(name, order, ref, brief, ...)                                                                   \
    {#name, order, sizeof((double[]){__VA_ARGS__}) / sizeof(double), {__VA_ARGS__}},
#include "integrators/compounds.def"
};

enum { SCHEMES = sizeof schemes / sizeof *schemes };

/* Sums of c_i^k: the composition of a base with error terms h^3, h^5, ... has no h^k of its own where they vanish
 * (hlw06 V.3.1; necessary for every base). A term is rounded to eps times its size, and inherits k eps |c|^k of its
 * coefficient.
 */
static void check_powers(const scheme *s) {
    double middle = 1.0;
    for (int i = 0; i < s->outer; i++) {
        middle -= 2.0 * s->c[i];
    }
    for (int k = 3; k < s->order + 2; k += 2) {
        double sum = pow(middle, k), size = fabs(sum);
        for (int i = 0; i < s->outer; i++) {
            sum += 2.0 * pow(s->c[i], k);
            size += 2.0 * fabs(pow(s->c[i], k));
        }
        const double round_off = DBL_EPSILON * size * (k + 1.0) * (2.0 * s->outer + 1.0);
        gsl_test(k < s->order ? !(fabs(sum) <= round_off) : !(fabs(sum) > round_off),
                 "%s: the sum of c^%d is %.2g, round-off %.2g, order %d", s->name, k, sum, round_off, s->order);
    }
}

/* One problem for each base: a foreign eccentric orbit, unequal masses on constraints, a tumbling body, coordinates
 * with a varying mass. */
static void check_orders(sb_context *ctx, const scheme *s) {
    static const struct {
        const char *base, *problem, *formulation;
        double coarsest;
    } cases[] = {{"verlet", "kepler:e=0.35", NULL, 0.05},
                 {"rattle", "dsp:m1=3,m2=0.8", NULL, 0.024},
                 {"dvp", "rigid_body:w1=1,w2=0.4,w3=-1", NULL, 0.05},
                 {"midpoint", "dsp:m1=3,m2=0.8", "chart", 0.03}};
    double middle = 1.0, largest = 0.0;
    for (int i = 0; i < s->outer; i++) {
        middle -= 2.0 * s->c[i];
        largest = fmax(largest, fabs(s->c[i]));
    }
    /* At the coarsest step the largest one of the base is twelve times that of the case. */
    const double steps = fmin(2.0 * s->outer + 1.0, 12.0 / fmax(largest, fabs(middle)));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char stepper[80];
        snprintf(stepper, sizeof stepper, "%s(%s)", s->name, cases[i].base);
        check_order(ctx, cases[i].problem, cases[i].formulation, stepper, BOTH(s->order), cases[i].coarsest * steps);
    }
}

/* Gauss collocation is of order 2 s on an orbit and where the mass varies. */
static void check_gauss(sb_context *ctx) {
    for (int s = 1; s <= 5; s++) {
        char stepper[40];
        snprintf(stepper, sizeof stepper, "gauss:stages=%d", s);
        check_order(ctx, "kepler:e=0.35", NULL, stepper, BOTH(2 * s), 0.1 * s);
        if (s < 5) { /* at the next one's steps the reference is no better */
            check_order(ctx, "dsp:m1=3,m2=0.8", "chart", stepper, BOTH(2 * s), 0.06 * s);
        }
    }
}

/* What does not fit is refused with a sentence that names it; a glob stands for what fits. */
static void check_grammar(sb_context *ctx) {
    static const struct {
        const char *text, *part;
        int status;
    } cases[] = {{"yoshida4(rk4)", "rk4", SB_UNSUPPORTED},         {"yoshida4(shake)", "shake", SB_UNSUPPORTED},
                 {"yoshida4(verlet", "parenthesis", SB_BAD_USAGE}, {"yoshda4(verlet)", "yoshida4", SB_BAD_USAGE},
                 {"yoshida4(verlett)", "verlet", SB_BAD_USAGE},    {"yoshida4", "compound", SB_BAD_USAGE},
                 {"yoshida4()", "stepper", SB_BAD_USAGE},          {"yoshida4(rattle):tol=2", "tol", SB_BAD_USAGE}};
    sb_arena arena;
    sb_spec spec;
    sb_specs specs;
    sb_arena_init(&arena, ctx);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const int status = sb_spec_parse(ctx, &arena, SB_KIND_STEPPER, cases[i].text, &spec);
        gsl_test(status != cases[i].status || strstr(ctx->message, cases[i].part) == NULL, "%s is refused (%d): %s",
                 cases[i].text, status, ctx->message);
    }
    const char *glob = "*4(r*)";
    gsl_test(sb_specs_parse(ctx, &arena, SB_KIND_STEPPER, 1, &glob, &specs) != SB_OK || specs.count != 2 ||
                 strcmp(specs.list[0].text, "yoshida4(rattle)") != 0,
             "%s stands for %d steppers, one of them yoshida4(rattle)", glob, specs.count);
    gsl_test(sb_spec_parse(ctx, &arena, SB_KIND_STEPPER, "yoshida4(suzuki4(rattle)):maxit=7", &spec) != SB_OK ||
                 strstr(sb_spec_resolved(&arena, &spec), "maxit=7") == NULL,
             "compounds nest, and take the parameters of the base: %s", sb_spec_resolved(&arena, &spec));
    sb_arena_free(&arena);
}

int main(void) {
    sb_context ctx;
    sb_registry registry;
    sb_context_init(&ctx);
    gsl_test(sb_registry_init(&registry, &ctx) != SB_OK || sb_register_builtins(&registry) != SB_OK,
             "the built-ins register");
    for (int i = 0; i < SCHEMES; i++) {
        check_powers(&schemes[i]);
        check_orders(&ctx, &schemes[i]);
    }
    check_gauss(&ctx);
    check_grammar(&ctx);
    sb_registry_free(&registry);
    return gsl_test_summary();
}
