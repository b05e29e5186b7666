/* Moves a model of MJCF to the state of a keyframe: coordinates of joints in the order of the bodies. */
#include <string.h>

#include <stepbench/numerics/quaternion.h>

#include "bench/import/mjcf.h"

enum { FREE_Q = 7, BALL_Q = 4 };

static int coordinates(model_kind kind) { return kind == MODEL_FREE ? FREE_Q : kind == MODEL_BALL ? BALL_Q : 1; }
static int rates(model_kind kind) { return kind == MODEL_FREE ? 6 : kind == MODEL_BALL ? 3 : 1; }

/* Turns and shifts a point about an anchor. */
static void move(const double e[4], const double anchor[3], const double shift[3], double x[3]) {
    double r[3], turned[3];
    for (int k = 0; k < 3; k++) {
        r[k] = x[k] - anchor[k];
    }
    sb_quaternion_rotate(e, e, r, turned);
    for (int k = 0; k < 3; k++) {
        x[k] = anchor[k] + turned[k] + shift[k];
    }
}

/* Returns whether a body is b or hangs on it. */
static bool hangs(const model *m, int body, int b) {
    while (body > b) {
        body = m->body[body].parent;
    }
    return body == b;
}

/* Moves body b and all that hangs on it. Joint `from` and later ones of b itself move too. */
static void move_tree(model *m, int b, int from, const double e[4], const double anchor[3], const double shift[3]) {
    double origin[3];
    memcpy(origin, anchor, sizeof origin);
    for (int i = b; i < m->bodies; i++) {
        model_body *body = &m->body[i];
        double turned[4];
        if (!hangs(m, i, b)) {
            continue;
        }
        move(e, origin, shift, body->x);
        sb_quaternion_compose(e, body->e, turned);
        memcpy(body->e, turned, sizeof turned);
        for (int k = i == b ? from : 0; k < body->joints; k++) {
            double axis[3];
            move(e, origin, shift, body->joint[k].anchor);
            sb_quaternion_rotate(e, e, body->joint[k].axis, axis);
            memcpy(body->joint[k].axis, axis, sizeof axis);
        }
    }
    for (int k = 0; k < m->ties; k++) {
        if (m->tie[k].body[0] != MODEL_GROUND && hangs(m, m->tie[k].body[0], b)) {
            move(e, origin, shift, m->tie[k].anchor);
        }
    }
}

/* Moves the bodies by one joint to its coordinates. */
static void set_joint(model *m, int b, int k, const double *q) {
    model_joint *j = &m->body[b].joint[k];
    double e[4] = {1.0, 0.0, 0.0, 0.0}, shift[3] = {0.0};
    if (j->kind == MODEL_FREE) {
        const double *now = m->body[b].e;
        sb_quaternion_product(q + 3, (const double[4]){now[0], -now[1], -now[2], -now[3]}, e);
        for (int i = 0; i < 3; i++) {
            shift[i] = q[i] - m->body[b].x[i];
        }
        move_tree(m, b, k, e, m->body[b].x, shift);
        return;
    }
    if (j->kind == MODEL_BALL) {
        /* In the frame of the body: e = body q conj(body) */
        double product[4];
        const double *now = m->body[b].e;
        sb_quaternion_product(now, q, product);
        sb_quaternion_product(product, (const double[4]){now[0], -now[1], -now[2], -now[3]}, e);
    } else {
        const double by = *q - j->q;
        j->q = *q;
        if (j->kind == MODEL_HINGE) {
            e[0] = cos(0.5 * by);
        }
        for (int i = 0; i < 3; i++) {
            shift[i] = j->kind == MODEL_SLIDE ? by * j->axis[i] : 0.0;
            e[1 + i] = j->kind == MODEL_HINGE ? sin(0.5 * by) * j->axis[i] : 0.0;
        }
    }
    move_tree(m, b, k, e, j->anchor, shift);
}

/* Sets the velocities of body b from those of its parent and the rates of its joints. */
static void set_velocity(model *m, int b, const double *v) {
    model_body *body = &m->body[b];
    const model_body *parent = body->parent != MODEL_GROUND ? &m->body[body->parent] : NULL;
    double arm[3], lever[3];
    if (parent != NULL) {
        memcpy(body->rate, parent->rate, sizeof body->rate);
        for (int i = 0; i < 3; i++) {
            arm[i] = body->x[i] - parent->x[i];
        }
        sb_cross(parent->rate, arm, lever);
        for (int i = 0; i < 3; i++) {
            body->velocity[i] = parent->velocity[i] + lever[i];
        }
    }
    for (int k = 0; k < body->joints; k++) {
        const model_joint *j = &body->joint[k];
        double turn[3] = {0.0};
        if (j->kind == MODEL_FREE) {
            memcpy(body->velocity, v, sizeof body->velocity);
            sb_quaternion_rotate(body->e, body->e, v + 3, body->rate);
        } else if (j->kind == MODEL_BALL) {
            sb_quaternion_rotate(body->e, body->e, v, turn);
        }
        for (int i = 0; i < 3; i++) {
            turn[i] = j->kind == MODEL_HINGE ? v[0] * j->axis[i] : turn[i];
            body->velocity[i] += j->kind == MODEL_SLIDE ? v[0] * j->axis[i] : 0.0;
            body->rate[i] += turn[i];
            arm[i] = body->x[i] - j->anchor[i];
        }
        sb_cross(turn, arm, lever);
        for (int i = 0; i < 3; i++) {
            body->velocity[i] += lever[i];
        }
        v += rates(j->kind);
    }
}

int sb_mjcf_start(mjcf *me, const xml_element *key) {
    model *m = me->m;
    int n = 0, nv = 0, count;
    double *q, *v;
    for (int b = 0; b < m->bodies; b++) {
        for (int k = 0; k < m->body[b].joints; k++) {
            n += coordinates(m->body[b].joint[k].kind);
            nv += rates(m->body[b].joint[k].kind);
        }
    }
    SB_NEW(m->file->arena, q, n);
    SB_NEW(m->file->arena, v, nv);
    SB_TRY(sb_mjcf_numbers(me, key, "qpos", n, n, q, &count));
    for (int b = 0; b < m->bodies && count > 0; b++) {
        for (int k = 0; k < m->body[b].joints; k++) {
            set_joint(m, b, k, q);
            q += coordinates(m->body[b].joint[k].kind);
        }
    }
    SB_TRY(sb_mjcf_numbers(me, key, "qvel", nv, nv, v, &count));
    m->moves = count > 0;
    for (int b = 0; b < m->bodies && count > 0; b++) {
        set_velocity(m, b, v);
        for (int k = 0; k < m->body[b].joints; k++) {
            v += rates(m->body[b].joint[k].kind);
        }
    }
    return SB_OK;
}
