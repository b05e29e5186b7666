/* An experiment: computes a table or figure of a paper, and the measured quantities of the claims that it decides. */
#pragma once

#include "analysis/analysis.h"
#include "core/base/text.h"
#include "core/run/build.h"

/* A table that an experiment has saved, before its numbers are rounded. */
typedef struct sb_saved {
    const char *file;
    sb_table rows;
    const struct sb_saved *before; /* the one saved before; NULL: none */
} sb_saved;

typedef struct sb_bench {
    sb_context *ctx;
    sb_arena arena;                         /* freed after the experiment */
    const struct sb_experiment *experiment; /* the running experiment; NULL outside of `bench` */
    long jobs;                              /* largest number of processes at a time, of the whole call (pool.h) */
    const char *study;                      /* the file of a study, whose plot scripts are beside it; NULL: none */
    const char *command;                    /* the command that writes the files: "bench", "study", "compare" */
    const char *out;                        /* directory of the files: the results directory, or "times" in it */
    const sb_table *bounds;                 /* the rows of quantities.csv (claims.h) */
    int *measured;                          /* of each row of `bounds`: 1 + its row in `quantities`; 0: not measured */
    sb_table quantities;                    /* measured quantities of the claims, written by sb_bench_measure */
    const sb_saved *saved;                  /* the last table that was saved; NULL: none */
    bool drew;                              /* the experiment has drawn figures itself */
    struct sb_directed *ensemble;           /* NULL unless the experiment is directed */
    sb_sink *member; /* receives the tables in place of files in a member of an ensemble; else NULL */
} sb_bench;

/* The number of elements of an array. */
#define SB_COUNT(array) ((int)(sizeof(array) / sizeof *(array)))
/* A list of names that ends with NULL. */
#define SB_LIST(...) ((const char *const[]){__VA_ARGS__, NULL})

typedef struct sb_experiment {
    sb_entry entry;
    const char *const *files; /* files that it writes, relative to the results directory, ends with NULL */
    bool timed;    /* measures times: it runs alone; its files are in times/ and are never compared byte by byte */
    bool directed; /* round-off reaches its digits: it runs again with directed rounding (ensemble.h) */
    int seconds;   /* processor time if more than about ten seconds: the longest experiments start first */
    const char *command; /* a command that writes the same rows; NULL: none */
    const char *version; /* changes with the computation: `--resume` keeps parts of the same version; NULL: none */
    int (*run)(sb_bench *bench);
    /* Draws the figures again from the files in bench->out, and adds their number to *figures. NULL: the scripts beside
     * the experiment draw them. */
    int (*replot)(sb_bench *bench, int *figures);
} sb_experiment;

/* Opens the function that runs an experiment in C: `SB_DEFINE_EXPERIMENT(wm96_fig3) { ...; return SB_OK; }`. Its
 * argument is `sb_bench *bench`. The reference, the caption and the files are a row of experiments.csv (registry.h). */
#define SB_DEFINE_EXPERIMENT(name)                                                                                     \
    static int run_##name(sb_bench *bench);                                                                            \
    SB_DEFINE_(sb_experiment, SB_KIND_EXPERIMENT, sb_experiment_##name) = {.entry = {#name, "", "", NULL, 0},          \
                                                                           .run = run_##name};                         \
    static int run_##name(sb_bench *bench)

/* Frees the arena of a bench. */
void sb_bench_finish(sb_bench *bench);
/* Declares a copy of a bench with an arena of its own, freed like the arena of SB_SCRATCH. */
#define SB_SCRATCH_BENCH(scratch, bench)                                                                               \
    sb_bench scratch __attribute__((cleanup(sb_bench_finish))) = *(bench);                                             \
    sb_arena_init(&(scratch).arena, (bench)->ctx)

enum { SB_CSV_COMMENTS = 2 };
/* Opens a CSV sink on out/NAME with the standard comment and those of a list of at most SB_CSV_COMMENTS, which ends
 * with NULL (may be NULL). */
int sb_bench_csv(sb_bench *bench, const char *name, const char *const *comments, sb_sink **out);
/* Writes SCRIPT.svg and SCRIPT.png with gnuplot. The script SCRIPT.gp is in the directory of the experiment and reads
 * its CSV files from the directory `out`. Without gnuplot no figure is written, and a note goes to standard error. */
int sb_bench_plot(sb_bench *bench, const char *script);
/* The same under another name, NAME.svg and NAME.png, with gnuplot statements before the script. */
int sb_bench_plot_with(sb_bench *bench, const char *script, const char *name, const char *settings);
/* The same for an animated GIF: writes SCRIPT.gif. */
int sb_bench_animate(sb_bench *bench, const char *script);
/* Draws the figures among the files of the experiment, NAME.svg and NAME.gif by the script NAME.gp, unless the
 * experiment has drawn figures itself. */
int sb_bench_draw(sb_bench *bench);
/* Returns a formatted string in the arena of the experiment; NULL when out of memory. */
#define sb_bench_format(bench, ...) sb_asprintf(&(bench)->arena, __VA_ARGS__)
