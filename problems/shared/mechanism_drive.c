/* Reads what acts in a joint from a JSON file: springs, dampers, targets, torques and forces, limits, armature. */
#include "problems/shared/mechanism_file.h"

static const char *const keys[] = {"torque",   "force",  "stiffness", "damping",         "target",       "target_rate",
                                   "armature", "limits", "friction",  "limit_stiffness", "limit_damping"};

/* Returns the part of a vector that is perpendicular to a unit vector, with length 1. */
static joint_vector perpendicular_part(const joint_vector *axis, const sb_scalar x[3]) {
    const sb_scalar *a = axis->a, along = a[0] * x[0] + a[1] * x[1] + a[2] * x[2];
    joint_vector out = {.body = axis->body};
    sb_scalar square = 0.0;
    for (int k = 0; k < 3; k++) {
        out.a[k] = x[k] - along * a[k];
        square += out.a[k] * out.a[k];
    }
    for (int k = 0; k < 3; k++) {
        out.a[k] /= sqrt(square);
    }
    return out;
}

/* Sets the directions between which an angle in space is measured: those of the file, or else some that coincide at its
 * poses. */
static int read_references(const node *at, const mechanism *p, const joint_vector axes[2], sb_scalar reference[2][3]) {
    const node given = sb_node_member(at, "references");
    joint_vector across[2];
    sb_joints_across(&axes[0], across);
    across[1] = sb_mechanism_transferred(p, &across[0], axes[1].body);
    for (int s = 0; s < 2; s++) {
        memcpy(reference[s], across[s].a, sizeof reference[s]);
    }
    if (given.value == NULL) {
        return SB_OK;
    }
    SB_TRY(sb_node_two_vectors(at, "references", 3, reference));
    for (int s = 0; s < 2; s++) {
        const joint_vector across_axis = perpendicular_part(&axes[s], reference[s]);
        if (!isfinite(across_axis.a[0])) {
            const node wrong = sb_node_item(&given, s);
            return NODE_FAIL(&wrong, "a direction that is not the axis is needed");
        }
        memcpy(reference[s], across_axis.a, sizeof reference[s]);
    }
    return SB_OK;
}

int sb_mechanism_measure(const node *at, const mechanism *p, int part, joint_measure *out) {
    const sb_world_part *of = &p->joints->part[part];
    joint_vector points[2], axes[2], across[2];
    for (int s = 0; s < 2; s++) {
        points[s] = axes[s] = (joint_vector){.body = of->body[s]};
        points[s].point = true;
        memcpy(points[s].a, of->point[s], sizeof points[s].a);
        memcpy(axes[s].a, of->axis[s], sizeof axes[s].a);
    }
    if (of->kind == SB_PRISMATIC) {
        *out = sb_joints_displacement(axes[0].a, points);
    } else if (of->kind != SB_REVOLUTE) {
        return NODE_FAIL(at, "a revolute or prismatic joint is needed");
    } else if (p->dimension == 2) {
        *out = sb_joints_turn(of->body[0], of->body[1]);
    } else {
        across[0] = perpendicular_part(&axes[0], of->drive->reference[0]);
        across[1] = (joint_vector){.body = of->body[0]};
        for (int k = 0; k < 3; k++) {
            const int l = (k + 1) % 3, m = (k + 2) % 3;
            across[1].a[k] = axes[0].a[l] * across[0].a[m] - axes[0].a[m] * across[0].a[l];
        }
        *out = sb_joints_angle(across, perpendicular_part(&axes[1], of->drive->reference[1]));
    }
    return SB_OK;
}

/* Reads the numbers of a drive. */
static int read_numbers(const node *at, joint_drive *d) {
    const node limits = sb_node_member(at, "limits");
    SB_TRY(sb_node_number(at, "stiffness", -SB_EPSILON, 0.0, &d->k));
    SB_TRY(sb_node_number(at, "damping", -SB_EPSILON, 0.0, &d->c));
    SB_TRY(sb_node_number(at, "armature", -SB_EPSILON, 0.0, &d->armature));
    SB_TRY(sb_node_number(at, "friction", -SB_EPSILON, 0.0, &d->friction));
    SB_TRY(sb_node_vector(at, "limits", false, 2, d->limit));
    SB_TRY(sb_node_number(at, "limit_stiffness", 0.0, limits.value != NULL ? NAN : 0.0, &d->k_limit));
    SB_TRY(sb_node_number(at, "limit_damping", -SB_EPSILON, 0.0, &d->c_limit));
    return limits.value == NULL || d->limit[0] < d->limit[1]
               ? SB_OK
               : NODE_FAIL(&limits, "the lower limit, %g, must be below the upper one, %g", (double)d->limit[0],
                           (double)d->limit[1]);
}

/* Fails where the inertia of a displacement would depend on the rotation of its first body. */
static int check_armature(const node *at, const sb_world_part *part, const joint_drive *d) {
    const node armature = sb_node_member(at, "armature");
    return d->armature == 0.0 || part->kind == SB_REVOLUTE || part->body[0] == SB_GROUND || part->body[1] == SB_GROUND
               ? SB_OK
               : NODE_FAIL(&armature, "the armature of a displacement needs the ground as one of the bodies; give the "
                                      "inertia to a body");
}

/* The tables and motions of the world are those of the drive. */
static void describe(const joint_drive *d, sb_world_drive *out) {
    out->stiffness = d->k;
    out->damping = d->c;
    out->armature = d->armature;
    out->friction = d->friction;
    memcpy(out->limit, d->limit, sizeof d->limit);
    out->limit_stiffness = d->k_limit;
    out->limit_damping = d->c_limit;
    out->target = sb_joints_motion(&d->target);
    out->target_rate = sb_joints_motion(&d->rate);
    out->effort = sb_joints_motion(&d->force);
}

int sb_mechanism_read_drive(const node *at, mechanism *p, int number) {
    sb_world_part *part = &p->joints->part[number];
    const struct {
        const char *key;
        bool position;
        size_t offset;
    } motions[] = {{"target", true, offsetof(joint_drive, target)},
                   {"target_rate", false, offsetof(joint_drive, rate)},
                   {part->kind == SB_REVOLUTE ? "torque" : "force", false, offsetof(joint_drive, force)}};
    sb_world_drive *drive;
    joint_drive *d;
    joint_measure y;
    bool acts = false;
    SB_NEW(at->from->arena, drive, 1);
    part->drive = drive;
    if (p->dimension == 3 && part->kind == SB_REVOLUTE) {
        joint_vector axes[2];
        for (int s = 0; s < 2; s++) {
            axes[s] = (joint_vector){.body = part->body[s]};
            memcpy(axes[s].a, part->axis[s], sizeof axes[s].a);
        }
        SB_TRY(read_references(at, p, axes, drive->reference));
    }
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        acts = acts || sb_node_member(at, keys[k]).value != NULL;
    }
    if (!acts) {
        return SB_OK;
    }
    SB_TRY(sb_mechanism_measure(at, p, number, &y));
    SB_TRY(sb_joints_add_drive(at->from->arena, p->joints, y, &d));
    memcpy(d->axis, part->axis, sizeof d->axis);
    SB_TRY(read_numbers(at, d));
    SB_TRY(check_armature(at, part, d));
    for (int k = 0; k < 3; k++) {
        if (sb_node_member(at, motions[k].key).value != NULL) {
            motion *of = (motion *)((char *)d + motions[k].offset);
            SB_TRY(sb_mechanism_read_motion(at, motions[k].key, motions[k].position, p, of));
        }
    }
    describe(d, drive);
    return SB_OK;
}
