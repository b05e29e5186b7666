/* Newton's cradle: equal balls on a line, some of which collide with the others, which are at rest. */
#include "problems/shared/constant_terms.h"
#include "problems/shared/pairs.h"
#include "problems/shared/start.h"
#include "problems/shared/world.h"

typedef struct config {
    long n, moving;
    sb_scalar m, r, v0, distance, spacing, e;
} config;

/* Gap i is the distance between ball i and the next one. In the coordinates x_i - 2 r i the balls are points; elastic
 * points of equal mass exchange their velocities, so that the positions are those of points that pass each other
 * freely, in their order. */
static int gap(const void *self, const sb_scalar *q, sb_scalar *xi, sb_scalar *Nx) {
    const config *p = self;
    for (long i = 0; i < p->n - 1; i++) {
        if (xi != NULL) {
            xi[i] = q[i + 1] - q[i] - 2.0 * p->r;
        }
        if (Nx != NULL) {
            Nx[2 * i] = -1.0;
            Nx[2 * i + 1] = 1.0;
        }
    }
    return SB_OK;
}

static const char *const momenta[] = {"px"};

static int generator(const void *self, int i, const sb_scalar *q, sb_scalar *xi) {
    const config *p = self;
    for (long k = 0; k < p->n; k++) {
        xi[k] = 1.0;
    }
    return SB_OK;
}

static int exact(const void *self, sb_scalar t, sb_scalar *q, sb_scalar *v, sb_scalar *lambda) {
    const config *p = self;
    long next_moving = 0, next_at_rest = p->moving; /* indices of points, in the order of positions */
    for (long i = 0; i < p->n; i++) {
        const sb_scalar run = p->v0 * t - p->distance - p->spacing * (sb_scalar)(p->moving - 1 - next_moving),
                        rest = p->spacing * (sb_scalar)(next_at_rest - p->moving);
        const bool moves = next_moving < p->moving && (next_at_rest == p->n || run < rest);
        if (q != NULL) {
            q[i] = 2.0 * p->r * (sb_scalar)i + (moves ? run : rest);
        }
        if (v != NULL) {
            v[i] = moves ? p->v0 : 0.0;
        }
        if (lambda != NULL && i + 1 < p->n) {
            lambda[i] = 0.0;
        }
        next_moving += moves;
        next_at_rest += !moves;
    }
    return SB_OK;
}

/* ---- The balls in maximal coordinates: solid spheres on the x axis of the plane. ---- */

static int describe(const void *self, sb_arena *arena, sb_world_parts *out) {
    const config *p = self;
    const int n = (int)p->n;
    sb_world_shape *shape;
    sb_world_contact *contact;
    SB_TRY(world_new(arena, n, 0, out));
    SB_TRY(world_new_shapes(arena, n, n - 1, out, &shape, &contact));
    for (int i = 0; i < n; i++) {
        SB_TRY(world_add_body(arena, out, "ball", p->m, 0.4 * p->m * p->r * p->r));
        shape[i] = (sb_world_shape){.name = out->body[i].name, .kind = SB_SPHERE, .body = i, .radius = p->r};
        if (i > 0) {
            contact[i - 1] = (sb_world_contact){.shape = {i - 1, i}, .restitution = p->e};
        }
    }
    return SB_OK;
}

static int place(const void *self, const sb_scalar *q, const sb_scalar *v, sb_scalar *pose, sb_scalar *twist) {
    const config *p = self;
    memset(pose, 0, 3 * (size_t)p->n * sizeof *pose);
    memset(twist, 0, 3 * (size_t)p->n * sizeof *twist);
    for (long i = 0; i < p->n; i++) {
        pose[3 * i] = q[i];
        twist[3 * i] = v[i];
    }
    return SB_OK;
}

static int coordinates(const void *self, const sb_scalar *pose, const sb_scalar *twist, sb_scalar *q, sb_scalar *v) {
    const config *p = self;
    for (long i = 0; i < p->n; i++) {
        q[i] = pose[3 * i];
        v[i] = twist[3 * i];
    }
    return SB_OK;
}

static int init(sb_context *ctx, sb_arena *arena, const void *parameters, sb_system *out) {
    const config *p = parameters;
    pairs N;
    sb_scalar *masses, *restitution;
    if (p->moving >= p->n) {
        return sb_fail(ctx, SB_BAD_USAGE, "newtons_cradle: moving=%ld must be less than n=%ld; take moving <= %ld",
                       p->moving, p->n, p->n - 1);
    }
    SB_TRY(SB_VECTORS(arena, p->n, &masses, &restitution));
    SB_TRY(pairs_new(arena, 2 * ((int)p->n - 1), &N));
    for (int i = 0; i < (int)p->n; i++) {
        masses[i] = p->m;
        restitution[i] = p->e;
        if (i > 0) {
            pairs_add_block(&N, i - 1, i - 1, 2, 1);
        }
    }
    out->n = (int)p->n;
    out->time_scale = (p->spacing > 0.0 ? fmin(p->spacing, p->distance) : p->distance) / p->v0;
    SB_TRY(sb_pattern_diagonal(arena, out->n, &out->H));
    SB_TRY(set_masses(arena, out->n, masses, &out->inertia));
    out->contact = (sb_contact){.self = p, .m = out->n - 1, .gap = gap, .restitution = restitution};
    SB_TRY(pairs_pattern(arena, &N, out->n, out->n - 1, &out->contact.N));
    out->symmetry = (sb_symmetry){p, 1, momenta, generator};
    if (p->r > 0.0) {
        SB_TRY(world_offer(arena,
                           (sb_world){.self = p,
                                      .dimension = 2,
                                      .bodies = out->n,
                                      .describe = describe,
                                      .place = place,
                                      .coordinates = coordinates},
                           out));
    }
    SB_TRY(set_exact(arena, p, exact, out));
    out->exact = p->e == 1.0 ? out->exact : NULL;
    return SB_OK;
}

/* The exact solution holds for e = 1: as many balls leave as arrive, with the same speed. Touching balls are the limit
 * of a spacing that tends to 0. A simultaneous solution of all impacts, N v >= -e N v before with impulses
 * complementary to it, is another one: a ball that hits n - 1 touching ones rebounds with -(1 - 2/n) v0, and they leave
 * together with 2 v0/n. It conserves momentum and energy too. */
static const sb_param params[] = {
    SB_PARAM_INT(config, n, "5", 2.0, 100000.0, "number of balls"),
    SB_PARAM_INT(config, moving, "1", 1.0, 100000.0, "how many of them run into the rest"),
    SB_PARAM_POSITIVE(config, m, "1", "kg", "mass of a ball"),
    SB_PARAM_NOT_NEGATIVE(config, r, "0.05", "m", "radius of a ball; balls of radius 0 have no world"),
    SB_PARAM_POSITIVE(config, v0, "1", "m/s", "speed of the moving balls"),
    SB_PARAM_POSITIVE(config, distance, "0.1", "m", "of the foremost moving ball from the first one at rest"),
    SB_PARAM_NOT_NEGATIVE(config, spacing, "0", "m", "between neighbours of a kind; 0: they touch"),
    SB_PARAM_REAL(config, e, "1", 0.0, 1.0, SB_CLOSED, "", "restitution; the exact solution is for 1"),
    {.name = NULL},
};

SB_DEFINE_PROBLEM(newtons_cradle) = {
    .entry = {"newtons_cradle",
              "equal balls on a line, elastic: as many leave as came, unless impacts are solved for all at once",
              "brogliato16", params, sizeof(config)},
    .init = init,
};
