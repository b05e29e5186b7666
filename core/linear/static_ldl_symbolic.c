/* The static plan of an LDL' elimination (vanderbei95): everything about it that does not depend on numbers. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/linear/static_ldl_symbolic.h"

#include "core/linear/ordering.h"

static int compare_ints(const void *a, const void *b) {
    const int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* Entries of A above the diagonal in elimination order, by their row: rows of L below pivot k are row[p[k]] ..., in no order, at entry[...] of A. */
typedef struct upper {
    int *p, *row, *entry;
} upper;

static int find_upper(sb_arena *scratch, const sb_pattern *A, const int *inverse, upper *out) {
    const int n = A->cols;
    int *next;
    SB_NEW(scratch, out->p, n + 1);
    SB_NEW(scratch, next, n);
    for (int pass = 0; pass < 2; pass++) { /* counts, then entries */
        for (int j = 0; j < n; j++) {
            for (int e = A->p[j]; e < A->p[j + 1]; e++) {
                const int k = inverse[A->i[e]];
                if (k < inverse[j] && pass == 0) {
                    out->p[k + 1]++;
                } else if (k < inverse[j]) {
                    out->row[next[k]] = inverse[j];
                    out->entry[next[k]++] = e;
                }
            }
        }
        if (pass == 0) {
            for (int k = 0; k < n; k++) {
                next[k] = out->p[k];
                out->p[k + 1] += out->p[k];
            }
            SB_NEW(scratch, out->row, out->p[n]);
            SB_NEW(scratch, out->entry, out->p[n]);
        }
    }
    return SB_OK;
}

/* L's pattern: column k is A's, joined with the columns whose first row below the diagonal is k. */
static int find_factor(sb_arena *scratch, int n, const upper *U, const int *counts, int **Lp_out, int **Li_out) {
    int *mark, *head, *next, *Lp, *Li;
    SB_NEW(scratch, Lp, n + 1);
    for (int k = 0; k < n; k++) {
        Lp[k + 1] = Lp[k] + counts[k];
    }
    SB_NEW(scratch, Li, Lp[n]);
    SB_NEW(scratch, mark, n);
    SB_NEW(scratch, head, n);
    SB_NEW(scratch, next, n);
    for (int k = 0; k < n; k++) {
        mark[k] = head[k] = -1;
    }
    for (int k = 0; k < n; k++) {
        int end = Lp[k];
        mark[k] = k;
        for (int e = U->p[k]; e < U->p[k + 1]; e++) {
            mark[U->row[e]] = k;
            Li[end++] = U->row[e];
        }
        for (int child = head[k]; child >= 0; child = next[child]) {
            for (int e = Lp[child]; e < Lp[child + 1]; e++) {
                const int i = Li[e];
                if (mark[i] != k) {
                    mark[i] = k;
                    Li[end++] = i;
                }
            }
        }
        qsort(Li + Lp[k], (size_t)counts[k], sizeof(int), compare_ints);
        if (counts[k] > 0) {
            const int up = Li[Lp[k]];
            next[k] = head[up];
            head[up] = k;
        }
    }
    *Lp_out = Lp;
    *Li_out = Li;
    return SB_OK;
}

/* What is known of the factor while the plan is made; pivots are numbered as they are eliminated. */
typedef struct factor {
    const sb_pattern *A;
    const int *at; /* may be NULL */
    int positive;
    const int *order;
    upper U;
    const int *row_counts, *Lp, *Li;
    bool *leaf;
    int *pair;
    int *inner;    /* inner pivots before this one */
    size_t *begin; /* of its column in X; a leaf has that of the next inner one */
    int *entry;    /* scratch: 1 + which entry of A stands in a row of the column at hand */
    sb_plan_cursor now;
} factor;

static bool is_coordinate(const factor *f, int k) { return f->order[k] < f->positive; }

static int value_of(const factor *f, int entry) { return f->at != NULL ? f->at[entry] : entry; }

static int diagonal_of(const factor *f, int k) { return sb_pattern_find(f->A, f->order[k], f->order[k]); }

static bool is_leaf(const factor *f, int k) {
    const int length = f->Lp[k + 1] - f->Lp[k];
    bool leaf = is_coordinate(f, k) && f->row_counts[k] == 0 && length <= SB_SHAPE_PLANNED && diagonal_of(f, k) >= 0;
    for (int e = f->U.p[k]; e < f->U.p[k + 1]; e++) {
        leaf = leaf && !is_coordinate(f, f->U.row[e]);
    }
    return leaf;
}

static int find_columns(sb_arena *scratch, int n, factor *f) {
    size_t begin = 0;
    int inner = 0;
    SB_NEW(scratch, f->leaf, n);
    SB_NEW(scratch, f->inner, n + 1);
    SB_NEW(scratch, f->begin, n + 1);
    SB_NEW(scratch, f->entry, n);
    for (int k = 0; k < n; k++) {
        f->leaf[k] = is_leaf(f, k);
        f->inner[k] = inner;
        f->begin[k] = begin;
        if (!f->leaf[k]) {
            begin += 1 + (size_t)(f->Lp[k + 1] - f->Lp[k]);
            inner++;
        }
    }
    f->inner[n] = inner;
    f->begin[n] = begin;
    return SB_OK;
}

/* Both columns are joined by the fill of the first, so that equal lengths are equal rows. */
static bool is_pair(const factor *f, int k) {
    const int length = f->Lp[k + 1] - f->Lp[k];
    return !f->leaf[k] && !f->leaf[k + 1] && !is_coordinate(f, k) && !is_coordinate(f, k + 1) && length > 0 && length <= SB_SHAPE_SHORT && f->Li[f->Lp[k]] == k + 1 &&
           f->Lp[k + 2] - f->Lp[k + 1] == length - 1 && (k + 1) % SB_PLAN_BLOCK != 0;
}

static int find_pairs(sb_arena *scratch, int n, factor *f) {
    SB_NEW(scratch, f->pair, n);
    for (int k = 0; k + 1 < n; k++) {
        if (f->pair[k] == SB_SHAPE_SINGLE && is_pair(f, k)) {
            f->pair[k] = SB_SHAPE_FIRST;
            f->pair[k + 1] = SB_SHAPE_SECOND;
        }
    }
    return SB_OK;
}

/* Where entry (i, j), i >= j, of an inner column sits in X. */
static size_t slot(const factor *f, int i, int j) {
    if (i == j) {
        return f->begin[j];
    }
    int lo = f->Lp[j], hi = f->Lp[j + 1] - 1;
    while (lo < hi) {
        const int mid = lo + (hi - lo) / 2;
        if (f->Li[mid] < i) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    return f->begin[j] + 1 + (size_t)(lo - f->Lp[j]);
}

static size_t shape_room(int entries) {
    const size_t n = (size_t)entries;
    return SB_SHAPE_HEAD + n + 2 * (n + 1) + (entries <= SB_SHAPE_PLANNED ? n * (n + 1) / 2 : 0);
}

/* The entries of A in column k, those of its own block (`crossing` = false) or those between the blocks: where each sits, minus `base` (-1: where the first
 * does), which is set; and unless it is a leaf where it goes. */
static sb_shape *describe_entries(const factor *f, int k, bool crossing, int *base, sb_shape *out) {
    const int begin = f->Lp[k], end = f->Lp[k + 1], diagonal = diagonal_of(f, k);
    for (int a = begin - 1; a < end; a++) {
        const int entry = a < begin ? diagonal : f->entry[f->Li[a]] - 1;
        const bool crosses = a >= begin && is_coordinate(f, f->Li[a]) != is_coordinate(f, k);
        if (entry < 0 || crosses != crossing) {
            continue;
        }
        *base = *base < 0 ? value_of(f, entry) : *base;
        *out++ = value_of(f, entry) - *base;
        if (!f->leaf[k]) {
            *out++ = a - begin + 1;
        }
    }
    return out;
}

/* Returns the length. */
static size_t describe(factor *f, int k, sb_shape *shape) {
    const int begin = f->Lp[k], end = f->Lp[k + 1], block = is_coordinate(f, k) ? SB_SHAPE_COORDINATE : SB_SHAPE_CONSTRAINT;
    const int each = f->leaf[k] ? 1 : 2; /* numbers an entry of A takes */
    int own = -1, cross = -1;
    for (int e = f->U.p[k]; e < f->U.p[k + 1]; e++) {
        f->entry[f->U.row[e]] = 1 + f->U.entry[e];
    }
    sb_shape *out = shape + SB_SHAPE_HEAD;
    for (int a = begin; a < end; a++) {
        *out++ = f->inner[f->Li[a]] - f->inner[k];
    }
    sb_shape *const entries = out;
    sb_shape *const crossing = describe_entries(f, k, false, &own, out);
    out = describe_entries(f, k, true, &cross, crossing);
    shape[SB_SHAPE_OWN_ENTRIES] = (int)(crossing - entries) / each;
    shape[SB_SHAPE_ENTRIES_OF_A] = (int)(out - entries) / each;
    if (f->leaf[k]) { /* the diagonal is where the cursor is */
        memmove(entries, crossing, (size_t)(out - crossing) * sizeof *out);
        out -= crossing - entries;
    }
    for (int a = begin; a < end && end - begin <= SB_SHAPE_PLANNED; a++) {
        for (int b = a; b < end; b++) {
            *out++ = (int)(slot(f, f->Li[b], f->Li[a]) - f->begin[k]);
        }
    }
    for (int e = f->U.p[k]; e < f->U.p[k + 1]; e++) {
        f->entry[f->U.row[e]] = 0;
    }
    shape[SB_SHAPE_KIND] = f->leaf[k] ? SB_SHAPE_LEAF : block;
    shape[SB_SHAPE_PAIR] = f->pair[k];
    shape[SB_SHAPE_ENTRIES] = end - begin;
    shape[SB_SHAPE_ROW_ENTRIES] = f->row_counts[k];
    shape[SB_SHAPE_ROW] = f->order[k] - f->now.row[block];
    shape[SB_SHAPE_OWN] = own < 0 ? 0 : own - f->now.own[block];
    shape[SB_SHAPE_CROSS] = cross < 0 ? 0 : cross - f->now.cross;
    f->now.row[block] += shape[SB_SHAPE_ROW];
    f->now.own[block] += shape[SB_SHAPE_OWN];
    f->now.cross += shape[SB_SHAPE_CROSS];
    return (size_t)(out - shape);
}

static size_t hash_of(const sb_shape *s, size_t length) {
    size_t hash = 14695981039346656037u; /* FNV-1a, a word at a time */
    for (size_t i = 0; i < length; i++) {
        hash = (hash ^ (size_t)(unsigned)s[i]) * 1099511628211u;
    }
    return hash ^ (hash >> 29);
}

/* Every pivot's shape, equal ones once. */
static int find_shapes(sb_arena *arena, sb_arena *scratch, factor *f, sb_elimination_plan *w) {
    const int n = w->n;
    int count = 0;
    size_t most = 0, room = 64;
    for (int k = 0; k < n; k++) {
        const size_t length = shape_room(f->Lp[k + 1] - f->Lp[k]);
        most = length > most ? length : most;
    }
    while (room < 2 * (size_t)n) {
        room *= 2;
    }
    sb_shape *candidate;
    const sb_shape **found;
    size_t *length_of;
    int *table; /* 1 + the number of a shape, at its hash */
    SB_NEW(scratch, candidate, most);
    SB_NEW(scratch, table, room);
    SB_NEW(scratch, found, n);
    SB_NEW(scratch, length_of, n);
    SB_NEW(arena, w->which, n);
    w->first = f->now;
    for (int k = 0; k < n; k++) {
        const size_t length = describe(f, k, candidate);
        size_t at = hash_of(candidate, length) & (room - 1);
        while (table[at] != 0 && (length_of[table[at] - 1] != length || memcmp(found[table[at] - 1], candidate, length * sizeof(sb_shape)) != 0)) {
            at = (at + 1) & (room - 1);
        }
        if (table[at] == 0) {
            sb_shape *kept;
            SB_NEW(arena, kept, length);
            memcpy(kept, candidate, length * sizeof(sb_shape));
            found[count] = kept;
            length_of[count] = length;
            table[at] = ++count;
        }
        w->which[k] = table[at] - 1;
    }
    w->last = f->now;
    SB_NEW(arena, w->shapes, count);
    memcpy(w->shapes, found, (size_t)count * sizeof *found);
    return SB_OK;
}

/* Where the inner columns are, and how far X and y have to be clear before each block of pivots. */
static int find_inner(sb_arena *arena, const factor *f, sb_elimination_plan *w) {
    const int n = w->n, blocks = n / SB_PLAN_BLOCK + 1;
    w->inner = f->inner[n];
    w->size = f->begin[n];
    SB_NEW(arena, w->number, n);
    SB_NEW(arena, w->pivot, w->inner);
    SB_NEW(arena, w->begin, w->inner);
    SB_NEW(arena, w->cleared, blocks);
    SB_NEW(arena, w->reached, blocks);
    for (int k = 0, reach = 0; k < n; k++) {
        const int last = f->Lp[k + 1] > f->Lp[k] ? f->Li[f->Lp[k + 1] - 1] : k;
        reach = last > reach ? last : reach;
        w->cleared[k / SB_PLAN_BLOCK] = f->begin[reach + 1];
        w->reached[k / SB_PLAN_BLOCK] = f->inner[reach + 1];
        w->number[w->order[k]] = f->leaf[k] ? -1 : f->inner[k];
        if (!f->leaf[k]) {
            w->pivot[f->inner[k]] = k;
            w->begin[f->inner[k]] = f->begin[k];
        }
    }
    return SB_OK;
}

int sb_elimination_plan_make(sb_arena *arena, sb_arena *scratch, const sb_pattern *A, const int *at, int positive, sb_elimination_plan *out) {
    const int n = A->cols;
    int *counts, *row_counts, *number, *Lp, *Li;
    double products;
    factor f = {.A = A, .at = at, .positive = positive};
    out->n = n;
    SB_NEW(arena, out->order, n);
    SB_NEW(scratch, number, n);
    SB_NEW(scratch, counts, n);
    SB_NEW(scratch, row_counts, n);
    SB_TRY(sb_elimination_order(scratch, A, positive, out->order));
    SB_TRY(sb_elimination_counts(scratch, A, out->order, (double)INFINITY, counts, row_counts, &products));
    for (int k = 0; k < n; k++) {
        number[out->order[k]] = k;
    }
    f.order = out->order;
    f.row_counts = row_counts;
    SB_TRY(find_upper(scratch, A, number, &f.U));
    SB_TRY(find_factor(scratch, n, &f.U, counts, &Lp, &Li));
    f.Lp = Lp;
    f.Li = Li;
    SB_TRY(find_columns(scratch, n, &f));
    SB_TRY(find_pairs(scratch, n, &f));
    SB_TRY(find_shapes(arena, scratch, &f, out));
    SB_TRY(find_inner(arena, &f, out));
    SB_NEW(arena, out->diagonal, positive);
    for (int j = 0; j < positive; j++) {
        const int entry = sb_pattern_find(A, j, j);
        out->diagonal[j] = entry < 0 ? -1 : value_of(&f, entry);
    }
    return SB_OK;
}
