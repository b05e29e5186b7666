/* The plug-in of the solvers of SUNDIALS: cvode, arkode, ida. */
#include "bench/sundials/solver.h"

#define RTOL                                                                                                           \
    SB_PARAM_REAL(                                                                                                     \
        config, rtol, "1e-8", 1e-14, 0.1, SB_CLOSED, "",                                                               \
        "local error of a step over the size of the motion, the larger of |q| and time_scale |v| at the start")

enum {
    TERMS = SB_HAS_FORCE | SB_HAS_VARIABLE_MASS | SB_HAS_HOLONOMIC | SB_HAS_CURVED_HOLONOMIC | SB_HAS_RHEONOMIC |
            SB_HAS_TIME_POTENTIAL
};

static const sb_param cvode_params[] = {
    SB_PARAM_CHOICE(config, method, "adams", "adams|bdf", "Adams-Moulton or backward differentiation formulas"),
    RTOL,
    {.name = NULL}};

static const sb_param arkode_params[] = {
    SB_PARAM_INT(config, order, "8", 2.0, 8.0, "order of the pair"), RTOL, {.name = NULL}};

static const sb_param ida_params[] = {
    SB_PARAM_CHOICE(config, index, "2s", "1|2s", "form of the constraints: index 1, or stabilised index 2"),
    RTOL,
    {.name = NULL}};

/* The errors of an Adams method or BDF of order k are O(rtol^(k/(k + 1))), the errors of a pair whose better formula is
 * used are O(rtol). */
SB_DEFINE_STEPPER(cvode) = {
    .entry = {"cvode", "CVODE of SUNDIALS: Adams and BDF methods of variable order", "hindmarsh05 2.1", cvode_params,
              sizeof(config)},
    .order = 5,
    .supports = TERMS | SB_HAS_NONHOLONOMIC | SB_HAS_SINGULAR_MASS,
    .keeps = SB_KEEPS_POSITION | SB_KEEPS_TANGENCY,
    .control = {"rtol", 5.0 / 6.0},
    .init = cvode_init,
    .step = cvode_step,
    .report = solver_report,
};

SB_DEFINE_STEPPER(arkode) = {
    .entry = {"arkode", "ARKODE of SUNDIALS: embedded Runge-Kutta pairs of order 2 to 8", "reynolds23", arkode_params,
              sizeof(config)},
    .order = 8,
    .supports = TERMS | SB_HAS_NONHOLONOMIC | SB_HAS_SINGULAR_MASS,
    .keeps = SB_KEEPS_POSITION | SB_KEEPS_TANGENCY,
    .control = {"rtol", 1.0},
    .init = arkode_init,
    .step = arkode_step,
    .report = solver_report,
};

SB_DEFINE_STEPPER(ida) = {
    .entry = {"ida", "IDA of SUNDIALS: BDF on the equations of index 1 or stabilised index 2", "hindmarsh05 2.2",
              ida_params, sizeof(config)},
    .order = 5,
    .supports = TERMS | SB_HAS_NONHOLONOMIC,
    .control = {"rtol", 5.0 / 6.0},
    .init = ida_init,
    .step = ida_step,
};
