/* Eigenvalues of the linearized step if the equations of the constraints are solved inexactly. */
#include <string.h>

#include <stepbench/numerics/lapack.h>
#include <stepbench/numerics/norm.h>

#include "analysis/contact/backward_error.h"

sb_implied sb_implied_compliance(double w, double z, double g, bool level, double noise_w, double noise_z) {
    if (!(fabs(w) > noise_w) || !(fabs(z) > noise_z)) {
        return (sb_implied){fabs(w) > noise_w ? (double)INFINITY : 0.0, false, false};
    }
    const double beta = -w / z, alpha = level ? -w / g : -1.0;
    return (sb_implied){beta, beta < 0.0, beta < 0.0 && !(alpha >= 0.0 && alpha < 1.0)};
}

/* Computes y = -P D C' e_j with the diagonal matrix D of `on_row` (NULL: 1). */
static void respond(const sb_implied_step *s, int j, const double *on_row, double *y) {
    for (int a = 0; a < s->rows; a++) {
        y[a] = 0.0;
    }
    for (int b = 0; b < s->rows; b++) {
        const double c = s->C[j + b * s->n] * (on_row != NULL ? on_row[b] : 1.0);
        for (int a = 0; a < s->rows && c != 0.0; a++) {
            y[a] -= s->P[a + b * s->rows] * c;
        }
    }
}

/* Sets a column of the map: q1, v1 and y for the impulses y and the unit vector q_q or v_v (an index of -1: none). */
static void set_column(const sb_implied_step *s, const double *y, int q, int v, double *column) {
    const int n = s->n;
    for (int i = 0; i < n; i++) {
        double sum = i == v ? 1.0 : 0.0;
        for (int a = 0; a < s->rows; a++) {
            sum += s->B[i + a * n] * y[a];
        }
        column[i] = (i == q ? 1.0 : 0.0) + s->h * sum;
        column[n + i] = sum;
    }
    if (s->E != NULL) {
        memcpy(column + 2 * n, y, (size_t)s->rows * sizeof(double));
    }
}

int sb_implied_radius(sb_context *ctx, const sb_implied_step *s, double *work, double *radius) {
    const int n = s->n, size = 2 * n + (s->E != NULL ? s->rows : 0);
    double *const map = work, *const re = work + (size_t)size * (size_t)size, *const im = re + size,
                  *const y = im + size;
    for (int j = 0; j < n; j++) {
        respond(s, j, s->on_level, y);
        set_column(s, y, j, -1, map + j * size);
        respond(s, j, NULL, y);
        set_column(s, y, -1, j, map + (n + j) * size);
    }
    for (int a = 0; a < s->rows && s->E != NULL; a++) {
        set_column(s, s->E + a * s->rows, -1, -1, map + (2 * n + a) * size);
    }
    double unused;
    const lapack_int info = LAPACKE_dgeev(LAPACK_COL_MAJOR, 'N', 'N', size, map, size, re, im, &unused, 1, &unused, 1);
    *radius = info == 0 ? 0.0 : (double)NAN;
    for (int i = 0; i < size && info == 0; i++) {
        *radius = sb_larger(*radius, hypot(re[i], im[i]));
    }
    return sb_lapack_no_memory(info) ? sb_fail(ctx, SB_NO_MEMORY, SB_LAPACK_NO_MEMORY) : SB_OK;
}
