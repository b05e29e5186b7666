/* The outer solar system of hlw06 I.2.4: the gravitation (gravity.h) of the Sun, with the inner planets in its mass,
 * and up to five outer planets. Units: astronomical units, days, masses of the Sun. */
#include "problems/shared/gravity.h"
#include "problems/shared/start.h"

enum { BODIES = 6, DIM = 3 };

typedef struct config {
    long planets;
} config;

/* hlw06 I.2, Table 2.2: positions and velocities of 5 September 1994 at 0h00. */
static const struct {
    sb_scalar m, x[DIM], v[DIM];
} data[BODIES] = {
    {SB_R(1.00000597682), {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}},
    {SB_R(0.000954786104043),
     {-SB_R(3.5023653), -SB_R(3.8169847), -SB_R(1.5507963)},
     {SB_R(0.00565429), -SB_R(0.00412490), -SB_R(0.00190589)}},
    {SB_R(0.000285583733151),
     {SB_R(9.0755314), -SB_R(3.0458353), -SB_R(1.6483708)},
     {SB_R(0.00168318), SB_R(0.00483525), SB_R(0.00192462)}},
    {SB_R(0.0000437273164546),
     {SB_R(8.3101420), -SB_R(16.2901086), -SB_R(7.2521278)},
     {SB_R(0.00354178), SB_R(0.00137102), SB_R(0.00055029)}},
    {SB_R(0.0000517759138449),
     {SB_R(11.4707666), -SB_R(25.7294829), -SB_R(10.8169456)},
     {SB_R(0.00288930), SB_R(0.00114527), SB_R(0.00039677)}},
    {1.0 / (sb_scalar)1.3e8,
     {-SB_R(15.5387357), -SB_R(25.2225594), -SB_R(3.1902382)},
     {SB_R(0.00276725), -SB_R(0.00170702), -SB_R(0.00136504)}},
};

static const sb_scalar G = SB_R(2.95912208286e-4); /* AU^3/(day^2 solar mass) */

static int init(sb_context *ctx, sb_arena *arena, const void *parameters, sb_system *out) {
    const int bodies = (int)((const config *)parameters)->planets + 1;
    sb_scalar masses[BODIES], x[DIM], q[DIM * BODIES], v[DIM * BODIES];
    for (int i = 0; i < DIM * bodies; i++) {
        masses[i / DIM] = data[i / DIM].m;
        q[i] = data[i / DIM].x[i % DIM];
        v[i] = data[i / DIM].v[i % DIM];
    }
    SB_TRY(set_attraction(arena, G, DIM, bodies, masses, out));
    /* The inverse of Jupiter's angular frequency, some 690 days: its orbit is nearly a circle. */
    const sb_scalar r = gravity_between(DIM, q, 0, 1, x);
    out->time_scale = r * sqrt(r / (G * (data[0].m + data[1].m)));
    return set_start(arena, q, v, out);
}

static const sb_param params[] = {
    SB_PARAM_INT(config, planets, "5", 1.0, 5.0, "Jupiter, Saturn, Uranus, Neptune and Pluto: the first so many"),
    {.name = NULL},
};

SB_DEFINE_PROBLEM(outer_solar_system) = {
    .entry = {"outer_solar_system", "the Sun and the outer planets in astronomical units, days and masses of the Sun",
              "hlw06 (I.2.4)", params, sizeof(config)},
    .init = init,
};
