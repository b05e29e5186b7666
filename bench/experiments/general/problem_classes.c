/* Classes of problems and the methods that are compared on each. */
#include "bench/experiments/general/problem_classes.h"

/* From a tenth of the time scale to 1/80: methods of order eight then come to round-off. */
static const char *const options = "levels=4,tol=[1e-3,1e-5,1e-7,1e-9]";

#define SB_FREE                                                                                                        \
    SB_LIST("verlet", "rk4", "rkn", "yoshida4(verlet)", "kahan_li8(verlet)", "gauss:stages=4", "odeiv2",               \
            "odeiv2:method=rkf45", "adaptive(verlet)", "adaptive_reversible(kahan_li8(verlet))")
#define SB_CONSTRAINED                                                                                                 \
    SB_LIST("rattle", "yoshida4(rattle)", "kahan_li8(rattle)", "lobatto_iiia_b", "radau_iia", "generalized_alpha",     \
            "bdf", "projection(rk4)", "odeiv2", "odeiv2:method=rkf45")
#define SB_MULTIBODY                                                                                                   \
    SB_LIST("radau_iia", "bdf", "generalized_alpha", "projection(rk4)", "odeiv2", "odeiv2:method=rkf45")

#define SB_NONHOLONOMIC SB_LIST("radau_iia", "bdf", "projection(rk4)", "odeiv2", "odeiv2:method=rkf45")

int sb_bench_problem_classes(sb_bench *bench, sb_table *out) {
    const struct {
        const char *problem;
        const char *const *steppers;
    } classes[] = {{"kepler:e=0.6", SB_FREE},    {"outer_solar_system", SB_FREE}, {"fput", SB_FREE},
                   {"pendulum", SB_CONSTRAINED}, {"dsp", SB_CONSTRAINED},         {"ladder:N=1", SB_CONSTRAINED},
                   {"andrews", SB_MULTIBODY},    {"car_axis", SB_NONHOLONOMIC},   {"heavy_top", SB_MULTIBODY}};
    *out = (sb_table){0};
    for (size_t k = 0; k < sizeof classes / sizeof *classes; k++) {
        SB_TRY(
            sb_bench_analyse_more(bench, "workprec", options, SB_LIST(classes[k].problem), classes[k].steppers, out));
    }
    return SB_OK;
}
