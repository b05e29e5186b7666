/* `stepbench_quad reference`: a solution by two methods of high order, each with two steps, and bounds of its error. */
#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include <sb_build_info.h>

#include "core/base/text.h"
#include "core/output/json.h"
#include "core/output/sink.h"
#include "core/run/quad_options.h"
#include "precision/precision.h"

/* Two methods for a class of systems: the second one bounds the error of the first. */
typedef struct choice {
    unsigned takes; /* SB_HAS_... of the class; a class precedes those that contain it */
    const char *stepper[2], *around[2];
} choice;

static const choice choices[] = {
    {0, {"gauss:stages=6", "kahan_li8(verlet)"}, {NULL, NULL}},
    {SB_HAS_FORCE | SB_HAS_VARIABLE_MASS, {"gauss:stages=6", "kahan_li8(midpoint)"}, {NULL, NULL}},
    {SB_HAS_HOLONOMIC | SB_HAS_CURVED_HOLONOMIC | SB_HAS_RHEONOMIC,
     {"gauss:stages=6", "kahan_li8(rattle)"},
     {"baumgarte", NULL}},
    /* Newton's method would factor full matrices in this precision; the fixed-point iteration of gauss factors sparse
     * ones: a step with 63 coordinates and 49 constraints takes 0.2 s. */
    {SB_HAS_FORCE | SB_HAS_VARIABLE_MASS | SB_HAS_HOLONOMIC | SB_HAS_CURVED_HOLONOMIC | SB_HAS_RHEONOMIC |
         SB_HAS_NONHOLONOMIC | SB_HAS_REDUNDANT,
     {"gauss:stages=6", "gauss:stages=5"},
     {"baumgarte", "baumgarte"}},
};
enum { CHOICES = sizeof choices / sizeof *choices };

/* Runs with the two last steps, and the change of the solution by the last halving; stalled: the next one did not
 * decrease the change. */
typedef struct attempt {
    const char *stepper, *around;
    sb_solution path, before;
    sb_scalar h, change[SB_SOLUTION_PARTS];
    bool stalled;
} attempt;

/* Halves the step until the change is below the goal, or grows because it is round-off. Of runs with h and h/2 the
 * second one has an error below their difference as soon as halving the step halves the error. A step that is too large
 * to converge counts as a halving. */
static int refine(const precision_call *call, attempt *me) {
    const sb_reference_options *c = call->config;
    const sb_scalar dt = c->t_end / (sb_scalar)c->samples;
    const sb_scalar largest = c->h > 0.0 ? c->h : 0.4 * (sb_scalar)call->sys.time_scale;
    bool before = false, measured = false;
    char why[SB_MESSAGE_MAX] = ""; /* of the last run that failed */
    long per;
    SB_TRY(sb_steps(call->ctx, dt, largest, SB_STEPS_UP, &per));
    for (long k = 0; k <= c->halvings; k++, per *= 2) {
        sb_solution path;
        sb_scalar change[SB_SOLUTION_PARTS];
        const int status = precision_path_run(call, me->stepper, me->around, dt, c->samples, per, true, &path);
        if (status < 0) {
            return status;
        }
        if (status > 0) {
            snprintf(why, sizeof why, "%s", call->ctx->message);
            continue;
        }
        if (before) {
            precision_path_difference(&path, &me->path, 1, change);
            me->stalled = measured && !(change[SB_SOLUTION_Q] < me->change[SB_SOLUTION_Q]);
            if (me->stalled) {
                return SB_OK;
            }
            memcpy(me->change, change, sizeof change);
            measured = true;
        }
        me->before = me->path;
        me->path = path;
        me->h = dt / (sb_scalar)per;
        before = true;
        if (measured && change[SB_SOLUTION_Q] <= c->goal * precision_path_size(&path, SB_SOLUTION_Q) &&
            change[SB_SOLUTION_V] <= c->goal * precision_path_size(&path, SB_SOLUTION_V)) {
            return SB_OK;
        }
    }
    if (!measured && !before) {
        return sb_fail(call->ctx, SB_NOT_CONVERGED, "%.900s; it fails with every step down to %g s", why,
                       (double)(2.0 * dt / (sb_scalar)per));
    }
    return measured ? SB_OK
                    : sb_fail(call->ctx, SB_NOT_CONVERGED,
                              "%s has no two runs with steps down to %g s; decrease --h or increase --halvings",
                              me->stepper, (double)(2.0 * dt / (sb_scalar)per));
}

static const choice *choose(const precision_call *call) {
    const unsigned all = SB_HAS_FORCE | SB_HAS_VARIABLE_MASS | SB_HAS_HOLONOMIC | SB_HAS_CURVED_HOLONOMIC |
                         SB_HAS_RHEONOMIC | SB_HAS_NONHOLONOMIC | SB_HAS_CONTACT | SB_HAS_FRICTION |
                         SB_HAS_SINGULAR_MASS | SB_HAS_REDUNDANT;
    for (int i = 0; i < CHOICES; i++) {
        if ((call->sys.flags & all & ~choices[i].takes) == 0) {
            return &choices[i];
        }
    }
    sb_fail(call->ctx, SB_UNSUPPORTED,
            "%s has no reference in quadruple precision: no two methods of high order take %s", call->problem,
            sb_feature_meaning(call->sys.flags & all & ~choices[CHOICES - 1].takes));
    return NULL;
}

/* Sets *text to a stepper of the list. The stages of gauss are found to goal/10^4, so that errors of 10^4 steps add up
 * to the goal; to round-off takes up to three times as many iterations. */
static int name_stepper(const precision_call *call, const char *stepper, const char **text) {
    const sb_reference_options *o = call->config;
    enum { SIZE = 64 };
    char *name;
    SB_NEW(call->arena, name, SIZE);
    snprintf(name, SIZE, "%s", stepper);
    if (strncmp(stepper, "gauss", 5) == 0) {
        snprintf(name, SIZE, "%s,tol=%.3g", stepper, 1e-4 * (double)o->goal);
    }
    *text = name;
    return SB_OK;
}

/* ---- The file. ---- */

static json_t *number(sb_scalar x) {
    char text[SB_SCALAR_TEXT];
    sb_format_scalar(x, text);
    return json_string(text);
}

static json_t *numbers(int n, const sb_scalar *x) {
    json_t *list = json_array();
    for (int i = 0; list != NULL && i < n; i++) {
        if (json_array_append_new(list, number(x[i])) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

static json_t *sizes(const sb_scalar *x, int m) {
    json_t *object = json_pack("{s:f, s:f}", "q", (double)x[SB_SOLUTION_Q], "v", (double)x[SB_SOLUTION_V]);
    if (object != NULL && m > 0) {
        json_object_set_new(object, "lambda", json_real((double)x[SB_SOLUTION_LAMBDA]));
    }
    return object;
}

static json_t *samples(const sb_solution *path) {
    json_t *list = json_array();
    for (long j = 0; list != NULL && j <= path->count; j++) {
        json_t *row =
            json_pack("{s:o, s:o, s:o, s:o, s:o}", "t", number(path->t0 + (sb_scalar)j * path->dt), "q",
                      numbers(path->n, path->q + j * path->n), "v", numbers(path->n, path->v + j * path->n), "a",
                      numbers(path->n, path->a + j * path->n), "lambda", numbers(path->m, path->lambda + j * path->m));
        if (row == NULL || json_array_append_new(list, row) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

static json_t *method(const attempt *me) {
    return json_pack("{s:s, s:s, s:o, s:o}", "stepper", me->stepper, "formulation",
                     me->around != NULL ? me->around : "", "h", number(me->h), "change", sizes(me->change, me->path.m));
}

static json_t *formulation_names(const precision_call *call) {
    json_t *list = json_array();
    for (int i = 0; list != NULL && i < call->formulations.count; i++) {
        json_array_append_new(list, json_string(sb_spec_resolved(call->arena, &call->formulations.list[i])));
    }
    return list;
}

static json_t *document(const precision_call *call, const attempt *a, const sb_scalar *bound) {
    json_t *provenance =
        json_pack("{s:s, s:s, s:b, s:s, s:s}", "stepbench", SB_VERSION, "commit", SB_COMMIT, "dirty", SB_DIRTY,
                  "compiler", SB_COMPILER, "precision", sizeof(sb_scalar) == 16 ? "binary128" : "");
    return json_pack("{s:s, s:s, s:o, s:o, s:i, s:[o, o], s:o, s:o, s:o}", "format", "stepbench reference", "problem",
                     sb_spec_resolved(call->arena, &call->spec), "formulations", formulation_names(call), "dt",
                     number(a->path.dt), "count", (int)a->path.count, "methods", method(&a[0]), method(&a[1]), "bound",
                     sizes(bound, a->path.m), "samples", samples(&a->path), "provenance", provenance);
}

static int write_document(const precision_call *call, const json_t *value) {
    sb_outfile file;
    SB_TRY(sb_outfile_open(call->ctx, call->arena, call->me->output, &file));
    const int status = sb_json_write(call->ctx, file.stream, value, JSON_INDENT(2));
    fputc('\n', file.stream);
    return sb_outfile_close(&file, status);
}

/* The error of the first method is at most its distance from the second plus the error of that. Sets the bound over the
 * first `count` samples. */
static void set_bound(const attempt a[2], long count, sb_scalar bound[SB_SOLUTION_PARTS]) {
    sb_solution first = a[0].path, second = a[1].path;
    sb_scalar change[SB_SOLUTION_PARTS];
    first.count = second.count = count;
    precision_path_difference(&first, &second, 1, bound);
    precision_path_difference(&second, &a[1].before, 1, change);
    for (int k = 0; k < SB_SOLUTION_PARTS; k++) {
        bound[k] += change[k];
    }
}

/* Returns whether the bound is what two methods that meet the goal have: twice the goal for their distance, and once
 * for the last change. */
static bool meets_goal(const precision_call *call, const attempt a[2], long count) {
    const sb_reference_options *o = call->config;
    sb_scalar bound[SB_SOLUTION_PARTS];
    set_bound(a, count, bound);
    return bound[SB_SOLUTION_Q] <= 3.0 * o->goal * precision_path_size(&a[0].path, SB_SOLUTION_Q) &&
           bound[SB_SOLUTION_V] <= 3.0 * o->goal * precision_path_size(&a[0].path, SB_SOLUTION_V);
}

/* Writes the bound of the errors and, where that misses the goal, up to which sample it does not, and why. */
static void report(const precision_call *call, const attempt a[2], const sb_scalar *bound) {
    const sb_reference_options *o = call->config;
    printf("errors at most %.2g in q and %.2g in v, by %s with h = %.6g and %s with h = %.6g\n",
           (double)bound[SB_SOLUTION_Q], (double)bound[SB_SOLUTION_V], a[0].stepper, (double)a[0].h, a[1].stepper,
           (double)a[1].h);
    if (meets_goal(call, a, o->samples)) {
        return;
    }
    long low = 0, high = o->samples; /* low meets the goal, high does not */
    while (high - low > 1) {
        const long middle = low + (high - low) / 2;
        *(meets_goal(call, a, middle) ? &low : &high) = middle;
    }
    const attempt *worse = a[0].stalled ? &a[0] : &a[1];
    printf("the goal, %.2g of the size, is met up to t = %.6g, of %ld samples: %s %s\n", (double)o->goal,
           (double)(a[0].path.t0 + (sb_scalar)low * a[0].path.dt), o->samples, worse->stepper,
           worse->stalled ? "does not come closer by halving its step" : "has no more --halvings");
}

int precision_reference_run(cli *me) {
    precision_call at, *call = &at;
    SB_TRY(precision_begin(me, NULL, call));
    const sb_reference_options *o = call->config;
    const choice *chosen = choose(call);
    sb_scalar bound[SB_SOLUTION_PARTS];
    attempt a[2] = {{0}};
    if (chosen == NULL) {
        return SB_UNSUPPORTED;
    }
    for (int i = 0; i < 2; i++) {
        const bool given = i == 1 && strcmp(o->second, "auto") != 0;
        SB_TRY(name_stepper(call, chosen->stepper[i], &a[i].stepper));
        a[i].stepper = given ? o->second : a[i].stepper;
        a[i].around = chosen->around[given ? 0 : i];
        SB_TRY(refine(call, &a[i]));
    }
    set_bound(a, o->samples, bound);
    json_t *value = document(call, a, bound);
    const int status = write_document(call, value);
    json_decref(value);
    if (status == SB_OK && me->output != NULL) {
        report(call, a, bound);
    }
    return status;
}
