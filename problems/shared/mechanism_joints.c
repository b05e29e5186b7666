/* Reads the joints of a mechanism from a JSON file, and what acts in them. */
#include "problems/shared/mechanism_file.h"

/* What a joint has beside its type and name: one axis, or one in each body. */
typedef enum axes_of { AXES_NONE, AXES_ONE, AXES_TWO } axes_of;

/* The types of joints in the plane and in space. */
static const struct {
    sb_world_kind kind;
    const char *word;
    bool plane, space;
    axes_of in_plane, in_space;
    const char *keys; /* others than type, name, bodies, points and axes */
} types[] = {
    {SB_REVOLUTE, "revolute", true, true, AXES_NONE, AXES_TWO,
     "torque|stiffness|damping|target|target_rate|armature|friction|limits|limit_stiffness|limit_damping"},
    {SB_PRISMATIC, "prismatic", true, true, AXES_TWO, AXES_TWO,
     "force|stiffness|damping|target|target_rate|armature|friction|limits|limit_stiffness|limit_damping"},
    {SB_DISTANCE, "distance", true, true, AXES_NONE, AXES_NONE, "length"},
    {SB_FIXED, "fixed", true, true, AXES_NONE, AXES_NONE, ""},
    {SB_POINT_LINE, "point_line", true, true, AXES_ONE, AXES_ONE, ""},
    {SB_ROLLING, "rolling", true, true, AXES_ONE, AXES_TWO, "radius"},
    {SB_PULLEY, "pulley", true, true, AXES_NONE, AXES_NONE, "guides|ratio"},
    {SB_SPHERICAL, "spherical", false, true, AXES_NONE, AXES_NONE, ""},
    {SB_UNIVERSAL, "universal", false, true, AXES_TWO, AXES_TWO, ""},
    {SB_CYLINDRICAL, "cylindrical", false, true, AXES_TWO, AXES_TWO, ""},
    {SB_PLANAR, "planar", false, true, AXES_TWO, AXES_TWO, ""},
    {SB_POINT_PLANE, "point_plane", false, true, AXES_ONE, AXES_ONE, ""},
    {SB_GEAR, "gear", true, true, AXES_NONE, AXES_NONE, "joints|teeth"},
    {SB_RACK, "rack", true, true, AXES_NONE, AXES_NONE, "joints|radius"},
};

enum { TYPES = sizeof types / sizeof *types };

static int no_type(const node *at, bool spatial) {
    const char *words = "", *separator = "";
    const node kind = sb_node_member(at, "type");
    for (int k = 0; k < TYPES; k++) {
        if (spatial ? types[k].space : types[k].plane) {
            SB_PRINT(at->from->arena, words, "%s%s%s", words, separator, types[k].word);
            separator = ", ";
        }
    }
    return NODE_FAIL(&kind, "%s is no joint of %s: %s", json_string_value(kind.value), spatial ? "space" : "the plane",
                     words);
}

/* ---- Rows. ---- */

/* Adds the rows that make axes parallel. */
static void add_parallel(joints *p, const joint_vector across[2], joint_vector axis) {
    for (int k = 0; k < 2; k++) {
        sb_joints_add(p, sb_joints_perpendicular(across[k], axis));
    }
}

/* Adds the rows without relative rotation, from the poses of the file. */
static void add_no_rotation(mechanism *p, const joint_vector points[2]) {
    const int of = points[1].body;
    for (int k = 0; k < (p->dimension == 3 ? 3 : 1); k++) {
        joint_vector first = {.body = points[0].body}, second = first;
        first.a[k] = second.a[(k + 1) % 3] = 1.0;
        sb_joints_add(p->joints, sb_joints_perpendicular(first, sb_mechanism_transferred(p, &second, of)));
    }
}

static void add_prismatic(mechanism *p, const joint_vector points[2], const joint_vector axes[2],
                          const joint_vector across[2]) {
    for (int k = 0; k < p->dimension - 1; k++) {
        sb_joints_add(p->joints, sb_joints_sliding(across[k], points[0], points[1]));
        sb_joints_add(p->joints, sb_joints_perpendicular(across[k], axes[1]));
    }
    if (p->dimension == 3) {
        sb_joints_add(p->joints,
                      sb_joints_perpendicular(across[0], sb_mechanism_transferred(p, &across[1], axes[1].body)));
    }
}

/* Adds the rows of a type whose rows follow from its points and axes. */
static void add_rows(mechanism *p, sb_world_kind kind, const joint_vector points[2], const joint_vector axes[2]) {
    joints *j = p->joints;
    const bool spatial = p->dimension == 3;
    joint_vector across[2] = {{.body = axes[0].body, .a = {-axes[0].a[1], axes[0].a[0]}}};
    if (spatial) {
        sb_joints_across(&axes[0], across);
    }
    switch (kind) {
    case SB_PRISMATIC: add_prismatic(p, points, axes, across); return;
    case SB_POINT_LINE:
    case SB_CYLINDRICAL:
        for (int k = 0; k < p->dimension - 1; k++) {
            sb_joints_add(j, sb_joints_sliding(across[k], points[0], points[1]));
        }
        break;
    case SB_POINT_PLANE:
    case SB_PLANAR: sb_joints_add(j, sb_joints_sliding(axes[0], points[0], points[1])); break;
    default: sb_joints_add_meeting(j, points[0], points[1], p->dimension);
    }
    if (kind == SB_UNIVERSAL) {
        sb_joints_add(j, sb_joints_perpendicular(axes[0], axes[1]));
    } else if (kind == SB_CYLINDRICAL || kind == SB_PLANAR || (kind == SB_REVOLUTE && spatial)) {
        add_parallel(j, across, axes[1]);
    } else if (kind == SB_FIXED) {
        add_no_rotation(p, points);
    }
}

/* ---- Joints of lengths and angles. ---- */

/* A wheel on a plane in space: the height of its centre is the radius times the sine of the angle between its axis and
 * the normal, and its contact does not slip. */
static int add_rolling(const node *at, mechanism *p, const joint_vector points[2], const joint_vector axes[2],
                       sb_scalar radius) {
    joints *j = p->joints;
    const joint_measure y[2] = {sb_joints_displacement(axes[0].a, points), sb_joints_sine(axes[0], axes[1])};
    joint_vector across[2];
    if (points[0].body != JOINTS_GROUND) {
        const node bodies = sb_node_member(at, "bodies");
        return NODE_FAIL(&bodies, "in space a wheel rolls on a plane of the ground: [\"ground\", wheel] is needed");
    }
    SB_TRY(sb_joints_add_sum(at->from->arena, j, y, (const sb_scalar[2]){1.0, -radius}, 0.0, p->q0));
    j->sum[j->nsums - 1]->constant = 0.0;
    sb_joints_across(&axes[0], across);
    for (int k = 0; k < 2; k++) {
        joint_driver d = {.body = points[1].body, .rolls = true, .wheel = axes[1], .radius = radius};
        memcpy(d.normal, axes[0].a, sizeof d.normal);
        memcpy(d.along, across[k].a, sizeof d.along);
        j->driver[j->ndrivers++] = d;
    }
    return SB_OK;
}

/* A wheel, the second body, on a line: its centre is at its radius from the line, and rolls along it. */
static int read_rolling(const node *at, mechanism *p, const joint_vector points[2], const joint_vector axes[2]) {
    const joint_vector normal = {.body = axes[0].body, .a = {-axes[0].a[1], axes[0].a[0]}};
    joint_row height = sb_joints_sliding(normal, points[0], points[1]);
    sb_scalar radius;
    SB_TRY(sb_node_number(at, "radius", 0.0, NAN, &radius));
    p->joints->part[p->joints->nparts - 1].length = radius;
    if (p->dimension == 3) {
        return add_rolling(at, p, points, axes, radius);
    }
    height.constant = -radius;
    sb_joints_add(p->joints, height);
    const joint_measure y[2] = {sb_joints_displacement(axes[0].a, points),
                                sb_joints_turn(points[0].body, points[1].body)};
    return sb_joints_add_sum(at->from->arena, p->joints, y, (const sb_scalar[2]){1.0, radius}, 0.0, p->q0);
}

/* A rope over two points of space: the sum of the lengths of its ends, the second times the ratio, is constant. */
static int read_pulley(const node *at, mechanism *p, const joint_vector points[2]) {
    sb_world_part *part = &p->joints->part[p->joints->nparts - 1];
    sb_scalar guides[2][3] = {{0.0}};
    joint_measure y[2];
    SB_TRY(sb_node_two_vectors(at, "guides", p->dimension, guides));
    part->factor[0] = 1.0;
    SB_TRY(sb_node_number(at, "ratio", 0.0, 1.0, &part->factor[1]));
    memcpy(part->axis, guides, sizeof guides);
    for (int s = 0; s < 2; s++) {
        const joint_vector ends[2] = {
            {.body = JOINTS_GROUND, .point = true, .a = {guides[s][0], guides[s][1], guides[s][2]}}, points[s]};
        y[s] = sb_joints_length(ends);
    }
    return sb_joints_add_sum(at->from->arena, p->joints, y, part->factor, 0.0, p->q0);
}

/* A gear: teeth_0 y_0 + teeth_1 y_1 is constant. A rack: the displacement is the radius times the angle. */
static int read_gear(const node *at, mechanism *p, bool rack) {
    sb_world_part *part = &p->joints->part[p->joints->nparts - 1];
    const node names = sb_node_member(at, "joints");
    joint_measure y[2];
    sb_world_kind kind;
    sb_scalar period = 0.0;
    if (!json_is_array(names.value) || json_array_size(names.value) != 2) {
        return NODE_FAIL(names.value != NULL ? &names : at, "\"joints\": [name, name] is needed");
    }
    for (int s = 0; s < 2; s++) {
        const node item = sb_node_item(&names, s);
        SB_TRY(sb_mechanism_read_measure(&item, p, &y[s], &kind));
        if (rack && (kind == SB_REVOLUTE) != (s == 0)) {
            return NODE_FAIL(&item,
                             "the pinion's revolute joint and the rack's prismatic one are needed, in this order");
        }
        part->of[s] = json_string_value(item.value);
    }
    if (rack) {
        SB_TRY(sb_node_number(at, "radius", -INFINITY, NAN, &part->length));
        part->factor[0] = -part->length;
        part->factor[1] = 1.0;
    } else {
        const node teeth = sb_node_member(at, "teeth");
        SB_TRY(sb_node_vector(at, "teeth", true, 2, part->factor));
        if (part->factor[0] == 0.0 || part->factor[1] == 0.0) {
            return NODE_FAIL(&teeth, "a wheel without teeth turns no other; take numbers that are not 0");
        }
        if (trunc(part->factor[0]) == part->factor[0] && trunc(part->factor[1]) == part->factor[1] &&
            y[0].kind == MEASURE_ANGLE && y[1].kind == MEASURE_ANGLE) {
            period = 2.0 * SB_PI;
        }
    }
    const sb_scalar most = fmax(fabs(part->factor[0]), fabs(part->factor[1])),
                    factor[2] = {part->factor[0] / most, part->factor[1] / most};
    return sb_joints_add_sum(at->from->arena, p->joints, y, factor, period / most, p->q0);
}

/* ---- A joint. ---- */

/* Reads what a type has beside bodies, points and axes. */
static int read_rest(const node *at, mechanism *p, sb_world_kind kind, const joint_vector points[2],
                     const joint_vector axes[2]) {
    sb_world_part *part = &p->joints->part[p->joints->nparts - 1];
    switch (kind) {
    case SB_DISTANCE:
        SB_TRY(sb_node_number(at, "length", 0.0, NAN, &part->length));
        sb_joints_add(p->joints, sb_joints_distance(points[0], points[1], part->length));
        return SB_OK;
    case SB_ROLLING: return read_rolling(at, p, points, axes);
    case SB_PULLEY: return read_pulley(at, p, points);
    case SB_GEAR:
    case SB_RACK: return read_gear(at, p, kind == SB_RACK);
    default: add_rows(p, kind, points, axes);
    }
    return kind == SB_REVOLUTE || kind == SB_PRISMATIC ? sb_mechanism_read_drive(at, p, p->joints->nparts - 1) : SB_OK;
}

int sb_mechanism_read_joint(const node *at, mechanism *p) {
    const bool spatial = p->dimension == 3;
    joint_vector points[2] = {{.body = JOINTS_GROUND}, {.body = JOINTS_GROUND}}, axes[2] = {{.body = JOINTS_GROUND}};
    const char *type;
    char *keys;
    int k = 0;
    if (!json_is_object(at->value)) {
        return NODE_FAIL(at, "an object {...} is needed");
    }
    SB_TRY(sb_node_word(at, "type", &type));
    while (k < TYPES && !(strcmp(types[k].word, type) == 0 && (spatial ? types[k].space : types[k].plane))) {
        k++;
    }
    if (k == TYPES) {
        return no_type(at, spatial);
    }
    const sb_world_kind kind = types[k].kind;
    const axes_of has = spatial ? types[k].in_space : types[k].in_plane;
    const bool couples = kind == SB_GEAR || kind == SB_RACK;
    SB_PRINT(at->from->arena, keys, "type|name%s%s|%s", couples ? "" : "|bodies|points",
             kind == SB_REVOLUTE && spatial ? "|axes|references"
             : has == AXES_TWO              ? "|axes"
             : has == AXES_ONE              ? "|axis"
                                            : "",
             types[k].keys);
    SB_TRY(sb_node_keys(at, keys));
    SB_TRY(couples ? SB_OK : sb_mechanism_read_points(at, p, points));
    if (has == AXES_TWO) {
        SB_TRY(sb_mechanism_read_axes(at, p, points, axes));
    } else if (has == AXES_ONE) {
        axes[0].body = points[0].body;
        SB_TRY(sb_mechanism_read_axis(at, p, axes[0].a));
    }
    sb_joints_declare(p->joints, kind, points, axes);
    SB_TRY(sb_mechanism_name_part(at, p));
    return read_rest(at, p, kind, points, axes);
}
