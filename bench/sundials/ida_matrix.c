/* The Jacobian F_y + cj F_y' of the equations that IDA solves, by differences of F along y + d, y' + cj d. Columns that
 * have no row in common are computed together, curtis74; the evaluations are counted. */
#include <string.h>

#include <sunmatrix/sunmatrix_sparse.h>

#include "bench/sundials/ida.h"

/* Records the entries of a block, transposed or not, at (row, col). */
static void put(const sb_pattern *P, bool transposed, int row, int col, int *rows, int *cols, int *count) {
    for (int j = 0; j < P->cols; j++) {
        for (int e = P->p[j]; e < P->p[j + 1]; e++) {
            if (rows != NULL) {
                rows[*count] = row + (transposed ? j : P->i[e]);
                cols[*count] = col + (transposed ? P->i[e] : j);
            }
            ++*count;
        }
    }
}

/* Records all entries. The column of a constraint covers the coordinates on which it depends. */
static int visit(const ida *w, int *rows, int *cols) {
    const sb_system *sys = w->s.dyn.sys;
    const sb_pattern *G = &sys->holonomic.G, *A = &sys->nonholonomic.A;
    const int n = sys->n, m = sys->holonomic.m, k = sys->nonholonomic.m, nu = 2 * n + m + k;
    int count = 0;
    for (int i = 0; i < n; i++) {
        const int diagonal[][2] = {{i, i}, {i, n + i}};
        for (int d = 0; d < 2; d++, count++) {
            if (rows != NULL) {
                rows[count] = diagonal[d][0];
                cols[count] = diagonal[d][1];
            }
        }
    }
    for (int moved = 0; moved <= n; moved += n) { /* derivatives by q, then by v */
        put(&sys->H, false, n, moved, rows, cols, &count);
        if (m > 0) {
            put(G, true, 2 * n, moved, rows, cols, &count);
        }
        if (m > 0 && w->stabilised) {
            put(G, true, nu, moved, rows, cols, &count);
        }
        if (k > 0) {
            put(A, true, 2 * n + m, moved, rows, cols, &count);
        }
    }
    if (m > 0) {
        put(G, false, n, 2 * n, rows, cols, &count);
    }
    if (m > 0 && w->stabilised) {
        put(G, false, 0, nu, rows, cols, &count);
    }
    if (k > 0) {
        put(A, false, n, 2 * n + m, rows, cols, &count);
    }
    return count;
}

/* Returns whether columns a and b have a row in common. */
static bool meet(const sb_pattern *J, int a, int b) {
    int i = J->p[a], j = J->p[b];
    while (i < J->p[a + 1] && j < J->p[b + 1] && J->i[i] != J->i[j]) {
        if (J->i[i] < J->i[j]) {
            i++;
        } else {
            j++;
        }
    }
    return i < J->p[a + 1] && j < J->p[b + 1];
}

int ida_matrix_init(sb_method *me, ida *w) {
    const int count = visit(w, NULL, NULL);
    int *rows, *cols;
    SB_NEW(me->arena, rows, count);
    SB_NEW(me->arena, cols, count);
    SB_NEW(me->arena, w->group, w->size);
    visit(w, rows, cols);
    SB_TRY(sb_pattern_from_pairs(me->arena, w->size, w->size, count, rows, cols, &w->J));
    for (int j = 0; j < w->size; j++) {
        bool fits = false;
        for (int g = 0; !fits; g++) {
            fits = true;
            for (int k = 0; k < j && fits; k++) {
                fits = w->group[k] != g || !meet(&w->J, j, k);
            }
            w->group[j] = g;
        }
        w->groups = w->group[j] >= w->groups ? w->group[j] + 1 : w->groups;
    }
    return SB_OK;
}

int ida_jacobian(double t, double cj, N_Vector y, N_Vector dydt, N_Vector r, SUNMatrix matrix, void *self, N_Vector a,
                 N_Vector b, N_Vector c) {
    ida *w = self;
    const double root = sqrt(SB_EPSILON);
    double *Jx = SUNSparseMatrix_Data(matrix);
    for (int j = 0; j <= w->size; j++) {
        SUNSparseMatrix_IndexPointers(matrix)[j] = w->J.p[j];
    }
    for (int e = 0; e < sb_pattern_nnz(&w->J); e++) {
        SUNSparseMatrix_IndexValues(matrix)[e] = w->J.i[e];
    }
    for (int g = 0; g < w->groups; g++) {
        N_VScale(1.0, y, a);
        N_VScale(1.0, dydt, b);
        for (int j = 0; j < w->size; j++) {
            if (w->group[j] == g) {
                NV_Ith_S(a, j) += root * w->s.scale[j];
                NV_Ith_S(b, j) += cj * root * w->s.scale[j];
            }
        }
        const int code = ida_residual(t, a, b, c, w);
        if (code != 0) {
            return code;
        }
        for (int j = 0; j < w->size; j++) {
            for (int e = w->J.p[j]; e < w->J.p[j + 1] && w->group[j] == g; e++) {
                Jx[e] = (NV_Ith_S(c, w->J.i[e]) - NV_Ith_S(r, w->J.i[e])) / (root * w->s.scale[j]);
            }
        }
    }
    return 0;
}
