/* The Jacobian of the stage equations with the coefficients of a table, assembled over its stages. A small matrix, and
 * one with a singular mass, is factored as a dense matrix with pivoting; other matrices by blocks. */
#include <string.h>

#include <stepbench/numerics/linear.h>
#include <stepbench/numerics/sparse_product.h>

#include "integrators/shared/block_lu.h"
#include "integrators/shared/constraint_hessian.h"
#include "integrators/shared/stages.h"

/* Up to this size the dense factorization is faster. */
enum { DENSE_MAX = 24 };

typedef struct stage_matrix {
    stage_table table;
    int frozen; /* the stage of all derivatives; -1: each has its own */
    int size;
    bool dense;
    sb_scalar *Ax;
    sb_linear linear;             /* dense solver, if `dense` */
    block_lu blocks;              /* block solver, if not */
    const int *slot;              /* positions of the unknowns in b */
    sb_scalar *b;                 /* right-hand side and solution of `blocks` */
    int count;                    /* entries of all blocks, in the order of add_blocks */
    int *row, *col;               /* rows and columns of all entries */
    int *at;                      /* positions of all entries in Ax */
    sb_sparse_product HG, GG, CG; /* H G', G G' and C G', in the columns of mu */
    constraint_hessian hessian;
    sb_scalar *K[STAGES_MAX], *W[STAGES_MAX], *X[STAGES_MAX], *M[STAGES_MAX]; /* dF/dq, dF/dv, d(M v)/dq and M, on H */
    sb_scalar *Cx[STAGES_MAX], *Dx[STAGES_MAX];                               /* C and d(C' v + g_t)/dq, on C */
    sb_scalar *Hx, *Bx, *Px;                                                  /* one block: on H; on C; of a product */
} stage_matrix;

/* Adds c times the values on P, or their transpose, to the block that begins at (row, col). In the first pass only
 * counts the entries, in the second only records their positions. */
static void add_block(stage_matrix *x, const sb_pattern *P, bool transposed, int row, int col, sb_scalar c,
                      const sb_scalar *values) {
    for (int j = 0; j < P->cols; j++) {
        for (int e = P->p[j]; e < P->p[j + 1]; e++) {
            if (x->at != NULL) {
                x->Ax[x->at[x->count]] += c * values[e];
            } else if (x->row != NULL) {
                x->row[x->count] = row + (transposed ? j : P->i[e]);
                x->col[x->count] = col + (transposed ? P->i[e] : j);
            }
            x->count++;
        }
    }
}

/* Sets Hx to the derivative of momentum i by V_k at constant positions where `velocity` is set, plus that by the
 * positions that move with U_k. */
static void set_momentum_block(stage_matrix *x, const stages *w, int i, int k, bool velocity) {
    const stage_table *table = &x->table;
    const int nnz = sb_pattern_nnz(&w->sys->H);
    for (int e = 0; e < nnz; e++) {
        sb_scalar sum = table->a[i][k] * x->X[i][e];
        for (int j = 0; j < table->s; j++) {
            sum -= w->h * table->a_hat[i][j] * table->a[j][k] * x->K[j][e];
        }
        x->Hx[e] = w->h * sum;
    }
    for (int e = 0; e < nnz && velocity; e++) {
        x->Hx[e] += (i == k ? x->M[i][e] : 0.0) - w->h * table->a_hat[i][k] * x->W[k][e];
    }
}

/* Sets Bx to the same derivatives of the constraints of stage i: of g/h where `position` is set, else of G V; of A V.
 */
static void set_constraint_block(stage_matrix *x, const stages *w, int i, int k, bool position, bool velocity) {
    const int nnz = sb_pattern_nnz(&w->C), nnz_G = w->C.p[position ? w->sys->holonomic.m : 0];
    const sb_scalar a = x->table.a[i][k];
    for (int e = 0; e < nnz_G; e++) {
        x->Bx[e] = a * x->Cx[i][e];
    }
    for (int e = nnz_G; e < nnz; e++) {
        x->Bx[e] = w->h * a * x->Dx[i][e] + (velocity && i == k ? x->Cx[i][e] : 0.0);
    }
}

/* Adds the blocks of the stabilised form: the equations G V = 0, and the unknowns mu. With U_k = V_k + G_k' mu_k, the
 * other unknowns are corrections of V_k in place of U_k: mu_k moves positions alone. */
static void add_stabilised_blocks(stage_matrix *x, const stages *w, int i, int k, int row, int col) {
    const sb_pattern *G = &w->sys->holonomic.G;
    set_constraint_block(x, w, i, k, false, true);
    add_block(x, G, true, row + w->rows, k * w->sys->n, 1.0, x->Bx);
    set_constraint_block(x, w, i, k, false, false);
    sb_sparse_product_evaluate(&x->GG, x->Bx, x->Cx[k], x->Px);
    add_block(x, &x->GG.P, false, row + w->rows, col + w->rows, 1.0, x->Px);
    set_constraint_block(x, w, i, k, true, false);
    sb_sparse_product_evaluate(&x->CG, x->Bx, x->Cx[k], x->Px);
    add_block(x, &x->CG.P, false, row, col + w->rows, 1.0, x->Px);
    set_momentum_block(x, w, i, k, false);
    sb_sparse_product_evaluate(&x->HG, x->Hx, x->Cx[k], x->Px);
    add_block(x, &x->HG.P, false, i * w->sys->n, col + w->rows, 1.0, x->Px);
}

/* Adds all blocks, in a fixed order. */
static void add_blocks(stage_matrix *x, const stages *w) {
    const int s = x->table.s, skip = x->table.skip, n = w->sys->n, b = w->rows + w->extra;
    x->count = 0;
    for (int i = 0; i < s; i++) {
        for (int k = 0; k < s; k++) {
            const int row = s * n + (i - skip) * b, col = s * n + k * b;
            set_momentum_block(x, w, i, k, true);
            add_block(x, &w->sys->H, false, i * n, k * n, 1.0, x->Hx);
            if (k < s - skip) {
                add_block(x, &w->C, false, i * n, col, -x->table.a_hat[i][k], x->Cx[k]);
            }
            if (i >= skip) {
                set_constraint_block(x, w, i, k, w->form != STAGES_INDEX2, true);
                add_block(x, &w->C, true, row, k * n, 1.0, x->Bx);
            }
            if (w->extra > 0) {
                add_stabilised_blocks(x, w, i, k, row, col);
            }
        }
    }
}

static int init_products(sb_arena *arena, const stages *w, stage_matrix *x) {
    const sb_holonomic *holonomic = &w->sys->holonomic;
    sb_pattern Gt, Ct;
    int *at_G, *at_C;
    if (w->extra == 0) {
        return SB_OK;
    }
    SB_TRY(sb_pattern_transpose(arena, &holonomic->G, &Gt, &at_G));
    SB_TRY(sb_pattern_transpose(arena, &w->C, &Ct, &at_C));
    SB_TRY(sb_sparse_product_init(arena, &w->sys->H, NULL, &holonomic->G, SB_PRODUCT_SPARSE, &x->HG));
    SB_TRY(sb_sparse_product_init(arena, &Gt, at_G, &holonomic->G, SB_PRODUCT_SPARSE, &x->GG));
    SB_TRY(sb_sparse_product_init(arena, &Ct, at_C, &holonomic->G, SB_PRODUCT_SPARSE, &x->CG));
    const int nnz_HG = sb_pattern_nnz(&x->HG.P), nnz_CG = sb_pattern_nnz(&x->CG.P);
    SB_NEW(arena, x->Px, nnz_HG > nnz_CG ? nnz_HG : nnz_CG);
    return SB_OK;
}

/* A block consists of the stages of a coordinate, or of a constraint and its mu. */
typedef struct component {
    int block, index;
} component;

static component component_of(const stage_matrix *x, const stages *w, int unknown) {
    const int s = x->table.s, n = w->sys->n, b = w->rows + w->extra;
    if (unknown < s * n) {
        return (component){unknown % n, unknown / n};
    }
    const int stage = (unknown - s * n) / b, j = (unknown - s * n) % b;
    return j < w->rows ? (component){n + j, stage} : (component){n + j - w->rows, s - x->table.skip + stage};
}

static int init_blocks(sb_arena *arena, const stages *w, stage_matrix *x) {
    const int n = w->sys->n, blocks = n + w->rows;
    int *row, *col, *width, *slot;
    sb_pattern pattern;
    SB_NEW(arena, row, 2 * x->count);
    SB_NEW(arena, col, 2 * x->count);
    SB_NEW(arena, width, blocks);
    SB_NEW(arena, slot, x->size);
    SB_NEW(arena, x->b, x->size);
    for (int e = 0; e < x->count; e++) {
        row[2 * e] = col[2 * e + 1] = component_of(x, w, x->row[e]).block;
        col[2 * e] = row[2 * e + 1] = component_of(x, w, x->col[e]).block;
    }
    for (int u = 0; u < x->size; u++) {
        width[component_of(x, w, u).block]++;
    }
    SB_TRY(sb_pattern_from_pairs(arena, blocks, blocks, 2 * x->count, row, col, &pattern));
    SB_TRY(sb_block_lu_init(arena, &pattern, n, width, &x->blocks));
    for (int u = 0; u < x->size; u++) {
        const component c = component_of(x, w, u);
        slot[u] = x->blocks.first[x->blocks.number[c.block]] + c.index;
    }
    x->slot = slot;
    x->Ax = x->blocks.x;
    return SB_OK;
}

static int init_dense(sb_method *me, stage_matrix *x) {
    sb_pattern A;
    const sb_solver *solver = sb_solver_choose(me->ctx, "dense", SB_FORM_GENERAL, x->size);
    SB_TRY(sb_pattern_full(me->arena, x->size, x->size, &A));
    SB_NEW(me->arena, x->Ax, sb_pattern_nnz(&A));
    return sb_linear_init(me->ctx, me->arena, solver, &A, x->size, x->size, &x->linear);
}

/* Records the positions of all entries, chooses the form of the matrix, and finds the place of each entry in it. */
static int init_places(sb_method *me, const stages *w, stage_matrix *x) {
    int *at;
    add_blocks(x, w);
    SB_NEW(me->arena, x->row, x->count);
    SB_NEW(me->arena, x->col, x->count);
    add_blocks(x, w);
    SB_TRY(x->dense ? init_dense(me, x) : init_blocks(me->arena, w, x));
    SB_NEW(me->arena, at, x->count);
    for (int e = 0; e < x->count; e++) {
        const component row = component_of(x, w, x->row[e]), col = component_of(x, w, x->col[e]);
        at[e] = x->dense ? x->row[e] + x->size * x->col[e]
                         : sb_block_lu_place(&x->blocks, row.block, col.block, row.index, col.index);
    }
    x->at = at;
    return SB_OK;
}

int sb_stage_matrix_init(sb_method *me, const stages *w, const stage_table *table, int frozen, stage_matrix **out) {
    const sb_system *sys = w->sys;
    const int s = table->s;
    stage_matrix *x;
    SB_NEW(me->arena, x, 1);
    *out = x;
    x->table = *table;
    x->frozen = frozen;
    x->size = s * sys->n + (s - table->skip) * (w->rows + w->extra);
    const size_t nnz_H = (size_t)sb_pattern_nnz(&sys->H), nnz_C = (size_t)sb_pattern_nnz(&w->C);
    for (int i = 0; i < s; i++) {
        if (i == 0 || frozen < 0) {
            SB_TRY(SB_VECTORS(me->arena, nnz_H, &x->K[i], &x->W[i], &x->X[i], &x->M[i]));
            SB_NEW(me->arena, x->Dx[i], nnz_C);
            x->Cx[i] = w->Cx[frozen < 0 ? i : frozen];
        } else {
            x->K[i] = x->K[0];
            x->W[i] = x->W[0];
            x->X[i] = x->X[0];
            x->M[i] = x->M[0];
            x->Dx[i] = x->Dx[0];
            x->Cx[i] = x->Cx[0];
        }
    }
    SB_NEW(me->arena, x->Hx, nnz_H);
    SB_NEW(me->arena, x->Bx, nnz_C);
    if (w->form != STAGES_INDEX3) {
        SB_TRY(constraint_hessian_init(me->arena, sys, &x->hessian));
    }
    SB_TRY(init_products(me->arena, w, x));
    x->dense = x->size <= DENSE_MAX || (sys->flags & (unsigned)SB_HAS_SINGULAR_MASS) != 0;
    return init_places(me, w, x);
}

/* Sets the i-th derivatives of the terms to those at `stage`. */
static int set_derivatives(stage_matrix *x, const stages *w, int i, int stage) {
    const sb_system *sys = w->sys;
    const sb_inertia *inertia = &sys->inertia;
    const sb_scalar t = w->t + w->table.c[stage] * w->h, *q = w->Q[stage], *v = w->V[stage];
    const size_t bytes = (size_t)sb_pattern_nnz(&sys->H) * sizeof(sb_scalar);
    memset(x->K[i], 0, bytes);
    memset(x->W[i], 0, bytes);
    memset(x->X[i], 0, bytes);
    memset(x->M[i], 0, bytes);
    for (int e = 0; e < sb_pattern_nnz(&inertia->M); e++) {
        x->M[i][w->mass.at_H[e]] = w->Mx[stage][e];
    }
    if (inertia->hessian != NULL) {
        SB_TRY(inertia->hessian(inertia->self, q, v, 1.0, 0.0, 0.0, x->K[i]));
        SB_TRY(inertia->hessian(inertia->self, q, v, 0.0, 1.0, 0.0, x->W[i]));
        SB_TRY(inertia->hessian(inertia->self, q, v, 0.0, 0.0, 1.0, x->X[i]));
    }
    if (sys->potential.hessian != NULL) {
        SB_TRY(sb_potential_hessian(sys, t, q, -1.0, x->K[i]));
    }
    if (sys->force.jacobian != NULL) {
        SB_TRY(sys->force.jacobian(sys->force.self, t, q, v, 1.0, 0.0, x->K[i]));
        SB_TRY(sys->force.jacobian(sys->force.self, t, q, v, 0.0, 1.0, x->W[i]));
    }
    if (sys->holonomic.m > 0) {
        SB_TRY(sb_holonomic_hessian(sys, t, q, w->lambda[stage], 1.0, x->K[i]));
    }
    if (sys->holonomic.m > 0 && w->form != STAGES_INDEX3) {
        SB_TRY(constraint_hessian_mult(&x->hessian, t, q, v, x->Dx[i]));
    }
    return sys->nonholonomic.m > 0 && sys->nonholonomic.gradient != NULL
               ? sys->nonholonomic.gradient(sys->nonholonomic.self, t, q, v, x->Dx[i] + w->C.p[sys->holonomic.m])
               : SB_OK;
}

int sb_stage_matrix_factor(stage_matrix *x, const stages *w) {
    if (x->frozen >= 0) {
        SB_TRY(set_derivatives(x, w, 0, x->frozen));
    }
    for (int i = 0; i < x->table.s && x->frozen < 0; i++) {
        SB_TRY(set_derivatives(x, w, i, i));
    }
    memset(x->Ax, 0, (x->dense ? (size_t)x->size * (size_t)x->size : (size_t)x->blocks.values) * sizeof(sb_scalar));
    add_blocks(x, w);
    w->ctx->factorizations++;
    const bool singular = !x->dense && sb_block_lu_factor(&x->blocks) >= 0;
    const int status = x->dense ? x->linear.type->factor(&x->linear, x->Ax) : SB_OK;
    return singular || status == SB_SINGULAR
               ? sb_fail(w->ctx, SB_SINGULAR,
                         "the matrix of the stage equations of %s is singular, as where constraints are linearly "
                         "dependent; try a smaller step",
                         w->sys->name)
               : status;
}

int sb_stage_matrix_solve(const stage_matrix *x, sb_scalar *b) {
    if (x->dense) {
        return x->linear.type->solve(&x->linear, b);
    }
    for (int u = 0; u < x->size; u++) {
        x->b[x->slot[u]] = b[u];
    }
    sb_block_lu_solve(&x->blocks, x->b);
    for (int u = 0; u < x->size; u++) {
        b[u] = x->b[x->slot[u]];
    }
    return SB_OK;
}
