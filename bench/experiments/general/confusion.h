/* Verdicts against right answers: the counts of a table, classes of problems, and a registry with further steppers. The
 * classes are not those of tests/analysis/test_drift_ensemble.c, on which thresholds were chosen. */
#pragma once

#include "analysis/conservation/drift.h"
#include "bench/check/faulty.h"
#include "bench/runner/experiment_tools.h"

/* Whether a stepper changes the energy in the class, and the source. */
typedef struct sb_known_drift {
    const char *stepper; /* specification */
    bool drifts;
    const char *reason;
} sb_known_drift;

enum { SB_KNOWN_MAX = 24 };

typedef struct sb_problem_class {
    const char *name, *members; /* the parameters that vary, in words; "one" if none does */
    const char *chart;          /* formulation of the members; NULL: none */
    const char *format;         /* specification of a problem with up to three numbers, or the name of a check system */
    double low[3], high[3];     /* ranges of the numbers */
    sb_known_drift known[SB_KNOWN_MAX]; /* ends with a row without stepper */
} sb_problem_class;

/* A row of a table of classes: name, members, chart, format, the ranges SB_FROM_TO of the numbers, known drifts. */
#define SB_CLASS(name, members, chart, format, ranges, ...)                                                            \
    {                                                                                                                  \
        name, members, chart, format, ranges, { __VA_ARGS__ }                                                          \
    }
#define SB_FROM_TO(low0, high0, low1, high1, low2, high2)                                                              \
    {low0, low1, low2}, { high0, high1, high2 }

extern const sb_problem_class sb_evaluation_classes[];
extern const int sb_evaluation_class_count;

/* Returns the number of different members of a class: `most`, or 1 if nothing varies. */
int sb_problem_class_members(const char *members, int most);

/* Sets the numbers of member k = 0, 1, ... of a class: the fractional parts of multiples of irrational numbers, spread
 * evenly over their ranges, so that also the first few members cover them. */
void sb_problem_class_draw(const sb_problem_class *type, int k, double u[3]);

/* Builds the check system or the problem named by `format`, with the formulation `chart` unless it is NULL. */
int sb_problem_class_build(sb_context *ctx, sb_arena *arena, const char *format, const char *chart, const double u[3],
                           sb_system *out);

/* Builds member k of a class and a stepper for it. */
int sb_problem_class_pair(sb_context *ctx, sb_arena *arena, const sb_problem_class *type, int k, const char *stepper,
                          sb_system *sys, sb_pair *out);

/* The right answer of a run: whether it has the property, or the drift, that the verdict is about. */
typedef enum sb_answer { SB_ANSWER_NO, SB_ANSWER_YES, SB_ANSWER_OPEN, SB_ANSWERS } sb_answer;
typedef enum sb_found {
    SB_FOUND_NO,
    SB_FOUND_YES,
    SB_FOUND_UNCLEAR,
    SB_FOUND_LOST,
    SB_FOUND_FAILED,
    SB_FOUNDS
} sb_found;

extern const sb_found sb_found_drift[SB_DRIFT_VERDICTS]; /* the verdicts of `drift` */

/* The runs of a stepper on a class, by right answer and verdict; one row of a table. */
typedef struct sb_confusion {
    const char *verdict, *name, *members, *stepper, *truth, *reason; /* texts of the row; name: of the class */
    sb_answer fault; /* the answer that finds fault with the stepper: yes for a drift, no for a property */
    long of[SB_ANSWERS][SB_FOUNDS];
    long longer;    /* runs that drift in a longer run */
    long confirmed; /* runs whose right answer a quarter of the step confirms */
} sb_confusion;

/* The energy of a run, less the work of forces and drivers: the change of its mean from the first to the last of
 * `parts` equal parts, and its range in the first `wide` of them. */
typedef struct sb_energy_change {
    double change, range;
} sb_energy_change;

/* Runs parts * part steps. */
int sb_confusion_energy(sb_context *ctx, sb_arena *arena, const sb_system *sys, const char *stepper, double h,
                        long part, long parts, long wide, sb_energy_change *out);

/* Returns yes if the change exceeds `most` of the range, no if it is below `least` of it. */
sb_answer sb_energy_change_answer(const sb_energy_change *e, double least, double most);

/* Checks a right answer by a run of `steps` steps and one of four times as many of a quarter of the length. *confirmed:
 * with the quarter the energy is steady, and with the whole step it does not drift (no); with the quarter it drifts, or
 * with the whole step it does and with the quarter it changes by less than half as much (yes). An answer no becomes
 * open where the quarter drifts. A run with the quarter that ends early confirms nothing. */
int sb_confusion_check(sb_context *ctx, sb_arena *arena, const sb_system *sys, const char *stepper, double h,
                       long steps, sb_answer *answer, bool *confirmed);

/* Writes the row, unless there was no run. A false alarm is a verdict that finds a fault where there is none, a missed
 * run one that finds none where there is. */
int sb_confusion_write(const sb_confusion *n, sb_sink *out);

/* Calls add(ctx, scratch, data, k, n), which adds the run or runs k, for k from `first` on, and writes the row. */
int sb_confusion_study(sb_context *ctx, const void *data, int first, int count,
                       int (*add)(sb_context *ctx, sb_arena *scratch, const void *data, int k, sb_confusion *n),
                       sb_confusion *n, sb_sink *out);

/* The check systems, and the registered problems, with their families. */
typedef struct sb_families {
    int count;
    sb_system *sys;
    const char **family; /* by the features of the system */
    bool *first;         /* no system before it is of this family */
} sb_families;

/* Builds the check systems and, with `problems`, the registered problems. */
int sb_families_list(sb_context *ctx, sb_arena *arena, bool problems, sb_families *out);

/* Runs `study` and saves its rows as out/NAME, with these of the columns `confusion`, joined by commas. Meanwhile
 * the registry of bench->ctx also has the steppers that `add` registers. Fails like `study`, or with SB_NO_MEMORY. */
int sb_confusion_run(sb_bench *bench, int (*add)(sb_registry *registry), const char *columns,
                     int (*study)(sb_bench *bench, sb_sink *out), const char *name);
