/* Runs an analysis on pairs in child processes: a stepper that crashes, exits or does not return is reported with the
 * step in which that happened, and only the rows of its own pair are lost. Many pairs share processes, one after
 * another; the pairs after a crash have a new process. */
#pragma once

#include "bench/process/meter.h"
#include "bench/process/monitor.h"

/* What is run on pairs. */
typedef struct sb_pair_work {
    void *arg;
    const char *name; /* of the work, for messages: "order of rk4 on kepler"; "": "rk4 on kepler" */
    int ncolumns;     /* of its rows */
    const sb_column *columns;
    /* Called in the process of pair k: writes the rows of the pair, which has a stepper that records its operations in
     * `progress`. A pair may have no stepper; then `run` sets progress->text, "in the check of V_q". A pair may have no
     * system; then `run` builds it. */
    int (*run)(void *arg, int k, const sb_pair *pair, sb_progress *progress, sb_sink *rows);
    /* Called in the parent after pair k and those before it have ended: with the status and the message of `run`, or,
     * `crashed`, with SB_NOT_CONVERGED and how the process ended. Writes further rows, and returns a status, which
     * unless it is SB_OK ends the work. */
    int (*ended)(void *arg, int k, int status, const char *message, bool crashed, sb_sink *out);
    bool together; /* rows are not written before the end of their pair: they may be sent together */
    long steps;    /* of each run, of which a longer meter counts every one; 0: the run is one part of the work shown */
} sb_pair_work;

/* Runs the work on every pair, with at most `jobs` processes at a time. The rows go to `out` in the order of the pairs,
 * those of the first pair that has not ended at once; begin and end are the caller's. A pair that takes more than
 * `seconds` of processor time (0: no limit), or ten times as long by the clock, is ended. `meter`: the meter of a
 * longer work of which this call is one part; NULL: each pair is a part of the work shown. When interrupted, ends the
 * processes, writes the rows of the pairs so far, and fails with SB_INTERRUPTED. */
int sb_pairs_work(sb_context *ctx, sb_arena *arena, const sb_pair_work *work, int count, const sb_pair *pairs,
                  long jobs, long seconds, sb_meter *meter, sb_sink *out);

/* Writes the rows of an analysis for every pair of the product, like sb_pairs_work. A pair whose process crashes, ends
 * itself or takes too long, or whose run fails with what is no result, adds a row whose `status` says so. Returns the
 * failure of a single pair; of several, the last crash or numerical failure of a named one, after all rows are written.
 */
int sb_pairs_run(sb_context *ctx, sb_arena *arena, const sb_analysis *analysis, const sb_product *product, long jobs,
                 long seconds, sb_meter *meter, sb_sink *out);

typedef enum sb_run_outcome {
    SB_RUN_DONE,      /* it ran to its end; failures are rows */
    SB_RUN_FAILED,    /* it ended with an error that is not a result */
    SB_RUN_LOST,      /* it ended for lack of memory or disk; another run may succeed */
    SB_RUN_CRASHED,   /* a signal ended it, or it ended its process */
    SB_RUN_TIMED_OUT, /* it exceeded its processor time, or ten times as long by the clock */
    SB_RUN_NOT_TRIED  /* it comes after as many faulty pairs as are allowed */
} sb_run_outcome;

/* A run of an analysis with options "k=v,..." on a pair. `rows` and what follows are set by sb_pairs_run_limited;
 * `message` (from the arena) describes a failure: what, where, in which step; "" for SB_RUN_DONE, unless refused, and
 * for SB_RUN_NOT_TRIED.
 */
typedef struct sb_limited_run {
    const sb_analysis *analysis;
    const char *options;
    sb_pair pair;
    sb_table rows; /* with the columns of the analysis */
    sb_run_outcome outcome;
    bool refused; /* it ended with SB_UNSUPPORTED: `contract` does so only where the init of the stepper refuses */
    const char *message;
} sb_limited_run;

typedef struct sb_limits {
    long jobs;       /* processes at a time, >= 1 */
    long seconds;    /* of processor time for a run; it may take ten times as long by the clock */
    sb_meter *meter; /* of the longer work in which each pair is a part; NULL: nothing is shown */
} sb_limits;

/* Runs analyses on `count` pairs: list[k * runs] to list[k * runs + runs - 1] are the runs of pair k, one after
 * another. A crash or time-out makes the pair faulty: the rest of its runs are not tried and have the outcome and the
 * message of the fault. Pairs after `faults` faulty ones are not tried (0: all are). The results do not depend on
 * limits->jobs. Returns SB_OK for every outcome; fails with SB_INTERRUPTED, SB_IO without a temporary file,
 * SB_BAD_USAGE for options that do not parse, or SB_NO_MEMORY. */
int sb_pairs_run_limited(sb_context *ctx, sb_arena *arena, const sb_limits *limits, int faults, int count, int runs,
                         sb_limited_run *list);
