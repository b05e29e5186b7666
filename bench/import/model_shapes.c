/* Writes the shapes of models and their contacts with planes of the ground. */
#include <string.h>

#include <stepbench/numerics/norm.h>
#include <stepbench/numerics/quaternion.h>

#include "bench/import/writer.h"

/* Sets a direction or a point of a shape in space. */
static void place(const model *m, const model_shape *s, const double r[3], bool point, double out[3]) {
    double own[3];
    sb_quaternion_rotate(s->e, s->e, r, own);
    for (int k = 0; k < 3; k++) {
        own[k] += point ? s->x[k] : 0.0;
    }
    if (s->body == MODEL_GROUND) {
        memcpy(out, own, sizeof own);
        return;
    }
    const model_body *b = &m->body[s->body];
    sb_quaternion_rotate(b->e, b->e, own, out);
    for (int k = 0; k < 3; k++) {
        out[k] += point ? b->x[k] : 0.0;
    }
}

/* Sets the sides of a box along the axes of its holder. Returns false if the box is turned against them. */
static bool set_sides(const model_writer *w, const model_shape *s, int holder, double sides[3]) {
    for (int k = 0; k < 3; k++) {
        double unit[3] = {0.0}, direction[3], axis[3] = {0.0};
        unit[k] = 1.0;
        place(w->m, s, unit, false, direction);
        sb_model_direction_in(w, holder, direction, axis);
        for (int i = 0; i < w->dimension; i++) {
            const double along = fabs(axis[i]);
            if (along > model_parallel && along < 1.0 - model_parallel) {
                return false;
            }
            sides[i] = along > 0.5 ? 2.0 * s->size[k] : sides[i];
        }
    }
    return true;
}

static void write_point(const model_writer *w, int holder, const double x[3], const char *before) {
    double local[3];
    sb_model_point_in(w, holder, x, local);
    sb_model_numbers(w, before, local, w->dimension);
}

/* Writes a shape as an item of "shapes". */
static void write_shape(const model_writer *w, const model_shape *s, const double sides[3], const char *before) {
    static const char *const words[] = {
        [MODEL_PLANE] = "plane", [MODEL_SPHERE] = "sphere", [MODEL_CAPSULE] = "capsule", [MODEL_BOX] = "box"};
    const int holder = sb_model_holder(w->m, s->body);
    double x[3], ends[2][3], normal[3], local[3];
    sb_model_text(w, before, s->name, ": {\"type\": ");
    sb_model_text(w, "", words[s->kind], ", \"body\": ");
    sb_model_text(w, "", holder == MODEL_GROUND ? "ground" : w->m->body[holder].name, "");
    if (s->kind == MODEL_CAPSULE) {
        for (int end = 0; end < 2; end++) {
            place(w->m, s, (const double[3]){0.0, 0.0, end == 0 ? s->size[1] : -s->size[1]}, true, ends[end]);
        }
        sb_model_pair(w, "points", (const int[2]){holder, holder}, ends, true);
    } else {
        place(w->m, s, (const double[3]){0.0, 0.0, 0.0}, true, x);
        write_point(w, holder, x, "point");
    }
    if (s->kind == MODEL_PLANE) {
        place(w->m, s, (const double[3]){0.0, 0.0, 1.0}, false, normal);
        sb_model_direction_in(w, holder, normal, local);
        sb_model_numbers(w, "normal", local, w->dimension);
    } else if (s->kind == MODEL_BOX) {
        sb_model_numbers(w, "size", sides, w->dimension);
    } else {
        sb_model_numbers(w, "radius", s->size, 1);
    }
    fputc('}', w->to);
}

/* Returns why a shape is not written, NULL if it is. */
static const char *why_not(const model_writer *w, const model_shape *s, double sides[3]) {
    const int holder = sb_model_holder(w->m, s->body);
    double z[3], across;
    place(w->m, s, (const double[3]){0.0, 0.0, 1.0}, false, z);
    across = fabs(sb_dot(3, z, w->plane[2]));
    if ((s->kind == MODEL_PLANE) != (holder == MODEL_GROUND)) {
        return holder == MODEL_GROUND ? "contacts of a shape of the ground that is no plane" : "a plane that moves";
    }
    if (w->dimension == 2 && (s->kind == MODEL_PLANE || s->kind == MODEL_CAPSULE) && across > model_parallel) {
        return "contacts of a shape that is not upright on the plane of the mechanism";
    }
    return s->kind == MODEL_BOX && !set_sides(w, s, holder, sides)
               ? "contacts of a box that is turned against the principal axes of its body"
               : NULL;
}

static bool meet(const model_shape *a, const model_shape *b) {
    return (a->type & b->affinity) != 0 || (b->type & a->affinity) != 0;
}

/* Writes the contacts with a plane. */
static void write_contacts(const model_writer *w, const model_shape *plane, const bool *written,
                           const char **separator) {
    const model *m = w->m;
    for (const model_shape *s = m->shape; s < m->shape + m->shapes; s++) {
        if (s->kind != MODEL_PLANE && written[s - m->shape] && meet(s, plane)) {
            const double friction = fmax(s->friction, plane->friction);
            sb_model_text(w, *separator, plane->name, ", ");
            sb_model_text(w, "", s->name, "]");
            sb_model_numbers(w, "friction", &friction, 1);
            fputc('}', w->to);
            *separator = ",\n        {\"shapes\": [";
        }
    }
}

int sb_model_write_shapes(const model_writer *w) {
    model *m = w->m;
    const char *separator = ",\n    \"shapes\": {\n        ";
    bool *written, planes = false;
    int moving = 0, count = 0;
    SB_NEW(m->file->arena, written, m->shapes);
    for (const model_shape *s = m->shape; s < m->shape + m->shapes; s++) {
        planes = planes || s->kind == MODEL_PLANE;
    }
    for (const model_shape *s = m->shape; s < m->shape + m->shapes && planes; s++) {
        double sides[3] = {0.0};
        const char *why = why_not(w, s, sides);
        moving += s->kind != MODEL_PLANE;
        if (why != NULL) {
            sb_model_leave_out(m, s->at, "%s", why);
            continue;
        }
        written[s - m->shape] = true;
        count++;
        write_shape(w, s, sides, separator);
        separator = ",\n        ";
    }
    if (moving > 1 || (!planes && m->shapes > 0)) {
        sb_model_leave_out(m, m->file->root, "the contacts of its geoms with each other");
    }
    if (count == 0) {
        return SB_OK;
    }
    fputs("\n    }", w->to);
    separator = ",\n    \"contacts\": [\n        {\"shapes\": [";
    const char *const none = separator;
    for (const model_shape *s = m->shape; s < m->shape + m->shapes; s++) {
        if (s->kind == MODEL_PLANE && written[s - m->shape]) {
            write_contacts(w, s, written, &separator);
        }
    }
    fputs(separator == none ? "" : "\n    ]", w->to);
    return SB_OK;
}
