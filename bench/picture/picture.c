/* Makes the picture of a mechanism from its description, or of a registered problem from a table of their coordinates.
 */
#include "bench/picture/picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "bench/cli/data.h"
#include "core/base/text.h"

static int add_point(sb_picture *me, sb_carrier carrier, int at, const double local[3]) {
    sb_picture_point *point = &me->points[me->npoints];
    *point = (sb_picture_point){.carrier = carrier, .at = at};
    memcpy(point->local, local, sizeof point->local);
    return me->npoints++;
}

static void add_line(sb_picture *me, int from, int to, bool spring) {
    me->lines[me->nlines++] = (sb_picture_line){from, to, spring};
}

/* ---- A mechanism's file. ---- */

typedef struct reader {
    sb_picture *picture;
    const json_t *bodies;
} reader;

static void read_vector(const json_t *list, double out[3]) {
    for (size_t i = 0; i < 3; i++) {
        out[i] = json_number_value(json_array_get(list, i));
    }
}

/* Returns the number of the body in the order of the file, which is that of the coordinates; -1 for the ground. */
static int body_number(const reader *r, const char *name) {
    const char *key;
    json_t *value;
    int k = 0;
    json_object_foreach((json_t *)r->bodies, key, value) {
        if (strcmp(key, name) == 0) {
            return k;
        }
        k++;
    }
    return -1;
}

/* Adds the point of side `side` of a joint or a spring, and a line to it from the centre of its body. */
static int read_side(const reader *r, const json_t *joint, size_t side) {
    sb_picture *me = r->picture;
    double local[3];
    const int body = body_number(r, json_string_value(json_array_get(json_object_get(joint, "bodies"), side)));
    read_vector(json_array_get(json_object_get(joint, "points"), side), local);
    const int at = body < 0 ? 0 : (me->dimension == 2 ? 3 : 7) * body;
    const int point = add_point(me, body < 0 ? SB_CARRIER_GROUND : SB_CARRIER_BODY, at, local);
    if (body >= 0) {
        add_line(me, body, point, false);
    }
    return point;
}

/* Adds both sides of each joint, or of each spring; a distance joint and a spring are drawn as lines. */
static void read_pairs(const reader *r, const json_t *list, bool spring) {
    size_t i;
    json_t *joint;
    json_array_foreach(list, i, joint) {
        const char *type = json_string_value(json_object_get(joint, "type"));
        const int from = read_side(r, joint, 0), to = read_side(r, joint, 1);
        if (spring || strcmp(type, "distance") == 0) {
            add_line(r->picture, from, to, spring);
        }
    }
}

static int read_mechanism(sb_arena *arena, const json_t *root, sb_picture *me) {
    static const double centre[3] = {0.0};
    const json_t *joints = json_object_get(root, "joints"), *springs = json_object_get(root, "springs");
    const reader r = {me, json_object_get(root, "bodies")};
    const int bodies = (int)json_object_size(r.bodies);
    const size_t pairs = json_array_size(joints) + json_array_size(springs);
    double gravity[3];
    const json_t *first = json_object_iter_value(json_object_iter((json_t *)r.bodies));
    me->dimension = json_is_array(json_object_get(first, "inertia")) ? 3 : 2;
    me->coordinates = (me->dimension == 2 ? 3 : 7) * bodies;
    SB_NEW(arena, me->points, (size_t)bodies + 2 * pairs);
    SB_NEW(arena, me->lines, 3 * pairs);
    for (int k = 0; k < bodies; k++) {
        add_point(me, SB_CARRIER_BODY, (me->dimension == 2 ? 3 : 7) * k, centre);
    }
    read_pairs(&r, joints, false);
    read_pairs(&r, springs, true);
    read_vector(json_object_get(root, "gravity"), gravity);
    me->up = me->dimension == 2 || fabs(gravity[1]) > fabs(gravity[2]) ? 1 : 2;
    return SB_OK;
}

/* Returns the file of `mechanism`, its only parameter. */
static const char *mechanism_file(const sb_spec *problem) {
    const sb_param *param = problem->entry->params;
    return *(const char *const *)(const void *)((const char *)problem->config + param->offset);
}

static int make_mechanism(sb_context *ctx, sb_arena *arena, const sb_spec *problem, sb_picture *out) {
    const char *file = mechanism_file(problem);
    if (file[0] == '\0') {
        return sb_fail(ctx, SB_BAD_USAGE, "animate needs the file of the mechanism: -p mechanism:file=FILE.json");
    }
    json_t *root = json_load_file(file, 0, NULL);
    if (root == NULL) {
        return sb_fail(ctx, SB_IO, "%s cannot be read again", file);
    }
    const int status = read_mechanism(arena, root, out);
    json_decref(root);
    return status;
}

/* ---- Registered problems. ---- */

static int make_registered(sb_arena *arena, const sb_table *known, int row, int n, sb_picture *me) {
    const bool rods = sb_table_is(known, row, "carrier", "rod"), chain = sb_table_is(known, row, "drawn", "chain"),
               orbit = sb_table_is(known, row, "drawn", "orbit");
    me->dimension = atoi(sb_table_text(known, row, "dimension"));
    me->up = me->dimension == 2 ? 1 : 2;
    const int stride = rods ? 2 * me->dimension : me->dimension, count = n / stride;
    me->coordinates = count * stride;
    SB_NEW(arena, me->points, 2 * count + 1);
    SB_NEW(arena, me->lines, count + 1);
    if (chain || orbit) {
        add_point(me, SB_CARRIER_GROUND, 0, (const double[3]){0.0});
    }
    for (int k = 0; k < count; k++) {
        if (rods) {
            const int tail = add_point(me, SB_CARRIER_ROD, k * stride, (const double[3]){-0.5});
            add_line(me, tail, add_point(me, SB_CARRIER_ROD, k * stride, (const double[3]){0.5}), false);
        } else {
            const int point = add_point(me, SB_CARRIER_PARTICLE, k * stride, (const double[3]){0.0});
            if (chain) {
                add_line(me, point - 1, point, false);
            }
        }
    }
    return SB_OK;
}

static int no_picture(sb_context *ctx, sb_arena *arena, const sb_table *known, const char *name) {
    const char *names = "mechanism";
    for (int i = 0; i < known->nrows; i++) {
        SB_PRINT(arena, names, "%s, %s", names, sb_table_text(known, i, "problem"));
    }
    return sb_fail(ctx, SB_UNSUPPORTED, "there is no picture of %s; animate draws %s", name, names);
}

int sb_picture_make(sb_context *ctx, sb_arena *arena, const sb_spec *problem, int n, sb_picture *out) {
    sb_table known;
    *out = (sb_picture){.dimension = 0};
    SB_TRY(sb_data_table(ctx, arena, "assets/pictures.csv", &known));
    const int row = sb_table_find(&known, "problem", problem->entry->name, 0);
    if (strcmp(problem->entry->name, "mechanism") == 0) {
        SB_TRY(make_mechanism(ctx, arena, problem, out));
    } else if (row < 0) {
        return no_picture(ctx, arena, &known, problem->entry->name);
    } else {
        SB_TRY(make_registered(arena, &known, row, n, out));
    }
    if (out->coordinates != n) {
        return sb_fail(ctx, SB_UNSUPPORTED,
                       "the picture of %s is drawn from its own coordinates, which a formulation has replaced; leave "
                       "out -w",
                       problem->entry->name);
    }
    return SB_OK;
}

/* ---- Places. ---- */

/* Turns x by the quaternion e, scalar first: x + 2 w (u x x) + 2 u x (u x x), with e = (w, u). hlw06 VII.5. */
static void turn(const sb_scalar e[4], const double x[3], double out[3]) {
    const double w = (double)e[0], u[3] = {(double)e[1], (double)e[2], (double)e[3]};
    const double c[3] = {u[1] * x[2] - u[2] * x[1], u[2] * x[0] - u[0] * x[2], u[0] * x[1] - u[1] * x[0]};
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        out[i] = x[i] + 2.0 * (w * c[i] + u[j] * c[k] - u[k] * c[j]);
    }
}

void sb_picture_place(const sb_picture *picture, int k, const sb_scalar *q, double x[3]) {
    const sb_picture_point *point = &picture->points[k];
    const int d = picture->dimension;
    double local[3] = {point->local[0], point->local[1], point->local[2]};
    q += point->at;
    if (point->carrier == SB_CARRIER_BODY && d == 2) {
        const double c = cos((double)q[2]), s = sin((double)q[2]);
        local[0] = c * point->local[0] - s * point->local[1];
        local[1] = s * point->local[0] + c * point->local[1];
    } else if (point->carrier == SB_CARRIER_BODY) {
        turn(q + 3, point->local, local);
    }
    for (int i = 0; i < d; i++) {
        const double centre = point->carrier == SB_CARRIER_GROUND ? 0.0 : (double)q[i];
        x[i] = centre + (point->carrier == SB_CARRIER_ROD ? point->local[0] * (double)q[d + i] : local[i]);
    }
}
