/* What `stepbench compare` has evaluated, and its tables. */
#pragma once

#include "bench/card/evaluate.h"
#include "bench/cli/cli.h"

typedef struct compare_options {
    const char *out, *reference;
    long seconds;
    int times;
} compare_options;

/* The evaluations of all steppers on all problems. */
typedef struct comparison {
    cli *me;
    const compare_options *options;
    int problems, steppers;
    const char **name;             /* of each problem */
    int pairs;                     /* number of pairs of a problem and a stepper that supports it */
    const char **stepper, **named; /* all steppers; the steppers not from a glob, NULL-terminated */
    int members;                   /* of the ensemble of each problem; 1: there is none */
    sb_evaluation *list;           /* problems x members x steppers */
    int *order;                    /* of the problems in the output: family by family */
    sb_table work;                 /* rows of workprec of all of them */
    bool *front;                   /* of each row: on the front of its problem */
} comparison;

static inline const sb_evaluation *member_at(const comparison *c, int problem, int member, int stepper) {
    return &c->list[(problem * c->members + member) * c->steppers + stepper];
}

/* Returns the first member's. */
static inline const sb_evaluation *at(const comparison *c, int problem, int stepper) {
    return member_at(c, problem, 0, stepper);
}

static inline int count_evaluations(const comparison *c) { return c->problems * c->members * c->steppers; }

/* Writes one row per number. */
int cli_compare_long(const comparison *c, sb_sink *out);

/* Writes one row per problem and number, with a column per stepper. */
int cli_compare_wide(const comparison *c, sb_sink *out);

/* Writes a LaTeX table per problem, with a column per stepper that takes it. */
int cli_compare_latex(const comparison *c, const char *path);
