/* An experiment: one table or figure of a paper, regenerated, with the measured quantities of the claims it decides. */
#ifndef STEPBENCH_BENCH_RUNNER_EXPERIMENT_H
#define STEPBENCH_BENCH_RUNNER_EXPERIMENT_H

#include "analysis/analysis.h"
#include "core/base/text.h"
#include "core/output/table.h"
#include "core/run/build.h"
#include "core/run/run.h"

typedef struct sb_bench {
    sb_context *ctx;
    sb_arena arena;                         /* of the running experiment */
    const struct sb_experiment *experiment; /* the running one; NULL outside of `bench` */
    long jobs;                              /* of the whole call, processes at a time (pool.h) */
    const char *command;                    /* that writes its files: "bench", "study", "compare" */
    const char *out;                        /* directory of its files: the results directory, or "times" in it */
    sb_table quantities;                    /* of the claims it decides, filled by sb_bench_record */
    struct sb_ensemble *ensemble;           /* NULL unless the experiment is directed */
    sb_sink *member; /* in a member of an ensemble: where tables go instead of files; else NULL */
} sb_bench;

/* A list of names that ends with NULL. */
#define SB_LIST(...) ((const char *const[]){__VA_ARGS__, NULL})
/* The two files of a figure in such a list. */
#define SB_FIGURE(name) name ".svg", name ".png"

typedef struct sb_experiment {
    sb_entry entry;
    const char *const *claims; /* ids it decides, NULL-terminated */
    const char *const *files;  /* what it writes, relative to the results directory, NULL-terminated: "wm96_fig3.svg" */
    bool timed;          /* measures time: runs alone, its files are in times/ and are never compared byte by byte */
    bool directed;       /* round-off reaches its digits: it is run again with directed rounding (ensemble.h) */
    int seconds;         /* of processor time, about, if these are more than ten: the longest experiments start first */
    const char *command; /* that writes the same rows; NULL: none */
    const char *version; /* changes with what is computed: `--resume` keeps parts of the same version; NULL: none */
    int (*run)(sb_bench *bench);
    /* Draws the figures again from the files in bench->out, and adds their number to *figures. NULL: the scripts beside
     * the experiment draw them. */
    int (*replot)(sb_bench *bench, int *figures);
} sb_experiment;

/* Frees the arena of a bench. */
void sb_bench_finish(sb_bench *bench);
/* Declares a copy of a bench with an arena of its own, freed like that of SB_SCRATCH. */
#define SB_SCRATCH_BENCH(scratch, bench)                                                                               \
    sb_bench scratch __attribute__((cleanup(sb_bench_finish))) = *(bench);                                             \
    sb_arena_init(&(scratch).arena, (bench)->ctx)

enum { SB_CSV_COMMENTS = 2 };
/* Opens a CSV sink on out/NAME with the standard comment and those of a list, at most SB_CSV_COMMENTS and NULL behind
 * them (may be NULL). */
int sb_bench_csv(sb_bench *bench, const char *name, const char *const *comments, sb_sink **out);
/* Writes SCRIPT.svg and SCRIPT.png with gnuplot and SCRIPT.gp, which is beside an experiment and reads its CSV files
 * from the results directory `out`. Without gnuplot the figures are left out with a note on standard error. */
int sb_bench_plot(sb_bench *bench, const char *script);
/* The same under another name, NAME.svg and NAME.png, with gnuplot statements before the script. */
int sb_bench_plot_with(sb_bench *bench, const char *script, const char *name, const char *settings);
/* The same for an animated GIF: writes SCRIPT.gif. */
int sb_bench_animate(sb_bench *bench, const char *script);
/* Returns a formatted string in the arena of the experiment; NULL when out of memory. */
#define sb_bench_format(bench, ...) sb_asprintf(&(bench)->arena, __VA_ARGS__)

#endif
