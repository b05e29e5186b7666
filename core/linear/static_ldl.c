/* Numeric part of the static LDL' factorization of a symmetric quasi-definite matrix (vanderbei95, duff83): one pass
 * over the fronts that static_ldl_symbolic.c has described, without searches, sorting or pivoting. An example is in
 * static_ldl_symbolic.h. */
#include <stdint.h>
#include <string.h>

#include <stepbench/numerics/linear.h>
#include <stepbench/plugin.h>

#include "core/linear/static_ldl_kernels.h"

typedef struct ldl_work {
    sb_ldl_symbolic symbolic;
    const sb_scalar *Ax; /* values of the last factorization; holds the pivots of the leaves */
    sb_scalar *Lx;       /* what sb_ldl_length describes, per front */
    sb_scalar *fronts;   /* memory of the fronts in use */
    sb_scalar *y;        /* solution, per interior pivot */
    sb_scalar *x;        /* scratch: the solution in the rows of a front */
} ldl_work;

static int analyse(sb_linear *me, sb_arena *arena) {
    ldl_work *w;
    SB_NEW(arena, w, 1);
    me->work = w;
    SB_SCRATCH(scratch, me->ctx);
    SB_TRY(sb_ldl_analyse(arena, &scratch, &me->A, me->at, me->positive, &w->symbolic));
    SB_NEW(arena, w->Lx, w->symbolic.Lx_size);
    SB_NEW(arena, w->fronts, w->symbolic.fronts_size);
    SB_NEW(arena, w->y, w->symbolic.interior);
    SB_NEW(arena, w->x, w->symbolic.longest);
    return SB_OK;
}

/* A pass over the fronts: the current one. */
typedef struct position {
    const sb_ldl_front *at;
    const sb_ldl_shape *shape;
    int width, rows, stride;       /* pivots; rows without the right-hand side */
    sb_scalar *F, *parent, *L, *y; /* the front, that of its parent, and its parts of Lx and y */
} position;

static inline void enter(const ldl_work *w, int front, position *p) {
    p->at = &w->symbolic.front[front];
    p->shape = &w->symbolic.shapes[p->at->shape];
    p->width = sb_ldl_width(p->shape);
    p->rows = p->width + p->shape->below;
    p->stride = sb_ldl_stride(p->rows);
    p->F = w->fronts + p->at->place;
    p->parent = w->fronts + p->at->parent;
}

static inline size_t length_of(const position *p) { return sb_ldl_length(p->width, p->shape->below); }

/* ---- Pivots. ---- */

/* Returns the round-off of the pivot of `row`: twice that of a sum of as many terms as its row has entries, each of the
 * size of the diagonal entry, or for a constraint of the sum of what its coordinates contribute. (What other
 * constraints subtract is no larger when little is left.) */
static sb_scalar pivot_round_off(const sb_linear *me, int row, int entries) {
    const ldl_work *w = me->work;
    const sb_ldl_symbolic *p = &w->symbolic;
    sb_scalar size = 0.0;
    if (row < me->positive) {
        size = p->diagonal[row] < 0 ? 0.0 : fabs(w->Ax[p->diagonal[row]]);
    } else {
        const int end = me->A.p[row + 1];
        for (int e = me->A.p[row]; e < end && me->A.i[e] < me->positive; e++) {
            const int i = me->A.i[e];
            const sb_scalar entry = w->Ax[me->at != NULL ? me->at[e] : e];
            size += entry * entry * (p->inverse[i] == SIZE_MAX ? 1.0 / w->Ax[p->diagonal[i]] : w->Lx[p->inverse[i]]);
        }
    }
    return 2.0 * SB_EPSILON * entries * size;
}

/* Checks pivot k of a front against its round-off. */
static int check_pivot(const sb_linear *me, const position *p, int k, sb_scalar pivot) {
    const bool primal = k < p->shape->pivots[SB_LDL_COORDINATE];
    const int row = p->at->row[primal ? SB_LDL_COORDINATE : SB_LDL_CONSTRAINT] + p->shape->row[2 * k],
              entries = p->shape->row[2 * k + 1];
    const sb_scalar size = primal ? pivot : -pivot;
    return size > pivot_round_off(me, row, entries) && size > 0.0 ? SB_OK : sb_linear_bad_pivot(me, row, pivot);
}

/* Returns a bound of the round-off of every constraint's pivot in a front that suffices for nearly all of them. `most`
 * bounds the terms. */
static inline sb_scalar round_off_bound(const sb_ldl_shape *s, sb_scalar most) {
    const sb_scalar entries = s->longest_row;
    return 2.0 * SB_EPSILON * entries * entries * most;
}

/* A pass over the pivots of a front: the column of the next one from its pivot on, and where its L goes. */
typedef struct elimination {
    sb_scalar *column, *L;
    sb_scalar most, bound;
} elimination;

/* Divides by pivot k, with `rows` rows after it. */
SB_LDL_INLINED int invert(const sb_linear *me, const position *p, int k, const sb_scalar *column, int rows,
                          elimination *at, sb_scalar *inverse) {
    const sb_scalar pivot = column[0];
    if (!(-pivot > at->bound)) {
        SB_TRY(check_pivot(me, p, k, pivot));
    }
    *inverse = 1.0 / pivot;
    if (k < p->shape->pivots[SB_LDL_COORDINATE]) {
        at->most = sb_ldl_largest(column + 1, rows - 1, *inverse, at->most);
        at->bound = round_off_bound(p->shape, at->most);
    }
    return SB_OK;
}

/* Eliminates `count` pivots, one or two, from pivot k on, with `length` rows after them. */
SB_LDL_INLINED int eliminate(const sb_linear *me, const position *p, int k, const int count, const int length,
                             const int stride, elimination *at) {
    sb_scalar inverse[2], *const first = at->column, *const second = first + stride + 1, *const L = at->L,
                                 *const M = L + length + 2;
    SB_TRY(invert(me, p, k, first, length + count - 1, at, &inverse[0]));
    L[0] = inverse[0];
    if (count == 1) {
        sb_ldl_subtract_one(first + 1, inverse[0], L + 1, second, stride, length);
    } else {
        sb_ldl_subtract_column(first + 1, inverse[0], L + 1, second, length + 1);
        SB_TRY(invert(me, p, k + 1, second, length, at, &inverse[1]));
        M[0] = inverse[1];
        sb_ldl_subtract_two(first + 2, second + 1, inverse, L + 2, M + 1, second + stride + 1, stride, length);
    }
    at->column += count * (ptrdiff_t)(stride + 1);
    at->L += count * (length + 1) + count - 1;
    return SB_OK;
}

/* Eliminates all pivots of a front. Raises `most` to the largest term of a coordinate in a pivot. */
SB_LDL_VECTORS static int eliminate_pivots(const sb_linear *me, const position *p, sb_scalar *most) {
    elimination at = {p->F, p->L, *most, round_off_bound(p->shape, *most)};
    int k = 0;
#define TWO(length, stride) SB_TRY(eliminate(me, p, k, 2, length, stride, &at))
#define ONE(length, stride) SB_TRY(eliminate(me, p, k, 1, length, stride, &at))
    for (int length = p->rows - 1; k + 1 < p->width; k += 2, length -= 2) {
        SB_LDL_BY_LENGTH(length, p->stride, TWO);
    }
    if (k < p->width) {
        SB_LDL_BY_LENGTH(p->rows - k, p->stride, ONE);
    }
#undef TWO
#undef ONE
    *most = at.most;
    return SB_OK;
}

/* ---- The passes. ---- */

/* Subtracts the products of the leaves of a front, with right-hand sides b (NULL: zero). */
SB_LDL_INLINED int subtract_leaves(const sb_linear *me, const position *p, const sb_scalar *Ax, const sb_scalar *b,
                                   sb_scalar *most) {
    const sb_scalar *const pivots = Ax + p->at->base[SB_LDL_COORDINATE], *const A = Ax + p->at->base[SB_LDL_CROSS];
    const int *list = p->shape->leaf;
    for (int i = 0; i < p->shape->leaves; i++) {
        const int row = p->at->row[SB_LDL_COORDINATE] + list[0], length = list[2];
        const sb_scalar pivot = pivots[list[1]], right = b != NULL ? b[row] : 0.0, inverse = 1.0 / pivot;
        if (!(pivot > 0.0)) { /* an entry of A has no round-off */
            return sb_linear_bad_pivot(me, row, pivot);
        }
        list += 3;
#define SUBTRACT(constant, stride)                                                                                     \
    *most = sb_ldl_subtract_leaf(list, constant, A, right, inverse, p->F, stride, p->rows, *most)
        SB_LDL_BY_LENGTH(length, p->stride, SUBTRACT);
#undef SUBTRACT
        list += 2 * length;
    }
    return SB_OK;
}

/* Adds the entries of A in the columns of a front, and the right-hand sides of its pivots. */
SB_LDL_INLINED void add_entries(const position *p, const sb_scalar *Ax, const sb_scalar *b) {
    const int *list = p->shape->entry;
    for (int block = 0; block < SB_LDL_BLOCKS; block++) {
        const sb_scalar *const A = Ax + p->at->base[block];
        for (int i = 0; i < p->shape->entries[block]; i++, list += 2) {
            p->F[list[0]] += A[list[1]];
        }
    }
    sb_scalar *right = p->F + p->rows;
    list = p->shape->row;
    for (int block = 0; block < 2 && b != NULL; block++) {
        for (int i = 0; i < p->shape->pivots[block]; i++, list += 2, right += p->stride) {
            *right += b[p->at->row[block] + list[0]];
        }
    }
}

/* Adds the Schur complement, what is left of the rows below the pivots, to the front of the parent. */
SB_LDL_INLINED void add_to_parent(const position *p) {
    const sb_ldl_shape *const s = p->shape;
    if (s->opens) {
        memset(p->parent, 0, (size_t)s->parent_stride * (size_t)s->parent_end * sizeof(sb_scalar));
    }
    const sb_scalar *const from = p->F + (ptrdiff_t)p->width * (p->stride + 1);
#define ADD(constant, stride) sb_ldl_add(from, stride, constant, p->parent, s->parent_stride, s->parent, s->parent_end)
    SB_LDL_BY_LENGTH(s->below, p->stride, ADD);
#undef ADD
}

/* Factors, and substitutes b (NULL: zero) forward in the same pass. */
SB_LDL_VECTORS static int factor_and_substitute(sb_linear *me, const sb_scalar *Ax, const sb_scalar *b) {
    ldl_work *w = me->work;
    position p = {.L = w->Lx};
    sb_scalar most = 0.0;
    w->Ax = Ax;
    for (int f = 0; f < w->symbolic.fronts; f++, p.L += length_of(&p)) {
        enter(w, f, &p);
        if (p.shape->begins) {
            memset(p.F, 0, (size_t)p.stride * (size_t)p.rows * sizeof *p.F);
        }
        SB_TRY(subtract_leaves(me, &p, Ax, b, &most));
        add_entries(&p, Ax, b);
        SB_TRY(eliminate_pivots(me, &p, &most));
        add_to_parent(&p);
    }
    return SB_OK;
}

/* Substitutes forward with the last factorization: the operations of the right-hand sides above, in vectors at the
 * places of the fronts. */
static void substitute_forward(const ldl_work *w, const sb_scalar *b) {
    position p = {.L = w->Lx};
    for (int f = 0; f < w->symbolic.fronts; f++) {
        enter(w, f, &p);
        const sb_ldl_shape *const s = p.shape;
        const sb_scalar *const pivots = w->Ax + p.at->base[SB_LDL_COORDINATE], *const A =
                                                                                   w->Ax + p.at->base[SB_LDL_CROSS];
        sb_scalar *const x = p.F;
        if (s->begins) {
            memset(x, 0, (size_t)p.rows * sizeof *x);
        }
        const int *list = s->leaf;
        for (int i = 0; i < s->leaves; i++) {
            const sb_scalar right = b[p.at->row[SB_LDL_COORDINATE] + list[0]], inverse = 1.0 / pivots[list[1]];
            const int *const end = list + 3 + 2 * list[2];
            for (list += 3; list < end; list += 2) {
                x[list[0]] -= right * (A[list[1]] * inverse);
            }
        }
        for (int k = 0; k < p.width; k++) {
            x[k] += b[p.at->row[k < s->pivots[0] ? SB_LDL_COORDINATE : SB_LDL_CONSTRAINT] + s->row[2 * k]];
        }
        for (int k = 0; k < p.width; k++, p.L += p.rows - k + 2) {
            for (int i = k + 1; i < p.rows; i++) {
                x[i] -= x[k] * p.L[i - k];
            }
            p.L[p.rows - k] = x[k] * p.L[0];
        }
        if (s->opens) {
            memset(p.parent, 0, (size_t)s->parent_end * sizeof(sb_scalar));
        }
        for (int a = 0; a < s->below; a++) {
            p.parent[s->parent[a]] += x[p.width + a];
        }
    }
}

/* Replaces b by the solution, after the forward substitution; b still holds the right-hand sides of the leaves. */
static void substitute_back(const ldl_work *w, sb_scalar *b) {
    position p = {.L = w->Lx + w->symbolic.Lx_size, .y = w->y + w->symbolic.interior};
    sb_scalar *const x = w->x;
    for (int f = w->symbolic.fronts - 1; f >= 0; f--) {
        enter(w, f, &p);
        const sb_ldl_shape *const s = p.shape;
        const sb_scalar *const pivots = w->Ax + p.at->base[SB_LDL_COORDINATE], *const A =
                                                                                   w->Ax + p.at->base[SB_LDL_CROSS];
        p.y -= p.width;
        for (int a = 0; a < s->below; a++) {
            x[p.width + a] = p.y[s->solution[a]];
        }
        for (int k = p.width - 1; k >= 0; k--) {
            const int length = p.rows - k;
            p.L -= length + 1;
#define SUBTRACT(constant, stride) x[k] = sb_ldl_subtract_row(p.L, x + k, constant)
            SB_LDL_BY_LENGTH(length, SB_LDL_STRIDE, SUBTRACT);
#undef SUBTRACT
            p.y[k] = b[p.at->row[k < s->pivots[0] ? SB_LDL_COORDINATE : SB_LDL_CONSTRAINT] + s->row[2 * k]] = x[k];
        }
        const int *list = s->leaf;
        for (int i = 0; i < s->leaves; i++) {
            sb_scalar *const at = b + p.at->row[SB_LDL_COORDINATE] + list[0], sum = *at;
            const sb_scalar pivot = pivots[list[1]];
            const int length = list[2];
            list += 3;
#define SUBTRACT(constant, stride) sum = sb_ldl_subtract_from_leaf(list, constant, A, x, sum)
            SB_LDL_BY_LENGTH(length, SB_LDL_STRIDE, SUBTRACT);
#undef SUBTRACT
            list += 2 * length;
            *at = sum / pivot;
        }
    }
}

static int factor(sb_linear *me, const sb_scalar *Ax) { return factor_and_substitute(me, Ax, NULL); }

static int solve(const sb_linear *me, sb_scalar *b) {
    substitute_forward(me->work, b);
    substitute_back(me->work, b);
    return SB_OK;
}

static int factor_solve(sb_linear *me, const sb_scalar *Ax, sb_scalar *b) {
    SB_TRY(factor_and_substitute(me, Ax, b));
    substitute_back(me->work, b);
    return SB_OK;
}

static void stats(const sb_linear *me, sb_linear_stats *out) {
    const ldl_work *w = me->work;
    out->nnz_factor = (long)w->symbolic.Lx_size;
}

SB_DEFINE_SOLVER(static_ldl) = {
    .entry = {"static_ldl", "LDL' of a symmetric quasi-definite matrix with a static order and pattern", "vanderbei95",
              NULL, 0},
    .symmetric = true,
    .in_place = true,
    .analyse = analyse,
    .factor = factor,
    .factor_solve = factor_solve,
    .solve = solve,
    .stats = stats,
};
