/* Offers the bodies of a problem in maximal coordinates: stepbench/terms_world.h. */
#pragma once

#include <string.h>

#include <stepbench/plugin.h>

#include "core/base/text.h"

/* Offers a world, which the caller has filled. */
static inline int world_offer(sb_arena *arena, sb_world filled, sb_system *out) {
    sb_world *world;
    SB_NEW(arena, world, 1);
    *world = filled;
    out->world = world;
    return SB_OK;
}

/* Allocates at most the given numbers of bodies and parts. */
static inline int world_new(sb_arena *arena, int bodies, int parts, sb_world_parts *out) {
    *out = (sb_world_parts){.bodies = 0};
    SB_NEW(arena, out->body, bodies);
    SB_NEW(arena, out->part, parts);
    return SB_OK;
}

/* Adds a body "NAME1", "NAME2", ... in the plane, or a particle (J = 0). */
static inline int world_add_body(sb_arena *arena, sb_world_parts *out, const char *name, sb_scalar m, sb_scalar J) {
    sb_world_body *added = &out->body[out->bodies++];
    *added = (sb_world_body){.mass = m, .inertia = {0.0, 0.0, J}};
    SB_PRINT(arena, added->name, "%s%d", name, out->bodies);
    return SB_OK;
}

/* Adds a joint between points (x, y) of two bodies in the plane: revolute, or of particles distance. */
static inline sb_world_part *world_add_joint(sb_world_parts *out, sb_world_kind kind, int first, sb_scalar x0,
                                             sb_scalar y0, int second, sb_scalar x1, sb_scalar y1) {
    sb_world_part *part = &out->part[out->parts++];
    *part = (sb_world_part){.kind = kind, .body = {first, second}, .point = {{x0, y0}, {x1, y1}}};
    return part;
}

/* Allocates shapes and contacts, which the caller fills. */
static inline int world_new_shapes(sb_arena *arena, int count, int contacts, sb_world_parts *out,
                                   sb_world_shape **shape, sb_world_contact **contact) {
    SB_NEW(arena, *shape, count);
    SB_NEW(arena, *contact, contacts);
    out->shapes = count;
    out->contacts = contacts;
    out->shape = *shape;
    out->contact = *contact;
    return SB_OK;
}

/* Returns the plane y = 0 of the ground. */
static inline sb_world_shape world_floor(void) {
    return (sb_world_shape){.name = "floor", .kind = SB_PLANE, .body = SB_GROUND, .normal = {0.0, 1.0}};
}

/* ---- Bodies whose coordinates are x, y and the angle. ---- */

static inline int world_planar_place(int n, const sb_scalar *q, const sb_scalar *v, sb_scalar *pose, sb_scalar *twist) {
    memcpy(pose, q, (size_t)(3 * n) * sizeof *q);
    memcpy(twist, v, (size_t)(3 * n) * sizeof *v);
    return SB_OK;
}

/* ---- Particles whose coordinates are their positions. ---- */

static inline int world_particles_place(int n, int dimension, const sb_scalar *q, const sb_scalar *v, sb_scalar *pose,
                                        sb_scalar *twist) {
    const int poses = dimension == 2 ? 3 : SB_POSE_MAX, twists = dimension == 2 ? 3 : SB_TWIST_MAX;
    memset(pose, 0, (size_t)(n * poses) * sizeof *pose);
    memset(twist, 0, (size_t)(n * twists) * sizeof *twist);
    for (int a = 0; a < n; a++) {
        memcpy(pose + poses * a, q + dimension * a, (size_t)dimension * sizeof *q);
        memcpy(twist + twists * a, v + dimension * a, (size_t)dimension * sizeof *v);
        if (dimension == 3) {
            pose[poses * a + dimension] = 1.0;
        }
    }
    return SB_OK;
}

static inline int world_particles_coordinates(int n, int dimension, const sb_scalar *pose, const sb_scalar *twist,
                                              sb_scalar *q, sb_scalar *v) {
    const int poses = dimension == 2 ? 3 : SB_POSE_MAX, twists = dimension == 2 ? 3 : SB_TWIST_MAX;
    for (int a = 0; a < n; a++) {
        memcpy(q + dimension * a, pose + poses * a, (size_t)dimension * sizeof *q);
        memcpy(v + dimension * a, twist + twists * a, (size_t)dimension * sizeof *v);
    }
    return SB_OK;
}
