/* The interface of an engine of rigid bodies and joints: a plane mechanism, its settings, and steps of equal length. */
#ifndef STEPBENCH_BENCH_PEERS_PEER_H
#define STEPBENCH_BENCH_PEERS_PEER_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A rod: kg, kg m^2 about its centre; position and angle of the centre and their rates, m, rad, s. */
typedef struct peer_body {
    double mass, inertia, x, y, angle, vx, vy, spin;
} peer_body;

/* A pin between the point `at_second` along the rod `second`, from its centre (m), and the point `at_first` along the
 * rod `first`, or the point (x, y) of the ground where first = -1. */
typedef struct peer_joint {
    int first, second;
    double at_first, at_second, x, y;
} peer_joint;

typedef struct peer_world {
    int nbodies, njoints;
    peer_body *body;
    peer_joint *joint;
    double g; /* gravity along -y, m/s^2 */
} peer_world;

/* Settings that an engine does not have are 0. */
typedef struct peer_settings {
    const char *name;
    int iterations, position_iterations; /* 0: a direct solver */
    double erp, cfm;                     /* fraction of the violation removed per step; constraint force mixing */
    int largest;                         /* number of bodies for which these settings are run; 0: any */
} peer_settings;

typedef struct peer_engine {
    const char *name, *version, *precision;
    int nsettings;
    const peer_settings *settings; /* the default ones first, the most accurate ones last */
    void *(*open)(const peer_world *world, const peer_settings *settings);
    void (*step)(void *self, double h);
    void (*read)(void *self, peer_body *body); /* sets positions and rates */
    void (*close)(void *self);
} peer_engine;

/* The only function that an adapter exports. */
const peer_engine *peer_engine_get(void);

#ifdef __cplusplus
}
#endif

#endif
