/* Writes models as the description that the problem `mechanism` reads: each body has its centre of mass and its
 * principal axes. A model whose joints turn about parallel axes and slide across them is written in their plane. */
#include "bench/import/writer.h"

#include <string.h>

#include <stepbench/numerics/norm.h>
#include <stepbench/numerics/quaternion.h>

#include "bench/engine/world.h"
#include "core/base/format.h"
#include "core/base/text.h"
#include "core/output/json.h"

/* What stands between two items of a list, and before its first joint. */
static const char between[] = ",\n        ", first[] = ",\n    \"joints\": [\n        ";

int sb_model_holder(const model *m, int body) { return body == MODEL_GROUND ? MODEL_GROUND : m->body[body].holder; }

/* ---- Numbers and vectors. ---- */

void sb_model_numbers(const model_writer *w, const char *key, const double *x, int count) {
    char text[32];
    fprintf(w->to, ", \"%s\": %s", key, count > 1 ? "[" : "");
    for (int i = 0; i < count; i++) {
        sb_format_real(x[i] + 0.0, text); /* 0 in place of -0 */
        fprintf(w->to, "%s%s", i > 0 ? ", " : "", text);
    }
    fputs(count > 1 ? "]" : "", w->to);
}

void sb_model_text(const model_writer *w, const char *before, const char *word, const char *after) {
    fputs(before, w->to);
    (void)sb_json_write_text(w->m->file->ctx, w->to, word); /* the caller checks the stream */
    fputs(after, w->to);
}

void sb_model_direction_in(const model_writer *w, int holder, const double x[3], double out[3]) {
    const double *e = holder == MODEL_GROUND ? NULL : w->m->body[holder].principal;
    if (w->dimension == 2) {
        const double c = holder == MODEL_GROUND ? 1.0 : cos(w->angle[holder]),
                     s = holder == MODEL_GROUND ? 0.0 : sin(w->angle[holder]), u = sb_dot(3, w->plane[0], x),
                     v = sb_dot(3, w->plane[1], x);
        out[0] = c * u + s * v;
        out[1] = c * v - s * u;
    } else if (e == NULL) {
        memcpy(out, x, 3 * sizeof *out);
    } else {
        const double back[4] = {e[0], -e[1], -e[2], -e[3]};
        sb_quaternion_rotate(back, back, x, out);
    }
}

void sb_model_point_in(const model_writer *w, int holder, const double x[3], double out[3]) {
    double r[3];
    for (int k = 0; k < 3; k++) {
        r[k] = x[k] - (holder == MODEL_GROUND ? 0.0 : w->m->body[holder].centre[k]);
    }
    sb_model_direction_in(w, holder, r, out);
}

void sb_model_pair(const model_writer *w, const char *key, const int holder[2], const double x[2][3], bool points) {
    for (int s = 0; s < 2; s++) {
        double local[3];
        (points ? sb_model_point_in : sb_model_direction_in)(w, holder[s], x[s], local);
        if (s == 0) {
            fprintf(w->to, ", \"%s\": [", key);
        }
        char number[32];
        for (int k = 0; k < w->dimension; k++) {
            sb_format_real(local[k] + 0.0, number);
            fprintf(w->to, "%s%s", k > 0 ? ", " : s == 0 ? "[" : ", [", number);
        }
        fputs(s == 0 ? "]" : "]]", w->to);
    }
}

static void bodies(const model_writer *w, const int holder[2]) {
    for (int s = 0; s < 2; s++) {
        sb_model_text(w, s == 0 ? "\"bodies\": [" : ", ",
                      holder[s] == MODEL_GROUND ? "ground" : w->m->body[holder[s]].name, s == 0 ? "" : "]");
    }
}

/* ---- Bodies. ---- */

static void write_body(const model_writer *w, int number) {
    const model_body *b = &w->m->body[number];
    double x[3], shift[3], v[3];
    sb_model_text(w, "", b->name, ": {\"mass\": ");
    char mass[32];
    sb_format_real(b->mass, mass);
    fputs(mass, w->to);
    for (int k = 0; k < 3; k++) {
        shift[k] = b->centre[k] - b->x[k];
    }
    sb_cross(b->rate, shift, v);
    for (int k = 0; k < 3; k++) {
        v[k] += b->velocity[k];
    }
    sb_model_direction_in(w, MODEL_GROUND, b->centre, x);
    if (w->dimension == 2) {
        double n[3], about = 0.0, turn = sb_dot(3, b->rate, w->plane[2]), velocity[3];
        const double back[4] = {b->principal[0], -b->principal[1], -b->principal[2], -b->principal[3]};
        sb_quaternion_rotate(back, back, w->plane[2], n);
        for (int k = 0; k < 3; k++) {
            about += n[k] * n[k] * b->moment[k];
        }
        sb_model_direction_in(w, MODEL_GROUND, v, velocity);
        sb_model_numbers(w, "inertia", &about, 1);
        sb_model_numbers(w, "position", x, 2);
        sb_model_numbers(w, "angle", &w->angle[number], 1);
        if (w->m->moves && !b->between) {
            sb_model_numbers(w, "velocity", velocity, 2);
            sb_model_numbers(w, "rate", &turn, 1);
        }
    } else {
        sb_model_numbers(w, "inertia", b->moment, 3);
        sb_model_numbers(w, "position", x, 3);
        sb_model_numbers(w, "quaternion", b->principal, 4);
        if (w->m->moves && !b->between) {
            sb_model_numbers(w, "velocity", v, 3);
            sb_model_numbers(w, "rate", b->rate, 3);
        }
    }
    fputc('}', w->to);
}

/* ---- Rotors. ---- */

/* Radius of a rotor, m: in space its angle counts in (-pi, pi]. */
static const double rotor_radius = 10.0;

/* Returns whether a body slides along another one with an armature: a displacement between moving bodies has none of
 * its own, and a wheel on the ground with the inertia `armature r^2` turns with it. */
static bool has_rotor(const model *m, int body) {
    const model_body *b = &m->body[body];
    return b->holder == body && b->joints == 1 && b->joint[0].kind == MODEL_SLIDE && b->joint[0].armature != 0.0 &&
           sb_model_holder(m, b->parent) != MODEL_GROUND;
}

/* Writes the body of a rotor, or its joints. */
static int write_rotor(const model_writer *w, const model_joint *j, bool joints) {
    const double J = j->armature * rotor_radius * rotor_radius;
    const char *name;
    char number[32];
    SB_PRINT(w->m->file->arena, name, "%s rotor", j->name);
    if (!joints) {
        sb_format_real(j->armature, number);
        sb_model_text(w, between, name, ": {\"mass\": ");
        fputs(number, w->to);
        sb_model_numbers(w, "inertia", (const double[3]){J, J, J}, w->dimension == 2 ? 1 : 3);
        fputc('}', w->to);
        return SB_OK;
    }
    fprintf(w->to, "%s{\"type\": \"revolute\"", between);
    sb_model_text(w, ", \"name\": ", name, ", \"bodies\": [\"ground\", ");
    sb_model_text(w, "", name,
                  w->dimension == 2 ? "], \"points\": [[0, 0], [0, 0]]}" : "], \"points\": [[0, 0, 0], [0, 0, 0]]");
    fputs(w->dimension == 2 ? "" : ", \"axes\": [[0, 0, 1], [0, 0, 1]]}", w->to);
    sb_format_real(rotor_radius, number);
    fprintf(w->to, "%s{\"type\": \"rack\"", between);
    sb_model_text(w, ", \"joints\": [", name, ", ");
    sb_model_text(w, "", j->name, "], \"radius\": ");
    fprintf(w->to, "%s}", number);
    return SB_OK;
}

/* ---- Joints. ---- */

/* Writes limits as a spring and a damper with the time constant T and the damping ratio z of the file, J/(T z)^2 and
 * 2 J/T, where J is the inertia of what hangs on the joint. In space an angle counts in (-pi, pi]. */
static void write_limits(const model_writer *w, const model_joint *j, int number) {
    const double J = sb_model_inertia(w->m, number, j) + j->armature, T = j->limit_time, stiff = T * j->limit_ratio;
    if (w->dimension == 3 && j->kind == MODEL_HINGE && (j->limit[0] <= -SB_PI || j->limit[1] >= SB_PI)) {
        sb_model_leave_out(w->m, j->at, "the limits %g to %g of %s, which are beyond half a turn", j->limit[0],
                           j->limit[1], j->name);
        return;
    }
    sb_model_numbers(w, "limits", j->limit, 2);
    sb_model_numbers(w, "limit_stiffness", (const double[1]){J / (stiff * stiff)}, 1);
    sb_model_numbers(w, "limit_damping", (const double[1]){2.0 * J / T}, 1);
}

/* Writes what acts in a joint: two springs are one of their sum to a target between theirs, and dampers likewise. */
static void write_drive(const model_writer *w, const model_joint *j, int body, const int holder[2], const double u[3]) {
    const double k = j->stiffness + j->kp, c = j->damping + j->kv;
    char number[32];
    if (k == 0.0 && c == 0.0 && j->armature == 0.0 && j->friction == 0.0 && j->force == 0.0 && !j->limited) {
        return;
    }
    if (j->kind == MODEL_HINGE && w->dimension == 3) {
        /* At the poses the second direction is at the angle q from the first one. */
        double turned[3], axis[3];
        sb_cross(j->axis, u, axis);
        for (int i = 0; i < 3; i++) {
            turned[i] = cos(j->q) * u[i] - sin(j->q) * axis[i];
        }
        sb_model_pair(w, "references", holder,
                      (const double[2][3]){{turned[0], turned[1], turned[2]}, {u[0], u[1], u[2]}}, false);
    }
    if (k != 0.0) {
        sb_model_numbers(w, "stiffness", &k, 1);
        sb_format_real((j->stiffness * j->rest + j->kp * j->target) / k + 0.0, number);
        fprintf(w->to, ", \"target\": {\"offset\": %s}", number);
    }
    if (c != 0.0) {
        sb_model_numbers(w, "damping", &c, 1);
    }
    if (c != 0.0 && j->kv * j->target_rate != 0.0) {
        sb_format_real(j->kv * j->target_rate / c, number);
        fprintf(w->to, ", \"target_rate\": {\"offset\": %s}", number);
    }
    if (j->force != 0.0) {
        sb_format_real(j->force, number);
        fprintf(w->to, ", \"%s\": {\"offset\": %s}", j->kind == MODEL_HINGE ? "torque" : "force", number);
    }
    if (j->armature != 0.0 && !has_rotor(w->m, body)) {
        sb_model_numbers(w, "armature", &j->armature, 1);
    }
    if (j->friction != 0.0) {
        sb_model_numbers(w, "friction", &j->friction, 1);
    }
    if (j->limited) {
        write_limits(w, j, body);
    }
}

/* Sets a unit vector across an axis. */
static void set_across(const double axis[3], double out[3]) {
    const int least = fabs(axis[0]) <= fabs(axis[1]) && fabs(axis[0]) <= fabs(axis[2]) ? 0
                      : fabs(axis[1]) <= fabs(axis[2])                                 ? 1
                                                                                       : 2;
    double unit[3] = {0.0}, length;
    unit[least] = 1.0;
    sb_cross(axis, unit, out);
    length = sqrt(sb_dot(3, out, out));
    for (int k = 0; k < 3; k++) {
        out[k] /= length;
    }
}

/* Says which springs, dampers, armatures and frictions a joint of several coordinates does not hold. */
static void leave_out_drives(model *m, const model_body *b) {
    for (int k = 0; k < b->joints; k++) {
        const model_joint *j = &b->joint[k];
        if (j->stiffness + j->kp != 0.0 || j->damping + j->kv != 0.0 || j->armature != 0.0 || j->friction != 0.0 ||
            j->force != 0.0 || j->limited) {
            sb_model_leave_out(
                m, j->at,
                "stiffness, damping, armature, friction, limits and servos of %s, which is one of several joints of %s",
                j->name, b->name);
        }
    }
}

/* Writes the joint of a body, and a separator before it, unless the body moves freely in the plane. */
static int write_joint(const model_writer *w, int number, const char **separator) {
    const model_body *b = &w->m->body[number];
    const model_joint *j = &b->joint[0];
    double axes[2][3] = {{0.0}}, anchor[2][3], u[3] = {0.0};
    const char *type = sb_model_type(w, b, axes);
    int holder[2] = {sb_model_holder(w->m, b->parent), number};
    if (type[0] == '\0') {
        return SB_OK;
    }
    const bool alone = b->joints == 1 && j->kind != MODEL_BALL, axis_only = strcmp(type, "point_line") == 0;
    for (int s = 0; s < 2; s++) {
        /* A displacement is measured from the point of the parent. */
        for (int k = 0; k < 3; k++) {
            anchor[s][k] = j->anchor[k] - (s == 0 && j->kind == MODEL_SLIDE && alone ? j->q * j->axis[k] : 0.0);
        }
    }
    if (w->dimension == 2 && alone && j->kind == MODEL_HINGE && sb_model_sense(w, j) < 0.0) {
        holder[0] = number; /* the angle of the parent relative to the body */
        holder[1] = sb_model_holder(w->m, b->parent);
    }
    fprintf(w->to, "%s{\"type\": \"%s\", ", *separator, type);
    *separator = between;
    if (alone) {
        sb_model_text(w, "\"name\": ", j->name, ", ");
    }
    bodies(w, holder);
    sb_model_pair(w, "points", holder, anchor, true);
    if (axis_only) {
        for (int k = 0; k < b->joints; k++) {
            double local[3];
            if (b->joint[k].kind == MODEL_SLIDE) {
                sb_model_direction_in(w, holder[0], b->joint[k].axis, local);
                sb_model_numbers(w, "axis", local, 2);
            }
        }
    } else if (strcmp(type, "spherical") != 0 && (w->dimension == 3 || strcmp(type, "prismatic") == 0)) {
        sb_model_pair(w, "axes", holder, axes, false);
    }
    if (alone) {
        set_across(j->axis, u);
        write_drive(w, j, number, holder, u);
    } else {
        leave_out_drives(w->m, b);
    }
    fputc('}', w->to);
    return SB_OK;
}

static void write_tie(const model_writer *w, const model_tie *t, const char *separator) {
    const int holder[2] = {sb_model_holder(w->m, t->body[0]), sb_model_holder(w->m, t->body[1])};
    if (t->kind == MODEL_COUPLE) {
        fprintf(w->to, "%s{\"type\": \"gear\"", separator);
        sb_model_text(w, ", \"joints\": [", t->joint[0], ", ");
        sb_model_text(w, "", t->joint[1], "]");
        sb_model_numbers(w, "teeth", (const double[2]){1.0, -t->factor}, 2);
    } else {
        const double anchor[2][3] = {{t->anchor[0], t->anchor[1], t->anchor[2]},
                                     {t->anchor[0], t->anchor[1], t->anchor[2]}};
        fprintf(w->to, "%s{\"type\": \"%s\", ", separator,
                t->kind == MODEL_WELD ? "fixed"
                : w->dimension == 2   ? "revolute"
                                      : "spherical");
        bodies(w, holder);
        sb_model_pair(w, "points", holder, anchor, true);
    }
    fputc('}', w->to);
}

/* ---- The file. ---- */

int sb_model_write(model *m, FILE *to) {
    model_writer w = {.m = m, .to = to, .dimension = 3};
    double gravity[3];
    const char *separator = between + 1;
    sb_model_choose_plane(&w);
    SB_TRY(sb_model_split(&w));
    SB_NEW(m->file->arena, w.angle, m->bodies);
    SB_TRY(sb_model_join(m));
    sb_model_choose_plane(&w);
    if (w.dimension == 2) {
        sb_model_set_angles(&w);
    }
    sb_model_direction_in(&w, MODEL_GROUND, m->gravity, gravity);
    fputs("{\n    \"gravity\": ", to);
    sb_json_numbers(gravity, w.dimension, to);
    fputs(",\n    \"bodies\": {", to);
    for (int b = 0; b < m->bodies; b++) {
        if (m->body[b].holder == b) {
            fputs(separator, to);
            write_body(&w, b);
            separator = between;
            SB_TRY(has_rotor(m, b) ? write_rotor(&w, &m->body[b].joint[0], false) : SB_OK);
        }
    }
    fputs("\n    }", to);
    separator = first;
    for (int b = 0; b < m->bodies; b++) {
        if (m->body[b].holder == b && m->body[b].joint[0].kind != MODEL_FREE) {
            SB_TRY(write_joint(&w, b, &separator));
            SB_TRY(has_rotor(m, b) ? write_rotor(&w, &m->body[b].joint[0], true) : SB_OK);
        }
    }
    for (int k = 0; k < m->ties; k++) {
        write_tie(&w, &m->tie[k], separator);
        separator = between;
    }
    fputs(separator == first ? "" : "\n    ]", to);
    SB_TRY(sb_model_write_shapes(&w));
    fputs("\n}\n", to);
    return SB_OK;
}
