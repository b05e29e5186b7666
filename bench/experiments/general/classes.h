/* Classes of problems for the confusion matrices: others than those of tests/analysis/test_drift_ensemble.c, on which
 * thresholds were chosen. */
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
    const char *name, *members; /* what varies, in words; "one" where nothing does */
    const char *chart;          /* formulation of the members; NULL: none */
    const char *format;         /* specification of a problem with up to three numbers, or the name of a check system */
    double low[3], high[3];     /* ranges of the numbers */
    sb_known_drift known[SB_KNOWN_MAX]; /* what is known of drifts; a row without stepper ends them */
} sb_problem_class;

/* A row of a table of classes: name, members, chart, format, the ranges SB_FROM_TO of the numbers, what is known. */
#define SB_CLASS(name, members, chart, format, ranges, ...)                                                            \
    {                                                                                                                  \
        name, members, chart, format, ranges, { __VA_ARGS__ }                                                          \
    }
#define SB_FROM_TO(low0, high0, low1, high1, low2, high2)                                                              \
    {low0, low1, low2}, { high0, high1, high2 }

extern const sb_problem_class sb_evaluation_classes[];
extern const int sb_evaluation_class_count;

/* Returns the number of different members of a class: `most`, or 1 where nothing varies. */
int sb_problem_class_members(const char *members, int most);

/* Sets the numbers of member k = 0, 1, ... of a class: spread evenly over their ranges, by the fractional parts of
 * multiples of irrational numbers, so that the first few members cover them as well as many. */
void sb_problem_class_draw(const sb_problem_class *type, int k, double u[3]);

/* Builds the check system or the problem that `format` names, with the formulation `chart` unless it is NULL. */
int sb_problem_class_build(sb_context *ctx, sb_arena *arena, const char *format, const char *chart, const double u[3],
                           sb_system *out);

/* Builds member k of a class. */
int sb_problem_class_member(sb_context *ctx, sb_arena *arena, const sb_problem_class *type, int k, sb_system *out);

#endif
