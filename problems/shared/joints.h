/* Mechanisms of rigid bodies in a plane or in space: joints, springs and dampers between points and directions that are
 * fixed in bodies. With u_a the positions of points and the directions in space, every joint is made of rows
 *
 *   g = constant + sum_a c_a . u_a + 1/2 sum_ab Q_ab u_a . u_b,
 *
 * and u_a depends on the coordinates of one body: (x, y, phi) in the plane, u = x + R(phi) a, or (x, e) in space with a
 * unit quaternion, u = x + e a conj(e). */
#ifndef STEPBENCH_PROBLEMS_SHARED_JOINTS_H
#define STEPBENCH_PROBLEMS_SHARED_JOINTS_H

#include <math.h>

#include "problems/shared/bodies.h"

enum { JOINTS_GROUND = -1, PLANAR_COORDINATES = 3, PLANAR_PHI = 2 };
enum { JOINT_VECTORS = 3, JOINT_SIZE = 2 * BODY_COORDINATES };

typedef struct joints_body {
    bool planar;
    body rigid; /* in the plane J[0] is the moment of inertia */
    int at;     /* where its coordinates begin */
} joints_body;

/* A point fixed in a body, or a direction; of the ground: fixed in space. */
typedef struct joint_vector {
    int body;
    bool point;
    sb_scalar a[3];
} joint_vector;

/* The length of a body's quaternion, (e.e - 1)/2 = 0, or the form above. */
typedef enum joint_kind { JOINT_FORM, JOINT_UNIT } joint_kind;

/* A scalar function of at most two bodies' coordinates, the `count` ones at `coordinate`. */
typedef struct joint_row {
    joint_kind kind;
    int vectors;
    joint_vector u[JOINT_VECTORS];
    sb_scalar constant, c[JOINT_VECTORS][3], Q[JOINT_VECTORS][JOINT_VECTORS];
    int count, coordinate[JOINT_SIZE];
    int from[JOINT_VECTORS];          /* where the coordinates of u_a's body begin among them */
    int at_G[JOINT_SIZE];             /* the gradient's entries on G; -1: always 0 */
    int at_H[JOINT_SIZE][JOINT_SIZE]; /* the second derivatives' entries on H; -1: always 0 */
} joint_row;

/* A spring V = k (L - length)^2/2 with a damper -c L' between two points at the distance L; `row` is L^2/2. */
typedef struct joint_spring {
    joint_row row;
    sb_scalar k, length, c;
} joint_spring;

typedef struct joints {
    int nbodies, nrows, nsprings, napplied, n;
    joints_body *body;
    joint_row *row;
    joint_spring *spring;
    joint_row *applied; /* functions along whose gradients forces act, shared/joints_applied.h */
    sb_scalar gravity[3];
    int (*at_body)[BODY_NNZ]; /* where a spatial body's entries of M sit on H */
    int *at_M;                /* where a body's entries begin on M */
    sb_pattern H;
} joints;

/* Returns the number of coordinates of body b; 0 for the ground. */
int joints_coordinates(const joints *p, int b);

/* Sets u and its derivatives J in its body's coordinates. */
void joint_vector_at(const joints *p, const joint_vector *u, const sb_scalar *q, sb_scalar out[3],
                     sb_scalar J[3][BODY_COORDINATES]);

/* Returns the value of a row; sets its gradient d and second derivatives X in its coordinates, which may be NULL. */
sb_scalar joint_row_at(const joints *p, const joint_row *r, const sb_scalar *q, sb_scalar d[JOINT_SIZE],
                       sb_scalar X[JOINT_SIZE][JOINT_SIZE]);

/* Adds c X to the values on H. */
void joint_row_add(const joint_row *r, sb_scalar c, sb_scalar X[JOINT_SIZE][JOINT_SIZE], sb_scalar *Hx);

/* Terms of a system: the forces of the dampers, and the constraints. */
int joints_force(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *f);
int joints_force_jacobian(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar cq,
                          sb_scalar cv, sb_scalar *Hx);
int joints_value(const void *self, const sb_scalar *q, sb_scalar *g, sb_scalar *Gx);
int joints_hessian(const void *self, const sb_scalar *q, const sb_scalar *w, sb_scalar c, sb_scalar *Hx);
int joints_curvature(const void *self, const sb_scalar *q, const sb_scalar *v, sb_scalar *out);

/* Sets inertia, potential, force and holonomic constraints, whose degree is given, on these patterns and p->H. */
void joints_set_terms(const joints *p, sb_pattern M, sb_pattern G, int degree, sb_system *out);

#endif
