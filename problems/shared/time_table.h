/* Functions of time by tables of two columns, t and value, from CSV files. They are computed in the precision of the
 * program, which GSL does not offer. */
#pragma once

#include <stepbench/system.h>

/* The function between the lines of the table.
 *
 * linear:   straight lines; the slope jumps.
 * monotone: Steffen's cubics (steffen90), which stay between the values of neighbouring lines; the second derivative
 *           jumps.
 * cubic:    the natural cubic spline, with two continuous derivatives; it may leave the values of its lines. */
typedef enum time_table_kind { TIME_TABLE_MONOTONE, TIME_TABLE_LINEAR, TIME_TABLE_CUBIC } time_table_kind;

/* The cubic between x_i and x_{i+1} has the slopes after_i and before_{i+1} at its ends. Outside of the table the
 * function is continued as a straight line. */
typedef struct time_table {
    time_table_kind kind;
    int count;
    sb_scalar *x, *y, *before, *after;
} time_table;

/* Reads the table: lines `t,value` with increasing t, comments after #, and a heading, none of whose cells begins like
 * a number. Fails with SB_BAD_USAGE, and names the line. */
int sb_time_table_read(sb_context *ctx, sb_arena *arena, const char *path, time_table_kind kind, time_table *out);

/* Allocates a table of at most `lines` lines, without lines. */
int sb_time_table_init(sb_arena *arena, int lines, time_table_kind kind, time_table *out);

/* Sets the slopes between the lines, of which there are two at least. */
int sb_time_table_connect(sb_arena *arena, time_table *me);

/* Adds the function and its first two derivatives at t to w. */
void sb_time_table_add(const time_table *me, sb_scalar t, sb_scalar w[3]);

/* Adds the times of the lines to the ascending times break_at. */
int sb_time_table_breaks(sb_arena *arena, const time_table *me, int *breaks, sb_scalar **break_at);

/* Sets *note to a sentence if the function leaves the values of two neighbouring lines by more than a tenth of the
 * range of all, as a spline through a pulse does; less is the maximum of a smooth function between its lines. `what`
 * names the motion, `path` the file. */
int sb_time_table_note(sb_arena *arena, const char *what, const char *path, const time_table *me, const char **note);
