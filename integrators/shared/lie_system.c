/* A system on the Lie group R^a x S^3 x ... x S^3. The patterns are found once; values are mapped block by block. */
#include "integrators/shared/lie_system.h"

#include <string.h>

#include <stepbench/numerics/quaternion.h>
#include <stepbench/numerics/saddle.h>

/* ---- Patterns. ---- */

/* Returns the number of entries in xi of coordinate i: one, or three. */
static int width(const lie *L, int i) { return L->of[i] < 0 ? 1 : 3; }

/* Returns the index of coordinate i in its quaternion. */
static int component(const lie *L, int i) { return i - L->sys->attitude[L->of[i]].at; }

static int place_coordinates(sb_arena *arena, lie *L) {
    const sb_system *sys = L->sys;
    int *to, *of;
    SB_NEW(arena, to, sys->n);
    SB_NEW(arena, of, sys->n);
    for (int i = 0; i < sys->n; i++) {
        of[i] = -1;
    }
    for (int b = 0; b < sys->attitudes; b++) {
        for (int c = 0; c < 4; c++) {
            of[sys->attitude[b].at + c] = b;
        }
    }
    L->of = of;
    L->to = to;
    for (int i = 0; i < sys->n; i++) {
        to[i] = of[i] >= 0 && component(L, i) > 0 ? to[i - 1] : L->k;
        L->k += of[i] < 0 ? 1 : component(L, i) == 0 ? 3 : 0;
    }
    return SB_OK;
}

/* Returns whether a row of lambda belongs to the length of a quaternion. */
static bool keeps_length(const sb_system *sys, int row) {
    for (int b = 0; b < sys->attitudes; b++) {
        if (sys->attitude[b].row == row) {
            return true;
        }
    }
    return false;
}

/* Builds the pattern of the entries (row[e], col[e]), and sets at[e] to the place of each. */
static int build_pattern(sb_arena *arena, int rows, int cols, int nnz, const int *row, const int *col, sb_pattern *out,
                         int **at) {
    SB_TRY(sb_pattern_from_pairs(arena, rows, cols, nnz, row, col, out));
    SB_NEW(arena, *at, nnz);
    for (int e = 0; e < nnz; e++) {
        (*at)[e] = sb_pattern_find(out, row[e], col[e]);
    }
    return SB_OK;
}

static int init_rows(sb_arena *arena, lie *L) {
    SB_TRY(sb_system_constraints(arena, L->sys, &L->C));
    const sb_pattern *C = &L->C;
    const int nnz = sb_pattern_nnz(C);
    int *row, *col, *kept, *begin, end = 0;
    SB_NEW(arena, row, 3 * nnz);
    SB_NEW(arena, col, 3 * nnz);
    SB_NEW(arena, kept, C->cols);
    SB_NEW(arena, begin, C->cols + 1);
    for (int j = 0; j < C->cols; j++) {
        const bool length = keeps_length(L->sys, j);
        for (int e = C->p[j]; e < C->p[j + 1] && !length; e++) {
            for (int a = 0; a < width(L, C->i[e]); a++) {
                row[end] = L->to[C->i[e]] + a;
                col[end++] = L->rows;
            }
        }
        begin[j + 1] = end;
        if (!length) {
            kept[L->rows++] = j;
        }
    }
    L->row = kept;
    L->begin_R = begin;
    L->holonomic = L->sys->holonomic.m - L->sys->attitudes;
    return build_pattern(arena, L->k, L->rows, end, row, col, &L->R, &L->at_R);
}

/* The diagonal blocks of quaternions are full, whatever the pattern of H. */
static int init_H(sb_arena *arena, lie *L) {
    const sb_system *sys = L->sys;
    const sb_pattern *H = &sys->H;
    const int most = 9 * (sb_pattern_nnz(H) + sys->attitudes);
    int *row, *col, end = 0;
    SB_NEW(arena, row, most);
    SB_NEW(arena, col, most);
    for (int j = 0; j < H->cols; j++) {
        for (int e = H->p[j]; e < H->p[j + 1]; e++) {
            for (int k = 0; k < width(L, H->i[e]) * width(L, j); k++) {
                row[end] = L->to[H->i[e]] + k % width(L, H->i[e]);
                col[end++] = L->to[j] + k / width(L, H->i[e]);
            }
        }
    }
    const int blocks = end;
    for (int k = 0; k < 9 * sys->attitudes; k++) {
        const int to = L->to[sys->attitude[k / 9].at];
        row[end] = to + k % 3;
        col[end++] = to + k % 9 / 3;
    }
    SB_TRY(build_pattern(arena, L->k, L->k, end, row, col, &L->algebra.H, &L->at_H));
    L->at_block = L->at_H + blocks;
    return SB_OK;
}

int sb_lie_init(sb_arena *arena, const sb_system *sys, lie *out) {
    *out = (lie){.sys = sys};
    SB_TRY(place_coordinates(arena, out));
    SB_TRY(init_rows(arena, out));
    SB_TRY(init_H(arena, out));
    out->algebra.name = sys->name;
    out->algebra.n = out->k;
    out->algebra.holonomic.m = out->rows;
    out->algebra.holonomic.G = out->R;
    return SB_OK;
}

int sb_lie_blocks_new(sb_arena *arena, const lie *L, lie_blocks *out) {
    *out = (lie_blocks){0};
    SB_NEW(arena, out->block, L->sys->attitudes);
    return SB_OK;
}

/* ---- Points and velocities. ---- */

void sb_lie_move(const lie *L, lie_map map, const sb_scalar *q0, const sb_scalar *s, sb_scalar *q1) {
    const sb_system *sys = L->sys;
    for (int i = 0; i < sys->n; i++) {
        if (L->of[i] < 0) {
            q1[i] = q0[i] + s[L->to[i]];
        }
    }
    for (int b = 0; b < sys->attitudes; b++) {
        const int at = sys->attitude[b].at;
        sb_scalar f[4], moved[4];
        sb_lie_tau(map, s + L->to[at], f);
        sb_quaternion_compose(q0 + at, f, moved);
        memcpy(q1 + at, moved, sizeof moved);
    }
}

/* Sets out to e (0, c w) for every quaternion, and to w for plain coordinates: the first loop is for these. */
static void expand(const lie *L, sb_scalar c, const sb_scalar *q, const sb_scalar *w, sb_scalar *out) {
    for (int i = 0; i < L->sys->n; i++) {
        out[i] = w[L->to[i]];
    }
    for (int b = 0; b < L->sys->attitudes; b++) {
        const int at = L->sys->attitude[b].at, to = L->to[at];
        sb_quaternion_product(q + at, (sb_scalar[4]){0.0, c * w[to], c * w[to + 1], c * w[to + 2]}, out + at);
    }
}

/* Sets out to c times the vector part of conj(e) x for every quaternion, and to x for plain coordinates: the first loop
 * is for these. */
static void contract(const lie *L, sb_scalar c, const sb_scalar *q, const sb_scalar *x, sb_scalar *out) {
    for (int i = 0; i < L->sys->n; i++) {
        out[L->to[i]] = x[i];
    }
    for (int b = 0; b < L->sys->attitudes; b++) {
        const int at = L->sys->attitude[b].at;
        sb_scalar y[4];
        sb_quaternion_ratio(q + at, x + at, y);
        for (int a = 0; a < 3; a++) {
            out[L->to[at] + a] = c * y[1 + a];
        }
    }
}

void sb_lie_velocity(const lie *L, const sb_scalar *q, const sb_scalar *xi, sb_scalar *v) { expand(L, 0.5, q, xi, v); }

/* Also for e'' = e (0, Omega'/2) - |Omega|^2/4 e: the second term has no vector part in the moving frame. */
void sb_lie_rates(const lie *L, const sb_scalar *q, const sb_scalar *v, sb_scalar *xi) { contract(L, 2.0, q, v, xi); }

void sb_lie_pull(const lie *L, const sb_scalar *q, const sb_scalar *p, sb_scalar *pi) { contract(L, 0.5, q, p, pi); }

void sb_lie_push(const lie *L, const sb_scalar *q, const sb_scalar *pi, sb_scalar *p) { expand(L, 2.0, q, pi, p); }

void sb_lie_basis(const lie *L, const sb_scalar *q, lie_blocks *B) {
    B->plain = 1.0;
    for (int b = 0; b < L->sys->attitudes; b++) {
        for (int a = 0; a < 3; a++) {
            sb_scalar column[4];
            sb_quaternion_product(q + L->sys->attitude[b].at,
                                  (sb_scalar[4]){0.0, 0.5 * (a == 0), 0.5 * (a == 1), 0.5 * (a == 2)}, column);
            for (int c = 0; c < 4; c++) {
                B->block[b][c][a] = column[c];
            }
        }
    }
}

/* ---- Products. ---- */

/* Sets block b of `out` to itself times X. */
static void multiply_block(lie_blocks *out, int b, sb_scalar X[3][3]) {
    for (int c = 0; c < 4; c++) {
        const sb_scalar row[3] = {out->block[b][c][0], out->block[b][c][1], out->block[b][c][2]};
        for (int j = 0; j < 3; j++) {
            out->block[b][c][j] = row[0] * X[0][j] + row[1] * X[1][j] + row[2] * X[2][j];
        }
    }
}

void sb_lie_move_derivative(const lie *L, lie_map map, const sb_scalar *s, const sb_scalar *q1, lie_blocks *out) {
    sb_lie_basis(L, q1, out);
    for (int b = 0; b < L->sys->attitudes; b++) {
        sb_scalar T[3][3];
        sb_lie_tangent(map, s + L->to[L->sys->attitude[b].at], T);
        multiply_block(out, b, T);
    }
}

/* Returns the row of a block matrix that belongs to coordinate i. */
static const sb_scalar *block_row(const lie *L, const lie_blocks *blocks, int i) {
    return L->of[i] < 0 ? &blocks->plain : blocks->block[L->of[i]][component(L, i)];
}

void sb_lie_add_rows(const lie *L, int first, int end, sb_scalar c, const sb_scalar *Cx, const lie_blocks *blocks,
                     sb_scalar *Rx) {
    const int *at = L->at_R + L->begin_R[first];
    for (int j = first; j < end; j++) {
        for (int e = L->C.p[j]; e < L->C.p[j + 1] && L->begin_R[j] < L->begin_R[j + 1]; e++) {
            const sb_scalar *row = block_row(L, blocks, L->C.i[e]);
            for (int a = 0; a < width(L, L->C.i[e]); a++) {
                Rx[*at++] += c * Cx[e] * row[a];
            }
        }
    }
}

int sb_lie_rows_value(const lie *L, sb_scalar t, const sb_scalar *q, sb_scalar *g, sb_scalar *Cx, lie_blocks *B,
                      sb_scalar *Rx) {
    const sb_nonholonomic *A = &L->sys->nonholonomic;
    SB_TRY(L->holonomic > 0 ? sb_holonomic_value(L->sys, t, q, g, Cx) : SB_OK);
    SB_TRY(A->m > 0 ? A->value(A->self, t, q, Cx + L->C.p[L->sys->holonomic.m], NULL) : SB_OK);
    sb_lie_basis(L, q, B);
    memset(Rx, 0, (size_t)sb_pattern_nnz(&L->R) * sizeof *Rx);
    sb_lie_add_rows(L, 0, L->C.cols, 1.0, Cx, B, Rx);
    return SB_OK;
}

void sb_lie_add(const lie *L, const sb_scalar *Hx, const lie_blocks *left, const lie_blocks *right, sb_scalar *Kx) {
    const sb_pattern *H = &L->sys->H;
    const int *at = L->at_H;
    for (int j = 0; j < H->cols; j++) {
        const sb_scalar *by = block_row(L, right, j);
        for (int e = H->p[j]; e < H->p[j + 1]; e++) {
            const sb_scalar *from = block_row(L, left, H->i[e]);
            for (int b = 0; b < width(L, j); b++) {
                for (int a = 0; a < width(L, H->i[e]); a++) {
                    Kx[*at++] += from[a] * Hx[e] * by[b];
                }
            }
        }
    }
}
