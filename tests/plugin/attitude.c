/* A rigid body by explicit Euler in its own frame. FLIP: the quaternion is brought to q0 >= 0. */
#include <math.h>
#include <stepbench/stepbench.h>

static void product(const double *a, const double *b, double *c) {
    c[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    c[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    c[2] = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
    c[3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
}

static int init(sb_method *me) {
    (void)me;
    return SB_OK;
}

static int step(const sb_method *me, const sb_state *in, double h, sb_state *out) {
    const double *J = me->sys->rigid->inertia, *q = in->q, back[4] = {q[0], -q[1], -q[2], -q[3]};
    double y[4], w[4] = {0}, change[4], length = 0.0;
    product(back, in->v, y); /* half the body's rates */
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        w[1 + i] = y[1 + i] + 2.0 * h * (J[j] - J[k]) / J[i] * y[1 + j] * y[1 + k];
    }
    product(q, w, change);
    for (int i = 0; i < 4; i++) {
        out->q[i] = q[i] + h * change[i];
        length += out->q[i] * out->q[i];
    }
    for (int i = 0; i < 4; i++) {
        out->q[i] *= (FLIP && out->q[0] < 0.0 ? -1.0 : 1.0) / sqrt(length);
    }
    product(out->q, w, out->v);
    out->lambda[0] = NAN;
    return SB_OK;
}

SB_DEFINE_STEPPER(attitude) = {
    .entry = {"attitude", "explicit Euler in the frame of the body", "hlw06 VII.5", NULL, 0},
    .order = 1,
    .supports = SB_HAS_HOLONOMIC | SB_HAS_VARIABLE_MASS | SB_HAS_SINGULAR_MASS,
    .needs = SB_OFFERS_RIGID,
    .keeps = SB_KEEPS_POSITION | SB_KEEPS_TANGENCY,
    .init = init,
    .step = step,
};
