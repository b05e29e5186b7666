/* Terms of mechanisms of rigid bodies: inertia, gravity, springs, dampers and joints. */
#include "problems/shared/joints.h"

/* ---- Points and directions. ---- */

int joints_coordinates(const joints *p, int b) {
    return b == JOINTS_GROUND ? 0 : p->body[b].planar ? PLANAR_COORDINATES : BODY_COORDINATES;
}

void joint_vector_at(const joints *p, const joint_vector *u, const sb_scalar *q, sb_scalar out[3],
                     sb_scalar J[3][BODY_COORDINATES]) {
    memset(J, 0, 3 * sizeof *J);
    if (u->body == JOINTS_GROUND) {
        memcpy(out, u->a, 3 * sizeof *out);
        return;
    }
    const sb_scalar *x = q + p->body[u->body].at;
    if (p->body[u->body].planar) {
        const sb_scalar cosine = cos(x[PLANAR_PHI]), sine = sin(x[PLANAR_PHI]);
        out[0] = cosine * u->a[0] - sine * u->a[1];
        out[1] = sine * u->a[0] + cosine * u->a[1];
        out[2] = 0.0;
        J[0][PLANAR_PHI] = -out[1];
        J[1][PLANAR_PHI] = out[0];
    } else {
        /* u = e a conj(e) is quadratic in e = (s, w): J = 2 (s a + w x a | (w.a) 1 + w a' - a w' - s [a x]), u = J e/2.
         */
        const sb_scalar *e = x + BODY_E, *w = e + 1, *d = u->a;
        const sb_scalar along = w[0] * d[0] + w[1] * d[1] + w[2] * d[2];
        for (int k = 0; k < 3; k++) {
            const int l = (k + 1) % 3, m = (k + 2) % 3;
            sb_scalar *row = J[k] + BODY_E;
            row[0] = 2.0 * (e[0] * d[k] + w[l] * d[m] - w[m] * d[l]);
            row[1 + k] = 2.0 * along;
            row[1 + l] = 2.0 * (w[k] * d[l] - d[k] * w[l] + e[0] * d[m]);
            row[1 + m] = 2.0 * (w[k] * d[m] - d[k] * w[m] - e[0] * d[l]);
            out[k] = 0.5 * (row[0] * e[0] + row[1] * e[1] + row[2] * e[2] + row[3] * e[3]);
        }
    }
    for (int k = 0; k < (p->body[u->body].planar ? 2 : 3) && u->point; k++) {
        out[k] += x[k];
        J[k][k] = 1.0;
    }
}

/* Adds w . (second derivatives of u) to X, from row and column `from` on. */
static void joint_vector_hessian(const joints *p, const joint_vector *u, const sb_scalar *q, const sb_scalar w[3],
                                 int from, sb_scalar X[JOINT_SIZE][JOINT_SIZE]) {
    if (u->body == JOINTS_GROUND) {
        return;
    }
    if (p->body[u->body].planar) {
        const sb_scalar phi = q[p->body[u->body].at + PLANAR_PHI], cosine = cos(phi), sine = sin(phi);
        X[from + PLANAR_PHI][from + PLANAR_PHI] -=
            w[0] * (cosine * u->a[0] - sine * u->a[1]) + w[1] * (sine * u->a[0] + cosine * u->a[1]);
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

/* ---- A row: its value; its gradient d and second derivatives X in its coordinates, which may be NULL. ---- */

sb_scalar joint_row_at(const joints *p, const joint_row *r, const sb_scalar *q, sb_scalar d[JOINT_SIZE],
                       sb_scalar X[JOINT_SIZE][JOINT_SIZE]) {
    const int vectors = r->kind == JOINT_FORM ? r->vectors : 0;
    sb_scalar u[JOINT_VECTORS][3], J[JOINT_VECTORS][3][BODY_COORDINATES], value = r->constant;
    if (d != NULL) {
        memset(d, 0, JOINT_SIZE * sizeof *d);
    }
    if (X != NULL) {
        memset(X, 0, JOINT_SIZE * sizeof *X);
    }
    for (int j = BODY_E; j < BODY_COORDINATES && r->kind == JOINT_UNIT; j++) {
        const sb_scalar e = q[r->coordinate[j]];
        value += 0.5 * e * e;
        if (d != NULL) {
            d[j] = e;
        }
        if (X != NULL) {
            X[j][j] = 1.0;
        }
    }
    for (int a = 0; a < vectors; a++) {
        joint_vector_at(p, &r->u[a], q, u[a], J[a]);
    }
    for (int a = 0; a < vectors; a++) {
        sb_scalar slope[3]; /* of the form in u_a */
        const int coordinates = joints_coordinates(p, r->u[a].body);
        for (int k = 0; k < 3; k++) {
            sb_scalar sum = 0.0;
            for (int b = 0; b < vectors; b++) {
                sum += r->Q[a][b] * u[b][k];
            }
            value += (r->c[a][k] + 0.5 * sum) * u[a][k];
            slope[k] = r->c[a][k] + sum;
        }
        for (int j = 0; j < coordinates && d != NULL; j++) {
            d[r->from[a] + j] += slope[0] * J[a][0][j] + slope[1] * J[a][1][j] + slope[2] * J[a][2][j];
        }
        if (X == NULL) {
            continue;
        }
        joint_vector_hessian(p, &r->u[a], q, slope, r->from[a], X);
        for (int b = 0; b < vectors; b++) {
            for (int j = 0; j < joints_coordinates(p, r->u[b].body) && r->Q[a][b] != 0.0; j++) {
                for (int i = 0; i < coordinates; i++) {
                    X[r->from[a] + i][r->from[b] + j] +=
                        r->Q[a][b] * (J[a][0][i] * J[b][0][j] + J[a][1][i] * J[b][1][j] + J[a][2][i] * J[b][2][j]);
                }
            }
        }
    }
    return value;
}

void joint_row_add(const joint_row *r, sb_scalar c, sb_scalar X[JOINT_SIZE][JOINT_SIZE], sb_scalar *Hx) {
    for (int i = 0; i < r->count; i++) {
        for (int j = 0; j < r->count; j++) {
            if (r->at_H[i][j] >= 0) {
                Hx[r->at_H[i][j]] += c * X[i][j];
            }
        }
    }
}

/* ---- Inertia. ---- */

static int joints_mass(const void *self, const sb_scalar *q, sb_scalar *Mx) {
    const joints *p = self;
    for (int b = 0; b < p->nbodies; b++) {
        const joints_body *of = &p->body[b];
        sb_scalar *M = Mx + p->at_M[b];
        if (of->planar) {
            M[0] = M[1] = of->rigid.m;
            M[PLANAR_PHI] = of->rigid.J[0];
        } else {
            body_mass(&of->rigid, q + of->at, M);
        }
    }
    return SB_OK;
}

static int joints_kinetic_gradient(const void *self, const sb_scalar *q, const sb_scalar *v, sb_scalar *Tq) {
    const joints *p = self;
    memset(Tq, 0, (size_t)p->n * sizeof *Tq);
    for (int b = 0; b < p->nbodies; b++) {
        const joints_body *of = &p->body[b];
        if (!of->planar) {
            body_kinetic_gradient(&of->rigid, q + of->at, v + of->at, Tq + of->at);
        }
    }
    return SB_OK;
}

static int joints_kinetic_hessian(const void *self, const sb_scalar *q, const sb_scalar *v, sb_scalar cqq,
                                  sb_scalar cqv, sb_scalar cvq, sb_scalar *Hx) {
    const joints *p = self;
    for (int b = 0; b < p->nbodies; b++) {
        const joints_body *of = &p->body[b];
        sb_scalar X[BODY_NNZ] = {0.0};
        if (of->planar) {
            continue;
        }
        body_kinetic_hessian(&of->rigid, q + of->at, v + of->at, cqq, cqv, cvq, X);
        for (int k = 0; k < BODY_NNZ; k++) {
            Hx[p->at_body[b][k]] += X[k];
        }
    }
    return SB_OK;
}

/* ---- Gravity and springs. ---- */

static int joints_potential(const void *self, const sb_scalar *q, sb_scalar *V) {
    const joints *p = self;
    *V = 0.0;
    for (int b = 0; b < p->nbodies; b++) {
        for (int k = 0; k < (p->body[b].planar ? 2 : 3); k++) {
            *V -= p->body[b].rigid.m * p->gravity[k] * q[p->body[b].at + k];
        }
    }
    for (int s = 0; s < p->nsprings; s++) {
        const joint_spring *spring = &p->spring[s];
        const sb_scalar L = sqrt(2.0 * joint_row_at(p, &spring->row, q, NULL, NULL));
        *V += 0.5 * spring->k * (L - spring->length) * (L - spring->length);
    }
    return SB_OK;
}

static int joints_potential_gradient(const void *self, const sb_scalar *q, sb_scalar *Vq) {
    const joints *p = self;
    sb_scalar d[JOINT_SIZE];
    memset(Vq, 0, (size_t)p->n * sizeof *Vq);
    for (int b = 0; b < p->nbodies; b++) {
        for (int k = 0; k < (p->body[b].planar ? 2 : 3); k++) {
            Vq[p->body[b].at + k] = -p->body[b].rigid.m * p->gravity[k];
        }
    }
    for (int s = 0; s < p->nsprings; s++) {
        const joint_spring *spring = &p->spring[s];
        const sb_scalar L = sqrt(2.0 * joint_row_at(p, &spring->row, q, d, NULL));
        if (!(L > 0.0)) {
            return SB_DOMAIN;
        }
        for (int j = 0; j < spring->row.count; j++) {
            Vq[spring->row.coordinate[j]] += spring->k * (L - spring->length) / L * d[j];
        }
    }
    return SB_OK;
}

/* With r = L^2/2: V' = k (1 - length/L), V'' = k length/L^3 in r. */
static int joints_potential_hessian(const void *self, const sb_scalar *q, sb_scalar c, sb_scalar *Hx) {
    const joints *p = self;
    sb_scalar d[JOINT_SIZE], X[JOINT_SIZE][JOINT_SIZE];
    for (int s = 0; s < p->nsprings; s++) {
        const joint_spring *spring = &p->spring[s];
        const sb_scalar L = sqrt(2.0 * joint_row_at(p, &spring->row, q, d, X));
        if (!(L > 0.0)) {
            return SB_DOMAIN;
        }
        for (int i = 0; i < spring->row.count; i++) {
            for (int j = 0; j < spring->row.count; j++) {
                X[i][j] =
                    spring->k * ((1.0 - spring->length / L) * X[i][j] + spring->length / (L * L * L) * d[i] * d[j]);
            }
        }
        joint_row_add(&spring->row, c, X, Hx);
    }
    return SB_OK;
}

/* A damper's force -c L' along L_q = r_q/L is -c (r_q v) r_q/(2 r). */
int joints_force(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *f) {
    const joints *p = self;
    sb_scalar d[JOINT_SIZE];
    memset(f, 0, (size_t)p->n * sizeof *f);
    for (int s = 0; s < p->nsprings; s++) {
        const joint_spring *spring = &p->spring[s];
        const sb_scalar r = joint_row_at(p, &spring->row, q, d, NULL);
        sb_scalar rate = 0.0;
        if (!(r > 0.0)) {
            return SB_DOMAIN;
        }
        for (int j = 0; j < spring->row.count; j++) {
            rate += d[j] * v[spring->row.coordinate[j]];
        }
        for (int j = 0; j < spring->row.count; j++) {
            f[spring->row.coordinate[j]] -= 0.5 * spring->c * rate / r * d[j];
        }
    }
    return SB_OK;
}

int joints_force_jacobian(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar cq,
                          sb_scalar cv, sb_scalar *Hx) {
    const joints *p = self;
    sb_scalar d[JOINT_SIZE], X[JOINT_SIZE][JOINT_SIZE];
    for (int s = 0; s < p->nsprings; s++) {
        const joint_spring *spring = &p->spring[s];
        const joint_row *row = &spring->row;
        const sb_scalar r = joint_row_at(p, row, q, d, X), half = 0.5 * spring->c / r;
        sb_scalar rate = 0.0, bend[JOINT_SIZE] = {0.0}; /* r_q v, and its derivatives r_qq v */
        if (!(r > 0.0)) {
            return SB_DOMAIN;
        }
        for (int j = 0; j < row->count; j++) {
            rate += d[j] * v[row->coordinate[j]];
            for (int i = 0; i < row->count; i++) {
                bend[i] += X[i][j] * v[row->coordinate[j]];
            }
        }
        for (int i = 0; i < row->count; i++) {
            for (int j = 0; j < row->count; j++) {
                X[i][j] = -half * (cq * (d[i] * bend[j] + rate * X[i][j] - rate / r * d[i] * d[j]) + cv * d[i] * d[j]);
            }
        }
        joint_row_add(row, 1.0, X, Hx);
    }
    return SB_OK;
}

/* ---- Constraints. ---- */

int joints_value(const void *self, const sb_scalar *q, sb_scalar *g, sb_scalar *Gx) {
    const joints *p = self;
    sb_scalar d[JOINT_SIZE];
    for (int i = 0; i < p->nrows; i++) {
        const joint_row *r = &p->row[i];
        const sb_scalar value = joint_row_at(p, r, q, Gx != NULL ? d : NULL, NULL);
        if (g != NULL) {
            g[i] = value;
        }
        for (int j = 0; j < r->count && Gx != NULL; j++) {
            if (r->at_G[j] >= 0) {
                Gx[r->at_G[j]] = d[j];
            }
        }
    }
    return SB_OK;
}

int joints_hessian(const void *self, const sb_scalar *q, const sb_scalar *w, sb_scalar c, sb_scalar *Hx) {
    const joints *p = self;
    sb_scalar d[JOINT_SIZE], X[JOINT_SIZE][JOINT_SIZE];
    for (int i = 0; i < p->nrows; i++) {
        joint_row_at(p, &p->row[i], q, d, X);
        joint_row_add(&p->row[i], c * w[i], X, Hx);
    }
    return SB_OK;
}

int joints_curvature(const void *self, const sb_scalar *q, const sb_scalar *v, sb_scalar *out) {
    const joints *p = self;
    sb_scalar d[JOINT_SIZE], X[JOINT_SIZE][JOINT_SIZE];
    for (int k = 0; k < p->nrows; k++) {
        const joint_row *r = &p->row[k];
        joint_row_at(p, r, q, d, X);
        out[k] = 0.0;
        for (int i = 0; i < r->count; i++) {
            for (int j = 0; j < r->count; j++) {
                out[k] += X[i][j] * v[r->coordinate[i]] * v[r->coordinate[j]];
            }
        }
    }
    return SB_OK;
}

/* ---- The system. ---- */

void joints_set_terms(const joints *p, sb_pattern M, sb_pattern G, int degree, sb_system *out) {
    bool spatial = false, damped = false, falls = false;
    for (int b = 0; b < p->nbodies; b++) {
        spatial = spatial || !p->body[b].planar;
    }
    for (int s = 0; s < p->nsprings; s++) {
        damped = damped || p->spring[s].c != 0.0;
    }
    for (int k = 0; k < 3; k++) {
        falls = falls || p->gravity[k] != 0.0;
    }
    out->n = p->n;
    out->H = p->H;
    out->inertia = (sb_inertia){.self = p, .M = M, .mass = joints_mass};
    if (spatial) {
        out->inertia.gradient = joints_kinetic_gradient;
        out->inertia.hessian = joints_kinetic_hessian;
    }
    if (falls || p->nsprings > 0) {
        out->potential = (sb_potential){.self = p,
                                        .degree = p->nsprings > 0 ? -1 : 1,
                                        .value = joints_potential,
                                        .gradient = joints_potential_gradient,
                                        .hessian = p->nsprings > 0 ? joints_potential_hessian : NULL};
    }
    if (damped) {
        out->force = (sb_force){p, joints_force, joints_force_jacobian};
    }
    if (p->nrows == 0) {
        return;
    }
    out->holonomic = (sb_holonomic){.self = p,
                                    .m = p->nrows,
                                    .degree = degree,
                                    .G = G,
                                    .value = joints_value,
                                    .hessian = joints_hessian,
                                    .curvature = joints_curvature};
}
