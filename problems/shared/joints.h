/* Mechanisms of rigid bodies in a plane or in space: joints, springs with dampers, drivers, and forces that are given
 * in time. With u_a the positions of points and the directions in space, every joint consists of rows
 *
 *   g = constant + sum_a c_a . u_a + 1/2 sum_ab Q_ab u_a . u_b,
 *
 * and u_a depends on the coordinates of one body: (x, y, phi) in the plane, u = x + R(phi) a, or (x, e) in space with a
 * unit quaternion, u = x + e a conj(e). */
#ifndef STEPBENCH_PROBLEMS_SHARED_JOINTS_H
#define STEPBENCH_PROBLEMS_SHARED_JOINTS_H

#include <math.h>

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

/* The form above; the length of a body's quaternion, (e.e - 1)/2; or a coordinate of a body plus `constant`. */
typedef enum joint_kind { JOINT_FORM, JOINT_UNIT, JOINT_COORDINATE } joint_kind;

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

/* A spring V = k (L - length)^2/2 with a damper -c L' between two points at the distance L; `row` is L^2/2. */
typedef struct joint_spring {
    joint_row row;
    sb_scalar k, length, c;
} joint_spring;

/* A driver of a velocity: the rate of a body about an axis of space, or in the plane. */
typedef struct joint_driver {
    int body;
    sb_scalar axis[3], rate;
} joint_driver;

/* A force F(t) along an axis of a first body that acts on a point of a second one, and its reaction on the first: its
 * generalized force is F times the gradient of the displacement `row`. Or a torque F(t) on a body, in space about an
 * axis of space: its power is F times the rate about the axis. */
typedef struct joint_force {
    bool torque;
    joint_row row;
    int body;
    sb_scalar axis[3];
    motion size;
} joint_force;

typedef struct joints {
    int n; /* coordinates */
    int nbodies, nrows, nsprings, ndrivers, nforces;
    joints_body *body;
    joint_row *row;
    joint_spring *spring;
    joint_driver *driver;
    joint_force *force;
    sb_scalar gravity[3];
    /* Joints and drivers of positions as parts of the world, and the names of the bodies. */
    int nparts;
    sb_world_part *part;
    const char *const *names;
    int (*at_body)[BODY_NNZ]; /* positions on H of a spatial body's entries of M */
    int *at_M;                /* position on M of a body's first entry */
    sb_pattern M, G, H;
} joints;

/* ---- Building. ---- */

/* Allocates a mechanism for at most the given numbers of parts. */
int sb_joints_new(sb_arena *arena, int bodies, int rows, int springs, int drivers, int forces, joints **out);

/* Adds a body and returns its index. J of a spatial body is J0 > 0 and the principal moments. */
int sb_joints_add_body(joints *p, joints_body added);

void sb_joints_add(joints *p, joint_row row);

/* Adds the rows of two points that coincide: two in the plane, three in space. */
void sb_joints_add_meeting(joints *p, joint_vector first, joint_vector second, int dimension);

/* Adds a row for the length of each quaternion. */
void sb_joints_add_quaternions(joints *p);

/* Returns the row that makes two directions perpendicular. */
joint_row sb_joints_perpendicular(joint_vector first, joint_vector second);

/* Returns the row that makes the vector between two points perpendicular to a direction. */
joint_row sb_joints_sliding(joint_vector direction, joint_vector first, joint_vector second);

/* Returns half the squared distance of two points minus length^2/2. */
joint_row sb_joints_distance(joint_vector first, joint_vector second, sb_scalar length);

/* Returns the row that fixes a coordinate of a body. */
joint_row sb_joints_coordinate(int of, int component, sb_scalar value);

/* Returns the row moved by `d`. Its pattern is that of all times: every component of u[0].a that is nonzero at some
 * time is nonzero in it. */
joint_row sb_joints_driven(joint_row row, const driven *d);

/* Sets the system's terms from the parts; the caller sets the time scale, the start and the outputs. */
int sb_joints_finish(sb_arena *arena, joints *p, sb_system *out);

/* Declares a joint, whose rows the caller adds, as a part of the world; `axes` may be NULL. */
void sb_joints_declare(joints *p, sb_world_kind kind, const joint_vector points[2], const joint_vector axes[2]);

/* Returns a motion as one of the world. */
sb_world_motion sb_joints_motion(const motion *m);

/* Offers the mechanism in maximal coordinates. `names` are those of the bodies. */
int sb_joints_offer(sb_arena *arena, joints *p, const char *const *names, sb_system *out);

/* Builds the patterns M, G and H, and the positions of all entries. */
int sb_joints_patterns(sb_arena *arena, joints *p);

/* ---- Evaluation. ---- */

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

#endif
