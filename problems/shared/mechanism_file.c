/* Reads the bodies, outputs and lists of parts of a mechanism from a JSON file. */
#include "problems/shared/mechanism_file.h"

/* ---- Bodies. ---- */

/* Reads a body in space into J, x and its rate. */
static int read_spatial(const node *at, sb_scalar J[4], sb_scalar *x, sb_scalar rate[3]) {
    const node inertia = sb_node_member(at, "inertia"), attitude = sb_node_member(at, "quaternion");
    sb_scalar square = 0.0;
    SB_TRY(sb_node_numbers(&inertia, 3, J + 1));
    for (int k = 1; k < 4; k++) {
        if (!(J[k] >= 0.0)) {
            const node wrong = sb_node_item(&inertia, k - 1);
            return NODE_FAIL(&wrong, "%g is too small; take a number from 0 on", (double)J[k]);
        }
    }
    J[0] = (J[1] + J[2] + J[3]) / 3.0;
    x[BODY_E] = 1.0;
    SB_TRY(sb_node_vector(at, "quaternion", false, 4, x + BODY_E));
    SB_TRY(sb_node_vector(at, "rate", false, 3, rate));
    for (int j = 0; j < 4; j++) {
        square += x[BODY_E + j] * x[BODY_E + j];
    }
    if (!(square > 0.0)) {
        return NODE_FAIL(&attitude, "a quaternion that is not 0 is needed");
    }
    for (int j = 0; j < 4; j++) {
        x[BODY_E + j] /= sqrt(square);
    }
    return SB_OK;
}

/* Notes moments of inertia that no body has: J_1 = int (y^2 + z^2) dm is at most J_2 + J_3. Files have six digits and
 * more. */
static int note_inertia(const node *at, const sb_scalar J[3], mechanism *p) {
    const sb_scalar sum = J[0] + J[1] + J[2], most = fmax(J[0], fmax(J[1], J[2]));
    char *text;
    if (most <= (sum - most) * (1.0 + 1e-6) || p->note != NULL) {
        return SB_OK;
    }
    SB_PRINT(at->from->arena, text,
             "%s: no body has these moments of inertia: %g exceeds the sum of the others, %g; are they principal "
             "moments about the centre of mass, in one unit?",
             at->path, (double)most, (double)(sum - most));
    p->note = text;
    return SB_OK;
}

static int no_memory(const node *at) {
    return sb_fail(at->from->ctx, SB_NO_MEMORY, "%s: out of memory for %s", at->from->what, at->from->file);
}

static int read_body(const node *at, mechanism *p, const char *name) {
    const node inertia = sb_node_member(at, "inertia");
    const bool planar = json_is_number(inertia.value);
    const int dimension = planar ? 2 : 3;
    joints_body made = {.planar = planar};
    sb_scalar *x = p->q0 + p->joints->n, *v = p->v0 + p->joints->n;
    if (!json_is_object(at->value)) {
        return NODE_FAIL(at, "an object {...} is needed");
    }
    if (strcmp(name, "ground") == 0) {
        return NODE_FAIL(at, "the name ground is reserved for the fixed frame; choose another one");
    }
    if (inertia.value == NULL || !(planar || json_is_array(inertia.value))) {
        return NODE_FAIL(inertia.value != NULL ? &inertia : at,
                         "the inertia is needed: a number in the plane, or a list of 3 in space");
    }
    if (p->joints->nbodies > 0 && dimension != p->dimension) {
        return NODE_FAIL(&inertia, "this body is in %s, the first one in %s; take one kind",
                         planar ? "the plane" : "space", planar ? "space" : "the plane");
    }
    p->dimension = dimension;
    SB_TRY(sb_node_keys(at, planar ? "mass|inertia|position|angle|velocity|rate"
                                   : "mass|inertia|position|quaternion|velocity|rate"));
    SB_TRY(sb_node_number(at, "mass", -SB_EPSILON, NAN, &made.rigid.m));
    SB_TRY(sb_node_vector(at, "position", false, dimension, x));
    SB_TRY(sb_node_vector(at, "velocity", false, dimension, v));
    if (planar) {
        SB_TRY(sb_node_number(at, "inertia", -SB_EPSILON, NAN, &made.rigid.J[0]));
        SB_TRY(sb_node_number(at, "angle", -INFINITY, 0.0, &x[PLANAR_PHI]));
        SB_TRY(sb_node_number(at, "rate", -INFINITY, 0.0, &v[PLANAR_PHI]));
    } else {
        SB_TRY(read_spatial(at, made.rigid.J, x, p->rate[p->joints->nbodies]));
        SB_TRY(note_inertia(&inertia, made.rigid.J + 1, p));
    }
    bool *moves_v = p->moves_v + p->joints->n, *given = p->given + p->joints->n;
    for (int k = 0; k < (planar ? PLANAR_COORDINATES : BODY_COORDINATES); k++) {
        given[k] = sb_node_member(at, k < dimension ? "position" : planar ? "angle" : "quaternion").value != NULL;
        moves_v[k] = sb_node_member(at, k < dimension ? "velocity" : "rate").value == NULL;
    }
    const int number = sb_joints_add_body(p->joints, made);
    p->names[number] = name;
    return json_object_set_new(p->numbers, name, json_integer(number)) == 0 ? SB_OK : no_memory(at);
}

static int read_bodies(const node *root, mechanism *p) {
    const node at = sb_node_member(root, "bodies");
    const char *name;
    json_t *value;
    if (!json_is_object(at.value) || json_object_size(at.value) == 0) {
        return NODE_FAIL(at.value != NULL ? &at : root,
                         "\"bodies\": {name: {...}, ...} with one body at least is needed");
    }
    json_object_foreach((json_t *)at.value, name, value) {
        const node described = sb_node_member(&at, name);
        SB_TRY(sb_poll(root->from->ctx));
        SB_TRY(read_body(&described, p, name));
    }
    return SB_OK;
}

int sb_mechanism_read_body(const node *at, const mechanism *p, bool ground, int *out) {
    const char *name = json_string_value(at->value);
    if (name == NULL) {
        return NODE_FAIL(at, "the name of a body in quotes is needed");
    }
    const json_t *number = json_object_get(p->numbers, name);
    *out = number != NULL ? (int)json_integer_value(number) : JOINTS_GROUND;
    return number != NULL || (ground && strcmp(name, "ground") == 0)
               ? SB_OK
               : NODE_FAIL(at, "there is no body %s%s", name,
                           ground ? "; the others are under \"bodies\", and ground" : "");
}

/* ---- The start and the outputs. ---- */

/* Excludes a coordinate, "crank.angle", from the solve for the start. */
static int read_independent(const node *at, mechanism *p) {
    static const char *const parts[] = {"x", "y", "z", "attitude"}, *const planar[] = {"x", "y", "angle"};
    const bool spatial = p->dimension == 3;
    const char *name = json_string_value(at->value), *dot = name != NULL ? strrchr(name, '.') : NULL;
    char *of = "";
    if (dot != NULL) {
        SB_PRINT(at->from->arena, of, "%.*s", (int)(dot - name), name);
    }
    const json_t *number = json_object_get(p->numbers, of);
    for (int k = 0; k < (spatial ? 4 : 3) && number != NULL; k++) {
        if (strcmp(dot + 1, spatial ? parts[k] : planar[k]) == 0) {
            for (int j = 0; j < (k == 3 ? 4 : 1); j++) {
                p->moves[p->joints->body[json_integer_value(number)].at + k + j] = false;
            }
            return SB_OK;
        }
    }
    return NODE_FAIL(at, "a coordinate is needed, BODY.%s", spatial ? "x, .y, .z or .attitude" : "x, .y or .angle");
}

static int add_output(const node *at, mechanism *p, const char *name, const char *ending, const char *unit,
                      const char *doc) {
    char *text;
    SB_PRINT(at->from->arena, text, "%s%s", name, ending);
    p->output[p->noutputs++] = (sb_output){text, unit, doc, false};
    return SB_OK;
}

static const char no_measure[] = "the \"name\" of a revolute or prismatic joint is needed";

int sb_mechanism_name_part(const node *at, mechanism *p) {
    const node name = sb_node_member(at, "name");
    const int part = p->joints->nparts - 1;
    if (name.value == NULL) {
        return SB_OK;
    }
    SB_TRY(sb_node_word(at, "name", &p->joints->part[part].name));
    if (json_object_get(p->parts, p->joints->part[part].name) != NULL) {
        return NODE_FAIL(&name, "another joint has this name");
    }
    return json_object_set_new(p->parts, p->joints->part[part].name, json_integer(part)) == 0 ? SB_OK : no_memory(at);
}

/* Returns the part with a name; -1 if there is none. */
static int find_part(const mechanism *p, const char *name) {
    const json_t *part = name != NULL ? json_object_get(p->parts, name) : NULL;
    return part != NULL ? (int)json_integer_value(part) : -1;
}

int sb_mechanism_read_measure(const node *at, const mechanism *p, joint_measure *out, sb_world_kind *kind) {
    const int part = find_part(p, json_string_value(at->value));
    if (part < 0) {
        return NODE_FAIL(at, no_measure);
    }
    *kind = p->joints->part[part].kind;
    return sb_mechanism_measure(at, p, part, out);
}

/* Adds the outputs of the angle or displacement of a part that is a revolute or prismatic joint. */
static int observe_joint(const node *at, const char *name, int part, mechanism *p) {
    const bool turns = p->joints->part[part].kind == SB_REVOLUTE;
    mechanism_observed *o = &p->observed[p->nobserved++];
    o->joint = true;
    SB_TRY(sb_mechanism_measure(at, p, part, &o->y));
    SB_TRY(add_output(at, p, name, "", turns ? "rad" : "m", turns ? "angle of a joint" : "displacement of a joint"));
    return add_output(at, p, name, "_rate", turns ? "rad/s" : "m/s", "its rate");
}

static int read_output(const node *at, const char *name, mechanism *p) {
    static const char *const axis[] = {"_x", "_y", "_z"};
    const node holder = sb_node_member(at, "body"), joint = sb_node_member(at, "joint");
    if (joint.value != NULL) {
        const int part = find_part(p, json_string_value(joint.value));
        SB_TRY(sb_node_keys(at, "joint"));
        return part < 0 ? NODE_FAIL(&joint, no_measure) : observe_joint(&joint, name, part, p);
    }
    mechanism_observed *o = &p->observed[p->nobserved++];
    o->point.point = true;
    SB_TRY(sb_node_keys(at, "body|point"));
    SB_TRY(sb_mechanism_read_body(&holder, p, false, &o->point.body));
    SB_TRY(sb_node_vector(at, "point", false, p->dimension, o->point.a));
    for (int k = 0; k < p->dimension; k++) {
        SB_TRY(add_output(at, p, name, axis[k], "m", "position of a point"));
    }
    return SB_OK;
}

/* Reads the outputs, and adds those of joints that have a name. */
static int read_outputs(const node *root, mechanism *p) {
    const node at = sb_node_member(root, "outputs");
    const char *name;
    json_t *value;
    if (at.value != NULL && !json_is_object(at.value)) {
        return NODE_FAIL(&at, "an object {name: {\"body\": ..., \"point\": [...]}, name: {\"joint\": ...}} is needed");
    }
    json_object_foreach((json_t *)at.value, name, value) {
        const node described = sb_node_member(&at, name);
        SB_TRY(read_output(&described, name, p));
    }
    for (int k = 0; k < p->joints->nparts; k++) {
        const sb_world_part *part = &p->joints->part[k];
        if (part->name != NULL && (part->kind == SB_REVOLUTE || part->kind == SB_PRISMATIC) &&
            json_object_get(at.value, part->name) == NULL) {
            SB_TRY(observe_joint(&at, part->name, k, p));
        }
    }
    return SB_OK;
}

/* ---- The file. ---- */

/* The numbers of parts before an item of a list is read. */
typedef struct part_counts {
    int parts, rows, sums, drives, drivers;
} part_counts;

static part_counts count_parts(const joints *j) {
    return (part_counts){j->nparts, j->nrows, j->nsums, j->ndrives, j->ndrivers};
}

/* Declares the force and the torque of the joint or driver that an item has added last. */
static void add_reaction(const char *name, const part_counts *before, joints *j) {
    joint_reaction r = {.name = name,
                        .row = before->rows,
                        .rows = j->nrows - before->rows,
                        .driver = before->drivers,
                        .drivers = j->ndrivers - before->drivers,
                        .sum = j->nsums > before->sums ? before->sums : -1,
                        .drive = j->ndrives > before->drives ? j->drive[before->drives] : NULL,
                        .body = {JOINTS_GROUND, JOINTS_GROUND}};
    if (j->nparts == before->parts) { /* the driver of a velocity is no part */
        r.body[1] = j->driver[r.driver].body;
    } else {
        const sb_world_part *part = &j->part[before->parts];
        memcpy(r.body, part->body, sizeof r.body);
        memcpy(r.point.a, part->point[1], sizeof r.point.a);
    }
    r.point.body = r.body[1];
    r.point.point = true;
    j->reaction[j->nreactions++] = r;
}

/* Names the rows, the sum and the nonholonomic rows that an item of a list has added, and its reaction, unless it
 * couples joints. */
static int name_rows(const node *item, const part_counts *before, mechanism *p) {
    const char *type = json_string_value(sb_node_member(item, "type").value),
               *called = json_string_value(sb_node_member(item, "name").value),
               *turned = json_string_value(sb_node_member(item, "body").value);
    const node bodies = sb_node_member(item, "bodies"), coupled = sb_node_member(item, "joints"),
               pair = bodies.value != NULL ? bodies : coupled;
    joints *j = p->joints;
    char *name, *path;
    if (j->nrows == before->rows && j->nsums == before->sums && j->ndrivers == before->drivers) {
        return SB_OK;
    }
    if (coupled.value == NULL) {
        SB_PRINT(item->from->arena, path, "%s", called != NULL ? called : item->path);
        add_reaction(path, before, j);
    }
    SB_PRINT(item->from->arena, name, "%s %s %s%s%s%s%s", item->path, type != NULL ? type : "driver",
             turned != NULL ? turned : json_string_value(sb_node_item(&pair, 0).value), turned != NULL ? "" : "-",
             turned != NULL ? "" : json_string_value(sb_node_item(&pair, 1).value), called != NULL ? " " : "",
             called != NULL ? called : "");
    for (int i = before->rows; i < j->nrows; i++) {
        p->rows[i] = name;
    }
    if (j->nsums > before->sums) {
        p->sums[before->sums] = name;
    }
    for (int i = before->drivers; i < j->ndrivers; i++) {
        p->drivers[i] = name;
    }
    return SB_OK;
}

/* Reads the items of a member that is a list. */
static int read_list(const node *root, const char *key, int (*read)(const node *at, mechanism *p), mechanism *p) {
    const node at = sb_node_member(root, key);
    int count;
    SB_TRY(sb_node_count(&at, &count));
    for (int k = 0; k < count; k++) {
        const node item = sb_node_item(&at, k);
        const part_counts before = count_parts(p->joints);
        SB_TRY(sb_poll(root->from->ctx));
        SB_TRY(read(&item, p));
        SB_TRY(name_rows(&item, &before, p));
    }
    return SB_OK;
}

static void free_numbers(void *numbers) { json_decref(numbers); }

/* Allocates the parts. A joint has at most six rows and two nonholonomic ones, a body and a driver have one. */
static int allocate(const node *root, mechanism *p) {
    static const char *const lists[] = {"joints", "springs", "drivers", "forces"};
    sb_arena *arena = root->from->arena;
    const int bodies = (int)json_object_size(sb_node_member(root, "bodies").value),
              outputs = (int)json_object_size(sb_node_member(root, "outputs").value);
    int count[4];
    for (int k = 0; k < 4; k++) {
        const node at = sb_node_member(root, lists[k]);
        SB_TRY(sb_node_count(&at, &count[k]));
    }
    json_t **const indices[] = {&p->numbers, &p->parts};
    for (int k = 0; k < 2; k++) {
        *indices[k] = json_object();
        SB_TRY(*indices[k] != NULL ? sb_arena_own(arena, *indices[k], free_numbers) : no_memory(root));
    }
    SB_NEW(arena, p->names, bodies);
    SB_TRY(SB_VECTORS(arena, BODY_COORDINATES * bodies, &p->q0, &p->v0));
    SB_NEW(arena, p->given, BODY_COORDINATES * bodies);
    SB_NEW(arena, p->moves, BODY_COORDINATES * bodies);
    SB_NEW(arena, p->moves_v, BODY_COORDINATES * bodies);
    SB_NEW(arena, p->rate, bodies);
    SB_NEW(arena, p->observed, outputs + count[0]);
    SB_NEW(arena, p->output, 3 * outputs + 2 * count[0]);
    memset(p->moves, true, (size_t)(BODY_COORDINATES * bodies));
    SB_NEW(arena, p->sums, count[0]);
    SB_NEW(arena, p->drivers, 2 * count[0] + count[2]);
    SB_NEW(arena, p->rows, 6 * count[0] + bodies + count[2]);
    SB_TRY(sb_joints_new(arena, bodies, 6 * count[0] + bodies + count[2], count[0] + count[1] + count[3],
                         2 * count[0] + count[2], count[3], &p->joints));
    SB_NEW(arena, p->joints->reaction, count[0] + count[2]);
    return SB_OK;
}

int sb_mechanism_read(const node *root, mechanism *p) {
    SB_TRY(sb_node_keys(root, "gravity|time_scale|period|bodies|joints|springs|drivers|forces|independent|outputs|"
                              "shapes|contacts"));
    SB_TRY(allocate(root, p));
    SB_TRY(read_bodies(root, p));
    SB_TRY(sb_node_vector(root, "gravity", false, p->dimension, p->joints->gravity));
    SB_TRY(sb_node_number(root, "time_scale", 0.0, 0.0, &p->time_scale));
    SB_TRY(sb_node_number(root, "period", 0.0, 0.0, &p->period));
    SB_TRY(read_list(root, "joints", sb_mechanism_read_joint, p));
    SB_TRY(read_list(root, "springs", sb_mechanism_read_spring, p));
    SB_TRY(read_list(root, "forces", sb_mechanism_read_force, p));
    SB_TRY(read_list(root, "independent", read_independent, p));
    SB_TRY(read_outputs(root, p));
    SB_TRY(sb_mechanism_read_shapes(root, p));
    const int before = p->joints->nrows;
    sb_joints_add_quaternions(p->joints);
    for (int i = before; i < p->joints->nrows; i++) {
        SB_PRINT(root->from->arena, p->rows[i], "the quaternion of %s", p->names[i - before]);
    }
    SB_TRY(read_list(root, "drivers", sb_mechanism_read_driver, p));
    memcpy(p->rows + p->joints->nrows, p->sums, (size_t)p->joints->nsums * sizeof *p->sums);
    return SB_OK;
}
