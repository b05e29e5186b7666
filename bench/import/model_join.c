/* Joins bodies that are fixed to each other: their common mass, centre and principal axes. */
#include <lapacke.h>
#include <string.h>

#include <stepbench/numerics/lapack.h>
#include <stepbench/numerics/norm.h>
#include <stepbench/numerics/quaternion.h>

#include "bench/import/model.h"

/* Adds the mass of a body to that of its holder: with the shift d and first moments s,
 * S = R S_b R' + m (d.d 1 - d d') + 2 d.s 1 - d s' - s d', in the frame of the holder. */
static void add_to_holder(const model_body *b, model_body *h) {
    double R[3][3], d[3], s[3] = {0.0}, across[3], e[4];
    for (int k = 0; k < 3; k++) {
        across[k] = b->x[k] - h->x[k];
    }
    const double back[4] = {h->e[0], -h->e[1], -h->e[2], -h->e[3]};
    sb_quaternion_rotate(back, back, across, d);
    sb_quaternion_ratio(h->e, b->e, e);
    for (int j = 0; j < 3; j++) {
        double unit[3] = {0.0}, column[3];
        unit[j] = 1.0;
        sb_quaternion_rotate(e, e, unit, column);
        for (int i = 0; i < 3; i++) {
            R[i][j] = column[i];
            s[i] += column[i] * b->first[j];
        }
    }
    h->mass += b->mass;
    for (int i = 0; i < 3; i++) {
        h->first[i] += s[i] + b->mass * d[i];
        for (int j = 0; j < 3; j++) {
            double turned = i == j ? b->mass * sb_dot(3, d, d) + 2.0 * sb_dot(3, d, s) : 0.0;
            for (int k = 0; k < 9; k++) {
                turned += R[i][k / 3] * b->second[k / 3][k % 3] * R[j][k % 3];
            }
            h->second[i][j] += turned - b->mass * d[i] * d[j] - d[i] * s[j] - s[i] * d[j];
        }
    }
}

/* Sets the quaternion of a rotation whose columns are orthonormal and right-handed. */
static void quaternion_of(const double X[9], double e[4]) {
    double most = -1.0;
    for (int k = 0; k < 4; k++) {
        /* 4 e_k e of the largest e_k */
        const double column[4][4] = {{1.0 + X[0] + X[4] + X[8], X[5] - X[7], X[6] - X[2], X[1] - X[3]},
                                     {X[5] - X[7], 1.0 + X[0] - X[4] - X[8], X[1] + X[3], X[2] + X[6]},
                                     {X[6] - X[2], X[1] + X[3], 1.0 - X[0] + X[4] - X[8], X[5] + X[7]},
                                     {X[1] - X[3], X[2] + X[6], X[5] + X[7], 1.0 - X[0] - X[4] + X[8]}};
        if (column[k][k] > most) {
            most = column[k][k];
            for (int i = 0; i < 4; i++) {
                e[i] = column[k][i] / (2.0 * sqrt(most));
            }
        }
    }
}

/* Sets the centre, the principal frame and the moments of a body that moves. */
static int set_principal(const model *m, model_body *b) {
    double c[3], J[9], X[9], most = 0.0, off = 0.0, e[4] = {1.0, 0.0, 0.0, 0.0}, shift[3];
    if (b->between) {
        memcpy(b->centre, b->x, sizeof b->centre);
        memcpy(b->principal, b->e, sizeof b->principal);
        return SB_OK;
    }
    if (!(b->mass > 0.0)) {
        return sb_xml_fail(m->file, b->at, "the body %s moves and has no mass; give it one", b->name);
    }
    for (int k = 0; k < 3; k++) {
        c[k] = b->first[k] / b->mass;
    }
    for (int k = 0; k < 9; k++) {
        const int i = k % 3, j = k / 3;
        J[k] = b->second[i][j] - (i == j ? b->mass * sb_dot(3, c, c) : 0.0) + b->mass * c[i] * c[j];
        most = fmax(most, fabs(J[k]));
        off = i == j ? off : fmax(off, fabs(J[k]));
    }
    b->moment[0] = J[0];
    b->moment[1] = J[4];
    b->moment[2] = J[8];
    if (off > 64.0 * DBL_EPSILON * most) { /* round-off of the sums: these axes are principal */
        memcpy(X, J, sizeof X);
        const lapack_int info = LAPACKE_dsyev(LAPACK_COL_MAJOR, 'V', 'U', 3, X, 3, b->moment);
        if (info != 0) {
            return sb_lapack_fail(m->file->ctx, info, SB_SINGULAR, "import: the principal axes of %s are not found",
                                  b->name);
        }
        sb_cross(X, X + 3, X + 6);
        quaternion_of(X, e);
    }
    for (int k = 0; k < 3; k++) {
        if (!(b->moment[k] > 64.0 * DBL_EPSILON * most)) {
            return sb_xml_fail(m->file, b->at,
                               "the body %s has no moment of inertia about one of its axes; give it one", b->name);
        }
    }
    sb_quaternion_rotate(b->e, b->e, c, shift);
    sb_quaternion_compose(b->e, e, b->principal);
    for (int k = 0; k < 3; k++) {
        b->centre[k] = b->x[k] + shift[k];
    }
    return SB_OK;
}

int sb_model_join(model *m) {
    for (int i = 0; i < m->bodies; i++) {
        model_body *b = &m->body[i];
        b->holder = b->joints > 0 ? i : b->parent == MODEL_GROUND ? MODEL_GROUND : m->body[b->parent].holder;
        if (b->holder != i && b->holder != MODEL_GROUND) {
            add_to_holder(b, &m->body[b->holder]);
        }
    }
    int moving = 0;
    for (int i = 0; i < m->bodies; i++) {
        SB_TRY(m->body[i].holder == i ? set_principal(m, &m->body[i]) : SB_OK);
        moving += m->body[i].holder == i;
    }
    return moving > 0 ? SB_OK : sb_fail(m->file->ctx, SB_BAD_USAGE, "import: %s: no body has a joint", m->file->path);
}

double sb_model_inertia(const model *m, int body, const model_joint *j) {
    double sum = 0.0;
    for (int i = body; i < m->bodies; i++) {
        const model_body *b = &m->body[i];
        double r[3], n[3], arm[3];
        int on = i;
        while (on > body) { /* parents come before their children */
            on = m->body[on].parent;
        }
        if (on != body || b->holder != i) {
            continue;
        }
        for (int k = 0; k < 3; k++) {
            r[k] = b->centre[k] - j->anchor[k];
        }
        sb_cross(r, j->axis, arm);
        const double back[4] = {b->principal[0], -b->principal[1], -b->principal[2], -b->principal[3]};
        sb_quaternion_rotate(back, back, j->axis, n);
        sum += j->kind == MODEL_SLIDE ? b->mass
                                      : b->mass * sb_dot(3, arm, arm) + n[0] * n[0] * b->moment[0] +
                                            n[1] * n[1] * b->moment[1] + n[2] * n[2] * b->moment[2];
    }
    return sum;
}
