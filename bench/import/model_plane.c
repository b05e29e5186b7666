/* The plane of a model whose joints turn about parallel axes and slide across them. */
#include <stepbench/numerics/norm.h>
#include <stepbench/numerics/quaternion.h>

#include "bench/import/writer.h"

bool sb_model_along(const double a[3], const double b[3]) { return fabs(sb_dot(3, a, b)) > 1.0 - model_parallel; }
bool sb_model_across(const double a[3], const double b[3]) { return fabs(sb_dot(3, a, b)) < model_parallel; }

/* Returns whether all joints keep their bodies parallel to the plane with a normal. */
static bool is_planar(const model *m, const double n[3]) {
    for (int b = 0; b < m->bodies; b++) {
        int hinges = 0, slides = 0;
        for (int k = 0; k < m->body[b].joints; k++) {
            const model_joint *j = &m->body[b].joint[k];
            if (!(j->kind == MODEL_HINGE ? sb_model_along(j->axis, n)
                                         : j->kind == MODEL_SLIDE && sb_model_across(j->axis, n))) {
                return false;
            }
            hinges += j->kind == MODEL_HINGE;
            slides += j->kind == MODEL_SLIDE;
        }
        if (hinges > 1 || slides > 2 || (slides == 2 && hinges == 0)) {
            return false;
        }
    }
    return true;
}

void sb_model_choose_plane(model_writer *w) {
    static const double axes[3][2][3] = {{{0, 1, 0}, {0, 0, 1}}, {{1, 0, 0}, {0, 0, 1}}, {{1, 0, 0}, {0, 1, 0}}};
    const model *m = w->m;
    const double *n = NULL;
    for (int b = 0; b < m->bodies && n == NULL; b++) {
        for (int k = 0; k < m->body[b].joints && n == NULL; k++) {
            n = m->body[b].joint[k].kind == MODEL_HINGE ? m->body[b].joint[k].axis : NULL;
        }
    }
    if (n == NULL || !is_planar(m, n)) {
        return;
    }
    int most = fabs(n[0]) >= fabs(n[1]) && fabs(n[0]) >= fabs(n[2]) ? 0 : fabs(n[1]) >= fabs(n[2]) ? 1 : 2;
    const double shift = sb_dot(3, axes[most][0], n);
    double length = 0.0;
    for (int k = 0; k < 3; k++) {
        w->plane[0][k] = axes[most][0][k] - shift * n[k];
        length += w->plane[0][k] * w->plane[0][k];
    }
    for (int k = 0; k < 3; k++) {
        w->plane[0][k] /= sqrt(length);
    }
    sb_cross(n, w->plane[0], w->plane[1]);
    if (sb_dot(3, w->plane[1], axes[most][1]) < 0.0) {
        for (int k = 0; k < 3; k++) {
            w->plane[1][k] = -w->plane[1][k];
        }
    }
    sb_cross(w->plane[0], w->plane[1], w->plane[2]);
    w->dimension = 2;
}

double sb_model_sense(const model_writer *w, const model_joint *j) {
    return sb_dot(3, j->axis, w->plane[2]) > 0.0 ? 1.0 : -1.0;
}

void sb_model_set_angles(const model_writer *w) {
    const model *m = w->m;
    for (int b = 0; b < m->bodies; b++) {
        const int parent = sb_model_holder(m, m->body[b].parent);
        w->angle[b] = parent == MODEL_GROUND ? 0.0 : w->angle[parent];
        for (int k = 0; k < m->body[b].joints; k++) {
            const model_joint *j = &m->body[b].joint[k];
            w->angle[b] += j->kind == MODEL_HINGE ? sb_model_sense(w, j) * j->q : 0.0;
        }
    }
}
