/* Records measured quantities of the papers' claims, and derives the verdict on a claim from its quantities.
 *
 * An experiment records rows; it never states a verdict:
 *
 *     SB_TRY(SB_RECORD(bench, "notes11-verlet", SB_PRINTED, "largest stable tau", .measured = tau, .expected = 2.0,
 *                      .tolerance = 1e-6, .from = "at the limit two roots meet: sqrt of round-off"));
 *     SB_TRY(SB_RECORD(bench, "notes11-verlet", SB_PRINTED, "solutions at tau = 2 are bounded", SB_HOLDS,
 *                      .measured = stable));
 *     SB_TRY(SB_RECORD(bench, "notes11-verlet", SB_CORRECTED_FORM, "solutions at tau < 2 are bounded", SB_HOLDS,
 *                      .measured = all_stable));
 *
 * The comment on a claim is a column of bench/claims.csv. */
#ifndef STEPBENCH_BENCH_RUNNER_CLAIMS_H
#define STEPBENCH_BENCH_RUNNER_CLAIMS_H

#include "bench/runner/experiment.h"

typedef enum sb_verdict { SB_REPRODUCED, SB_CORRECTED, SB_REFUTED, SB_UNDECIDABLE } sb_verdict;
extern const char *const sb_verdict_name[];

/* The form of the claim that a quantity decides: as the paper prints it, corrected, both (a part that the correction
 * does not change), or none. */
typedef enum sb_claim_form { SB_PRINTED, SB_CORRECTED_FORM, SB_BOTH_FORMS, SB_REPORTED } sb_claim_form;

/* The condition on which a quantity passes: |measured - expected| <= tolerance; measured <= expected; measured >=
 * expected; measured = 1 (a fact that holds). NaN never passes. */
typedef enum sb_comparison { SB_WITHIN, SB_AT_MOST, SB_AT_LEAST, SB_HOLDS } sb_comparison;

typedef struct sb_quantity {
    const char *claim; /* an id of bench/claims.csv */
    sb_claim_form form;
    const char *name; /* in words, with its unit: "largest violation at h = 0.01 (m)" */
    sb_comparison comparison;
    double measured;
    double expected;       /* the published number, or the bound */
    double tolerance;      /* SB_WITHIN only; absolute */
    const char *from;      /* why this tolerance or bound, in one clause; NULL: it needs no reason */
    double uncertainty;    /* standard error, or spread over an ensemble; below round_off: not written */
    double round_off;      /* bound of the error by round-off, which limits the digits written; 0: unknown */
    const char *published; /* as the paper prints it; NULL: it has no number */
} sb_quantity;

/* Records one quantity. Fails with SB_BAD_USAGE if its claim or its name is missing. */
int sb_bench_record(sb_bench *bench, const sb_quantity *quantity);
/* Records the quantity with these members: claim, form, name, and designated ones. */
#define SB_RECORD(bench, ...) sb_bench_record((bench), &(sb_quantity){__VA_ARGS__})

/* Returns whether the measured number passes its comparison. */
bool sb_quantity_passes(const sb_quantity *quantity);

/* The columns of claims.csv except the last, the experiment. They are also those of `sb_bench.quantities`. */
enum { SB_QUANTITY_COLUMNS = 11 };
/* Digits of a measured number without a stated uncertainty. */
enum { SB_QUANTITY_DIGITS = 6 };
extern const sb_column sb_quantity_columns[SB_QUANTITY_COLUMNS];

/* Returns the verdict on a claim from the rows of claims.csv: reproduced if there is a row of the form `printed` and
 * all rows of the forms `printed` and `both` pass; otherwise corrected if the same holds for `corrected` and `both`;
 * otherwise refuted. Undecidable if no row decides. */
sb_verdict sb_claim_verdict(const sb_table *rows, const char *claim);

/* Returns whether the experiment names the claim as one that it decides. */
bool sb_experiment_decides(const sb_experiment *experiment, const char *claim);

/* Returns the first row on the claim at or after `from`, -1 if there is none. */
int sb_claim_row(const sb_table *rows, const char *claim, int from);

#endif
