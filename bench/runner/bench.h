/* Runs experiments, each in a process of its own. Each writes its measured quantities to a part, a file in the results
 * directory; the parts are then merged. */
#pragma once

#include "bench/runner/experiment.h"

/* The outcome of one experiment of a call: not run yet; run; part of an earlier call kept; failed; left out by an
 * interruption. */
typedef enum sb_outcome { SB_BENCH_WAITING, SB_BENCH_RAN, SB_BENCH_KEPT, SB_BENCH_FAILED, SB_BENCH_LEFT } sb_outcome;

typedef struct sb_bench_job {
    const sb_experiment *experiment;
    sb_outcome outcome;
    int lock; /* descriptor of the lock on only this experiment; -1: none */
} sb_bench_job;

/* A file of experiments. Their page has the title and the text of the study, and the claims beside the file. */
typedef struct sb_study {
    const char *file, *title, *text;
    const char *summary; /* the name of its files .csv and .html; NULL: it has none */
    const struct sb_study_summary *pairs;
    char sha256[SB_SHA256_SIZE]; /* of the file */
} sb_study;

typedef struct sb_bench_call {
    sb_context *ctx;
    sb_arena *arena;
    const sb_registry *registry;
    const sb_study *study; /* NULL: the experiments of the program */
    sb_table bounds;       /* the rows of quantities.csv */
    const char *out;       /* results directory */
    long jobs;             /* processes at a time */
    bool resume;           /* keep what an interrupted call has finished */
    bool part;             /* other calls may write the directory */
    int count;
    sb_bench_job *list;
    int lock; /* on the results directory; -1: none */
} sb_bench_call;

/* Sets up the bench of an experiment that `command` runs ("bench", "study"), or of `compare`, with its files in `out`,
 * and with the rows of quantities.csv, NULL if it measures none; no quantity is measured yet. */
int sb_bench_begin(sb_context *ctx, const char *command, const char *out, const sb_table *bounds, sb_bench *bench);

/* Locks the results directory for this call: exclusively for a run and a merge; for a part together with other parts,
 * and each of its experiments exclusively. `create` makes the directory where it is missing. Fails with SB_IO when
 * another call uses it. */
int sb_bench_open(sb_bench_call *call, bool create);
/* Releases the locks. */
void sb_bench_close(sb_bench_call *call);

/* Runs the experiments in an open results directory; timed experiments alone, after all others. A failure of an
 * experiment is an outcome and is reported on standard error. Fails with SB_INTERRUPTED; finished parts are kept for
 * --resume. */
int sb_bench_run(sb_bench_call *call);

/* Sets the outcomes by the parts that exist, without running. A missing part is a failure and is reported on standard
 * error. */
int sb_bench_collect(sb_bench_call *call);

/* Writes out/claims.csv from the parts and from the rows already there of experiments that were not run; then
 * out/verdicts.csv and provenance.json. `verdicts` counts the claims by verdict, open ones last. */
int sb_bench_merge(sb_bench_call *call, int verdicts[5]);

/* Draws the figures of the experiments that are in the results directory again, and counts them. Fails with SB_IO. */
int sb_bench_replot(const sb_bench_call *call, int *figures);

/* Sets *path to the part of an experiment, which holds its measured quantities until they are merged:
 * out/.parts/NAME.csv, or NAME.VERSION.csv. */
int sb_bench_part(sb_arena *arena, const char *out, const sb_experiment *experiment, const char **path);

/* Removes the parts of this call's experiments with their locks, and out/.parts unless other calls have parts in it. */
int sb_bench_remove_parts(sb_bench_call *call);
