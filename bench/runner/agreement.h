/* Compares two results directories quantity by quantity, each within its tolerance. */
#pragma once

#include "bench/runner/bench.h"

/* The allowed difference, relative to its size, of a number whose uncertainty its file does not declare. */
extern const double sb_undeclared_tolerance;

/* Numbers of files and quantities compared, and of quantities that differ by more than their tolerance. */
typedef struct sb_agreement {
    long files, quantities, moved;
} sb_agreement;

/* Compares the CSV files of the call's untimed experiments, and their claims, in `reference` and call->out. Files that
 * neither directory has are left out. Writes one row per quantity that differs: file, row, column, both values,
 * tolerance; begin and end of `out` are called here. Fails with SB_IO if a file cannot be read, with SB_BAD_USAGE if
 * the directories have no result in common.
 *
 * Tolerances: a number in a column that the file's head lists under "trusted digits" may differ by one unit of the last
 * digit written (the coarser of both values); a number `measured` by the `uncertainty` in its row; another number by
 * the relative round-off of a long run (agreement.c). Texts are equal except for the numbers with a decimal point or
 * an exponent in them, which may differ by one unit of their last digit. Measured times are not compared. */
int sb_agreement_check(const sb_bench_call *call, const char *reference, sb_sink *out, sb_agreement *result);
