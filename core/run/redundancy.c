/* Finds redundant constraints by elimination of C' D C in the order of the rows, D the inverse of the diagonal of M:
 * the pivots do not depend on units. */
#include <stdio.h>
#include <string.h>

#include <stepbench/numerics/norm.h>
#include <stepbench/numerics/saddle.h>
#include <stepbench/numerics/start.h>

#include "core/run/redundancy.h"

typedef struct rows {
    const sb_system *sys;
    int m;
    sb_pattern C, by_coordinate;
    int *at;                    /* entries of the transpose in C */
    sb_scalar *size;            /* of coordinates, D = size^2 (n) */
    sb_scalar *Cx, *S, *length; /* gradients; C'DC (m x m); squares of their lengths (m) */
    int *order;                 /* of elimination (m) */
    bool *depends;              /* on the rows before (m) */
} rows;

/* Sets the sizes of the coordinates so that rows and coordinates have gradients of length one, in a few sweeps. Entries
 * that are round-off of their row in a special pose do not count. */
static int set_sizes(sb_scalar t, const sb_scalar *q, rows *r) {
    enum { SWEEPS = 10 };
    const sb_pattern *C = &r->C, *T = &r->by_coordinate;
    sb_scalar *weight = r->length; /* of rows */
    SB_TRY(sb_bilateral_value(r->sys, t, q, NULL, r->Cx));
    for (int i = 0; i < r->sys->n; i++) {
        r->size[i] = 1.0;
    }
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        for (int j = 0; j < r->m; j++) {
            sb_scalar square = 0.0;
            for (int k = C->p[j]; k < C->p[j + 1]; k++) {
                const sb_scalar share = r->Cx[k] * r->size[C->i[k]];
                square += share * share;
            }
            weight[j] = square > 0.0 ? 1.0 / sqrt(square) : 0.0;
        }
        for (int i = 0; i < r->sys->n; i++) {
            sb_scalar square = 0.0;
            for (int k = T->p[i]; k < T->p[i + 1]; k++) {
                const sb_scalar share = weight[T->i[k]] * fabs(r->Cx[r->at[k]]) * r->size[i];
                square += share > sqrt(SB_EPSILON) ? share * share : 0.0;
            }
            r->size[i] /= square > 0.0 ? sqrt(square) : 1.0;
        }
    }
    return SB_OK;
}

/* Sets the order of elimination: the lengths of quaternions, then the other rows. */
static void set_order(rows *r) {
    int end = 0;
    for (int k = 0; k < r->sys->attitudes; k++) {
        r->order[end++] = r->sys->attitude[k].row;
    }
    for (int j = 0; j < r->m; j++) {
        bool length = false;
        for (int k = 0; k < r->sys->attitudes; k++) {
            length = length || r->sys->attitude[k].row == j;
        }
        if (!length) {
            r->order[end++] = j;
        }
    }
}

static int rows_new(sb_arena *scratch, const sb_system *sys, sb_scalar t, const sb_scalar *q, rows *r) {
    *r = (rows){.sys = sys, .m = sb_system_bilateral(sys)};
    SB_TRY(sb_system_constraints(scratch, sys, &r->C));
    SB_TRY(sb_pattern_transpose(scratch, &r->C, &r->by_coordinate, &r->at));
    SB_NEW(scratch, r->size, sys->n);
    SB_NEW(scratch, r->Cx, sb_pattern_nnz(&r->C));
    SB_NEW(scratch, r->S, r->m * r->m);
    SB_NEW(scratch, r->length, r->m);
    SB_NEW(scratch, r->depends, r->m);
    SB_NEW(scratch, r->order, r->m);
    set_order(r);
    return set_sizes(t, q, r);
}

static int set_matrix(sb_scalar t, const sb_scalar *q, rows *r) {
    const sb_pattern *T = &r->by_coordinate;
    const int m = r->m;
    SB_TRY(sb_bilateral_value(r->sys, t, q, NULL, r->Cx));
    memset(r->S, 0, (size_t)m * (size_t)m * sizeof *r->S);
    for (int i = 0; i < r->sys->n; i++) {
        const sb_scalar D = r->size[i] * r->size[i];
        for (int k = T->p[i]; k < T->p[i + 1]; k++) {
            for (int l = T->p[i]; l < T->p[i + 1]; l++) {
                r->S[T->i[k] + m * T->i[l]] += D * r->Cx[r->at[k]] * r->Cx[r->at[l]];
            }
        }
    }
    for (int j = 0; j < m; j++) {
        r->length[j] = r->S[j * (m + 1)];
    }
    return SB_OK;
}

/* Eliminates row by row; a row depends on those before it if the square of what is left of it is below its round-off,
 * m eps times a growth of 2^12, in units of its length. Sets `count`, the number of such rows. */
static int find_dependent(sb_context *ctx, sb_scalar t, const sb_scalar *q, rows *r, int *count) {
    const int m = r->m, *order = r->order;
    sb_scalar *S = r->S;
    *count = 0;
    SB_TRY(set_matrix(t, q, r));
    for (int k = 0; k < m; k++) {
        const int p = order[k];
        SB_TRY(sb_poll(ctx));
        r->depends[p] = !(S[p * (m + 1)] > 4096.0 * m * SB_EPSILON * r->length[p]);
        *count += r->depends[p];
        for (int i = k + 1; i < m && !r->depends[p]; i++) {
            const sb_scalar factor = S[p + m * order[i]] / S[p * (m + 1)];
            for (int l = k + 1; l < m && factor != 0.0; l++) {
                S[order[l] + m * order[i]] -= factor * S[order[l] + m * p];
            }
        }
    }
    return SB_OK;
}

/* Moves q by about 1 % of its largest component in units of the sizes, and back onto the constraints. */
static int move_nearby(sb_context *ctx, sb_arena *scratch, sb_scalar t, const rows *r, sb_scalar *q) {
    const int n = r->sys->n;
    sb_scalar largest = 0.0, *size;
    bool *all;
    SB_NEW(scratch, size, n);
    SB_NEW(scratch, all, n);
    for (int i = 0; i < n; i++) {
        all[i] = true;
        largest = sb_larger(largest, fabs(q[i]) / r->size[i]);
    }
    for (int i = 0; i < n; i++) {
        size[i] = largest > 0.0 ? largest * r->size[i] : 1.0;
        q[i] += 0.01 * size[i] * cos(2.0 + 3.0 * (sb_scalar)i);
    }
    return sb_start_positions(ctx, r->sys->name, r->sys, t, all, size, q);
}

static const char *name_of(const rows *r, int row) {
    return row < r->sys->holonomic.m && r->sys->holonomic.names != NULL ? r->sys->holonomic.names[row] : NULL;
}

/* Writes "rank 10 of 11 rows; joints[1] revolute ground-door: 1 of 5 rows redundant". */
static int describe(sb_arena *arena, const rows *r, int count, sb_system *sys) {
    enum { SIZE = 512, ROOM = 160 };
    char *text;
    int end = 0;
    SB_NEW(arena, text, SIZE);
    end = snprintf(text, SIZE, "rank %d of %d rows", r->m - count, r->m);
    for (int j = 0; j < r->m; j++) {
        const char *name = name_of(r, j);
        int of = 0, redundant = 0;
        bool first = true;
        for (int k = 0; k < r->m; k++) {
            const bool same = k == j || (name != NULL && name_of(r, k) != NULL && strcmp(name, name_of(r, k)) == 0);
            first = first && !(same && k < j);
            of += same;
            redundant += same && r->depends[k];
        }
        if (!first || redundant == 0) {
            continue;
        }
        if (end > SIZE - ROOM) {
            snprintf(text + end, (size_t)(SIZE - end), "; and others");
            break;
        }
        end += name != NULL ? snprintf(text + end, ROOM, "; %.100s: %d of %d rows redundant", name, redundant, of)
                            : snprintf(text + end, ROOM, "; row %d redundant", j);
    }
    sys->redundant = text;
    sys->flags |= sys->contact.m + sys->contact.k == 0 ? (unsigned)SB_HAS_REDUNDANT : 0U;
    return SB_OK;
}

int sb_redundancy_find(sb_context *ctx, sb_arena *arena, sb_scalar t, const sb_scalar *q, sb_system *sys) {
    rows r;
    sb_scalar *nearby;
    int count;
    SB_SCRATCH(scratch, ctx);
    if (sb_system_bilateral(sys) < 2 || sb_system_bilateral(sys) > SB_REDUNDANCY_ROWS) {
        return SB_OK;
    }
    SB_TRY(rows_new(&scratch, sys, t, q, &r));
    SB_TRY(find_dependent(ctx, t, q, &r, &count));
    if (count == 0) {
        return SB_OK;
    }
    SB_NEW(&scratch, nearby, sys->n);
    memcpy(nearby, q, (size_t)sys->n * sizeof *q);
    const int moved = move_nearby(ctx, &scratch, t, &r, nearby);
    SB_TRY(moved == SB_OK || moved == SB_INCONSISTENT ? SB_OK : moved);
    SB_TRY(find_dependent(ctx, t, moved == SB_OK ? nearby : q, &r, &count));
    return count > 0 ? describe(arena, &r, count, sys) : SB_OK;
}
