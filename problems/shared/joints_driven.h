/* Joints that are moved in time: an angle, a displacement or a distance between two bodies follows a motion. Their rows
 * stand behind those of the other joints. */
#ifndef STEPBENCH_PROBLEMS_SHARED_JOINTS_DRIVEN_H
#define STEPBENCH_PROBLEMS_SHARED_JOINTS_DRIVEN_H

#include "problems/shared/joints_build.h"
#include "problems/shared/motion.h"

/* With the motion w(t):
 *
 *   angle:          f . (-sin(w) e1 + cos(w) e2) = 0
 *   displacement:   axis . (x_2 - x_1) - w = 0
 *   distance:       (|x_2 - x_1|^2 - w^2)/2 = 0
 *
 * With an angle, f of the second body has the direction cos(w) e1 + sin(w) e2 of the first one. The rows are linear in
 * what moves: u[0].a or `constant`. */
typedef enum driven_kind { DRIVEN_ANGLE, DRIVEN_DISPLACEMENT, DRIVEN_DISTANCE } driven_kind;

typedef struct driven {
    driven_kind kind;
    sb_scalar e1[3], e2[3];
    motion motion;
} driven;

typedef struct driven_joints {
    const joints *all; /* with the driven rows */
    joints fixed;      /* without */
    int count;
    driven *driven;
} driven_joints;

/* Adds a row whose pattern is that of every time: no component of u[0] that may differ from 0 is. */
void driven_add(joints *p, const driven *d, joint_row row);

/* Returns whether the second body of an angle points along its direction in the first one, and not against it. */
bool driven_aligned(const driven_joints *p, int i, sb_scalar t, const sb_scalar *q);

/* Replaces the constraints of a system that joints_finish has set by those of time. */
void driven_finish(const joints *all, driven_joints *p, sb_system *out);

#endif
