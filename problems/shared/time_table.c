/* Functions of time by tables of two columns, t and value, from CSV files. */
#include "problems/shared/time_table.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/text.h"

/* ---- Slopes. ---- */

static sb_scalar secant(const time_table *s, int i) { return (s->y[i + 1] - s->y[i]) / (s->x[i + 1] - s->x[i]); }

static void set_linear(time_table *s) {
    for (int i = 0; i + 1 < s->count; i++) {
        s->after[i] = s->before[i + 1] = secant(s, i);
    }
}

/* With the secants s and the slope p of the parabola through three points, the slope is the smallest in size of
 * s_{i-1}, s_i and p/2, times two; 0 where the secants differ in sign; the secants at both ends. steffen90.
 */
static void set_monotone(time_table *s) {
    for (int i = 1; i + 1 < s->count; i++) {
        const sb_scalar h0 = s->x[i] - s->x[i - 1], h1 = s->x[i + 1] - s->x[i], s0 = secant(s, i - 1),
                        s1 = secant(s, i), p = (s0 * h1 + s1 * h0) / (h0 + h1),
                        least = fmin(fmin(fabs(s0), fabs(s1)), 0.5 * fabs(p));
        s->before[i] = s->after[i] = s0 * s1 > 0.0 ? copysign(2.0 * least, s0) : 0.0;
    }
    s->after[0] = secant(s, 0);
    s->before[s->count - 1] = secant(s, s->count - 2);
}

/* Solves for the slopes d with which the second derivative is continuous, and 0 at both ends,
 *
 *   d_{i-1}/h_{i-1} + 2 (1/h_{i-1} + 1/h_i) d_i + d_{i+1}/h_i = 3 (s_{i-1}/h_{i-1} + s_i/h_i),
 *   2 d_0 + d_1 = 3 s_0,   d_{n-1} + 2 d_n = 3 s_{n-1},
 *
 * h_i the lengths of the intervals, by elimination without pivoting: the matrix is diagonally dominant. */
static int set_cubic(sb_arena *arena, time_table *s) {
    const int last = s->count - 1;
    sb_scalar *diagonal, *d = s->after;
    SB_NEW(arena, diagonal, s->count);
    for (int i = 0; i <= last; i++) {
        const sb_scalar w0 = i > 0 ? 1.0 / (s->x[i] - s->x[i - 1]) : 0.0,
                        w1 = i < last ? 1.0 / (s->x[i + 1] - s->x[i]) : 0.0,
                        factor = i > 0 ? w0 / diagonal[i - 1] : 0.0;
        diagonal[i] = 2.0 * (w0 + w1) - factor * w0;
        d[i] = 3.0 * ((i > 0 ? secant(s, i - 1) * w0 : 0.0) + (i < last ? secant(s, i) * w1 : 0.0)) -
               factor * (i > 0 ? d[i - 1] : 0.0);
    }
    for (int i = last; i >= 0; i--) {
        const sb_scalar w1 = i < last ? 1.0 / (s->x[i + 1] - s->x[i]) : 0.0;
        d[i] = (d[i] - w1 * (i < last ? d[i + 1] : 0.0)) / diagonal[i];
    }
    memcpy(s->before, d, (size_t)s->count * sizeof *d);
    return SB_OK;
}

/* ---- Reading. ---- */

static const char *skip_blanks(const char *text) { return text + strspn(text, " \t"); }

/* Reads the two numbers of a line; returns false if it contains anything else. */
static bool read_line(const char *line, sb_scalar *x, sb_scalar *y) {
    char *end;
    if (!sb_text_number(skip_blanks(line), &end, x) || *skip_blanks(end) != ',') {
        return false;
    }
    return sb_text_number(skip_blanks(skip_blanks(end) + 1), &end, y) && strchr("\r\n", *skip_blanks(end)) != NULL;
}

/* Returns whether a cell is nan or inf, or begins with a character of a decimal number. */
static bool begins_like_number(const char *cell) {
    char *end;
    (void)sb_strtod(cell, &end);
    return (*cell != '\0' && strchr("+-.0123456789", *cell) != NULL) ||
           (end != cell && strchr(",\r\n", *skip_blanks(end)) != NULL);
}

static bool is_heading(const char *line) {
    for (const char *cell = skip_blanks(line);; cell = skip_blanks(cell + 1)) {
        if (begins_like_number(cell)) {
            return false;
        }
        cell += strcspn(cell, ",\r\n");
        if (*cell != ',') {
            return true;
        }
    }
}

/* Fails for a carriage return within a line: what follows it would be lost. */
static int check_returns(sb_context *ctx, const char *path, const char *text) {
    int line = 1;
    for (const char *c = text; *c != '\0'; line += *c == '\n', c++) {
        if (c[0] == '\r' && c[1] != '\n' && c[1] != '\0') {
            return sb_fail(ctx, SB_BAD_USAGE,
                           "%s, line %d: a carriage return without a line feed; end lines with LF or "
                           "CR LF",
                           path, line);
        }
    }
    return SB_OK;
}

static int read_lines(sb_context *ctx, const char *path, const char *text, time_table *out) {
    int number = 0;
    bool first = true;
    for (const char *line = text; *line != '\0'; line += strcspn(line, "\n"), line += *line == '\n') {
        sb_scalar *x = out->x + out->count, *y = out->y + out->count;
        number++;
        if (line[strspn(line, " \t\r")] == '#' || strchr("\r\n", *skip_blanks(line)) != NULL) {
            continue;
        }
        const bool heading = first && is_heading(line);
        first = false;
        if (heading) {
            continue;
        }
        if (!read_line(line, x, y)) {
            return sb_fail(ctx, SB_BAD_USAGE,
                           "%s, line %d: two finite decimal numbers `t,value` are needed, not \"%.*s\"", path, number,
                           (int)(strcspn(line, "\r\n") < 60 ? strcspn(line, "\r\n") : 60), line);
        }
        if (out->count > 0 && !(*x > x[-1])) {
            return sb_fail(ctx, SB_BAD_USAGE, "%s, line %d: t = %g does not exceed the time of the line before, %g",
                           path, number, (double)*x, (double)x[-1]);
        }
        out->count++;
    }
    return out->count >= 2
               ? SB_OK
               : sb_fail(ctx, SB_BAD_USAGE, "%s has %d lines `t,value`; a table needs two at least", path, out->count);
}

int sb_time_table_init(sb_arena *arena, int lines, time_table_kind kind, time_table *out) {
    *out = (time_table){.kind = kind};
    return SB_VECTORS(arena, lines, &out->x, &out->y, &out->before, &out->after);
}

int sb_time_table_connect(sb_arena *arena, time_table *me) {
    if (me->kind == TIME_TABLE_CUBIC) {
        return set_cubic(arena, me);
    }
    (me->kind == TIME_TABLE_LINEAR ? set_linear : set_monotone)(me);
    return SB_OK;
}

int sb_time_table_read(sb_context *ctx, sb_arena *arena, const char *path, time_table_kind kind, time_table *out) {
    char *text;
    int lines = 1;
    SB_TRY(sb_text_read(ctx, arena, path, &text));
    for (const char *c = text; *c != '\0'; c++) {
        lines += *c == '\n';
    }
    SB_TRY(sb_time_table_init(arena, lines, kind, out));
    SB_TRY(check_returns(ctx, path, text));
    SB_TRY(read_lines(ctx, path, text, out));
    return sb_time_table_connect(arena, out);
}

/* ---- Values. ---- */

/* The cubic of Hermite between two lines of distance h, with the secant s and the slopes a and b:
 * y_0 + theta h (s + (1 - theta) ((1 - theta) (a - s) - theta (b - s))), theta = (t - x_0)/h. */
void sb_time_table_add(const time_table *me, sb_scalar t, sb_scalar w[3]) {
    int low = 0, high = me->count - 1;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        *(me->x[middle] <= t ? &low : &high) = middle;
    }
    const sb_scalar h = me->x[high] - me->x[low], s = secant(me, low), a = me->after[low] - s, b = me->before[high] - s,
                    at = fmin(fmax(t, me->x[low]), me->x[high]), u = (at - me->x[low]) / h, c = 1.0 - u,
                    rate = s + a * c * (1.0 - 3.0 * u) - b * u * (2.0 - 3.0 * u);
    w[0] += me->y[low] + u * h * (s + c * (c * a - u * b)) + rate * (t - at);
    w[1] += rate;
    w[2] += t == at ? (a * (6.0 * u - 4.0) + b * (6.0 * u - 2.0)) / h : 0.0;
}

int sb_time_table_breaks(sb_arena *arena, const time_table *me, int *breaks, sb_scalar **break_at) {
    const sb_scalar *old = *break_at;
    const int count = *breaks;
    int i = 0, k = 0;
    SB_NEW(arena, *break_at, count + me->count);
    for (*breaks = 0; i < count || k < me->count; ++*breaks) {
        const sb_scalar t = k == me->count || (i < count && old[i] < me->x[k]) ? old[i] : me->x[k];
        i += i < count && old[i] == t;
        k += k < me->count && me->x[k] == t;
        (*break_at)[*breaks] = t;
    }
    return SB_OK;
}

int sb_time_table_note(sb_arena *arena, const char *what, const char *path, const time_table *me, const char **note) {
    enum { PARTS = 16 };
    sb_scalar low = INFINITY, high = -INFINITY, most = 0.0, value = 0.0;
    int line = 0;
    for (int i = 0; i < me->count; i++) {
        low = fmin(low, me->y[i]);
        high = fmax(high, me->y[i]);
    }
    for (int k = 0; k < PARTS * (me->count - 1); k++) {
        const int i = k / PARTS;
        sb_scalar w[3] = {0.0};
        sb_time_table_add(me, me->x[i] + (me->x[i + 1] - me->x[i]) * (k % PARTS) / PARTS, w);
        const sb_scalar beyond = fmax(w[0] - fmax(me->y[i], me->y[i + 1]), fmin(me->y[i], me->y[i + 1]) - w[0]);
        if (beyond > most) {
            most = beyond;
            value = w[0];
            line = i;
        }
    }
    if (most > 0.1 * (high - low)) {
        SB_PRINT(
            arena, *note,
            "%s: between t = %g and %g the cubic spline through %s reaches %.3g, and the values there are %g and %g; "
            "take the interpolation monotone or linear, or add lines",
            what, (double)me->x[line], (double)me->x[line + 1], path, (double)value, (double)me->y[line],
            (double)me->y[line + 1]);
    }
    return SB_OK;
}
