/* Reads the bodies, joints, springs and outputs of a mechanism from a JSON description. */
#ifndef STEPBENCH_PROBLEMS_SHARED_MECHANISM_FILE_H
#define STEPBENCH_PROBLEMS_SHARED_MECHANISM_FILE_H

#include "problems/shared/description.h"
#include "problems/shared/joints_applied.h"
#include "problems/shared/joints_driven.h"

/* A driver of a velocity: it turns a body about an axis of space at a rate. */
typedef struct driver {
    int body;
    sb_scalar axis[3], rate;
} driver;

typedef struct crank {
    joints *joints;
    int dimension, ndrivers, npoints;
    const char **names; /* of the bodies */
    driver *driver;
    driven_joints driven;
    applied_forces applied;
    joint_vector *point; /* outputs */
    sb_output *output;
    sb_scalar *q0, *v0; /* the start */
    bool *moves;        /* coordinates that its solve may change */
} crank;

/* ---- Bodies. ---- */

static inline int read_planar(const node *at, body *out, sb_scalar x[PLANAR_COORDINATES],
                              sb_scalar v[PLANAR_COORDINATES]) {
    SB_TRY(node_keys(at, "mass|inertia|position|angle|velocity|rate"));
    SB_TRY(node_number(at, "mass", 0.0, NAN, &out->m));
    SB_TRY(node_number(at, "inertia", 0.0, NAN, &out->J[0]));
    SB_TRY(node_vector(at, "position", false, 2, x));
    SB_TRY(node_vector(at, "velocity", false, 2, v));
    SB_TRY(node_number(at, "angle", -INFINITY, 0.0, &x[PLANAR_PHI]));
    return node_number(at, "rate", -INFINITY, 0.0, &v[PLANAR_PHI]);
}

static inline int read_spatial(const node *at, body *out, sb_scalar x[BODY_COORDINATES],
                               sb_scalar v[BODY_COORDINATES]) {
    const node inertia = node_member(at, "inertia"), attitude = node_member(at, "quaternion");
    sb_scalar rate[3] = {0.0}, square = 0.0;
    SB_TRY(node_keys(at, "mass|inertia|position|quaternion|velocity|rate"));
    SB_TRY(node_number(at, "mass", 0.0, NAN, &out->m));
    SB_TRY(node_numbers(&inertia, 3, out->J + 1));
    for (int k = 1; k < 4; k++) {
        if (!(out->J[k] > 0.0)) {
            const node wrong = node_item(&inertia, k - 1);
            return NODE_FAIL(&wrong, "%g is too small; take a number above 0", (double)out->J[k]);
        }
    }
    out->J[0] = (out->J[1] + out->J[2] + out->J[3]) / 3.0;
    x[BODY_E] = 1.0;
    SB_TRY(node_vector(at, "position", false, 3, x));
    SB_TRY(node_vector(at, "velocity", false, 3, v));
    SB_TRY(node_vector(at, "quaternion", false, 4, x + BODY_E));
    SB_TRY(node_vector(at, "rate", false, 3, rate));
    for (int j = 0; j < 4; j++) {
        square += x[BODY_E + j] * x[BODY_E + j];
    }
    if (!(square > 0.0)) {
        return NODE_FAIL(&attitude, "a quaternion that is not 0 is needed");
    }
    for (int j = 0; j < 4; j++) {
        x[BODY_E + j] /= sqrt(square);
    }
    body_set_turning(x, rate, v);
    return SB_OK;
}

static inline int read_bodies(const node *root, sb_arena *arena, crank *p) {
    const node at = node_member(root, "bodies");
    const char *name;
    json_t *value;
    if (!json_is_object(at.value) || json_object_size(at.value) == 0) {
        return NODE_FAIL(at.value != NULL ? &at : root,
                         "\"bodies\": {name: {...}, ...} with one body at least is needed");
    }
    const int bodies = (int)json_object_size(at.value);
    SB_NEW(arena, p->names, bodies);
    SB_NEW(arena, p->q0, BODY_COORDINATES * bodies);
    SB_NEW(arena, p->v0, BODY_COORDINATES * bodies);
    json_object_foreach((json_t *)at.value, name, value) {
        const node described = node_member(&at, name), inertia = node_member(&described, "inertia");
        const bool planar = json_is_number(inertia.value);
        joints_body made = {.planar = planar};
        if (!json_is_object(value)) {
            return NODE_FAIL(&described, "an object {...} is needed");
        }
        if (strcmp(name, "ground") == 0) {
            return NODE_FAIL(&described, "the name ground is reserved for the fixed frame; choose another one");
        }
        if (inertia.value == NULL || !(planar || json_is_array(inertia.value))) {
            return NODE_FAIL(inertia.value != NULL ? &inertia : &described,
                             "the inertia is needed: a number in the plane, or a list of 3 in space");
        }
        if (p->joints->nbodies > 0 && planar != (p->dimension == 2)) {
            return NODE_FAIL(&inertia, "this body is in %s, the first one in %s; take one kind",
                             planar ? "the plane" : "space", planar ? "space" : "the plane");
        }
        p->dimension = planar ? 2 : 3;
        SB_TRY(
            (planar ? read_planar : read_spatial)(&described, &made.rigid, p->q0 + p->joints->n, p->v0 + p->joints->n));
        p->names[joints_add_body(p->joints, made)] = name;
    }
    return SB_OK;
}

/* Reads the name of a body; "ground" where that is allowed. */
static inline int read_body(const node *at, const crank *p, bool ground, int *out) {
    const char *name = json_string_value(at->value);
    if (name == NULL) {
        return NODE_FAIL(at, "the name of a body in quotes is needed");
    }
    for (*out = 0; *out < p->joints->nbodies; ++*out) {
        if (strcmp(name, p->names[*out]) == 0) {
            return SB_OK;
        }
    }
    *out = JOINTS_GROUND;
    return ground && strcmp(name, "ground") == 0
               ? SB_OK
               : NODE_FAIL(at, "there is no body %s%s", name,
                           ground ? "; the others are under \"bodies\", and ground" : "");
}

/* ---- Joints. ---- */

/* Reads two bodies; the points are their centres. */
static inline int read_pair(const node *at, const crank *p, joint_vector out[2]) {
    const node bodies = node_member(at, "bodies");
    if (!json_is_array(bodies.value) || json_array_size(bodies.value) != 2) {
        return NODE_FAIL(bodies.value != NULL ? &bodies : at, "\"bodies\": [first, second] is needed");
    }
    for (int s = 0; s < 2; s++) {
        const node item = node_item(&bodies, s);
        out[s] = (joint_vector){.point = true};
        SB_TRY(read_body(&item, p, true, &out[s].body));
    }
    return out[0].body != out[1].body ? SB_OK : NODE_FAIL(&bodies, "two different bodies are needed");
}

/* What a joint or a spring joins: points in two bodies. */
static inline int read_points(const node *at, const crank *p, joint_vector out[2]) {
    sb_scalar x[2][3] = {{0.0}};
    SB_TRY(read_pair(at, p, out));
    SB_TRY(node_two_vectors(at, "points", p->dimension, x));
    for (int s = 0; s < 2; s++) {
        memcpy(out[s].a, x[s], sizeof x[s]);
    }
    return SB_OK;
}

/* Reads the axes of a joint, one direction in each body, as unit vectors. */
static inline int read_axes(const node *at, const crank *p, const joint_vector points[2], joint_vector out[2]) {
    const node axes = node_member(at, "axes");
    sb_scalar x[2][3] = {{0.0}};
    SB_TRY(node_two_vectors(at, "axes", p->dimension, x));
    for (int s = 0; s < 2; s++) {
        const sb_scalar length = sqrt(x[s][0] * x[s][0] + x[s][1] * x[s][1] + x[s][2] * x[s][2]);
        if (!(length > 0.0)) {
            const node item = node_item(&axes, s);
            return NODE_FAIL(&item, "an axis of length 0 has no direction");
        }
        out[s] = (joint_vector){.body = points[s].body, .a = {x[s][0] / length, x[s][1] / length, x[s][2] / length}};
    }
    return SB_OK;
}

/* Sets two directions of a body across another one, and across each other. */
static inline void set_across(const joint_vector *axis, joint_vector out[2]) {
    const sb_scalar *a = axis->a;
    const int least = fabs(a[0]) <= fabs(a[1]) && fabs(a[0]) <= fabs(a[2]) ? 0 : fabs(a[1]) <= fabs(a[2]) ? 1 : 2;
    const int i = (least + 1) % 3, j = (least + 2) % 3;
    const sb_scalar length = sqrt(a[i] * a[i] + a[j] * a[j]);
    out[0] = out[1] = (joint_vector){.body = axis->body};
    out[0].a[i] = -a[j] / length;
    out[0].a[j] = a[i] / length;
    for (int k = 0; k < 3; k++) {
        const int l = (k + 1) % 3, m = (k + 2) % 3;
        out[1].a[k] = a[l] * out[0].a[m] - a[m] * out[0].a[l];
    }
}

/* Returns a direction as it stands at the start, fixed in another body. */
static inline joint_vector moved(const crank *p, const joint_vector *u, int holder) {
    sb_scalar x[3], y[3], J[3][BODY_COORDINATES];
    joint_vector out = {.body = holder};
    joint_vector_at(p->joints, u, p->q0, x, J);
    for (int k = 0; k < 3; k++) {
        joint_vector unit = {.body = holder};
        unit.a[k] = 1.0;
        joint_vector_at(p->joints, &unit, p->q0, y, J);
        out.a[k] = x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
    }
    return out;
}

static inline void add_prismatic(crank *p, const joint_vector points[2], const joint_vector axes[2]) {
    if (p->dimension == 2) {
        const joint_vector across = {.body = axes[0].body, .a = {-axes[0].a[1], axes[0].a[0]}};
        joints_add_sliding(p->joints, across, points[0], points[1]);
        joints_add_perpendicular(p->joints, across, axes[1]);
        return;
    }
    joint_vector across[2];
    set_across(&axes[0], across);
    for (int k = 0; k < 2; k++) {
        joints_add_sliding(p->joints, across[k], points[0], points[1]);
        joints_add_perpendicular(p->joints, across[k], axes[1]);
    }
    joints_add_perpendicular(p->joints, across[0], moved(p, &across[1], axes[1].body));
}

static inline int read_joint(const node *at, crank *p) {
    joint_vector points[2], axes[2], across[2];
    const char *type;
    const node kind = node_member(at, "type");
    const bool spatial = p->dimension == 3;
    if (!json_is_object(at->value)) {
        return NODE_FAIL(at, "an object {...} is needed");
    }
    SB_TRY(node_word(at, "type", &type));
    if (strcmp(type, "revolute") == 0) {
        SB_TRY(node_keys(at, spatial ? "type|bodies|points|axes" : "type|bodies|points"));
        SB_TRY(read_points(at, p, points));
        if (spatial) {
            SB_TRY(read_axes(at, p, points, axes));
            set_across(&axes[0], across);
        }
        joints_add_meeting(p->joints, points[0], points[1], p->dimension);
        for (int k = 0; k < 2 && spatial; k++) {
            joints_add_perpendicular(p->joints, across[k], axes[1]);
        }
    } else if (strcmp(type, "prismatic") == 0) {
        SB_TRY(node_keys(at, "type|bodies|points|axes"));
        SB_TRY(read_points(at, p, points));
        SB_TRY(read_axes(at, p, points, axes));
        add_prismatic(p, points, axes);
    } else if (strcmp(type, "spherical") == 0 && spatial) {
        SB_TRY(node_keys(at, "type|bodies|points"));
        SB_TRY(read_points(at, p, points));
        joints_add_meeting(p->joints, points[0], points[1], 3);
    } else if (strcmp(type, "distance") == 0) {
        sb_scalar length;
        SB_TRY(node_keys(at, "type|bodies|points|length"));
        SB_TRY(read_points(at, p, points));
        SB_TRY(node_number(at, "length", 0.0, NAN, &length));
        p->joints->row[p->joints->nrows++] = joints_distance(points[0], points[1], length);
    } else {
        return NODE_FAIL(&kind, "%s is no joint of %s: revolute, prismatic, %sdistance", type,
                         spatial ? "space" : "the plane", spatial ? "spherical, " : "");
    }
    return SB_OK;
}

static inline int read_spring(const node *at, crank *p) {
    joint_spring *s = &p->joints->spring[p->joints->nsprings++];
    joint_vector points[2];
    SB_TRY(node_keys(at, "bodies|points|stiffness|length|damping"));
    SB_TRY(read_points(at, p, points));
    SB_TRY(node_number(at, "stiffness", -SB_EPSILON, 0.0, &s->k));
    SB_TRY(node_number(at, "length", -SB_EPSILON, 0.0, &s->length));
    SB_TRY(node_number(at, "damping", -SB_EPSILON, 0.0, &s->c));
    s->row = joints_distance(points[0], points[1], 0.0);
    return SB_OK;
}

/* ---- The file. ---- */

/* Fixes a coordinate, "crank.angle", in the solve for the start. */
static inline int read_independent(const node *at, crank *p) {
    static const char *const parts[] = {"x", "y", "z", "attitude"}, *const planar[] = {"x", "y", "angle"};
    const bool spatial = p->dimension == 3;
    const char *name = json_string_value(at->value), *dot = name != NULL ? strrchr(name, '.') : NULL;
    for (int b = 0; b < p->joints->nbodies && dot != NULL; b++) {
        const size_t length = strlen(p->names[b]);
        for (int k = 0; k < (spatial ? 4 : 3); k++) {
            if (length == (size_t)(dot - name) && strncmp(name, p->names[b], length) == 0 &&
                strcmp(dot + 1, spatial ? parts[k] : planar[k]) == 0) {
                for (int j = 0; j < (k == 3 ? 4 : 1); j++) {
                    p->moves[p->joints->body[b].at + k + j] = false;
                }
                return SB_OK;
            }
        }
    }
    return NODE_FAIL(at, "a coordinate is needed, BODY.%s", spatial ? "x, .y, .z or .attitude" : "x, .y or .angle");
}

static inline int read_output(const node *of, const char *name, sb_arena *arena, crank *p) {
    static const char *const axis[] = {"x", "y", "z"};
    const node at = node_member(of, name), holder = node_member(&at, "body");
    joint_vector *point = &p->point[p->npoints];
    *point = (joint_vector){.point = true};
    SB_TRY(node_keys(&at, "body|point"));
    SB_TRY(read_body(&holder, p, false, &point->body));
    SB_TRY(node_vector(&at, "point", false, p->dimension, point->a));
    for (int k = 0; k < p->dimension; k++) {
        char *text;
        SB_PRINT(arena, text, "%s_%s", name, axis[k]);
        p->output[p->dimension * p->npoints + k] = (sb_output){text, "m", "position of a point", false};
    }
    p->npoints++;
    return SB_OK;
}

#endif
