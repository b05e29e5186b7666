/* Implicit Runge-Kutta methods: the orders of q, v and lambda in each form of the constraints, two-sided. */
#include "tests/steppers/orders.h"

/* hw96 VII.4: Radau IIA with s stages has orders 2 s - 1, s and s - 1 at index 3; 2 s - 1, 2 s - 1 and s at index 2 and
 * stabilised. */
static void check_radau(sb_context *ctx) {
    for (int s = 2; s <= 3; s++) {
        const struct {
            const char *index;
            orders known;
        } forms[] = {
            {"3", {{2 * s - 1, s, s - 1}}}, {"2", {{2 * s - 1, 2 * s - 1, s}}}, {"2s", {{2 * s - 1, 2 * s - 1, s}}}};
        for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
            char stepper[60];
            snprintf(stepper, sizeof stepper, "radau_iia:stages=%d,index=%s", s, forms[i].index);
            check_order(ctx, "dsp:m1=3,m2=0.8", NULL, stepper, forms[i].known, 0.3);
            check_order(ctx, "pendulum:constraint=norm,theta0=2", NULL, stepper, forms[i].known, 0.3);
        }
        char stepper[60];
        snprintf(stepper, sizeof stepper, "radau_iia:stages=%d", s);
        check_order(ctx, "dsp:m1=3,m2=0.8", "chart", stepper, BOTH(2 * s - 1), 0.3);
        check_order(ctx, "knife_edge", NULL, stepper, BOTH(2 * s - 1), 0.5);
        check_order(ctx, "slider_crank_3d", NULL, stepper, (orders){{2 * s - 1, 2 * s - 1, s}}, 0.3);
    }
}

int main(void) {
    sb_context ctx;
    sb_registry registry;
    sb_context_init(&ctx);
    gsl_test(sb_registry_init(&registry, &ctx) != SB_OK || sb_register_builtins(&registry) != SB_OK,
             "the built-ins register");
    check_radau(&ctx);
    sb_registry_free(&registry);
    return gsl_test_summary();
}
