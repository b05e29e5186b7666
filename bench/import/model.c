/* Masses and names of models, and what is left out of them. */
#include "bench/import/model.h"

#include <stdarg.h>
#include <stdint.h>
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

/* ---- Names. ---- */

/* Returns the slot of a name, or the empty one where it belongs: at most half of them are taken. FNV-1a. */
static model_name *slot_of(const model_names *names, const char *name) {
    uint32_t hash = 2166136261U;
    for (const char *c = name; *c != '\0'; c++) {
        hash = (hash ^ (unsigned char)*c) * 16777619U;
    }
    size_t at = hash & (names->room - 1);
    while (names->slot[at].name != NULL && strcmp(names->slot[at].name, name) != 0) {
        at = (at + 1) & (names->room - 1);
    }
    return &names->slot[at];
}

int sb_model_add_name(sb_arena *arena, model_names *names, const char *name, int number) {
    if (2 * names->count >= names->room) {
        model_names grown = {.room = names->room > 0 ? 2 * names->room : 64, .count = names->count};
        SB_NEW(arena, grown.slot, grown.room);
        for (size_t k = 0; k < names->room; k++) {
            if (names->slot[k].name != NULL) {
                *slot_of(&grown, names->slot[k].name) = names->slot[k];
            }
        }
        *names = grown;
    }
    model_name *slot = slot_of(names, name);
    if (slot->name == NULL) {
        *slot = (model_name){name, number};
        names->count++;
    }
    return SB_OK;
}

int sb_model_find_name(const model_names *names, const char *name) {
    const model_name *slot = name != NULL && names->room > 0 ? slot_of(names, name) : NULL;
    return slot != NULL && slot->name != NULL ? slot->number : -1;
}
