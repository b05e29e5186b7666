/* Contacts between shapes of bodies, in a plane or in space: spheres, boxes and capsules on planes and on faces of
 * boxes, and spheres on spheres. A sphere has the gap of its centre c and radius r, a capsule two of them and a box one
 * of radius 0 at each corner:
 *
 *   on a plane through o with the normal n   xi = n . (c - o) - r
 *   on a sphere at o of the radius s         xi = |c - o| - r - s,   n = (c - o)/|c - o|
 *
 * Planes and faces have no edges. The slip is the velocity of the material point c - r n relative to the first body,
 * along one tangent in the plane, and along two in space, whose friction stays in Coulomb's cone. */
#pragma once

#include "problems/shared/joints.h"

/* A gap between the first shape's surface and a sphere of the second one. */
typedef struct shape_gap {
    joint_row row;          /* xi of a plane; |c - o|^2/2 of two spheres */
    bool spheres;           /* whether the first shape is a sphere */
    sb_scalar apart;        /* r + s of two spheres */
    sb_scalar radius;       /* r */
    sb_scalar normal[3];    /* n of two spheres at the start */
    joint_vector across[2]; /* the tangents: of a plane, in its body; of two spheres at the start, in space */
    const sb_world_contact *law;
} shape_gap;

typedef struct shapes {
    const joints *of;
    int tangents; /* 1 in the plane, 2 in space */
    int nshapes, ncontacts, ngaps, nfriction;
    sb_world_shape *shape;
    sb_world_contact *contact;
    shape_gap *gap;
    sb_contact joints; /* dry friction of joints, whose rows follow those of the contacts */
} shapes;

/* Returns whether a contact of two kinds, in this order, has a gap function. */
bool sb_shapes_meet(sb_world_shape_kind first, sb_world_shape_kind second);

/* Builds the gaps at the start q0 and sets the contact terms of a system whose other terms are set; dry friction of its
 * joints stays. */
int sb_shapes_finish(sb_arena *arena, const sb_scalar *q0, shapes *p, sb_system *out);

/* Returns the smallest radius or side of the shapes; 0 if there is none. */
sb_scalar sb_shapes_length(const shapes *p);
