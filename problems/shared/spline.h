/* Natural cubic splines through tables of two columns, t and value, from CSV files. They are computed in the precision
 * of the program, which GSL does not offer. */
#ifndef STEPBENCH_PROBLEMS_SHARED_SPLINE_H
#define STEPBENCH_PROBLEMS_SHARED_SPLINE_H

#include <stdlib.h>
#include <string.h>

#include <stepbench/system.h>

#include "core/base/text.h"

/* Between the knots x_i and x_{i+1} the second derivative is linear between M_i and M_{i+1}, and M = 0 at both ends.
 * Outside of the table the spline is continued as a straight line, so that it has two continuous derivatives
 * everywhere. */
typedef struct spline {
    int count;
    sb_scalar *x, *y, *M;
} spline;

/* Solves h_{i-1} M_{i-1} + 2 (h_{i-1} + h_i) M_i + h_i M_{i+1} = 6 (s_i - s_{i-1}), h_i the lengths of the intervals,
 * s_i their slopes, by elimination without pivoting: the matrix is diagonally dominant. */
static inline int spline_solve(sb_arena *arena, spline *s) {
    sb_scalar *d;
    SB_NEW(arena, d, s->count);
    for (int i = 1; i < s->count - 1; i++) {
        const sb_scalar before = s->x[i] - s->x[i - 1], after = s->x[i + 1] - s->x[i],
                        factor = i > 1 ? before / d[i - 1] : 0.0;
        d[i] = 2.0 * (before + after) - factor * before;
        s->M[i] = 6.0 * ((s->y[i + 1] - s->y[i]) / after - (s->y[i] - s->y[i - 1]) / before) - factor * s->M[i - 1];
    }
    for (int i = s->count - 2; i > 0; i--) {
        s->M[i] = (s->M[i] - (s->x[i + 1] - s->x[i]) * s->M[i + 1]) / d[i];
    }
    return SB_OK;
}

/* Reads the two numbers of a line; returns false if it contains anything else. */
static inline bool spline_line(const char *line, sb_scalar *x, sb_scalar *y) {
    char *end;
    *x = sb_strtod(line, &end);
    if (end == line || end[strspn(end, " \t")] != ',') {
        return false;
    }
    line = end + strspn(end, " \t") + 1;
    *y = sb_strtod(line, &end);
    return end != line && strchr("\r\n", end[strspn(end, " \t")]) != NULL && isfinite(*x) && isfinite(*y);
}

/* Reads the table: lines `t,value` with increasing t, comments after #, and a heading. SB_BAD_USAGE names the line that
 * is none of these. */
static inline int spline_read(sb_context *ctx, sb_arena *arena, const char *path, spline *out) {
    char *text;
    int lines = 1, number = 0;
    bool heading = true;
    SB_TRY(sb_text_read(ctx, arena, path, &text));
    for (const char *c = text; *c != '\0'; c++) {
        lines += *c == '\n';
    }
    *out = (spline){0};
    SB_TRY(SB_VECTORS(arena, lines, &out->x, &out->y, &out->M));
    for (const char *line = text; *line != '\0'; line += strcspn(line, "\n"), line += *line == '\n') {
        sb_scalar *x = out->x + out->count, *y = out->y + out->count;
        number++;
        if (line[strspn(line, " \t\r")] == '#' || strchr("\r\n", line[strspn(line, " \t")]) != NULL) {
            continue;
        }
        if (!spline_line(line, x, y)) {
            if (!heading) {
                return sb_fail(ctx, SB_BAD_USAGE, "%s, line %d: two numbers `t,value` are needed", path, number);
            }
        } else if (out->count > 0 && !(*x > x[-1])) {
            return sb_fail(ctx, SB_BAD_USAGE, "%s, line %d: t = %g does not exceed the time of the line before, %g",
                           path, number, (double)*x, (double)x[-1]);
        } else {
            out->count++;
        }
        heading = false;
    }
    return out->count >= 2
               ? spline_solve(arena, out)
               : sb_fail(ctx, SB_BAD_USAGE, "%s has %d lines `t,value`; a table needs two at least", path, out->count);
}

/* Adds the spline and its first two derivatives at t to w. */
static inline void spline_add(const spline *s, sb_scalar t, sb_scalar w[3]) {
    int low = 0, high = s->count - 1;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        *(s->x[middle] <= t ? &low : &high) = middle;
    }
    const sb_scalar h = s->x[high] - s->x[low], slope = (s->y[high] - s->y[low]) / h, M0 = s->M[low], M1 = s->M[high],
                    at = fmin(fmax(t, s->x[low]), s->x[high]), a = s->x[high] - at, b = at - s->x[low],
                    rate = slope + (M1 * (3.0 * b * b - h * h) - M0 * (3.0 * a * a - h * h)) / (6.0 * h);
    w[0] += s->y[low] + slope * b + (M0 * a * (a * a - h * h) + M1 * b * (b * b - h * h)) / (6.0 * h) + rate * (t - at);
    w[1] += rate;
    w[2] += t == at ? (M0 * a + M1 * b) / h : 0.0;
}

#endif
