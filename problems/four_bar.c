/* A chain of N four-bar linkages, problem A02 of gonzalez06: N + 1 parallel bars of one length on pivots of the ground,
 * N bars between their heads. In the coordinates of the heads a uniform bar from x to y has T = m (x'.x' + x'.y' +
 * y'.y')/6 and the constraint (|x - y|^2 - l^2)/2 = 0. All upright bars have the same angle, which moves as a pendulum:
 *
 *   phi'' = -w^2 cos phi,   w^2 = (g/l) 3 (3 N + 1)/(2 (4 N + 1)).
 *
 * In the flat poses, sin phi = 0, the constraints are dependent, and other branches of the motion begin. */
#include "problems/shared/constant_terms.h"
#include "problems/shared/pairs.h"
#include "problems/shared/start.h"
#include "problems/shared/swing.h"
#include "problems/shared/world.h"

enum { PLANE = 2 };

typedef struct config {
    long N;
    sb_scalar m, l, g, phi0, omega0;
} config;

/* The upright of head k has the pivot (k l, 0) and the row 2 k; the bar from head k to head k + 1 has the row
 * 2 k + 1. */
typedef struct linkage {
    config c;
    int heads;
    swing motion;
} linkage;

/* Returns the number of bars between heads that end at head k. */
static int bars_at(const linkage *p, int k) { return (k > 0) + (k < p->heads - 1); }

/* Returns component c of the vector along the bar of a row; of its velocity if `positions` is not set. */
static sb_scalar along(const linkage *p, const sb_scalar *q, int row, int c, bool positions) {
    const int k = row / 2;
    const sb_scalar pivot = positions && c == 0 ? (sb_scalar)k * p->c.l : 0.0;
    return row % 2 == 0 ? q[PLANE * k + c] - pivot : q[PLANE * (k + 1) + c] - q[PLANE * k + c];
}

/* ---- Terms. The column of M and H of head k and component c has entries in the same component of the heads k - 1, k
 * and k + 1. ---- */

static int mass(const void *self, const sb_scalar *q, sb_scalar *Mx) {
    const linkage *p = self;
    for (int k = 0; k < p->heads; k++) {
        for (int c = 0; c < PLANE; c++) {
            if (k > 0) {
                *Mx++ = p->c.m / 6.0;
            }
            *Mx++ = p->c.m / 3.0 * (sb_scalar)(1 + bars_at(p, k));
            if (k < p->heads - 1) {
                *Mx++ = p->c.m / 6.0;
            }
        }
    }
    return SB_OK;
}

static int constraints(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *g, sb_scalar *Gx) {
    const linkage *p = self;
    for (int row = 0; row < 2 * p->heads - 1; row++) {
        const sb_scalar x = along(p, q, row, 0, true), y = along(p, q, row, 1, true);
        if (g != NULL) {
            g[row] = 0.5 * (x * x + y * y - p->c.l * p->c.l);
        }
        if (Gx != NULL && row % 2 == 1) {
            *Gx++ = -x;
            *Gx++ = -y;
        }
        if (Gx != NULL) {
            *Gx++ = x;
            *Gx++ = y;
        }
    }
    return SB_OK;
}

static int constraint_hessian(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *w, sb_scalar c,
                              sb_scalar *Hx) {
    const linkage *p = self;
    for (int k = 0; k < p->heads; k++) {
        const sb_scalar before = k > 0 ? c * w[2 * k - 1] : 0.0, after = k < p->heads - 1 ? c * w[2 * k + 1] : 0.0;
        for (int i = 0; i < PLANE; i++) {
            if (k > 0) {
                *Hx++ -= before;
            }
            *Hx++ += c * w[2 * k] + before + after;
            if (k < p->heads - 1) {
                *Hx++ -= after;
            }
        }
    }
    return SB_OK;
}

static int curvature(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *out) {
    const linkage *p = self;
    for (int row = 0; row < 2 * p->heads - 1; row++) {
        const sb_scalar x = along(p, v, row, 0, false), y = along(p, v, row, 1, false);
        out[row] = x * x + y * y;
    }
    return SB_OK;
}

static const sb_output output_list[] = {{"phi", "rad", "angle of the first bar from +x, in (-pi, pi]", false}};

static int outputs(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *out) {
    out[0] = atan2(q[1], q[0]);
    return SB_OK;
}

/* ---- The world: a bar is the body with the number of its row; its frame has the x axis along the bar. ---- */

static int describe(const void *self, sb_arena *arena, sb_world_parts *out) {
    const linkage *p = self;
    const int bars = 2 * p->heads - 1;
    const sb_scalar l = p->c.l, a = 0.5 * l;
    SB_TRY(world_new(arena, bars, 3 * p->heads - 2, out));
    out->gravity[1] = -p->c.g;
    for (int bar = 0; bar < bars; bar++) {
        SB_TRY(world_add_body(arena, out, "bar", p->c.m, p->c.m * l * l / 12.0));
    }
    for (int k = 0; k < p->heads; k++) {
        world_add_joint(out, SB_REVOLUTE, SB_GROUND, (sb_scalar)k * l, 0.0, 2 * k, -a, 0.0);
        if (k < p->heads - 1) {
            world_add_joint(out, SB_REVOLUTE, 2 * k, a, 0.0, 2 * k + 1, -a, 0.0);
            world_add_joint(out, SB_REVOLUTE, 2 * k + 1, a, 0.0, 2 * k + 2, a, 0.0);
        }
    }
    return SB_OK;
}

static int place(const void *self, const sb_scalar *q, const sb_scalar *v, sb_scalar *pose, sb_scalar *twist) {
    const linkage *p = self;
    for (int bar = 0; bar < 2 * p->heads - 1; bar++, pose += 3, twist += 3) {
        const int end = PLANE * ((bar + 1) / 2); /* the coordinates of the head at its end */
        const sb_scalar x = along(p, q, bar, 0, true), y = along(p, q, bar, 1, true), vx = along(p, v, bar, 0, false),
                        vy = along(p, v, bar, 1, false);
        pose[0] = q[end] - 0.5 * x;
        pose[1] = q[end + 1] - 0.5 * y;
        pose[2] = atan2(y, x);
        twist[0] = v[end] - 0.5 * vx;
        twist[1] = v[end + 1] - 0.5 * vy;
        twist[2] = (x * vy - y * vx) / (x * x + y * y);
    }
    return SB_OK;
}

/* Sets the heads to the ends of the upright bars. */
static int coordinates(const void *self, const sb_scalar *pose, const sb_scalar *twist, sb_scalar *q, sb_scalar *v) {
    const linkage *p = self;
    for (int k = 0; k < p->heads; k++, pose += 6, twist += 6) {
        const sb_scalar x = 0.5 * p->c.l * cos(pose[2]), y = 0.5 * p->c.l * sin(pose[2]);
        q[PLANE * k] = pose[0] + x;
        q[PLANE * k + 1] = pose[1] + y;
        v[PLANE * k] = twist[0] - y * twist[2];
        v[PLANE * k + 1] = twist[1] + x * twist[2];
    }
    return SB_OK;
}

/* ---- The motion. ---- */

/* Sets the state in which the upright bars point along (cosine, sine) and turn at `rate`. */
static void set_state(const linkage *p, sb_scalar cosine, sb_scalar sine, sb_scalar rate, sb_scalar *q, sb_scalar *v) {
    for (int k = 0; k < p->heads; k++) {
        if (q != NULL) {
            q[PLANE * k] = p->c.l * ((sb_scalar)k + cosine);
            q[PLANE * k + 1] = p->c.l * sine;
        }
        if (v != NULL) {
            v[PLANE * k] = -p->c.l * sine * rate;
            v[PLANE * k + 1] = p->c.l * cosine * rate;
        }
    }
}

/* The angle is phi = theta - pi/2. All heads have the acceleration a; the uprights carry all vertical forces, and
 * Newton's law along x gives the force of each bar between heads from the force of the previous bar. */
static int exact(const void *self, sb_scalar t, sb_scalar *q, sb_scalar *v, sb_scalar *lambda) {
    const linkage *p = self;
    const swing_state at = swing_at(&p->motion, t);
    const sb_scalar cosine = 2.0 * at.s * at.c, sine = (at.s - at.c) * (at.s + at.c), w = p->motion.w, l = p->c.l;
    set_state(p, cosine, sine, at.rate, q, v);
    if (lambda == NULL) {
        return SB_OK;
    }
    const sb_scalar turn = -w * w * cosine, ax = l * (-sine * turn - cosine * at.rate * at.rate),
                    ay = l * (cosine * turn - sine * at.rate * at.rate);
    sb_scalar push = 0.0;
    for (int k = 0; k < p->heads; k++) {
        const sb_scalar bars = (sb_scalar)bars_at(p, k), inertia = p->c.m * (2.0 + 3.0 * bars) / 6.0;
        lambda[2 * k] = (inertia * ay + 0.5 * p->c.m * (1.0 + bars) * p->c.g) / (l * sine);
        push += lambda[2 * k] * cosine - inertia * ax / l;
        if (k < p->heads - 1) {
            lambda[2 * k + 1] = push;
        }
    }
    return SB_OK;
}

static int set_patterns(sb_arena *arena, const linkage *p, sb_pattern *H, sb_pattern *G) {
    const int n = PLANE * p->heads, rows = 2 * p->heads - 1;
    pairs entries;
    SB_TRY(pairs_new(arena, 3 * n, &entries));
    for (int i = 0; i < n; i++) {
        for (int j = i - PLANE; j <= i + PLANE; j += PLANE) {
            if (j >= 0 && j < n) {
                pairs_add(&entries, j, i);
            }
        }
    }
    SB_TRY(pairs_pattern(arena, &entries, n, n, H));
    entries.count = 0;
    for (int bar = 0; bar < rows; bar++) {
        pairs_add_block(&entries, PLANE * (bar / 2), bar, PLANE * (1 + bar % 2), 1);
    }
    return pairs_pattern(arena, &entries, n, rows, G);
}

/* Returns whether the heads swing below the ground without reaching a flat pose: their energy is below that at
 * phi = 0. */
static bool hangs(const linkage *p) {
    return sin(p->c.phi0) < 0.0 && 0.5 * p->c.omega0 * p->c.omega0 < -p->motion.w * p->motion.w * sin(p->c.phi0);
}

static int init(sb_context *ctx, sb_arena *arena, const void *parameters, sb_system *out) {
    linkage *p;
    sb_scalar *heights, *q, *v;
    SB_NEW(arena, p, 1);
    p->c = *(const config *)parameters;
    const config *c = &p->c;
    const sb_scalar N = (sb_scalar)c->N;
    p->heads = (int)c->N + 1;
    p->motion = swing_new(sqrt(c->g / c->l * 3.0 * (3.0 * N + 1.0) / (2.0 * (4.0 * N + 1.0))), c->phi0 + 0.5 * SB_PI,
                          c->omega0);
    SB_TRY(SB_VECTORS(arena, PLANE * p->heads, &heights, &q, &v));
    for (int k = 0; k < p->heads; k++) {
        heights[PLANE * k + 1] = 0.5 * c->m * (sb_scalar)(1 + bars_at(p, k));
    }
    out->n = PLANE * p->heads;
    out->time_scale = swing_time_scale(&p->motion);
    out->period = hangs(p) ? swing_period(&p->motion) : 0.0;
    out->holonomic = (sb_holonomic){.self = p,
                                    .m = 2 * p->heads - 1,
                                    .degree = 2,
                                    .value = constraints,
                                    .hessian = constraint_hessian,
                                    .curvature = curvature};
    SB_TRY(set_patterns(arena, p, &out->H, &out->holonomic.G));
    out->inertia = (sb_inertia){.self = p, .M = out->H, .mass = mass};
    SB_TRY(set_gravity(arena, out->n, c->g, heights, &out->potential));
    out->outputs = (sb_outputs){p, 1, output_list, outputs};
    SB_TRY(world_offer(arena,
                       (sb_world){.self = p,
                                  .dimension = 2,
                                  .bodies = 2 * p->heads - 1,
                                  .describe = describe,
                                  .place = place,
                                  .coordinates = coordinates},
                       out));
    set_state(p, cos(c->phi0), sin(c->phi0), c->omega0, q, v);
    return set_start_and_exact(arena, q, v, p, hangs(p) ? exact : NULL, out);
}

static const sb_param params[] = {
    SB_PARAM_INT(config, N, "2", 1.0, 1e6, "loops"),
    SB_PARAM_POSITIVE(config, m, "1", "kg", "mass of a bar"),
    SB_PARAM_POSITIVE(config, l, "1", "m", "length of a bar"),
    SB_PARAM_NOT_NEGATIVE(config, g, "9.81", "m/s^2", "gravity, along -y"),
    SB_PARAM_ANY(config, phi0, "-0.8", "rad",
                 "initial angle of the upright bars from +x; gonzalez06 begins at pi/2 and passes the flat poses"),
    SB_PARAM_ANY(config, omega0, "0", "rad/s", "initial rate of that angle; -1 in gonzalez06"),
    {.name = NULL},
};

SB_DEFINE_PROBLEM(four_bar) = {
    .entry = {"four_bar", "chain of N four-bar linkages: parallel bars on pivots, joined at their heads",
              "gonzalez06 (A02)", params, sizeof(config)},
    .init = init,
};
