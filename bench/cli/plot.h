/* The figure of a command's rows: --plot and --plot-script.
 *
 * A command or an analysis names its script. The script finds its rows in the CSV file `data`, and these variables:
 * `columns`, the names of the columns with values, and `positive`, of those with positive numbers, each surrounded by
 * spaces; `pairs`, the number of pairs of a problem and a stepper that have rows; and of each pair problem[k],
 * stepper[k], as in the file, where a semicolon stands for a comma, and name[k], the parts of the pair that distinguish
 * it from the others, as text of the figure's kind, for titles without enhancement; and
 * panel[k] and curve[k], the numbers of its problem and of its stepper, whose names are title_of[panel[k]] and
 * label_of[curve[k]]; and axis_q0, axis_v0, ..., the names that a single problem gives to its coordinates.
 * bench/experiments/general/style.gp is read first. */
#pragma once

#include "bench/cli/cli.h"

/* Checks the options: SB_BAD_USAGE if the command has no figure or the file has another ending, SB_IO without gnuplot.
 */
int cli_plot_check(cli *me);

/* Opens a sink that passes the rows to `rows` (NULL: nowhere) and draws the figure at the end. */
int cli_plot_sink(cli *me, const char *const *comments, sb_sink *rows, sb_sink **out);
