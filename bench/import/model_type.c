/* The type of the joints of a body together, and bodies without mass between joints that have none. */
#include <string.h>

#include "bench/import/writer.h"
#include "core/base/text.h"

const char *sb_model_type(const model_writer *w, const model_body *b, double axes[2][3]) {
    const model_joint *turn = NULL, *second = NULL, *slide = NULL;
    int hinges = 0, slides = 0, balls = 0;
    bool together = true, same = true;
    for (int k = 0; k < b->joints; k++) {
        const model_joint *j = &b->joint[k];
        balls += j->kind == MODEL_BALL;
        hinges += j->kind == MODEL_HINGE;
        slides += j->kind == MODEL_SLIDE;
        slide = j->kind == MODEL_SLIDE ? j : slide;
        second = j->kind == MODEL_HINGE && turn != NULL ? j : second;
        turn = j->kind == MODEL_HINGE && turn == NULL ? j : turn;
        for (int i = 0; i < 3 && turn != NULL && j->kind == MODEL_HINGE; i++) {
            together = together && fabs(j->anchor[i] - turn->anchor[i]) <= model_parallel;
        }
    }
    if (balls == 1 && b->joints == 1) {
        return "spherical";
    }
    if (balls > 0) {
        return NULL;
    }
    memcpy(axes[0], turn != NULL ? turn->axis : slide->axis, sizeof axes[0]);
    memcpy(axes[1], axes[0], sizeof axes[1]);
    for (int k = 0; k < b->joints; k++) {
        same =
            same && (b->joint[k].kind != MODEL_SLIDE || turn == NULL || sb_model_along(b->joint[k].axis, turn->axis));
    }
    if (w->dimension == 2) {
        return hinges == 1 && slides == 0   ? "revolute"
               : hinges == 0 && slides == 1 ? "prismatic"
               : hinges == 1 && slides == 1 ? "point_line"
                                            : "";
    }
    if (hinges == 1 && slides == 2) {
        bool planar = true;
        for (int k = 0; k < b->joints; k++) {
            planar = planar && (b->joint[k].kind == MODEL_HINGE || sb_model_across(b->joint[k].axis, turn->axis));
        }
        return planar ? "planar" : NULL;
    }
    if (hinges == 2 && slides == 0 && together && sb_model_across(turn->axis, second->axis)) {
        memcpy(axes[1], second->axis, sizeof axes[1]);
        return "universal";
    }
    return b->joints == 1                           ? (hinges == 1 ? "revolute" : "prismatic")
           : hinges == 1 && slides == 1 && same     ? "cylindrical"
           : hinges == 3 && slides == 0 && together ? "spherical"
                                                    : NULL;
}

/* ---- Bodies between joints. ---- */

/* Sets the body that the joint k of b moves, whose joints have no type together: without mass, but for the last one. */
static int set_between(const model *m, const model_body *b, int k, int parent, model_body *out) {
    *out = *b;
    if (k < b->joints - 1) {
        *out = (model_body){.at = b->at, .e = {1.0}, .between = true};
        memcpy(out->x, b->joint[k].anchor, sizeof out->x);
        SB_PRINT(m->file->arena, out->name, "%s %s", b->name, b->joint[k].name);
    }
    out->parent = parent;
    out->joints = 1;
    out->joint[0] = b->joint[k];
    return SB_OK;
}

static int moved(const int *to, int body) { return body == MODEL_GROUND ? MODEL_GROUND : to[body]; }

int sb_model_split(const model_writer *w) {
    model *m = w->m;
    model_body *body;
    int *to, count = 0;
    double axes[2][3];
    SB_NEW(m->file->arena, body, (size_t)MODEL_JOINTS * (size_t)m->bodies);
    SB_NEW(m->file->arena, to, m->bodies);
    for (int i = 0; i < m->bodies; i++) {
        const model_body *b = &m->body[i];
        int parent = moved(to, b->parent);
        if (b->joints < 2 || sb_model_type(w, b, axes) != NULL) {
            body[count] = *b;
            body[count++].parent = parent;
        } else {
            for (int k = 0; k < b->joints; k++) {
                SB_TRY(set_between(m, b, k, parent, &body[count]));
                parent = count++;
            }
        }
        to[i] = count - 1;
    }
    for (int k = 0; k < 2 * m->ties; k++) {
        m->tie[k / 2].body[k % 2] = moved(to, m->tie[k / 2].body[k % 2]);
    }
    for (int k = 0; k < m->shapes; k++) {
        m->shape[k].body = moved(to, m->shape[k].body);
    }
    m->body = body;
    m->bodies = count;
    return SB_OK;
}
