/* Mechanisms of rigid bodies in maximal coordinates, which are theirs: poses, twists and parts. */
#include "problems/shared/shapes.h"
#include "problems/shared/world.h"

static int place(const void *self, const sb_scalar *q, const sb_scalar *v, sb_scalar *pose, sb_scalar *twist) {
    const joints *p = self;
    for (int b = 0; b < p->nbodies; b++) {
        const sb_scalar *x = q + p->body[b].at, *u = v + p->body[b].at, *e = x + BODY_E, *rate = u + BODY_E;
        if (p->body[b].planar) {
            memcpy(pose + PLANAR_COORDINATES * b, x, PLANAR_COORDINATES * sizeof *x);
            memcpy(twist + PLANAR_COORDINATES * b, u, PLANAR_COORDINATES * sizeof *u);
            continue;
        }
        sb_scalar *to = pose + SB_POSE_MAX * b, *turn = twist + SB_TWIST_MAX * b, w[4];
        const sb_scalar square = e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3], length = sqrt(square);
        if (!(length > 0.0)) {
            return SB_DOMAIN;
        }
        sb_quaternion_product(rate, (sb_scalar[4]){e[0], -e[1], -e[2], -e[3]}, w);
        for (int k = 0; k < 3; k++) {
            to[k] = x[k];
            turn[k] = u[k];
            turn[3 + k] = 2.0 * w[1 + k] / square;
        }
        for (int k = 0; k < 4; k++) {
            to[BODY_E + k] = e[k] / length;
        }
    }
    return SB_OK;
}

static int coordinates(const void *self, const sb_scalar *pose, const sb_scalar *twist, sb_scalar *q, sb_scalar *v) {
    const joints *p = self;
    for (int b = 0; b < p->nbodies; b++) {
        sb_scalar *x = q + p->body[b].at, *u = v + p->body[b].at;
        if (p->body[b].planar) {
            memcpy(x, pose + PLANAR_COORDINATES * b, PLANAR_COORDINATES * sizeof *x);
            memcpy(u, twist + PLANAR_COORDINATES * b, PLANAR_COORDINATES * sizeof *u);
        } else {
            memcpy(x, pose + SB_POSE_MAX * b, BODY_COORDINATES * sizeof *x);
            memcpy(u, twist + SB_TWIST_MAX * b, 3 * sizeof *u);
            body_set_turning(x, twist + SB_TWIST_MAX * b + 3, u);
        }
    }
    return SB_OK;
}

/* Returns a part between the points of a row. */
static sb_world_part between(sb_world_kind kind, const joint_vector *first, const joint_vector *second) {
    sb_world_part part = {.kind = kind, .body = {first->body, second->body}};
    memcpy(part.point[0], first->a, sizeof first->a);
    memcpy(part.point[1], second->a, sizeof second->a);
    return part;
}

static int describe(const void *self, sb_arena *arena, sb_world_parts *out) {
    const joints *p = self;
    SB_TRY(world_new(arena, p->nbodies, p->nparts + p->ndrivers + p->ntorques, out));
    memcpy(out->gravity, p->gravity, sizeof p->gravity);
    for (int b = 0; b < p->nbodies; b++) {
        const joints_body *of = &p->body[b];
        const sb_scalar *J = of->rigid.J;
        out->body[out->bodies++] = (sb_world_body){p->names[b], of->rigid.m, {J[1], J[2], of->planar ? J[0] : J[3]}};
    }
    for (int k = 0; k < p->nparts; k++) {
        out->part[out->parts++] = p->part[k];
    }
    for (const joint_driver *d = p->driver; d < p->driver + p->ndrivers; d++) {
        if (d->rolls) {
            continue; /* its joint is a part */
        }
        sb_world_part part = {.kind = SB_DRIVEN_RATE, .body = {SB_GROUND, d->body}, .motion = {.rate = d->rate}};
        memcpy(part.axis[0], d->axis, sizeof d->axis);
        out->part[out->parts++] = part;
    }
    for (const joint_torque *f = p->torque; f < p->torque + p->ntorques; f++) {
        sb_world_part part = {.kind = SB_TORQUE, .body = {SB_GROUND, f->body}, .motion = sb_joints_motion(&f->size)};
        memcpy(part.axis[0], f->axis, sizeof f->axis);
        out->part[out->parts++] = part;
    }
    if (p->shapes != NULL) {
        out->shapes = p->shapes->nshapes;
        out->shape = p->shapes->shape;
        out->contacts = p->shapes->ncontacts;
        out->contact = p->shapes->contact;
    }
    return SB_OK;
}

sb_world_motion sb_joints_motion(const motion *m) {
    static const char *const words[] = {
        [TIME_TABLE_MONOTONE] = "monotone", [TIME_TABLE_LINEAR] = "linear", [TIME_TABLE_CUBIC] = "cubic"};
    return (sb_world_motion){m->offset,      m->rate,    m->amplitude, m->frequency,        m->phase,
                             m->table.count, m->table.x, m->table.y,   words[m->table.kind]};
}

void sb_joints_declare(joints *p, sb_world_kind kind, const joint_vector points[2], const joint_vector axes[2]) {
    sb_world_part part = between(kind, &points[0], &points[1]);
    for (int s = 0; s < 2 && axes != NULL; s++) {
        memcpy(part.axis[s], axes[s].a, sizeof part.axis[s]);
    }
    p->part[p->nparts++] = part;
}

/* Names the rows by their bodies, "crank-rod" or "ground-crank", and the lengths of quaternions, for messages. */
static int name_rows(sb_arena *arena, const joints *p, sb_holonomic *g) {
    const char **rows;
    SB_NEW(arena, rows, p->nrows);
    for (int i = 0; i < p->nrows; i++) {
        const joint_row *r = &p->row[i];
        const int first = r->u[0].body, last = r->u[r->vectors - 1].body;
        const char *const of = first == JOINTS_GROUND ? "ground" : p->names[first];
        if (r->kind == JOINT_UNIT) {
            SB_PRINT(arena, rows[i], "the quaternion of %s", of);
        } else {
            SB_PRINT(arena, rows[i], "%s-%s", r->kind == JOINT_COORDINATE ? "ground" : of,
                     last == JOINTS_GROUND ? "ground" : p->names[last]);
        }
    }
    g->names = rows;
    return SB_OK;
}

/* Names the coordinates by their bodies, "crank.angle" or "door.e0". */
static int name_coordinates(sb_arena *arena, const joints *p, sb_system *out) {
    static const char *const planar[] = {"x", "y", "angle"}, *const spatial[] = {"x", "y", "z", "e0", "e1", "e2", "e3"};
    const char **list;
    SB_NEW(arena, list, p->n);
    for (int b = 0; b < p->nbodies; b++) {
        for (int k = 0; k < sb_joints_coordinates(p, b); k++) {
            SB_PRINT(arena, list[p->body[b].at + k], "%s.%s", p->names[b], (p->body[b].planar ? planar : spatial)[k]);
        }
    }
    out->coordinates = list;
    return SB_OK;
}

int sb_joints_offer(sb_arena *arena, joints *p, const char *const *names, sb_system *out) {
    sb_world world = {.self = p,
                      .dimension = p->body[0].planar ? 2 : 3,
                      .bodies = p->nbodies,
                      .describe = describe,
                      .place = place,
                      .coordinates = coordinates};
    p->names = names;
    SB_TRY(out->holonomic.names == NULL ? name_rows(arena, p, &out->holonomic) : SB_OK);
    SB_TRY(name_coordinates(arena, p, out));
    SB_TRY(p->nreactions > 0 ? sb_joints_reactions(arena, p, &world) : SB_OK);
    return world_offer(arena, world, out);
}
