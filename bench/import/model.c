/* Masses and names of models, and what is left out of them. */
#include "bench/import/model.h"

#include <stdarg.h>
#include <string.h>

#include <stepbench/numerics/quaternion.h>

enum { SENTENCE = 512 };

void sb_model_leave_out(model *m, const xml_element *e, const char *format, ...) {
    const xml_file *file = m->file;
    char why[SENTENCE], text[2 * SENTENCE];
    va_list args;
    va_start(args, format);
    vsnprintf(why, sizeof why, format, args);
    va_end(args);
    m->left_out++;
    snprintf(text, sizeof text, "import: %s, line %d, %s: left out: %s", file->path, e->line, e->name, why);
    if (file->ctx->notice != NULL) {
        file->ctx->notice(file->ctx->notice_arg, text);
    }
}

void sb_model_add_inertia(model_body *body, double mass, const double r[3], const double e[4], const double J[3][3]) {
    double R[3][3];
    body->mass += mass;
    for (int j = 0; j < 3; j++) {
        double unit[3] = {0.0}, column[3];
        unit[j] = 1.0;
        sb_quaternion_rotate(e, e, unit, column);
        for (int i = 0; i < 3; i++) {
            R[i][j] = column[i];
        }
    }
    for (int i = 0; i < 3; i++) {
        body->first[i] += mass * r[i];
        for (int j = 0; j < 3; j++) {
            double turned = (i == j ? mass * (r[0] * r[0] + r[1] * r[1] + r[2] * r[2]) : 0.0) - mass * r[i] * r[j];
            for (int k = 0; k < 9; k++) {
                turned += R[i][k / 3] * J[k / 3][k % 3] * R[j][k % 3];
            }
            body->second[i][j] += turned;
        }
    }
}

void sb_model_add_mass(model_body *body, double mass, const double r[3], const double e[4], const double J[3]) {
    const double diagonal[3][3] = {{J[0], 0.0, 0.0}, {0.0, J[1], 0.0}, {0.0, 0.0, J[2]}};
    sb_model_add_inertia(body, mass, r, e, diagonal);
}

int sb_model_find_body(const model *m, const char *name) {
    for (int b = 0; b < m->bodies && name != NULL; b++) {
        if (strcmp(m->body[b].name, name) == 0) {
            return b;
        }
    }
    return -1;
}

model_joint *sb_model_find_joint(const model *m, const char *name, int *body) {
    for (int b = 0; b < m->bodies && name != NULL; b++) {
        for (int k = 0; k < m->body[b].joints; k++) {
            if (strcmp(m->body[b].joint[k].name, name) == 0) {
                *body = b;
                return &m->body[b].joint[k];
            }
        }
    }
    return NULL;
}
