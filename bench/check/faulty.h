/* Steppers with one known fault each, and the same method without a fault, by which the contract checks are tested. */
#pragma once

#include "analysis/checks.h"

/* X(constant, name, order, keeps, check, fault): `check` is the check that finds it (checks.h); NONE where there is no
 * fault. */
#define SB_FAULTY_LIST(X)                                                                                              \
    X(RIGHT, "right", 2, SB_KEEPS_POSITION | SB_KEEPS_TANGENCY, NONE, "none")                                          \
    X(NO_FORCE, "no_force", 2, 0, ORDER_Q, "leaves out f")                                                             \
    X(HALF_FORCE, "half_force", 2, 0, ORDER_Q, "takes half of f")                                                      \
    X(FORCE_AT_ZERO, "force_at_zero", 2, 0, ORDER_Q, "takes f at t = 0")                                               \
    X(FORCE_OLD_T, "force_old_t", 2, 0, ORDER_Q, "takes f at the time of the start of the step")                       \
    X(FORCE_OLD_Q, "force_old_q", 2, 0, ORDER_Q, "takes f at the position of the start of the step")                   \
    X(FORCE_OLD_V, "force_old_v", 2, 0, ORDER_Q, "takes f at the velocity of the start of the step")                   \
    X(NO_DRAG, "no_drag", 2, 0, ORDER_Q, "takes f at v = 0")                                                           \
    X(WRONG_GYRO, "wrong_gyro", 2, 0, ORDER_Q, "takes f at -v")                                                        \
    X(WEAK_SPRING, "weak_spring", 2, 0, ORDER_Q, "takes 0.99 of V_q")                                                  \
    X(CONSTANT_MASS, "constant_mass", 2, 0, ORDER_Q, "takes the mass matrix for constant")                             \
    X(NO_T_Q, "no_t_q", 2, 0, ORDER_Q, "leaves out T_q")                                                               \
    X(NO_CURVATURE, "no_curvature", 2, 0, ORDER_Q, "leaves out v' Hess g v")                                           \
    X(NO_HOLONOMIC, "no_holonomic", 2, 0, ORDER_Q, "leaves out holonomic rows")                                        \
    X(NO_POSITION, "no_position", 2, SB_KEEPS_POSITION, POSITION, "claims g = 0 and does not enforce it")              \
    X(NO_VELOCITY, "no_velocity", 2, SB_KEEPS_TANGENCY, TANGENCY, "claims G v = 0 and does not enforce it")            \
    X(NO_NONHOLONOMIC, "no_nonholonomic", 2, 0, ORDER_Q, "leaves out nonholonomic rows")                               \
    X(NO_DRIVER, "no_driver", 2, 0, ORDER_Q, "takes w = 0")                                                            \
    X(LAMBDA_SIGN, "lambda_sign", 2, 0, MULTIPLIERS, "reports -lambda")                                                \
    X(LAMBDA_IMPULSE, "lambda_impulse", 2, 0, MULTIPLIERS, "reports h lambda")                                         \
    X(LAMBDA_ZERO, "lambda_zero", 2, 0, MULTIPLIERS, "reports lambda = 0")                                             \
    X(WRITES_INPUT, "writes_input", 2, 0, INPUT, "writes to the state it starts from")                                 \
    X(REMEMBERS, "remembers", 2, 0, REPEATABLE, "keeps a number from step to step")                                    \
    X(READS_PAST, "reads_past", 2, 0, ARRAYS, "reads behind q")                                                        \
    X(WRITES_BEFORE, "writes_before", 2, 0, ARRAYS, "writes before v")                                                 \
    X(MAKES_NAN, "makes_nan", 2, 0, STEPS, "sets the last velocity to NaN after a time")                               \
    X(CRASHES, "crashes", 2, 0, RETURNS, "crashes after a time")                                                       \
    X(HANGS, "hangs", 2, 0, RETURNS, "does not return after a time")                                                   \
    X(EULER, "euler", 2, 0, ORDER_Q, "is of order 1 and claims 2")                                                     \
    X(CLAIMS_3, "claims_3", 3, 0, ORDER_Q, "is of order 2 and claims 3")                                               \
    X(CLAIMS_REVERSAL, "claims_reversal", 2, SB_KEEPS_REVERSIBILITY, REVERSIBILITY,                                    \
      "claims that a step back undoes a step")                                                                         \
    X(CLAIMS_ENERGY, "claims_energy", 2, SB_KEEPS_ENERGY, ENERGY, "claims to keep the energy")                         \
    X(CLAIMS_MOMENTA, "claims_momenta", 2, SB_KEEPS_MOMENTA, MOMENTUM, "claims to keep momenta")                       \
    X(NO_CONTACT, "no_contact", 2, 0, POSITIONS, "leaves out contacts")

typedef enum sb_fault {
#define SB_FAULT_ENUM(constant, name, order, keeps, check, text) SB_FAULT_##constant,
    SB_FAULTY_LIST(SB_FAULT_ENUM)
#undef SB_FAULT_ENUM
        SB_FAULT_COUNT
} sb_fault;

typedef struct sb_faulty {
    sb_stepper stepper;
    sb_fault fault;
    sb_check_id check;
    const char *text;
} sb_faulty;

extern const sb_faulty sb_faulty_list[SB_FAULT_COUNT];

/* Returns whether a stepper with this fault can run in the process of its caller: it neither crashes nor hangs, and
 * writes only to the arrays of the state. */
bool sb_faulty_ends(sb_fault fault);

/* Adds the steppers of the list to a registry. Fails like sb_registry_add. */
int sb_faulty_register(sb_registry *registry);
