/* Symbolic part of the static LDL' factorization of a quasi-definite matrix (vanderbei95, duff83, davis06). */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/linear/static_ldl_symbolic.h"

#include "core/linear/ordering.h"

static int compare_ints(const void *a, const void *b) {
    const int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* The structure of the factor. Pivots are numbered in the order of elimination; a front has the number of its last
 * pivot. */
typedef struct factor {
    const sb_pattern *A;
    const int *at; /* may be NULL */
    int positive;
    const int *order;
    sb_elimination pattern;
    const int *Lp;
    int *Li; /* of a front: the places in the solution of its rows below, ascending */
    bool *leaf;
    int *parent;      /* in the elimination tree; of a front: its parent, n for a root */
    int *front;       /* the front of a pivot, or of the parent of a leaf */
    int *width;       /* pivots of a front */
    int *head, *next; /* lists: of the children of a front, then of the pivots and leaves of a front */
    int *postorder, fronts;
    int *solution; /* of a pivot: its place in the solution */
    int *first;    /* of a front: the place of its first pivot */
    int *local;    /* scratch: number of a row in the current front, at its place in the solution */
    int *numbers;  /* scratch: the lists of the current front */
} factor;

static int length_of(const factor *f, int k) { return f->Lp[k + 1] - f->Lp[k]; }

static bool is_coordinate(const factor *f, int k) { return f->order[k] < f->positive; }

static int value_of(const factor *f, int entry) { return f->at != NULL ? f->at[entry] : entry; }

static int diagonal_of(const factor *f, int k) { return sb_pattern_find(f->A, f->order[k], f->order[k]); }

/* A coordinate with constraints, which no pivot before changes and which meets no other coordinate. */
static bool is_leaf(const factor *f, int k) {
    bool leaf = is_coordinate(f, k) && f->pattern.row_counts[k] == 0 && length_of(f, k) > 0 && diagonal_of(f, k) >= 0;
    for (int e = f->pattern.Ap[k]; e < f->pattern.Ap[k + 1]; e++) {
        leaf = leaf && !is_coordinate(f, f->pattern.Ai[e]);
    }
    return leaf;
}

/* Estimates the instructions of a front, fitted to counts on the ladder: of its loops, per product, and per number that
 * is added to the front of the parent. */
static double cost_of(int width, int below) {
    double products = 0.0;
    for (int k = 0; k < width; k++) {
        const double length = width - 1 - k + below;
        products += 0.5 * length * (length + 3.0);
    }
    return 150.0 + 3.0 * products + 3.0 * (below + 1.0) * (below + 2.0);
}

/* Gathers the pivots in fronts: a front is joined with that of its parent where this saves instructions. The rows below
 * are then those of the parent, and some entries of L are zero. */
static int find_fronts(sb_arena *scratch, int n, factor *f) {
    SB_NEW(scratch, f->leaf, n);
    SB_NEW(scratch, f->parent, n);
    SB_NEW(scratch, f->front, n);
    SB_NEW(scratch, f->width, n);
    SB_NEW(scratch, f->head, n + 1);
    SB_NEW(scratch, f->next, n + 1);
    for (int k = 0; k <= n; k++) {
        f->head[k] = -1;
    }
    for (int k = 0; k < n; k++) {
        f->leaf[k] = is_leaf(f, k);
        f->parent[k] = n;
        for (int e = f->Lp[k]; e < f->Lp[k + 1]; e++) {
            f->parent[k] = f->Li[e] < f->parent[k] ? f->Li[e] : f->parent[k];
        }
        f->front[k] = f->leaf[k] ? f->parent[k] : k;
        if (f->leaf[k]) {
            continue;
        }
        const int below = length_of(f, k);
        f->width[k] = 1;
        for (int child = f->head[k]; child >= 0; child = f->next[child]) {
            const int width = f->width[k] + f->width[child];
            if (cost_of(width, below) <= cost_of(f->width[k], below) + cost_of(f->width[child], length_of(f, child))) {
                f->width[k] = width;
                f->front[child] = k;
            }
        }
        f->next[k] = f->head[f->parent[k]];
        f->head[f->parent[k]] = k;
    }
    for (int k = n - 1; k >= 0; k--) {
        f->front[k] = f->front[f->front[k]];
        f->parent[k] = f->parent[k] < n ? f->front[f->parent[k]] : n;
    }
    return SB_OK;
}

/* Sets the order of the fronts, each after its children and directly after the last of them. */
static int sort_fronts(sb_arena *scratch, int n, factor *f) {
    int *stack, top = 0;
    SB_NEW(scratch, f->postorder, n + 1);
    SB_NEW(scratch, stack, n + 1);
    for (int k = 0; k <= n; k++) {
        f->head[k] = -1;
    }
    for (int k = n - 1; k >= 0; k--) {
        if (f->front[k] == k) {
            f->next[k] = f->head[f->parent[k]];
            f->head[f->parent[k]] = k;
        }
    }
    stack[0] = n;
    while (top >= 0) {
        const int k = stack[top], child = f->head[k];
        if (child < 0) {
            f->postorder[f->fronts++] = k;
            top--;
        } else {
            f->head[k] = f->next[child];
            stack[++top] = child;
        }
    }
    f->fronts--; /* n, the parent of the roots */
    return SB_OK;
}

/* Sets the place of every pivot in the solution, and lists the pivots and leaves of each front. */
static int place_pivots(sb_arena *scratch, int n, factor *f, sb_ldl_symbolic *out) {
    SB_NEW(scratch, f->solution, n);
    SB_NEW(scratch, f->first, n);
    SB_NEW(scratch, f->local, n);
    for (int k = n - 1; k >= 0; k--) {
        f->next[k] = f->head[f->front[k]];
        f->head[f->front[k]] = k;
    }
    for (int s = 0; s < f->fronts; s++) {
        f->first[f->postorder[s]] = out->interior;
        for (int block = 0; block < 2; block++) {
            for (int k = f->head[f->postorder[s]]; k >= 0; k = f->next[k]) {
                if (!f->leaf[k] && is_coordinate(f, k) == (block == SB_LDL_COORDINATE)) {
                    f->solution[k] = out->interior++;
                }
            }
        }
    }
    for (int s = 0; s < f->fronts; s++) {
        const int k = f->postorder[s];
        for (int e = f->Lp[k]; e < f->Lp[k + 1]; e++) {
            f->Li[e] = f->solution[f->Li[e]];
        }
        qsort(f->Li + f->Lp[k], (size_t)length_of(f, k), sizeof(int), compare_ints);
    }
    return SB_OK;
}

/* ---- The description of a front. ---- */

/* Returns a place relative to the first one, which is set where it is still -1. */
static int relative(int place, int *first) {
    *first = *first < 0 ? place : *first;
    return place - *first;
}

/* Lists a leaf. */
static int *list_leaf(const factor *f, int k, sb_ldl_front *front, int *out) {
    *out++ = relative(f->order[k], &front->row[SB_LDL_COORDINATE]);
    *out++ = relative(value_of(f, diagonal_of(f, k)), &front->base[SB_LDL_COORDINATE]);
    *out++ = length_of(f, k);
    int *const begin = out;
    for (int e = f->pattern.Ap[k]; e < f->pattern.Ap[k + 1]; e++, out += 2) {
        out[0] = f->local[f->solution[f->pattern.Ai[e]]];
        out[1] = relative(value_of(f, f->pattern.entry[e]), &front->base[SB_LDL_CROSS]);
    }
    qsort(begin, (size_t)length_of(f, k), 2 * sizeof(int), compare_ints);
    return out;
}

/* Lists the entries of A in the columns of a front that belong to `block`. */
static int *list_entries(const factor *f, int s, int stride, int block, sb_ldl_front *front, int *out) {
    for (int k = f->head[s]; k >= 0; k = f->next[k]) {
        const int column = f->solution[k] - f->first[s],
                  own = is_coordinate(f, k) ? SB_LDL_COORDINATE : SB_LDL_CONSTRAINT;
        for (int e = f->pattern.Ap[k] - 1; e < f->pattern.Ap[k + 1] && !f->leaf[k]; e++) {
            const bool diagonal = e < f->pattern.Ap[k];
            const int i = diagonal ? k : f->pattern.Ai[e], entry = diagonal ? diagonal_of(f, k) : f->pattern.entry[e];
            if (entry < 0 || (is_coordinate(f, i) == is_coordinate(f, k) ? own : SB_LDL_CROSS) != block) {
                continue;
            }
            const int row = f->local[f->solution[i]];
            *out++ = row > column ? column * stride + row : row * stride + column;
            *out++ = relative(value_of(f, entry), &front->base[block]);
        }
    }
    return out;
}

/* Lists the rows below a front: their numbers in the front of the parent, whose rows are its pivots and its rows below.
 */
static int *list_parent(const factor *f, int s, int *out) {
    const int p = f->parent[s];
    for (int e = f->Lp[s], at = 0; e < f->Lp[s + 1]; e++) {
        if (f->Li[e] - f->first[p] < f->width[p]) {
            *out++ = f->Li[e] - f->first[p];
            continue;
        }
        while (f->Li[f->Lp[p] + at] < f->Li[e]) {
            at++;
        }
        *out++ = f->width[p] + at;
    }
    return out;
}

/* Describes front s, with its lists in f->numbers. Returns how many numbers they have. */
static size_t describe(factor *f, int s, sb_ldl_shape *shape, sb_ldl_front *front) {
    const int width = f->width[s], below = length_of(f, s), stride = sb_ldl_stride(width + below), p = f->parent[s],
              first = f->first[s];
    int *out = f->numbers;
    *front = (sb_ldl_front){.row = {-1, -1}, .base = {-1, -1, -1}};
    shape->below = below;
    if (p < f->A->cols) {
        shape->parent_stride = sb_ldl_stride(f->width[p] + length_of(f, p));
        shape->parent_end = f->width[p] + length_of(f, p);
    }
    for (int a = 0; a < width; a++) {
        f->local[first + a] = a;
    }
    for (int a = 0; a < below; a++) {
        f->local[f->Li[f->Lp[s] + a]] = width + a;
    }
    shape->leaf = out;
    for (int k = f->head[s]; k >= 0; k = f->next[k]) {
        if (f->leaf[k]) {
            shape->leaves++;
            out = list_leaf(f, k, front, out);
        } else {
            shape->longest_row =
                f->pattern.row_counts[k] > shape->longest_row ? f->pattern.row_counts[k] : shape->longest_row;
            shape->pivots[is_coordinate(f, k) ? SB_LDL_COORDINATE : SB_LDL_CONSTRAINT]++;
        }
    }
    shape->entry = out;
    for (int block = 0; block < SB_LDL_BLOCKS; block++) {
        int *const begin = out;
        out = list_entries(f, s, stride, block, front, out);
        shape->entries[block] = (int)(out - begin) / 2;
    }
    shape->row = out;
    for (int k = f->head[s]; k >= 0; k = f->next[k]) {
        if (!f->leaf[k]) {
            int *const pivot = out + 2 * (f->solution[k] - first);
            pivot[0] = relative(f->order[k], &front->row[is_coordinate(f, k) ? SB_LDL_COORDINATE : SB_LDL_CONSTRAINT]);
            pivot[1] = f->pattern.row_counts[k];
        }
    }
    out += 2 * width;
    shape->solution = out;
    for (int a = 0; a < below; a++) {
        *out++ = f->Li[f->Lp[s] + a] - first;
    }
    shape->parent = out;
    out = list_parent(f, s, out);
    for (int block = 0; block < SB_LDL_BLOCKS; block++) { /* blocks without entries */
        front->base[block] = front->base[block] < 0 ? 0 : front->base[block];
    }
    for (int block = 0; block < 2; block++) {
        front->row[block] = front->row[block] < 0 ? 0 : front->row[block];
    }
    return (size_t)(out - f->numbers);
}

/* ---- Equal descriptions are stored once. ---- */

/* The numbers of a shape before its lists. */
enum { HEAD = offsetof(sb_ldl_shape, opens) / sizeof(int) + 1 };

/* Continues the hash h by FNV-1a, one word at a time. */
static size_t hash(size_t h, const int *x, size_t length) {
    for (size_t i = 0; i < length; i++) {
        h = (h ^ (size_t)(unsigned)x[i]) * 1099511628211u;
    }
    return h;
}

static bool is_same(const sb_ldl_shape *a, size_t a_numbers, const sb_ldl_shape *b, size_t b_numbers) {
    return a_numbers == b_numbers && memcmp(a, b, HEAD * sizeof(int)) == 0 &&
           memcmp(a->leaf, b->leaf, a_numbers * sizeof(int)) == 0;
}

/* Copies a shape and its lists to the arena. */
static int store_shape(sb_arena *arena, const sb_ldl_shape *shape, size_t numbers, sb_ldl_shape *out) {
    int *copy;
    SB_NEW(arena, copy, numbers + 1);
    memcpy(copy, shape->leaf, numbers * sizeof *copy);
    *out = *shape;
    out->leaf = copy;
    out->entry = copy + (shape->entry - shape->leaf);
    out->row = copy + (shape->row - shape->leaf);
    out->solution = copy + (shape->solution - shape->leaf);
    out->parent = copy + (shape->parent - shape->leaf);
    return SB_OK;
}

/* Returns a bound of the numbers in the lists of a front. */
static size_t bound_of(const factor *f, int s) {
    size_t numbers = 2 * (size_t)length_of(f, s);
    for (int k = f->head[s]; k >= 0; k = f->next[k]) {
        numbers += 4 + 2 * (size_t)(f->pattern.Ap[k + 1] - f->pattern.Ap[k]);
    }
    return numbers;
}

/* The memory of the fronts is two stacks. A front and its parent are in different ones: the parent begins before the
 * front ends. All other fronts that are in use are ancestors, which began before these two. */
typedef struct stacks {
    bool *other;   /* the stack of a front */
    bool *begun;   /* fronts that have been given memory */
    size_t *place; /* of each front, in its stack */
    size_t end[2], most[2];
} stacks;

static void begin_front(const factor *f, int s, stacks *m) {
    if (!m->begun[s]) {
        const int rows = f->width[s] + length_of(f, s), stack = m->other[s];
        m->begun[s] = true;
        m->place[s] = m->end[stack];
        m->end[stack] += (size_t)sb_ldl_stride(rows) * (size_t)rows;
        m->most[stack] = m->end[stack] > m->most[stack] ? m->end[stack] : m->most[stack];
    }
}

static int describe_fronts(sb_arena *arena, sb_arena *scratch, factor *f, sb_ldl_symbolic *w) {
    const int n = f->A->cols, fronts = f->fronts;
    int count = 0, *table; /* 1 + the number of a shape, at its hash */
    size_t most = 0, table_size = 64, *numbers_of;
    sb_ldl_shape *found, *shapes;
    sb_ldl_front *front;
    stacks m = {0};
    SB_NEW(scratch, m.other, n + 1);
    SB_NEW(scratch, m.begun, n + 1);
    SB_NEW(scratch, m.place, n + 1);
    for (int s = fronts - 1; s >= 0; s--) {
        const int k = f->postorder[s];
        const size_t bound = bound_of(f, k);
        most = bound > most ? bound : most;
        m.other[k] = !m.other[f->parent[k]];
    }
    while (table_size < 2 * (size_t)fronts) {
        table_size *= 2;
    }
    SB_NEW(scratch, f->numbers, most);
    SB_NEW(scratch, table, table_size);
    SB_NEW(scratch, found, fronts);
    SB_NEW(scratch, numbers_of, fronts);
    SB_NEW(arena, front, fronts);
    for (int s = 0; s < fronts; s++) {
        const int k = f->postorder[s], rows = f->width[k] + length_of(f, k), p = f->parent[k];
        sb_ldl_shape shape = {.begins = !m.begun[k], .opens = p < n && !m.begun[p]};
        begin_front(f, k, &m);
        if (p < n) {
            begin_front(f, p, &m);
        }
        const size_t numbers = describe(f, k, &shape, &front[s]),
                     h = hash(hash(14695981039346656037u, (const int *)&shape, HEAD), f->numbers, numbers);
        m.end[m.other[k]] = m.place[k];
        size_t slot = (h ^ (h >> 29)) & (table_size - 1);
        while (table[slot] != 0 && !is_same(&found[table[slot] - 1], numbers_of[table[slot] - 1], &shape, numbers)) {
            slot = (slot + 1) & (table_size - 1);
        }
        if (table[slot] == 0) {
            SB_TRY(store_shape(arena, &shape, numbers, &found[count]));
            numbers_of[count] = numbers;
            table[slot] = ++count;
        }
        front[s].shape = table[slot] - 1;
        for (int j = 0; j < shape.pivots[SB_LDL_COORDINATE]; j++) {
            w->inverse[front[s].row[SB_LDL_COORDINATE] + shape.row[2 * j]] =
                w->Lx_size + sb_ldl_length(f->width[k], length_of(f, k)) -
                sb_ldl_length(f->width[k] - j, length_of(f, k));
        }
        w->Lx_size += sb_ldl_length(f->width[k], length_of(f, k));
        w->longest = rows + 1 > w->longest ? rows + 1 : w->longest;
    }
    for (int s = 0; s < fronts; s++) {
        const int k = f->postorder[s], p = f->parent[k];
        front[s].place = m.place[k] + (m.other[k] ? m.most[0] : 0);
        front[s].parent = p < n ? m.place[p] + (m.other[p] ? m.most[0] : 0) : 0;
    }
    w->fronts = fronts;
    w->front = front;
    w->fronts_size = m.most[0] + m.most[1];
    SB_NEW(arena, shapes, count);
    memcpy(shapes, found, (size_t)count * sizeof *found);
    w->shapes = shapes;
    return SB_OK;
}

int sb_ldl_analyse(sb_arena *arena, sb_arena *scratch, const sb_pattern *A, const int *at, int positive,
                   sb_ldl_symbolic *out) {
    const int n = A->cols;
    int *order;
    factor f = {.A = A, .at = at, .positive = positive};
    *out = (sb_ldl_symbolic){0};
    SB_NEW(scratch, order, n);
    SB_TRY(sb_elimination_order(scratch, A, positive, order));
    SB_TRY(sb_elimination_pattern(scratch, A, order, &f.pattern));
    f.order = order;
    f.Lp = f.pattern.Lp;
    f.Li = f.pattern.Li;
    SB_TRY(find_fronts(scratch, n, &f));
    SB_TRY(sort_fronts(scratch, n, &f));
    SB_TRY(place_pivots(scratch, n, &f, out));
    SB_NEW(arena, out->inverse, positive);
    SB_NEW(arena, out->diagonal, positive);
    for (int j = 0; j < positive; j++) {
        const int entry = sb_pattern_find(A, j, j);
        out->diagonal[j] = entry < 0 ? -1 : value_of(&f, entry);
        out->inverse[j] = SIZE_MAX;
    }
    return describe_fronts(arena, scratch, &f, out);
}
