/* Registers every built-in entry, and lists the papers that experiments belong to. */
#pragma once

#include "core/base/registry.h"

/* A paper: a directory of experiments with an SB_PAPER line. Ids of its claims and names of its experiments begin with
 * its key. */
typedef struct sb_paper {
    const char *key;
    int year;
    const char *title;
} sb_paper;

/* In the order of their years; the last has a NULL key. */
extern const sb_paper sb_papers[];

/* Returns whether a claim's id or an experiment's name is of the paper; with NULL: of none of them. */
bool sb_paper_has(const sb_paper *paper, const char *name);

/* Adds all built-in entries: solvers, steppers, problems, formulations, analyses, experiments. Fails with
 * SB_BAD_USAGE if a name is taken. */
int sb_register_builtins(sb_registry *registry);

/* Sets reference, caption and files of the experiments in C from the files experiments.csv of the papers and beside
 * plug-ins. Columns: experiment, reference, files (relative to the results directory, separated by blanks), runs
 * (timed, directed or empty), seconds (as sb_experiment, or empty), caption. Fails with SB_BAD_USAGE for an experiment
 * without a row. */
int sb_experiments_describe(sb_context *ctx, sb_arena *arena, sb_registry *registry);

/* Sets *out to the names in a text, separated by blanks, and NULL after them. */
int sb_names_list(sb_arena *arena, const char *text, const char *const **out);
