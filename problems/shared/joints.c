/* Rows of joints: their kinds, their values and derivatives, and their dependence on time. */
#include "problems/shared/joints.h"

/* ---- Points and directions. ---- */

int sb_joints_coordinates(const joints *p, int b) {
    return b == JOINTS_GROUND ? 0 : p->body[b].planar ? PLANAR_COORDINATES : BODY_COORDINATES;
}

/* Sets u = R(phi) a and J. */
static void turn_planar(sb_scalar phi, const sb_scalar a[3], sb_scalar out[3], sb_scalar J[3][BODY_COORDINATES]) {
    const sb_scalar cosine = cos(phi), sine = sin(phi);
    out[0] = cosine * a[0] - sine * a[1];
    out[1] = sine * a[0] + cosine * a[1];
    out[2] = 0.0;
    if (J != NULL) {
        J[0][PLANAR_PHI] = -out[1];
        J[1][PLANAR_PHI] = out[0];
    }
}

/* Sets u = e a conj(e) and J = 2 (s a + w x a | (w.a) 1 + w a' - a w' - s [a x]) with e = (s, w). */
static void turn_spatial(const sb_scalar e[4], const sb_scalar a[3], sb_scalar out[3],
                         sb_scalar J[3][BODY_COORDINATES]) {
    const sb_scalar *w = e + 1, along = w[0] * a[0] + w[1] * a[1] + w[2] * a[2];
    sb_quaternion_rotate(e, e, a, out);
    for (int k = 0; k < 3 && J != NULL; k++) {
        const int l = (k + 1) % 3, m = (k + 2) % 3;
        sb_scalar *row = J[k] + BODY_E;
        row[0] = 2.0 * (e[0] * a[k] + w[l] * a[m] - w[m] * a[l]);
        row[1 + k] = 2.0 * along;
        row[1 + l] = 2.0 * (w[k] * a[l] - a[k] * w[l] + e[0] * a[m]);
        row[1 + m] = 2.0 * (w[k] * a[m] - a[k] * w[m] - e[0] * a[l]);
    }
}

void sb_joint_vector_at(const joints *p, const joint_vector *u, const sb_scalar *q, sb_scalar out[3],
                        sb_scalar J[3][BODY_COORDINATES]) {
    if (J != NULL) {
        memset(J, 0, 3 * sizeof *J);
    }
    if (u->body == JOINTS_GROUND) {
        memcpy(out, u->a, 3 * sizeof *out);
        return;
    }
    const sb_scalar *x = q + p->body[u->body].at;
    const bool planar = p->body[u->body].planar;
    if (planar) {
        turn_planar(x[PLANAR_PHI], u->a, out, J);
    } else {
        turn_spatial(x + BODY_E, u->a, out, J);
    }
    for (int k = 0; k < (planar ? 2 : 3) && u->point; k++) {
        out[k] += x[k];
        if (J != NULL) {
            J[k][k] = 1.0;
        }
    }
}

/* Adds w . (second derivatives of u) to X, from row and column `from` on. */
static void joint_vector_hessian(const joints *p, const joint_vector *u, const sb_scalar *q, const sb_scalar w[3],
                                 int from, sb_scalar X[JOINT_SIZE][JOINT_SIZE]) {
    if (u->body == JOINTS_GROUND) {
        return;
    }
    if (p->body[u->body].planar) {
        sb_scalar r[3];
        turn_planar(q[p->body[u->body].at + PLANAR_PHI], u->a, r, NULL);
        X[from + PLANAR_PHI][from + PLANAR_PHI] -= w[0] * r[0] + w[1] * r[1];
        return;
    }
    /* w . u = s^2 (w.a) + 2 s e.(a x w) + e' (w a' + a w' - (w.a) 1) e with the vector part e. */
    const sb_scalar *a = u->a, along = w[0] * a[0] + w[1] * a[1] + w[2] * a[2];
    X[from + BODY_E][from + BODY_E] += 2.0 * along;
    for (int i = 0; i < 3; i++) {
        const sb_scalar across = 2.0 * (a[(i + 1) % 3] * w[(i + 2) % 3] - a[(i + 2) % 3] * w[(i + 1) % 3]);
        X[from + BODY_E][from + BODY_E + 1 + i] += across;
        X[from + BODY_E + 1 + i][from + BODY_E] += across;
        for (int j = 0; j < 3; j++) {
            X[from + BODY_E + 1 + i][from + BODY_E + 1 + j] +=
                2.0 * (w[i] * a[j] + a[i] * w[j] - (i == j ? along : 0.0));
        }
    }
}

/* Sets the rate u' of a vector, and half of u'' at constant v. */
static void joint_vector_rates(const joints *p, const joint_vector *u, const sb_scalar *q, const sb_scalar *v,
                               sb_scalar rate[3], sb_scalar half[3]) {
    for (int k = 0; k < 3; k++) {
        rate[k] = half[k] = 0.0;
    }
    if (u->body == JOINTS_GROUND) {
        return;
    }
    const sb_scalar *x = q + p->body[u->body].at, *y = v + p->body[u->body].at;
    const bool planar = p->body[u->body].planar;
    if (planar) {
        const sb_scalar w = y[PLANAR_PHI];
        sb_scalar r[3];
        turn_planar(x[PLANAR_PHI], u->a, r, NULL);
        rate[0] = -r[1] * w;
        rate[1] = r[0] * w;
        half[0] = -0.5 * r[0] * w * w;
        half[1] = -0.5 * r[1] * w * w;
    } else {
        sb_quaternion_rotate(x + BODY_E, y + BODY_E, u->a, rate);
        sb_quaternion_rotate(y + BODY_E, y + BODY_E, u->a, half);
    }
    for (int k = 0; k < (planar ? 2 : 3); k++) {
        rate[k] = (planar ? 1.0 : 2.0) * rate[k] + (u->point ? y[k] : 0.0);
    }
}

/* ---- Rows. ---- */

/* Sets the positions or directions u of a row, and J unless it is NULL, and the gradients of its form in u. */
static void joint_row_slopes(const joints *p, const joint_row *r, const sb_scalar *q, sb_scalar u[JOINT_VECTORS][3],
                             sb_scalar (*J)[3][BODY_COORDINATES], sb_scalar slope[JOINT_VECTORS][3]) {
    for (int a = 0; a < r->vectors; a++) {
        sb_joint_vector_at(p, &r->u[a], q, u[a], J != NULL ? J[a] : NULL);
    }
    for (int a = 0; a < r->vectors; a++) {
        for (int k = 0; k < 3; k++) {
            sb_scalar sum = 0.0;
            for (int b = 0; b < r->vectors; b++) {
                sum += r->Q[a][b] * u[b][k];
            }
            slope[a][k] = r->c[a][k] + sum;
        }
    }
}

static sb_scalar dot(const sb_scalar a[3], const sb_scalar b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/* Returns the value of the form; adds its derivatives to d and X. */
static sb_scalar joint_form_at(const joints *p, const joint_row *r, const sb_scalar *q, sb_scalar *d,
                               sb_scalar X[JOINT_SIZE][JOINT_SIZE]) {
    sb_scalar u[JOINT_VECTORS][3], J[JOINT_VECTORS][3][BODY_COORDINATES], slope[JOINT_VECTORS][3], value = r->constant;
    joint_row_slopes(p, r, q, u, d != NULL || X != NULL ? J : NULL, slope);
    for (int a = 0; a < r->vectors; a++) {
        const int coordinates = sb_joints_coordinates(p, r->u[a].body);
        for (int k = 0; k < 3; k++) {
            value += 0.5 * (r->c[a][k] + slope[a][k]) * u[a][k];
        }
        for (int j = 0; j < coordinates && d != NULL; j++) {
            d[r->from[a] + j] += slope[a][0] * J[a][0][j] + slope[a][1] * J[a][1][j] + slope[a][2] * J[a][2][j];
        }
        if (X == NULL) {
            continue;
        }
        joint_vector_hessian(p, &r->u[a], q, slope[a], r->from[a], X);
        for (int b = 0; b < r->vectors; b++) {
            for (int j = 0; j < sb_joints_coordinates(p, r->u[b].body) && r->Q[a][b] != 0.0; j++) {
                for (int i = 0; i < coordinates; i++) {
                    X[r->from[a] + i][r->from[b] + j] +=
                        r->Q[a][b] * (J[a][0][i] * J[b][0][j] + J[a][1][i] * J[b][1][j] + J[a][2][i] * J[b][2][j]);
                }
            }
        }
    }
    return value;
}

sb_scalar sb_joint_row_at(const joints *p, const joint_row *r, const sb_scalar *q, sb_scalar d[JOINT_SIZE],
                          sb_scalar X[JOINT_SIZE][JOINT_SIZE]) {
    sb_scalar square = 0.0;
    if (d != NULL) {
        memset(d, 0, JOINT_SIZE * sizeof *d);
    }
    if (X != NULL) {
        memset(X, 0, JOINT_SIZE * sizeof *X);
    }
    if (r->kind == JOINT_FORM) {
        return joint_form_at(p, r, q, d, X);
    }
    if (r->kind == JOINT_TURN) {
        sb_scalar angle = r->constant;
        for (int s = 0; s < 2; s++) {
            if (r->u[s].body != JOINTS_GROUND) {
                angle += (s == 0 ? -1.0 : 1.0) * q[p->body[r->u[s].body].at + PLANAR_PHI];
                if (d != NULL) {
                    d[r->from[s] + PLANAR_PHI] = s == 0 ? -1.0 : 1.0;
                }
            }
        }
        return angle;
    }
    if (r->kind == JOINT_COORDINATE) {
        if (d != NULL) {
            d[r->component] = 1.0;
        }
        return r->constant + q[r->coordinate[r->component]];
    }
    for (int j = BODY_E; j < BODY_COORDINATES; j++) {
        const sb_scalar e = q[r->coordinate[j]];
        square += e * e;
        if (d != NULL) {
            d[j] = e;
        }
        if (X != NULL) {
            X[j][j] = 1.0;
        }
    }
    return 0.5 * (square - 1.0);
}

void sb_joint_row_add(const joint_row *r, sb_scalar c, sb_scalar X[JOINT_SIZE][JOINT_SIZE], sb_scalar *Hx) {
    for (int i = 0; i < r->count; i++) {
        for (int j = 0; j < r->count; j++) {
            if (r->at_H[i][j] >= 0) {
                Hx[r->at_H[i][j]] += c * X[i][j];
            }
        }
    }
}

/* For the form, sum_a slope_a . u_a'' + sum_ab Q_ab u_a' . u_b'. */
sb_scalar sb_joint_row_curvature(const joints *p, const joint_row *r, const sb_scalar *q, const sb_scalar *v) {
    sb_scalar u[JOINT_VECTORS][3], slope[JOINT_VECTORS][3], rate[JOINT_VECTORS][3], half[3], sum = 0.0;
    for (int j = BODY_E; j < BODY_COORDINATES && r->kind == JOINT_UNIT; j++) {
        sum += v[r->coordinate[j]] * v[r->coordinate[j]];
    }
    if (r->kind != JOINT_FORM) {
        return sum;
    }
    joint_row_slopes(p, r, q, u, NULL, slope);
    for (int a = 0; a < r->vectors; a++) {
        joint_vector_rates(p, &r->u[a], q, v, rate[a], half);
        sum += dot(slope[a], half);
        for (int b = 0; b <= a; b++) {
            sum += (a == b ? 0.5 : 1.0) * r->Q[a][b] * dot(rate[a], rate[b]);
        }
    }
    return 2.0 * sum;
}

/* ---- Dependence on time. ---- */

/* Sets `out` to the row at t, or to its first or second derivative in t. */
static void joint_row_move(const joint_row *r, sb_scalar t, int derivative, joint_row *out) {
    const driven *d = r->driven;
    sb_scalar w[3];
    motion_at(&d->motion, t, w);
    *out = *r;
    if (d->kind == DRIVEN_ANGLE) {
        /* -sin(w) e1 + cos(w) e2 = n; n' = -w' r, n'' = -w'' r - w'^2 n, with r = cos(w) e1 + sin(w) e2 */
        const sb_scalar s = sin(w[0]), c = cos(w[0]);
        for (int k = 0; k < 3; k++) {
            const sb_scalar n = c * d->e2[k] - s * d->e1[k], along = c * d->e1[k] + s * d->e2[k];
            out->u[0].a[k] = derivative == 0 ? n : derivative == 1 ? -w[1] * along : -w[2] * along - w[1] * w[1] * n;
        }
        return;
    }
    const sb_scalar half_square[3] = {0.5 * w[0] * w[0], w[0] * w[1], w[1] * w[1] + w[0] * w[2]};
    out->constant = -(d->kind == DRIVEN_DISPLACEMENT ? w[derivative] : half_square[derivative]);
}

const joint_row *sb_joint_row_now(const joint_row *r, sb_scalar t, joint_row *moved) {
    if (r->driven == NULL) {
        return r;
    }
    joint_row_move(r, t, 0, moved);
    return moved;
}

sb_scalar sb_joint_row_rate(const joints *p, const joint_row *r, sb_scalar t, int derivative, const sb_scalar *q,
                            sb_scalar d[JOINT_SIZE]) {
    joint_row moved;
    joint_row_move(r, t, derivative, &moved);
    if (r->driven->kind == DRIVEN_ANGLE) {
        return sb_joint_row_at(p, &moved, q, d, NULL);
    }
    if (d != NULL) {
        memset(d, 0, JOINT_SIZE * sizeof *d);
    }
    return moved.constant;
}

bool sb_joint_row_aligned(const joints *p, const joint_row *r, sb_scalar t, const sb_scalar *q) {
    const driven *d = r->driven;
    joint_row along = *r;
    sb_scalar w[3];
    if (d == NULL || d->kind != DRIVEN_ANGLE) {
        return true;
    }
    motion_at(&d->motion, t, w);
    for (int k = 0; k < 3; k++) {
        along.u[0].a[k] = cos(w[0]) * d->e1[k] + sin(w[0]) * d->e2[k];
    }
    return sb_joint_row_at(p, &along, q, NULL, NULL) > 0.0;
}
