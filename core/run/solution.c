/* Reads a reference solution from a file, and checks that it belongs to the system. */
#include <math.h>
#include <string.h>

#include <jansson.h>

#include <stepbench/numerics/dynamics.h>
#include <stepbench/numerics/norm.h>

#include "core/base/spec.h"
#include "core/base/text.h"
#include "core/run/consistency.h"
#include "core/run/solution.h"

/* Sets x to the numbers of a list of texts. Returns false if it is not a list of n finite numbers. */
static bool read_number(const json_t *value, sb_scalar *x) {
    const char *text = json_string_value(value);
    char *end;
    return text != NULL && sb_text_number(text, &end, x) && *end == '\0';
}

static bool read_numbers(const json_t *list, int n, sb_scalar *x) {
    bool good = json_is_array(list) && json_array_size(list) == (size_t)n;
    for (int i = 0; good && i < n; i++) {
        good = read_number(json_array_get(list, (size_t)i), &x[i]);
    }
    return good;
}

/* Fails for a sample that lacks a number. */
static int read_samples(sb_context *ctx, const char *file, const json_t *list, sb_solution *out) {
    for (long j = 0; j <= out->count; j++) {
        const json_t *row = json_array_get(list, (size_t)j);
        if (!read_numbers(json_object_get(row, "q"), out->n, out->q + j * out->n) ||
            !read_numbers(json_object_get(row, "v"), out->n, out->v + j * out->n) ||
            !read_numbers(json_object_get(row, "a"), out->n, out->a + j * out->n) ||
            !read_numbers(json_object_get(row, "lambda"), out->m, out->lambda + j * out->m) ||
            (j == 0 && !read_number(json_object_get(row, "t"), &out->t0))) {
            return sb_fail(ctx, SB_IO, "%s is damaged: its sample %ld lacks a finite decimal number", file, j);
        }
    }
    return SB_OK;
}

/* Sets x to a bound of errors, a number of at least 0. */
static int read_bound(sb_context *ctx, const char *file, const json_t *bound, const char *of, sb_scalar *x) {
    const json_t *value = json_object_get(bound, of);
    *x = json_number_value(value);
    return json_is_number(value) && *x >= 0.0
               ? SB_OK
               : sb_fail(ctx, SB_IO, "%s is damaged: its bound of %s is no number of at least 0", file, of);
}

/* Fails unless the two specifications give the same parameters. A system that was not made from a specification passes.
 */
static int check_problem(sb_context *ctx, sb_arena *arena, const char *problem, const char *file, const char *text) {
    sb_spec ours, theirs;
    const int known = sb_spec_parse(ctx, arena, SB_KIND_PROBLEM, problem, &ours);
    if (known != SB_OK) {
        return known == SB_BAD_USAGE ? SB_OK : known;
    }
    SB_TRY(sb_spec_parse(ctx, arena, SB_KIND_PROBLEM, text, &theirs));
    const char *a = sb_spec_resolved(arena, &ours), *b = sb_spec_resolved(arena, &theirs);
    if (a == NULL || b == NULL) {
        return SB_NO_MEMORY;
    }
    return strcmp(a, b) == 0 ? SB_OK : sb_fail(ctx, SB_BAD_USAGE, "%s is the solution of %s, not of %s", file, b, a);
}

/* Fails unless the solution begins from the initial state of the system, up to the rounding of decimals. Differences
 * are relative to the largest coordinate and velocity of the motion, because the velocities of a state of rest are
 * round-off. */
static int check_start(sb_context *ctx, sb_arena *arena, const sb_system *sys, const char *file,
                       const sb_solution *me) {
    sb_scalar *q, *v, t, difference = 0.0;
    SB_TRY(SB_VECTORS(arena, sys->n, &q, &v));
    SB_TRY(sys->initial(sys->self, &t, q, v));
    const int all = (int)(me->count + 1) * sys->n;
    const sb_scalar size_q = sb_larger(sb_norm_max(sys->n, q), sb_norm_max(all, me->q)),
                    size_v = sb_larger(sb_norm_max(sys->n, v), sb_norm_max(all, me->v));
    for (int i = 0; i < sys->n; i++) {
        difference = sb_larger(difference, size_q > 0.0 ? fabs(me->q[i] - q[i]) / size_q : fabs(me->q[i]));
        difference = sb_larger(difference, size_v > 0.0 ? fabs(me->v[i] - v[i]) / size_v : fabs(me->v[i]));
    }
    return difference <= SB_CONSISTENCY_TOL && fabs(me->t0 - t) <= SB_CONSISTENCY_TOL * (1.0 + fabs(t))
               ? SB_OK
               : sb_fail(ctx, SB_BAD_USAGE, "%s and %s have different initial states: the relative difference is %.2g",
                         file, sys->name, (double)difference);
}

/* ---- The equations of motion: accelerations and multipliers. ---- */

/* Round-off is estimated by CHANGES random changes of relative size CHANGE, the geometric mean of SB_EPSILON and 1, and
 * multiplied by SAFETY, for sums of some hundred terms of either sign. */
#define CHANGE sqrt(SB_EPSILON)
enum { CHANGES = 4, SAFETY = 1024 };

/* The accelerations and multipliers `x` at a state, in one vector of `width`, and the differences from them that
 * round-off explains. */
typedef struct motion {
    sb_dynamics dyn;
    int n, width;
    bool redundant;             /* rows are linearly dependent */
    sb_scalar *q, *v;           /* a changed state */
    sb_scalar *size_q, *size_v; /* the largest |q_i| and |v_i| of the solution */
    sb_scalar *x, *changed, *allowed;
} motion;

static int motion_new(sb_context *ctx, sb_arena *arena, const sb_system *sys, const sb_solution *s, motion *me) {
    me->n = s->n;
    me->width = s->n + s->m;
    me->redundant = sys->redundant != NULL;
    SB_TRY(SB_VECTORS(arena, s->n, &me->q, &me->v, &me->size_q, &me->size_v));
    SB_TRY(SB_VECTORS(arena, me->width, &me->x, &me->changed, &me->allowed));
    for (long j = 0; j <= s->count; j++) {
        for (int i = 0; i < s->n; i++) {
            me->size_q[i] = sb_larger(me->size_q[i], fabs(s->q[j * s->n + i]));
            me->size_v[i] = sb_larger(me->size_v[i], fabs(s->v[j * s->n + i]));
        }
    }
    return sb_dynamics_init(ctx, arena, sys, &me->dyn);
}

/* Sets me->x to the accelerations and multipliers at sample j, and me->allowed to their round-off: a rounding of x, or
 * the difference made by relative changes CHANGE of time, coordinates and velocities, scaled to changes of the size of
 * a rounding. Multipliers of redundant rows, those of least norm, have half of the digits. */
static int motion_at(motion *me, const sb_solution *s, long j) {
    const sb_scalar *q = s->q + j * s->n, *v = s->v + j * s->n, t = s->t0 + (sb_scalar)j * s->dt;
    SB_TRY(sb_dynamics_acceleration(&me->dyn, t, q, v, me->x, me->x + me->n));
    for (int i = 0; i < me->width; i++) {
        me->allowed[i] = (i < me->n || !me->redundant ? SAFETY * SB_EPSILON : sqrt(SB_EPSILON)) * fabs(me->x[i]);
    }
    for (int k = 0; k < CHANGES; k++) {
        for (int i = 0; i < me->n; i++) {
            const unsigned bits = (unsigned)(i + 1) * 2654435761u >> (16 + 2 * k); /* pseudo-random */
            me->q[i] = q[i] + (bits & 1u ? CHANGE : -CHANGE) * me->size_q[i];
            me->v[i] = v[i] + (bits & 2u ? CHANGE : -CHANGE) * me->size_v[i];
        }
        SB_TRY(sb_dynamics_acceleration(&me->dyn, t * (1.0 + CHANGE), me->q, me->v, me->changed, me->changed + me->n));
        for (int i = 0; i < me->width; i++) {
            me->allowed[i] = sb_larger(me->allowed[i], SAFETY * SB_EPSILON / CHANGE * fabs(me->changed[i] - me->x[i]));
        }
    }
    return SB_OK;
}

/* Compares accelerations and multipliers of the system with those of every sample. The largest allowed difference of a
 * block holds for all its entries, because a linear solve mixes them. */
static int check_motion(sb_context *ctx, sb_arena *arena, const sb_system *sys, const char *file,
                        const sb_solution *s) {
    motion me = {0};
    SB_TRY(motion_new(ctx, arena, sys, s, &me));
    for (long j = 0; j <= s->count; j++) {
        SB_TRY(motion_at(&me, s, j));
        for (int block = 0; block < 2; block++) {
            const int from = block == 0 ? 0 : s->n, count = block == 0 ? s->n : s->m;
            const sb_scalar *stored = block == 0 ? s->a + j * s->n : s->lambda + j * s->m,
                            allowed = sb_norm_max(count, me.allowed + from);
            for (int i = 0; i < count; i++) {
                if (!(fabs(me.x[from + i] - stored[i]) <= allowed)) {
                    return sb_fail(ctx, SB_BAD_USAGE,
                                   "%s was computed for other equations of motion than those of %s: at its sample %ld, "
                                   "%s %d is %.17g there and %.17g here; the problem, its plug-in or a file that it "
                                   "reads was changed: compute the reference again",
                                   file, sys->name, j, block == 0 ? "acceleration" : "multiplier", i, (double)stored[i],
                                   (double)me.x[from + i]);
                }
            }
        }
    }
    return SB_OK;
}

/* ---- The file. ---- */

static int read_value(sb_context *ctx, sb_arena *arena, const char *problem, const sb_system *sys, const char *file,
                      const json_t *value, sb_solution *out) {
    const char *format = json_string_value(json_object_get(value, "format")),
               *text = json_string_value(json_object_get(value, "problem"));
    const json_t *list = json_object_get(value, "samples"), *bound = json_object_get(value, "bound"),
                 *first = json_array_get(list, 0);
    if (format == NULL || strcmp(format, "stepbench reference") != 0 || text == NULL || json_array_size(list) < 2 ||
        !read_number(json_object_get(value, "dt"), &out->dt) || !(out->dt > 0.0)) {
        return sb_fail(ctx, SB_IO, "%s was not written by `stepbench reference`", file);
    }
    SB_TRY(check_problem(ctx, arena, problem, file, text));
    out->n = (int)json_array_size(json_object_get(first, "q"));
    out->m = (int)json_array_size(json_object_get(first, "lambda"));
    if (out->n != sys->n || out->m != sb_system_bilateral(sys)) {
        return sb_fail(ctx, SB_BAD_USAGE,
                       "%s has %d coordinates and %d multipliers, and %s has %d and %d; a reference is made with the "
                       "same formulations",
                       file, out->n, out->m, sys->name, sys->n, sb_system_bilateral(sys));
    }
    out->count = (long)json_array_size(list) - 1;
    SB_NEW(arena, out->q, json_array_size(list) * (size_t)out->n);
    SB_NEW(arena, out->v, json_array_size(list) * (size_t)out->n);
    SB_NEW(arena, out->a, json_array_size(list) * (size_t)out->n);
    SB_NEW(arena, out->lambda, json_array_size(list) * (size_t)out->m);
    out->bound[SB_SOLUTION_LAMBDA] = NAN;
    SB_TRY(read_bound(ctx, file, bound, "q", &out->bound[SB_SOLUTION_Q]));
    SB_TRY(read_bound(ctx, file, bound, "v", &out->bound[SB_SOLUTION_V]));
    SB_TRY(out->m > 0 ? read_bound(ctx, file, bound, "lambda", &out->bound[SB_SOLUTION_LAMBDA]) : SB_OK);
    SB_TRY(read_samples(ctx, file, list, out));
    SB_TRY(check_start(ctx, arena, sys, file, out));
    return check_motion(ctx, arena, sys, file, out);
}

int sb_solution_read(sb_context *ctx, sb_arena *arena, const char *problem, const sb_system *sys, const char *file,
                     sb_solution *out) {
    json_error_t error;
    char *text;
    SB_TRY(sb_text_read(ctx, arena, file, &text));
    json_t *value = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    *out = (sb_solution){0};
    if (value == NULL) {
        return sb_fail(ctx, SB_IO, "the reference %s cannot be read: line %d: %s", file, error.line, error.text);
    }
    const int status = read_value(ctx, arena, problem, sys, file, value, out);
    json_decref(value);
    return status;
}

/* Returns whether a ratio is an integer to SB_GIVEN_TOL: an interval may be the rounded decimal of a fraction, as in
 * sb_steps.
 */
static bool is_multiple(sb_scalar ratio) {
    return round(ratio) >= 1.0 && fabs(ratio - round(ratio)) <= SB_GIVEN_TOL * ratio;
}

int sb_solution_stride(sb_context *ctx, const char *file, sb_scalar dt, sb_scalar h, long steps, long *stride) {
    for (*stride = 1; *stride <= steps; ++*stride) {
        if (dt == 0.0 || is_multiple((sb_scalar)*stride * h / dt)) {
            return SB_OK;
        }
    }
    return sb_fail(ctx, SB_BAD_USAGE,
                   "%s has samples every %g s, and no multiple of %g s is one of them before %g s; choose steps with a "
                   "common multiple, or compute a reference with other samples",
                   file, (double)dt, (double)h, (double)((sb_scalar)steps * h));
}

int sb_solution_every(sb_context *ctx, const sb_solution *me, const char *file, sb_scalar dt, long count, long *every) {
    const sb_scalar whole = round(dt / me->dt);
    if (!is_multiple(dt / me->dt)) {
        return sb_fail(ctx, SB_BAD_USAGE,
                       "%s has samples every %g s, and %g s is not a multiple of that; choose steps that are, or "
                       "compute a reference with more samples",
                       file, (double)me->dt, (double)dt);
    }
    if (!(whole * (sb_scalar)count <= (sb_scalar)me->count)) {
        return sb_fail(ctx, SB_BAD_USAGE, "%s ends after %g s, before the end of the runs at %g s", file,
                       (double)(me->dt * (sb_scalar)me->count), (double)(dt * (sb_scalar)count));
    }
    *every = (long)whole;
    return SB_OK;
}
