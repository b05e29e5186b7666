/* Writes worlds as JSON. */
#include "bench/engine/world.h"

#include <string.h>

#include "core/base/format.h"
#include "core/output/json.h"

int sb_world_start_new(sb_context *ctx, sb_arena *arena, const sb_system *sys, sb_world_start *out) {
    const sb_world *world = sys->world;
    sb_scalar *q, *v;
    if (world == NULL) {
        return sb_fail(ctx, SB_UNSUPPORTED, "%s has no world: it does not offer its bodies in maximal coordinates",
                       sys->name);
    }
    *out = (sb_world_start){.ctx = ctx, .world = world, .time_scale = sys->time_scale};
    SB_TRY(world->describe(world->self, arena, &out->parts));
    SB_TRY(SB_VECTORS(arena, world->bodies * SB_POSE_MAX, &out->pose, &out->twist));
    SB_TRY(SB_VECTORS(arena, sys->n, &q, &v));
    SB_TRY(sys->initial(sys->self, &out->t, q, v));
    return world->place(world->self, q, v, out->pose, out->twist);
}

void sb_json_numbers(const sb_scalar *x, int count, FILE *to) {
    char text[32];
    fputc('[', to);
    for (int i = 0; i < count; i++) {
        sb_format_real(x[i] + 0.0, text); /* 0 in place of -0 */
        fprintf(to, "%s%s", i > 0 ? ", " : "", text);
    }
    fputc(']', to);
}

/* ---- Members of an object, each after a comma. ---- */

static void number(const char *key, sb_scalar x, FILE *to) {
    char text[32];
    sb_format_real(x + 0.0, text); /* 0 in place of -0 */
    fprintf(to, ", \"%s\": %s", key, text);
}

static void vector(const char *key, const sb_scalar *x, int count, FILE *to) {
    fprintf(to, ", \"%s\": ", key);
    sb_json_numbers(x, count, to);
}

static void two_vectors(const char *key, const sb_scalar x[2][3], int count, FILE *to) {
    fprintf(to, ", \"%s\": [", key);
    sb_json_numbers(x[0], count, to);
    fputs(", ", to);
    sb_json_numbers(x[1], count, to);
    fputc(']', to);
}

static void motion(const char *key, const sb_world_motion *m, FILE *to) {
    char offset[32];
    sb_format_real(m->offset, offset);
    fprintf(to, ", \"%s\": {\"offset\": %s", key, offset);
    number("rate", m->rate, to);
    number("amplitude", m->amplitude, to);
    number("frequency", m->frequency, to);
    number("phase", m->phase, to);
    for (int i = 0; i < m->knots; i++) {
        fputs(i == 0 ? ", \"table\": [" : ", ", to);
        sb_json_numbers((const sb_scalar[2]){m->t[i], m->value[i]}, 2, to);
        fputs(i == m->knots - 1 ? "]" : "", to);
    }
    if (m->knots > 0) {
        fprintf(to, ", \"interpolation\": \"%s\"", m->interpolation);
    }
    fputc('}', to);
}

/* ---- Bodies and parts. ---- */

static void write_body(const sb_world_start *me, int b, FILE *to) {
    const sb_world_body *body = &me->parts.body[b];
    const bool planar = me->world->dimension == 2;
    const sb_scalar *x = me->pose + sb_world_pose(me->world) * b, *v = me->twist + sb_world_twist(me->world) * b;
    char mass[32];
    sb_format_real(body->mass, mass);
    (void)sb_json_write_text(me->ctx, to, body->name); /* the caller checks the stream */
    fprintf(to, ": {\"mass\": %s", mass);
    if (planar) {
        number("inertia", body->inertia[2], to);
        vector("position", x, 2, to);
        number("angle", x[2], to);
        vector("velocity", v, 2, to);
        number("rate", v[2], to);
    } else {
        vector("inertia", body->inertia, 3, to);
        vector("position", x, 3, to);
        vector("quaternion", x + 3, 4, to);
        vector("velocity", v, 3, to);
        vector("rate", v + 3, 3, to);
    }
    fputc('}', to);
}

static const struct {
    const char *list, *word;
} kinds[] = {
#define KIND(kind, list, word, meaning) {list, word},
    SB_WORLD_PART_LIST(KIND)
#undef KIND
};

static const char *name_of(const sb_world_start *me, int body) {
    return body == SB_GROUND ? "ground" : me->parts.body[body].name;
}

bool sb_world_moves(const sb_world_motion *m) {
    return m->offset != 0.0 || m->rate != 0.0 || m->amplitude != 0.0 || m->knots > 0;
}

bool sb_world_drive_acts(const sb_world_drive *d) {
    return d != NULL && (d->stiffness != 0.0 || d->damping != 0.0 || d->armature != 0.0 || d->friction != 0.0 ||
                         d->limit_stiffness != 0.0 || sb_world_moves(&d->effort));
}

/* Writes the members of what acts in a joint that are not 0. */
static void write_drive(const sb_world_start *me, const sb_world_part *part, FILE *to) {
    const sb_world_drive *d = part->drive;
    const struct {
        const char *key;
        sb_scalar value;
    } numbers[] = {{"stiffness", d->stiffness},
                   {"damping", d->damping},
                   {"armature", d->armature},
                   {"friction", d->friction},
                   {"limit_stiffness", d->limit_stiffness},
                   {"limit_damping", d->limit_damping}};
    const struct {
        const char *key;
        const sb_world_motion *value;
    } motions[] = {{"target", &d->target},
                   {"target_rate", &d->target_rate},
                   {part->kind == SB_REVOLUTE ? "torque" : "force", &d->effort}};
    if (part->kind == SB_REVOLUTE && me->world->dimension == 3) {
        two_vectors("references", d->reference, 3, to);
    }
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        if (numbers[k].value != 0.0) {
            number(numbers[k].key, numbers[k].value, to);
        }
    }
    for (size_t k = 0; k < sizeof motions / sizeof *motions; k++) {
        if (sb_world_moves(motions[k].value)) {
            motion(motions[k].key, motions[k].value, to);
        }
    }
    if (d->limit_stiffness != 0.0) {
        vector("limits", d->limit, 2, to);
    }
}

/* Writes the bodies of a part, or for joints of joints their names. */
static void write_holders(const sb_world_start *me, const sb_world_part *part, FILE *to) {
    const bool alone = part->kind == SB_DRIVEN_RATE || part->kind == SB_TORQUE;
    fputs(alone ? "\"body\": " : part->of[0] != NULL ? "\"joints\": [" : "\"bodies\": [", to);
    for (int s = alone; s < 2; s++) {
        (void)sb_json_write_text(me->ctx, to, part->of[s] != NULL ? part->of[s] : name_of(me, part->body[s]));
        fputs(alone ? "" : s == 0 ? ", " : "]", to);
    }
}

/* Writes the points and axes of a part. */
static void write_vectors(const sb_world_start *me, const sb_world_part *part, FILE *to) {
    const int dimension = me->world->dimension;
    const sb_world_kind kind = part->kind;
    const bool alone = kind == SB_DRIVEN_RATE || kind == SB_TORQUE, spatial = dimension == 3;
    if (kind == SB_FORCE) {
        vector("point", part->point[1], dimension, to);
    } else if (!alone && kind != SB_DRIVEN_ANGLE && part->of[0] == NULL) {
        two_vectors("points", part->point, dimension, to);
    }
    if (kind == SB_UNIVERSAL || kind == SB_PRISMATIC || kind == SB_CYLINDRICAL || kind == SB_PLANAR ||
        (spatial && (kind == SB_REVOLUTE || kind == SB_ROLLING || kind == SB_DRIVEN_ANGLE))) {
        two_vectors("axes", part->axis, dimension, to);
    } else if (kind == SB_DRIVEN_DISPLACEMENT || kind == SB_FORCE || kind == SB_POINT_LINE || kind == SB_POINT_PLANE ||
               kind == SB_ROLLING || (alone && spatial)) {
        vector("axis", part->axis[0], dimension, to);
    } else if (kind == SB_PULLEY) {
        two_vectors("guides", part->axis, dimension, to);
    }
}

static void write_part(const sb_world_start *me, const sb_world_part *part, FILE *to) {
    const sb_world_kind kind = part->kind;
    const char *word = kinds[kind].word;
    const bool joint = kind < SB_SPRING;
    fputc('{', to);
    if (joint) {
        fprintf(to, "\"type\": \"%s\", ", word);
    }
    if (part->name != NULL) {
        fputs("\"name\": ", to);
        (void)sb_json_write_text(me->ctx, to, part->name);
        fputs(", ", to);
    }
    write_holders(me, part, to);
    write_vectors(me, part, to);
    if (part->drive != NULL) {
        write_drive(me, part, to);
    }
    switch (kind) {
    case SB_SPRING:
        number("stiffness", part->stiffness, to);
        number("length", part->length, to);
        number("damping", part->damping, to);
        break;
    case SB_DISTANCE: number("length", part->length, to); break;
    case SB_RACK:
    case SB_ROLLING: number("radius", part->length, to); break;
    case SB_PULLEY: number("ratio", part->factor[1], to); break;
    case SB_GEAR: vector("teeth", part->factor, 2, to); break;
    case SB_DRIVEN_RATE: number("rate", part->motion.rate, to); break;
    default:
        if (!joint) {
            motion(word, &part->motion, to);
        }
    }
    fputc('}', to);
}

/* ---- Shapes and contacts. ---- */

static void write_shape(const sb_world_start *me, int k, FILE *to) {
    static const char *const words[] = {
        [SB_PLANE] = "plane", [SB_SPHERE] = "sphere", [SB_BOX] = "box", [SB_CAPSULE] = "capsule"};
    const sb_world_shape *shape = &me->parts.shape[k];
    const int dimension = me->world->dimension;
    (void)sb_json_write_text(me->ctx, to, shape->name);
    fprintf(to, ": {\"type\": \"%s\", \"body\": ", words[shape->kind]);
    (void)sb_json_write_text(me->ctx, to, name_of(me, shape->body));
    if (shape->kind == SB_CAPSULE) {
        two_vectors("points", shape->point, dimension, to);
    } else {
        vector("point", shape->point[0], dimension, to);
    }
    if (shape->kind == SB_PLANE) {
        vector("normal", shape->normal, dimension, to);
    } else if (shape->kind == SB_BOX) {
        vector("size", shape->size, dimension, to);
    } else {
        number("radius", shape->radius, to);
    }
    fputc('}', to);
}

static void write_contact(const sb_world_start *me, int k, FILE *to) {
    const sb_world_contact *contact = &me->parts.contact[k];
    fputs("{\"shapes\": [", to);
    (void)sb_json_write_text(me->ctx, to, me->parts.shape[contact->shape[0]].name);
    fputs(", ", to);
    (void)sb_json_write_text(me->ctx, to, me->parts.shape[contact->shape[1]].name);
    fputc(']', to);
    number("friction", contact->friction, to);
    number("restitution", contact->restitution, to);
    fputc('}', to);
}

/* ---- The description. ---- */

/* The members of the description: lists of parts, and the others, which have `write`. */
static const struct member {
    const char *key, *brackets;
    void (*write)(const sb_world_start *me, int k, FILE *to);
} members[] = {{"bodies", "{}", write_body},     {"joints", "[]", NULL}, {"springs", "[]", NULL},
               {"drivers", "[]", NULL},          {"forces", "[]", NULL}, {"shapes", "{}", write_shape},
               {"contacts", "[]", write_contact}};

/* Writes item k of a member, the first one after its key. */
static void write_item(const sb_world_start *me, const struct member *m, int k, int *count, bool lines, FILE *to) {
    if (m->write == NULL && strcmp(kinds[me->parts.part[k].kind].list, m->key) != 0) {
        return;
    }
    if (*count == 0) {
        fprintf(to, ",%s\"%s\": %c", lines ? "\n    " : " ", m->key, m->brackets[0]);
    }
    fprintf(to, "%s%s", (*count)++ > 0 ? "," : "", lines ? "\n        " : " ");
    if (m->write != NULL) {
        m->write(me, k, to);
    } else {
        write_part(me, &me->parts.part[k], to);
    }
}

void sb_world_write_json(const sb_world_start *me, bool lines, FILE *to) {
    const sb_world_parts *parts = &me->parts;
    const int counts[] = {parts->bodies, parts->parts,  parts->parts,   parts->parts,
                          parts->parts,  parts->shapes, parts->contacts};
    const char *outer = lines ? "\n    " : " ";
    char scale[32];
    sb_format_real(me->time_scale, scale);
    fprintf(to, "{%s\"gravity\": ", lines ? outer : "");
    sb_json_numbers(parts->gravity, me->world->dimension, to);
    fprintf(to, ",%s\"time_scale\": %s", outer, scale);
    for (size_t k = 0; k < sizeof members / sizeof *members; k++) {
        int count = 0;
        for (int i = 0; i < counts[k]; i++) {
            write_item(me, &members[k], i, &count, lines, to);
        }
        if (count > 0) {
            fprintf(to, "%s%c", outer, members[k].brackets[1]);
        }
    }
    fputs(lines ? "\n}\n" : "}", to);
}
