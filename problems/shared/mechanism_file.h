/* A mechanism that a JSON file describes: its parts, outputs and start. */
#pragma once

#include "core/output/description.h"
#include "problems/shared/joints.h"

/* What an output shows: the position of a point, or the angle or displacement y of a joint and its rate. */
typedef struct mechanism_observed {
    bool joint;
    joint_vector point;
    joint_measure y;
} mechanism_observed;

typedef struct mechanism {
    joints *joints;
    int dimension;        /* 2 or 3 */
    const char **names;   /* of the bodies */
    json_t *numbers;      /* of the bodies, by their names */
    json_t *parts;        /* the numbers of joints, by their names */
    const char **rows;    /* names of all constraints: "joints[1] revolute ground-door" */
    const char **sums;    /* those of the sums */
    const char **drivers; /* those of the nonholonomic rows */
    sb_scalar *q0, *v0;   /* guess of the start; velocities that the file gives */
    sb_scalar (*rate)[3]; /* of a body in space that the file gives, in space; 0 */
    bool *given;          /* coordinates that the file gives */
    bool *moves;          /* coordinates that the solve for the start may change */
    bool *moves_v;        /* velocities that the file does not give: the solve determines them */
    int nobserved, noutputs;
    mechanism_observed *observed;
    sb_output *output;
    sb_scalar time_scale, period; /* s; 0: not given */
    const char *note;             /* about a table; NULL: none */
    int breaks;                   /* times of the lines of tables */
    sb_scalar *break_at;
} mechanism;

/* Reads the whole file. Messages name the line and the key. */
int sb_mechanism_read(const node *root, mechanism *p);

/* Reads the name of a body; "ground" is accepted if `ground` is set. */
int sb_mechanism_read_body(const node *at, const mechanism *p, bool ground, int *out);

/* Read the points of two bodies, two axes of theirs and one axis as unit vectors, and a motion: of a position if
 * `position` is set, whose table may not be linear. */
int sb_mechanism_read_points(const node *at, const mechanism *p, joint_vector out[2]);
int sb_mechanism_read_axes(const node *at, const mechanism *p, const joint_vector points[2], joint_vector out[2]);
int sb_mechanism_read_axis(const node *at, const mechanism *p, sb_scalar axis[3]);
int sb_mechanism_read_motion(const node *of, const char *key, bool position, mechanism *p, motion *out);

/* Reads the name of the last part; names differ. */
int sb_mechanism_name_part(const node *at, mechanism *p);

/* Returns the direction fixed in another body that coincides with a given one at the poses of the file. */
joint_vector sb_mechanism_transferred(const mechanism *p, const joint_vector *u, int of);

/* Reads what acts on the angle or displacement of a joint that is the part `number`. */
int sb_mechanism_read_drive(const node *at, mechanism *p, int number);

/* Reads the name of a revolute or prismatic joint; sets its angle or displacement, and which of both it is. */
int sb_mechanism_read_measure(const node *at, const mechanism *p, joint_measure *out, sb_world_kind *kind);

/* Sets the angle or displacement of a part. Fails if it is neither a revolute nor a prismatic joint. */
int sb_mechanism_measure(const node *at, const mechanism *p, int part, joint_measure *out);

/* Read one item of the lists of joints, springs, drivers and forces. */
int sb_mechanism_read_joint(const node *at, mechanism *p);
int sb_mechanism_read_spring(const node *at, mechanism *p);
int sb_mechanism_read_driver(const node *at, mechanism *p);
int sb_mechanism_read_force(const node *at, mechanism *p);

/* Sets SB_HAS_SINGULAR_MASS if a body lacks a mass or a moment of inertia. Fails if no joint determines, to first order
 * at the start, how it moves there. */
int sb_mechanism_check_massless(const node *root, const mechanism *p, sb_system *sys);

/* Reads the shapes and contacts. */
int sb_mechanism_read_shapes(const node *root, mechanism *p);
