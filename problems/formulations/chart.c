/* Generalized coordinates: the system on its constraint manifold in a chart q = psi(s), wm96 4.2. */
#include <lapacke.h>
#include <string.h>

#include <stepbench/numerics/norm.h>
#include <stepbench/plugin.h>

enum { EMBEDDED, CHART };

typedef struct config {
    int lagrangian;
} config;

/* With D = psi_s, v = D s' and B = dv/ds = (Hess psi_i s')_i, the chain rule gives every term below. Matrices in s are
 * full: a chain's tangent vectors overlap. Those in q keep the inner system's pattern. D, B and X are stored by rows,
 * so that the inner loops run over the k columns, whose sums are independent, and the compiler vectorizes them. A step
 * of rk4 on a ladder of 20 squares takes 0.87 of the time that it takes by columns. The arrays are scratch. */
typedef struct charted {
    const sb_system *inner;
    const sb_chart *chart;
    sb_embedding embedding;
    int n, k;                 /* lengths of q and s */
    bool diagonal;            /* M of the inner system is, with every entry */
    sb_scalar *at;            /* k: the s of q and Dx; NaN: of none */
    bool *full;               /* D belongs to Dx */
    sb_scalar *q, *v, *p, *e; /* n */
    sb_scalar *second;        /* psi'' of a single coordinate (n), evaluated with q and Dx; NULL: not so */
    sb_scalar *D, *B, *X;     /* n x k, dense, by rows; X a product; D may be Dx */
    sb_scalar *row;           /* k: sums of one row of a matrix in s */
    sb_scalar *Dx;            /* D on its pattern */
    sb_scalar *Mx, *Ax;       /* on the inner system's patterns */
    sb_scalar *Cx;            /* on the chart's H */
    sb_scalar *work;          /* of the least squares */
    lapack_int lwork;
} charted;

/* The arrays are short: a call of memset costs more than their loops. */
static inline void clear(int n, sb_scalar *x) {
    for (int i = 0; i < n; i++) {
        x[i] = 0.0;
    }
}

/* Evaluates q, Dx and psi''. Instructions per step of midpoint on chart(pendulum) 5391, with psi'' evaluated where it
 * is used 7176. */
static int evaluate(const charted *c, const sb_scalar *s) {
    c->at[0] = NAN;
    *c->full = c->D == c->Dx;
    SB_TRY(c->second != NULL ? c->chart->motion(c->chart->self, s, &(const sb_scalar){1.0}, c->q, c->Dx, c->second)
                             : c->chart->point(c->chart->self, s, c->q, c->Dx));
    for (int j = 0; j < c->k; j++) {
        c->at[j] = s[j];
    }
    return SB_OK;
}

/* Sets q, Dx and psi'', unless they are those of s. */
static inline int set_position(const charted *c, const sb_scalar *s) {
    bool same = true;
    for (int j = 0; j < c->k; j++) {
        same &= s[j] == c->at[j];
    }
    return same ? SB_OK : evaluate(c, s);
}

/* Spreads Dx over D. */
static void spread(const charted *c) {
    const sb_pattern *D = &c->chart->D;
    clear(c->n * c->k, c->D);
    for (int j = 0; j < c->k; j++) {
        for (int a = D->p[j]; a < D->p[j + 1]; a++) {
            c->D[j + c->k * D->i[a]] = c->Dx[a];
        }
    }
    *c->full = true;
}

/* Sets D from Dx. */
static inline void set_tangent(const charted *c) {
    if (!*c->full) {
        spread(c);
    }
}

/* Sets the inner mass at q, which is constant without a gradient and set by init. */
static int set_mass(const charted *c) {
    const sb_inertia *inertia = &c->inner->inertia;
    return inertia->gradient == NULL ? SB_OK : inertia->mass(inertia->self, c->q, c->Mx);
}

/* Sets q, Dx and v. */
static int set_velocity(const charted *c, const sb_scalar *s, const sb_scalar *sdot) {
    SB_TRY(set_position(c, s));
    for (int i = 0; i < c->n && c->D == c->Dx; i++) {
        c->v[i] = c->Dx[i] * sdot[0];
    }
    if (c->D == c->Dx) {
        return SB_OK;
    }
    clear(c->n, c->v);
    sb_csc_mult_add(&c->chart->D, c->Dx, 1.0, sdot, c->v);
    return SB_OK;
}

/* Sets Cx = w sum_i y_i Hess psi_i at the s of set_position. */
static int set_hessian(const charted *c, const sb_scalar *s, const sb_scalar *y, sb_scalar w) {
    if (c->second != NULL) {
        c->Cx[0] = w * sb_dot(c->n, y, c->second);
        return SB_OK;
    }
    clear(sb_pattern_nnz(&c->chart->H), c->Cx);
    return w == 0.0 ? SB_OK : c->chart->hessian(c->chart->self, s, y, w, c->Cx);
}

/* Sets B = dv/ds: row i is Hess psi_i s', at the s of set_position. */
static int set_velocity_gradient(const charted *c, const sb_scalar *s, const sb_scalar *sdot) {
    if (c->second != NULL) {
        for (int i = 0; i < c->n; i++) {
            c->B[i] = c->second[i] * sdot[0];
        }
        return SB_OK;
    }
    clear(c->n, c->e);
    for (int i = 0; i < c->n; i++) {
        c->e[i] = 1.0;
        SB_TRY(set_hessian(c, s, c->e, 1.0));
        c->e[i] = 0.0;
        sb_csc_mult_t(&c->chart->H, c->Cx, sdot, c->B + c->k * i);
    }
    return SB_OK;
}

/* X = A Z for a sparse n x n matrix A and Z (n x k). */
static void multiply(const charted *c, const sb_pattern *A, const sb_scalar *Ax, const sb_scalar *Z) {
    clear(c->n * c->k, c->X);
    for (int r = 0; r < A->cols; r++) {
        for (int a = A->p[r]; a < A->p[r + 1]; a++) {
            sb_axpy(c->k, Ax[a], Z + c->k * r, c->X + c->k * A->i[a]);
        }
    }
}

/* Row i of H += w times the sums in c->row, which are cleared. */
static void add_row(const charted *c, sb_scalar w, int i, sb_scalar *H) {
    for (int j = 0; j < c->k; j++) {
        H[i + c->k * j] += w * c->row[j];
        c->row[j] = 0.0;
    }
}

/* H += w Y' X. */
static void add_product(const charted *c, sb_scalar w, const sb_scalar *Y, const sb_scalar *X, sb_scalar *H) {
    for (int i = 0; i < c->k; i++) {
        for (int r = 0; r < c->n; r++) {
            sb_axpy(c->k, Y[i + c->k * r], X + c->k * r, c->row);
        }
        add_row(c, w, i, H);
    }
}

/* H += w D' X, by the pattern of D. */
static void add_tangent_product(const charted *c, sb_scalar w, const sb_scalar *X, sb_scalar *H) {
    const sb_pattern *D = &c->chart->D;
    for (int i = 0; i < c->k; i++) {
        for (int a = D->p[i]; a < D->p[i + 1]; a++) {
            sb_axpy(c->k, c->Dx[a], X + c->k * D->i[a], c->row);
        }
        add_row(c, w, i, H);
    }
}

/* H += w Z' A Y for a diagonal A. */
static void add_diagonal_sandwich(const charted *c, sb_scalar w, const sb_scalar *Ax, const sb_scalar *Z,
                                  const sb_scalar *Y, sb_scalar *H) {
    const int n = c->n, k = c->k;
    if (k == 1) {
        sb_scalar sum = 0.0;
        for (int r = 0; r < n; r++) {
            sum += Z[r] * (Ax[r] * Y[r]);
        }
        H[0] += w * sum;
        return;
    }
    for (int r = 0; r < n; r++, Y += k, Z += k) {
        for (int j = 0; j < k; j++) {
            const sb_scalar y = w * Ax[r] * Y[j];
            for (int i = 0; i < k && y != 0.0; i++) {
                H[i + k * j] += y * Z[i];
            }
        }
    }
}

/* H += w Z' A Y. */
static inline void add_sandwich(const charted *c, sb_scalar w, const sb_pattern *A, const sb_scalar *Ax,
                                const sb_scalar *Z, const sb_scalar *Y, sb_scalar *H) {
    if (w != 0.0 && c->diagonal && A == &c->inner->inertia.M) {
        add_diagonal_sandwich(c, w, Ax, Z, Y, H);
    } else if (w != 0.0) {
        multiply(c, A, Ax, Y);
        if (Z == c->D) {
            add_tangent_product(c, w, c->X, H);
        } else {
            add_product(c, w, Z, c->X, H);
        }
    }
}

/* H += the chart's matrix in Cx, which is cleared. */
static void add_curvature(const charted *c, sb_scalar *H) {
    const sb_pattern *P = &c->chart->H;
    for (int j = 0; j < c->k; j++) {
        for (int a = P->p[j]; a < P->p[j + 1]; a++) {
            H[P->i[a] + c->k * j] += c->Cx[a];
            c->Cx[a] = 0.0;
        }
    }
}

/* H += w sum_i y_i Hess psi_i. */
static int add_hessian(const charted *c, const sb_scalar *s, const sb_scalar *y, sb_scalar w, sb_scalar *H) {
    SB_TRY(set_hessian(c, s, y, w));
    add_curvature(c, H);
    return SB_OK;
}

/* ---- Inertia: T = s' D'MD s / 2. ---- */

static int mass(const void *self, const sb_scalar *s, sb_scalar *Mx) {
    const charted *c = self;
    const sb_system *inner = c->inner;
    SB_TRY(set_position(c, s));
    set_tangent(c);
    SB_TRY(set_mass(c));
    clear(c->k * c->k, Mx);
    add_sandwich(c, 1.0, &inner->inertia.M, c->Mx, c->D, c->D, Mx);
    return SB_OK;
}

/* Sets p = M v at (s, s'). */
static int set_momentum(const charted *c, const sb_scalar *s, const sb_scalar *sdot) {
    const sb_system *inner = c->inner;
    SB_TRY(set_velocity(c, s, sdot));
    SB_TRY(set_mass(c));
    if (c->diagonal) {
        for (int i = 0; i < c->n; i++) {
            c->p[i] = c->Mx[i] * c->v[i];
        }
        return SB_OK;
    }
    clear(c->n, c->p);
    sb_csc_mult_add(&inner->inertia.M, c->Mx, 1.0, c->v, c->p);
    return SB_OK;
}

/* T_s = D' T_q + B' p, where B' p = (sum p_i Hess psi_i) s'. */
static int kinetic_gradient(const void *self, const sb_scalar *s, const sb_scalar *sdot, sb_scalar *Ts) {
    const charted *c = self;
    const sb_system *inner = c->inner;
    SB_TRY(set_momentum(c, s, sdot));
    SB_TRY(set_hessian(c, s, c->p, 1.0));
    sb_csc_mult_t(&c->chart->H, c->Cx, sdot, Ts);
    if (inner->inertia.gradient != NULL) {
        SB_TRY(inner->inertia.gradient(inner->inertia.self, c->q, c->v, c->e));
        set_tangent(c);
        for (int i = 0; i < c->n; i++) {
            sb_axpy(c->k, c->e[i], c->D + c->k * i, Ts);
        }
    }
    return SB_OK;
}

/* Ax = cqq T_qq + cqv T_qv + cvq T_vq of the inner system, whose mass depends on q. */
static int inner_hessian(const charted *c, sb_scalar cqq, sb_scalar cqv, sb_scalar cvq) {
    const sb_inertia *inertia = &c->inner->inertia;
    clear(sb_pattern_nnz(&c->inner->H), c->Ax);
    return inertia->hessian(inertia->self, c->q, c->v, cqq, cqv, cvq, c->Ax);
}

/* Adds the terms of an inner mass that depends on q: D'T_qq D + D'T_qv B + B'T_vq D + sum (T_q)_i Hess psi_i to T_ss,
 * D'T_qv D to T_ss'. */
static int add_inner_terms(const charted *c, const sb_scalar *s, sb_scalar css, sb_scalar csv, sb_scalar cvs,
                           sb_scalar *H) {
    const sb_system *inner = c->inner;
    SB_TRY(inner_hessian(c, css, csv, cvs));
    add_sandwich(c, 1.0, &inner->H, c->Ax, c->D, c->D, H);
    SB_TRY(inner_hessian(c, 0.0, css, 0.0));
    add_sandwich(c, 1.0, &inner->H, c->Ax, c->D, c->B, H);
    SB_TRY(inner_hessian(c, 0.0, 0.0, css));
    add_sandwich(c, 1.0, &inner->H, c->Ax, c->B, c->D, H);
    SB_TRY(inner->inertia.gradient(inner->inertia.self, c->q, c->v, c->e));
    return add_hessian(c, s, c->e, css, H);
}

/* T_ss = B'MB + sum p_i D3 psi_i[s'] and T_ss' = B'MD + sum p_i Hess psi_i, and the terms of an inner mass that depends
 * on q. */
static int kinetic_hessian(const void *self, const sb_scalar *s, const sb_scalar *sdot, sb_scalar css, sb_scalar csv,
                           sb_scalar cvs, sb_scalar *H) {
    const charted *c = self;
    const sb_pattern *M = &c->inner->inertia.M;
    SB_TRY(set_momentum(c, s, sdot));
    set_tangent(c);
    SB_TRY(set_velocity_gradient(c, s, sdot));
    add_sandwich(c, css, M, c->Mx, c->B, c->B, H);
    add_sandwich(c, csv, M, c->Mx, c->B, c->D, H);
    add_sandwich(c, cvs, M, c->Mx, c->D, c->B, H);
    SB_TRY(add_hessian(c, s, c->p, csv + cvs, H));
    SB_TRY(c->chart->third(c->chart->self, s, c->p, sdot, css, c->Cx));
    add_curvature(c, H);
    return c->inner->inertia.gradient != NULL ? add_inner_terms(c, s, css, csv, cvs, H) : SB_OK;
}

/* ---- Mass matrix and inertial force together: instructions per step of rk4 on chart(pendulum) 2940, by the terms
 * above 13981; on chart(dsp) 18771 and 70397. ---- */

/* Sets q, Dx, and e = D2 psi(s', s'). */
static int set_curvature(const charted *c, const sb_scalar *s, const sb_scalar *sdot) {
    if (c->second != NULL) {
        SB_TRY(set_position(c, s));
        for (int i = 0; i < c->n; i++) {
            c->e[i] = sdot[0] * sdot[0] * c->second[i];
        }
        return SB_OK;
    }
    if (c->chart->motion != NULL) {
        c->at[0] = NAN;
        *c->full = false;
        SB_TRY(c->chart->motion(c->chart->self, s, sdot, c->q, c->Dx, c->e));
        memcpy(c->at, s, (size_t)c->k * sizeof(sb_scalar));
        return SB_OK;
    }
    SB_TRY(set_position(c, s));
    SB_TRY(set_velocity_gradient(c, s, sdot));
    for (int i = 0; i < c->n; i++) {
        c->e[i] = 0.0;
        for (int j = 0; j < c->k; j++) {
            c->e[i] += c->B[j + c->k * i] * sdot[j];
        }
    }
    return SB_OK;
}

/* Adds the inner T_q - T_vq v to p. */
static int add_inner_inertial(const charted *c, const sb_scalar *sdot) {
    const sb_inertia *inertia = &c->inner->inertia;
    clear(c->n, c->v);
    sb_csc_mult_add(&c->chart->D, c->Dx, 1.0, sdot, c->v);
    SB_TRY(inertia->gradient(inertia->self, c->q, c->v, c->e));
    SB_TRY(inner_hessian(c, 0.0, 0.0, 1.0));
    sb_csc_mult_add(&c->inner->H, c->Ax, -1.0, c->v, c->p);
    for (int i = 0; i < c->n; i++) {
        c->p[i] += c->e[i];
    }
    return SB_OK;
}

/* D'MD, and T_s - T_s's s' = D'(T_q - T_vq v - M D2 psi(s', s')). */
static int inertial(const void *self, const sb_scalar *s, const sb_scalar *sdot, sb_scalar *Mx, sb_scalar *b) {
    const charted *c = self;
    const sb_inertia *inertia = &c->inner->inertia;
    SB_TRY(set_curvature(c, s, sdot));
    SB_TRY(set_mass(c));
    for (int i = 0; i < c->n && c->diagonal; i++) {
        c->p[i] = -c->Mx[i] * c->e[i];
    }
    if (!c->diagonal) {
        clear(c->n, c->p);
        sb_csc_mult_add(&inertia->M, c->Mx, -1.0, c->e, c->p);
    }
    SB_TRY(inertia->gradient != NULL ? add_inner_inertial(c, sdot) : SB_OK);
    sb_csc_mult_t(&c->chart->D, c->Dx, c->p, b);
    if (Mx != NULL) {
        set_tangent(c);
        clear(c->k * c->k, Mx);
        add_sandwich(c, 1.0, &inertia->M, c->Mx, c->D, c->D, Mx);
    }
    return SB_OK;
}

/* ---- Potential and forces. ---- */

static int potential(const void *self, sb_scalar t, const sb_scalar *s, sb_scalar *V) {
    const charted *c = self;
    SB_TRY(set_position(c, s));
    return sb_potential_value(c->inner, t, c->q, V);
}

static int potential_gradient(const void *self, sb_scalar t, const sb_scalar *s, sb_scalar *Vs) {
    const charted *c = self;
    SB_TRY(set_position(c, s));
    SB_TRY(sb_potential_gradient(c->inner, t, c->q, c->e));
    sb_csc_mult_t(&c->chart->D, c->Dx, c->e, Vs);
    return SB_OK;
}

static int potential_hessian(const void *self, sb_scalar t, const sb_scalar *s, sb_scalar w, sb_scalar *H) {
    const charted *c = self;
    SB_TRY(set_position(c, s));
    set_tangent(c);
    SB_TRY(sb_potential_gradient(c->inner, t, c->q, c->e));
    if (c->inner->potential.hessian != NULL) {
        clear(sb_pattern_nnz(&c->inner->H), c->Ax);
        SB_TRY(sb_potential_hessian(c->inner, t, c->q, w, c->Ax));
        add_sandwich(c, 1.0, &c->inner->H, c->Ax, c->D, c->D, H);
    }
    return add_hessian(c, s, c->e, w, H);
}

static int potential_rate(const void *self, sb_scalar t, const sb_scalar *s, sb_scalar *Vt) {
    const charted *c = self;
    SB_TRY(set_position(c, s));
    return sb_potential_rate(c->inner, t, c->q, Vt);
}

static int force(const void *self, sb_scalar t, const sb_scalar *s, const sb_scalar *sdot, sb_scalar *f) {
    const charted *c = self;
    SB_TRY(set_velocity(c, s, sdot));
    SB_TRY(c->inner->force.value(c->inner->force.self, t, c->q, c->v, c->e));
    sb_csc_mult_t(&c->chart->D, c->Dx, c->e, f);
    return SB_OK;
}

/* The derivative of D' f by s is D'(f_q D + f_v B) + sum f_i Hess psi_i, by s' it is D' f_v D. */
static int force_jacobian(const void *self, sb_scalar t, const sb_scalar *s, const sb_scalar *sdot, sb_scalar cs,
                          sb_scalar cv, sb_scalar *H) {
    const charted *c = self;
    const sb_force *f = &c->inner->force;
    const int size = sb_pattern_nnz(&c->inner->H);
    SB_TRY(set_velocity(c, s, sdot));
    set_tangent(c);
    SB_TRY(set_velocity_gradient(c, s, sdot));
    if (f->jacobian != NULL) {
        clear(size, c->Ax);
        SB_TRY(f->jacobian(f->self, t, c->q, c->v, cs, cv, c->Ax));
        add_sandwich(c, 1.0, &c->inner->H, c->Ax, c->D, c->D, H);
        clear(size, c->Ax);
        SB_TRY(f->jacobian(f->self, t, c->q, c->v, 0.0, cs, c->Ax));
        add_sandwich(c, 1.0, &c->inner->H, c->Ax, c->D, c->B, H);
    }
    SB_TRY(f->value(f->self, t, c->q, c->v, c->e));
    return add_hessian(c, s, c->e, cs, H);
}

/* ---- Momenta, outputs, states. ---- */

static int outputs(const void *self, sb_scalar t, const sb_scalar *s, const sb_scalar *sdot, sb_scalar *out) {
    const charted *c = self;
    SB_TRY(set_velocity(c, s, sdot));
    return c->inner->outputs.value(c->inner->outputs.self, t, c->q, c->v, out);
}

/* Sets s' from the tangent vector v in c: D s' = v is consistent, and s' is its least-squares solution by QR. */
static int solve_rates(const charted *c, const sb_scalar *s, sb_scalar *sdot) {
    SB_TRY(set_position(c, s));
    set_tangent(c);
    for (int i = 0; i < c->n; i++) {
        for (int j = 0; j < c->k; j++) {
            c->X[i + c->n * j] = c->D[j + c->k * i]; /* by columns */
        }
    }
    if (LAPACKE_dgels_work(LAPACK_COL_MAJOR, 'N', c->n, c->k, 1, c->X, c->n, c->v, c->n, c->work, c->lwork) != 0) {
        return SB_DOMAIN;
    }
    memcpy(sdot, c->v, (size_t)c->k * sizeof(sb_scalar));
    return SB_OK;
}

static int initial(const void *self, sb_scalar *t, sb_scalar *s, sb_scalar *sdot) {
    const charted *c = self;
    c->at[0] = NAN;
    SB_TRY(c->inner->initial(c->inner->self, t, c->q, c->v));
    SB_TRY(c->chart->inverse(c->chart->self, c->q, s));
    return solve_rates(c, s, sdot);
}

static int exact(const void *self, sb_scalar t, sb_scalar *s, sb_scalar *sdot, sb_scalar *lambda) {
    const charted *c = self;
    c->at[0] = NAN;
    SB_TRY(c->inner->exact(c->inner->self, t, c->q, c->v, NULL));
    SB_TRY(c->chart->exact != NULL ? c->chart->exact(c->chart->self, t, c->e)
                                   : c->chart->inverse(c->chart->self, c->q, c->e));
    if (s != NULL) {
        memcpy(s, c->e, (size_t)c->k * sizeof(sb_scalar));
    }
    return sdot != NULL ? solve_rates(c, c->e, sdot) : SB_OK;
}

static int allocate(sb_arena *arena, charted *c) {
    SB_NEW(arena, c->at, c->k);
    SB_NEW(arena, c->full, 1);
    c->at[0] = NAN;
    SB_TRY(SB_VECTORS(arena, c->n, &c->q, &c->v, &c->p, &c->e));
    SB_TRY(SB_VECTORS(arena, c->n * c->k, &c->D, &c->B, &c->X));
    SB_NEW(arena, c->row, c->k);
    SB_NEW(arena, c->Dx, sb_pattern_nnz(&c->chart->D));
    if (c->k == 1 && sb_pattern_nnz(&c->chart->D) == c->n) {
        c->D = c->Dx;
    }
    if (c->k == 1 && c->chart->motion != NULL) {
        SB_NEW(arena, c->second, c->n);
    }
    SB_NEW(arena, c->Mx, sb_pattern_nnz(&c->inner->inertia.M));
    SB_NEW(arena, c->Ax, sb_pattern_nnz(&c->inner->H));
    SB_NEW(arena, c->Cx, sb_pattern_nnz(&c->chart->H));
    c->lwork = c->n + c->k; /* at least 2 k, the minimum of dgels */
    SB_NEW(arena, c->work, c->lwork);
    return SB_OK;
}

/* Sets the terms of the inner system pulled back; terms that it lacks stay empty. */
static int pull_back_terms(sb_arena *arena, const charted *c, const sb_system *inner, sb_system *out) {
    SB_TRY(sb_pattern_full(arena, c->k, c->k, &out->H));
    out->inertia = (sb_inertia){.self = c,
                                .M = out->H,
                                .mass = mass,
                                .gradient = kinetic_gradient,
                                .hessian = kinetic_hessian,
                                .inertial = inertial};
    if (inner->potential.value != NULL) {
        out->potential = (sb_potential){.self = c,
                                        .degree = -1,
                                        .value = potential,
                                        .gradient = potential_gradient,
                                        .hessian = potential_hessian,
                                        .rate = inner->potential.rate != NULL ? potential_rate : NULL};
    }
    out->force = (sb_force){0};
    if (inner->force.value != NULL) {
        out->force = (sb_force){c, force, force_jacobian};
    }
    out->symmetry = (sb_symmetry){0};
    const int symmetries = c->chart->symmetries < inner->symmetry.count ? c->chart->symmetries : inner->symmetry.count;
    if (symmetries > 0) {
        out->symmetry = (sb_symmetry){c->chart->self, symmetries, inner->symmetry.names, c->chart->generator};
    }
    if (inner->outputs.count > 0) {
        out->outputs.self = c;
        out->outputs.value = outputs;
    }
    return SB_OK;
}

static int init(sb_context *ctx, sb_arena *arena, const void *parameters, const sb_system *inner, sb_system *out) {
    const config *options = parameters;
    charted *c;
    if (inner->nonholonomic.m > 0) {
        return sb_fail(ctx, SB_UNSUPPORTED, "-w chart does not support nonholonomic constraints; %s has %d",
                       inner->name, inner->nonholonomic.m);
    }
    SB_NEW(arena, c, 1);
    *c = (charted){
        .inner = inner, .chart = inner->chart, .embedding = {inner, inner->chart}, .n = inner->n, .k = inner->chart->n};
    SB_TRY(allocate(arena, c));
    SB_TRY(inner->inertia.mass(inner->inertia.self, c->q, c->Mx));
    c->diagonal = sb_pattern_nnz(&inner->inertia.M) == c->n;
    for (int i = 0; i < c->n; i++) {
        c->diagonal &= sb_pattern_find(&inner->inertia.M, i, i) == i;
    }
    sb_scalar t, *s, *sdot;
    SB_TRY(SB_VECTORS(arena, c->k, &s, &sdot));
    if (initial(c, &t, s, sdot) != SB_OK) {
        return sb_fail(ctx, SB_DOMAIN,
                       "the chart of %s is singular at its initial state; start elsewhere or without -w chart",
                       inner->name);
    }
    out->n = c->k;
    SB_TRY(pull_back_terms(arena, c, inner, out));
    out->holonomic = (sb_holonomic){0};
    out->flags &= ~(unsigned)SB_HAS_SINGULAR_MASS; /* regular on the tangent space, hence in the chart */
    out->chart = NULL;
    out->rigid = NULL;
    out->attitudes = 0;
    out->embedding = options->lagrangian == EMBEDDED ? &c->embedding : NULL;
    out->self = c;
    out->initial = initial;
    out->exact = inner->exact != NULL ? exact : NULL;
    return SB_OK;
}

static const sb_param params[] = {
    SB_PARAM_CHOICE(
        config, lagrangian, "embedded", "embedded|chart",
        "where discrete Lagrangians average two points: in the embedding space, wm96 (4.9), or in the chart"),
    {.name = NULL},
};

SB_DEFINE_FORMULATION(chart) = {
    .entry = {"chart", "generalized coordinates of the constraint manifold", "wm96 (4.9)", params, sizeof(config)},
    .needs = SB_OFFERS_CHART,
    .removes = SB_HAS_HOLONOMIC | SB_HAS_REDUNDANT | SB_HAS_CURVED_HOLONOMIC | SB_HAS_SINGULAR_MASS,
    .adds = SB_HAS_VARIABLE_MASS,
    .refuses = SB_HAS_CONTACT | SB_HAS_FRICTION | SB_HAS_RHEONOMIC,
    .init = init,
};
