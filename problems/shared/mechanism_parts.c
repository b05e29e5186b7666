/* Reads the springs, drivers and forces of a mechanism from a JSON file. */
#include "problems/shared/mechanism_file.h"

/* ---- Points and axes. ---- */

/* Reads two bodies; the points are their centres. */
static int read_pair(const node *at, const mechanism *p, joint_vector out[2]) {
    const node bodies = sb_node_member(at, "bodies");
    if (!json_is_array(bodies.value) || json_array_size(bodies.value) != 2) {
        return NODE_FAIL(bodies.value != NULL ? &bodies : at, "\"bodies\": [first, second] is needed");
    }
    for (int s = 0; s < 2; s++) {
        const node item = sb_node_item(&bodies, s);
        out[s] = (joint_vector){.point = true};
        SB_TRY(sb_mechanism_read_body(&item, p, true, &out[s].body));
    }
    return out[0].body != out[1].body ? SB_OK : NODE_FAIL(&bodies, "two different bodies are needed");
}

/* Reads two bodies and a point in each of them. */
int sb_mechanism_read_points(const node *at, const mechanism *p, joint_vector out[2]) {
    sb_scalar x[2][3] = {{0.0}};
    SB_TRY(read_pair(at, p, out));
    SB_TRY(sb_node_two_vectors(at, "points", p->dimension, x));
    for (int s = 0; s < 2; s++) {
        memcpy(out[s].a, x[s], sizeof x[s]);
    }
    return SB_OK;
}

/* Scales an axis, the value of a node, to length 1. */
static int normalize(const node *at, sb_scalar x[3]) {
    const sb_scalar length = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    for (int k = 0; k < 3; k++) {
        x[k] /= length;
    }
    return length > 0.0 ? SB_OK : NODE_FAIL(at, "an axis of length 0 has no direction");
}

/* Reads the axes of a joint, one direction in each body, as unit vectors. */
int sb_mechanism_read_axes(const node *at, const mechanism *p, const joint_vector points[2], joint_vector out[2]) {
    const node axes = sb_node_member(at, "axes");
    sb_scalar x[2][3] = {{0.0}};
    SB_TRY(sb_node_two_vectors(at, "axes", p->dimension, x));
    for (int s = 0; s < 2; s++) {
        const node item = sb_node_item(&axes, s);
        SB_TRY(normalize(&item, x[s]));
        out[s] = (joint_vector){.body = points[s].body, .a = {x[s][0], x[s][1], x[s][2]}};
    }
    return SB_OK;
}

/* Reads one axis as a unit vector. */
int sb_mechanism_read_axis(const node *at, const mechanism *p, sb_scalar axis[3]) {
    const node direction = sb_node_member(at, "axis");
    SB_TRY(sb_node_vector(at, "axis", true, p->dimension, axis));
    return normalize(&direction, axis);
}

/* Returns the direction fixed in another body that coincides with a given one at the start. */
joint_vector sb_mechanism_transferred(const mechanism *p, const joint_vector *u, int of) {
    sb_scalar x[3], y[3];
    joint_vector out = {.body = of};
    sb_joint_vector_at(p->joints, u, p->q0, x, NULL);
    for (int k = 0; k < 3; k++) {
        joint_vector unit = {.body = of};
        unit.a[k] = 1.0;
        sb_joint_vector_at(p->joints, &unit, p->q0, y, NULL);
        out.a[k] = x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
    }
    return out;
}

/* ---- Springs. ---- */

int sb_mechanism_read_spring(const node *at, mechanism *p) {
    joint_vector points[2];
    sb_scalar k, length, c;
    SB_TRY(sb_node_keys(at, "bodies|points|stiffness|length|damping"));
    SB_TRY(sb_mechanism_read_points(at, p, points));
    SB_TRY(sb_node_number(at, "stiffness", -SB_EPSILON, 0.0, &k));
    SB_TRY(sb_node_number(at, "length", -SB_EPSILON, 0.0, &length));
    SB_TRY(sb_node_number(at, "damping", -SB_EPSILON, 0.0, &c));
    return sb_joints_add_spring(at->from->arena, p->joints, points, k, length, c);
}

/* ---- Drivers and forces. ---- */

/* Reads the interpolation of a table; a position may have no linear one. */
static int read_interpolation(const node *of, bool position, time_table_kind *kind) {
    static const char *const words[] = {
        [TIME_TABLE_MONOTONE] = "monotone", [TIME_TABLE_LINEAR] = "linear", [TIME_TABLE_CUBIC] = "cubic"};
    const node at = sb_node_member(of, "interpolation");
    const char *word = "monotone";
    int k = 0;
    SB_TRY(at.value != NULL ? sb_node_word(of, "interpolation", &word) : SB_OK);
    while (k < 3 && strcmp(words[k], word) != 0) {
        k++;
    }
    *kind = (time_table_kind)k;
    return k == 3 ? NODE_FAIL(&at, "%s is no interpolation: monotone, linear or cubic", word)
           : position && *kind == TIME_TABLE_LINEAR
               ? NODE_FAIL(&at, "straight lines make the velocity of a driver jump; take monotone or cubic")
               : SB_OK;
}

/* Reads the table of a motion: a list of [t, value], or a CSV file, whose path is relative to that of the JSON file.
 * `name` stands for it in messages. */
static int read_table(const node *of, const node *table, time_table_kind kind, char **name, time_table *out) {
    sb_arena *arena = of->from->arena;
    const char *from = of->from->file, *slash = strrchr(from, '/'), *path;
    int count;
    if (!json_is_array(table->value)) {
        SB_TRY(sb_node_word(of, "table", &path));
        SB_PRINT(arena, *name, "%.*s%s", path[0] != '/' && slash != NULL ? (int)(slash - from + 1) : 0, from, path);
        return sb_time_table_read(of->from->ctx, arena, *name, kind, out);
    }
    SB_PRINT(arena, *name, "its table");
    SB_TRY(sb_node_count(table, &count));
    if (count < 2) {
        return NODE_FAIL(table, "a table needs two lines [t, value] at least");
    }
    SB_TRY(sb_time_table_init(arena, count, kind, out));
    for (int i = 0; i < count; i++) {
        const node line = sb_node_item(table, i);
        sb_scalar pair[2];
        SB_TRY(sb_node_numbers(&line, 2, pair));
        out->x[i] = pair[0];
        out->y[i] = pair[1];
        out->count++;
        if (i > 0 && !(out->x[i] > out->x[i - 1])) {
            return NODE_FAIL(&line, "t = %g does not exceed the time of the line before, %g", (double)out->x[i],
                             (double)out->x[i - 1]);
        }
    }
    return sb_time_table_connect(arena, out);
}

/* Reads a motion, of a position or a force: numbers of shared/motion.h, and a table. */
int sb_mechanism_read_motion(const node *of, const char *key, bool position, mechanism *p, motion *out) {
    const node at = sb_node_member(of, key), table = sb_node_member(&at, "table");
    time_table_kind kind;
    char *name;
    if (!json_is_object(at.value)) {
        return NODE_FAIL(&at, "an object {\"rate\": ...} is needed");
    }
    SB_TRY(sb_node_keys(&at, "offset|rate|amplitude|frequency|phase|table|interpolation"));
    SB_TRY(sb_node_number(&at, "offset", -INFINITY, 0.0, &out->offset));
    SB_TRY(sb_node_number(&at, "rate", -INFINITY, 0.0, &out->rate));
    SB_TRY(sb_node_number(&at, "amplitude", -INFINITY, 0.0, &out->amplitude));
    SB_TRY(sb_node_number(&at, "frequency", -INFINITY, 0.0, &out->frequency));
    SB_TRY(sb_node_number(&at, "phase", -INFINITY, 0.0, &out->phase));
    if (table.value == NULL) {
        const node alone = sb_node_member(&at, "interpolation");
        return alone.value == NULL ? SB_OK : NODE_FAIL(&alone, "there is no \"table\" to interpolate");
    }
    SB_TRY(read_interpolation(&at, position, &kind));
    SB_TRY(read_table(&at, &table, kind, &name, &out->table));
    SB_TRY(sb_time_table_breaks(of->from->arena, &out->table, &p->breaks, &p->break_at));
    return sb_time_table_note(of->from->arena, at.path, name, &out->table, &p->note);
}

/* Sets the directions e1 and e2 of a driven angle, and its row. */
static int read_angle(const node *at, const mechanism *p, driven *d, joint_row *row, joint_vector points[2],
                      joint_vector axes[2]) {
    SB_TRY(sb_node_keys(at, p->dimension == 2 ? "name|bodies|angle" : "name|bodies|axes|angle"));
    SB_TRY(read_pair(at, p, points));
    joint_vector across[2] = {{.body = points[0].body, .a = {1.0}}, {.body = points[0].body, .a = {0.0, 1.0}}},
                 follows = {.body = points[1].body, .a = {1.0}};
    if (p->dimension == 3) {
        SB_TRY(sb_mechanism_read_axes(at, p, points, axes));
        sb_joints_across(&axes[0], across);
        follows = sb_mechanism_transferred(p, &across[0], points[1].body);
    }
    memcpy(d->e1, across[0].a, sizeof d->e1);
    memcpy(d->e2, across[1].a, sizeof d->e2);
    *row = sb_joints_perpendicular(across[0], follows);
    return SB_OK;
}

/* Reads the driver of a position whose `kind` is the key of its motion. */
static int read_driven(const node *at, const char *kind, mechanism *p) {
    driven *d;
    joint_vector points[2], axes[2] = {{.body = JOINTS_GROUND}};
    joint_row row;
    sb_world_kind driver = SB_DRIVEN_ANGLE;
    SB_NEW(at->from->arena, d, 1);
    if (strcmp(kind, "angle") == 0) {
        d->kind = DRIVEN_ANGLE;
        SB_TRY(read_angle(at, p, d, &row, points, axes));
    } else {
        SB_TRY(sb_mechanism_read_points(at, p, points));
        d->kind = strcmp(kind, "distance") == 0 ? DRIVEN_DISTANCE : DRIVEN_DISPLACEMENT;
        SB_TRY(sb_node_keys(at, d->kind == DRIVEN_DISTANCE ? "name|bodies|points|distance"
                                                           : "name|bodies|points|axis|displacement"));
        if (d->kind == DRIVEN_DISTANCE) {
            row = sb_joints_distance(points[0], points[1], 0.0);
            driver = SB_DRIVEN_DISTANCE;
        } else {
            sb_scalar axis[3] = {0.0};
            SB_TRY(sb_mechanism_read_axis(at, p, axis));
            row = sb_joints_displacement(axis, points).row[0];
            driver = SB_DRIVEN_DISPLACEMENT;
            memcpy(axes[0].a, axis, sizeof axis);
        }
    }
    SB_TRY(sb_mechanism_read_motion(at, kind, true, p, &d->motion));
    sb_joints_add(p->joints, sb_joints_driven(row, d));
    sb_joints_declare(p->joints, driver, points, axes);
    p->joints->part[p->joints->nparts - 1].motion = sb_joints_motion(&d->motion);
    return sb_mechanism_name_part(at, p);
}

/* Reads a driver of a position or of a velocity. */
int sb_mechanism_read_driver(const node *at, mechanism *p) {
    static const char *const positions[] = {"angle", "distance", "displacement"};
    for (int k = 0; k < 3; k++) {
        if (sb_node_member(at, positions[k]).value != NULL) {
            return read_driven(at, positions[k], p);
        }
    }
    joint_driver *d = &p->joints->driver[p->joints->ndrivers++];
    const node turned = sb_node_member(at, "body");
    SB_TRY(sb_node_keys(at, p->dimension == 2 ? "name|body|rate" : "name|body|rate|axis"));
    SB_TRY(sb_mechanism_read_body(&turned, p, false, &d->body));
    SB_TRY(sb_node_number(at, "rate", -INFINITY, NAN, &d->rate));
    return p->dimension == 2 ? SB_OK : sb_node_vector(at, "axis", true, 3, d->axis);
}

/* Reads a torque on a body. */
static int read_torque(const node *at, mechanism *p) {
    joint_torque *f = &p->joints->torque[p->joints->ntorques++];
    const node turned = sb_node_member(at, "body");
    SB_TRY(sb_node_keys(at, p->dimension == 2 ? "body|torque" : "body|axis|torque"));
    SB_TRY(sb_mechanism_read_body(&turned, p, false, &f->body));
    SB_TRY(p->dimension == 3 ? sb_mechanism_read_axis(at, p, f->axis) : SB_OK);
    return sb_mechanism_read_motion(at, "torque", false, p, &f->size);
}

/* Reads a torque on a body, or a force between two bodies. */
int sb_mechanism_read_force(const node *at, mechanism *p) {
    joint_vector points[2];
    joint_drive *d;
    sb_scalar axis[3] = {0.0};
    if (sb_node_member(at, "torque").value != NULL) {
        return read_torque(at, p);
    }
    SB_TRY(sb_node_keys(at, "bodies|point|axis|force"));
    SB_TRY(read_pair(at, p, points));
    SB_TRY(sb_node_vector(at, "point", true, p->dimension, points[1].a));
    SB_TRY(sb_mechanism_read_axis(at, p, axis));
    SB_TRY(sb_joints_add_drive(at->from->arena, p->joints, sb_joints_displacement(axis, points), &d));
    SB_TRY(sb_mechanism_read_motion(at, "force", false, p, &d->force));
    sb_joints_declare(p->joints, SB_FORCE, points, (joint_vector[2]){{.a = {axis[0], axis[1], axis[2]}}});
    p->joints->part[p->joints->nparts - 1].motion = sb_joints_motion(&d->force);
    return SB_OK;
}
