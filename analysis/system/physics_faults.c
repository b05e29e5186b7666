/* Names faults of a stepper's motion that are no parameter of the mechanism: bodies that jump in a tiny step, as those
 * do whose attitudes or angular velocities are in another convention, or whose joints hold other points; another
 * direction of gravity; and another order of the moments of inertia. */
#include "analysis/system/physics_faults.h"

#include <stepbench/numerics/norm.h>
#include <stepbench/numerics/quaternion.h>

#include "core/base/text.h"

/* ---- Jumps. ---- */

/* Returns the largest component of b - sign a. */
static double distance(int count, const sb_scalar *a, const sb_scalar *b, double sign) {
    double most = 0.0;
    for (int i = 0; i < count; i++) {
        most = sb_larger(most, fabs(b[i] - sign * a[i]));
    }
    return most;
}

/* Returns whether two unit quaternions are one attitude, but for what a tiny step changes. */
static bool is_attitude(const sb_scalar a[4], const sb_scalar *b) {
    return fmin(distance(4, a, b, 1.0), distance(4, a, b, -1.0)) < 0.01;
}

/* Returns what of a body has jumped from the pose x and the twist u. */
static const char *describe(int dimension, double size, const sb_scalar *x, const sb_scalar *u, const sb_scalar *pose,
                            const sb_scalar *twist) {
    const sb_scalar *e = x + 3, *w = u + 3;
    if (distance(dimension, x, pose, 1.0) > 0.001 * size) {
        return "the centre of";
    }
    if (dimension == 2) {
        return fabs(pose[2] - x[2]) > 0.001 ? "the angle of" : "the velocity of";
    }
    const sb_scalar last[4] = {e[1], e[2], e[3], e[0]}, back[4] = {e[0], -e[1], -e[2], -e[3]};
    sb_scalar local[3];
    sb_quaternion_rotate(back, back, w, local);
    if (!is_attitude(e, pose + 3)) {
        return is_attitude(last, pose + 3)   ? "the quaternion, which has its scalar last, of"
               : is_attitude(back, pose + 3) ? "the quaternion, which turns from space to the body, of"
                                             : "the attitude of";
    }
    return distance(3, local, twist + 3, 1.0) < 0.2 * distance(3, w, twist + 3, 1.0)
               ? "the angular velocity, which is in the body's axes, of"
               : "the velocity of";
}

int sb_physics_find_jump(sb_arena *arena, const sb_physics_terms *terms, double size, double speed,
                         const sb_physics_end *whole, const sb_physics_end *quarter, const char **out) {
    const int poses = sb_world_pose(terms->world), twists = sb_world_twist(terms->world), bodies = terms->world->bodies;
    speed = sb_larger(speed, sb_norm_max(bodies * twists, terms->twist));
    for (int b = 0; b < bodies; b++) {
        const sb_scalar *x = terms->pose + poses * b, *u = terms->twist + twists * b;
        const double moved = distance(poses, x, quarter->pose + poses * b, 1.0),
                     faster = distance(twists, u, quarter->twist + twists * b, 1.0);
        /* a motion changes four times as much in the whole step, a jump equally */
        const bool jumps =
            (moved > 0.001 * fmin(1.0, size) && distance(poses, x, whole->pose + poses * b, 1.0) < 2.0 * moved) ||
            (faster > 0.05 * speed && distance(twists, u, whole->twist + twists * b, 1.0) < 2.0 * faster);
        if (jumps) {
            SB_PRINT(
                arena, *out, "%s body %d (%s) jumps in a tiny step",
                describe(terms->world->dimension, size, x, u, quarter->pose + poses * b, quarter->twist + twists * b),
                b + 1, terms->parts.body[b].name);
            return SB_OK;
        }
    }
    return SB_OK;
}

/* ---- Gravity. ---- */

/* By Gram and Schmidt. */
double sb_physics_fit_gravity(const sb_physics_terms *terms, int equations, const double *violation,
                              const double *scale, double change[3]) {
    const int dimension = terms->world->dimension;
    double axis[3][SB_PHYSICS_EQUATIONS], rest[SB_PHYSICS_EQUATIONS], R[3][3] = {{0.0}}, largest = 0.0;
    for (int i = 0; i < equations; i++) {
        const double s = scale[i] > 0.0 ? 1.0 / scale[i] : 0.0;
        rest[i] = -s * violation[i];
        for (int k = 0; k < dimension; k++) {
            axis[k][i] = s * terms->fall[k][i];
        }
    }
    for (int k = 0; k < dimension; k++) {
        largest = fmax(largest, sqrt(sb_dot(equations, axis[k], axis[k])));
    }
    for (int k = 0; k < dimension; k++) {
        for (int j = 0; j < k; j++) {
            R[j][k] = sb_dot(equations, axis[j], axis[k]);
            sb_axpy(equations, -R[j][k], axis[j], axis[k]);
        }
        R[k][k] = sqrt(sb_dot(equations, axis[k], axis[k]));
        R[k][k] = R[k][k] > 1e-6 * largest ? R[k][k] : INFINITY; /* no motion that the joints allow distinguishes it */
        for (int i = 0; i < equations; i++) {
            axis[k][i] /= R[k][k];
        }
        change[k] = sb_dot(equations, axis[k], rest);
        sb_axpy(equations, -change[k], axis[k], rest);
    }
    for (int k = dimension - 1; k >= 0; k--) {
        for (int j = k + 1; j < dimension; j++) {
            change[k] -= R[k][j] * change[j];
        }
        change[k] /= R[k][k];
    }
    return sqrt(sb_dot(equations, rest, rest) / equations);
}

int sb_physics_find_gravity(sb_arena *arena, const sb_physics_terms *terms, int equations, const double *violation,
                            const double *scale, double most, const char **out) {
    const char *theirs = "", *ours = "";
    double change[3];
    if (!(sb_physics_fit_gravity(terms, equations, violation, scale, change) <= most)) {
        return SB_OK;
    }
    for (int k = 0; k < terms->world->dimension; k++) {
        const double g = terms->parts.gravity[k];
        SB_PRINT(arena, theirs, "%s%s%.3g", theirs, k > 0 ? ", " : "", g + change[k]);
        SB_PRINT(arena, ours, "%s%s%.3g", ours, k > 0 ? ", " : "", g);
    }
    SB_PRINT(arena, *out, "gravity is (%s) m/s^2 in place of (%s) m/s^2", theirs, ours);
    return SB_OK;
}

/* ---- Moments of inertia. ---- */

void sb_physics_find_order(const sb_physics_terms *terms, int equations, const double *violation, const double *scale,
                           double most, const char **out) {
    static const int orders[][3] = {{1, 0, 2}, {0, 2, 1}, {2, 1, 0}, {1, 2, 0}, {2, 0, 1}};
    static const char *const sentences[] = {
        "the moments of inertia are in the order y, x, z", "the moments of inertia are in the order x, z, y",
        "the moments of inertia are in the order z, y, x", "the moments of inertia are in the order y, z, x",
        "the moments of inertia are in the order z, x, y"};
    for (int o = 0; o < 5 && *out == NULL; o++) {
        double left = 0.0;
        for (int i = 0; i < equations; i++) {
            double r = violation[i];
            for (int b = 0; b < terms->parts.bodies; b++) {
                const sb_scalar *J = terms->parts.body[b].inertia;
                const sb_physics_parameter *moment = &terms->parameters[SB_PHYSICS_DRAG + 2 + 4 * b];
                for (int k = 0; k < 3; k++) {
                    r += J[k] > 0.0 ? (double)(J[orders[o][k]] / J[k] - 1.0) * moment[k].term[i] : 0.0;
                }
            }
            left += scale[i] > 0.0 ? r * r / (scale[i] * scale[i] * equations) : 0.0;
        }
        *out = sqrt(left) <= most ? sentences[o] : NULL;
    }
}
