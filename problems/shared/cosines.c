/* Terms of planar mechanisms in angles: sums of cosines and sines. */
#include "problems/shared/cosines.h"
#include "problems/shared/pairs.h"

/* A term evaluated at q. */
typedef struct cosine_at {
    sb_scalar cosx, sinx;
    sb_scalar f, f1; /* value and first derivative in x; the second is -f */
    int count;       /* angles: x = sum_k slope[k] q[angle[k]] */
    int angle[2];
    sb_scalar slope[2];
} cosine_at;

/* Evaluates term k of a list. *x holds the term before it in the list, whose angle is often the same. */
static void cosine_evaluate(const cosine *k, const cosine *list, const sb_scalar *q, cosine_at *x) {
    if (k == list || k->a != k[-1].a || k->b != k[-1].b || k->sign != k[-1].sign) {
        sb_scalar angle = 0.0;
        *x = (cosine_at){
            .count = (k->a != NO_ANGLE) + (k->b != NO_ANGLE), .angle = {k->a, k->b}, .slope = {1.0, k->sign}};
        for (int r = 0; r < x->count; r++) {
            angle += x->slope[r] * q[x->angle[r]];
        }
        x->cosx = x->count > 0 ? cos(angle) : 1.0;
        x->sinx = x->count > 0 ? sin(angle) : 0.0;
    }
    x->f = k->c * x->cosx + k->s * x->sinx;
    x->f1 = k->s * x->cosx - k->c * x->sinx;
}

/* Adds c times the Hessian of a term to values on H. */
static void cosine_add_hessian(const cosines *p, const cosine_at *x, sb_scalar c, sb_scalar *Hx) {
    for (int s = 0; s < x->count; s++) {
        for (int r = 0; r < x->count; r++) {
            Hx[sb_pattern_find(&p->H, x->angle[r], x->angle[s])] -= c * x->f * x->slope[r] * x->slope[s];
        }
    }
}

/* ---- Inertia: T = sum u_k (c cos x + s sin x), u = v_i v_j, or v_i^2/2 on the diagonal. ---- */

static int cosines_mass(const void *self, const sb_scalar *q, sb_scalar *Mx) {
    const cosines *p = self;
    memset(Mx, 0, (size_t)sb_pattern_nnz(&p->M) * sizeof *Mx);
    cosine_at x = {0};
    for (const cosine *k = p->kinetic; k < p->kinetic + p->kinetic_count; k++) {
        cosine_evaluate(k, p->kinetic, q, &x);
        const int *at = p->at_M + 2 * (k - p->kinetic);
        Mx[at[0]] += x.f;
        if (k->i != k->j) {
            Mx[at[1]] += x.f;
        }
    }
    return SB_OK;
}

static sb_scalar cosine_weight(const cosine *k) { return k->i == k->j ? 0.5 : 1.0; }

static int cosines_kinetic_gradient(const void *self, const sb_scalar *q, const sb_scalar *v, sb_scalar *Tq) {
    const cosines *p = self;
    memset(Tq, 0, (size_t)p->n * sizeof *Tq);
    cosine_at x = {0};
    for (const cosine *k = p->kinetic; k < p->kinetic + p->kinetic_count; k++) {
        cosine_evaluate(k, p->kinetic, q, &x);
        for (int r = 0; r < x.count; r++) {
            Tq[x.angle[r]] += cosine_weight(k) * v[k->i] * v[k->j] * x.f1 * x.slope[r];
        }
    }
    return SB_OK;
}

static int cosines_kinetic_hessian(const void *self, const sb_scalar *q, const sb_scalar *v, sb_scalar cqq,
                                   sb_scalar cqv, sb_scalar cvq, sb_scalar *Hx) {
    const cosines *p = self;
    cosine_at x = {0};
    for (const cosine *k = p->kinetic; k < p->kinetic + p->kinetic_count; k++) {
        cosine_evaluate(k, p->kinetic, q, &x);
        const int velocity[2] = {k->i, k->j};
        cosine_add_hessian(p, &x, cqq * cosine_weight(k) * v[k->i] * v[k->j], Hx);
        for (int r = 0; r < x.count; r++) {
            for (int e = 0; e < 2; e++) {
                const sb_scalar mixed = cosine_weight(k) * v[velocity[1 - e]] * x.f1 * x.slope[r];
                Hx[sb_pattern_find(&p->H, x.angle[r], velocity[e])] += cqv * mixed;
                Hx[sb_pattern_find(&p->H, velocity[e], x.angle[r])] += cvq * mixed;
            }
        }
    }
    return SB_OK;
}

/* ---- Potential. ---- */

static int cosines_potential(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *V) {
    const cosines *p = self;
    cosine_at x = {0};
    *V = 0.0;
    for (const cosine *k = p->potential; k < p->potential + p->potential_count; k++) {
        cosine_evaluate(k, p->potential, q, &x);
        *V += x.f;
    }
    return SB_OK;
}

static int cosines_potential_gradient(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *Vq) {
    const cosines *p = self;
    memset(Vq, 0, (size_t)p->n * sizeof *Vq);
    cosine_at x = {0};
    for (const cosine *k = p->potential; k < p->potential + p->potential_count; k++) {
        cosine_evaluate(k, p->potential, q, &x);
        for (int r = 0; r < x.count; r++) {
            Vq[x.angle[r]] += x.f1 * x.slope[r];
        }
    }
    return SB_OK;
}

static int cosines_potential_hessian(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar c, sb_scalar *Hx) {
    const cosines *p = self;
    cosine_at x = {0};
    for (const cosine *k = p->potential; k < p->potential + p->potential_count; k++) {
        cosine_evaluate(k, p->potential, q, &x);
        cosine_add_hessian(p, &x, c, Hx);
    }
    return SB_OK;
}

/* ---- Constraints. ---- */

static int cosines_value(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *g, sb_scalar *Gx) {
    const cosines *p = self;
    if (g != NULL) {
        memset(g, 0, (size_t)p->m * sizeof *g);
    }
    if (Gx != NULL) {
        memset(Gx, 0, (size_t)sb_pattern_nnz(&p->G) * sizeof *Gx);
    }
    cosine_at x = {0};
    for (const cosine *k = p->row; k < p->row + p->row_count; k++) {
        cosine_evaluate(k, p->row, q, &x);
        if (g != NULL) {
            g[k->i] += x.f;
        }
        for (int r = 0; r < x.count && Gx != NULL; r++) {
            Gx[p->at_G[2 * (k - p->row) + r]] += x.f1 * x.slope[r];
        }
    }
    return SB_OK;
}

static int cosines_hessian(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *w, sb_scalar c,
                           sb_scalar *Hx) {
    const cosines *p = self;
    cosine_at x = {0};
    for (const cosine *k = p->row; k < p->row + p->row_count; k++) {
        cosine_evaluate(k, p->row, q, &x);
        cosine_add_hessian(p, &x, c * w[k->i], Hx);
    }
    return SB_OK;
}

static int cosines_curvature(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *out) {
    const cosines *p = self;
    memset(out, 0, (size_t)p->m * sizeof *out);
    cosine_at x = {0};
    for (const cosine *k = p->row; k < p->row + p->row_count; k++) {
        cosine_evaluate(k, p->row, q, &x);
        sb_scalar rate = 0.0;
        for (int r = 0; r < x.count; r++) {
            rate += x.slope[r] * v[x.angle[r]];
        }
        out[k->i] -= x.f * rate * rate;
    }
    return SB_OK;
}

/* ---- Building. ---- */

enum { COSINE_PAIRS = 14 }; /* entries of H that a term covers: two of M, four of x with x, eight of x with v */

/* Adds the entries of M that a term covers. */
static void cosine_mass_pairs(const cosine *k, pairs *out) {
    pairs_add(out, k->i, k->j);
    pairs_add(out, k->j, k->i);
}

/* Adds the entries of H that a term covers. */
static void cosine_pairs(const cosine *k, bool kinetic, pairs *out) {
    const int angle[2] = {k->a, k->b}, velocity[2] = {k->i, k->j};
    const int count = (k->a != NO_ANGLE) + (k->b != NO_ANGLE);
    if (kinetic) {
        cosine_mass_pairs(k, out);
    }
    for (int r = 0; r < count; r++) {
        for (int s = 0; s < count; s++) {
            pairs_add(out, angle[r], angle[s]);
        }
        for (int e = 0; e < 2 && kinetic; e++) {
            pairs_add(out, angle[r], velocity[e]);
            pairs_add(out, velocity[e], angle[r]);
        }
    }
}

static int cosines_patterns(sb_arena *arena, cosines *p) {
    pairs M, H, G;
    SB_TRY(pairs_new(arena, 2 * p->kinetic_count, &M));
    SB_TRY(pairs_new(arena, COSINE_PAIRS * (p->kinetic_count + p->potential_count + p->row_count), &H));
    SB_TRY(pairs_new(arena, 2 * p->row_count, &G));
    for (const cosine *k = p->kinetic; k < p->kinetic + p->kinetic_count; k++) {
        cosine_mass_pairs(k, &M);
        cosine_pairs(k, true, &H);
    }
    for (const cosine *k = p->potential; k < p->potential + p->potential_count; k++) {
        cosine_pairs(k, false, &H);
    }
    for (const cosine *k = p->row; k < p->row + p->row_count; k++) {
        cosine_pairs(k, false, &H);
        if (k->a != NO_ANGLE) {
            pairs_add(&G, k->a, k->i);
        }
        if (k->b != NO_ANGLE) {
            pairs_add(&G, k->b, k->i);
        }
    }
    SB_TRY(pairs_pattern(arena, &M, p->n, p->n, &p->M));
    SB_TRY(pairs_pattern(arena, &H, p->n, p->n, &p->H));
    SB_TRY(pairs_pattern(arena, &G, p->n, p->m, &p->G));
    SB_NEW(arena, p->at_M, M.count);
    SB_NEW(arena, p->at_G, 2 * p->row_count);
    for (int e = 0; e < M.count; e++) {
        p->at_M[e] = sb_pattern_find(&p->M, M.row[e], M.col[e]);
    }
    for (int e = 0; e < 2 * p->row_count; e++) {
        const cosine *k = &p->row[e / 2];
        const int angle = e % 2 == 0 ? k->a : k->b;
        p->at_G[e] = angle != NO_ANGLE ? sb_pattern_find(&p->G, angle, k->i) : -1;
    }
    return SB_OK;
}

int sb_cosines_finish(sb_arena *arena, cosines *p, sb_system *out) {
    SB_TRY(cosines_patterns(arena, p));
    out->n = p->n;
    out->H = p->H;
    if (p->potential_count > 0) {
        out->potential = (sb_potential){.self = p,
                                        .degree = -1,
                                        .value = cosines_potential,
                                        .gradient = cosines_potential_gradient,
                                        .hessian = cosines_potential_hessian};
    }
    out->inertia = (sb_inertia){p, p->M, cosines_mass, cosines_kinetic_gradient, cosines_kinetic_hessian, NULL};
    if (p->m > 0) {
        out->holonomic = (sb_holonomic){.self = p,
                                        .m = p->m,
                                        .degree = -1,
                                        .G = p->G,
                                        .value = cosines_value,
                                        .hessian = cosines_hessian,
                                        .curvature = cosines_curvature};
    }
    return SB_OK;
}
