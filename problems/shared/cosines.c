/* Terms of planar mechanisms in angles: sums of cosines and sines. */
#include "problems/shared/cosines.h"

/* A term at a point. */
typedef struct cosine_at {
    sb_scalar f, f1; /* value and first derivative in x; the second is -f */
    int count;       /* angles: x = sum_k slope[k] q[angle[k]] */
    int angle[2];
    sb_scalar slope[2];
} cosine_at;

static cosine_at cosine_of(const cosine *k, const sb_scalar *q) {
    cosine_at x = {.count = (k->a != NO_ANGLE) + (k->b != NO_ANGLE), .angle = {k->a, k->b}, .slope = {1.0, k->sign}};
    sb_scalar angle = 0.0;
    for (int r = 0; r < x.count; r++) {
        angle += x.slope[r] * q[x.angle[r]];
    }
    const sb_scalar cosx = cos(angle), sinx = sin(angle);
    x.f = k->c * cosx + k->s * sinx;
    x.f1 = k->s * cosx - k->c * sinx;
    return x;
}

/* Adds c times the Hessian of a term. */
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
    for (const cosine *k = p->kinetic; k < p->kinetic + p->kinetic_count; k++) {
        const sb_scalar f = cosine_of(k, q).f;
        Mx[sb_pattern_find(&p->M, k->i, k->j)] += f;
        if (k->i != k->j) {
            Mx[sb_pattern_find(&p->M, k->j, k->i)] += f;
        }
    }
    return SB_OK;
}

static sb_scalar cosine_weight(const cosine *k) { return k->i == k->j ? 0.5 : 1.0; }

static int cosines_kinetic_gradient(const void *self, const sb_scalar *q, const sb_scalar *v, sb_scalar *Tq) {
    const cosines *p = self;
    memset(Tq, 0, (size_t)p->n * sizeof *Tq);
    for (const cosine *k = p->kinetic; k < p->kinetic + p->kinetic_count; k++) {
        const cosine_at x = cosine_of(k, q);
        for (int r = 0; r < x.count; r++) {
            Tq[x.angle[r]] += cosine_weight(k) * v[k->i] * v[k->j] * x.f1 * x.slope[r];
        }
    }
    return SB_OK;
}

static int cosines_kinetic_hessian(const void *self, const sb_scalar *q, const sb_scalar *v, sb_scalar cqq,
                                   sb_scalar cqv, sb_scalar cvq, sb_scalar *Hx) {
    const cosines *p = self;
    for (const cosine *k = p->kinetic; k < p->kinetic + p->kinetic_count; k++) {
        const cosine_at x = cosine_of(k, q);
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

int cosines_potential(const void *self, const sb_scalar *q, sb_scalar *V) {
    const cosines *p = self;
    *V = 0.0;
    for (const cosine *k = p->potential; k < p->potential + p->potential_count; k++) {
        *V += cosine_of(k, q).f;
    }
    return SB_OK;
}

int cosines_potential_gradient(const void *self, const sb_scalar *q, sb_scalar *Vq) {
    const cosines *p = self;
    memset(Vq, 0, (size_t)p->n * sizeof *Vq);
    for (const cosine *k = p->potential; k < p->potential + p->potential_count; k++) {
        const cosine_at x = cosine_of(k, q);
        for (int r = 0; r < x.count; r++) {
            Vq[x.angle[r]] += x.f1 * x.slope[r];
        }
    }
    return SB_OK;
}

int cosines_potential_hessian(const void *self, const sb_scalar *q, sb_scalar c, sb_scalar *Hx) {
    const cosines *p = self;
    for (const cosine *k = p->potential; k < p->potential + p->potential_count; k++) {
        const cosine_at x = cosine_of(k, q);
        cosine_add_hessian(p, &x, c, Hx);
    }
    return SB_OK;
}

/* ---- Constraints. ---- */

static int cosines_value(const void *self, const sb_scalar *q, sb_scalar *g, sb_scalar *Gx) {
    const cosines *p = self;
    if (g != NULL) {
        memset(g, 0, (size_t)p->m * sizeof *g);
    }
    if (Gx != NULL) {
        memset(Gx, 0, (size_t)sb_pattern_nnz(&p->G) * sizeof *Gx);
    }
    for (const cosine *k = p->row; k < p->row + p->row_count; k++) {
        const cosine_at x = cosine_of(k, q);
        if (g != NULL) {
            g[k->i] += x.f;
        }
        for (int r = 0; r < x.count && Gx != NULL; r++) {
            Gx[sb_pattern_find(&p->G, x.angle[r], k->i)] += x.f1 * x.slope[r];
        }
    }
    return SB_OK;
}

static int cosines_hessian(const void *self, const sb_scalar *q, const sb_scalar *w, sb_scalar c, sb_scalar *Hx) {
    const cosines *p = self;
    for (const cosine *k = p->row; k < p->row + p->row_count; k++) {
        const cosine_at x = cosine_of(k, q);
        cosine_add_hessian(p, &x, c * w[k->i], Hx);
    }
    return SB_OK;
}

static int cosines_curvature(const void *self, const sb_scalar *q, const sb_scalar *v, sb_scalar *out) {
    const cosines *p = self;
    memset(out, 0, (size_t)p->m * sizeof *out);
    for (const cosine *k = p->row; k < p->row + p->row_count; k++) {
        const cosine_at x = cosine_of(k, q);
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

/* Appends the entries of H that a term covers, the first two of which are M's; returns how many there are. */
static int cosine_pairs(const cosine *k, bool kinetic, int *row, int *col) {
    const int angle[2] = {k->a, k->b}, velocity[2] = {k->i, k->j};
    const int count = (k->a != NO_ANGLE) + (k->b != NO_ANGLE);
    int end = 0;
    for (int e = 0; e < 2 && kinetic; e++) {
        row[end] = velocity[e];
        col[end++] = velocity[1 - e];
    }
    for (int r = 0; r < count; r++) {
        for (int s = 0; s < count; s++) {
            row[end] = angle[r];
            col[end++] = angle[s];
        }
        for (int e = 0; e < 4 && kinetic; e++) {
            row[end] = e < 2 ? angle[r] : velocity[e % 2];
            col[end++] = e < 2 ? velocity[e % 2] : angle[r];
        }
    }
    return end;
}

static int cosines_patterns(sb_arena *arena, cosines *p) {
    const int terms = p->kinetic_count + p->potential_count + p->row_count;
    int *row, *col, end = 0;
    SB_NEW(arena, row, COSINE_PAIRS * terms);
    SB_NEW(arena, col, COSINE_PAIRS * terms);
    for (int k = 0; k < p->kinetic_count; k++) {
        cosine_pairs(&p->kinetic[k], true, row + 2 * k, col + 2 * k);
    }
    SB_TRY(sb_pattern_from_pairs(arena, p->n, p->n, 2 * p->kinetic_count, row, col, &p->M));
    for (int k = 0; k < terms; k++) {
        const int other = k - p->kinetic_count;
        const cosine *term = other < 0                    ? &p->kinetic[k]
                             : other < p->potential_count ? &p->potential[other]
                                                          : &p->row[other - p->potential_count];
        end += cosine_pairs(term, other < 0, row + end, col + end);
    }
    SB_TRY(sb_pattern_from_pairs(arena, p->n, p->n, end, row, col, &p->H));
    end = 0;
    for (int k = 0; k < 2 * p->row_count; k++) {
        const cosine *term = &p->row[k / 2];
        const int angle = k % 2 == 0 ? term->a : term->b;
        if (angle != NO_ANGLE) {
            row[end] = angle;
            col[end++] = term->i;
        }
    }
    return sb_pattern_from_pairs(arena, p->n, p->m, end, row, col, &p->G);
}

int cosines_finish(sb_arena *arena, cosines *p, sb_system *out) {
    SB_TRY(cosines_patterns(arena, p));
    out->n = p->n;
    out->H = p->H;
    out->inertia = (sb_inertia){p, p->M, cosines_mass, cosines_kinetic_gradient, cosines_kinetic_hessian};
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
