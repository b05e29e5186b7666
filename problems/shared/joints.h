/* Mechanisms of rigid bodies in a plane or in space: joints, springs with dampers, drivers, and forces that are given
 * in time. With u_a the positions of points and the directions in space, every joint consists of rows
 *
 *   g = constant + sum_a c_a . u_a + 1/2 sum_ab Q_ab u_a . u_b,
 *
 * and u_a depends on the coordinates of one body: (x, y, phi) in the plane, u = x + R(phi) a, or (x, e) in space with a
 * unit quaternion, u = x + e a conj(e). */
#pragma once

#include "problems/shared/bodies.h"
#include "problems/shared/motion.h"

enum { JOINTS_GROUND = -1, PLANAR_COORDINATES = 3, PLANAR_PHI = 2 };
enum { JOINT_VECTORS = 3, JOINT_SIZE = 2 * BODY_COORDINATES };

typedef struct joints_body {
    bool planar;
    body rigid; /* in the plane J[0] is the moment of inertia */
    int at;     /* index of its first coordinate */
} joints_body;

/* A point fixed in a body, or a direction. One of the ground is fixed in space. */
typedef struct joint_vector {
    int body;
    bool point;
    sb_scalar a[3];
} joint_vector;

/* The form above; the length of a body's quaternion, (e.e - 1)/2; a coordinate of a body plus `constant`; or in the
 * plane the angle of the body of u[1] relative to that of u[0]. */
typedef enum joint_kind { JOINT_FORM, JOINT_UNIT, JOINT_COORDINATE, JOINT_TURN } joint_kind;

/* A row that follows a motion w(t):
 *
 *   angle:          f . (-sin(w) e1 + cos(w) e2) = 0
 *   displacement:   axis . (x_2 - x_1) - w = 0
 *   distance:       (|x_2 - x_1|^2 - w^2)/2 = 0
 *
 * For an angle, the direction f of the second body is cos(w) e1 + sin(w) e2 in the first one. The row is linear in the
 * quantity that depends on time: u[0].a or `constant`. */
typedef enum driven_kind { DRIVEN_ANGLE, DRIVEN_DISPLACEMENT, DRIVEN_DISTANCE } driven_kind;

typedef struct driven {
    driven_kind kind;
    sb_scalar e1[3], e2[3];
    motion motion;
} driven;

/* A scalar function of the coordinates of at most two bodies. */
typedef struct joint_row {
    joint_kind kind;
    int vectors;
    joint_vector u[JOINT_VECTORS];
    sb_scalar constant, c[JOINT_VECTORS][3], Q[JOINT_VECTORS][JOINT_VECTORS];
    int component;        /* of JOINT_COORDINATE, among the coordinates of the body of u[0] */
    const driven *driven; /* NULL: the row does not depend on time */
    int count, coordinate[JOINT_SIZE];
    int from[JOINT_VECTORS];          /* index of the first coordinate of u_a's body in `coordinate` */
    int at_G[JOINT_SIZE];             /* positions of the gradient on G; -1: the entry is always 0 */
    int at_H[JOINT_SIZE][JOINT_SIZE]; /* positions of the second derivatives on H; -1: always 0 */
} joint_row;

/* Returns the gradient d of a row times v. */
static inline sb_scalar sb_joint_along(const joint_row *r, const sb_scalar *d, const sb_scalar *v) {
    sb_scalar sum = 0.0;
    for (int j = 0; j < r->count; j++) {
        sum += d[j] * v[r->coordinate[j]];
    }
    return sum;
}

/* A quantity y of two bodies:
 *
 *   distance of two points:       y = sqrt(2 r), r half the square of the distance
 *   displacement along an axis:   y = r; in the plane also an angle
 *   angle in space:               y = atan2(r_0, r_1) in (-pi, pi]
 *   sine of an angle:             y = sqrt(1 - r^2), r the product of two directions */
typedef enum measure_kind { MEASURE_DISTANCE, MEASURE_ROW, MEASURE_ANGLE, MEASURE_SINE } measure_kind;

typedef struct joint_measure {
    measure_kind kind;
    joint_row row[2];
} joint_measure;

/* A constraint: constant + factor_0 y_0 + factor_1 y_1 = 0; modulo the period, unless that is 0. The period is one
 * where angles in space have whole factors. */
typedef struct joint_sum {
    joint_measure y[2];
    sb_scalar factor[2], constant, period;
} joint_sum;

/* What acts on a measure y: a spring to a target w(t), a damper to a rate r(t), a force F(t), and limits, beyond which
 * another spring and damper act:
 *
 *   V = k (y - w)^2/2 + k_limit (y - limit)^2/2,   Q = (F - c (y' - r) - c_limit y') y_q.
 *
 * An angle y - w in space counts modulo 2 pi. Dry friction of y' is bounded by `friction`. `armature` is an inertia of
 * y', T = armature y'^2/2: of an angle by the rates of both bodies about the axes `axis`, which are parallel; of a
 * displacement by the velocity of the one body that moves, along an axis of space. */
typedef struct joint_drive {
    joint_measure y;
    sb_scalar k, c, limit[2], k_limit, c_limit, friction, armature, axis[2][3];
    motion target, rate, force;
    int at_M[JOINT_SIZE][JOINT_SIZE]; /* positions on M of the armature's entries; -1: always 0 */
} joint_drive;

/* A nonholonomic row of a body: its rate w about an axis of space, or in the plane,
 *
 *   phi' = w,   axis . omega = w,
 *
 * or that a wheel does not slip along a tangent t of the plane with the normal n on which it rolls. With its centre x,
 * its axis a and the radius r, the contact is at x - r u:
 *
 *   t . x' - r omega . (u x t) = 0,   u = (n - s a)/sqrt(1 - s^2),   s = n . a. */
typedef struct joint_driver {
    int body;
    bool rolls;
    sb_scalar axis[3], rate;
    joint_vector wheel; /* a */
    sb_scalar normal[3], along[3], radius;
} joint_driver;

/* A torque F(t) on a body, in space about an axis of space: its power is F times the rate about the axis. */
typedef struct joint_torque {
    int body;
    sb_scalar axis[3];
    motion size;
} joint_torque;

/* The force and the torque of a joint or a driver: of its rows from `row` on, its nonholonomic rows from `driver` on,
 * its sum (-1: none) and its drive. They act on the second body at `point`, which is fixed in it, and on the first one
 * inversely. */
typedef struct joint_reaction {
    const char *name;
    int row, rows, driver, drivers, sum, body[2];
    const joint_drive *drive;
    joint_vector point;
} joint_reaction;

typedef struct joints {
    int n;                                                  /* coordinates */
    int nbodies, nrows, nsums, ndrives, ndrivers, ntorques; /* the constraints are rows, then sums */
    joints_body *body;
    joint_row *row;
    joint_sum **sum;
    joint_drive **drive;
    joint_driver *driver;
    joint_torque *torque;
    sb_scalar gravity[3];
    /* All but drivers of rates and torques as parts of the world, and the names of the bodies. */
    int nparts;
    sb_world_part *part;
    const char *const *names;
    int nreactions;
    joint_reaction *reaction;
    struct shapes *shapes;    /* NULL: none */
    int (*at_body)[BODY_NNZ]; /* positions on H of a body's entries of M */
    int (*at_M)[BODY_NNZ];    /* positions on M */
    sb_pattern M, G, H;
} joints;

/* ---- Building. ---- */

/* Allocates a mechanism for at most the given numbers of parts. */
int sb_joints_new(sb_arena *arena, int bodies, int rows, int drives, int drivers, int torques, joints **out);

/* Adds a body and returns its index. J of a spatial body is J0 > 0 and the principal moments. */
int sb_joints_add_body(joints *p, joints_body added);

void sb_joints_add(joints *p, joint_row row);

/* Adds the rows of two points that coincide: two in the plane, three in space. */
void sb_joints_add_meeting(joints *p, joint_vector first, joint_vector second, int dimension);

/* Adds a row for the length of each quaternion. */
void sb_joints_add_quaternions(joints *p);

/* Returns the row that makes two directions perpendicular. */
joint_row sb_joints_perpendicular(joint_vector first, joint_vector second);

/* Sets two directions of a body that are perpendicular to another one, a unit vector, and to each other. */
void sb_joints_across(const joint_vector *axis, joint_vector out[2]);

/* Returns the row that makes the vector between two points perpendicular to a direction. */
joint_row sb_joints_sliding(joint_vector direction, joint_vector first, joint_vector second);

/* Returns half the squared distance of two points minus length^2/2. */
joint_row sb_joints_distance(joint_vector first, joint_vector second, sb_scalar length);

/* Return measures: the distance of two points; the displacement of the second from the first along an axis of the body
 * of the first; the angle of the second body relative to the first, in space between directions across[0] of the first
 * and `follows` of the second, towards across[1]. */
joint_measure sb_joints_length(const joint_vector points[2]);
joint_measure sb_joints_displacement(const sb_scalar axis[3], const joint_vector points[2]);
joint_measure sb_joints_angle(const joint_vector across[2], joint_vector follows);
joint_measure sb_joints_turn(int first, int second);

/* Returns the sine of the angle between two directions. */
joint_measure sb_joints_sine(joint_vector first, joint_vector second);

/* Adds a drive on a measure, which does nothing, and returns it. */
int sb_joints_add_drive(sb_arena *arena, joints *p, joint_measure y, joint_drive **out);

/* Adds a constraint of two measures, whose constant is such that it holds at q. */
int sb_joints_add_sum(sb_arena *arena, joints *p, const joint_measure y[2], const sb_scalar factor[2], sb_scalar period,
                      const sb_scalar *q);

/* Adds a spring with a damper between two points, and declares it. */
int sb_joints_add_spring(sb_arena *arena, joints *p, const joint_vector points[2], sb_scalar k, sb_scalar length,
                         sb_scalar c);

/* Returns the row that fixes a coordinate of a body. */
joint_row sb_joints_coordinate(int of, int component, sb_scalar value);

/* Returns the row moved by `d`. Its pattern is that of all times: every component of u[0].a that is nonzero at some
 * time is nonzero in it. */
joint_row sb_joints_driven(joint_row row, const driven *d);

/* Sets the system's terms from the parts, which include the dry friction of drives; the caller sets the time scale, the
 * start and the outputs. */
int sb_joints_finish(sb_arena *arena, joints *p, sb_system *out);

/* Declares a joint, whose rows the caller adds, as a part of the world; `axes` may be NULL. */
void sb_joints_declare(joints *p, sb_world_kind kind, const joint_vector points[2], const joint_vector axes[2]);

/* Returns a motion as one of the world. */
sb_world_motion sb_joints_motion(const motion *m);

/* Offers the mechanism in maximal coordinates. `names` are those of the bodies. */
int sb_joints_offer(sb_arena *arena, joints *p, const char *const *names, sb_system *out);

/* Sets the coefficients of the velocities of a driver's body in its row. */
void sb_joint_driver_row(const joints *p, const joint_driver *d, const sb_scalar *q, sb_scalar out[BODY_COORDINATES]);

/* Sets the nonholonomic rows of the drivers. */
int sb_joints_drivers(sb_arena *arena, const joints *p, sb_system *out);

/* Sets the derivatives of 2 axis . (a conj(b)) in the quaternion a, or in b. The rate about an axis of space is that of
 * a = e', b = e. */
void sb_joints_turning(const sb_scalar axis[3], const sb_scalar other[4], bool in_a, sb_scalar out[4]);

/* Lists the coordinates of a row's bodies, and marks the entries of at_G and at_H that can be nonzero by 0 and the
 * others by -1. */
void sb_joint_row_layout(const joints *p, joint_row *r);

/* Lists the coordinates of a measure in its row[0], and marks their entries in patterns. */
void sb_joint_measure_layout(const joints *p, joint_measure *y);

/* Builds the patterns M, G and H, and the positions of all entries. */
int sb_joints_patterns(sb_arena *arena, joints *p);

/* ---- Evaluation. ---- */

/* Returns the value of a measure; sets its gradient d and second derivatives X in the coordinates of row[0], unless
 * they are NULL. NaN: the distance is 0 and has no derivatives. */
sb_scalar sb_joint_measure_at(const joints *p, const joint_measure *y, const sb_scalar *q, sb_scalar d[JOINT_SIZE],
                              sb_scalar X[JOINT_SIZE][JOINT_SIZE]);

/* Returns the value of a sum; adds its gradient to the values on G unless they are NULL. */
sb_scalar sb_joint_sum_at(const joints *p, const joint_sum *sum, const sb_scalar *q, sb_scalar *Gx);

/* Adds c times the second derivatives of a sum to the values on H. */
void sb_joint_sum_hessian(const joints *p, const joint_sum *sum, const sb_scalar *q, sb_scalar c, sb_scalar *Hx);

/* Returns v' Hess g v of a sum. */
sb_scalar sb_joint_sum_curvature(const joints *p, const joint_sum *sum, const sb_scalar *q, const sb_scalar *v);

/* Returns whether a drive has a force beside its potential. */
bool sb_joint_drive_pushes(const joint_drive *d);

/* Add the terms of all drives: to V, V_t, V_q, c V_qq, the forces f, and their derivatives on H. Return SB_DOMAIN where
 * a distance is 0. */
void sb_joints_drives_potential(const joints *p, sb_scalar t, const sb_scalar *q, sb_scalar *V, sb_scalar *Vt);
int sb_joints_drives_gradient(const joints *p, sb_scalar t, const sb_scalar *q, sb_scalar *Vq);
int sb_joints_drives_hessian(const joints *p, sb_scalar t, const sb_scalar *q, sb_scalar c, sb_scalar *Hx);
int sb_joints_drives_force(const joints *p, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *f);
int sb_joints_drives_jacobian(const joints *p, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar cq,
                              sb_scalar cv, sb_scalar *Hx);

/* Returns the force along y of a spring, a damper and what else acts on y; sets y_q. */
sb_scalar sb_joint_drive_effort(const joints *p, const joint_drive *d, sb_scalar t, const sb_scalar *q,
                                const sb_scalar *v, sb_scalar slope[JOINT_SIZE]);

/* Lists the forces and torques of the reactions as outputs, NAME_fx and so on, in `out`; and sets them: in space both
 * along the axes of space, in N and N m. */
int sb_joints_reactions(sb_arena *arena, const joints *p, sb_world *out);

/* Sets the friction terms of a system from the drives; of a system without contacts. */
int sb_joints_friction(sb_arena *arena, const joints *p, sb_system *out);

/* Add the terms of the armatures: to M, T_q, and the second derivatives of T on H. */
void sb_joints_armature_mass(const joints *p, const sb_scalar *q, sb_scalar *Mx);
void sb_joints_armature_gradient(const joints *p, const sb_scalar *q, const sb_scalar *v, sb_scalar *Tq);
void sb_joints_armature_hessian(const joints *p, const sb_scalar *q, const sb_scalar *v, sb_scalar cqq, sb_scalar cqv,
                                sb_scalar cvq, sb_scalar *Hx);

/* Returns the number of coordinates of body b; 0 for the ground. */
int sb_joints_coordinates(const joints *p, int b);

/* Sets u, and its derivatives J in the coordinates of its body unless J is NULL. */
void sb_joint_vector_at(const joints *p, const joint_vector *u, const sb_scalar *q, sb_scalar out[3],
                        sb_scalar J[3][BODY_COORDINATES]);

/* Returns the value of a row; sets its gradient d and second derivatives X in its coordinates, unless they are NULL. */
sb_scalar sb_joint_row_at(const joints *p, const joint_row *r, const sb_scalar *q, sb_scalar d[JOINT_SIZE],
                          sb_scalar X[JOINT_SIZE][JOINT_SIZE]);

/* Adds c X to the values on H. */
void sb_joint_row_add(const joint_row *r, sb_scalar c, sb_scalar X[JOINT_SIZE][JOINT_SIZE], sb_scalar *Hx);

/* Returns v' Hess g v of a row. */
sb_scalar sb_joint_row_curvature(const joints *p, const joint_row *r, const sb_scalar *q, const sb_scalar *v);

/* Returns the row at time t: `r` itself, or a copy in `moved` if it depends on time. */
const joint_row *sb_joint_row_now(const joint_row *r, sb_scalar t, joint_row *moved);

/* Returns the partial derivative in t, the first or the second, of a row that depends on time; sets its gradient d
 * unless d is NULL. */
sb_scalar sb_joint_row_rate(const joints *p, const joint_row *r, sb_scalar t, int derivative, const sb_scalar *q,
                            sb_scalar d[JOINT_SIZE]);

/* Returns false if the second body of a driven angle points against its direction in the first one, where the row is 0
 * too. */
bool sb_joint_row_aligned(const joints *p, const joint_row *r, sb_scalar t, const sb_scalar *q);
