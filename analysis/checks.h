/* The checks of a stepper, one list: `contract`, `physics` and `check` write its rows; cards, and the steppers with a
 * known fault, name them. */
#pragma once

#include "analysis/decision.h"

/* X(constant, name, claim, question, limit): `claim` is what a stepper must claim to be checked, SB_KEEPS_... or 0;
 * `limit` is the number to which the measured value is compared, with its reason. */
#define SB_CONTRACT_CHECKS(X)                                                                                          \
    X(INIT, "init", 0, "it can be set up for a system that it takes", "0 failures")                                    \
    X(RETURNS, "returns", 0, "it neither crashes nor runs for longer than allowed", "0 failures")                      \
    X(START, "start", 0, "it starts", "0 failures")                                                                    \
    X(STEPS, "steps", 0, "no step fails or gives a number that is not finite", "the number of steps")                  \
    X(INPUT, "input", 0, "a step does not change its input", "0 numbers")                                              \
    X(ARRAYS, "arrays", 0, "a step touches nothing beside the arrays of a state", "0 numbers")                         \
    X(REPEATABLE, "repeatable", 0, "the same step gives the same bits", "0 numbers")                                   \
    X(LENGTH, "length", 0, "steps end near q + h v, where velocities do not jump",                                     \
      "0.2, where steps of length 2 h have 1 and right ones vanish with h")                                            \
    X(CONTINUOUS, "continuous", 0, "also from -q and q + 2 pi", "0.2, likewise")                                       \
    X(ORDER_Q, "order of q", 0, "not below the claimed order, where the motion is smooth", "the claimed order")        \
    X(ORDER_V, "order of v", 0, "not below the claimed order, where the motion is smooth", "the claimed order")        \
    X(MULTIPLIERS, "multipliers", 0, "they tend to the exact ones",                                                    \
      "0.1 of their size at 1/32 of the first step: a wrong sign or factor has an error of their size")                \
    X(POSITIONS, "positions", 0, "with impacts or dry friction they tend to the exact ones", "0.1, likewise")          \
    X(POSITION, "position", SB_KEEPS_POSITION, "g = 0, if claimed", "8 eps of the terms")                              \
    X(TANGENCY, "tangency", SB_KEEPS_TANGENCY, "G v = 0, if claimed", "16 eps of the terms")                           \
    X(MOMENTUM, "momentum", SB_KEEPS_MOMENTA, "it is conserved, if claimed; the row has its name",                     \
      "the accumulated round-off")                                                                                     \
    X(ENERGY, "energy", SB_KEEPS_ENERGY, "it is conserved, if claimed", "the accumulated round-off")                   \
    X(REVERSIBILITY, "reversibility", SB_KEEPS_REVERSIBILITY, "a step back undoes a step, if claimed",                 \
      "the accumulated round-off")                                                                                     \
    X(CLAIMS, "claims", 0, "the runs that check claims come to their ends", "0 failures")
#define SB_PHYSICS_CHECKS(X)                                                                                           \
    X(PRECISION, "precision", 0, "its numbers have the bits that it claims", "0 failures")                             \
    X(BODIES, "length", 0, "a step moves the bodies for h", "the error of tiny steps")                                 \
    X(JOINTS, "joints", 0, "accelerations keep the joints and drivers, if there are any", "the error of tiny steps")   \
    X(ACCELERATIONS, "accelerations", 0, "they are those of the bodies, springs and forces",                           \
      "the error of tiny steps")                                                                                       \
    X(GAPS, "gaps", 0, "shapes touch where their gap is 0; measured over the smallest length of the two",              \
      "0.02, where a radius that is wrong by a tenth has 0.1")                                                         \
    X(RESTITUTION, "restitution", 0, "an impact ends with the restitution of the contact",                             \
      "0.03: the body turns by less in five steps of a thousandth of the time in which a shape is crossed")            \
    X(FRICTION, "friction", 0, "friction of a fast slip over the normal force is the coefficient of the contact",      \
      "0.03 and a part of 0.03, likewise")

typedef enum sb_check_id {
    SB_CHECK_NONE,
#define SB_CHECK_ENUM(constant, ...) SB_CHECK_##constant,
    SB_CONTRACT_CHECKS(SB_CHECK_ENUM) SB_PHYSICS_CHECKS(SB_CHECK_ENUM)
#undef SB_CHECK_ENUM
} sb_check_id;

extern const char *const sb_check_name[]; /* "" of SB_CHECK_NONE */
extern const unsigned sb_check_claim[];

/* Returns whether a row of this name is of the check: that of an order is of q or of v, and what is not in the list is
 * the name of a momentum. */
bool sb_check_is(const char *name, sb_check_id check);

typedef struct sb_check_result {
    sb_check_id check;
    const char *name;   /* of the row; NULL: that of the check */
    sb_decision passed; /* unclear: `remedy` says what would decide */
    double measured, allowed;
    const char *remedy; /* NULL: other steps, against round-off; of a check that passed: a remark */
} sb_check_result;

/* Writes the row of a check. The message is that of a failure: what failed, and what to do. */
int sb_check_write(const sb_task *task, const sb_check_result *result, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The columns of the rows of a list of checks. */
#define SB_CHECK_QUESTION(constant, name, claim, question, limit) "; " name ": " question
#define SB_CHECK_LIMIT(constant, name, claim, question, limit) "; " name ": " limit
#define SB_STEPPER_CHECK_COLUMNS(checks)                                                                               \
    SB_COLUMN_PROBLEM, SB_COLUMN_STEPPER, {"check", SB_COL_KEY, "", "the check" checks(SB_CHECK_QUESTION)},            \
        {"verdict", SB_COL_INFO, "", "passed, failed, or unclear"}, {"measured", SB_COL_INFO, "", "measured value"},   \
        {"allowed", SB_COL_INFO, "", "limit of the measured value; empty: none" checks(SB_CHECK_LIMIT)},               \
        {"message", SB_COL_INFO, "", "the failure as a sentence, or what would decide an unclear verdict"},            \
        SB_COLUMN_STATUS
