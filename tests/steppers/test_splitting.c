/* The orders of the splitting methods, two-sided, on an orbit that no symmetry of the motion favours and with a
 * potential that depends on time. */
#include "tests/steppers/orders.h"

typedef struct splitting {
    const char *name;
    int order, flows;
} splitting;

static const splitting splittings[] = {
#define SB_SPLITTING(name, order, first, symmetric, stages, ref, outer, inner) {#name, order, stages},
#include "integrators/splittings.def"
#undef SB_SPLITTING
};

int main(void) {
    sb_context ctx;
    sb_registry registry;
    sb_context_init(&ctx);
    gsl_test(sb_registry_init(&registry, &ctx) != SB_OK || sb_register_builtins(&registry) != SB_OK,
             "the built-ins register");
    for (size_t i = 0; i < sizeof splittings / sizeof *splittings; i++) {
        char stepper[60];
        snprintf(stepper, sizeof stepper, "splitting:method=%s", splittings[i].name);
        check_order(&ctx, "henon_heiles:vx0=0.3,vy0=0.2", NULL, stepper, BOTH(splittings[i].order),
                    0.05 * splittings[i].flows * splittings[i].order);
        check_order(&ctx, "paul_trap", NULL, stepper, BOTH(splittings[i].order),
                    0.02 * splittings[i].flows * splittings[i].order);
    }
    sb_registry_free(&registry);
    return gsl_test_summary();
}
