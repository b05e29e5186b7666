/* Forces and torques of joints and drivers, from the multipliers of their rows. */
#include "core/base/text.h"
#include "problems/shared/joints.h"

/* Adds c times a gradient in the coordinates of a row to the generalized force Q of body b. */
static void add_gradient(const joints *p, const joint_row *r, sb_scalar c, const sb_scalar *d, int b, sb_scalar *Q) {
    for (int j = 0; j < r->count; j++) {
        const int k = r->coordinate[j] - p->body[b].at;
        if (k >= 0 && k < sb_joints_coordinates(p, b)) {
            Q[k] += c * d[j];
        }
    }
}

/* Adds the generalized force of a reaction on body b: lambda g_q, and that of what acts in the joint. */
static void add_force(const joints *p, const joint_reaction *of, int b, sb_scalar t, const sb_scalar *q,
                      const sb_scalar *v, const sb_scalar *lambda, sb_scalar *Q) {
    sb_scalar d[JOINT_SIZE];
    joint_row moved;
    for (int i = of->row; i < of->row + of->rows; i++) {
        const joint_row *r = sb_joint_row_now(&p->row[i], t, &moved);
        sb_joint_row_at(p, r, q, d, NULL);
        add_gradient(p, r, lambda[i], d, b, Q);
    }
    for (int k = 0; k < 2 && of->sum >= 0; k++) {
        const joint_sum *sum = p->sum[of->sum];
        sb_joint_measure_at(p, &sum->y[k], q, d, NULL);
        add_gradient(p, &sum->y[k].row[0], lambda[p->nrows + of->sum] * sum->factor[k], d, b, Q);
    }
    for (int k = of->driver; k < of->driver + of->drivers; k++) {
        if (p->driver[k].body == b) {
            sb_scalar row[BODY_COORDINATES];
            sb_joint_driver_row(p, &p->driver[k], q, row);
            for (int j = 0; j < sb_joints_coordinates(p, b); j++) {
                Q[j] += lambda[p->nrows + p->nsums + k] * row[j];
            }
        }
    }
    if (of->drive != NULL) {
        const sb_scalar effort = sb_joint_drive_effort(p, of->drive, t, q, v, d);
        add_gradient(p, &of->drive->y.row[0], effort, d, b, Q);
    }
}

/* Sets the force and the torque about `point` of a generalized force Q on body b. In space the torque about the centre
 * along the axis u is Q . (0, u) e/2. */
static void resolve(const joints *p, int b, const joint_vector *point, const sb_scalar *q, const sb_scalar *Q,
                    sb_scalar force[3], sb_scalar torque[3]) {
    const bool planar = p->body[b].planar;
    const sb_scalar *x = q + p->body[b].at;
    sb_scalar at[3], arm[3] = {0.0}, moment[3];
    sb_joint_vector_at(p, point, q, at, NULL);
    memset(torque, 0, 3 * sizeof *torque);
    memset(force, 0, 3 * sizeof *force);
    for (int k = 0; k < (planar ? 2 : 3); k++) {
        force[k] = Q[k];
        arm[k] = at[k] - x[k];
    }
    for (int k = 0; k < 3 && !planar; k++) {
        sb_scalar unit[4], turned[4];
        sb_quaternion_unit(1 + k, unit);
        sb_quaternion_product(unit, x + BODY_E, turned);
        for (int j = 0; j < 4; j++) {
            torque[k] += 0.5 * Q[BODY_E + j] * turned[j];
        }
    }
    torque[2] = planar ? Q[PLANAR_PHI] : torque[2];
    sb_cross(arm, force, moment);
    for (int k = 0; k < 3; k++) {
        torque[k] -= moment[k];
    }
}

static int reactions_at(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, const sb_scalar *lambda,
                        sb_scalar *out) {
    const joints *p = self;
    const bool planar = p->body[0].planar;
    for (const joint_reaction *of = p->reaction; of < p->reaction + p->nreactions; of++) {
        const bool second = of->body[1] != JOINTS_GROUND;
        const int b = of->body[second];
        sb_scalar Q[BODY_COORDINATES] = {0.0}, force[3], torque[3];
        add_force(p, of, b, t, q, v, lambda, Q);
        resolve(p, b, &of->point, q, Q, force, torque);
        for (int k = 0; k < (planar ? 2 : 3); k++) {
            *out++ = second ? force[k] : -force[k];
        }
        for (int k = planar ? 2 : 0; k < 3; k++) {
            *out++ = second ? torque[k] : -torque[k];
        }
    }
    return SB_OK;
}

int sb_joints_reactions(sb_arena *arena, const joints *p, sb_world *out) {
    static const char *const ending[] = {"fx", "fy", "torque"}, *const spatial[] = {"fx", "fy", "fz", "tx", "ty", "tz"};
    const bool planar = p->body[0].planar;
    const int per = planar ? 3 : 6;
    sb_output *list;
    SB_NEW(arena, list, per * p->nreactions);
    for (int i = 0; i < per * p->nreactions; i++) {
        const bool force = i % per < (planar ? 2 : 3);
        list[i] = (sb_output){.unit = force ? "N" : "N m",
                              .doc = force ? "force of a joint on its second body" : "its torque about the joint"};
        SB_PRINT(arena, list[i].name, "%s_%s", p->reaction[i / per].name, (planar ? ending : spatial)[i % per]);
    }
    out->reactions = per * p->nreactions;
    out->reaction = list;
    out->reactions_at = reactions_at;
    return SB_OK;
}
