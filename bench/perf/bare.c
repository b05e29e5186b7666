/* Finds the hand-coded reference loops and the constants they run with. */
#include <string.h>

#include "bench/perf/bare.h"
#include "core/base/registry.h"
#include "core/run/build.h"

const sb_bare *const sb_bare_lists[] = {sb_bare_particle, sb_bare_pendulum, sb_bare_dsp, sb_bare_rigid_body, NULL};

const sb_bare *sb_bare_find(const char *stepper, const char *problem, const char *formulation) {
    for (const sb_bare *const *list = sb_bare_lists; *list != NULL; list++) {
        for (const sb_bare *bare = *list; bare->stepper != NULL; bare++) {
            const bool reformulated = bare->formulation != NULL && formulation != NULL
                                          ? strcmp(bare->formulation, formulation) == 0
                                          : bare->formulation == formulation;
            if (reformulated && strcmp(bare->stepper, stepper) == 0 && strcmp(bare->problem, problem) == 0) {
                return bare;
            }
        }
    }
    return NULL;
}

void sb_bare_start_velocity(int n, const double *c, double h, const double *q0, const double *q1, const double *v1,
                            double *s) {
    for (int i = 0; i < n; i++) {
        s[i] = q1[i];
        s[n + i] = v1[i];
    }
}

void sb_bare_start_displacement(int n, const double *c, double h, const double *q0, const double *q1, const double *v1,
                                double *s) {
    for (int i = 0; i < n; i++) {
        s[i] = q1[i];
        s[n + i] = q1[i] - q0[i];
    }
}

int sb_bare_constants(sb_context *ctx, sb_arena *arena, const sb_bare *bare, double c[SB_BARE_CONSTANTS]) {
    const sb_entry *entry = sb_registry_find(ctx, SB_KIND_PROBLEM, bare->problem);
    if (entry == NULL) {
        return SB_BAD_USAGE;
    }
    char *config = sb_alloc(arena, 1, entry->config_size);
    if (config == NULL) {
        return SB_NO_MEMORY;
    }
    SB_TRY(sb_config_parse(ctx, arena, entry, NULL, config));
    for (int i = 0; bare->constants[i] != NULL; i++) {
        const sb_param *param = entry->params;
        while (param != NULL && param->name != NULL && strcmp(param->name, bare->constants[i]) != 0) {
            param++;
        }
        if (param == NULL || param->name == NULL || param->type != SB_REAL) {
            return sb_fail(ctx, SB_BAD_USAGE, "%s has no real parameter %s", bare->problem, bare->constants[i]);
        }
        memcpy(&c[i], config + param->offset, sizeof c[i]);
    }
    return SB_OK;
}
