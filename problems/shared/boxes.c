/* Planar rigid boxes one on the other on a slope: terms, contacts, and the solutions at rest and in sliding. */
#include "problems/shared/boxes.h"
#include "problems/shared/pairs.h"
#include "problems/shared/start.h"
#include "problems/shared/world.h"

/* A corner of a box: `r` leads to it from the centre of its box, d from the centre of the box below. `along` and `off`
 * are the axes of the box below in space, along its face and normal to it. */
typedef struct box_corner {
    sb_scalar along[2], off[2], r[2], d[2];
} box_corner;

static sb_scalar boxes_inertia(const boxes *p, int b) { return p->m[b] * (p->w * p->w + p->h * p->h) / 12.0; }

static int boxes_mass(const void *self, const sb_scalar *q, sb_scalar *Mx) {
    const boxes *p = self;
    for (int b = 0; b < p->n; b++) {
        sb_scalar *M = Mx + BOX_COORDINATES * b;
        M[BOX_X] = M[BOX_Y] = p->m[b];
        M[BOX_PHI] = boxes_inertia(p, b);
    }
    return SB_OK;
}

static int boxes_potential(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *V) {
    const boxes *p = self;
    *V = 0.0;
    for (int b = 0; b < p->n; b++, q += BOX_COORDINATES) {
        *V += p->m[b] * p->g * (q[BOX_Y] * cos(p->angle) - q[BOX_X] * sin(p->angle));
    }
    return SB_OK;
}

static int boxes_potential_gradient(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *Vq) {
    const boxes *p = self;
    for (int b = 0; b < p->n; b++, Vq += BOX_COORDINATES) {
        Vq[BOX_X] = -p->m[b] * p->g * sin(p->angle);
        Vq[BOX_Y] = p->m[b] * p->g * cos(p->angle);
        Vq[BOX_PHI] = 0.0;
    }
    return SB_OK;
}

/* ---- Contacts. ---- */

static box_corner boxes_corner(const boxes *p, const sb_scalar *q, int contact) {
    const int b = contact / BOX_CORNERS;
    const sb_scalar *upper = q + BOX_COORDINATES * b, phi = b > 0 ? upper[BOX_PHI - BOX_COORDINATES] : 0.0;
    const sb_scalar x = contact % BOX_CORNERS == 0 ? -0.5 * p->w : 0.5 * p->w, y = -0.5 * p->h, c = cos(upper[BOX_PHI]),
                    s = sin(upper[BOX_PHI]);
    box_corner at = {{cos(phi), sin(phi)}, {-sin(phi), cos(phi)}, {c * x - s * y, s * x + c * y}, {0.0, 0.0}};
    for (int i = 0; i < 2; i++) {
        at.d[i] = upper[i] - (b > 0 ? upper[i - BOX_COORDINATES] : 0.0) + at.r[i];
    }
    return at;
}

/* Writes the gradient of the coordinate of the corner along the axis e of the box below: first in (x, y, phi) of that
 * box, then in the coordinates of the upper box; on the ground only the nonzero entries of the upper box. `turned` is
 * the derivative of e in the angle of the box below. Returns the end of the written entries. */
static sb_scalar *boxes_gradient(const box_corner *at, bool ground, int axis, const sb_scalar e[2],
                                 const sb_scalar turned[2], sb_scalar *out) {
    const sb_scalar lever = e[1] * at->r[0] - e[0] * at->r[1];
    if (ground) {
        *out++ = e[axis];
    } else {
        *out++ = -e[0];
        *out++ = -e[1];
        *out++ = turned[0] * at->d[0] + turned[1] * at->d[1];
        *out++ = e[0];
        *out++ = e[1];
    }
    *out++ = lever;
    return out;
}

static int boxes_gap(const void *self, const sb_scalar *q, sb_scalar *xi, sb_scalar *Nx) {
    const boxes *p = self;
    for (int i = 0; i < BOX_CORNERS * p->n; i++) {
        const box_corner at = boxes_corner(p, q, i);
        const bool ground = i < BOX_CORNERS;
        if (xi != NULL) {
            xi[i] = at.off[0] * at.d[0] + at.off[1] * at.d[1] - (ground ? 0.0 : 0.5 * p->h);
        }
        if (Nx != NULL) {
            Nx = boxes_gradient(&at, ground, 1, at.off, (const sb_scalar[2]){-at.along[0], -at.along[1]}, Nx);
        }
    }
    return SB_OK;
}

/* The slip of a corner is the rate of its coordinate along the face below. */
static int boxes_slip(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *Dx, sb_scalar *w) {
    const boxes *p = self;
    for (int i = 0; i < BOX_CORNERS * p->n; i++) {
        const box_corner at = boxes_corner(p, q, i);
        if (w != NULL) {
            w[i] = 0.0;
        }
        if (Dx != NULL) {
            Dx = boxes_gradient(&at, i < BOX_CORNERS, 0, at.along, at.off, Dx);
        }
    }
    return SB_OK;
}

/* ---- Closed forms of boxes that slide down the slope together, or rest. ---- */

/* Updates the mass of the boxes from b + 1 on, sum m_i, and its moment about the interface below them, sum m_i y_i, to
 * the mass and the moment of the boxes from b on. */
static void boxes_add(const boxes *p, int b, sb_scalar *mass, sb_scalar *moment) {
    *moment += p->h * (*mass + 0.5 * p->m[b]);
    *mass += p->m[b];
}

/* Returns the largest ratio of friction to normal force at which no corner is lifted at any interface. With normal
 * forces N at x = +- w/2 and friction r sum N against the motion, (N_1 - N_0) w/2 = r g cos(angle) sum m_i y_i. */
static sb_scalar boxes_tipping_ratio(const boxes *p) {
    sb_scalar least = INFINITY, mass = 0.0, moment = 0.0;
    for (int b = p->n - 1; b >= 0; b--) {
        boxes_add(p, b, &mass, &moment);
        least = fmin(least, 0.5 * p->w * mass / moment);
    }
    return least;
}

static bool boxes_hold(const boxes *p) { return tan(p->angle) <= p->mu; }

/* Returns whether the boxes stay together and on their corners, sliding and at rest. */
static bool boxes_stand(const boxes *p) {
    const sb_scalar tipping = boxes_tipping_ratio(p);
    return (boxes_hold(p) && p->v0 == 0.0 ? 0.0 : p->mu) <= tipping && (boxes_hold(p) ? tan(p->angle) : 0.0) <= tipping;
}

/* Sliding with x'' = g (sin - mu cos). Boxes that friction can hold stay at rest from the time at which they stop. The
 * shares of two corners in the friction at rest are not determined; they are chosen in proportion to the normal
 * forces. */
static int boxes_exact(const void *self, sb_scalar t, sb_scalar *q, sb_scalar *v, sb_scalar *lambda) {
    const boxes *p = self;
    const sb_scalar accel = p->g * (sin(p->angle) - p->mu * cos(p->angle));
    const sb_scalar stop = !boxes_hold(p) ? INFINITY : p->v0 > 0.0 ? p->v0 / fmax(0.0, -accel) : 0.0;
    const sb_scalar s = fmin(t, stop), ratio = t < stop ? p->mu : tan(p->angle);
    const int contacts = BOX_CORNERS * p->n;
    sb_scalar mass = 0.0, moment = 0.0;
    for (int b = p->n - 1; b >= 0; b--) {
        const int at = BOX_COORDINATES * b;
        boxes_add(p, b, &mass, &moment);
        if (q != NULL) {
            q[at + BOX_X] = (p->v0 + 0.5 * accel * s) * s;
            q[at + BOX_Y] = p->h * (b + 0.5);
            q[at + BOX_PHI] = 0.0;
        }
        if (v != NULL) {
            v[at + BOX_X] = t < stop ? p->v0 + accel * t : 0.0;
            v[at + BOX_Y] = v[at + BOX_PHI] = 0.0;
        }
        for (int k = 0; k < BOX_CORNERS && lambda != NULL; k++) {
            const sb_scalar lever = ratio * moment / p->w,
                            normal = p->g * cos(p->angle) * (0.5 * mass + (k == 0 ? -lever : lever));
            lambda[BOX_CORNERS * b + k] = normal;
            lambda[contacts + BOX_CORNERS * b + k] = -ratio * normal;
        }
    }
    return SB_OK;
}

/* ---- The boxes in maximal coordinates, which are theirs: along the slope and normal to it. ---- */

static int boxes_describe(const void *self, sb_arena *arena, sb_world_parts *out) {
    const boxes *p = self;
    sb_world_shape *shape;
    sb_world_contact *contact;
    SB_TRY(world_new(arena, p->n, 0, out));
    SB_TRY(world_new_shapes(arena, p->n + 1, p->n, out, &shape, &contact));
    out->gravity[0] = p->g * sin(p->angle);
    out->gravity[1] = -p->g * cos(p->angle);
    shape[0] = world_floor();
    for (int b = 0; b < p->n; b++) {
        SB_TRY(world_add_body(arena, out, "box", p->m[b], boxes_inertia(p, b)));
        shape[b + 1] = (sb_world_shape){.name = out->body[b].name, .kind = SB_BOX, .body = b, .size = {p->w, p->h}};
        contact[b] = (sb_world_contact){.shape = {b, b + 1}, .friction = p->mu};
    }
    return SB_OK;
}

static int boxes_place(const void *self, const sb_scalar *q, const sb_scalar *v, sb_scalar *pose, sb_scalar *twist) {
    return world_planar_place(((const boxes *)self)->n, q, v, pose, twist);
}

static int boxes_coordinates(const void *self, const sb_scalar *pose, const sb_scalar *twist, sb_scalar *q,
                             sb_scalar *v) {
    return boxes_place(self, pose, twist, q, v);
}

/* ---- Building. ---- */

static int boxes_patterns(sb_arena *arena, const boxes *p, sb_contact *contact) {
    const int entries = BOX_CORNERS * (BOX_GROUND_ENTRIES + BOX_PAIR_ENTRIES * (p->n - 1));
    pairs N, D;
    SB_TRY(pairs_new(arena, entries, &N));
    SB_TRY(pairs_new(arena, entries, &D));
    for (int i = 0; i < BOX_CORNERS * p->n; i++) {
        const int lower = BOX_COORDINATES * (i / BOX_CORNERS - 1);
        if (lower < 0) {
            pairs_add(&N, BOX_Y, i);
            pairs_add(&N, BOX_PHI, i);
            pairs_add(&D, BOX_X, i);
            pairs_add(&D, BOX_PHI, i);
        } else {
            pairs_add_block(&N, lower, i, BOX_PAIR_ENTRIES, 1);
            pairs_add_block(&D, lower, i, BOX_PAIR_ENTRIES, 1);
        }
    }
    SB_TRY(pairs_pattern(arena, &N, BOX_COORDINATES * p->n, contact->m, &contact->N));
    return pairs_pattern(arena, &D, BOX_COORDINATES * p->n, contact->k, &contact->D);
}

int sb_boxes_finish(sb_arena *arena, const boxes *p, sb_system *out) {
    const int contacts = BOX_CORNERS * p->n;
    sb_scalar *mu, *limit, mass = 0.0, moment = 0.0;
    int *of;
    SB_TRY(SB_VECTORS(arena, contacts, &mu, &limit));
    SB_NEW(arena, of, contacts);
    for (int i = contacts - 1; i >= 0; i--) {
        if (i % BOX_CORNERS == BOX_CORNERS - 1) {
            boxes_add(p, i / BOX_CORNERS, &mass, &moment);
        }
        mu[i] = p->fixed ? 0.0 : p->mu;
        limit[i] = p->fixed ? p->mu * mass * p->g / BOX_CORNERS : 0.0;
        of[i] = p->fixed ? -1 : i;
    }
    out->n = BOX_COORDINATES * p->n;
    out->time_scale = sqrt(fmin(p->w, p->h) / p->g);
    SB_TRY(sb_pattern_diagonal(arena, out->n, &out->H));
    out->inertia = (sb_inertia){.self = p, .M = out->H, .mass = boxes_mass};
    out->potential =
        (sb_potential){.self = p, .degree = 1, .value = boxes_potential, .gradient = boxes_potential_gradient};
    out->contact = (sb_contact){.self = p,
                                .m = contacts,
                                .k = contacts,
                                .gap = boxes_gap,
                                .slip = boxes_slip,
                                .of = of,
                                .mu = mu,
                                .limit = limit};
    if (!p->fixed) { /* worlds have Coulomb's law */
        SB_TRY(world_offer(arena,
                           (sb_world){.self = p,
                                      .dimension = 2,
                                      .bodies = p->n,
                                      .describe = boxes_describe,
                                      .place = boxes_place,
                                      .coordinates = boxes_coordinates},
                           out));
    }
    SB_TRY(set_exact(arena, p, boxes_exact, out));
    out->exact = boxes_stand(p) && !p->fixed ? out->exact : NULL;
    return boxes_patterns(arena, p, &out->contact);
}
