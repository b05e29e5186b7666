/* Builds mechanisms of shared/joints.h: rows of joints, exact patterns, and a consistent start. */
#ifndef STEPBENCH_PROBLEMS_SHARED_JOINTS_BUILD_H
#define STEPBENCH_PROBLEMS_SHARED_JOINTS_BUILD_H

#include "problems/shared/joints.h"

/* Makes room for bodies, rows, springs and applied forces. */
int joints_new(sb_arena *arena, int bodies, int rows, int springs, int applied, joints **out);

/* Adds a body; its J are the moment of inertia in the plane, or J0 > 0 and the principal moments. */
int joints_add_body(joints *p, joints_body added);

/* Adds the rows of two points that meet: two in the plane, three in space. */
void joints_add_meeting(joints *p, joint_vector first, joint_vector second, int dimension);

/* Returns the row of two directions that are perpendicular. */
joint_row joints_perpendicular(joint_vector first, joint_vector second);

void joints_add_perpendicular(joints *p, joint_vector first, joint_vector second);

/* Returns the row of a vector between two points that is perpendicular to a direction. */
joint_row joints_sliding(joint_vector direction, joint_vector first, joint_vector second);

void joints_add_sliding(joints *p, joint_vector direction, joint_vector first, joint_vector second);

/* Returns half the squared distance of two points, less that of `length`. */
joint_row joints_distance(joint_vector first, joint_vector second, sb_scalar length);

/* Adds the rows of the spatial bodies' quaternions. */
void joints_add_quaternions(joints *p);

/* Sets the system's terms; the caller sets the time scale, the start and the outputs. */
int joints_finish(sb_arena *arena, joints *p, sb_system *out);

#endif
