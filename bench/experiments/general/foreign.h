/* Problems and steppers of kinds on which no threshold of a verdict was chosen or changed, for confusion_foreign. */
#pragma once

#include "core/base/registry.h"

typedef enum sb_foreign {
    SB_FOREIGN_CLUSTER,   /* seven particles in the plane, 4 (r^-12 - r^-6) for each pair */
    SB_FOREIGN_CHARGE,    /* a charge in the plane, in a magnetic field across it that grows with x, and a well */
    SB_FOREIGN_ENCOUNTER, /* three masses under their gravity, thrown from places near those of burrau13 */
    SB_FOREIGN_ROLLING,   /* a particle with z' = y x', in an anisotropic well with a quartic coupling */
    SB_FOREIGN_NETWORK,   /* ten masses on random springs, k from 1 to 1e6 */
    SB_FOREIGN_UNIFORM,   /* the charge in a uniform field, in a harmonic well */
    SB_FOREIGN_COUNT
} sb_foreign;
extern const char *const sb_foreign_name[SB_FOREIGN_COUNT];

/* Builds member k = 0, 1, ... of a kind. */
int sb_foreign_make(sb_context *ctx, sb_arena *arena, sb_foreign kind, int k, sb_system *out);

/* Registers the steppers foreign_boris and foreign_drag. */
int sb_foreign_register(sb_registry *registry);
