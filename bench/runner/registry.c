/* Registers every built-in entry, and lists the papers that experiments belong to. */
#include "bench/runner/registry.h"

#include <stdlib.h>
#include <string.h>

#include "bench/data/data.h"
#include "bench/runner/experiment.h"
#include "core/run/register.h"
#include "integrators/register.h"
#include "problems/register.h"

#define SB_PAPER(key, year, title)
#define SB_EXPERIMENT(name) extern const sb_experiment sb_experiment_##name;
#include <sb_experiments.def>
#undef SB_PAPER
#undef SB_EXPERIMENT

#define SB_PAPER(key, year, title) {#key, year, title},
#define SB_EXPERIMENT(name)
const sb_paper sb_papers[] = {
#include <sb_experiments.def>
    {NULL, 0, NULL}};
#undef SB_PAPER
#undef SB_EXPERIMENT

bool sb_paper_has(const sb_paper *paper, const char *name) {
    if (paper != NULL) {
        return strncmp(name, paper->key, strlen(paper->key)) == 0;
    }
    for (const sb_paper *p = sb_papers; p->key != NULL; p++) {
        if (sb_paper_has(p, name)) {
            return false;
        }
    }
    return true;
}

static int register_experiments(sb_registry *registry) {
#define SB_PAPER(key, year, title)
#define SB_EXPERIMENT(name) SB_TRY(sb_registry_add(registry, SB_KIND_EXPERIMENT, &sb_experiment_##name.entry));
#include <sb_experiments.def>
#undef SB_PAPER
#undef SB_EXPERIMENT
    return SB_OK;
}

int sb_register_builtins(sb_registry *registry) {
    SB_TRY(sb_register_numerics(registry));
    SB_TRY(sb_register_steppers(registry));
    SB_TRY(sb_register_problems(registry));
    SB_TRY(sb_analyses_register(registry));
    return register_experiments(registry);
}

int sb_names_list(sb_arena *arena, const char *text, const char *const **out) {
    const char **list;
    char *copy, *rest;
    int count = 0;
    SB_NEW(arena, list, strlen(text) / 2 + 2);
    SB_PRINT(arena, copy, "%s", text);
    for (char *name = strtok_r(copy, " ", &rest); name != NULL; name = strtok_r(NULL, " ", &rest)) {
        list[count++] = name;
    }
    *out = list;
    return SB_OK;
}

int sb_experiments_describe(sb_context *ctx, sb_arena *arena, sb_registry *registry) {
    sb_table rows;
    SB_TRY(sb_experiments_read(ctx, arena, &rows));
    for (int i = 0; i < registry->count[SB_KIND_EXPERIMENT]; i++) {
        const sb_entry **entry = &registry->entries[SB_KIND_EXPERIMENT][i];
        const int row = sb_table_find(&rows, "experiment", (*entry)->name, 0);
        sb_experiment *e;
        if (((const sb_experiment *)*entry)->files != NULL) { /* described, or of a study */
            continue;
        }
        if (row < 0) {
            return sb_fail(ctx, SB_BAD_USAGE,
                           "the experiment %s has no row in an experiments.csv, with its files and its caption",
                           (*entry)->name);
        }
        const char *runs = sb_table_text(&rows, row, "runs");
        SB_NEW(arena, e, 1);
        *e = *(const sb_experiment *)*entry;
        e->entry.ref = sb_table_text(&rows, row, "reference");
        e->entry.brief = sb_table_text(&rows, row, "caption");
        e->timed = strcmp(runs, "timed") == 0;
        e->directed = strcmp(runs, "directed") == 0;
        if (!e->timed && !e->directed && runs[0] != '\0') {
            return sb_fail(ctx, SB_BAD_USAGE, "experiments.csv, %s: runs is timed, directed or empty, not \"%s\"",
                           (*entry)->name, runs);
        }
        e->seconds = (int)strtol(sb_table_text(&rows, row, "seconds"), NULL, 10);
        SB_TRY(sb_names_list(arena, sb_table_text(&rows, row, "files"), &e->files));
        *entry = &e->entry;
    }
    return SB_OK;
}
