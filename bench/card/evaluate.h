/* Runs the analyses of a card on pairs, each in its own process, and summarizes them in numbers. */
#pragma once

#include "bench/process/pairs.h"

/* The analyses of an evaluation: X(constant, name, options). A slope needs six levels, because the coarsest may fail on
 * a stiff problem; the seventh costs as much as all others together. Three digits of the stability limit are shown,
 * which needs 1000 steps: after 400 that of rk4 is 0.35 per cent too large. */
#define SB_EVALUATED_LIST(X)                                                                                           \
    X(SB_EVALUATED_CONTRACT, "contract", "")                                                                           \
    X(SB_EVALUATED_PHYSICS, "physics", "")                                                                             \
    X(SB_EVALUATED_WORKPREC, "workprec", "levels=7")                                                                   \
    X(SB_EVALUATED_ORDER, "order", "levels=6,scales=4")                                                                \
    X(SB_EVALUATED_DRIFT, "drift", "")                                                                                 \
    X(SB_EVALUATED_MOMENTUM, "momentum", "")                                                                           \
    X(SB_EVALUATED_SYMPLECTICITY, "symplecticity", "")                                                                 \
    X(SB_EVALUATED_REVERSIBILITY, "reversibility", "")                                                                 \
    X(SB_EVALUATED_CONSTRAINTS, "constraints", "")                                                                     \
    X(SB_EVALUATED_BLOWUP, "blowup", "steps=1000,tol=1e-3")

typedef enum sb_evaluated {
#define SB_EVALUATED_ENUM(constant, name, options) constant,
    SB_EVALUATED_LIST(SB_EVALUATED_ENUM)
#undef SB_EVALUATED_ENUM
        SB_EVALUATED_COUNT
} sb_evaluated;

typedef struct sb_evaluation {
    sb_pair pair;
    const char *problem, *stepper, *family; /* family: the features of the system, "unconstrained" if it has none */
    double time_scale;                      /* s, of the problem */
    int order;                              /* claimed on this problem */
    const char *refusal; /* why the stepper does not take the problem; NULL if it does, and the rest is set */
    sb_table tables[SB_EVALUATED_COUNT];
    sb_run_outcome outcomes[SB_EVALUATED_COUNT];
    const char *messages[SB_EVALUATED_COUNT]; /* "" if the analysis ran to its end */
    const char *fault;                        /* the first crash or timeout; NULL: none */
    const char *lost; /* the first lack of memory or disk, for which a command that used it fails; NULL: none */
    bool untried;     /* as many evaluations before it ended in a fault as are allowed */
} sb_evaluation;

/* The sets of the analyses of an engine, all, and of a method, which moves the mechanism that it is given; the set of
 * one analysis is SB_EVALUATED_BIT. */
enum {
    SB_EVALUATED_ENGINE = (1 << SB_EVALUATED_COUNT) - 1,
    SB_EVALUATED_METHOD = SB_EVALUATED_ENGINE & ~(1 << SB_EVALUATED_PHYSICS)
};
#define SB_EVALUATED_BIT(which) (1U << (which))

/* Begins the evaluation of a stepper, a specification, on a problem: sets its pair, its claimed order and `refusal`. */
int sb_evaluation_begin(sb_context *ctx, sb_arena *arena, const sb_system *sys, const char *stepper,
                        sb_evaluation *out);

/* Runs the analyses of a set for `count` evaluations that have begun and have no refusal; tables of other analyses have
 * no rows. Errors are against `reference`, the option of `order` ("auto"). `faults` and the failures are those of
 * sb_pairs_run_limited. */
int sb_evaluate(sb_context *ctx, sb_arena *arena, int count, sb_evaluation *list, const char *reference, unsigned set,
                int faults, const sb_limits *limits);

/* Returns the name of the analysis. */
const char *sb_evaluated_name(int which);

/* Returns the names of the features of a system, such as "holonomic + curved"; "unconstrained" if there are none; NULL
 * if out of memory. */
const char *sb_family_of(sb_arena *arena, unsigned flags);

typedef struct sb_measure {
    const char *name;
    double value, uncertainty; /* the standard error, or a bound of the effect of noise or round-off; NaN if unknown */
    const char *unit;
    const char *note; /* a remark on the value, or instead of it; or "" */
} sb_measure;

enum { SB_MEASURES = 24 };

/* Computes the numbers that summarize an evaluation. `out` has room for SB_MEASURES; *count is the same for every
 * evaluation. A number that does not apply or is not available is NaN. */
void sb_measures_of(const sb_evaluation *evaluation, sb_measure out[SB_MEASURES], int *count);
