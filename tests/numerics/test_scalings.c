/* Newton's matrix of a discrete Euler-Lagrange step under the scalings wm96 (4.16) and (4.18), entry by entry against
 * that of (4.14). */
#include <float.h>

#include <stepbench/numerics/lagrangian.h>

#include "tests/problems/differences.h"
#include "tests/problems/systems.h"

enum { N = 6, M = 2, SIZE = N + M };

static void matrix(fixture *f, const sb_system *sys, sb_del_scaling scaling, double h, double *A) {
    sb_del del;
    double q[N], v[N], y[N], t;
    int status = sys->initial(sys->self, &t, q, v) | sb_del_init(&f->ctx, &f->arena, sys, 0.5, 0.5, scaling, &del);
    for (int i = 0; i < N; i++) {
        y[i] = q[i] + h * v[i];
    }
    status |= sb_del_matrix(&del, t, h, q, y, A);
    gsl_test(status != SB_OK, "Newton's matrix (%s)", status == SB_OK ? "done" : f->ctx.message);
}

int main(void) {
    const double h = 0.07;
    /* The factors of the Euler-Lagrange rows, of the constraint rows, and of the multiplier's columns. */
    const struct {
        sb_del_scaling scaling;
        double row, constraint, column;
    } cases[] = {
        {SB_SCALE_EQ16, h * h, h, 1.0 / h}, {SB_SCALE_EQ18, h, 1.0, 1.0 / h}, {SB_SCALE_H2, h * h, 1.0, 1.0 / (h * h)}};
    double plain[SIZE * SIZE], scaled[SIZE * SIZE];
    fixture f;
    sb_system sys;
    fixture_open(&f);
    fixture_build(&f, "dsp", NULL, &sys);
    matrix(&f, &sys, SB_SCALE_NONE, h, plain);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        matrix(&f, &sys, cases[k].scaling, h, scaled);
        for (int i = 0; i < SIZE; i++) {
            for (int j = 0; j < SIZE; j++) {
                const double expected = plain[i + SIZE * j] * (i < N ? cases[k].row : cases[k].constraint) *
                                        (j < N ? 1.0 : cases[k].column);
                gsl_test(!close_to(scaled[i + SIZE * j], expected, 8.0 * DBL_EPSILON * fabs(expected)),
                         "scaling %zu, entry (%d, %d): %g, not %g", k, i, j, scaled[i + SIZE * j], expected);
            }
        }
    }
    fixture_close(&f);
    return gsl_test_summary();
}
