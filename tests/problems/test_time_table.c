/* Tables of functions of time, against GSL's interpolations: linear, the natural cubic spline, and Steffen's. */
#include <gsl/gsl_spline.h>
#include <gsl/gsl_test.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <stepbench/context.h>

#include "problems/shared/time_table.h"

enum { LINES = 9 };
static const double x[LINES] = {-1.0, 0.5, 0.75, 1.0, 2.5, 2.75, 4.0, 5.0, 9.0},
                    y[LINES] = {0.0, 0.2, 3.0, 3.0, -1.0, -1.5, -1.25, 4.0, 4.5};

static void near(double value, double expected, const char *what, double t) {
    gsl_test(!(fabs(value - expected) <= 1e-13 * (1.0 + fabs(expected))), "%s at t = %g: %.17g is %.17g", what, t,
             value, expected);
}

/* Round-off: values of size 5, slopes of size 15 and second derivatives of size 100 from some ten operations. */
static void against_gsl(sb_context *ctx, sb_arena *arena, const char *path) {
    const struct {
        time_table_kind kind;
        const gsl_interp_type *type;
        const char *name;
    } cases[] = {{TIME_TABLE_MONOTONE, gsl_interp_steffen, "monotone"},
                 {TIME_TABLE_LINEAR, gsl_interp_linear, "linear"},
                 {TIME_TABLE_CUBIC, gsl_interp_cspline, "cubic"}};
    for (int k = 0; k < 3; k++) {
        time_table table;
        gsl_spline *spline = gsl_spline_alloc(cases[k].type, LINES);
        gsl_test(sb_time_table_read(ctx, arena, path, cases[k].kind, &table) != SB_OK, "the table is read: %s",
                 ctx->message);
        gsl_spline_init(spline, x, y, LINES);
        for (double t = -0.97; t < 9.0; t += 0.061) {
            double w[3] = {1.0, 0.0, 0.0};
            sb_time_table_add(&table, t, w);
            near(w[0], 1.0 + gsl_spline_eval(spline, t, NULL), cases[k].name, t);
            near(w[1], gsl_spline_eval_deriv(spline, t, NULL), "its slope", t);
            near(0.01 * w[2], 0.01 * gsl_spline_eval_deriv2(spline, t, NULL), "its second derivative", t);
        }
        for (int side = 0; side < 2; side++) { /* straight lines beyond the ends */
            const double end = side == 0 ? -1.0 : 9.0, slope = gsl_spline_eval_deriv(spline, end, NULL);
            double w[3] = {0.0};
            sb_time_table_add(&table, end + (side == 0 ? -2.0 : 2.0), w);
            near(w[0], y[side == 0 ? 0 : LINES - 1] + (side == 0 ? -2.0 : 2.0) * slope, "beyond the end", end);
            near(w[1], slope, "the slope beyond the end", end);
            near(w[2], 0.0, "the curvature beyond the end", end);
        }
        gsl_spline_free(spline);
    }
}

/* The times of two tables are merged without repetitions. */
static void breaks(sb_arena *arena) {
    double a[] = {0.0, 1.0, 4.0}, b[] = {-1.0, 1.0, 2.0, 5.0}, *at = NULL;
    const double expected[] = {-1.0, 0.0, 1.0, 2.0, 4.0, 5.0};
    int count = 0;
    gsl_test(sb_time_table_breaks(arena, &(time_table){.count = 3, .x = a}, &count, &at) != SB_OK ||
                 sb_time_table_breaks(arena, &(time_table){.count = 4, .x = b}, &count, &at) != SB_OK,
             "breaks");
    gsl_test_int(count, 6, "six different times");
    for (int i = 0; i < 6 && count == 6; i++) {
        near(at[i], expected[i], "break", i);
    }
}

int main(void) {
    char path[] = "/tmp/time_table_XXXXXX";
    sb_context ctx;
    sb_arena arena;
    sb_context_init(&ctx);
    sb_arena_init(&arena, &ctx);
    const int file = mkstemp(path);
    FILE *to = file >= 0 ? fdopen(file, "w") : NULL;
    gsl_test(to == NULL, "a file");
    for (int i = 0; i < LINES && to != NULL; i++) {
        fprintf(to, "%.17g,%.17g\n", x[i], y[i]);
    }
    if (to != NULL) {
        fclose(to);
        against_gsl(&ctx, &arena, path);
        breaks(&arena);
        remove(path);
    }
    sb_arena_free(&arena);
    return gsl_test_summary();
}
