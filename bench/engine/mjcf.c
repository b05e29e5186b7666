/* Writes worlds in MJCF, the format of MuJoCo, which has the coordinates of joints: a body hangs on the body of the
 * first joint that holds it, and moves freely without one. Joints that close loops are equality constraints. */
#include <string.h>

#include <stepbench/numerics/quaternion.h>

#include "bench/engine/world.h"
#include "core/base/escape.h"
#include "core/base/format.h"

/* A body and the joint by which it hangs: that of its side `side`; part is NULL if it moves freely. */
typedef struct hung {
    const sb_world_part *part;
    int side, parent;
    bool placed;
    sb_scalar x[3], e[4], v[3], w[3];
} hung;

typedef struct tree {
    const sb_world_start *start;
    FILE *to;
    hung *body; /* body[-1] is the ground */
    bool *used; /* parts */
} tree;

/* Writes numbers with blanks between them, the first one after `before`. */
static void numbers(const tree *me, const char *before, const sb_scalar *x, int count) {
    char text[32];
    for (int i = 0; i < count; i++) {
        sb_format_real(x[i] + 0.0, text); /* 0 in place of -0 */
        fprintf(me->to, "%s%s", i > 0 ? " " : before, text);
    }
}

static void attribute(const tree *me, const char *key, const sb_scalar *x, int count) {
    fprintf(me->to, " %s=", key);
    numbers(me, "\"", x, count);
    fputc('"', me->to);
}

static void name(const tree *me, const char *key, int b) {
    fprintf(me->to, " %s=\"", key);
    sb_escape(me->to, SB_HTML, me->start->parts.body[b].name);
    fputc('"', me->to);
}

/* Sets out = conj(e) a e. */
static void into(const sb_scalar e[4], const sb_scalar a[3], sb_scalar out[3]) {
    const sb_scalar back[4] = {e[0], -e[1], -e[2], -e[3]};
    sb_quaternion_rotate(back, back, a, out);
}

/* Returns the axis of a hinge in the body of a side. */
static const sb_scalar *axis_of(const tree *me, const sb_world_part *part, int side) {
    static const sb_scalar z[3] = {0.0, 0.0, 1.0};
    return me->start->world->dimension == 2 ? z : part->axis[side];
}

/* Sets a direction of a body of a part in space. */
static void in_space(const tree *me, const sb_world_part *part, int side, const sb_scalar x[3], sb_scalar out[3]) {
    const int b = part->body[side];
    if (b == SB_GROUND) {
        memcpy(out, x, 3 * sizeof *out);
    } else {
        const sb_scalar *e = me->start->pose + sb_world_pose(me->start->world) * b + 3;
        sb_quaternion_rotate(e, e, x, out);
    }
}

/* Returns the angle of a hinge at the start, that of its second body relative to the first. */
static sb_scalar angle_of(const tree *me, const sb_world_part *part) {
    sb_scalar axis[3], from[3], to[3], across[3], angle = 0.0;
    if (me->start->world->dimension == 2) {
        for (int s = 0; s < 2; s++) {
            angle += part->body[s] == SB_GROUND ? 0.0 : (s == 0 ? -1.0 : 1.0) * me->start->pose[3 * part->body[s] + 2];
        }
        return angle;
    }
    in_space(me, part, 0, part->axis[0], axis);
    in_space(me, part, 0, part->drive->reference[0], from);
    in_space(me, part, 1, part->drive->reference[1], to);
    sb_cross(axis, from, across);
    return atan2(across[0] * to[0] + across[1] * to[1] + across[2] * to[2],
                 from[0] * to[0] + from[1] * to[1] + from[2] * to[2]);
}

static void set_state(const tree *me, int b) {
    const sb_scalar *pose = me->start->pose + sb_world_pose(me->start->world) * b,
                    *twist = me->start->twist + sb_world_twist(me->start->world) * b;
    hung *h = &me->body[b];
    if (me->start->world->dimension == 2) {
        memcpy(h->x, pose, 2 * sizeof *pose);
        memcpy(h->v, twist, 2 * sizeof *twist);
        h->e[0] = cos(0.5 * pose[2]);
        h->e[3] = sin(0.5 * pose[2]);
        h->w[2] = twist[2];
    } else {
        memcpy(h->x, pose, sizeof h->x);
        memcpy(h->e, pose + 3, sizeof h->e);
        memcpy(h->v, twist, sizeof h->v);
        memcpy(h->w, twist + 3, sizeof h->w);
    }
}

/* Hangs one more body, by a joint that holds it on a placed one, or else the first that is left. False: none is left.
 */
static bool hang_next(const tree *me) {
    const sb_world_parts *parts = &me->start->parts;
    int b = 0;
    for (int k = 0; k < parts->parts; k++) {
        const sb_world_part *part = &parts->part[k];
        const bool first = me->body[part->body[0]].placed, second = me->body[part->body[1]].placed;
        if (first != second) {
            hung *h = &me->body[part->body[first]];
            *h = (hung){.part = part, .side = first, .parent = part->body[!first], .placed = true};
            set_state(me, part->body[first]);
            me->used[k] = true;
            return true;
        }
    }
    while (b < parts->bodies && me->body[b].placed) {
        b++;
    }
    if (b == parts->bodies) {
        return false;
    }
    me->body[b] = (hung){.parent = SB_GROUND, .placed = true};
    set_state(me, b);
    return true;
}

/* ---- Shapes: geoms without mass, which touch only in pairs. ---- */

static void shape_name(const tree *me, const char *key, int k) {
    fprintf(me->to, " %s=\"", key);
    sb_escape(me->to, SB_HTML, me->start->parts.shape[k].name);
    fputc('"', me->to);
}

/* Writes the shapes of a body or of the ground. A box in the plane is as thick as its smaller side. */
static void write_shapes(const tree *me, int b) {
    static const char *const types[] = {
        [SB_PLANE] = "plane", [SB_SPHERE] = "sphere", [SB_BOX] = "box", [SB_CAPSULE] = "capsule"};
    for (int k = 0; k < me->start->parts.shapes; k++) {
        const sb_world_shape *s = &me->start->parts.shape[k];
        const sb_scalar ends[6] = {s->point[0][0], s->point[0][1], s->point[0][2],
                                   s->point[1][0], s->point[1][1], s->point[1][2]},
                        depth = me->start->world->dimension == 3 ? s->size[2] : fmin(s->size[0], s->size[1]),
                        half[3] = {0.5 * s->size[0], 0.5 * s->size[1], 0.5 * depth}, grid[3] = {0.0, 0.0, 1.0};
        if (s->body != b) {
            continue;
        }
        fprintf(me->to, "<geom type=\"%s\"", types[s->kind]);
        shape_name(me, "name", k);
        switch (s->kind) {
        case SB_PLANE:
            attribute(me, "zaxis", s->normal, 3);
            attribute(me, "size", grid, 3);
            break;
        case SB_BOX: attribute(me, "size", half, 3); break;
        case SB_SPHERE: attribute(me, "size", &s->radius, 1); break;
        case SB_CAPSULE:
            attribute(me, "fromto", ends, 6);
            attribute(me, "size", &s->radius, 1);
            break;
        }
        if (s->kind != SB_CAPSULE) {
            attribute(me, "pos", s->point[0], 3);
        }
        fputs(" contype=\"0\" conaffinity=\"0\"/>\n", me->to);
    }
}

static void write_contact(const tree *me, const sb_world_contact *contact) {
    const sb_scalar mu = contact->friction, friction[5] = {mu, mu};
    fputs("<pair", me->to);
    shape_name(me, "geom1", contact->shape[0]);
    shape_name(me, "geom2", contact->shape[1]);
    if (mu > 0.0) {
        attribute(me, "friction", friction, 5);
    }
    fprintf(me->to, " condim=\"%d\"/>\n", mu > 0.0 ? 3 : 1);
}

/* ---- Bodies. ---- */

/* Writes what acts in a hinge. Its angle is 0 at the start, where that of the mechanism is `angle`; a hinge on the
 * first of its bodies turns by the angle of the first relative to the second, about the axis the other way round. */
static void write_drive(const tree *me, const hung *h) {
    const sb_world_drive *d = h->part->drive;
    const sb_scalar angle = angle_of(me, h->part), rest = (h->side == 1 ? 1.0 : -1.0) * (d->target.offset - angle);
    const struct {
        const char *key;
        const sb_scalar *value;
    } all[] = {{"stiffness", &d->stiffness},
               {"springref", &rest},
               {"damping", &d->damping},
               {"armature", &d->armature},
               {"frictionloss", &d->friction}};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        attribute(me, all[k].key, all[k].value, 1);
    }
}

/* Writes a body and those that hang on it. */
static void write_body(const tree *me, int b) {
    const hung *h = &me->body[b], *p = &me->body[h->parent];
    const sb_world_body *body = &me->start->parts.body[b];
    const bool planar = me->start->world->dimension == 2;
    sb_scalar arm[3], pos[3], quat[4], J[3];
    for (int i = 0; i < 3; i++) {
        arm[i] = h->x[i] - p->x[i];
        J[i] = body->inertia[planar ? 2 : i];
    }
    into(p->e, arm, pos);
    sb_quaternion_ratio(p->e, h->e, quat);
    fputs("<body", me->to);
    name(me, "name", b);
    attribute(me, "pos", pos, 3);
    attribute(me, "quat", quat, 4);
    fputs(h->part == NULL ? "><freejoint/>" : "><joint type=", me->to);
    if (h->part != NULL) {
        fputs(h->part->kind == SB_SPHERICAL ? "\"ball\"" : "\"hinge\"", me->to);
        attribute(me, "pos", h->part->point[h->side], 3);
        if (h->part->kind == SB_REVOLUTE) {
            attribute(me, "axis", axis_of(me, h->part, h->side), 3);
        }
        if (h->part->drive != NULL) {
            write_drive(me, h);
        }
        fputs("/>", me->to);
    }
    fputs("<inertial pos=\"0 0 0\"", me->to);
    attribute(me, "mass", &body->mass, 1);
    attribute(me, "diaginertia", J, 3);
    fputs("/>\n", me->to);
    write_shapes(me, b);
    for (int child = 0; child < me->start->parts.bodies; child++) {
        if (me->body[child].parent == b) {
            write_body(me, child);
        }
    }
    fputs("</body>\n", me->to);
}

/* Writes the velocities of the joints at the start in the order of write_body. */
static void write_rates(const tree *me, int b) {
    const hung *h = &me->body[b], *p = &me->body[h->parent];
    sb_scalar turn[3], w[3], rate = 0.0;
    for (int i = 0; i < 3; i++) {
        turn[i] = h->w[i] - (h->part != NULL ? p->w[i] : 0.0);
    }
    into(h->e, turn, w);
    if (h->part == NULL) {
        numbers(me, " ", h->v, 3);
    }
    if (h->part != NULL && h->part->kind == SB_REVOLUTE) {
        const sb_scalar *axis = axis_of(me, h->part, h->side);
        const sb_scalar length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
        for (int i = 0; i < 3; i++) {
            rate += w[i] * axis[i] / length;
        }
        numbers(me, " ", &rate, 1);
    } else {
        numbers(me, " ", w, 3);
    }
    for (int child = 0; child < me->start->parts.bodies; child++) {
        if (me->body[child].parent == b) {
            write_rates(me, child);
        }
    }
}

/* Writes that a joint holds a point, and for a hinge in space a second point of its axis. */
static void write_loop(const tree *me, const sb_world_part *part) {
    const int a = part->body[0] == SB_GROUND;
    const bool hinge = part->kind == SB_REVOLUTE && me->start->world->dimension == 3;
    for (int k = 0; k <= hinge; k++) {
        sb_scalar anchor[3];
        for (int i = 0; i < 3; i++) {
            anchor[i] = part->point[a][i] + (k == 1 ? part->axis[a][i] : 0.0);
        }
        fputs("<connect", me->to);
        name(me, "body1", part->body[a]);
        if (part->body[!a] != SB_GROUND) {
            name(me, "body2", part->body[!a]);
        }
        attribute(me, "anchor", anchor, 3);
        fputs("/>\n", me->to);
    }
}

/* Returns whether all that acts in a joint is written. */
static bool is_written(const sb_world_drive *d) {
    return d == NULL || (d->limit_stiffness == 0.0 && !sb_world_moves(&d->effort) && !sb_world_moves(&d->target_rate) &&
                         d->target.rate == 0.0 && d->target.amplitude == 0.0 && d->target.knots == 0);
}

static int check(const sb_world_start *start) {
    for (int k = 0; k < start->parts.parts; k++) {
        if (start->parts.part[k].kind > SB_SPHERICAL) {
            return sb_fail(start->ctx, SB_UNSUPPORTED,
                           "MJCF is written of worlds whose parts are revolute and spherical joints; JSON of all");
        }
        if (!is_written(start->parts.part[k].drive)) {
            return sb_fail(
                start->ctx, SB_UNSUPPORTED,
                "MJCF is written of springs to a fixed target, damping, armature and friction in joints; JSON "
                "of all");
        }
    }
    for (int b = 0; b < start->parts.bodies; b++) {
        if (start->parts.body[b].inertia[2] == 0.0) {
            return sb_fail(start->ctx, SB_UNSUPPORTED,
                           "MJCF is written of bodies with inertia, and %s is a particle; JSON of all",
                           start->parts.body[b].name);
        }
    }
    return SB_OK;
}

static int check_shapes(const sb_world_start *start) {
    for (int k = 0; k < start->parts.shapes; k++) {
        const sb_world_shape *s = &start->parts.shape[k];
        const bool round = s->kind == SB_SPHERE || s->kind == SB_CAPSULE;
        if ((s->kind == SB_PLANE && s->body != SB_GROUND) || (round && s->radius == 0.0)) {
            return sb_fail(start->ctx, SB_UNSUPPORTED,
                           "MJCF has no planes that move and no radius 0, as the shape %s has; JSON has", s->name);
        }
    }
    for (int k = 0; k < start->parts.contacts; k++) {
        if (start->parts.contact[k].restitution > 0.0) {
            return sb_fail(start->ctx, SB_UNSUPPORTED, "MJCF has no restitution, as contacts[%d] has; JSON has", k);
        }
    }
    return SB_OK;
}

int sb_world_write_mjcf(sb_arena *arena, const sb_world_start *start, FILE *to) {
    const sb_world_parts *parts = &start->parts;
    hung *bodies;
    bool *used;
    SB_NEW(arena, bodies, parts->bodies + 1);
    SB_NEW(arena, used, parts->parts);
    const tree me = {start, to, bodies + 1, used};
    SB_TRY(check(start));
    SB_TRY(check_shapes(start));
    bodies[0] = (hung){.placed = true, .parent = SB_GROUND - 1, .e = {1.0}};
    while (hang_next(&me)) {
    }
    for (int k = 0; k < parts->parts; k++) {
        if (!used[k] && sb_world_drive_acts(parts->part[k].drive)) {
            return sb_fail(start->ctx, SB_UNSUPPORTED,
                           "MJCF is written of joints that close loops if nothing acts in them; JSON of all");
        }
    }
    fputs("<mujoco>\n<compiler angle=\"radian\" autolimits=\"false\"/>\n<option", to);
    attribute(&me, "gravity",
              (const sb_scalar[3]){parts->gravity[0], parts->gravity[1],
                                   start->world->dimension == 2 ? 0.0 : parts->gravity[2]},
              3);
    fputs(parts->contacts > 0 ? " cone=\"elliptic\"/>\n<worldbody>\n" : "/>\n<worldbody>\n", to);
    write_shapes(&me, SB_GROUND);
    for (int b = 0; b < parts->bodies; b++) {
        if (me.body[b].parent == SB_GROUND) {
            write_body(&me, b);
        }
    }
    fputs("</worldbody>\n<equality>\n", to);
    for (int k = 0; k < parts->parts; k++) {
        if (!used[k]) {
            write_loop(&me, &parts->part[k]);
        }
    }
    fputs("</equality>\n<contact>\n", to);
    for (int k = 0; k < parts->contacts; k++) {
        write_contact(&me, &parts->contact[k]);
    }
    fputs("</contact>\n<keyframe><key name=\"start\" qvel=\"", to);
    for (int b = 0; b < parts->bodies; b++) {
        if (me.body[b].parent == SB_GROUND) {
            write_rates(&me, b);
        }
    }
    fputs("\"/></keyframe>\n</mujoco>\n", to);
    return SB_OK;
}
