/* Lists and builds the check systems. */
#include "bench/check/systems.h"

#include "bench/check/terms.h"
#include "core/run/build.h"

#define FAMILY(name) sb_check_##name, sb_check_##name##_motion

typedef struct check_system {
    const char *name;
    int (*make)(sb_arena *arena, const void *parameters, sb_system *out);
    int (*motion)(const void *parameters, double t, double *q, double *v, double *lambda);
    const void *parameters;
} check_system;

static const check_system systems[] = {
    {"check.quartic", FAMILY(quartic), NULL},
    {"check.oblique", FAMILY(planar), &(const sb_planar){.k = 1.0}},
    {"check.force_q", FAMILY(planar), &(const sb_planar){.k = 1.0, .curl = 0.3}},
    {"check.force_v", FAMILY(planar), &(const sb_planar){.k = 1.0, .drag = 0.4}},
    {"check.gyroscopic", FAMILY(planar), &(const sb_planar){.k = 1.0, .gyro = 0.8}},
    {"check.force_t", FAMILY(planar), &(const sb_planar){.k = 1.0, .push = 0.7, .rate = 1.3}},
    {"check.forces", FAMILY(planar),
     &(const sb_planar){.k = 1.0, .drag = 0.2, .gyro = 0.5, .curl = 0.1, .push = 0.4, .rate = 0.7}},
    {"check.mass", FAMILY(polar), &(const sb_polar){.drag = 0.0}},
    {"check.mass_force", FAMILY(polar), &(const sb_polar){.drag = 0.3}},
    {"check.holonomic", FAMILY(planar), &(const sb_planar){.row = SB_PLANAR_CIRCLE}},
    {"check.holonomic_forces", FAMILY(planar),
     &(const sb_planar){.drag = 0.3, .gyro = 0.5, .torque = 0.6, .rate = 1.3, .row = SB_PLANAR_CIRCLE}},
    {"check.curved", FAMILY(planar), &(const sb_planar){.row = SB_PLANAR_CATENARY}},
    {"check.curved_force", FAMILY(planar), &(const sb_planar){.drag = 0.3, .row = SB_PLANAR_CATENARY}},
    {"check.curved_mass", FAMILY(polar), &(const sb_polar){.line = true}},
    {"check.curved_mass_force", FAMILY(polar), &(const sb_polar){.drag = 0.3, .line = true}},
    {"check.nonholonomic", FAMILY(knife), &(const double){0.0}},
    {"check.nonholonomic_force", FAMILY(knife), &(const double){0.3}},
    {"check.driven", FAMILY(planar), &(const sb_planar){.k = 1.0, .rate = 1.3, .row = SB_PLANAR_DRIVEN}},
    {"check.steered", FAMILY(planar), &(const sb_planar){.rate = 1.0, .row = SB_PLANAR_STEERED}},
};

int sb_check_system_count(void) { return sizeof systems / sizeof *systems; }

const char *sb_check_system_name(int k) { return systems[k].name; }

/* Computes the exact solution. q, v and lambda may be NULL. */
static int exact(const void *self, double t, double *q, double *v, double *lambda) {
    const check_system *me = self;
    double room[3][3];
    return me->motion(me->parameters, t, q != NULL ? q : room[0], v != NULL ? v : room[1],
                      lambda != NULL ? lambda : room[2]);
}

static int initial(const void *self, double *t, double *q, double *v) {
    *t = 0.0;
    return exact(self, 0.0, q, v, NULL);
}

int sb_check_system_make(sb_context *ctx, sb_arena *arena, int k, sb_system *out) {
    *out = (sb_system){0};
    SB_TRY(systems[k].make(arena, systems[k].parameters, out));
    out->self = &systems[k];
    out->initial = initial;
    out->exact = exact;
    return sb_system_finish(ctx, arena, systems[k].name, out);
}
