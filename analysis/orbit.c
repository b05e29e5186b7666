/* Orbit: the successive states of a method, one step at a time. */
#include "analysis/orbit.h"

int sb_orbit_init(const sb_method *method, sb_arena *arena, sb_orbit *out) {
    *out = (sb_orbit){.method = method};
    SB_TRY(sb_state_new(method, arena, &out->now));
    return sb_state_new(method, arena, &out->next);
}

int sb_orbit_start(sb_orbit *orbit, double t, const double *q, const double *v, double h) {
    return sb_method_start(orbit->method, t, q, v, h, &orbit->now);
}

int sb_orbit_advance(sb_orbit *orbit, double h, long steps) {
    for (long k = 0; k < steps; k++) {
        SB_TRY(sb_method_step(orbit->method, &orbit->now, h, &orbit->next));
        const sb_state swap = orbit->now;
        orbit->now = orbit->next;
        orbit->next = swap;
    }
    return SB_OK;
}
