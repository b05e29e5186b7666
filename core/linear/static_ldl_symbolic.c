/* Symbolic part of the static LDL' factorization of a quasi-definite matrix (vanderbei95, davis06). */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "core/linear/static_ldl_symbolic.h"

#include "core/linear/ordering.h"

static int compare_ints(const void *a, const void *b) {
    const int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* The structure of the factor; pivots and rows are numbered in the order of elimination. */
typedef struct factor {
    const sb_pattern *A;
    const int *at; /* may be NULL */
    int positive;
    const int *order;
    sb_elimination pattern;
    const int *Lp, *Li; /* arrays of `pattern`; the rows of a column ascend */
    bool *diagonal;     /* diagonal pivots */
    int *role;
    int *interior; /* interior pivots before this one */
    size_t *begin; /* begin of its column in Lx; a diagonal pivot has the begin of the next interior one */
    int *entry;    /* scratch: 1 + the entry of A in a row of the current column */
    int *numbers;  /* scratch: rows, in_A and targets of the current column */
    sb_ldl_position now;
} factor;

static int length_of(const factor *f, int k) { return f->Lp[k + 1] - f->Lp[k]; }

static bool is_coordinate(const factor *f, int k) { return f->order[k] < f->positive; }

static int value_of(const factor *f, int entry) { return f->at != NULL ? f->at[entry] : entry; }

static int diagonal_of(const factor *f, int k) { return sb_pattern_find(f->A, f->order[k], f->order[k]); }

/* A coordinate that no pivot before has changed and that meets no other coordinate. */
static bool is_diagonal(const factor *f, int k) {
    bool diagonal = is_coordinate(f, k) && f->pattern.row_counts[k] == 0 && length_of(f, k) <= SB_LDL_TARGETED &&
                    diagonal_of(f, k) >= 0;
    for (int e = f->pattern.Ap[k]; e < f->pattern.Ap[k + 1]; e++) {
        diagonal = diagonal && !is_coordinate(f, f->pattern.Ai[e]);
    }
    return diagonal;
}

static int place_columns(sb_arena *scratch, int n, factor *f) {
    size_t begin = 0;
    int interior = 0;
    SB_NEW(scratch, f->diagonal, n);
    SB_NEW(scratch, f->interior, n + 1);
    SB_NEW(scratch, f->begin, n + 1);
    SB_NEW(scratch, f->entry, n);
    for (int k = 0; k < n; k++) {
        f->diagonal[k] = is_diagonal(f, k);
        f->interior[k] = interior;
        f->begin[k] = begin;
        if (!f->diagonal[k]) {
            begin += 1 + (size_t)length_of(f, k);
            interior++;
        }
    }
    f->interior[n] = interior;
    f->begin[n] = begin;
    return SB_OK;
}

/* Constraints k and k + 1 with the same rows below both: the fill of the first column is in the second, so that it is
 * enough to compare lengths. */
static bool is_pair(const factor *f, int k) {
    return !f->diagonal[k] && !f->diagonal[k + 1] && !is_coordinate(f, k) && !is_coordinate(f, k + 1) &&
           length_of(f, k) > 0 && length_of(f, k) <= SB_LDL_SHORT && f->Li[f->Lp[k]] == k + 1 &&
           length_of(f, k + 1) == length_of(f, k) - 1 && (k + 1) % SB_LDL_BLOCK != 0;
}

static int find_pairs(sb_arena *scratch, int n, factor *f) {
    SB_NEW(scratch, f->role, n);
    for (int k = 0; k + 1 < n; k++) {
        if (f->role[k] == SB_LDL_SINGLE && is_pair(f, k)) {
            f->role[k] = SB_LDL_FIRST;
            f->role[k + 1] = SB_LDL_SECOND;
        }
    }
    return SB_OK;
}

/* Returns where entry (i, j), i >= j, of an interior column is in Lx. */
static size_t place_of(const factor *f, int i, int j) {
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

/* Lists the entries of A in column k that are in the block of the pivot, or those between the blocks (`cross`): where
 * each is, minus *base (-1: where the first is), and for an interior column which entry of the column it is. Sets
 * *base. */
static int *list_entries(const factor *f, int k, bool cross, int *base, int *out) {
    const int begin = f->Lp[k], end = f->Lp[k + 1], diagonal = diagonal_of(f, k);
    for (int a = begin - 1; a < end; a++) {
        const int entry = a < begin ? diagonal : f->entry[f->Li[a]] - 1;
        const bool is_cross = a >= begin && is_coordinate(f, f->Li[a]) != is_coordinate(f, k);
        if (entry < 0 || is_cross != cross) {
            continue;
        }
        *base = *base < 0 ? value_of(f, entry) : *base;
        *out++ = value_of(f, entry) - *base;
        if (!f->diagonal[k]) {
            *out++ = a - begin + 1;
        }
    }
    return out;
}

/* Describes column k, with its numbers in f->numbers, and moves f->now to it. Returns how many numbers there are. */
static size_t describe(factor *f, int k, sb_ldl_column *column) {
    const int begin = f->Lp[k], end = f->Lp[k + 1], block = is_coordinate(f, k) ? SB_LDL_COORDINATE : SB_LDL_CONSTRAINT;
    const bool targeted = end - begin <= SB_LDL_TARGETED;
    int own = -1, cross = -1;
    for (int e = f->pattern.Ap[k]; e < f->pattern.Ap[k + 1]; e++) {
        f->entry[f->pattern.Ai[e]] = 1 + f->pattern.entry[e];
    }
    int *out = f->numbers;
    for (int a = begin; a < end; a++) {
        *out++ = f->interior[f->Li[a]] - f->interior[k];
    }
    int *const in_A = out, *const crossing = list_entries(f, k, false, &own, in_A);
    out = list_entries(f, k, true, &cross, crossing);
    const int numbers = f->diagonal[k] ? 1 : 2; /* per entry of A */
    const int own_entries = (int)(crossing - in_A) / numbers, entries = (int)(out - in_A) / numbers;
    if (f->diagonal[k]) { /* its own entry is where `own` is */
        memmove(in_A, crossing, (size_t)(out - crossing) * sizeof *out);
        out -= crossing - in_A;
    }
    int *const targets = out;
    for (int a = begin; a < end && targeted; a++) {
        for (int b = a; b < end; b++) {
            *out++ = (int)(place_of(f, f->Li[b], f->Li[a]) - f->begin[k]);
        }
    }
    for (int e = f->pattern.Ap[k]; e < f->pattern.Ap[k + 1]; e++) {
        f->entry[f->pattern.Ai[e]] = 0;
    }
    *column = (sb_ldl_column){.kind = f->diagonal[k] ? SB_LDL_DIAGONAL : block,
                              .role = f->role[k],
                              .length = end - begin,
                              .row_length = f->pattern.row_counts[k],
                              .row_step = f->order[k] - f->now.row[block],
                              .own_step = own < 0 ? 0 : own - f->now.own[block],
                              .cross_step = cross < 0 ? 0 : cross - f->now.cross,
                              .own_entries = own_entries,
                              .entries = entries,
                              .rows = f->numbers,
                              .in_A = in_A,
                              .targets = targeted ? targets : NULL};
    f->now.row[block] += column->row_step;
    f->now.own[block] += column->own_step;
    f->now.cross += column->cross_step;
    return (size_t)(out - f->numbers);
}

/* The numbers of a descriptor before its lists. */
enum { HEAD = offsetof(sb_ldl_column, entries) / sizeof(int) + 1 };

/* Continues the hash h by FNV-1a, one word at a time. */
static size_t hash(size_t h, const int *x, size_t length) {
    for (size_t i = 0; i < length; i++) {
        h = (h ^ (size_t)(unsigned)x[i]) * 1099511628211u;
    }
    return h;
}

static bool is_same(const sb_ldl_column *a, size_t a_numbers, const sb_ldl_column *b, size_t b_numbers) {
    return a_numbers == b_numbers && memcmp(a, b, HEAD * sizeof(int)) == 0 &&
           memcmp(a->rows, b->rows, a_numbers * sizeof(int)) == 0;
}

/* Copies a descriptor and its numbers to the arena. */
static int store_column(sb_arena *arena, const sb_ldl_column *column, size_t numbers, sb_ldl_column *out) {
    int *copy;
    SB_NEW(arena, copy, numbers + 1);
    memcpy(copy, column->rows, numbers * sizeof *copy);
    *out = *column;
    out->rows = copy;
    out->in_A = copy + (column->in_A - column->rows);
    out->targets = column->targets != NULL ? copy + (column->targets - column->rows) : NULL;
    return SB_OK;
}

/* Describes every column, equal ones once. */
static int describe_columns(sb_arena *arena, sb_arena *scratch, factor *f, sb_ldl_symbolic *w) {
    const int n = w->n;
    int count = 0, *table; /* 1 + the number of a descriptor, at its hash */
    size_t most = 0, table_size = 64, *numbers_of;
    sb_ldl_column *found, *columns;
    for (int k = 0; k < n; k++) {
        const size_t length = (size_t)length_of(f, k),
                     numbers = length + 2 * (length + 1) + (length <= SB_LDL_TARGETED ? length * (length + 1) / 2 : 0);
        most = numbers > most ? numbers : most;
    }
    while (table_size < 2 * (size_t)n) {
        table_size *= 2;
    }
    SB_NEW(scratch, f->numbers, most);
    SB_NEW(scratch, table, table_size);
    SB_NEW(scratch, found, n);
    SB_NEW(scratch, numbers_of, n);
    SB_NEW(arena, w->column_of, n);
    w->first = f->now;
    for (int k = 0; k < n; k++) {
        sb_ldl_column column;
        const size_t numbers = describe(f, k, &column),
                     h = hash(hash(14695981039346656037u, (const int *)&column, HEAD), f->numbers, numbers);
        size_t slot = (h ^ (h >> 29)) & (table_size - 1);
        while (table[slot] != 0 && !is_same(&found[table[slot] - 1], numbers_of[table[slot] - 1], &column, numbers)) {
            slot = (slot + 1) & (table_size - 1);
        }
        if (table[slot] == 0) {
            SB_TRY(store_column(arena, &column, numbers, &found[count]));
            numbers_of[count] = numbers;
            table[slot] = ++count;
        }
        w->column_of[k] = table[slot] - 1;
    }
    w->last = f->now;
    SB_NEW(arena, columns, count);
    memcpy(columns, found, (size_t)count * sizeof *found);
    w->columns = columns;
    return SB_OK;
}

/* Sets where the interior columns are, and how much of Lx and y has to be clear before each block of pivots. */
static int find_interior(sb_arena *arena, const factor *f, sb_ldl_symbolic *w) {
    const int n = w->n, blocks = n / SB_LDL_BLOCK + 1;
    w->interior = f->interior[n];
    w->Lx_size = f->begin[n];
    SB_NEW(arena, w->interior_of, n);
    SB_NEW(arena, w->pivot, w->interior);
    SB_NEW(arena, w->Lp, w->interior);
    SB_NEW(arena, w->Lx_end, blocks);
    SB_NEW(arena, w->y_end, blocks);
    for (int k = 0, reach = 0; k < n; k++) {
        const int last = length_of(f, k) > 0 ? f->Li[f->Lp[k + 1] - 1] : k;
        reach = last > reach ? last : reach;
        w->Lx_end[k / SB_LDL_BLOCK] = f->begin[reach + 1];
        w->y_end[k / SB_LDL_BLOCK] = f->interior[reach + 1];
        w->interior_of[w->order[k]] = f->diagonal[k] ? -1 : f->interior[k];
        if (!f->diagonal[k]) {
            w->pivot[f->interior[k]] = k;
            w->Lp[f->interior[k]] = f->begin[k];
        }
    }
    return SB_OK;
}

int sb_ldl_analyse(sb_arena *arena, sb_arena *scratch, const sb_pattern *A, const int *at, int positive,
                   sb_ldl_symbolic *out) {
    const int n = A->cols;
    factor f = {.A = A, .at = at, .positive = positive};
    out->n = n;
    SB_NEW(arena, out->order, n);
    SB_TRY(sb_elimination_order(scratch, A, positive, out->order));
    SB_TRY(sb_elimination_pattern(scratch, A, out->order, &f.pattern));
    f.order = out->order;
    f.Lp = f.pattern.Lp;
    f.Li = f.pattern.Li;
    for (int k = 0; k < n; k++) {
        qsort(f.pattern.Li + f.Lp[k], (size_t)length_of(&f, k), sizeof(int), compare_ints);
    }
    SB_TRY(place_columns(scratch, n, &f));
    SB_TRY(find_pairs(scratch, n, &f));
    SB_TRY(describe_columns(arena, scratch, &f, out));
    SB_TRY(find_interior(arena, &f, out));
    SB_NEW(arena, out->diagonal, positive);
    for (int j = 0; j < positive; j++) {
        const int entry = sb_pattern_find(A, j, j);
        out->diagonal[j] = entry < 0 ? -1 : value_of(&f, entry);
    }
    return SB_OK;
}
