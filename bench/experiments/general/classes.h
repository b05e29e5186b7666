/* Classes of problems for the confusion matrices. Two ensembles without a problem in common: on the first one
 * thresholds were chosen, on the second one the verdicts are counted. */
#ifndef STEPBENCH_BENCH_EXPERIMENTS_GENERAL_CLASSES_H
#define STEPBENCH_BENCH_EXPERIMENTS_GENERAL_CLASSES_H

#include <stepbench/system.h>

/* What a stepper does to the energy in the class, with the source that says so. */
typedef struct sb_known_drift {
    const char *stepper; /* specification */
    bool drifts;
    const char *reason;
} sb_known_drift;

enum { SB_KNOWN_MAX = 24 };

typedef struct sb_problem_class {
    const char *name, *members; /* what varies, in words */
    const char *chart;          /* formulation of the members; NULL: none */
    int (*member)(sb_context *ctx, sb_arena *arena, const struct sb_problem_class *type, const double u[3],
                  sb_system *out);
    const char *format; /* specification of a built-in problem with up to three numbers; name of a check system */
    double low[3], high[3];
    sb_known_drift known[SB_KNOWN_MAX]; /* what is known of drifts; a row without stepper ends them */
} sb_problem_class;

/* A row of a table of classes: name, members, chart, function, format, the ranges SB_FROM_TO of the numbers, what is
 * known. */
#define SB_CLASS(name, members, chart, member, format, ranges, ...)                                                    \
    {                                                                                                                  \
        name, members, chart, member, format, ranges, { __VA_ARGS__ }                                                  \
    }
#define SB_FROM_TO(low0, high0, low1, high1, low2, high2)                                                              \
    {low0, low1, low2}, { high0, high1, high2 }

/* The classes on which the thresholds of drift were chosen: random members of built-in problems and of two that nothing
 * else uses. */
extern const sb_problem_class sb_problem_classes[];
extern const int sb_problem_class_count;

/* The classes on which the verdicts are counted. */
extern const sb_problem_class sb_evaluation_classes[];
extern const int sb_evaluation_class_count;

/* Returns the number of different members: `most`, or 1 of a class that has one. */
int sb_evaluation_class_members(const sb_problem_class *type, int most);

/* `member` of the classes of built-in problems. */
int sb_problem_class_built_in(sb_context *ctx, sb_arena *arena, const sb_problem_class *type, const double u[3],
                              sb_system *out);

/* Builds member number k = 0, 1, ... of a class: its numbers are spread evenly over their ranges, by the fractional
 * parts of multiples of irrational numbers, so that the first few members cover them as well as many. */
int sb_problem_class_member(sb_context *ctx, sb_arena *arena, const sb_problem_class *type, int k, sb_system *out);

#endif
