/* The Pleiades of hnw93 II.10 and ivptest08: seven stars in the plane, with masses 1 to 7, G = 1 and close encounters.
 */
#include "problems/shared/gravity.h"
#include "problems/shared/start.h"

enum { STARS = 7, DIM = 2 };

static const sb_scalar q0[DIM * STARS] = {3, 3, 3, -3, -1, 2, -3, 0, 2, 0, -2, -4, 2, 4},
                                v0[DIM * STARS] = {0, 0, 0, 0, 0, 0, 0, -1.25, 0, 1, 1.75, 0, -1.5, 0};

static int init(sb_context *ctx, sb_arena *arena, const void *parameters, sb_system *out) {
    sb_scalar masses[STARS];
    for (int i = 0; i < STARS; i++) {
        masses[i] = i + 1;
    }
    SB_TRY(set_attraction(arena, 1.0, DIM, STARS, masses, out));
    /* Of stars with a mass of 8 in all that pass at 0.34: sqrt(0.34^3/8). The closest encounter, of the first and the
     * seventh at 0.0336, takes a thirtieth of it. */
    out->time_scale = SB_R(0.07);
    return set_start(arena, q0, v0, out);
}

SB_DEFINE_PROBLEM(pleiades) = {
    .entry = {"pleiades", "seven stars in the plane, with close encounters", "hnw93 II.10; ivptest08", NULL, 0},
    .init = init,
};
