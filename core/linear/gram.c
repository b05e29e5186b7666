/* The sparse factorization of the Gram matrix of constraint rows, row by row (davis06, chapter 4): the entries of row k
 * of L are those that the elimination tree reaches from the entries of S in that row. S itself is never stored. */
#include <string.h>

#include <stepbench/numerics/norm.h>
#include <stepbench/numerics/saddle.h>

#include "core/linear/gram.h"
#include "core/linear/ordering.h"

/* Finds the coordinates of U: those in more than 100 rows, whose dense block costs as much as some thousand sparse
 * rows, and in more than 4 sqrt(m), so that U and Y are no larger than a few L. */
static int find_hubs(sb_arena *arena, sb_gram *g) {
    const int most = (int)fmax(100.0, 4.0 * sqrt((sb_scalar)g->m));
    SB_NEW(arena, g->is_hub, g->n);
    SB_NEW(arena, g->hub, g->n);
    for (int i = 0; i < g->n; i++) {
        g->is_hub[i] = g->by_row.p[i + 1] - g->by_row.p[i] > most;
        g->hub[g->h] = i;
        g->h += g->is_hub[i];
    }
    SB_NEW(arena, g->keep, g->h);
    SB_TRY(SB_VECTORS(arena, g->h * g->h, &g->R, &g->Q, &g->T));
    SB_TRY(SB_VECTORS(arena, g->h * g->m, &g->U, &g->Y));
    SB_NEW(arena, g->xi, g->h);
    SB_NEW(arena, g->v, g->n);
    return SB_OK;
}

/* Builds the pattern of S_0, both triangles. */
static int pattern_of(sb_arena *arena, const sb_gram *g, sb_pattern *S) {
    int *p, *i = NULL, *mark;
    SB_NEW(arena, p, g->m + 1);
    SB_NEW(arena, mark, g->m);
    for (int pass = 0; pass < 2; pass++) { /* counts, then entries */
        int end = 0;
        for (int j = 0; j < g->m; j++) {
            mark[j] = -1;
        }
        for (int j = 0; j < g->m; j++) {
            SB_TRY(sb_poll(g->ctx));
            for (int e = g->C.p[j]; e < g->C.p[j + 1]; e++) {
                const int i0 = g->C.i[e];
                for (int f = g->by_row.p[i0]; f < g->by_row.p[i0 + 1] && !g->is_hub[i0]; f++) {
                    const int l = g->by_row.i[f];
                    if (mark[l] != j && pass == 1) {
                        i[end] = l;
                    }
                    end += mark[l] != j;
                    mark[l] = j;
                }
            }
            p[j + 1] = end;
        }
        if (pass == 0) {
            SB_NEW(arena, i, end);
        }
    }
    *S = (sb_pattern){g->m, g->m, p, i};
    return SB_OK;
}

/* Moves the lengths of quaternions to the front of an order. */
static int put_lengths_first(sb_arena *scratch, const sb_system *sys, int m, int *order) {
    int *old, end = 0;
    bool *is_length;
    SB_NEW(scratch, old, m);
    SB_NEW(scratch, is_length, m);
    memcpy(old, order, (size_t)m * sizeof *old);
    for (int k = 0; k < sys->attitudes; k++) {
        is_length[sys->attitude[k].row] = true;
    }
    for (int k = 0; k < 2 * m; k++) { /* the lengths, then the others */
        if (is_length[old[k % m]] == (k < m)) {
            order[end++] = old[k % m];
        }
    }
    return SB_OK;
}

/* Products that take about a tenth of a second. */
static const double natural_products = 1e8;

/* Sets the order of elimination, its tree, and the counts of L. */
static int set_order(sb_arena *scratch, const sb_system *sys, const sb_pattern *S, int *order, int *parent,
                     int *columns, int *rows) {
    double products;
    for (int k = 0; k < S->cols; k++) {
        order[k] = k;
    }
    SB_TRY(put_lengths_first(scratch, sys, S->cols, order));
    SB_TRY(sb_elimination_counts(scratch->ctx, S, order, natural_products, columns, rows, parent, &products));
    if (products <= natural_products) {
        return SB_OK;
    }
    SB_TRY(sb_elimination_order(scratch, S, S->cols, order));
    SB_TRY(put_lengths_first(scratch, sys, S->cols, order));
    return sb_elimination_counts(scratch->ctx, S, order, (double)INFINITY, columns, rows, parent, &products);
}

int sb_gram_init(sb_context *ctx, sb_arena *arena, const sb_system *sys, int m, sb_gram *out) {
    int *columns, *rows;
    sb_pattern S;
    SB_SCRATCH(scratch, ctx);
    *out = (sb_gram){.ctx = ctx, .n = sys->n, .m = m};
    SB_TRY(sb_system_constraints(arena, sys, &out->C));
    out->C.cols = m;
    SB_TRY(sb_pattern_transpose(arena, &out->C, &out->by_row, &out->at));
    SB_TRY(find_hubs(arena, out));
    SB_NEW(arena, out->left_out, m);
    SB_NEW(arena, out->order, m);
    SB_NEW(arena, out->number, m);
    SB_NEW(arena, out->parent, m);
    SB_NEW(arena, out->first, m + 1);
    SB_NEW(&scratch, columns, m);
    SB_NEW(&scratch, rows, m);
    SB_TRY(pattern_of(&scratch, out, &S));
    SB_TRY(set_order(&scratch, sys, &S, out->order, out->parent, columns, rows));
    for (int k = 0; k < m; k++) {
        out->number[out->order[k]] = k;
        out->first[k + 1] = out->first[k] + columns[k];
        out->width = rows[k] > out->width ? rows[k] : out->width;
    }
    out->width += out->h;
    SB_NEW(arena, out->Li, out->first[m]);
    SB_NEW(arena, out->Lx, out->first[m]);
    SB_TRY(SB_VECTORS(arena, m, &out->E, &out->y, &out->rest));
    SB_NEW(arena, out->length, m);
    SB_NEW(arena, out->mark, m);
    SB_NEW(arena, out->path, m);
    SB_NEW(arena, out->above, m);
    return SB_OK;
}

/* Adds row k of S_0, up to the diagonal, to y. Returns the position in `path` from which it holds the columns of L with
 * an entry in this row, each before its ancestors. */
static int gather(sb_gram *g, const sb_scalar *Cx, const sb_scalar *D, int k) {
    const int j = g->order[k];
    int top = g->m;
    g->mark[k] = k;
    for (int e = g->C.p[j]; e < g->C.p[j + 1]; e++) {
        const int coordinate = g->C.i[e];
        const sb_scalar weight = g->is_hub[coordinate] ? 0.0 : D[coordinate] * Cx[e];
        for (int f = g->by_row.p[coordinate]; f < g->by_row.p[coordinate + 1] && weight != 0.0; f++) {
            int i = g->number[g->by_row.i[f]], count = 0;
            if (i > k) {
                continue;
            }
            g->y[i] += weight * Cx[g->at[f]];
            for (; g->mark[i] != k; i = g->parent[i]) {
                g->above[count++] = i;
                g->mark[i] = k;
            }
            while (count > 0) {
                g->path[--top] = g->above[--count];
            }
        }
    }
    return top;
}

/* Factors S_0. */
static int factor_sparse(sb_gram *g, const sb_scalar *Cx, const sb_scalar *D, sb_scalar least) {
    const int m = g->m;
    for (int k = 0; k < m; k++) {
        g->mark[k] = -1;
        g->length[k] = 0;
        g->y[k] = 0.0;
    }
    for (int k = 0; k < m; k++) {
        SB_TRY(sb_poll(g->ctx));
        const int top = gather(g, Cx, D, k);
        sb_scalar pivot = g->y[k];
        g->y[k] = 0.0;
        for (int a = top; a < m; a++) {
            const int i = g->path[a], begin = g->first[i], end = begin + g->length[i];
            const sb_scalar entry = g->y[i];
            g->y[i] = 0.0;
            if (g->E[i] == 0.0) {
                continue;
            }
            for (int p = begin; p < end; p++) {
                g->y[g->Li[p]] -= g->Lx[p] * entry;
            }
            g->Li[end] = k;
            g->Lx[end] = entry / g->E[i];
            g->length[i]++;
            pivot -= g->Lx[end] * entry;
        }
        g->E[k] = pivot > least ? pivot : 0.0;
        g->left_out[g->order[k]] = g->E[k] == 0.0;
        g->rank += g->E[k] > 0.0;
        for (int a = top; a < m && g->E[k] == 0.0; a++) { /* without this row */
            g->length[g->path[a]] -= g->E[g->path[a]] != 0.0;
        }
    }
    return SB_OK;
}

/* Solves S_J x = r in place; x = 0 for the rows of Z. */
static void solve_sparse(sb_gram *g, sb_scalar *r) {
    sb_scalar *y = g->y;
    for (int k = 0; k < g->m; k++) {
        y[k] = g->E[k] != 0.0 ? r[g->order[k]] : 0.0;
    }
    for (int k = 0; k < g->m; k++) {
        for (int p = g->first[k]; p < g->first[k] + g->length[k]; p++) {
            y[g->Li[p]] -= g->Lx[p] * y[k];
        }
    }
    for (int k = g->m - 1; k >= 0; k--) {
        sb_scalar sum = g->E[k] != 0.0 ? y[k] / g->E[k] : 0.0;
        for (int p = g->first[k]; p < g->first[k] + g->length[k]; p++) {
            sum -= g->Lx[p] * y[g->Li[p]];
        }
        y[k] = r[g->order[k]] = sum;
    }
}

/* ---- The coordinates that many rows share. ---- */

/* Sets v = D C x without the coordinates of U. */
static void spread(const sb_gram *g, const sb_scalar *x) {
    memset(g->v, 0, (size_t)g->n * sizeof *g->v);
    sb_csc_mult_add(&g->C, g->Cx, 1.0, x, g->v);
    for (int i = 0; i < g->n; i++) {
        g->v[i] *= g->is_hub[i] ? 0.0 : g->D[i];
    }
}

/* Returns row j of S_0 times the x of the last `spread`. */
static sb_scalar row_times(const sb_gram *g, int j) {
    sb_scalar sum = 0.0;
    for (int e = g->C.p[j]; e < g->C.p[j + 1]; e++) {
        sum += g->Cx[e] * g->v[g->C.i[e]];
    }
    return sum;
}

/* Sets U, Y, and R with P = R'R by Cholesky's method. */
static void set_hubs(sb_gram *g) {
    const int m = g->m, h = g->h;
    memset(g->U, 0, (size_t)h * (size_t)m * sizeof *g->U);
    for (int c = 0; c < h; c++) {
        const int i = g->hub[c];
        sb_scalar *Y = g->Y + c * m;
        for (int f = g->by_row.p[i]; f < g->by_row.p[i + 1]; f++) {
            g->U[g->by_row.i[f] + c * m] = sqrt(g->D[i]) * g->Cx[g->at[f]];
        }
        memcpy(Y, g->U + c * m, (size_t)m * sizeof *Y);
        solve_sparse(g, Y);
        for (int b = 0; b <= c; b++) {
            const sb_scalar sum = (b == c) + sb_dot(m, g->U + b * m, Y) - sb_dot(b, g->R + b * h, g->R + c * h);
            g->R[b + c * h] = b == c ? sqrt(sum) : sum / g->R[b + b * h];
        }
    }
}

/* Replaces x (h) by R^-T x. */
static void divide_transposed(const sb_gram *g, sb_scalar *x) {
    for (int c = 0; c < g->h; c++) {
        x[c] = (x[c] - sb_dot(c, g->R + c * g->h, x)) / g->R[c + c * g->h];
    }
}

/* Sets x = R^-T b, b the column of B of row j; `column` holds D C Y without the coordinates of U (n x h). */
static void set_column(const sb_gram *g, const sb_scalar *column, int j, sb_scalar *x) {
    for (int c = 0; c < g->h; c++) {
        x[c] = g->U[j + c * g->m];
        for (int e = g->C.p[j]; e < g->C.p[j + 1]; e++) {
            x[c] -= g->Cx[e] * column[g->C.i[e] + c * g->n];
        }
    }
    divide_transposed(g, x);
}

/* Keeps the rows of Z whose columns of R^-T B are independent, by the method of Gram and Schmidt, twice for round-off.
 */
static int keep_independent(sb_gram *g, sb_scalar least) {
    const int h = g->h;
    sb_scalar *column;
    SB_SCRATCH(scratch, g->ctx);
    SB_NEW(&scratch, column, (size_t)g->n * (size_t)h);
    for (int c = 0; c < h; c++) {
        spread(g, g->Y + c * g->m);
        memcpy(column + c * g->n, g->v, (size_t)g->n * sizeof *g->v);
    }
    for (int k = 0; k < g->m && g->kept < h; k++) {
        const int j = g->order[k];
        sb_scalar *q = g->Q + g->kept * h, *t = g->T + g->kept * h;
        if (!g->left_out[j]) {
            continue;
        }
        SB_TRY(sb_poll(g->ctx));
        set_column(g, column, j, q);
        memset(t, 0, (size_t)h * sizeof *t);
        for (int pass = 0; pass < 2; pass++) {
            for (int b = 0; b < g->kept; b++) {
                const sb_scalar share = sb_dot(h, g->Q + b * h, q);
                sb_axpy(h, -share, g->Q + b * h, q);
                t[b] += share;
            }
        }
        const sb_scalar square = sb_dot(h, q, q);
        if (square > least) {
            t[g->kept] = sqrt(square);
            for (int c = 0; c < h; c++) {
                q[c] /= t[g->kept];
            }
            g->keep[g->kept++] = j;
            g->left_out[j] = false;
        }
    }
    g->rank += g->kept;
    return SB_OK;
}

/* Sets xi from w = Y'r_J, which it holds, and x_Z from r_Z - S_ZJ S_J^-1 r_J, which `rest` holds at the rows kept. */
static void solve_hubs(const sb_gram *g, sb_scalar *x) {
    const int h = g->h;
    sb_scalar *w = g->xi;
    divide_transposed(g, w); /* R xi = w + Q T x_Z */
    for (int a = 0; a < g->kept; a++) {
        sb_scalar sum = g->rest[g->keep[a]];
        for (int b = 0; b < a; b++) {
            sum -= g->T[b + a * h] * x[g->keep[b]];
        }
        x[g->keep[a]] = sum / g->T[a + a * h]; /* Q'R xi */
    }
    for (int a = 0; a < g->kept; a++) {
        x[g->keep[a]] -= sb_dot(h, g->Q + a * h, w); /* T x_Z */
        sb_axpy(h, x[g->keep[a]], g->Q + a * h, w);
    }
    for (int a = g->kept - 1; a >= 0; a--) {
        for (int b = a + 1; b < g->kept; b++) {
            x[g->keep[a]] -= g->T[a + b * h] * x[g->keep[b]];
        }
        x[g->keep[a]] /= g->T[a + a * h];
    }
    for (int c = h - 1; c >= 0; c--) {
        for (int b = c + 1; b < h; b++) {
            w[c] -= g->R[c + b * h] * w[b];
        }
        w[c] /= g->R[c + c * h];
    }
}

/* ---- Both parts. ---- */

int sb_gram_factor(sb_gram *g, const sb_scalar *Cx, const sb_scalar *D, sb_scalar least) {
    g->rank = g->kept = 0;
    g->Cx = Cx;
    g->D = D;
    SB_TRY(factor_sparse(g, Cx, D, least));
    if (g->h == 0) {
        return SB_OK;
    }
    set_hubs(g);
    return keep_independent(g, least);
}

void sb_gram_solve(sb_gram *g, sb_scalar *r) {
    const int m = g->m;
    sb_scalar *x = g->rest;
    if (g->h == 0) {
        solve_sparse(g, r);
        return;
    }
    memcpy(x, r, (size_t)m * sizeof *x);
    solve_sparse(g, x);
    spread(g, x);
    for (int c = 0; c < g->h; c++) {
        g->xi[c] = sb_dot(m, g->U + c * m, x);
    }
    memset(x, 0, (size_t)m * sizeof *x);
    for (int a = 0; a < g->kept; a++) {
        x[g->keep[a]] = r[g->keep[a]] - row_times(g, g->keep[a]);
    }
    solve_hubs(g, x);
    spread(g, x); /* x_Z */
    for (int j = 0; j < m; j++) {
        r[j] -= row_times(g, j);
    }
    for (int c = 0; c < g->h; c++) {
        sb_axpy(m, -g->xi[c], g->U + c * m, r);
    }
    solve_sparse(g, r);
    for (int a = 0; a < g->kept; a++) {
        r[g->keep[a]] = x[g->keep[a]];
    }
}
