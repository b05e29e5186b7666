/* Reads what moves a mechanism in time, drivers and forces, from a JSON description. */
#ifndef STEPBENCH_PROBLEMS_SHARED_MECHANISM_MOVED_H
#define STEPBENCH_PROBLEMS_SHARED_MECHANISM_MOVED_H

#include "problems/shared/mechanism_file.h"

/* Reads a motion: numbers of problems/shared/motion.h, and a table, whose path is relative to the description's. */
static inline int read_motion(const node *of, const char *key, motion *out) {
    const node at = node_member(of, key), table = node_member(&at, "table");
    const char *from = of->from->file, *slash = strrchr(from, '/'), *path;
    char *joined;
    if (!json_is_object(at.value)) {
        return NODE_FAIL(&at, "an object {\"rate\": ...} is needed");
    }
    SB_TRY(node_keys(&at, "offset|rate|amplitude|frequency|phase|table"));
    SB_TRY(node_number(&at, "offset", -INFINITY, 0.0, &out->offset));
    SB_TRY(node_number(&at, "rate", -INFINITY, 0.0, &out->rate));
    SB_TRY(node_number(&at, "amplitude", -INFINITY, 0.0, &out->amplitude));
    SB_TRY(node_number(&at, "frequency", -INFINITY, 0.0, &out->frequency));
    SB_TRY(node_number(&at, "phase", -INFINITY, 0.0, &out->phase));
    if (table.value == NULL) {
        return SB_OK;
    }
    SB_TRY(node_word(&at, "table", &path));
    SB_PRINT(of->from->arena, joined, "%.*s%s", path[0] != '/' && slash != NULL ? (int)(slash - from + 1) : 0, from,
             path);
    return spline_read(of->from->ctx, of->from->arena, joined, &out->table);
}

/* Reads an axis and scales it to length 1. */
static inline int read_axis(const node *at, const crank *p, sb_scalar axis[3]) {
    const node direction = node_member(at, "axis");
    SB_TRY(node_vector(at, "axis", true, p->dimension, axis));
    const sb_scalar length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    if (!(length > 0.0)) {
        return NODE_FAIL(&direction, "an axis of length 0 has no direction");
    }
    for (int k = 0; k < 3; k++) {
        axis[k] /= length;
    }
    return SB_OK;
}

/* Returns the row of the second point's displacement from the first along an axis of the first body. */
static inline joint_row displacement(const joint_vector points[2], const sb_scalar axis[3]) {
    return joints_sliding((joint_vector){.body = points[0].body, .a = {axis[0], axis[1], axis[2]}}, points[0],
                          points[1]);
}

/* Reads a driver of a position: the angle, the displacement or the distance of two bodies. */
static inline int read_driven(const node *at, crank *p) {
    driven *d = &p->driven.driven[p->driven.count++];
    joint_vector points[2], axes[2], across[2];
    sb_scalar axis[3] = {0.0};
    if (node_member(at, "angle").value != NULL) {
        d->kind = DRIVEN_ANGLE;
        SB_TRY(node_keys(at, p->dimension == 2 ? "bodies|angle" : "bodies|axes|angle"));
        SB_TRY(read_pair(at, p, points));
        across[0] = across[1] = (joint_vector){.body = points[0].body};
        across[0].a[0] = across[1].a[1] = 1.0;
        if (p->dimension == 3) {
            SB_TRY(read_axes(at, p, points, axes));
            set_across(&axes[0], across);
        }
        memcpy(d->e1, across[0].a, sizeof d->e1);
        memcpy(d->e2, across[1].a, sizeof d->e2);
        const joint_vector follows = p->dimension == 2 ? (joint_vector){.body = points[1].body, .a = {1.0, 0.0, 0.0}}
                                                       : moved(p, &across[0], points[1].body);
        SB_TRY(read_motion(at, "angle", &d->motion));
        driven_add(p->joints, d, joints_perpendicular(across[0], follows));
        return SB_OK;
    }
    SB_TRY(read_points(at, p, points));
    if (node_member(at, "distance").value != NULL) {
        d->kind = DRIVEN_DISTANCE;
        SB_TRY(node_keys(at, "bodies|points|distance"));
        SB_TRY(read_motion(at, "distance", &d->motion));
        driven_add(p->joints, d, joints_distance(points[0], points[1], 0.0));
        return SB_OK;
    }
    d->kind = DRIVEN_DISPLACEMENT;
    SB_TRY(node_keys(at, "bodies|points|axis|displacement"));
    SB_TRY(read_axis(at, p, axis));
    SB_TRY(read_motion(at, "displacement", &d->motion));
    driven_add(p->joints, d, displacement(points, axis));
    return SB_OK;
}

/* Reads a driver of either kind. */
static inline int read_driver(const node *at, crank *p) {
    const char *const positions[] = {"angle", "displacement", "distance"};
    for (int k = 0; k < 3; k++) {
        if (node_member(at, positions[k]).value != NULL) {
            return read_driven(at, p);
        }
    }
    driver *d = &p->driver[p->ndrivers++];
    const node turned = node_member(at, "body");
    SB_TRY(node_keys(at, p->dimension == 2 ? "body|rate" : "body|rate|axis"));
    SB_TRY(read_body(&turned, p, false, &d->body));
    SB_TRY(node_number(at, "rate", -INFINITY, NAN, &d->rate));
    return p->dimension == 2 ? SB_OK : node_vector(at, "axis", true, 3, d->axis);
}

/* Reads a torque on a body, or a force between two bodies. */
static inline int read_force(const node *at, crank *p) {
    applied *a = &p->applied.list[p->applied.count++];
    joint_vector points[2];
    if (node_member(at, "torque").value != NULL) {
        const node turned = node_member(at, "body");
        SB_TRY(node_keys(at, p->dimension == 2 ? "body|torque" : "body|axis|torque"));
        SB_TRY(read_body(&turned, p, false, &a->body));
        SB_TRY(p->dimension == 3 ? read_axis(at, p, a->axis) : SB_OK);
        return read_motion(at, "torque", &a->size);
    }
    SB_TRY(node_keys(at, "bodies|point|axis|force"));
    SB_TRY(read_pair(at, p, points));
    SB_TRY(node_vector(at, "point", true, p->dimension, points[1].a));
    SB_TRY(read_axis(at, p, a->axis));
    a->row = &p->joints->applied[p->joints->napplied];
    p->joints->applied[p->joints->napplied++] = displacement(points, a->axis);
    return read_motion(at, "force", &a->size);
}

#endif
