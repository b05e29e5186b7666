/* Reads a results directory for its pages: papers, claims with their verdicts, experiments with the files that exist.
 */
#ifndef STEPBENCH_BENCH_REPORT_RESULTS_DIR_H
#define STEPBENCH_BENCH_REPORT_RESULTS_DIR_H

#include <stdio.h>

#include "bench/runner/bench.h"
#include "bench/runner/claims.h"
#include "bench/runner/registry.h"

enum { SB_VERDICTS = 4 };

typedef struct sb_results {
    sb_context *ctx;
    sb_arena *arena;
    const sb_registry *registry;
    const sb_study *study; /* NULL: the experiments of the program */
    const char *out;
    sb_table claims;     /* the project's list of claims */
    sb_table quantities; /* out/claims.csv; empty where there is none */
} sb_results;

/* Writes the pages of a results directory, README.md and index.html, from out/claims.csv, the list of claims, and those
 * files of the registered experiments that exist. With a study its title, its text and its experiments. The same
 * results give the same bytes. Fails with SB_IO or SB_NO_MEMORY. */
int sb_results_write_pages(sb_context *ctx, const sb_registry *registry, const sb_study *study, const char *out);

/* Reads the list of claims and out/claims.csv. */
int sb_results_open(sb_context *ctx, sb_arena *arena, const sb_registry *registry, const sb_study *study,
                    const char *out, sb_results *results);

/* Sets *path to out/FILE, allocated from the arena. */
int sb_results_path(const sb_results *results, const char *file, const char **path);
/* Returns whether out/FILE exists. */
bool sb_results_has(const sb_results *results, const char *file);
/* Returns whether a file of an experiment is a figure. The PNG file of the same name is the same figure and does not
 * count. */
bool sb_is_figure(const char *file);
/* Returns whether the file is a figure that exists. */
bool sb_results_figure(const sb_results *results, const char *file);
/* Returns the verdict on a claim that follows from its quantities, "open" if there are none. */
const char *sb_results_verdict(const sb_results *results, const char *id);
/* Returns whether a row of the list of claims is a result of the project itself and not of a paper. */
bool sb_results_own(const sb_results *results, int row);
/* Returns the verdict on a row of the list of claims in the words of the pages; that on a result of the project is
 * "holds" or "does not hold". */
const char *sb_results_verdict_words(const sb_results *results, int row);
/* Returns whether a quantity of a claim of the paper (NULL: of any paper) was measured. */
bool sb_results_measured(const sb_results *results, const sb_paper *paper);
/* Counts the claims of a paper (NULL: all papers) by verdict, open ones last, and returns their number. */
int sb_results_count(const sb_results *results, const sb_paper *paper, int counts[SB_VERDICTS + 1]);
/* Stands for the paper of a study: all claims are of it. */
extern const sb_paper sb_study_paper;
/* Returns experiment i of the registry. */
static inline const sb_experiment *sb_experiment_at(const sb_registry *registry, int i) {
    return (const sb_experiment *)registry->entries[SB_KIND_EXPERIMENT][i];
}
/* Returns whether the experiment belongs to the paper and any of its files exists. NULL: to no paper, as the
 * experiments of a study. */
bool sb_results_shows_of(const sb_results *results, const sb_paper *paper, const sb_experiment *experiment);

/* Creates out/site, where the data are that index.html reads on demand: no server and no network is needed. Fails with
 * SB_IO. */
int sb_site_directory(const sb_results *results);
/* Writes the CSV file out/FILE as the script out/site/FILE.js, numbers with seven digits. Sets *rows and *columns. */
int sb_site_table(const sb_results *results, const char *file, int *rows, int *columns);
/* Writes out/provenance.json as the script out/site/provenance.js, if it exists. */
int sb_site_provenance(const sb_results *results);

#endif
