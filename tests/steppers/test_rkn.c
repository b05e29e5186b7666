/* The orders of the explicit Nystrom methods, two-sided: rkn on an orbit, splitting on an orbit that no symmetry of the
 * motion favours and with a potential that depends on time. tests/precision/test_quad_conditions.c has their order
 * conditions. */
#include "tests/steppers/orders.h"

typedef struct method {
    const char *stepper, *problem;
    int order;
    double coarsest;
} method;

static const method methods[] = {
#define SB_RKN(name, order, symplectic, stages, c, b, b_bar, a_bar) {"rkn:table=" #name, "kepler:e=0.35", order, 0.1},
#include "integrators/rkn.def"
#define SB_SPLITTING(name, order, first, symmetric, stages, ref, outer, inner)                                         \
    {"splitting:method=" #name, "henon_heiles:vx0=0.3,vy0=0.2", order, 0.05 * (stages) * (order)},                     \
        {"splitting:method=" #name, "paul_trap", order, 0.02 * (stages) * (order)},
#include "integrators/splittings.def"
};

int main(void) {
    sb_context ctx;
    sb_registry registry;
    sb_context_init(&ctx);
    gsl_test(sb_registry_init(&registry, &ctx) != SB_OK || sb_register_builtins(&registry) != SB_OK,
             "the built-ins register");
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        check_order(&ctx, methods[i].problem, NULL, methods[i].stepper, BOTH(methods[i].order), methods[i].coarsest);
    }
    sb_registry_free(&registry);
    return gsl_test_summary();
}
