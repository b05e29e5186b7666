/* Classes of systems at an equilibrium with exponents in closed form, and steppers with known stability: for the
 * confusion matrix of stability. */
#ifndef STEPBENCH_BENCH_EXPERIMENTS_GENERAL_STABLE_CLASSES_H
#define STEPBENCH_BENCH_EXPERIMENTS_GENERAL_STABLE_CLASSES_H

#include <stepbench/system.h>

enum { SB_EXPONENTS_MAX = 6 };

/* An exponent lambda of a motion e^(lambda t) about the equilibrium; that of the complex conjugate is left out. */
typedef struct sb_exponent {
    double re, im;
} sb_exponent;

typedef enum sb_flow_kind { SB_FLOW_CONSERVATIVE, SB_FLOW_DAMPED, SB_FLOW_OTHER } sb_flow_kind;

typedef struct sb_stable_class {
    const char *name, *members; /* what varies, in words; "one" where nothing does */
    const char *chart;          /* formulation; NULL: none */
    const char *format;         /* specification of a problem with two numbers, or the name of a check system */
    double low[2], high[2];     /* ranges of the numbers */
    sb_flow_kind kind;
    bool constrained;
    int (*exponents)(const double u[2], sb_exponent *out); /* sets and returns their number */
} sb_stable_class;

extern const sb_stable_class sb_stable_classes[];
extern const int sb_stable_class_count;

/* Builds member k and sets its exponents. Fails like sb_system_build. */
int sb_stable_class_member(sb_context *ctx, sb_arena *arena, const sb_stable_class *type, int k, sb_system *out,
                           sb_exponent exponents[SB_EXPONENTS_MAX], int *count);

/* A stepper, and what its step multiplies e^(lambda t) by. */
typedef struct sb_stable_stepper {
    const char *stepper;
    const char *reason;
    bool constrained; /* the answer holds on constrained classes, too */
    int law;          /* of stable_classes.c */
    double limit;     /* of h omega on conservative classes, for one of the laws */
} sb_stable_stepper;

extern const sb_stable_stepper sb_stable_steppers[];
extern const int sb_stable_stepper_count;

/* Sets *stable to whether all motions about the equilibrium stay bounded with the step h. Returns false if it is not
 * known, or too near to the limit: within 1e-3 of h, or with a factor within 1e-9 of 1. */
bool sb_stable_truth(const sb_stable_stepper *stepper, const sb_stable_class *type, const sb_exponent *exponents,
                     int count, double h, bool *stable);

#endif
