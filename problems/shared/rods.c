/* Terms, chart and patterns of planar rods that are joined at their ends: spook07 6. */
#include "problems/shared/rods.h"
#include "problems/shared/pairs.h"
#include "problems/shared/start.h"
#include "problems/shared/world.h"

/* Largest number of angles of a chart, which stores a dense matrix of rods times angles. Longer chains have none. */
enum { RODS_CHART_MAX = 128 };

/* ---- Terms. ---- */

static int rods_mass(const void *self, const sb_scalar *q, sb_scalar *Mx) {
    const rods *p = self;
    for (int r = 0; r < p->n; r++) {
        sb_scalar *M = Mx + RODS_COORDINATES * r;
        M[RODS_X] = M[RODS_Y] = p->m[r];
        M[RODS_UX] = M[RODS_UY] = p->m[r] * p->l * p->l / 12.0;
    }
    return SB_OK;
}

static int rods_potential(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *V) {
    const rods *p = self;
    sb_scalar sum = 0.0;
    for (int r = 0; r < p->n; r++) {
        sum += p->m[r] * q[RODS_COORDINATES * r + RODS_Y];
    }
    *V = p->g * sum;
    return SB_OK;
}

static int rods_potential_gradient(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *Vq) {
    const rods *p = self;
    memset(Vq, 0, (size_t)(RODS_COORDINATES * p->n) * sizeof *Vq);
    for (int r = 0; r < p->n; r++) {
        Vq[RODS_COORDINATES * r + RODS_Y] = p->m[r] * p->g;
    }
    return SB_OK;
}

/* Returns component c of an end of a rod whose direction has the length `length`; of its velocity for velocities q. */
static sb_scalar rods_end(const rods *p, const sb_scalar *q, int rod, int end, int c, sb_scalar length) {
    const sb_scalar *x = q + RODS_COORDINATES * rod;
    return x[c] + 0.5 * end * p->l / length * x[RODS_UX + c];
}

/* Writes the entries of a row of a joint for one of its rods; returns the position of the next ones. */
static sb_scalar *rods_entries(const rods *p, sb_scalar *G, sb_scalar sign, int end) {
    G[0] = sign;
    G[1] = sign * 0.5 * end * p->l;
    return G + 2;
}

/* The order is that of rods_constraints, so that g and G are written once and in sequence; long chains do not fit the
 * caches. */
static int rods_value(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *g, sb_scalar *Gx) {
    const rods *p = self;
    sb_scalar *row = g, *G = Gx;
    for (int j = 0; j < p->njoints; j++) {
        const rods_joint *at = &p->joint[j];
        const sb_scalar *u = q + RODS_COORDINATES * at->second + RODS_UX;
        const bool places = at->second_end < 0;
        for (int c = 0; c < 2 && g != NULL; c++) {
            const sb_scalar first = at->first >= 0 ? rods_end(p, q, at->first, at->first_end, c, 1.0) : 0.0;
            *row++ = rods_end(p, q, at->second, at->second_end, c, 1.0) - first;
        }
        for (int c = 0; c < 2 && Gx != NULL; c++) {
            G = at->first >= 0 ? rods_entries(p, G, -1.0, at->first_end) : G;
            G = rods_entries(p, G, 1.0, at->second_end);
        }
        if (places && g != NULL) {
            *row++ = 0.5 * (u[0] * u[0] + u[1] * u[1] - 1.0);
        }
        if (places && Gx != NULL) {
            *G++ = u[0];
            *G++ = u[1];
        }
    }
    return SB_OK;
}

static int rods_hessian(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *w, sb_scalar c,
                        sb_scalar *Hx) {
    const rods *p = self;
    for (int r = 0; r < p->n; r++) {
        Hx[RODS_COORDINATES * r + RODS_UX] += c * w[p->unit_row[r]];
        Hx[RODS_COORDINATES * r + RODS_UY] += c * w[p->unit_row[r]];
    }
    return SB_OK;
}

static int rods_curvature(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *out) {
    const rods *p = self;
    memset(out, 0, (size_t)(2 * p->njoints + p->n) * sizeof *out);
    for (int r = 0; r < p->n; r++) {
        const sb_scalar *u = v + RODS_COORDINATES * r + RODS_UX;
        out[p->unit_row[r]] = u[0] * u[0] + u[1] * u[1];
    }
    return SB_OK;
}

static const sb_output rods_output_list[] = {
    {"tip_x", "m", "x of the tip", false},
    {"tip_y", "m", "y of the tip", false},
    {"whip", "m/s", "speed of the tip", false},
    {"g_joint", "m", "root mean square of the joints' rows of g", false},
    {"gap", "m",
     "root mean square over the joints of the distance between the two ends, of rods that have exactly their length",
     false},
};

enum { RODS_OUTPUTS = sizeof rods_output_list / sizeof *rods_output_list };

static sb_scalar rods_length(const sb_scalar *q, int rod) {
    return hypot(q[RODS_COORDINATES * rod + RODS_UX], q[RODS_COORDINATES * rod + RODS_UY]);
}

static int rods_outputs(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *out) {
    const rods *p = self;
    sb_scalar rows = 0.0, gaps = 0.0;
    for (int j = 0; j < p->njoints; j++) {
        const rods_joint *at = &p->joint[j];
        const sb_scalar second = rods_length(q, at->second), first = at->first >= 0 ? rods_length(q, at->first) : 1.0;
        for (int c = 0; c < 2; c++) {
            const bool ground = at->first < 0;
            const sb_scalar row = rods_end(p, q, at->second, at->second_end, c, 1.0) -
                                  (ground ? 0.0 : rods_end(p, q, at->first, at->first_end, c, 1.0));
            const sb_scalar gap = rods_end(p, q, at->second, at->second_end, c, second) -
                                  (ground ? 0.0 : rods_end(p, q, at->first, at->first_end, c, first));
            rows += row * row;
            gaps += gap * gap;
        }
    }
    out[0] = rods_end(p, q, p->tip, 1, RODS_X, 1.0);
    out[1] = rods_end(p, q, p->tip, 1, RODS_Y, 1.0);
    out[2] = hypot(rods_end(p, v, p->tip, 1, RODS_X, 1.0), rods_end(p, v, p->tip, 1, RODS_Y, 1.0));
    out[3] = sqrt(rows / (2.0 * p->njoints));
    out[4] = sqrt(gaps / p->njoints);
    return SB_OK;
}

/* ---- Chart: rows 4 r and 4 r + 2 of C e(s) are x components, the others y components. ---- */

/* c: D2 psi(u, u), not for u = NULL. */
static int rods_chart_motion(const void *self, const sb_scalar *s, const sb_scalar *u, sb_scalar *q, sb_scalar *Dx,
                             sb_scalar *c) {
    const rods *p = self;
    const sb_pattern *D = &p->chart.D;
    const size_t bytes = (size_t)D->rows * sizeof(sb_scalar);
    if (q != NULL) {
        memset(q, 0, bytes);
    }
    if (u != NULL) {
        memset(c, 0, bytes);
    }
    for (int j = 0; j < D->cols; j++) {
        const sb_scalar e[2] = {sin(s[j]), -cos(s[j])};
        for (int k = D->p[j]; k < D->p[j + 1]; k++) {
            const int row = D->i[k];
            const sb_scalar x = p->coefficient[k] * e[row % 2];
            if (q != NULL) {
                q[row] += x;
            }
            if (u != NULL) {
                c[row] -= u[j] * u[j] * x;
            }
            if (Dx != NULL) {
                Dx[k] = p->coefficient[k] * (row % 2 == 0 ? -e[1] : e[0]);
            }
        }
    }
    return SB_OK;
}

static int rods_chart_point(const void *self, const sb_scalar *s, sb_scalar *q, sb_scalar *Dx) {
    return rods_chart_motion(self, s, NULL, q, Dx, NULL);
}

/* Returns the sum over rows of w_i C_ij f_c(i), with f two components of a direction. */
static sb_scalar rods_chart_sum(const rods *p, int j, const sb_scalar *w, sb_scalar f0, sb_scalar f1) {
    const sb_pattern *D = &p->chart.D;
    sb_scalar sum = 0.0;
    for (int k = D->p[j]; k < D->p[j + 1]; k++) {
        sum += w[D->i[k]] * p->coefficient[k] * (D->i[k] % 2 == 0 ? f0 : f1);
    }
    return sum;
}

/* Returns the only row whose weight is not 0; -1 if there are several. The derivatives of velocities in
 * formulations/chart.c have one weight, and evaluate it once per row. All other weights are 0 if the first of them is 0
 * and each equals the next one. memcmp compares several at once: a step of rk4 on a ladder of 20 squares takes 0.63 of
 * the time that it takes with a loop over the weights. */
static int rods_only_row(const rods *p, const sb_scalar *w) {
    const int n = p->chart.D.rows;
    int only = 0;
    while (only < n - 1 && w[only] == 0.0) {
        only++;
    }
    const sb_scalar *rest = w + only + 1;
    const int others = n - only - 1;
    const bool single =
        others == 0 || (rest[0] == 0.0 && memcmp(rest, rest + 1, (size_t)(others - 1) * sizeof *rest) == 0);
    return single ? only : -1;
}

static int rods_chart_hessian(const void *self, const sb_scalar *s, const sb_scalar *w, sb_scalar c, sb_scalar *Hx) {
    const rods *p = self;
    const int only = rods_only_row(p, w);
    if (only >= 0) {
        for (int a = p->rows.p[only]; a < p->rows.p[only + 1]; a++) {
            const int j = p->rows.i[a];
            Hx[j] += c * (w[only] * p->coefficient[p->row_at[a]] * (only % 2 == 0 ? -sin(s[j]) : cos(s[j])));
        }
        return SB_OK;
    }
    for (int j = 0; j < p->nangles; j++) {
        Hx[j] += c * rods_chart_sum(p, j, w, -sin(s[j]), cos(s[j]));
    }
    return SB_OK;
}

static int rods_chart_third(const void *self, const sb_scalar *s, const sb_scalar *w, const sb_scalar *u, sb_scalar c,
                            sb_scalar *Hx) {
    const rods *p = self;
    for (int j = 0; j < p->nangles; j++) {
        Hx[j] -= c * u[j] * rods_chart_sum(p, j, w, cos(s[j]), sin(s[j]));
    }
    return SB_OK;
}

static int rods_chart_inverse(const void *self, const sb_scalar *q, sb_scalar *s) {
    const rods *p = self;
    for (int r = p->n - 1; r >= 0; r--) {
        const sb_scalar *u = q + RODS_COORDINATES * r + RODS_UX;
        if (u[0] == 0.0 && u[1] == 0.0) {
            return SB_DOMAIN;
        }
        s[p->angle[r]] = atan2(u[0], -u[1]);
    }
    return SB_OK;
}

/* Sets C (rods by angles, dense) along the joints that place rods: a centre is the end at which its tail is, plus half
 * a length along its direction. */
static void rods_chart_coefficients(const rods *p, sb_scalar *C) {
    for (int j = 0; j < p->njoints; j++) {
        const rods_joint *at = &p->joint[j];
        if (at->second_end > 0) {
            continue;
        }
        sb_scalar *row = C + (size_t)at->second * (size_t)p->nangles;
        if (at->first >= 0) {
            memcpy(row, C + (size_t)at->first * (size_t)p->nangles, (size_t)p->nangles * sizeof *row);
            row[p->angle[at->first]] += 0.5 * at->first_end * p->l;
        }
        row[p->angle[at->second]] += 0.5 * p->l;
    }
}

static int rods_chart_init(sb_arena *arena, rods *p) {
    sb_scalar *C;
    pairs D;
    SB_NEW(arena, C, p->n * p->nangles);
    SB_TRY(pairs_new(arena, 2 * p->n * (p->nangles + 1), &D));
    rods_chart_coefficients(p, C);
    for (int k = 0; k < 2 * p->n * (p->nangles + 1); k++) {
        const int c = k % 2, r = k / 2 % p->n, j = k / 2 / p->n; /* j = nangles: the direction itself */
        if (j == p->nangles || C[r * p->nangles + j] != 0.0) {
            pairs_add(&D, RODS_COORDINATES * r + (j == p->nangles ? RODS_UX : RODS_X) + c,
                      j == p->nangles ? p->angle[r] : j);
        }
    }
    p->chart = (sb_chart){.self = p,
                          .n = p->nangles,
                          .point = rods_chart_point,
                          .motion = rods_chart_motion,
                          .hessian = rods_chart_hessian,
                          .third = rods_chart_third,
                          .inverse = rods_chart_inverse};
    SB_TRY(sb_pattern_diagonal(arena, p->nangles, &p->chart.H));
    SB_TRY(pairs_pattern(arena, &D, RODS_COORDINATES * p->n, p->nangles, &p->chart.D));
    SB_TRY(sb_pattern_transpose(arena, &p->chart.D, &p->rows, &p->row_at));
    SB_NEW(arena, p->coefficient, sb_pattern_nnz(&p->chart.D));
    for (int k = 0; k < D.count; k++) {
        const int row = D.row[k], r = row / RODS_COORDINATES;
        p->coefficient[sb_pattern_find(&p->chart.D, row, D.col[k])] =
            row % RODS_COORDINATES >= RODS_UX ? 1.0 : C[r * p->nangles + D.col[k]];
    }
    return SB_OK;
}

/* ---- The world: a rod's frame has its x axis along the rod. ---- */

static int rods_describe(const void *self, sb_arena *arena, sb_world_parts *out) {
    const rods *p = self;
    SB_TRY(world_new(arena, p->n, p->njoints, out));
    out->gravity[1] = -p->g;
    for (int r = 0; r < p->n; r++) {
        SB_TRY(world_add_body(arena, out, "rod", p->m[r], p->m[r] * p->l * p->l / 12.0));
    }
    for (int j = 0; j < p->njoints; j++) {
        const rods_joint *at = &p->joint[j];
        const sb_scalar first = at->first >= 0 ? 0.5 * at->first_end * p->l : 0.0;
        world_add_joint(out, SB_REVOLUTE, at->first >= 0 ? at->first : SB_GROUND, first, 0.0, at->second,
                        0.5 * at->second_end * p->l, 0.0);
    }
    return SB_OK;
}

static int rods_poses(const void *self, const sb_scalar *q, const sb_scalar *v, sb_scalar *pose, sb_scalar *twist) {
    const rods *p = self;
    for (int r = 0; r < p->n; r++, pose += 3, twist += 3, q += RODS_COORDINATES, v += RODS_COORDINATES) {
        const sb_scalar *u = q + RODS_UX, square = u[0] * u[0] + u[1] * u[1];
        memcpy(pose, q, 2 * sizeof *q);
        memcpy(twist, v, 2 * sizeof *v);
        pose[2] = atan2(u[1], u[0]);
        twist[2] = (u[0] * v[RODS_UY] - u[1] * v[RODS_UX]) / square;
    }
    return SB_OK;
}

static int rods_state(const void *self, const sb_scalar *pose, const sb_scalar *twist, sb_scalar *q, sb_scalar *v) {
    const rods *p = self;
    for (int r = 0; r < p->n; r++, pose += 3, twist += 3, q += RODS_COORDINATES, v += RODS_COORDINATES) {
        memcpy(q, pose, 2 * sizeof *q);
        memcpy(v, twist, 2 * sizeof *v);
        q[RODS_UX] = cos(pose[2]);
        q[RODS_UY] = sin(pose[2]);
        v[RODS_UX] = -q[RODS_UY] * twist[2];
        v[RODS_UY] = q[RODS_UX] * twist[2];
    }
    return SB_OK;
}

/* ---- Building. ---- */

int sb_rods_new(sb_arena *arena, int n, int njoints, int nangles, rods **out) {
    rods *p;
    SB_NEW(arena, p, 1);
    p->n = n;
    p->njoints = njoints;
    p->nangles = nangles;
    SB_NEW(arena, p->m, n);
    SB_NEW(arena, p->joint, njoints);
    SB_NEW(arena, p->angle, n);
    SB_NEW(arena, p->q0, RODS_COORDINATES * n);
    *out = p;
    return SB_OK;
}

/* Writes the coordinates of a rod in the row of component c of a joint; returns the new end. */
static int rods_column(int *i, int end, int rod, int c) {
    i[end] = RODS_COORDINATES * rod + c;
    i[end + 1] = RODS_COORDINATES * rod + RODS_UX + c;
    return end + 2;
}

/* Sets the rows in the order of joints. The row of a rod follows the joint that places it, which keeps the band of the
 * Schur complement narrow. */
static int rods_constraints(sb_arena *arena, rods *p, sb_pattern *G) {
    const int rows = 2 * p->njoints + p->n;
    int *start, *i, row = 0, end = 0;
    SB_NEW(arena, p->unit_row, p->n);
    SB_NEW(arena, start, rows + 1);
    SB_NEW(arena, i, 8 * p->njoints + 2 * p->n);
    for (int j = 0; j < p->njoints; j++) {
        const rods_joint *at = &p->joint[j];
        for (int c = 0; c < 2; c++) {
            start[row++] = end;
            end = at->first >= 0 ? rods_column(i, end, at->first, c) : end;
            end = rods_column(i, end, at->second, c);
        }
        if (at->second_end < 0) {
            p->unit_row[at->second] = row;
            start[row++] = end;
            i[end++] = RODS_COORDINATES * at->second + RODS_UX;
            i[end++] = RODS_COORDINATES * at->second + RODS_UY;
        }
    }
    start[rows] = end;
    *G = (sb_pattern){RODS_COORDINATES * p->n, rows, start, i};
    return SB_OK;
}

/* Computes the centres from the directions. */
static void rods_place(rods *p) {
    for (int j = 0; j < p->njoints; j++) {
        const rods_joint *at = &p->joint[j];
        for (int c = 0; c < 2 && at->second_end < 0; c++) {
            sb_scalar *x = p->q0 + RODS_COORDINATES * at->second;
            x[c] = (at->first >= 0 ? rods_end(p, p->q0, at->first, at->first_end, c, 1.0) : 0.0) +
                   0.5 * p->l * x[RODS_UX + c];
        }
    }
}

/* Returns the time scale. The frequencies of transversal waves of a hanging chain are at most 2 sqrt(tension/(m l)),
 * with the whole weight as tension and the lightest rod. */
static sb_scalar rods_time_scale(const rods *p) {
    sb_scalar total = 0.0, least = INFINITY;
    for (int r = 0; r < p->n; r++) {
        total += p->m[r];
        least = fmin(least, p->m[r]);
    }
    return time_scale_of(2.0 * sqrt(p->g / p->l * (total / least)));
}

int sb_rods_finish(sb_arena *arena, rods *p, sb_system *out) {
    rods_place(p);
    out->n = RODS_COORDINATES * p->n;
    out->time_scale = rods_time_scale(p);
    SB_TRY(sb_pattern_diagonal(arena, out->n, &out->H));
    out->inertia = (sb_inertia){.self = p, .M = out->H, .mass = rods_mass};
    out->potential =
        (sb_potential){.self = p, .degree = 1, .value = rods_potential, .gradient = rods_potential_gradient};
    out->holonomic = (sb_holonomic){.self = p,
                                    .m = 2 * p->njoints + p->n,
                                    .degree = 2,
                                    .value = rods_value,
                                    .hessian = rods_hessian,
                                    .curvature = rods_curvature};
    SB_TRY(rods_constraints(arena, p, &out->holonomic.G));
    out->outputs = (sb_outputs){p, RODS_OUTPUTS, rods_output_list, rods_outputs};
    SB_TRY(world_offer(arena,
                       (sb_world){.self = p,
                                  .dimension = 2,
                                  .bodies = p->n,
                                  .describe = rods_describe,
                                  .place = rods_poses,
                                  .coordinates = rods_state},
                       out));
    if (p->nangles <= RODS_CHART_MAX) {
        SB_TRY(rods_chart_init(arena, p));
        out->chart = &p->chart;
    }
    return set_start(arena, p->q0, NULL, out);
}
