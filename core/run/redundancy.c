/* Finds redundant constraints by elimination of C' D C in the order of the rows, D the inverse of the diagonal of M:
 * the pivots do not depend on units. */
#include <stdio.h>
#include <string.h>

#include <stepbench/numerics/norm.h>
#include <stepbench/numerics/start.h>

#include "core/linear/gram.h"
#include "core/run/redundancy.h"

typedef struct rows {
    const sb_system *sys;
    int m;
    sb_gram gram;           /* of the rows over their lengths */
    sb_scalar *size, *D;    /* of coordinates, D = size^2 (n) */
    sb_scalar *Cx, *weight; /* gradients; one over their lengths in units of the sizes (m) */
} rows;

/* Sets the sizes of the coordinates so that rows and coordinates have gradients of length one, in a few sweeps. Entries
 * that are round-off of their row in a special pose do not count. */
static int set_sizes(sb_scalar t, const sb_scalar *q, rows *r) {
    enum { SWEEPS = 10 };
    const sb_pattern *C = &r->gram.C, *T = &r->gram.by_row;
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
            r->weight[j] = square > 0.0 ? 1.0 / sqrt(square) : 0.0;
        }
        for (int i = 0; i < r->sys->n; i++) {
            sb_scalar square = 0.0;
            for (int k = T->p[i]; k < T->p[i + 1]; k++) {
                const sb_scalar share = r->weight[T->i[k]] * fabs(r->Cx[r->gram.at[k]]) * r->size[i];
                square += share > sqrt(SB_EPSILON) ? share * share : 0.0;
            }
            r->size[i] /= square > 0.0 ? sqrt(square) : 1.0;
        }
    }
    return SB_OK;
}

static int rows_new(sb_context *ctx, sb_arena *scratch, const sb_system *sys, sb_scalar t, const sb_scalar *q,
                    rows *r) {
    *r = (rows){.sys = sys, .m = sb_system_bilateral(sys)};
    SB_TRY(sb_gram_init(ctx, scratch, sys, r->m, &r->gram));
    SB_TRY(SB_VECTORS(scratch, sys->n, &r->size, &r->D));
    SB_NEW(scratch, r->Cx, sb_pattern_nnz(&r->gram.C));
    SB_NEW(scratch, r->weight, r->m);
    return set_sizes(t, q, r);
}

/* Sets `count`, the number of rows that depend on those before them: the square of what is left of such a row, in units
 * of its length, is below the round-off of a sum of as many terms as a row of L has, times a growth of 2^12. */
static int find_dependent(sb_scalar t, const sb_scalar *q, rows *r, int *count) {
    const sb_pattern *C = &r->gram.C;
    SB_TRY(sb_bilateral_value(r->sys, t, q, NULL, r->Cx));
    for (int i = 0; i < r->sys->n; i++) {
        r->D[i] = r->size[i] * r->size[i];
    }
    for (int j = 0; j < r->m; j++) {
        sb_scalar square = 0.0;
        for (int k = C->p[j]; k < C->p[j + 1]; k++) {
            square += r->Cx[k] * r->D[C->i[k]] * r->Cx[k];
        }
        for (int k = C->p[j]; k < C->p[j + 1]; k++) {
            r->Cx[k] /= square > 0.0 ? sqrt(square) : 1.0;
        }
    }
    SB_TRY(sb_gram_factor(&r->gram, r->Cx, r->D, 4096.0 * (r->gram.width + 1) * SB_EPSILON));
    *count = r->m - r->gram.rank;
    return SB_OK;
}

/* Sets `step` to lengths by which coordinates can move so that no gradient of a holonomic row turns by more than about
 * 1 %, in units of the sizes; infinite where no gradient turns. Sums of second derivatives stand for those of the rows,
 * with weights of both signs: what cancels in one sum does not in the seven others. */
static int set_steps(sb_context *ctx, sb_scalar t, const sb_scalar *q, const rows *r, sb_scalar *step) {
    enum { SUMS = 8 };
    const sb_system *sys = r->sys;
    const sb_pattern *H = &sys->H;
    sb_scalar *lambda, *Hx, *most;
    SB_SCRATCH(scratch, ctx);
    SB_NEW(&scratch, lambda, sys->holonomic.m);
    SB_NEW(&scratch, Hx, sb_pattern_nnz(H));
    SB_NEW(&scratch, most, sys->n);
    for (int sum = 0; sum < SUMS && sys->holonomic.m > 0; sum++) {
        for (int j = 0; j < sys->holonomic.m; j++) {
            lambda[j] = r->weight[j] * cos(1.0 + (0.7 + sum) * (sb_scalar)j);
        }
        SB_TRY(sb_holonomic_hessian(sys, t, q, lambda, 1.0, Hx));
        for (int k = 0; k < sys->n; k++) {
            for (int e = H->p[k]; e < H->p[k + 1]; e++) {
                most[k] = sb_larger(most[k], fabs(Hx[e]) * r->size[H->i[e]]);
            }
        }
    }
    for (int k = 0; k < sys->n; k++) {
        step[k] = 0.01 / most[k];
    }
    return SB_OK;
}

/* Moves q by about 1 % of its largest component in units of the sizes, but by less where gradients turn by more than
 * that, and back onto the constraints. The bound is for coordinates without a common row, which have sizes of different
 * units, as those of a rod along an axis. `together`: coordinates in which no gradient turns move by 1 % of their sizes
 * alone, so that the bodies of a large system stay near each other. */
static int move_nearby(sb_context *ctx, sb_arena *scratch, sb_scalar t, const rows *r, bool together, sb_scalar *q) {
    const int n = r->sys->n;
    sb_scalar largest = 0.0, *size, *step;
    bool *all;
    SB_TRY(SB_VECTORS(scratch, n, &size, &step));
    SB_NEW(scratch, all, n);
    SB_TRY(set_steps(ctx, t, q, r, step));
    for (int i = 0; i < n; i++) {
        all[i] = true;
        largest = sb_larger(largest, fabs(q[i]) / r->size[i]);
    }
    for (int i = 0; i < n; i++) {
        size[i] = largest > 0.0 ? largest * r->size[i] : 1.0;
        const sb_scalar length = together && !isfinite(step[i]) ? fmin(r->size[i], size[i]) : size[i];
        q[i] += fmin(0.01 * length, step[i]) * cos(2.0 + 3.0 * (sb_scalar)i);
    }
    return sb_start_positions(ctx, r->sys->name, r->sys, t, all, size, q);
}

static const char *name_of(const rows *r, int row) { return sb_bilateral_name(r->sys, row); }

static bool same_name(const char *a, const char *b) { return a != NULL && b != NULL && strcmp(a, b) == 0; }

/* Writes "rank 10 of 11 rows; joints[1] revolute ground-door: 1 of 5 rows redundant". The rows of a joint follow each
 * other. */
static int describe(sb_arena *arena, const rows *r, int count, sb_system *sys) {
    enum { SIZE = 512, ROOM = 160 };
    char *text;
    int end = 0, next;
    SB_NEW(arena, text, SIZE);
    end = snprintf(text, SIZE, "rank %d of %d rows", r->m - count, r->m);
    for (int j = 0; j < r->m; j = next) {
        const char *name = name_of(r, j);
        int redundant = r->gram.left_out[j];
        for (next = j + 1; next < r->m && same_name(name, name_of(r, next)); next++) {
            redundant += r->gram.left_out[next];
        }
        if (redundant == 0) {
            continue;
        }
        if (end > SIZE - ROOM) {
            snprintf(text + end, (size_t)(SIZE - end), "; and others");
            break;
        }
        end += name != NULL ? snprintf(text + end, ROOM, "; %.100s: %d of %d rows redundant", name, redundant, next - j)
                            : snprintf(text + end, ROOM, "; row %d redundant", j);
    }
    sys->redundant = text;
    sys->rank = r->m - count;
    sys->flags |= sys->contact.m + sys->contact.k == 0 ? (unsigned)SB_HAS_REDUNDANT : 0U;
    return SB_OK;
}

/* Sets *count to the number of rows that depend on others in q and in a pose nearby as well. A move may end in a
 * singular pose of some bodies, from which the solve does not come closer than the root of round-off, so that rows seem
 * to be independent: of two moves the one with more dependent rows counts; q alone, if neither comes back onto the
 * constraints. */
static int find_redundant(sb_context *ctx, sb_arena *scratch, sb_scalar t, const sb_scalar *q, rows *r, int *count) {
    const sb_scalar *best = q;
    int most = -1;
    SB_TRY(find_dependent(t, q, r, count));
    for (int k = 0; k < 2 && *count > 0; k++) {
        sb_scalar *pose;
        int dependent;
        SB_NEW(scratch, pose, r->sys->n);
        memcpy(pose, q, (size_t)r->sys->n * sizeof *q);
        const int moved = move_nearby(ctx, scratch, t, r, k == 0, pose);
        if (moved == SB_INCONSISTENT) {
            continue;
        }
        SB_TRY(moved);
        SB_TRY(find_dependent(t, pose, r, &dependent));
        if (dependent > most) {
            most = dependent;
            best = pose;
        }
    }
    return *count > 0 ? find_dependent(t, best, r, count) : SB_OK;
}

int sb_redundancy_find(sb_context *ctx, sb_arena *arena, sb_scalar t, const sb_scalar *q, sb_system *sys) {
    rows r;
    int count;
    SB_SCRATCH(scratch, ctx);
    sys->rank = sb_system_bilateral(sys);
    if (sys->rank < 2) {
        return SB_OK;
    }
    SB_TRY(rows_new(ctx, &scratch, sys, t, q, &r));
    SB_TRY(find_redundant(ctx, &scratch, t, q, &r, &count));
    return count > 0 ? describe(arena, &r, count, sys) : SB_OK;
}
