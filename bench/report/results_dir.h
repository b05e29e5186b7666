/* Reads a results directory for its pages: papers, claims with their verdicts, experiments with the files that exist.
 */
#pragma once

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

/* Sets *path to out/FILE, allocated from the arena. */
int sb_results_path(const sb_results *results, const char *file, const char **path);
/* Returns whether out/FILE exists. */
bool sb_results_has(const sb_results *results, const char *file);

/* Creates out/site, where the data are that index.html reads on demand: no server and no network is needed. Fails with
 * SB_IO. */
int sb_site_directory(const sb_results *results);
/* Writes the CSV file out/FILE as the script out/site/FILE.js, numbers with seven digits. Sets *rows and *columns. */
int sb_site_table(const sb_results *results, const char *file, int *rows, int *columns);
/* Writes out/provenance.json as the script out/site/provenance.js, if it exists. */
int sb_site_provenance(const sb_results *results);
