/* Registers every built-in entry, and lists the papers that experiments belong to. */
#include "bench/runner/registry.h"

#include <string.h>

#include "analysis/analysis.h"
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
