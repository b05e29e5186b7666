/* The mass matrix and its inverse, block by block: M^-1 has the pattern of M closed over its connected blocks. Where
 * that is much larger than M, a sparse LDL' of M takes its place, unless a method asks for the inverse. */
#include <limits.h>
#include <string.h>

#include <lapacke.h>

#include "core/base/text.h"
#include "core/mechanics/internal.h"

/* Blocks up to this size are inverted without LAPACK. */
enum { INLINE_MAX = 16 };

/* The inverse is formed if it has at most this many times the entries of M, as it has where blocks have at most as many
 * coordinates. A factorization of M takes its place above that: the inverse of a chain of n bodies has n^2 entries. */
static const double most_fill = INLINE_MAX;

struct sb_mass_work {
    sb_context *ctx;
    const int *at_added; /* where each entry of sys->inertia.M is on M, with added mass */
    sb_scalar *inner;    /* values of sys->inertia.M, with added mass */
    int *at_M;           /* where each entry of W is on M, or -1 */
    sb_linear *linear;   /* factors M where there is no inverse; NULL: there is one */
    int nblocks;
    double entries;         /* of M^-1 */
    int *block_p, *block_i; /* coordinates of block b: block_i[block_p[b] ...] */
    sb_scalar *dense;       /* scratch for the largest block */
};

/* Returns the smallest coordinate known of i's block, and halves the way to it. */
static int root_of(int *label, int i) {
    while (label[i] != i) {
        label[i] = label[label[i]];
        i = label[i];
    }
    return i;
}

/* Labels coordinates by connected block of M's graph: label[i] is the smallest coordinate of i's block. */
static void find_blocks(const sb_pattern *M, int *label) {
    for (int j = 0; j < M->cols; j++) {
        label[j] = j;
        for (int k = M->p[j]; k < M->p[j + 1]; k++) {
            const int i = M->i[k] < j ? root_of(label, M->i[k]) : j, of = root_of(label, j);
            label[i > of ? i : of] = i < of ? i : of;
        }
    }
    for (int j = 0; j < M->cols; j++) {
        label[j] = root_of(label, j);
    }
}

/* Finds the connected blocks of M, and the number of entries of its inverse. */
static int build_blocks(sb_arena *arena, sb_mass *mass) {
    struct sb_mass_work *w = mass->work;
    const int n = mass->sys->n;
    int *label, *number, *next;
    SB_SCRATCH(scratch, w->ctx);
    SB_NEW(&scratch, label, n);
    SB_NEW(&scratch, number, n);
    SB_NEW(&scratch, next, n + 1);
    SB_NEW(arena, w->block_p, n + 1);
    SB_NEW(arena, w->block_i, n);
    find_blocks(&mass->M, label);
    w->nblocks = 0;
    for (int i = 0; i < n; i++) {
        if (label[i] == i) {
            number[i] = w->nblocks++;
        }
        w->block_p[number[label[i]] + 1]++;
    }
    for (int b = 0; b < w->nblocks; b++) {
        const double size = w->block_p[b + 1];
        w->entries += size * size;
        next[b] = w->block_p[b];
        w->block_p[b + 1] += w->block_p[b];
    }
    for (int i = 0; i < n; i++) {
        w->block_i[next[number[label[i]]]++] = i;
    }
    mass->diagonal = w->nblocks == n && sb_pattern_nnz(&mass->M) == n;
    return SB_OK;
}

/* Finds the positions of M's entries on H. */
static int find_slots(sb_context *ctx, sb_arena *arena, sb_mass *mass) {
    const sb_pattern *M = &mass->M;
    SB_NEW(arena, mass->at_H, sb_pattern_nnz(M));
    for (int j = 0; j < M->cols; j++) {
        for (int k = M->p[j]; k < M->p[j + 1]; k++) {
            mass->at_H[k] = sb_pattern_find(&mass->sys->H, M->i[k], j);
            if (mass->at_H[k] < 0) {
                return sb_fail(ctx, SB_BAD_USAGE,
                               "the pattern H of %s lacks entry (%d, %d) of its mass matrix; H has to cover M",
                               mass->sys->name, M->i[k], j);
            }
        }
    }
    return SB_OK;
}

/* Builds the pattern of the inverse. */
static int build_inverse(sb_arena *arena, sb_mass *mass) {
    struct sb_mass_work *w = mass->work;
    const int n = mass->sys->n;
    int *p, *i, largest = 0;
    SB_NEW(arena, p, n + 1);
    for (int b = 0; b < w->nblocks; b++) {
        const int size = w->block_p[b + 1] - w->block_p[b];
        largest = size > largest ? size : largest;
        for (int k = w->block_p[b]; k < w->block_p[b + 1]; k++) {
            p[w->block_i[k] + 1] = size;
        }
    }
    for (int j = 0; j < n; j++) {
        p[j + 1] += p[j];
    }
    SB_NEW(arena, i, p[n]);
    SB_NEW(arena, w->at_M, p[n]);
    SB_NEW(arena, mass->Wx, p[n]);
    SB_NEW(arena, w->dense, (size_t)largest * (size_t)largest);
    for (int b = 0; b < w->nblocks; b++) {
        const int size = w->block_p[b + 1] - w->block_p[b], *index = w->block_i + w->block_p[b];
        for (int k = 0; k < size * size; k++) {
            const int j = index[k / size], at = p[j] + k % size;
            i[at] = index[k % size];
            w->at_M[at] = sb_pattern_find(&mass->M, i[at], j);
        }
    }
    mass->W = (sb_pattern){n, n, p, i};
    return SB_OK;
}

/* Inverts a symmetric positive definite matrix in place by Gauss-Jordan elimination, for blocks too small to be worth a
 * call of LAPACK. The pivots are the squares of Cholesky's. Returns the row of a pivot that is not positive, or -1. */
static int invert_gauss_jordan(int n, sb_scalar *a) {
    for (int k = 0; k < n; k++) {
        const sb_scalar pivot = a[k + k * n];
        if (!(pivot > 0.0)) {
            return k;
        }
        const sb_scalar inverse = 1.0 / pivot;
        for (int j = 0; j < n; j++) {
            if (j == k) {
                continue;
            }
            const sb_scalar c = a[k + j * n] * inverse;
            for (int i = 0; i < n; i++) {
                a[i + j * n] -= i == k ? 0.0 : a[i + k * n] * c;
            }
        }
        for (int i = 0; i < n; i++) {
            a[i + k * n] = a[k + i * n] = i == k ? -inverse : a[k + i * n] * inverse;
        }
    }
    for (int k = 0; k < n * n; k++) {
        a[k] = -a[k];
    }
    return -1;
}

/* Computes the lower triangle of the inverse; returns as invert_gauss_jordan does. */
static int invert_block(int n, sb_scalar *a) {
    if (n <= INLINE_MAX) {
        return invert_gauss_jordan(n, a);
    }
    const int bad = (int)LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', n, a, n);
    return (bad != 0 ? bad : (int)LAPACKE_dpotri_work(LAPACK_COL_MAJOR, 'L', n, a, n)) - 1;
}

static int not_positive(const sb_mass *mass, int coordinate, sb_scalar entry) {
    char own[SB_VARIABLE_SIZE];
    return sb_fail(mass->work->ctx, SB_SINGULAR,
                   "the mass matrix of %s is not positive definite at coordinate %s, where its diagonal is %.3g",
                   mass->sys->name, sb_variable_name(mass->sys->coordinates, false, coordinate, own), (double)entry);
}

/* Factors M. */
static int factor(const sb_mass *mass) {
    sb_context *ctx = mass->work->ctx;
    char reason[SB_MESSAGE_MAX];
    const int status = mass->work->linear->type->factor(mass->work->linear, mass->Mx);
    if (status != SB_SINGULAR) {
        return status;
    }
    memcpy(reason, ctx->message, sizeof reason);
    return sb_fail(ctx, SB_SINGULAR, "the mass matrix of %s is not positive definite: %.*s", mass->sys->name,
                   SB_MESSAGE_MAX - 200, reason);
}

int sb_mass_invert(sb_mass *mass) {
    const struct sb_mass_work *w = mass->work;
    const sb_pattern *M = &mass->M;
    if (w->linear != NULL) {
        return factor(mass);
    }
    if (mass->diagonal) {
        for (int i = 0; i < M->cols; i++) {
            if (!(mass->Mx[i] > 0.0)) {
                return not_positive(mass, i, mass->Mx[i]);
            }
            mass->Wx[i] = 1.0 / mass->Mx[i];
        }
        return SB_OK;
    }
    for (int b = 0; b < w->nblocks; b++) {
        const int *index = w->block_i + w->block_p[b];
        const int size = w->block_p[b + 1] - w->block_p[b];
        for (int j = 0; j < size; j++) {
            for (int i = 0; i < size; i++) {
                const int at = w->at_M[mass->W.p[index[j]] + i];
                w->dense[i + j * size] = at < 0 ? 0.0 : mass->Mx[at];
            }
        }
        const int bad = invert_block(size, w->dense);
        if (bad >= 0) {
            const int at = w->at_M[mass->W.p[index[bad]] + bad];
            return not_positive(mass, index[bad], at < 0 ? 0.0 : mass->Mx[at]);
        }
        for (int j = 0; j < size; j++) {
            sb_scalar *column = mass->Wx + mass->W.p[index[j]];
            for (int i = 0; i < size; i++) {
                column[i] = i >= j ? w->dense[i + j * size] : w->dense[j + i * size];
            }
        }
    }
    return SB_OK;
}

static int init_added(sb_arena *arena, const sb_added_mass *added, sb_mass *mass) {
    const sb_pattern *M = &mass->sys->inertia.M;
    int *at;
    mass->added = added;
    mass->M = added->pattern;
    SB_NEW(arena, at, sb_pattern_nnz(M));
    SB_NEW(arena, mass->work->inner, sb_pattern_nnz(M));
    for (int j = 0; j < M->cols; j++) {
        for (int k = M->p[j]; k < M->p[j + 1]; k++) {
            at[k] = sb_pattern_find(&mass->M, M->i[k], j);
        }
    }
    mass->work->at_added = at;
    return SB_OK;
}

/* Evaluates a constant M, and inverts it unless it is singular. */
static int evaluate_constant(sb_mass *mass) {
    const sb_system *sys = mass->sys;
    sb_scalar *q;
    SB_SCRATCH(scratch, mass->work->ctx);
    SB_NEW(&scratch, q, sys->n);
    SB_TRY(sys->inertia.mass(sys->inertia.self, q, mass->Mx));
    return (sys->flags & (unsigned)SB_HAS_SINGULAR_MASS) != 0 || sb_mass_invert(mass) == SB_OK
               ? SB_OK
               : sb_fail(mass->work->ctx, SB_SINGULAR,
                         "the mass matrix of %s is not positive definite; every mass and inertia has to be positive",
                         sys->name);
}

int sb_mass_init_with(sb_context *ctx, sb_arena *arena, const sb_system *sys, const sb_added_mass *added,
                      sb_mass *out) {
    *out = (sb_mass){.sys = sys, .M = sys->inertia.M};
    SB_NEW(arena, out->work, 1);
    out->work->ctx = ctx;
    SB_TRY(added != NULL ? init_added(arena, added, out) : SB_OK);
    SB_NEW(arena, out->Mx, sb_pattern_nnz(&out->M));
    SB_TRY(build_blocks(arena, out));
    SB_TRY(find_slots(ctx, arena, out));
    if (out->work->entries <= most_fill * sb_pattern_nnz(&out->M)) {
        SB_TRY(build_inverse(arena, out));
    } else {
        SB_NEW(arena, out->work->linear, 1);
        SB_TRY(sb_linear_init(ctx, arena, sb_solver_choose(ctx, "auto", SB_FORM_SCHUR, sys->n), &out->M, sys->n, sys->n,
                              out->work->linear));
    }
    out->constant = (sys->flags & SB_HAS_VARIABLE_MASS) == 0 && added == NULL;
    return out->constant ? evaluate_constant(out) : SB_OK;
}

int sb_mass_form_inverse(sb_arena *arena, sb_mass *mass) {
    if (mass->work->linear == NULL) {
        return SB_OK;
    }
    if (mass->work->entries > (double)INT_MAX) {
        return sb_fail(arena->ctx, SB_NO_MEMORY,
                       "the inverse of the mass matrix of %s, whose %d coordinates are coupled, is too large; take a "
                       "method that does not form it: spook with the saddle form, rattle",
                       mass->sys->name, mass->sys->n);
    }
    mass->work->linear = NULL;
    SB_TRY(build_inverse(arena, mass));
    return mass->constant ? sb_mass_invert(mass) : SB_OK;
}

int sb_mass_init(sb_context *ctx, sb_arena *arena, const sb_system *sys, sb_mass *out) {
    return sb_mass_init_with(ctx, arena, sys, NULL, out);
}

/* Evaluates M(q) + `added`. */
static int evaluate_sum(sb_mass *mass, const sb_scalar *q) {
    const struct sb_mass_work *w = mass->work;
    const sb_inertia *inertia = &mass->sys->inertia;
    const size_t bytes = (size_t)sb_pattern_nnz(&mass->M) * sizeof(sb_scalar);
    SB_TRY(inertia->mass(inertia->self, q, w->inner));
    if (mass->added->values != NULL) {
        memcpy(mass->Mx, mass->added->values, bytes);
    } else {
        memset(mass->Mx, 0, bytes);
    }
    for (int k = 0; k < sb_pattern_nnz(&inertia->M); k++) {
        mass->Mx[w->at_added[k]] += w->inner[k];
    }
    return SB_OK;
}

int sb_mass_evaluate_at(sb_mass *mass, const sb_scalar *q) {
    const sb_inertia *inertia = &mass->sys->inertia;
    return mass->added != NULL ? evaluate_sum(mass, q) : inertia->mass(inertia->self, q, mass->Mx);
}

int sb_mass_update(sb_mass *mass, const sb_scalar *q) {
    if (mass->constant) {
        return SB_OK;
    }
    SB_TRY(sb_mass_evaluate_at(mass, q));
    return sb_mass_invert(mass);
}

void sb_mass_solve_coupled(const sb_mass *mass, const sb_scalar *b, sb_scalar *x) {
    const int n = mass->sys->n;
    if (mass->work->linear != NULL) {
        memcpy(x, b, (size_t)n * sizeof *x);
        (void)mass->work->linear->type->solve(mass->work->linear, x); /* of LDL', which cannot fail */
        return;
    }
    memset(x, 0, (size_t)n * sizeof *x);
    sb_csc_mult_add(&mass->W, mass->Wx, 1.0, b, x);
}
