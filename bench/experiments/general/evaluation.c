/* The classes of problems on which verdicts are counted: other problems than those on which thresholds were chosen. */
#include <string.h>

#include "bench/check/systems.h"
#include "bench/experiments/general/classes.h"

/* One of the check systems, which have no parameters. */
static int check_system(sb_context *ctx, sb_arena *arena, const sb_problem_class *type, const double u[3],
                        sb_system *out) {
    int k = 0;
    (void)u;
    while (strcmp(sb_check_system_name(k), type->format) != 0) {
        k++;
    }
    return sb_check_system_make(ctx, arena, k, out);
}

int sb_evaluation_class_members(const sb_problem_class *type, int most) {
    return type->member == check_system ? 1 : most;
}

#define SYMPLECTIC "symplectic: the modified energy is conserved, hlw06 IX.8"
#define CONSERVING "conserves the energy by construction"
#define FIFTH "order 4, not symplectic: the energy changes by O(h^5) per unit of time, hlw06 IX"
#define FIRST "order 1, not symplectic: the energy changes by O(h) per unit of time, hlw06 IX"
#define THIRD "order 3, not symplectic: the energy changes by O(h^3) per unit of time, hlw06 IX"
#define DAMPING "damps high frequencies: on linear problems each step takes energy, hilber77, chung93"

const sb_problem_class sb_evaluation_classes[] = {
    {"FPUT chain",
     "stiff frequency",
     NULL,
     sb_problem_class_built_in,
     "fput:omega=%.9g",
     {10.0, 0.0, 0.0},
     {70.0, 1.0, 1.0},
     {{"verlet", false, SYMPLECTIC},
      {"euler_symplectic", false, SYMPLECTIC},
      {"midpoint", false, SYMPLECTIC},
      {"rk4", true, FIFTH}}},
    {"double pendulum",
     "angles, mass",
     NULL,
     sb_problem_class_built_in,
     "double_pendulum:theta1=%.9g,theta2=%.9g,m2=%.9g",
     {0.3, 0.2, 0.3},
     {2.4, 2.9, 3.0},
     {{"midpoint", false, SYMPLECTIC}, {"rk4", true, FIFTH}, {"euler_explicit", true, FIRST}}},
    {"outer solar system",
     "number of planets",
     NULL,
     sb_problem_class_built_in,
     "outer_solar_system:planets=%.0f",
     {1.6, 0.0, 0.0},
     {5.4, 1.0, 1.0},
     {{"verlet", false, SYMPLECTIC},
      {"euler_symplectic", false, SYMPLECTIC},
      {"rkn:table=calvo_sanz_serna4", false, SYMPLECTIC},
      {"rkn", true, FIFTH},
      {"rk4", true, FIFTH}}},
    {"Andrews' mechanism",
     "torque, stiffness",
     NULL,
     sb_problem_class_built_in,
     "andrews:mom=%.9g,c0=%.9g",
     {0.02, 3000.0, 0.0},
     {0.05, 6000.0, 1.0},
     {{"del", false, SYMPLECTIC}}},
    {"rods",
     "angle, mass",
     NULL,
     sb_problem_class_built_in,
     "rod_chain:n=2,theta0=%.9g,m=%.9g",
     {0.2, 0.5, 0.0},
     {2.5, 5.0, 1.0},
     {{"shake", false, SYMPLECTIC},
      {"del:quadrature=left", false, SYMPLECTIC},
      {"em", false, CONSERVING},
      {"radau_iia", true, THIRD}}},
    {"rods in their angles",
     "angle, mass",
     "chart",
     sb_problem_class_built_in,
     "rod_chain:n=2,theta0=%.9g,m=%.9g",
     {0.2, 0.5, 0.0},
     {2.5, 5.0, 1.0},
     {{"midpoint", false, SYMPLECTIC}, {"rk4", true, FIFTH}}},
    {"star",
     "angle, mass",
     NULL,
     sb_problem_class_built_in,
     "star:arms=2,theta0=%.9g,m=%.9g",
     {0.2, 0.5, 0.0},
     {2.5, 5.0, 1.0},
     {{"rattle", false, SYMPLECTIC}}},
    {"thread",
     "angle, last mass",
     NULL,
     sb_problem_class_built_in,
     "thread:n=2,angle=%.9g,end_mass=%.9g",
     {0.1, 0.3, 0.0},
     {1.5, 4.0, 1.0},
     {{"shake", false, SYMPLECTIC}, {"rattle", false, SYMPLECTIC}}},
    {"quartic spring",
     "one",
     NULL,
     check_system,
     "check.quartic",
     {0.0, 0.0, 0.0},
     {1.0, 1.0, 1.0},
     {{"yoshida4(verlet)", false, SYMPLECTIC},
      {"gauss", false, SYMPLECTIC},
      {"em", false, CONSERVING},
      {"rk4", true, FIFTH},
      {"euler_implicit", true, FIRST}}},
    {"oblique coordinates",
     "one",
     NULL,
     check_system,
     "check.oblique",
     {0.0, 0.0, 0.0},
     {1.0, 1.0, 1.0},
     {{"newmark", false, CONSERVING}, {"hht", true, DAMPING}, {"generalized_alpha", true, DAMPING}}},
    {"polar coordinates",
     "one",
     NULL,
     check_system,
     "check.mass",
     {0.0, 0.0, 0.0},
     {1.0, 1.0, 1.0},
     {{"midpoint", false, SYMPLECTIC}, {"gauss", false, SYMPLECTIC}, {"rk4", true, FIFTH}}},
    {"catenary", "one", NULL, check_system, "check.curved", {0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}, {{NULL, false, NULL}}},
};
const int sb_evaluation_class_count = sizeof sb_evaluation_classes / sizeof *sb_evaluation_classes;
