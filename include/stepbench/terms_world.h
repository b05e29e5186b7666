/* A mechanism of rigid bodies in maximal coordinates, for programs that have coordinates of their own: its parts, its
 * shapes and contacts, the poses and twists of its bodies as functions of (q, v), and the way back. */
#ifndef STEPBENCH_TERMS_WORLD_H
#define STEPBENCH_TERMS_WORLD_H

#include <stepbench/arena.h>

enum { SB_GROUND = -1, SB_POSE_MAX = 7, SB_TWIST_MAX = 6 };

/* A body, whose frame has its origin at the centre of mass and the principal axes. In the plane only inertia[2] counts.
 * A particle has no inertia: its attitude means nothing, and parts act on its centre. */
typedef struct sb_world_body {
    const char *name;
    sb_scalar mass, inertia[3];
} sb_world_body;

/* w(t) = offset + rate t + amplitude sin(frequency t + phase) + the table, which is 0 without knots. */
typedef struct sb_world_motion {
    sb_scalar offset, rate, amplitude, frequency, phase;
    int knots;
    const sb_scalar *t, *value;
    const char *interpolation; /* of the table: "monotone", "linear" or "cubic" */
} sb_world_motion;

/* X(kind, list of the description, word, members). A driver of a rate and a torque act on body[1] alone. What is
 * constant has its value at the start. */
#define SB_WORLD_PART_LIST(X)                                                                                          \
    X(SB_REVOLUTE, "joints", "revolute", "points coincide, and axes in space are parallel")                            \
    X(SB_SPHERICAL, "joints", "spherical", "points coincide")                                                          \
    X(SB_UNIVERSAL, "joints", "universal", "points coincide, and axes are perpendicular")                              \
    X(SB_PRISMATIC, "joints", "prismatic", "point[1] moves along axis[0], without rotation; axes are parallel")        \
    X(SB_DISTANCE, "joints", "distance", "points are `length` apart")                                                  \
    X(SB_FIXED, "joints", "fixed", "points coincide, and no rotation")                                                 \
    X(SB_CYLINDRICAL, "joints", "cylindrical", "point[1] moves along axis[0]; axes are parallel")                      \
    X(SB_PLANAR, "joints", "planar", "point[1] moves across axis[0]; axes are parallel")                               \
    X(SB_POINT_LINE, "joints", "point_line", "point[1] moves along axis[0] through point[0]")                          \
    X(SB_POINT_PLANE, "joints", "point_plane", "point[1] moves across axis[0] through point[0]")                       \
    X(SB_GEAR, "joints", "gear", "factor[0] y_0 + factor[1] y_1 is constant, y those of two other joints")             \
    X(SB_RACK, "joints", "rack", "the displacement of joint of[1] less length times the angle of of[0] is constant")   \
    X(SB_ROLLING, "joints", "rolling",                                                                                 \
      "a wheel, body[1], of radius length on a line along axis[0] through point[0]; in space on the plane with the "   \
      "normal axis[0], about its axis[1]")                                                                             \
    X(SB_PULLEY, "joints", "pulley", "the sum of factor times distance of point from axis, in space, is constant")     \
    X(SB_SPRING, "springs", "spring", "V = stiffness (L - length)^2/2 and the force -damping L' between points")       \
    X(SB_DRIVEN_RATE, "drivers", "rate", "body[1] turns at motion.rate about axis[0] of space")                        \
    X(SB_DRIVEN_ANGLE, "drivers", "angle", "of body[1] relative to body[0] about axes, from the start's")              \
    X(SB_DRIVEN_DISPLACEMENT, "drivers", "displacement", "of point[1] from point[0] along axis[0] of body[0]")         \
    X(SB_DRIVEN_DISTANCE, "drivers", "distance", "of points")                                                          \
    X(SB_TORQUE, "forces", "torque", "on body[1] about axis[0] of space")                                              \
    X(SB_FORCE, "forces", "force", "on point[1] along axis[0] of body[0], with its reaction there")

typedef enum sb_world_kind {
#define SB_WORLD_PART_ENUM(kind, list, word, meaning) kind,
    SB_WORLD_PART_LIST(SB_WORLD_PART_ENUM)
#undef SB_WORLD_PART_ENUM
} sb_world_kind;

/* What acts on the angle or displacement y of a joint: V = stiffness (y - target)^2/2 + limit_stiffness (y - limit)^2/2
 * beyond a limit; the force effort - damping (y' - target_rate) - limit_damping y', the last beyond a limit; dry
 * friction up to `friction`; T = armature y'^2/2. An angle in space is that between the directions `reference` of the
 * bodies. */
typedef struct sb_world_drive {
    sb_scalar stiffness, damping, armature, friction, limit[2], limit_stiffness, limit_damping, reference[2][3];
    sb_world_motion target, target_rate, effort;
} sb_world_drive;

typedef struct sb_world_part {
    sb_world_kind kind;
    int body[2]; /* SB_GROUND: fixed in space */
    sb_scalar point[2][3], axis[2][3], length, stiffness, damping;
    sb_world_motion motion;
    sb_scalar factor[2];
    const char *name, *of[2];    /* its name and those of two joints; NULL: none */
    const sb_world_drive *drive; /* NULL: none */
} sb_world_part;

/* A shape fixed in a body, in its frame. In the plane a sphere is a disk, and vectors have two components. */
typedef enum sb_world_shape_kind { SB_PLANE, SB_SPHERE, SB_BOX, SB_CAPSULE } sb_world_shape_kind;

typedef struct sb_world_shape {
    const char *name;
    sb_world_shape_kind kind;
    int body;
    sb_scalar point[2][3]; /* one point of a plane; the centre of a sphere or a box; the ends of a capsule's axis */
    sb_scalar normal[3];   /* of a plane: a unit vector out of the material */
    sb_scalar size[3];     /* sides of a box, along the axes of its body */
    sb_scalar radius;      /* of a sphere or a capsule; 0: points */
} sb_world_shape;

/* A contact of two shapes: Coulomb's law of friction, Newton's law of impact. shape[0] is the plane, the box whose face
 * towards the other shape at the start counts as a plane, or a sphere. */
typedef struct sb_world_contact {
    int shape[2];
    sb_scalar friction, restitution;
} sb_world_contact;

typedef struct sb_world_parts {
    sb_scalar gravity[3];
    int bodies, parts, shapes, contacts;
    sb_world_body *body;
    sb_world_part *part;
    const sb_world_shape *shape;
    const sb_world_contact *contact;
} sb_world_parts;

typedef struct sb_world {
    const void *self;
    int dimension; /* 2 or 3 */
    int bodies;
    /* Sets the parts, which come from the arena. */
    int (*describe)(const void *self, sb_arena *arena, sb_world_parts *out);
    /* Sets the poses, (x, y, angle) or the centre and a unit quaternion (scalar first, body to space), and the twists,
     * (x', y', angle') or the velocity of the centre and the angular velocity in space, of all bodies. */
    int (*place)(const void *self, const sb_scalar *q, const sb_scalar *v, sb_scalar *pose, sb_scalar *twist);
    /* Sets q and v from poses and twists. */
    int (*coordinates)(const void *self, const sb_scalar *pose, const sb_scalar *twist, sb_scalar *q, sb_scalar *v);
    int reactions;
    const sb_output *reaction; /* forces and torques of joints and drivers */
    /* Sets the values of `reaction` from the multipliers of the bilateral rows. NULL: none. */
    int (*reactions_at)(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, const sb_scalar *lambda,
                        sb_scalar *out);
} sb_world;

/* Return the numbers of a pose and of a twist. */
static inline int sb_world_pose(const sb_world *world) { return world->dimension == 2 ? 3 : SB_POSE_MAX; }
static inline int sb_world_twist(const sb_world *world) { return world->dimension == 2 ? 3 : SB_TWIST_MAX; }

#endif
