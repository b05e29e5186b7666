/* Models of robots between their file and the description that the problem `mechanism` reads: bodies in a tree, the
 * joints by which they hang on their parents, and what couples them. */
#pragma once

#include <stdio.h>

#include "bench/import/xml.h"

enum { MODEL_GROUND = -1, MODEL_JOINTS = 6 /* of a body, at most: its degrees of freedom */ };

/* Time constant of limits whose file gives none, s: the default of MJCF. */
static const double model_limit_time = 0.02;

typedef enum model_kind { MODEL_HINGE, MODEL_SLIDE, MODEL_BALL, MODEL_FREE } model_kind;

/* A joint of a body. Anchor and axis are in space, at the poses of the bodies. */
typedef struct model_joint {
    const char *name;
    const xml_element *at;
    model_kind kind;
    double anchor[3], axis[3];
    double q; /* its coordinate at the poses */
    double stiffness, rest, damping, armature, friction;
    double kp, target, kv, target_rate, force; /* of its servos; a constant force, or torque */
    bool limited;
    double limit[2], limit_time, limit_ratio; /* time constant, s, and damping ratio of the limits */
} model_joint;

typedef struct model_body {
    const char *name;
    const xml_element *at;
    int parent;
    double x[3], e[4];                   /* the frame of the file in space */
    double mass, first[3], second[3][3]; /* sums of m, m r and m (r.r 1 - r r') in this frame */
    double velocity[3], rate[3];         /* of the origin, in space; angular, in space */
    bool between;                        /* two joints of the body after it: without mass */
    int joints;
    model_joint joint[MODEL_JOINTS];
    /* Set by sb_model_join: the body it is fixed to, the centre and the principal frame in space. */
    int holder;
    double centre[3], principal[4], moment[3];
} model_body;

/* Constraints between two bodies, or between two joints: y_0 - factor y_1 is constant. */
typedef enum model_tie_kind { MODEL_CONNECT, MODEL_WELD, MODEL_COUPLE } model_tie_kind;

typedef struct model_tie {
    model_tie_kind kind;
    const xml_element *at;
    int body[2];
    double anchor[3]; /* in space */
    const char *joint[2];
    double factor;
} model_tie;

/* A shape in the frame of a body of the file, or of the ground: a plane through x across the z axis of e, a sphere of
 * radius size[0], a capsule along z of radius size[0] and half length size[1], a box of half sides. Two shapes meet if
 * a bit of `type` of one is in `affinity` of the other. */
typedef enum model_shape_kind { MODEL_PLANE, MODEL_SPHERE, MODEL_CAPSULE, MODEL_BOX } model_shape_kind;

typedef struct model_shape {
    const char *name;
    const xml_element *at;
    model_shape_kind kind;
    int body;
    double x[3], e[4], size[3], friction;
    unsigned type, affinity;
} model_shape;

/* Names and their numbers, in a table of slots; none, of zeros. */
typedef struct model_name {
    const char *name; /* NULL: the slot is empty */
    int number;
} model_name;

typedef struct model_names {
    size_t room, count; /* room: a power of two */
    model_name *slot;
} model_names;

typedef struct model {
    const xml_file *file;
    double gravity[3];
    bool moves; /* the velocities of all bodies are given */
    int bodies, ties, shapes, left_out;
    model_body *body;
    model_tie *tie;
    model_shape *shape;
} model;

/* Writes on standard error what of the file is left out and why, after its line. */
void sb_model_leave_out(model *m, const xml_element *e, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Adds a mass with moments about its centre, whose principal frame is e, at the centre r in the frame of a body. */
void sb_model_add_mass(model_body *body, double mass, const double r[3], const double e[4], const double J[3]);

/* As before, with a tensor of inertia about the centre in the frame e. */
void sb_model_add_inertia(model_body *body, double mass, const double r[3], const double e[4], const double J[3][3]);

/* Returns the inertia of a joint of a body: the moment about the axis of a hinge, or the mass along a slide, of all
 * that hangs on it, at the poses. After sb_model_join. */
double sb_model_inertia(const model *m, int body, const model_joint *j);

/* Adds a name, unless it is there. */
int sb_model_add_name(sb_arena *arena, model_names *names, const char *name, int number);

/* Returns the number of a name; -1: it is not there. */
int sb_model_find_name(const model_names *names, const char *name);

/* Joins every body without joints to its parent, and sets the centres, principal frames and moments of the others.
 * Fails with SB_BAD_USAGE for a body that moves without mass or inertia, and if no body moves. */
int sb_model_join(model *m);

/* Joins the bodies and writes the description as JSON. */
int sb_model_write(model *m, FILE *to);

/* Read a file of MJCF, whose start is the key `key` unless it is empty; and of URDF, whose root is fixed to the ground
 * or moves freely. */
int sb_import_mjcf(const xml_file *file, const char *key, model *out);
int sb_import_urdf(const xml_file *file, bool free_root, model *out);
