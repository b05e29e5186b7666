/* Reads MJCF, the format of MuJoCo: bodies inside each other, their joints and geoms, and defaults. */
#include <stepbench/numerics/norm.h>
#include <stepbench/numerics/quaternion.h>

#include "bench/import/mjcf.h"
#include "core/base/text.h"

/* ---- Attributes and their defaults. ---- */

/* Returns the value of an element of class `name` below a <default>, or NULL: `found` if it does not know the class. */
static const xml_element *find_class(const xml_element *of, const char *name) {
    for (const xml_element *e = sb_xml_next(of, "default"); e != NULL; e = sb_xml_next(e->next, "default")) {
        const char *called = sb_xml_attribute(e, "class");
        const xml_element *inside = NULL;
        if (strcmp(called != NULL ? called : "main", name) == 0) {
            return e;
        }
        inside = find_class(e->first, name);
        if (inside != NULL) {
            return inside;
        }
    }
    return NULL;
}

const char *sb_mjcf_attribute(const mjcf *me, const xml_element *e, const char *key) {
    const char *own = sb_xml_attribute(e, key), *class = sb_xml_attribute(e, "class");
    const xml_element *scope = e->parent;
    if (own != NULL || strcmp(e->name, "body") == 0) {
        return own;
    }
    while (class == NULL && scope != NULL) {
        class = sb_xml_attribute(scope, "childclass");
        scope = scope->parent;
    }
    const xml_element *of = find_class(sb_xml_child(me->m->file->root, "default"), class != NULL ? class : "main");
    for (; own == NULL && of != NULL && strcmp(of->name, "default") == 0; of = of->parent) {
        own = sb_xml_attribute(sb_xml_child(of, e->name), key);
    }
    return own;
}

int sb_mjcf_numbers(const mjcf *me, const xml_element *e, const char *key, int least, int most, double *out,
                    int *count) {
    return sb_xml_numbers(me->m->file, e, key, sb_mjcf_attribute(me, e, key), least, most, out, count);
}

/* ---- Frames. ---- */

static void normalize(double *x, int count) {
    const double square = sb_dot(count, x, x);
    for (int k = 0; k < count && square > 0.0; k++) {
        x[k] /= sqrt(square);
    }
}

/* Sets the shortest rotation from the z axis to a direction. */
static void turn_from_z(const double direction[3], double e[4]) {
    double z[3] = {direction[0], direction[1], direction[2]};
    normalize(z, 3);
    if (z[2] < -1.0 + 4.0 * DBL_EPSILON) { /* the other way round: half a turn about x */
        memcpy(e, (const double[4]){0.0, 1.0, 0.0, 0.0}, 4 * sizeof *e);
        return;
    }
    e[0] = 1.0 + z[2];
    e[1] = -z[1];
    e[2] = z[0];
    e[3] = 0.0;
    normalize(e, 4);
}

/* Sets the quaternion of the frame with the axes x, and y made perpendicular to it. */
static void turn_to_axes(const double xy[6], double e[4]) {
    double x[3], y[3], z[3], first[4], back[4], turned[3], second[4];
    memcpy(x, xy, sizeof x);
    memcpy(y, xy + 3, sizeof y);
    normalize(x, 3);
    sb_cross(x, y, z);
    /* First z to its place, then about it. */
    turn_from_z(z, first);
    memcpy(back, (const double[4]){first[0], -first[1], -first[2], -first[3]}, sizeof back);
    sb_quaternion_rotate(back, back, x, turned);
    const double half = 0.5 * atan2(turned[1], turned[0]);
    memcpy(second, (const double[4]){cos(half), 0.0, 0.0, sin(half)}, sizeof second);
    sb_quaternion_product(first, second, e);
}

/* Sets the quaternion of three angles about axes of `order`: lower case moving axes, upper case fixed ones. */
static int turn_by_euler(const mjcf *me, const xml_element *e, const double angle[3], double out[4]) {
    const char *order = me->euler;
    sb_quaternion_unit(0, out);
    for (int k = 0; k < 3; k++) {
        const char *moving = strchr("xyz", order[k]), *fixed = strchr("XYZ", order[k]);
        double about[4] = {cos(0.5 * angle[k]), 0.0, 0.0, 0.0}, turned[4];
        if (order[k] == '\0' || (moving == NULL && fixed == NULL)) {
            return sb_xml_fail(me->m->file, e, "eulerseq=\"%.20s\" is not three of xyzXYZ", order);
        }
        about[1 + (moving != NULL ? moving - "xyz" : fixed - "XYZ")] = sin(0.5 * angle[k]);
        if (moving != NULL) {
            sb_quaternion_product(out, about, turned);
        } else {
            sb_quaternion_product(about, out, turned);
        }
        memcpy(out, turned, sizeof turned);
    }
    return SB_OK;
}

static int read_pose(const mjcf *me, const xml_element *e, double x[3], double q[4]) {
    double angles[3], axis[4], axes[6], z[3];
    int count;
    memset(x, 0, 3 * sizeof *x);
    sb_quaternion_unit(0, q);
    SB_TRY(sb_mjcf_numbers(me, e, "pos", 3, 3, x, NULL));
    SB_TRY(sb_mjcf_numbers(me, e, "quat", 4, 4, q, NULL));
    normalize(q, 4);
    SB_TRY(sb_mjcf_numbers(me, e, "euler", 3, 3, angles, &count));
    if (count == 3) {
        for (int k = 0; k < 3; k++) {
            angles[k] *= me->angle;
        }
        SB_TRY(turn_by_euler(me, e, angles, q));
    }
    SB_TRY(sb_mjcf_numbers(me, e, "axisangle", 4, 4, axis, &count));
    if (count == 4) {
        normalize(axis, 3);
        q[0] = cos(0.5 * me->angle * axis[3]);
        for (int k = 0; k < 3; k++) {
            q[1 + k] = sin(0.5 * me->angle * axis[3]) * axis[k];
        }
    }
    SB_TRY(sb_mjcf_numbers(me, e, "xyaxes", 6, 6, axes, &count));
    if (count == 6) {
        turn_to_axes(axes, q);
    }
    SB_TRY(sb_mjcf_numbers(me, e, "zaxis", 3, 3, z, &count));
    if (count == 3) {
        turn_from_z(z, q);
    }
    return SB_OK;
}

int sb_mjcf_leave_frames(const mjcf *me, const xml_element *e, double x[3], double q[4]) {
    for (const xml_element *at = e->parent; at != NULL && strcmp(at->name, "frame") == 0; at = at->parent) {
        double origin[3], turn[4], moved[3], turned[4];
        SB_TRY(read_pose(me, at, origin, turn));
        sb_quaternion_rotate(turn, turn, x, moved);
        sb_quaternion_compose(turn, q, turned);
        memcpy(q, turned, sizeof turned);
        for (int k = 0; k < 3; k++) {
            x[k] = origin[k] + moved[k];
        }
    }
    return SB_OK;
}

int sb_mjcf_frame(const mjcf *me, const xml_element *e, double x[3], double q[4]) {
    SB_TRY(read_pose(me, e, x, q));
    return sb_mjcf_leave_frames(me, e, x, q);
}

/* Says which of the attributes `keys`, which end with NULL, are left out. */
static void leave_out_attributes(mjcf *me, const xml_element *e, const char *const *keys) {
    for (; *keys != NULL; keys++) {
        if (sb_mjcf_attribute(me, e, *keys) != NULL) {
            sb_model_leave_out(me->m, e, "%s", *keys);
        }
    }
}

/* ---- Joints. ---- */

/* Reads the limits of a joint. Their spring has the time constant and the damping ratio of `solreflimit`; two negative
 * numbers are a stiffness and a damping of the acceleration, 1/(T z)^2 and 2/T. */
static int read_limits(mjcf *me, const xml_element *at, double unit, model_joint *j) {
    const char *limited = sb_mjcf_attribute(me, at, "limited"), *range = sb_mjcf_attribute(me, at, "range");
    double solref[2] = {model_limit_time, 1.0};
    if (!(sb_mjcf_is(limited, "true") || (range != NULL && !sb_mjcf_is(limited, "false") && me->autolimits))) {
        return SB_OK;
    }
    if (j->kind == MODEL_BALL || j->kind == MODEL_FREE) {
        sb_model_leave_out(me->m, at, "the range of %s, which is no hinge or slide", j->name);
        return SB_OK;
    }
    SB_TRY(sb_mjcf_numbers(me, at, "range", 2, 2, j->limit, NULL));
    SB_TRY(sb_mjcf_numbers(me, at, "solreflimit", 1, 2, solref, NULL));
    j->limit_time = solref[0] < 0.0 ? -2.0 / solref[1] : solref[0];
    j->limit_ratio = solref[0] < 0.0 ? 1.0 / (sqrt(-solref[0]) * j->limit_time) : solref[1];
    for (int s = 0; s < 2; s++) {
        j->limit[s] *= unit;
    }
    j->limited = true;
    return j->limit[0] < j->limit[1] && j->limit_time > 0.0 && j->limit_ratio > 0.0
               ? SB_OK
               : sb_xml_fail(me->m->file, at,
                             "the limits of %s need a range that ascends and a solreflimit of two "
                             "positive or two negative numbers",
                             j->name);
}

static int read_joint(mjcf *me, const xml_element *at, model_body *b) {
    const char *type = sb_mjcf_attribute(me, at, "type"), *name = sb_xml_attribute(at, "name");
    const bool free = strcmp(at->name, "freejoint") == 0 || sb_mjcf_is(type, "free"), slide = sb_mjcf_is(type, "slide"),
               ball = sb_mjcf_is(type, "ball");
    double axis[3] = {0.0, 0.0, 1.0}, pos[3] = {0.0}, anchor[3], e[4] = {1.0}, turned[4];
    if (type != NULL && !free && !slide && !ball && !sb_mjcf_is(type, "hinge")) {
        return sb_xml_fail(me->m->file, at, "type=\"%.40s\" is none of hinge, slide, ball, free", type);
    }
    if (b->joints == MODEL_JOINTS) {
        return sb_xml_fail(me->m->file, at, "%s has more than %d joints", b->name, MODEL_JOINTS);
    }
    model_joint *j = &b->joint[b->joints++];
    *j = (model_joint){.at = at, .kind = free ? MODEL_FREE : slide ? MODEL_SLIDE : ball ? MODEL_BALL : MODEL_HINGE};
    j->name = name != NULL ? name : sb_asprintf(me->m->file->arena, "%s_%d", b->name, b->joints);
    SB_TRY(j->name != NULL ? sb_model_add_name(me->m->file->arena, &me->joints, j->name, (int)(b - me->m->body))
                           : SB_NO_MEMORY);
    SB_TRY(sb_mjcf_numbers(me, at, "axis", 3, 3, axis, NULL));
    SB_TRY(sb_mjcf_numbers(me, at, "pos", 3, 3, pos, NULL));
    normalize(axis, 3);
    SB_TRY(sb_mjcf_leave_frames(me, at, pos, e));
    sb_quaternion_compose(b->e, e, turned);
    sb_quaternion_rotate(turned, turned, axis, j->axis);
    sb_quaternion_rotate(b->e, b->e, pos, anchor);
    for (int k = 0; k < 3; k++) {
        j->anchor[k] = b->x[k] + anchor[k];
    }
    const double unit = j->kind == MODEL_HINGE ? me->angle : 1.0;
    SB_TRY(sb_mjcf_numbers(me, at, "ref", 1, 1, &j->q, NULL));
    SB_TRY(sb_mjcf_numbers(me, at, "springref", 1, 1, &j->rest, NULL));
    j->q *= unit;
    j->rest *= unit;
    SB_TRY(sb_mjcf_numbers(me, at, "stiffness", 1, 1, &j->stiffness, NULL));
    SB_TRY(sb_mjcf_numbers(me, at, "damping", 1, 1, &j->damping, NULL));
    SB_TRY(sb_mjcf_numbers(me, at, "armature", 1, 1, &j->armature, NULL));
    SB_TRY(sb_mjcf_numbers(me, at, "frictionloss", 1, 1, &j->friction, NULL));
    leave_out_attributes(me, at, (const char *const[]){"springdamper", "actuatorfrcrange", NULL});
    if (free && (j->stiffness != 0.0 || j->damping != 0.0 || j->armature != 0.0 || j->friction != 0.0)) {
        sb_model_leave_out(me->m, at, "stiffness, damping, armature and friction of a free joint");
    }
    return read_limits(me, at, unit, j);
}

/* ---- Bodies. ---- */

static int read_inertial(mjcf *me, const xml_element *at, model_body *b) {
    double x[3], e[4], mass = 0.0, J[6] = {0.0};
    int diagonal, full;
    SB_TRY(sb_mjcf_frame(me, at, x, e));
    SB_TRY(sb_mjcf_numbers(me, at, "mass", 1, 1, &mass, NULL));
    SB_TRY(sb_mjcf_numbers(me, at, "diaginertia", 3, 3, J, &diagonal));
    if (diagonal == 3) {
        sb_model_add_mass(b, mass, x, e, J);
        return SB_OK;
    }
    SB_TRY(sb_mjcf_numbers(me, at, "fullinertia", 6, 6, J, &full)); /* xx, yy, zz, xy, xz, yz */
    const double tensor[3][3] = {{J[0], J[3], J[4]}, {J[3], J[1], J[5]}, {J[4], J[5], J[2]}};
    sb_model_add_inertia(b, mass, x, e, tensor);
    return SB_OK;
}

static int read_body(mjcf *me, const xml_element *at, int parent);

/* Reads what a body, or the ground, contains, also in frames. */
static int read_contents(mjcf *me, const xml_element *of, int number, bool by_geoms) {
    for (const xml_element *at = of->first; at != NULL; at = at->next) {
        const bool joint = strcmp(at->name, "joint") == 0 || strcmp(at->name, "freejoint") == 0;
        if (joint && number != MODEL_GROUND) {
            SB_TRY(read_joint(me, at, &me->m->body[number]));
        } else if (strcmp(at->name, "geom") == 0) {
            SB_TRY(sb_mjcf_add_geom(me, at, number, by_geoms));
        } else if (strcmp(at->name, "body") == 0) {
            SB_TRY(read_body(me, at, number));
        } else if (strcmp(at->name, "frame") == 0) {
            SB_TRY(read_contents(me, at, number, by_geoms));
        } else if (strcmp(at->name, "inertial") != 0 && strcmp(at->name, "site") != 0 &&
                   strcmp(at->name, "camera") != 0 && strcmp(at->name, "light") != 0) {
            sb_model_leave_out(me->m, at, "it is no body, joint, geom, frame or inertial");
        }
    }
    return SB_OK;
}

static int read_body(mjcf *me, const xml_element *at, int parent) {
    model *m = me->m;
    model_body *b = &m->body[m->bodies];
    const int number = m->bodies++;
    const char *name = sb_xml_attribute(at, "name");
    double x[3], e[4], moved[3];
    *b = (model_body){.at = at, .parent = parent, .e = {1.0}};
    SB_TRY(sb_mjcf_frame(me, at, x, e));
    if (parent == MODEL_GROUND) {
        memcpy(b->x, x, sizeof x);
        memcpy(b->e, e, sizeof e);
    } else {
        sb_quaternion_rotate(m->body[parent].e, m->body[parent].e, x, moved);
        sb_quaternion_compose(m->body[parent].e, e, b->e);
        for (int k = 0; k < 3; k++) {
            b->x[k] = m->body[parent].x[k] + moved[k];
        }
    }
    SB_TRY(sb_poll(m->file->ctx));
    if (name != NULL && sb_model_find_name(&me->bodies, name) >= 0) {
        return sb_xml_fail(m->file, at, "another body has the name %.60s", name);
    }
    b->name = name != NULL ? name : sb_asprintf(m->file->arena, "body%d", number + 1);
    SB_TRY(b->name != NULL ? sb_model_add_name(m->file->arena, &me->bodies, b->name, number) : SB_NO_MEMORY);
    const xml_element *inertial = sb_xml_child(at, "inertial");
    const bool by_geoms = sb_mjcf_is(me->inertia_from_geoms, "true") ||
                          (!sb_mjcf_is(me->inertia_from_geoms, "false") && inertial == NULL);
    SB_TRY(inertial != NULL && !by_geoms ? read_inertial(me, inertial, b) : SB_OK);
    leave_out_attributes(me, at, (const char *const[]){"gravcomp", "mocap", NULL});
    return read_contents(me, at, number, by_geoms);
}

static int count_bodies(const xml_element *of) {
    int count = 0;
    for (const xml_element *e = of->first; e != NULL; e = e->next) {
        count += 1 + count_bodies(e);
    }
    return count;
}

/* ---- The file. ---- */

static int read_compiler(mjcf *me) {
    const xml_element *root = me->m->file->root;
    for (const xml_element *e = sb_xml_child(root, "compiler"); e != NULL; e = sb_xml_next(e->next, "compiler")) {
        const char *angle = sb_xml_attribute(e, "angle"), *order = sb_xml_attribute(e, "eulerseq"),
                   *inertia = sb_xml_attribute(e, "inertiafromgeom"), *coordinate = sb_xml_attribute(e, "coordinate");
        me->angle = sb_mjcf_is(angle, "radian") ? 1.0 : sb_mjcf_is(angle, "degree") ? SB_PI / 180.0 : me->angle;
        me->euler = order != NULL ? order : me->euler;
        me->inertia_from_geoms = inertia != NULL ? inertia : me->inertia_from_geoms;
        me->autolimits = !sb_mjcf_is(sb_xml_attribute(e, "autolimits"), "false");
        if (sb_mjcf_is(coordinate, "global")) {
            return sb_xml_fail(me->m->file, e,
                               "coordinate=\"global\" is not read; MuJoCo writes such a file in local "
                               "coordinates");
        }
        leave_out_attributes(me, e,
                             (const char *const[]){"boundmass", "boundinertia", "balanceinertia", "settotalmass",
                                                   "inertiagrouprange", NULL});
    }
    for (const xml_element *e = sb_xml_child(root, "option"); e != NULL; e = sb_xml_next(e->next, "option")) {
        SB_TRY(sb_mjcf_numbers(me, e, "gravity", 3, 3, me->m->gravity, NULL));
        const xml_element *flag = sb_xml_child(e, "flag");
        if (sb_mjcf_is(sb_xml_attribute(flag, "gravity"), "disable")) {
            memset(me->m->gravity, 0, sizeof me->m->gravity);
        }
        for (const char *const *word = flag != NULL ? flag->attributes : NULL; word != NULL && *word != NULL;
             word += 2) {
            if (sb_mjcf_is(word[1], "disable") &&
                strstr("constraint equality frictionloss limit contact passive spring "
                       "damper actuation",
                       word[0]) != NULL) {
                sb_model_leave_out(me->m, flag, "%s=\"disable\"", word[0]);
            }
        }
        if (sb_xml_attribute(e, "density") != NULL || sb_xml_attribute(e, "viscosity") != NULL) {
            sb_model_leave_out(me->m, e, "the drag of a medium");
        }
    }
    return SB_OK;
}

/* Sections that do not move anything, or are read elsewhere. */
static bool is_known(const char *section) {
    static const char known[] = " compiler option default worldbody equality actuator keyframe asset visual statistic "
                                "size sensor custom ";
    const size_t length = strlen(section);
    const char *found = strstr(known, section);
    return found != NULL && found[-1] == ' ' && found[length] == ' ';
}

static const xml_element *find_key(const mjcf *me, const char *name) {
    const xml_element *root = me->m->file->root;
    for (const xml_element *s = sb_xml_child(root, "keyframe"); s != NULL; s = sb_xml_next(s->next, "keyframe")) {
        for (const xml_element *e = sb_xml_child(s, "key"); e != NULL; e = sb_xml_next(e->next, "key")) {
            if (sb_mjcf_is(sb_xml_attribute(e, "name"), name)) {
                return e;
            }
        }
    }
    return NULL;
}

int sb_import_mjcf(const xml_file *file, const char *key, model *m) {
    const xml_element *root = file->root, *start = NULL;
    mjcf me = {.m = m, .angle = SB_PI / 180.0, .euler = "xyz", .inertia_from_geoms = "auto", .autolimits = true};
    const int most = count_bodies(root);
    int control = 0, controls = 0;
    double *controlled;
    *m = (model){.file = file, .gravity = {0.0, 0.0, -9.81}};
    SB_NEW(file->arena, m->body, most);
    SB_NEW(file->arena, m->tie, most);
    SB_NEW(file->arena, m->shape, most);
    SB_NEW(file->arena, controlled, most);
    SB_TRY(read_compiler(&me));
    if (key[0] != '\0') {
        start = find_key(&me, key);
        if (start == NULL) {
            return sb_fail(file->ctx, SB_BAD_USAGE, "import: %s has no key %s", file->path, key);
        }
        SB_TRY(sb_mjcf_numbers(&me, start, "ctrl", 0, most, controlled, &controls));
    }
    for (const xml_element *s = root->first; s != NULL; s = s->next) {
        const bool world = strcmp(s->name, "worldbody") == 0;
        SB_TRY(world ? read_contents(&me, s, MODEL_GROUND, false) : SB_OK);
        if (!is_known(s->name)) {
            sb_model_leave_out(m, s, "this section");
        }
    }
    for (const xml_element *s = root->first; s != NULL; s = s->next) {
        const bool equality = strcmp(s->name, "equality") == 0, actuator = strcmp(s->name, "actuator") == 0;
        for (const xml_element *e = s->first; e != NULL && (equality || actuator); e = e->next) {
            SB_TRY(equality ? sb_mjcf_add_equality(&me, e)
                            : sb_mjcf_add_actuator(&me, e, control < controls ? controlled[control] : 0.0));
            control += actuator;
        }
    }
    return start != NULL ? sb_mjcf_start(&me, start) : SB_OK;
}
