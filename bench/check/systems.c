/* The list of the check systems. */
#include "bench/check/systems.h"

#include "bench/check/terms.h"
#include "core/run/build.h"

static const struct {
    const char *name;
    int (*make)(sb_arena *arena, const void *parameters, sb_system *out);
    const void *parameters;
} systems[] = {
    {"check.quartic", sb_check_quartic, NULL},
    {"check.oblique", sb_check_planar, &(const sb_planar){.k = 1.0}},
    {"check.force_q", sb_check_planar, &(const sb_planar){.k = 1.0, .curl = 0.3}},
    {"check.force_v", sb_check_planar, &(const sb_planar){.k = 1.0, .drag = 0.4}},
    {"check.gyroscopic", sb_check_planar, &(const sb_planar){.k = 1.0, .gyro = 0.8}},
    {"check.force_t", sb_check_planar, &(const sb_planar){.k = 1.0, .push = 0.7, .rate = 1.3}},
    {"check.forces", sb_check_planar,
     &(const sb_planar){.k = 1.0, .drag = 0.2, .gyro = 0.5, .curl = 0.1, .push = 0.4, .rate = 0.7}},
    {"check.mass", sb_check_polar, &(const sb_polar){.drag = 0.0}},
    {"check.mass_force", sb_check_polar, &(const sb_polar){.drag = 0.3}},
    {"check.holonomic", sb_check_planar, &(const sb_planar){.row = SB_PLANAR_CIRCLE}},
    {"check.holonomic_forces", sb_check_planar,
     &(const sb_planar){.drag = 0.3, .gyro = 0.5, .torque = 0.6, .rate = 1.3, .row = SB_PLANAR_CIRCLE}},
    {"check.curved", sb_check_planar, &(const sb_planar){.row = SB_PLANAR_CATENARY}},
    {"check.curved_force", sb_check_planar, &(const sb_planar){.drag = 0.3, .row = SB_PLANAR_CATENARY}},
    {"check.curved_mass", sb_check_polar, &(const sb_polar){.line = true}},
    {"check.curved_mass_force", sb_check_polar, &(const sb_polar){.drag = 0.3, .line = true}},
    {"check.nonholonomic", sb_check_knife, &(const double){0.0}},
    {"check.nonholonomic_force", sb_check_knife, &(const double){0.3}},
    {"check.driven", sb_check_planar, &(const sb_planar){.k = 1.0, .rate = 1.3, .row = SB_PLANAR_DRIVEN}},
    {"check.steered", sb_check_planar, &(const sb_planar){.rate = 1.0, .row = SB_PLANAR_STEERED}},
};

int sb_check_system_count(void) { return sizeof systems / sizeof *systems; }

const char *sb_check_system_name(int k) { return systems[k].name; }

int sb_check_system_make(sb_context *ctx, sb_arena *arena, int k, sb_system *out) {
    *out = (sb_system){0};
    SB_TRY(systems[k].make(arena, systems[k].parameters, out));
    return sb_system_finish(ctx, arena, systems[k].name, out);
}
