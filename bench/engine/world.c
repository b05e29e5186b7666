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

static void write_part(const sb_world_start *me, const sb_world_part *part, FILE *to) {
    const int dimension = me->world->dimension;
    const sb_world_kind kind = part->kind;
    const char *word = kinds[kind].word;
    const bool joint = kind <= SB_DISTANCE, alone = kind == SB_DRIVEN_RATE || kind == SB_TORQUE;
    fputc('{', to);
    if (joint) {
        fprintf(to, "\"type\": \"%s\", ", word);
    }
    fputs(alone ? "\"body\": " : "\"bodies\": [", to);
    for (int s = alone; s < 2; s++) {
        (void)sb_json_write_text(me->ctx, to, name_of(me, part->body[s]));
        fputs(alone ? "" : s == 0 ? ", " : "]", to);
    }
    if (kind == SB_FORCE) {
        vector("point", part->point[1], dimension, to);
    } else if (!alone && kind != SB_DRIVEN_ANGLE) {
        two_vectors("points", part->point, dimension, to);
    }
    if (kind == SB_UNIVERSAL || kind == SB_PRISMATIC ||
        (dimension == 3 && (kind == SB_REVOLUTE || kind == SB_DRIVEN_ANGLE))) {
        two_vectors("axes", part->axis, dimension, to);
    }
    if (kind == SB_DRIVEN_DISPLACEMENT || kind == SB_FORCE || (alone && dimension == 3)) {
        vector("axis", part->axis[0], dimension, to);
    }
    if (kind == SB_SPRING) {
        number("stiffness", part->stiffness, to);
        number("length", part->length, to);
        number("damping", part->damping, to);
    } else if (kind == SB_DISTANCE) {
        number("length", part->length, to);
    } else if (kind == SB_DRIVEN_RATE) {
        number("rate", part->motion.rate, to);
    } else if (!joint) {
        motion(word, &part->motion, to);
    }
    fputc('}', to);
}

/* Writes the parts that belong to a list of the description. */
static void write_list(const sb_world_start *me, const char *list, const char *separator, const char *end, FILE *to) {
    int count = 0;
    for (int k = 0; k < me->parts.parts; k++) {
        if (strcmp(kinds[me->parts.part[k].kind].list, list) == 0) {
            if (count == 0) {
                fprintf(to, ",%s\"%s\": [", end, list);
            }
            fprintf(to, "%s%s", count++ > 0 ? "," : "", separator);
            write_part(me, &me->parts.part[k], to);
        }
    }
    if (count > 0) {
        fprintf(to, "%s]", end);
    }
}

void sb_world_write_json(const sb_world_start *me, bool lines, FILE *to) {
    static const char *const lists[] = {"joints", "springs", "drivers", "forces"};
    const char *inner = lines ? "\n        " : " ", *outer = lines ? "\n    " : " ";
    char scale[32];
    sb_format_real(me->time_scale, scale);
    fprintf(to, "{%s\"gravity\": ", lines ? outer : "");
    sb_json_numbers(me->parts.gravity, me->world->dimension, to);
    fprintf(to, ",%s\"time_scale\": %s,%s\"bodies\": {", outer, scale, outer);
    for (int b = 0; b < me->parts.bodies; b++) {
        fprintf(to, "%s%s", b > 0 ? "," : "", inner);
        write_body(me, b, to);
    }
    fprintf(to, "%s}", outer);
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) {
        write_list(me, lists[k], inner, outer, to);
    }
    fputs(lines ? "\n}\n" : "}", to);
}
