/* Registers the experiments of bench/experiments/list.def. */
#include "bench/experiment.h"

#define SB_EXPERIMENT(name) extern const sb_experiment sb_experiment_##name;
#include "bench/experiments/list.def"
#undef SB_EXPERIMENT

int sb_experiments_register(sb_registry *registry) {
#define SB_EXPERIMENT(name) SB_TRY(sb_registry_add(registry, SB_KIND_EXPERIMENT, &sb_experiment_##name.entry));
#include "bench/experiments/list.def"
#undef SB_EXPERIMENT
    (void)registry;
    return SB_OK;
}
