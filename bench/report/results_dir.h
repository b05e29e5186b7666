/* The results folder as its pages show it: papers, claims with their verdicts, experiments with the files that are there. */
#ifndef STEPBENCH_BENCH_REPORT_RESULTS_DIR_H
#define STEPBENCH_BENCH_REPORT_RESULTS_DIR_H

#include <stdio.h>

#include "bench/runner/experiment.h"
#include "bench/runner/registry.h"

enum { SB_VERDICTS = 4 };

typedef struct sb_folder {
    sb_context *ctx;
    sb_arena *arena;
    const sb_registry *registry;
    const char *out;
    sb_table claims;  /* the project's */
    sb_table settled; /* out/claims.csv; empty where there is none */
} sb_folder;

/* Writes out/FILE by `put`, under a temporary name until it is whole. The folder lives during the call. */
int sb_folder_write(sb_context *ctx, const sb_registry *registry, const char *out, const char *file, int (*put)(const sb_folder *folder, FILE *to));
/* out/FILE, in the arena. */
int sb_folder_path(const sb_folder *folder, const char *file, const char **path);
bool sb_folder_has(const sb_folder *folder, const char *file);
/* The verdict on a claim, "open" where there is none; its row in folder->settled or -1. */
const char *sb_folder_verdict(const sb_folder *folder, const char *id, int *row);
/* Claims of a paper (NULL: all papers): `counts` by verdict, open ones last; returns their number. */
int sb_folder_count(const sb_folder *folder, const sb_paper *paper, int counts[SB_VERDICTS + 1]);
/* Whether any file of the experiment is there. */
bool sb_folder_shows(const sb_folder *folder, const sb_experiment *experiment);

/* File names by what they end with: ".csv". */
bool sb_ends_with(const char *name, const char *end);

/* Returns what follows the last slash. */
const char *sb_file_name(const char *path);

#endif
