/* The saddle system [a H, b G0; d G1', 0] of a constrained step: slots found once, values scattered every step. */
#include <stepbench/solve.h>

extern const sb_solver sb_solver_dense;

int sb_saddle_init(sb_context *ctx, sb_arena *arena, const sb_system *sys, sb_saddle *out) {
    const int n = sys->n, m = sys->holonomic.m, size = n + m;
    const sb_pattern *H = &sys->H, *G = &sys->holonomic.G;
    *out = (sb_saddle){.sys = sys, .size = size};
    const sb_solver *type = &sb_solver_dense;
    sb_pattern A;
    SB_TRY(sb_pattern_full(arena, size, size, &A));
    const int nnz_H = sb_pattern_nnz(H), nnz_G = m > 0 ? sb_pattern_nnz(G) : 0;
    int *at_H, *at_G0, *at_G1;
    SB_NEW(arena, at_H, nnz_H);
    SB_NEW(arena, at_G0, nnz_G);
    SB_NEW(arena, at_G1, nnz_G);
    for (int j = 0; j < n; j++) {
        for (int k = H->p[j]; k < H->p[j + 1]; k++) {
            at_H[k] = sb_pattern_find(&A, H->i[k], j);
        }
    }
    for (int j = 0; j < m; j++) {
        for (int k = G->p[j]; k < G->p[j + 1]; k++) {
            at_G0[k] = sb_pattern_find(&A, G->i[k], n + j);
            at_G1[k] = sb_pattern_find(&A, n + j, G->i[k]);
        }
    }
    out->at_H = at_H;
    out->at_G0 = at_G0;
    out->at_G1 = at_G1;
    SB_NEW(arena, out->Ax, sb_pattern_nnz(&A));
    SB_NEW(arena, out->Hx, nnz_H);
    return sb_linear_init(ctx, arena, type, &A, &out->linear);
}

void sb_saddle_fini(sb_saddle *saddle) { sb_linear_fini(&saddle->linear); }

void sb_saddle_assemble(sb_saddle *saddle, double a, double b, const double *G0x, double d, const double *G1x) {
    const int nnz_H = sb_pattern_nnz(&saddle->sys->H);
    const int nnz_G = saddle->sys->holonomic.m > 0 ? sb_pattern_nnz(&saddle->sys->holonomic.G) : 0;
    for (int k = 0; k < nnz_H; k++) {
        saddle->Ax[saddle->at_H[k]] = a * saddle->Hx[k];
    }
    for (int k = 0; k < nnz_G; k++) {
        saddle->Ax[saddle->at_G0[k]] = b * G0x[k];
        saddle->Ax[saddle->at_G1[k]] = d * G1x[k];
    }
}

int sb_saddle_factor(sb_saddle *saddle) { return saddle->linear.type->factor(&saddle->linear, saddle->Ax); }

int sb_saddle_solve(const sb_saddle *saddle, double *x) { return saddle->linear.type->solve(&saddle->linear, x); }
