/* Measures the quantities of the papers' claims, and derives the verdict on a claim from its quantities.
 *
 * A quantity is a row of quantities.csv in the directory of its paper, which holds its bound and the reason of the
 * bound. An experiment measures it and states no verdict:
 *
 *     SB_TRY(sb_bench_measure(bench, "notes11-verlet/limit", tau, 0.0));
 *
 * Columns of quantities.csv:
 *
 *     id           the claim, an id of bench/claims.csv, and a name within it: notes11-verlet/limit
 *     experiment   the experiment that measures it
 *     form         the form of the claim that it decides: printed, corrected, both (a part that the correction does not
 *                  change), or reported (decides nothing)
 *     quantity     in words; unit: empty if it has none or stands in the words
 *     comparison   within (|measured - expected| <= tolerance), order (the same with three standard errors added to the
 *                  tolerance, at most 1/4 together: half of the distance between half-integer powers), at most, at
 *                  least, or holds (a fact, measured as 1)
 *     expected     the published number, or the bound; a number or a fraction
 *     tolerance    of `within` and `order`, absolute
 *     because      why this tolerance or bound, in one clause; empty: it needs no reason
 *     rounding     bound of the error by round-off, which limits the digits written; empty: unknown
 *     published    as the paper prints it; empty: it has no number
 *
 * Rows of different forms may have the same id: one number decides them. */
#pragma once

#include "bench/runner/experiment.h"

typedef enum sb_verdict { SB_REPRODUCED, SB_CORRECTED, SB_REFUTED, SB_UNDECIDABLE } sb_verdict;
extern const char *const sb_verdict_name[];

typedef enum sb_claim_form { SB_PRINTED, SB_CORRECTED_FORM, SB_BOTH_FORMS, SB_REPORTED } sb_claim_form;

/* The condition on which a quantity passes. NaN never passes. */
typedef enum sb_comparison { SB_WITHIN, SB_ORDER, SB_AT_MOST, SB_AT_LEAST, SB_HOLDS } sb_comparison;

/* A quantity and what was measured. */
typedef struct sb_quantity {
    sb_claim_form form;
    sb_comparison comparison;
    double measured, uncertainty; /* a standard error, or the spread over an ensemble; below `rounding`: not written */
    double expected, tolerance, rounding;
} sb_quantity;

/* Reads the quantities of the program and of plug-ins, or those beside the file of a study, as text. Fails with SB_IO
 * for a row whose form, comparison or numbers cannot be read. */
int sb_quantities_read(sb_context *ctx, sb_arena *arena, const char *study, sb_table *out);

/* Records a measured number for every row of bench->bounds with this id; NULL stands for an id for which
 * sb_bench_format had no memory. `uncertainty`: 0 if it has none. Fails with SB_BAD_USAGE if there is no such row, if
 * it belongs to another experiment, or if it was measured before. */
int sb_bench_measure(sb_bench *bench, const char *id, double measured, double uncertainty);

/* Fails with SB_BAD_USAGE if the experiment has not measured a quantity that belongs to it. */
int sb_check_measured(const sb_bench *bench);

/* Sets *out to the claims that have a row of the experiment, each once; the list ends with NULL. `rows`:
 * quantities.csv, or claims.csv of a results directory. */
int sb_claims_of(const sb_table *rows, sb_arena *arena, const char *experiment, const char *const **out);

/* Returns whether the measured number passes its comparison. */
bool sb_quantity_passes(const sb_quantity *quantity);

/* The columns of claims.csv except the last, the experiment. They are also those of `sb_bench.quantities`. */
enum { SB_QUANTITY_COLUMNS = 10 };
/* Digits of a measured number without a stated uncertainty. */
enum { SB_QUANTITY_DIGITS = 6 };
extern const sb_column sb_quantity_columns[SB_QUANTITY_COLUMNS];

/* Returns the verdict on a claim from the rows of claims.csv: reproduced if there is a row of the form `printed` and
 * all rows of the forms `printed` and `both` pass; otherwise corrected if the same holds for `corrected` and `both`;
 * otherwise refuted. Undecidable if no row decides. */
sb_verdict sb_claim_verdict(const sb_table *rows, const char *claim);

/* Returns the first row on the claim at or after `from`, -1 if there is none. */
int sb_claim_row(const sb_table *rows, const char *claim, int from);
