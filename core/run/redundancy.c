/* Finds redundant constraints by elimination of C' D C in the order of the rows, D the squares of the sizes of the
 * coordinates: the pivots do not depend on units. */
#include <stdio.h>
#include <string.h>

#include <stepbench/numerics/norm.h>
#include <stepbench/numerics/start.h>

#include "core/linear/gram.h"
#include "core/run/redundancy.h"

typedef struct rows {
    const sb_system *sys;
    int m;
    sb_gram gram;             /* of the rows over their lengths */
    sb_scalar *size, *weight; /* logarithms of the sizes of coordinates (n), and of one over those of rows (m) */
    sb_scalar *length, *D;    /* the sizes of coordinates, D = length^2 (n) */
    sb_scalar *Cx;            /* gradients */
} rows;

/* Returns the mean logarithm of the entries `from` to `to` - 1 of a row, or with row = -1 of a coordinate, that are not
 * 0, in units of the sizes. */
static sb_scalar mean(const rows *r, int from, int to, int row) {
    sb_scalar sum = 0.0;
    int count = 0;
    for (int k = from; k < to; k++) {
        const int entry = row < 0 ? r->gram.at[k] : k, j = row < 0 ? r->gram.by_row.i[k] : row;
        if (r->Cx[entry] != 0.0) {
            sum += log(fabs(r->Cx[entry])) + r->size[r->gram.C.i[entry]] + r->weight[j];
            count++;
        }
    }
    return count > 0 ? sum / count : 0.0;
}

/* Divides the weights of the rows and then the sizes of the coordinates by the geometric mean of their entries, without
 * those that are round-off of the largest one of their row. */
static void balance(rows *r) {
    const sb_pattern *C = &r->gram.C, *T = &r->gram.by_row;
    for (int j = 0; j < r->m; j++) {
        sb_scalar most = 0.0;
        for (int k = C->p[j]; k < C->p[j + 1]; k++) {
            most = fmax(most, fabs(r->Cx[k]) * exp(r->size[C->i[k]]));
        }
        for (int k = C->p[j]; k < C->p[j + 1]; k++) {
            r->Cx[k] *= fabs(r->Cx[k]) * exp(r->size[C->i[k]]) > 1024.0 * SB_EPSILON * most;
        }
        r->weight[j] -= mean(r, C->p[j], C->p[j + 1], j);
    }
    for (int i = 0; i < r->sys->n; i++) {
        r->size[i] -= mean(r, T->p[i], T->p[i + 1], -1);
    }
}

/* Moves q by a share of the sizes. */
static void displace(const sb_scalar *q, const rows *r, sb_scalar share, sb_scalar *pose) {
    for (int i = 0; i < r->sys->n; i++) {
        pose[i] = q[i] + share * exp(r->size[i]) * cos(2.0 + 3.0 * (sb_scalar)i);
    }
}

/* Sets the gradients to those of a pose so displaced, and *turned to the share of their change in the sum of it and of
 * what they are at q, Bx, in units of the sizes; infinite outside the domain of a row. */
static int turn(sb_scalar t, const sb_scalar *q, rows *r, sb_scalar share, const sb_scalar *Bx, sb_scalar *pose,
                sb_scalar *turned) {
    sb_scalar change = 0.0, before = 0.0;
    displace(q, r, share, pose);
    const int status = sb_bilateral_value(r->sys, t, pose, NULL, r->Cx);
    for (int j = 0; j < r->m && status == SB_OK; j++) {
        for (int k = r->gram.C.p[j]; k < r->gram.C.p[j + 1]; k++) {
            const sb_scalar scale = exp(r->size[r->gram.C.i[k]] + r->weight[j]);
            change += fabs(r->Cx[k] - Bx[k]) * scale;
            before += fabs(Bx[k]) * scale;
        }
    }
    const sb_scalar sum = change + before;
    *turned = status != SB_OK || !(sum < INFINITY) ? INFINITY : sum > 0.0 ? change / sum : 0.0;
    return status == SB_DOMAIN ? SB_OK : status;
}

/* Sets the sizes of the coordinates so that the gradients of rows have entries of one, and turn by less than a tenth
 * where the coordinates move by their sizes. The entries are those of poses off the constraints, so far from q that the
 * gradients turn: in a special pose many are 0, and coordinates without a common row would have sizes in different
 * units. */
static int set_sizes(sb_context *ctx, sb_scalar t, const sb_scalar *q, rows *r) {
    enum { SWEEPS = 20, TENTHS = 40 }; /* units from 1e-20 to 1e20 */
    sb_scalar *pose, *Bx, turned = INFINITY, share = 1.0;
    SB_SCRATCH(scratch, ctx);
    SB_NEW(&scratch, pose, r->sys->n);
    SB_NEW(&scratch, Bx, sb_pattern_nnz(&r->gram.C));
    SB_TRY(sb_bilateral_value(r->sys, t, q, NULL, Bx));
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        SB_TRY(turn(t, q, r, share, Bx, pose, &turned));
        if (isinf(turned)) {
            share *= 0.1;
            continue;
        }
        balance(r);
        share *= turned > 0.0 && turned < 0.1 ? 10.0 : 1.0;
    }
    for (int k = 0, below = 0; k < TENTHS && below < 2; k++) { /* one alone may be by chance, after whole turns */
        share *= 0.1;
        SB_TRY(turn(t, q, r, share, Bx, pose, &turned));
        below = turned > 0.1 ? 0 : below + 1;
    }
    for (int i = 0; i < r->sys->n; i++) {
        r->size[i] += log(10.0 * share);
        r->length[i] = exp(r->size[i]);
        r->D[i] = r->length[i] * r->length[i];
    }
    return SB_OK;
}

static int rows_new(sb_context *ctx, sb_arena *scratch, const sb_system *sys, sb_scalar t, const sb_scalar *q,
                    rows *r) {
    *r = (rows){.sys = sys, .m = sb_system_bilateral(sys)};
    SB_TRY(sb_gram_init(ctx, scratch, sys, r->m, &r->gram));
    SB_TRY(SB_VECTORS(scratch, sys->n, &r->size, &r->length, &r->D));
    SB_NEW(scratch, r->Cx, sb_pattern_nnz(&r->gram.C));
    SB_NEW(scratch, r->weight, r->m);
    return set_sizes(ctx, t, q, r);
}

/* Sets `count`, the number of rows that depend on those before them: the square of what is left of such a row, in units
 * of its length, is below the round-off of a sum of as many terms as a row of L has, times a growth of 2^12. */
static int find_dependent(sb_scalar t, const sb_scalar *q, rows *r, int *count) {
    const sb_pattern *C = &r->gram.C;
    SB_TRY(sb_bilateral_value(r->sys, t, q, NULL, r->Cx));
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

/* Sets *count to the number of rows that depend on others in q and, after a move by a tenth of the sizes, in a pose
 * nearby as well; in q alone, if the move does not come back onto the constraints. */
static int find_redundant(sb_context *ctx, sb_arena *scratch, sb_scalar t, const sb_scalar *q, rows *r, int *count) {
    sb_scalar *pose;
    bool *all;
    SB_TRY(find_dependent(t, q, r, count));
    if (*count == 0) {
        return SB_OK;
    }
    SB_NEW(scratch, pose, r->sys->n);
    SB_NEW(scratch, all, r->sys->n);
    memset(all, true, (size_t)r->sys->n * sizeof *all);
    displace(q, r, 0.1, pose);
    const int moved = sb_start_positions(ctx, r->sys->name, r->sys, t, all, r->length, pose);
    return moved == SB_INCONSISTENT ? SB_OK : moved != SB_OK ? moved : find_dependent(t, pose, r, count);
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
