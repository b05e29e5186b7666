/* A mechanism that a JSON file describes: its parts, outputs and start. */
#ifndef STEPBENCH_PROBLEMS_SHARED_MECHANISM_FILE_H
#define STEPBENCH_PROBLEMS_SHARED_MECHANISM_FILE_H

#include "core/output/description.h"
#include "problems/shared/joints.h"

typedef struct mechanism {
    joints *joints;
    int dimension;        /* 2 or 3 */
    const char **names;   /* of the bodies */
    json_t *numbers;      /* of the bodies, by their names */
    const char **rows;    /* names of the rows: "joints[1] revolute ground-door" */
    sb_scalar *q0, *v0;   /* guess of the start; velocities that the file gives */
    sb_scalar (*rate)[3]; /* of a body in space that the file gives, in space; 0 */
    bool *given;          /* coordinates that the file gives */
    bool *moves;          /* coordinates that the solve for the start may change */
    bool *moves_v;        /* velocities that the file does not give: the solve determines them */
    int npoints;          /* whose positions are outputs */
    joint_vector *point;
    sb_output *output;
    sb_scalar time_scale; /* s; 0: not given */
    const char *note;     /* about a table; NULL: none */
    int breaks;           /* times of the lines of tables */
    sb_scalar *break_at;
} mechanism;

/* Reads the whole file. Messages name the line and the key. */
int sb_mechanism_read(const node *root, mechanism *p);

/* Reads the name of a body; "ground" is accepted if `ground` is set. */
int sb_mechanism_read_body(const node *at, const mechanism *p, bool ground, int *out);

/* Read one item of the lists of joints, springs, drivers and forces. */
int sb_mechanism_read_joint(const node *at, mechanism *p);
int sb_mechanism_read_spring(const node *at, mechanism *p);
int sb_mechanism_read_driver(const node *at, mechanism *p);
int sb_mechanism_read_force(const node *at, mechanism *p);

#endif
