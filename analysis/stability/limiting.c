/* Finds the part of a mechanism that a mode strains most. */
#include "analysis/stability/limiting.h"

#include <string.h>

#include <cblas.h>

#include <stepbench/numerics/quaternion.h>

#include "core/base/text.h"

/* The poses, and the twists of the real and the imaginary part of a mode. */
typedef struct shape {
    const sb_world *world;
    sb_world_parts parts;
    sb_scalar *pose, *twist;
} shape;

/* Sets the attitude and the angular velocity of a body; those of the ground are 1 and 0. */
static void turning_of(const shape *s, int b, double e[4], double w[3]) {
    sb_quaternion_unit(0, e);
    memset(w, 0, 3 * sizeof *w);
    if (b == SB_GROUND) {
        return;
    }
    const sb_scalar *pose = s->pose + sb_world_pose(s->world) * b, *twist = s->twist + sb_world_twist(s->world) * b;
    if (s->world->dimension == 3) {
        memcpy(e, pose + 3, 4 * sizeof *e);
        memcpy(w, twist + 3, 3 * sizeof *w);
    } else {
        e[0] = cos(0.5 * pose[2]);
        e[3] = sin(0.5 * pose[2]);
        w[2] = twist[2];
    }
}

/* Sets the position and the velocity of a point of a body. */
static void point_of(const shape *s, int b, const sb_scalar local[3], double x[3], double u[3]) {
    const int dimension = s->world->dimension;
    double e[4], w[3];
    turning_of(s, b, e, w);
    sb_quaternion_rotate(e, e, local, x);
    sb_cross(w, x, u);
    for (int k = 0; k < dimension && b != SB_GROUND; k++) {
        x[k] += s->pose[sb_world_pose(s->world) * b + k];
        u[k] += s->twist[sb_world_twist(s->world) * b + k];
    }
}

/* Returns the angle of a body in the plane. */
static double angle_of(const shape *s, int b) {
    return b == SB_GROUND ? 0.0 : s->pose[sb_world_pose(s->world) * b + 2];
}

/* Returns the rate of the length, angle or displacement of a part, and sets *measure to the angle or displacement. */
static double rate_of(const shape *s, const sb_world_part *part, double *measure) {
    static const double z[3] = {0.0, 0.0, 1.0};
    double x[2][3], u[2][3], e[2][4], w[2][3], r[2][3], axis[3], normal[3], rate = 0.0, square = 0.0, along = 0.0;
    for (int k = 0; k < 2; k++) {
        point_of(s, part->body[k], part->point[k], x[k], u[k]);
        turning_of(s, part->body[k], e[k], w[k]);
    }
    const bool turns = part->kind == SB_REVOLUTE;
    sb_quaternion_rotate(e[0], e[0], turns && s->world->dimension == 2 ? z : part->axis[0], axis);
    for (int k = 0; k < 3; k++) {
        axis[k] = part->kind == SB_SPRING ? x[1][k] - x[0][k] : axis[k];
        rate += axis[k] * (turns ? w[1][k] - w[0][k] : u[1][k] - u[0][k]);
        square += axis[k] * axis[k];
        along += axis[k] * (x[1][k] - x[0][k]);
    }
    *measure = along;
    if (turns && s->world->dimension == 2) {
        *measure = angle_of(s, part->body[1]) - angle_of(s, part->body[0]);
    } else if (turns && part->drive != NULL) {
        for (int k = 0; k < 2; k++) {
            sb_quaternion_rotate(e[k], e[k], part->drive->reference[k], r[k]);
        }
        sb_cross(r[0], r[1], normal);
        *measure = atan2(cblas_ddot(3, axis, 1, normal, 1), cblas_ddot(3, r[0], 1, r[1], 1));
    }
    return square > 0.0 ? rate / sqrt(square) : 0.0;
}

/* Returns the stiffness of a part plus its damping times the speed of the mode; beyond a limit with those of the limit.
 */
static double strength(const sb_world_part *part, double measure, double speed) {
    const sb_world_drive *d = part->drive;
    if (part->kind == SB_SPRING || d == NULL) {
        return part->kind == SB_SPRING ? part->stiffness + part->damping * speed : 0.0;
    }
    const bool beyond = measure < d->limit[0] || measure > d->limit[1];
    return d->stiffness + d->damping * speed + (beyond ? d->limit_stiffness + d->limit_damping * speed : 0.0);
}

/* Returns the name of a part: its place in its list, its bodies and its own name. */
static const char *name_of(sb_arena *arena, const sb_world_parts *parts, int number) {
    const sb_world_part *part = &parts->part[number];
    const bool spring = part->kind == SB_SPRING;
    const char *body[2];
    int place = 0;
    for (int k = 0; k < number; k++) {
        place += (parts->part[k].kind == SB_SPRING) == spring && parts->part[k].kind <= SB_SPRING;
    }
    for (int s = 0; s < 2; s++) {
        body[s] = part->body[s] == SB_GROUND ? "ground" : parts->body[part->body[s]].name;
    }
    return sb_asprintf(arena, "%s[%d] %s-%s%s%s", spring ? "springs" : "joints", place, body[0], body[1],
                       part->name != NULL ? " " : "", part->name != NULL ? part->name : "");
}

/* Returns |lambda|^2 u' M u of the fastest mode. */
static double kinetic(const sb_linear_motion *motion, double speed) {
    double complex sum = 0.0;
    for (int i = 0; i < motion->k; i++) {
        for (int j = 0; j < motion->k; j++) {
            sum += conj(motion->modes[i]) * motion->M[i + motion->k * j] * motion->modes[j];
        }
    }
    return speed * speed * creal(sum);
}

int sb_limiting_part(sb_arena *arena, const sb_linear_motion *motion, const double *q, const char **name) {
    const sb_system *sys = motion->sys;
    shape s = {.world = sys->world};
    double *u, *share, most = 0.0;
    int found = -1;
    *name = "";
    if (sys->world == NULL || motion->count == 0) {
        return SB_OK;
    }
    const double speed = cabs(motion->lambda[0]);
    SB_TRY(s.world->describe(s.world->self, arena, &s.parts));
    SB_TRY(SB_VECTORS(arena, s.world->bodies * SB_POSE_MAX, &s.pose, &s.twist));
    SB_TRY(SB_VECTORS(arena, sys->n, &u));
    SB_TRY(SB_VECTORS(arena, s.parts.parts, &share));
    for (int part = 0; part < 2; part++) {
        for (int a = 0; a < sys->n; a++) {
            double complex sum = 0.0;
            for (int j = 0; j < motion->k; j++) {
                sum += motion->X[(size_t)j * (size_t)sys->n + (size_t)a] * motion->modes[j];
            }
            u[a] = part == 0 ? creal(sum) : cimag(sum);
        }
        SB_TRY(s.world->place(s.world->self, q, u, s.pose, s.twist));
        for (int k = 0; k < s.parts.parts; k++) {
            double measure;
            const double rate = rate_of(&s, &s.parts.part[k], &measure);
            share[k] += strength(&s.parts.part[k], measure, speed) * rate * rate;
        }
    }
    for (int k = 0; k < s.parts.parts; k++) {
        found = share[k] > most ? k : found;
        most = fmax(most, share[k]);
    }
    if (found >= 0 && most >= 0.25 * kinetic(motion, speed)) {
        *name = name_of(arena, &s.parts, found);
    }
    return *name != NULL ? SB_OK : SB_NO_MEMORY;
}
