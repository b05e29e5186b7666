/* Reads the equalities and the actuators of MJCF: ties of bodies and of joints, motors and servos. */
#include <string.h>

#include <stepbench/numerics/quaternion.h>

#include "bench/import/mjcf.h"

/* Reads a body that an element names; without a name, the ground. */
static int read_name(mjcf *me, const xml_element *at, const char *key, int *out) {
    const char *name = sb_mjcf_attribute(me, at, key);
    *out = name == NULL || strcmp(name, "world") == 0 ? MODEL_GROUND : sb_model_find_name(&me->bodies, name);
    return name == NULL || *out >= 0 || strcmp(name, "world") == 0
               ? SB_OK
               : sb_xml_fail(me->m->file, at, "%s=\"%.60s\" is no body of the file", key, name);
}

/* Returns the joint of a name; NULL: there is none. */
static model_joint *find_joint(const mjcf *me, const char *name) {
    const int number = sb_model_find_name(&me->joints, name);
    model_body *b = number >= 0 ? &me->m->body[number] : NULL;
    for (int k = 0; b != NULL && k < b->joints; k++) {
        if (strcmp(b->joint[k].name, name) == 0) {
            return &b->joint[k];
        }
    }
    return NULL;
}

static int read_couple(mjcf *me, const xml_element *at) {
    model_tie t = {.kind = MODEL_COUPLE, .at = at};
    double c[5] = {0.0, 1.0, 0.0, 0.0, 0.0};
    SB_TRY(sb_poll(me->m->file->ctx));
    t.joint[0] = sb_mjcf_attribute(me, at, "joint1");
    t.joint[1] = sb_mjcf_attribute(me, at, "joint2");
    SB_TRY(sb_mjcf_numbers(me, at, "polycoef", 1, 5, c, NULL));
    for (int s = 0; s < 2; s++) {
        if (find_joint(me, t.joint[s]) == NULL) {
            if (s == 1 && t.joint[1] == NULL) {
                sb_model_leave_out(me->m, at, "a joint with a constant value; fix its bodies to each other");
                return SB_OK;
            }
            return sb_xml_fail(me->m->file, at, "joint%d=\"%.60s\" is no joint of the file", s + 1,
                               t.joint[s] != NULL ? t.joint[s] : "");
        }
    }
    if (c[0] != 0.0 || c[2] != 0.0 || c[3] != 0.0 || c[4] != 0.0) {
        sb_model_leave_out(me->m, at, "polycoef beyond its second number, the ratio, and the offset");
    }
    t.factor = c[1];
    me->m->tie[me->m->ties++] = t;
    return SB_OK;
}

int sb_mjcf_add_equality(mjcf *me, const xml_element *at) {
    model_tie t = {.kind = strcmp(at->name, "weld") == 0 ? MODEL_WELD : MODEL_CONNECT, .at = at};
    double anchor[3] = {0.0}, turned[3];
    if (sb_mjcf_is(sb_mjcf_attribute(me, at, "active"), "false")) {
        return SB_OK;
    }
    if (strcmp(at->name, "joint") == 0) {
        return read_couple(me, at);
    }
    if (t.kind == MODEL_CONNECT && strcmp(at->name, "connect") != 0) {
        sb_model_leave_out(me->m, at, "it is no connect, weld or joint");
        return SB_OK;
    }
    if (sb_mjcf_attribute(me, at, "body1") == NULL) {
        sb_model_leave_out(me->m, at, "it holds sites; body1, body2 and an anchor are read");
        return SB_OK;
    }
    SB_TRY(read_name(me, at, "body1", &t.body[0]));
    SB_TRY(read_name(me, at, "body2", &t.body[1]));
    SB_TRY(sb_mjcf_numbers(me, at, "anchor", 3, 3, anchor, NULL));
    if (t.body[0] == MODEL_GROUND) {
        memcpy(t.anchor, anchor, sizeof anchor);
    } else {
        const model_body *b = &me->m->body[t.body[0]];
        sb_quaternion_rotate(b->e, b->e, anchor, turned);
        for (int k = 0; k < 3; k++) {
            t.anchor[k] = b->x[k] + turned[k];
        }
    }
    me->m->tie[me->m->ties++] = t;
    return SB_OK;
}

/* Reads the gain g and the bias b of an actuator, whose force at the length l is g control + b_0 + b_1 l + b_2 l'. Sets
 * *known to false for an actuator of another law. */
static int read_gains(mjcf *me, const xml_element *at, double *g, double b[3], bool *known) {
    const bool position = strcmp(at->name, "position") == 0, velocity = strcmp(at->name, "velocity") == 0;
    *g = 1.0;
    b[0] = b[1] = b[2] = 0.0;
    *known = true;
    if (position || velocity) {
        double kv = velocity ? 1.0 : 0.0;
        SB_TRY(position ? sb_mjcf_numbers(me, at, "kp", 1, 1, g, NULL) : SB_OK);
        SB_TRY(sb_mjcf_numbers(me, at, "kv", 1, 1, &kv, NULL));
        b[1] = position ? -*g : 0.0;
        b[2] = -kv;
        *g = position ? *g : kv;
        *known = sb_mjcf_attribute(me, at, "dampratio") == NULL && sb_mjcf_attribute(me, at, "timeconst") == NULL;
    } else if (strcmp(at->name, "general") == 0) {
        const char *gain = sb_mjcf_attribute(me, at, "gaintype"), *bias = sb_mjcf_attribute(me, at, "biastype"),
                   *state = sb_mjcf_attribute(me, at, "dyntype");
        double gains[10] = {1.0}, biases[10] = {0.0};
        SB_TRY(sb_mjcf_numbers(me, at, "gainprm", 1, 10, gains, NULL));
        SB_TRY(sb_mjcf_numbers(me, at, "biasprm", 1, 10, biases, NULL));
        *g = gains[0];
        memcpy(b, biases, sb_mjcf_is(bias, "affine") ? 3 * sizeof *b : 0);
        *known = (gain == NULL || sb_mjcf_is(gain, "fixed")) &&
                 (bias == NULL || sb_mjcf_is(bias, "none") || sb_mjcf_is(bias, "affine")) &&
                 (state == NULL || sb_mjcf_is(state, "none"));
    } else {
        *known = strcmp(at->name, "motor") == 0;
    }
    return SB_OK;
}

int sb_mjcf_add_actuator(mjcf *me, const xml_element *at, double control) {
    double g, b[3], gears[6] = {1.0};
    bool known;
    model_joint *j = find_joint(me, sb_mjcf_attribute(me, at, "joint"));
    SB_TRY(read_gains(me, at, &g, b, &known));
    SB_TRY(sb_mjcf_numbers(me, at, "gear", 1, 6, gears, NULL));
    const double gear = gears[0], k = -gear * gear * b[1], c = -gear * gear * b[2], force = gear * (g * control + b[0]);
    if (!known || j == NULL || k < 0.0 || c < 0.0) {
        sb_model_leave_out(me->m, at, "it is no motor of a joint, and no servo for its position or velocity");
        return SB_OK;
    }
    if (sb_mjcf_attribute(me, at, "forcerange") != NULL &&
        !sb_mjcf_is(sb_mjcf_attribute(me, at, "forcelimited"), "false")) {
        sb_model_leave_out(me->m, at, "the forcerange of the actuator of %s", j->name);
    }
    if (k > 0.0) {
        j->target = (j->kp * j->target + force) / (j->kp + k);
        j->kp += k;
        j->damping += c;
    } else if (c > 0.0) {
        j->target_rate = (j->kv * j->target_rate + force) / (j->kv + c);
        j->kv += c;
    } else {
        j->force += force;
    }
    return SB_OK;
}
