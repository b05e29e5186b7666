/* Forces and torques on a mechanism that are given in time: their sizes are motions of shared/motion.h. */
#ifndef STEPBENCH_PROBLEMS_SHARED_JOINTS_APPLIED_H
#define STEPBENCH_PROBLEMS_SHARED_JOINTS_APPLIED_H

#include "problems/shared/joints_build.h"
#include "problems/shared/motion.h"

/* Sets the derivatives of 2 axis . (a conj(b)) in the quaternion a, or in b; the rate about the axis is that of a = e',
 * b = e. */
void joints_turning(const sb_scalar axis[3], const sb_scalar other[4], bool of_rate, sb_scalar out[4]);

/* A force F(t) along an axis of a first body, on a point of a second one and back on the first: its generalized force
 * is F times the gradient of the displacement, `row` of joints.h. Or a torque F(t) on a body, in space about an axis of
 * space: its power is F times the rate about the axis. */
typedef struct applied {
    const joint_row *row; /* NULL: a torque */
    int body;
    sb_scalar axis[3];
    motion size;
} applied;

typedef struct applied_forces {
    const joints *all;
    int count;
    applied *list;
} applied_forces;

/* Replaces the forces of a system that joints_finish has set, those of dampers, by these and those. */
void applied_finish(const joints *all, applied_forces *p, sb_system *out);

#endif
