/* The saddle system of a constrained step: the positions of its entries are found once, values are written per step.
 */
#include "core/linear/choose.h"
#include "core/mechanics/internal.h"

/* Builds the pattern of the columns of several patterns of n rows, side by side. */
static int side_by_side(sb_arena *arena, int n, int parts, const sb_pattern *const *part, const int *m, sb_pattern *C) {
    int *p, *i, nnz = 0, cols = 0;
    for (int s = 0; s < parts; s++) {
        nnz += m[s] > 0 ? sb_pattern_nnz(part[s]) : 0;
        cols += m[s];
    }
    SB_NEW(arena, p, cols + 1);
    SB_NEW(arena, i, nnz);
    int col = 0, end = 0;
    for (int s = 0; s < parts; s++) {
        for (int j = 0; j < m[s]; j++) {
            for (int k = part[s]->p[j]; k < part[s]->p[j + 1]; k++) {
                i[end++] = part[s]->i[k];
            }
            p[++col] = end;
        }
    }
    *C = (sb_pattern){n, cols, p, i};
    return SB_OK;
}

int sb_system_constraints(sb_arena *arena, const sb_system *sys, sb_pattern *C) {
    const sb_pattern *const part[2] = {&sys->holonomic.G, &sys->nonholonomic.A};
    const int m[2] = {sys->holonomic.m, sys->nonholonomic.m};
    return side_by_side(arena, sys->n, 2, part, m, C);
}

int sb_system_rows(sb_arena *arena, const sb_system *sys, sb_pattern *C) {
    const sb_pattern *const part[4] = {&sys->holonomic.G, &sys->nonholonomic.A, &sys->contact.N, &sys->contact.D};
    const int m[4] = {sys->holonomic.m, sys->nonholonomic.m, sys->contact.m, sys->contact.k};
    return side_by_side(arena, sys->n, 4, part, m, C);
}

/* Builds the sparse pattern of the whole matrix; without C1' where the solver is symmetric. */
static int join(sb_arena *arena, const sb_saddle *saddle, bool symmetric, sb_pattern *A) {
    const sb_pattern *H = &saddle->H, *C = &saddle->C;
    const int n = H->cols, nnz = sb_pattern_nnz(H) + 2 * sb_pattern_nnz(C) + saddle->rows;
    int *row, *col, end = 0;
    SB_SCRATCH(scratch, arena->ctx);
    SB_NEW(&scratch, row, nnz);
    SB_NEW(&scratch, col, nnz);
    for (int j = 0; j < n; j++) {
        for (int k = H->p[j]; k < H->p[j + 1]; k++) {
            row[end] = H->i[k];
            col[end++] = j;
        }
    }
    for (int j = 0; j < saddle->rows; j++) {
        for (int k = C->p[j]; k < C->p[j + 1]; k++) {
            row[end] = C->i[k];
            col[end++] = n + j;
            if (!symmetric) {
                row[end] = n + j;
                col[end++] = C->i[k];
            }
        }
        row[end] = col[end] = n + j;
        end++;
    }
    return sb_pattern_from_pairs(arena, n + saddle->rows, n + saddle->rows, end, row, col, A);
}

static int find_positions(sb_arena *arena, const sb_pattern *A, bool symmetric, sb_saddle *saddle) {
    const sb_pattern *H = &saddle->H, *C = &saddle->C;
    const int n = H->cols;
    int *at_H, *at_C0, *at_C1 = NULL, *at_E;
    SB_NEW(arena, at_H, sb_pattern_nnz(H));
    SB_NEW(arena, at_C0, sb_pattern_nnz(C));
    if (!symmetric) {
        SB_NEW(arena, at_C1, sb_pattern_nnz(C));
    }
    SB_NEW(arena, at_E, saddle->rows);
    for (int j = 0; j < n; j++) {
        for (int k = H->p[j]; k < H->p[j + 1]; k++) {
            at_H[k] = sb_pattern_find(A, H->i[k], j);
        }
    }
    for (int j = 0; j < saddle->rows; j++) {
        for (int k = C->p[j]; k < C->p[j + 1]; k++) {
            at_C0[k] = sb_pattern_find(A, C->i[k], n + j);
            if (!symmetric) {
                at_C1[k] = sb_pattern_find(A, n + j, C->i[k]);
            }
        }
        at_E[j] = sb_pattern_find(A, n + j, n + j);
    }
    saddle->at_H = at_H;
    saddle->at_C0 = at_C0;
    saddle->at_C1 = at_C1;
    saddle->at_E = at_E;
    return SB_OK;
}

/* Chooses a solver that has been left open by the symmetric pattern. */
static int choose_by_pattern(sb_context *ctx, const sb_saddle *saddle, const sb_solver **solver) {
    sb_pattern A;
    SB_SCRATCH(scratch, ctx);
    SB_TRY(join(&scratch, saddle, true, &A));
    return sb_solver_choose_by_pattern(ctx, &A, saddle->H.cols, solver);
}

int sb_saddle_layout(sb_context *ctx, sb_arena *arena, const sb_system *sys, const sb_pattern *H,
                     const sb_solver **solver, sb_pattern *A, sb_saddle *out) {
    const int rows = sb_system_bilateral(sys), size = sys->n + rows;
    *out = (sb_saddle){.rows = rows, .H = *H};
    SB_TRY(sb_system_constraints(arena, sys, &out->C));
    SB_TRY(sb_poll(ctx));
    SB_TRY((*solver)->symmetric ? choose_by_pattern(ctx, out, solver) : SB_OK);
    SB_TRY((*solver)->full ? sb_pattern_full(arena, size, size, A) : join(arena, out, (*solver)->symmetric, A));
    return find_positions(arena, A, (*solver)->symmetric, out);
}

/* Moves positions to where the solver reads the values. */
static void move(const int *at, int count, int *positions) {
    for (int k = 0; k < count && positions != NULL; k++) {
        positions[k] = at[positions[k]];
    }
}

int sb_saddle_bind(sb_context *ctx, sb_arena *arena, const sb_system *sys, const sb_solver *solver, const sb_pattern *A,
                   const int *at, sb_scalar *values, sb_saddle *out) {
    const int nnz_C = sb_pattern_nnz(&out->C);
    SB_TRY(sb_linear_init_at(ctx, arena, solver, A, at, sys->n, sys->n, &out->linear));
    out->linear.rows = sys;
    if (out->linear.at != NULL) {
        move(out->linear.at, sb_pattern_nnz(&out->H), out->at_H);
        move(out->linear.at, nnz_C, out->at_C0);
        move(out->linear.at, nnz_C, out->at_C1);
        move(out->linear.at, out->rows, out->at_E);
    }
    out->Ax = values != NULL ? values : sb_alloc(arena, (size_t)out->linear.values, sizeof *out->Ax);
    return out->Ax != NULL ? SB_OK : SB_NO_MEMORY;
}

int sb_saddle_init_with(sb_context *ctx, sb_arena *arena, const sb_system *sys, const sb_pattern *H,
                        const sb_solver *solver, sb_saddle *out) {
    sb_pattern A;
    SB_TRY(sb_saddle_layout(ctx, arena, sys, H, &solver, &A, out));
    SB_NEW(arena, out->Hx, sb_pattern_nnz(H));
    return sb_saddle_bind(ctx, arena, sys, solver, &A, NULL, NULL, out);
}

int sb_saddle_init_on(sb_context *ctx, sb_arena *arena, const sb_system *sys, const sb_pattern *H, sb_saddle *out) {
    const int rows = sb_system_bilateral(sys);
    return sb_saddle_init_with(ctx, arena, sys, H,
                               sb_solver_is_small(sys->n, rows)
                                   ? &sb_solver_small_lu
                                   : sb_solver_choose(ctx, "auto", SB_FORM_GENERAL, sys->n + rows),
                               out);
}

int sb_saddle_init(sb_context *ctx, sb_arena *arena, const sb_system *sys, sb_saddle *out) {
    return sb_saddle_init_on(ctx, arena, sys, &sys->H, out);
}

void sb_saddle_set_diagonal(sb_saddle *saddle, const sb_scalar *E) {
    sb_saddle_set_part(saddle->Ax, saddle->at_E, saddle->rows, 1.0, E);
}

int sb_saddle_factor(sb_saddle *saddle) {
    sb_linear *linear = &saddle->linear;
    linear->ctx->factorizations++;
    return linear->type->factor(linear, saddle->Ax);
}

int sb_saddle_solve(const sb_saddle *saddle, sb_scalar *x) {
    const sb_linear *linear = &saddle->linear;
    return linear->type->solve(linear, x);
}
