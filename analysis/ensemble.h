/* Ensembles: an analysis on random members of a problem, and the medians and quartiles of its rows. */
#pragma once

#include "core/base/spec.h"
#include "core/output/table.h"

/* The distribution of the members. Member k of a problem is the same for every stepper, analysis and machine.
 *
 * With `uniform`, "theta0=0.5:2.5,l=1:2", these parameters of the problem are independent and uniform between their
 * bounds, and written with six digits. Without it the initial state varies: every coordinate q_i moves by width max|q|
 * u_i, every velocity v_i by width max|v| u'_i, with u_i and u'_i independent and uniform in [-1, 1]. Then positions
 * and velocities are moved onto the constraints by least squares (numerics/start.h). Of max|q| and max|v|, one that is
 * 0 is the other times or over the time scale T; at rest in the origin they are 1 and 1/T. */
typedef struct sb_ensemble {
    long members; /* 0: no ensemble, but the problem itself */
    long seed;
    sb_scalar width;
    const char *uniform; /* "" or NULL: none */
} sb_ensemble;

/* A member. */
typedef struct sb_member {
    const sb_ensemble *ensemble;
    long number;
} sb_member;

/* Checks that the ensemble fits a problem. Fails with SB_BAD_USAGE for a parameter that it does not have, a bound that
 * it does not take, or bounds out of order; with SB_UNSUPPORTED for random initial states of a system with contacts,
 * which they would penetrate. */
int sb_ensemble_check(sb_context *ctx, const sb_ensemble *ensemble, const sb_spec *problem, const sb_system *sys);

/* Builds the member of the problem with the formulations around it. It has the name, the time scale and the period of
 * `of`, the problem itself, so that steps and durations by default agree. Fails like sb_system_make. */
int sb_member_system(sb_context *ctx, sb_arena *arena, const sb_member *member, const sb_spec *problem,
                     const sb_specs *formulations, const sb_system *of, sb_system *out);

/* A sink for the rows of the members of a pair, which writes the rows of the ensemble to another sink. Of the rows of
 * the members it keeps the numbers alone, of which quartiles need all, and in what rows with the same keys agree. */
typedef struct sb_ensemble_rows {
    sb_sink sink;
    sb_sink *out;
    sb_arena arena;
    long members;
    int ncolumns;
    const sb_column *columns;
    int count, room, last;          /* groups of rows with the same keys; the last one that a row was added to */
    struct sb_ensemble_group *list; /* in the order of their first rows */
} sb_ensemble_rows;

/* Sets *out to the columns of an ensemble of rows with these columns: after each column NAME of kind EXACT, ERROR,
 * SLOPE or TIME, the median, follow the quartiles NAME_q1 and NAME_q3. The last column, `failed`, is the share of the
 * members without a result, of a row that has none the share of the members with this row. */
int sb_ensemble_columns(sb_arena *arena, int ncolumns, const sb_column *columns, int *count, const sb_column **out);

/* Opens the sink for rows with these columns, which have to stay. */
void sb_ensemble_open(sb_context *ctx, long members, int ncolumns, const sb_column *columns, sb_sink *out,
                      sb_ensemble_rows *rows);
/* Writes the rows of the ensemble of a pair, and begins the next pair. Rows of members that agree in the columns of
 * kind KEY become one. Members without a number do not count in a median. Of a column of kind INFO it has the median if
 * it holds numbers, otherwise the cell in which the members agree. Fails like the sink. */
int sb_ensemble_write(sb_ensemble_rows *rows);
void sb_ensemble_close(sb_ensemble_rows *rows);
