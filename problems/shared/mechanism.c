/* Terms and patterns of mechanisms of rigid bodies in space. */
#include "problems/shared/mechanism.h"

static sb_scalar dot(const sb_scalar a[3], const sb_scalar b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/* ---- Inertia. ---- */

static int mechanism_mass(const void *self, const sb_scalar *q, sb_scalar *Mx) {
    const mechanism *p = self;
    for (int b = 0; b < p->nbodies; b++) {
        body_mass(&p->body[b], q + BODY_COORDINATES * b, Mx + BODY_NNZ * b);
    }
    return SB_OK;
}

static int mechanism_kinetic_gradient(const void *self, const sb_scalar *q, const sb_scalar *v, sb_scalar *Tq) {
    const mechanism *p = self;
    for (int b = 0; b < p->nbodies; b++) {
        const int at = BODY_COORDINATES * b;
        body_kinetic_gradient(&p->body[b], q + at, v + at, Tq + at);
    }
    return SB_OK;
}

static int mechanism_kinetic_hessian(const void *self, const sb_scalar *q, const sb_scalar *v, sb_scalar cqq,
                                     sb_scalar cqv, sb_scalar cvq, sb_scalar *Hx) {
    const mechanism *p = self;
    for (int b = 0; b < p->nbodies; b++) {
        const int at = BODY_COORDINATES * b;
        sb_scalar X[BODY_NNZ] = {0.0};
        body_kinetic_hessian(&p->body[b], q + at, v + at, cqq, cqv, cvq, X);
        for (int k = 0; k < BODY_NNZ; k++) {
            Hx[p->at_body[b][k]] += X[k];
        }
    }
    return SB_OK;
}

/* ---- Constraints. ---- */

/* Side s of an aligned pair, its direction in space; and its derivative along component j of the attitude. */
static void direction(const aligned *a, int s, const sb_scalar *q, sb_scalar out[3]) {
    if (a->body[s] == GROUND) {
        memcpy(out, a->along[s], 3 * sizeof *out);
        return;
    }
    quaternion_turn(attitude(q, a->body[s]), attitude(q, a->body[s]), a->along[s], out);
}

static void direction_by(const aligned *a, int s, const sb_scalar *q, const sb_scalar delta[4], sb_scalar out[3]) {
    quaternion_turn(attitude(q, a->body[s]), delta, a->along[s], out);
    for (int c = 0; c < 3; c++) {
        out[c] *= 2.0;
    }
}

/* Adds component c of a point to a row, `sign` (x + e at conj(e)), and appends its derivatives; returns the end. */
static sb_scalar *add_point(const sb_scalar *q, int b, const sb_scalar at[3], int c, sb_scalar sign, sb_scalar *g,
                            sb_scalar *Gx) {
    sb_scalar turned[3], unit[4];
    if (b == GROUND) {
        return Gx;
    }
    quaternion_turn(attitude(q, b), attitude(q, b), at, turned);
    *g += sign * (q[BODY_COORDINATES * b + c] + turned[c]);
    *Gx++ = sign;
    for (int j = 0; j < 4; j++) {
        quaternion_unit(j, unit);
        quaternion_turn(attitude(q, b), unit, at, turned);
        *Gx++ = sign * 2.0 * turned[c];
    }
    return Gx;
}

static sb_scalar *add_aligned(const aligned *a, const sb_scalar *q, sb_scalar *g, sb_scalar *Gx) {
    sb_scalar d[2][3], by[3], unit[4];
    direction(a, 0, q, d[0]);
    direction(a, 1, q, d[1]);
    *g = dot(d[0], d[1]);
    for (int s = 0; s < 2; s++) {
        for (int j = 0; j < 4 && a->body[s] != GROUND; j++) {
            quaternion_unit(j, unit);
            direction_by(a, s, q, unit, by);
            *Gx++ = dot(by, d[1 - s]);
        }
    }
    return Gx;
}

enum {
    ROWS_MAX = 3 * POINTS_MAX + ALIGNED_MAX + FIXED_MAX + BODIES_MAX,
    NNZ_MAX = 10 * 3 * POINTS_MAX + 8 * ALIGNED_MAX + FIXED_MAX + 4 * BODIES_MAX
};

static int mechanism_value(const void *self, const sb_scalar *q, sb_scalar *g, sb_scalar *Gx) {
    const mechanism *p = self;
    sb_scalar rows[ROWS_MAX] = {0.0}, values[NNZ_MAX], *next = values;
    int row = 0;
    for (int k = 0; k < p->npoints; k++) {
        for (int c = 0; c < 3; c++, row++) {
            next = add_point(q, p->points[k].body[0], p->points[k].at[0], c, -1.0, &rows[row], next);
            next = add_point(q, p->points[k].body[1], p->points[k].at[1], c, 1.0, &rows[row], next);
        }
    }
    for (int k = 0; k < p->naligned; k++) {
        next = add_aligned(&p->aligned[k], q, &rows[row++], next);
    }
    for (int k = 0; k < p->nfixed; k++) {
        rows[row++] = q[p->fixed[k].coordinate] - p->fixed[k].value;
        *next++ = 1.0;
    }
    for (int b = 0; b < p->nbodies; b++) {
        const sb_scalar *e = attitude(q, b);
        rows[row++] = 0.5 * (e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3] - 1.0);
        memcpy(next, e, 4 * sizeof *next);
        next += 4;
    }
    if (g != NULL) {
        memcpy(g, rows, (size_t)p->m * sizeof *g);
    }
    if (Gx != NULL) {
        memcpy(Gx, values, (size_t)(next - values) * sizeof *Gx);
    }
    return SB_OK;
}

/* Adds w . 2 turn(e_i, e_j, d) to the block of a body's attitude. */
static void add_turned(const mechanism *p, int b, const sb_scalar d[3], const sb_scalar w[3], sb_scalar *Hx) {
    sb_scalar first[4], second[4], turned[3];
    for (int j = 0; j < 4; j++) {
        quaternion_unit(j, first);
        for (int i = 0; i < 4; i++) {
            quaternion_unit(i, second);
            quaternion_turn(first, second, d, turned);
            Hx[p->at_body[b][3 + i + 4 * j]] += 2.0 * dot(turned, w);
        }
    }
}

static void add_aligned_hessian(const mechanism *p, int k, const sb_scalar *q, sb_scalar w, sb_scalar *Hx) {
    const aligned *a = &p->aligned[k];
    sb_scalar d[2][3], by[2][3], unit[4];
    for (int s = 0; s < 2; s++) {
        direction(a, 1 - s, q, d[s]);
        for (int c = 0; c < 3; c++) {
            d[s][c] *= w;
        }
        if (a->body[s] != GROUND) {
            add_turned(p, a->body[s], a->along[s], d[s], Hx);
        }
    }
    if (a->body[0] == GROUND || a->body[1] == GROUND) {
        return;
    }
    for (int j = 0; j < 4; j++) {
        quaternion_unit(j, unit);
        direction_by(a, 0, q, unit, by[0]);
        for (int i = 0; i < 4; i++) {
            quaternion_unit(i, unit);
            direction_by(a, 1, q, unit, by[1]);
            Hx[p->at_pair[k][0][i + 4 * j]] += w * dot(by[0], by[1]);
            Hx[p->at_pair[k][1][j + 4 * i]] += w * dot(by[0], by[1]);
        }
    }
}

static int mechanism_hessian(const void *self, const sb_scalar *q, const sb_scalar *w, sb_scalar c, sb_scalar *Hx) {
    const mechanism *p = self;
    for (int k = 0; k < p->npoints; k++) {
        for (int s = 0; s < 2; s++) {
            const sb_scalar sign = s == 0 ? -c : c, by[3] = {sign * w[3 * k], sign * w[3 * k + 1], sign * w[3 * k + 2]};
            if (p->points[k].body[s] != GROUND) {
                add_turned(p, p->points[k].body[s], p->points[k].at[s], by, Hx);
            }
        }
    }
    for (int k = 0; k < p->naligned; k++) {
        add_aligned_hessian(p, k, q, c * w[3 * p->npoints + k], Hx);
    }
    for (int b = 0; b < p->nbodies; b++) {
        for (int j = 0; j < 4; j++) {
            Hx[p->at_body[b][3 + 5 * j]] += c * w[p->m - p->nbodies + b];
        }
    }
    return SB_OK;
}

static int mechanism_curvature(const void *self, const sb_scalar *q, const sb_scalar *v, sb_scalar *out) {
    const mechanism *p = self;
    memset(out, 0, (size_t)p->m * sizeof *out);
    for (int k = 0; k < p->npoints; k++) {
        for (int s = 0; s < 2; s++) {
            sb_scalar turned[3] = {0.0};
            const int b = p->points[k].body[s];
            if (b != GROUND) {
                quaternion_turn(attitude(v, b), attitude(v, b), p->points[k].at[s], turned);
            }
            for (int c = 0; c < 3; c++) {
                out[3 * k + c] += (s == 0 ? -2.0 : 2.0) * turned[c];
            }
        }
    }
    for (int k = 0; k < p->naligned; k++) {
        const aligned *a = &p->aligned[k];
        sb_scalar d[2][3], rate[2][3] = {{0.0}}, second[2][3] = {{0.0}};
        for (int s = 0; s < 2; s++) {
            direction(a, s, q, d[s]);
            if (a->body[s] != GROUND) {
                direction_by(a, s, q, attitude(v, a->body[s]), rate[s]);
                quaternion_turn(attitude(v, a->body[s]), attitude(v, a->body[s]), a->along[s], second[s]);
            }
        }
        out[3 * p->npoints + k] = 2.0 * (dot(second[0], d[1]) + dot(rate[0], rate[1]) + dot(d[0], second[1]));
    }
    for (int b = 0; b < p->nbodies; b++) {
        const sb_scalar *e = attitude(v, b);
        out[p->m - p->nbodies + b] = e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3];
    }
    return SB_OK;
}

/* ---- Building. ---- */

static void append(int *row, int *col, int *count, int r, int c) {
    row[*count] = r;
    col[(*count)++] = c;
}

static int set_G(sb_arena *arena, const mechanism *p, sb_pattern *G) {
    int row[NNZ_MAX], col[NNZ_MAX], count = 0, at = 0;
    for (int k = 0; k < 3 * p->npoints; k++, at++) {
        for (int s = 0; s < 2; s++) {
            const int b = p->points[k / 3].body[s];
            for (int j = -1; j < 4 && b != GROUND; j++) {
                append(row, col, &count, BODY_COORDINATES * b + (j < 0 ? k % 3 : BODY_E + j), at);
            }
        }
    }
    for (int k = 0; k < p->naligned; k++, at++) {
        for (int j = 0; j < 8; j++) {
            const int b = p->aligned[k].body[j / 4];
            if (b != GROUND) {
                append(row, col, &count, BODY_COORDINATES * b + BODY_E + j % 4, at);
            }
        }
    }
    for (int k = 0; k < p->nfixed; k++) {
        append(row, col, &count, p->fixed[k].coordinate, at++);
    }
    for (int k = 0; k < 4 * p->nbodies; k++) {
        append(row, col, &count, BODY_COORDINATES * (k / 4) + BODY_E + k % 4, at + k / 4);
    }
    return sb_pattern_from_pairs(arena, BODY_COORDINATES * p->nbodies, p->m, count, row, col, G);
}

/* Where row and column of entry (i, j) of the block of a pair stand: i in its second body, j in its first; or the other
 * way round. */
static void pair_entry(const aligned *a, int side, int k, int *row, int *col) {
    *row = BODY_COORDINATES * a->body[1 - side] + BODY_E + k % 4;
    *col = BODY_COORDINATES * a->body[side] + BODY_E + k / 4;
}

/* M's pattern, and H's with the blocks of the pairs. */
static int set_H(sb_arena *arena, mechanism *p, sb_pattern *M, sb_pattern *H) {
    int row[BODY_NNZ * BODIES_MAX + 2 * MATRIX * ALIGNED_MAX], col[BODY_NNZ * BODIES_MAX + 2 * MATRIX * ALIGNED_MAX],
        count = 0, r, c;
    SB_TRY(bodies_pattern(arena, p->nbodies, M));
    for (int j = 0; j < BODY_COORDINATES * p->nbodies; j++) {
        for (int k = M->p[j]; k < M->p[j + 1]; k++) {
            append(row, col, &count, M->i[k], j);
        }
    }
    for (int k = 0; k < 2 * MATRIX * p->naligned; k++) {
        const aligned *a = &p->aligned[k / (2 * MATRIX)];
        if (a->body[0] != GROUND) {
            pair_entry(a, k / MATRIX % 2, k % MATRIX, &r, &c);
            append(row, col, &count, r, c);
        }
    }
    SB_TRY(
        sb_pattern_from_pairs(arena, BODY_COORDINATES * p->nbodies, BODY_COORDINATES * p->nbodies, count, row, col, H));
    for (int k = 0; k < BODY_NNZ * p->nbodies; k++) {
        p->at_body[k / BODY_NNZ][k % BODY_NNZ] = sb_pattern_find(H, row[k], col[k]);
    }
    for (int k = 0; k < 2 * MATRIX * p->naligned; k++) {
        const aligned *a = &p->aligned[k / (2 * MATRIX)];
        if (a->body[0] != GROUND) {
            pair_entry(a, k / MATRIX % 2, k % MATRIX, &r, &c);
            p->at_pair[k / (2 * MATRIX)][k / MATRIX % 2][k % MATRIX] = sb_pattern_find(H, r, c);
        }
    }
    return SB_OK;
}

int mechanism_finish(sb_arena *arena, mechanism *p, sb_system *out) {
    sb_pattern M;
    p->m = 3 * p->npoints + p->naligned + p->nfixed + p->nbodies;
    out->n = BODY_COORDINATES * p->nbodies;
    SB_TRY(set_H(arena, p, &M, &out->H));
    for (int b = 0; b < p->nbodies; b++) {
        p->attitude[b] = (sb_attitude){BODY_COORDINATES * b + BODY_E, p->m - p->nbodies + b};
    }
    out->attitudes = p->nbodies;
    out->attitude = p->attitude;
    out->inertia = (sb_inertia){.self = p,
                                .M = M,
                                .mass = mechanism_mass,
                                .gradient = mechanism_kinetic_gradient,
                                .hessian = mechanism_kinetic_hessian};
    out->holonomic = (sb_holonomic){.self = p,
                                    .m = p->m,
                                    .degree = p->naligned > 0 ? -1 : 2,
                                    .value = mechanism_value,
                                    .hessian = mechanism_hessian,
                                    .curvature = mechanism_curvature};
    return set_G(arena, p, &out->holonomic.G);
}
