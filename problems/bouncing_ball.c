/* A ball that bounces on the ground with Newton's law of impact. For e < 1 there are infinitely many impacts in a
 * finite time. */
#include "problems/shared/constant_terms.h"
#include "problems/shared/start.h"
#include "problems/shared/world.h"

typedef struct config {
    sb_scalar m, g, y0, v0, e, r;
} config;

/* The first impact is at t1 with the speed u; the ball leaves impact k with the speed e^k u. */
typedef struct ball {
    config c;
    sb_scalar t1, u;
} ball;

static int gap(const void *self, const sb_scalar *q, sb_scalar *xi, sb_scalar *Nx) {
    if (xi != NULL) {
        xi[0] = q[0];
    }
    if (Nx != NULL) {
        Nx[0] = 1.0;
    }
    return SB_OK;
}

/* Flight k = 1, 2, ... lasts 2 e^k u/g. The first k flights last (2 u/g) e (1 - e^k)/(1 - e), which tends to
 * (2 u/g) e/(1 - e). */
static int exact(const void *self, sb_scalar t, sb_scalar *q, sb_scalar *v, sb_scalar *lambda) {
    const ball *p = self;
    const sb_scalar g = p->c.g, e = p->c.e, s = t - p->t1, unit = 2.0 * p->u / g;
    sb_scalar since, up; /* time since the start of the current flight, and the speed there */
    bool rests = p->u == 0.0;
    if (s < 0.0) {
        since = t;
        up = p->c.v0;
    } else if (e == 1.0) {
        since = fmod(s, unit);
        up = p->u;
    } else {
        const sb_scalar left = 1.0 - s * (1.0 - e) / (unit * e); /* between e^k and e^(k + 1) in flight k + 1 */
        const sb_scalar power = pow(e, floor(log(left) / log(e)));
        rests = !(left > 0.0) || !(power > 0.0);
        since = s - unit * e * (1.0 - power) / (1.0 - e);
        up = e * power * p->u;
    }
    if (q != NULL) {
        q[0] = rests ? 0.0 : fmax(0.0, (s < 0.0 ? p->c.y0 : 0.0) + (up - 0.5 * g * since) * since);
    }
    if (v != NULL) {
        v[0] = rests ? 0.0 : up - g * since;
    }
    if (lambda != NULL) {
        lambda[0] = rests ? p->c.m * g : 0.0;
    }
    return SB_OK;
}

/* ---- The ball in maximal coordinates: y is the height of its lowest point. ---- */

static int describe(const void *self, sb_arena *arena, sb_world_parts *out) {
    const ball *p = self;
    sb_world_shape *shape;
    sb_world_contact *contact;
    SB_TRY(world_new(arena, 1, 0, out));
    SB_TRY(world_new_shapes(arena, 2, 1, out, &shape, &contact));
    out->gravity[1] = -p->c.g;
    shape[0] = world_floor();
    shape[1] = (sb_world_shape){.name = "ball", .kind = SB_SPHERE, .radius = p->c.r};
    *contact = (sb_world_contact){.shape = {0, 1}, .restitution = p->c.e};
    return world_add_body(arena, out, "ball", p->c.m, 0.4 * p->c.m * p->c.r * p->c.r);
}

static int place(const void *self, const sb_scalar *q, const sb_scalar *v, sb_scalar *pose, sb_scalar *twist) {
    const ball *p = self;
    memset(pose, 0, 3 * sizeof *pose);
    memset(twist, 0, 3 * sizeof *twist);
    pose[1] = q[0] + p->c.r;
    twist[1] = v[0];
    return SB_OK;
}

static int coordinates(const void *self, const sb_scalar *pose, const sb_scalar *twist, sb_scalar *q, sb_scalar *v) {
    const ball *p = self;
    q[0] = pose[1] - p->c.r;
    v[0] = twist[1];
    return SB_OK;
}

static int init(sb_context *ctx, sb_arena *arena, const void *parameters, sb_system *out) {
    ball *p;
    sb_scalar *restitution;
    SB_NEW(arena, p, 1);
    SB_NEW(arena, restitution, 1);
    p->c = *(const config *)parameters;
    if (p->c.y0 == 0.0 && p->c.v0 < 0.0) {
        return sb_fail(ctx, SB_BAD_USAGE,
                       "bouncing_ball: v0=%g at y0=0 is an impact at the start; take y0 > 0 or v0 >= 0",
                       (double)p->c.v0);
    }
    p->u = sqrt(p->c.v0 * p->c.v0 + 2.0 * p->c.g * p->c.y0);
    /* No cancellation for either sign of v0. */
    p->t1 = p->c.v0 > 0.0 ? (p->c.v0 + p->u) / p->c.g : p->u > 0.0 ? 2.0 * p->c.y0 / (p->u - p->c.v0) : 0.0;
    *restitution = p->c.e;
    out->n = 1;
    out->time_scale = p->u > 0.0 ? p->u / p->c.g : 1.0;
    SB_TRY(sb_pattern_full(arena, 1, 1, &out->H));
    SB_TRY(set_masses(arena, 1, &p->c.m, &out->inertia));
    SB_TRY(set_gravity(arena, 1, p->c.g, &p->c.m, &out->potential));
    out->contact = (sb_contact){.self = p, .m = 1, .N = out->H, .gap = gap, .restitution = restitution};
    SB_TRY(world_offer(
        arena,
        (sb_world){
            .self = p, .dimension = 2, .bodies = 1, .describe = describe, .place = place, .coordinates = coordinates},
        out));
    return set_start_and_exact(arena, &p->c.y0, &p->c.v0, p, exact, out);
}

static const sb_param params[] = {
    SB_PARAM_POSITIVE(config, m, "1", "kg", "mass"),
    SB_PARAM_POSITIVE(config, g, "9.81", "m/s^2", "gravity"),
    SB_PARAM_NOT_NEGATIVE(config, y0, "1", "m", "initial height above the ground"),
    SB_PARAM_ANY(config, v0, "0", "m/s", "initial velocity, upwards"),
    SB_PARAM_REAL(config, e, "0.7", 0.0, 1.0, SB_CLOSED, "",
                  "restitution: at rest 2 u e/((1 - e) g) after the first impact, which is at the speed u"),
    SB_PARAM_POSITIVE(config, r, "0.1", "m", "radius, of the ball in its world"),
    {.name = NULL},
};

SB_DEFINE_PROBLEM(bouncing_ball) = {
    .entry = {"bouncing_ball", "a ball bouncing on the ground with Newton's law of impact", "reg05 2.7", params,
              sizeof(config)},
    .init = init,
};
