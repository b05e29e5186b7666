/* Registers steppers and forces whose equations are callbacks of another language. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "bench/session/internal.h"
#include "core/base/grow.h"
#include "core/run/scatter.h"

/* ---- Steppers. ---- */

/* The context of a run is the session's first member, also in a process of its own. */
int sb_session_callback_end(sb_context *ctx, int result, int numerical, const char *format, ...) {
    sb_session *session = (sb_session *)ctx;
    const int status = result == SB_SESSION_FAILED ? numerical : SB_BAD_PLUGIN;
    char what[128], reason[SESSION_REASON];
    if (result == SB_SESSION_DONE) {
        return SB_OK;
    }
    va_list names;
    va_start(names, format);
    vsnprintf(what, sizeof what, format, names);
    va_end(names);
    memcpy(reason, session->reason, sizeof reason);
    session->reason[0] = '\0';
    return reason[0] != '\0' ? sb_fail(ctx, status, "the callback of %s: %s", what, reason)
                             : sb_fail(ctx, status, "the callback of %s returned %d", what, result);
}

void sb_session_explain(sb_session *session, const char *reason) {
    snprintf(session->reason, sizeof session->reason, "%s", reason);
}

typedef struct stepper_work {
    sb_session_system view;
    double *anew; /* the vectors of a multistep method that starts anew */
} stepper_work;

static int stepper_init(sb_method *me) {
    stepper_work *w;
    SB_NEW(me->arena, w, 1);
    me->work = w;
    me->naux = ((const session_callback *)me->type)->vectors * me->sys->n;
    SB_NEW(me->arena, w->anew, me->naux);
    return sb_session_system_view(me->ctx, me->arena, me->sys, &w->view);
}

static int stepper_end(const sb_method *me, int result) {
    return sb_session_callback_end(me->ctx, result, SB_NOT_CONVERGED, "the stepper %s", me->type->entry.name);
}

static int stepper_start(const sb_method *me, double t, const double *q, const double *v, double h, sb_state *out) {
    const session_callback *type = (const session_callback *)me->type;
    stepper_work *w = me->work;
    return stepper_end(me, type->step(type->arg, &w->view, t, h, q, v, NULL, NULL, NULL, out->aux));
}

static int stepper_step(const sb_method *me, const sb_state *in, double h, sb_state *out) {
    const session_callback *type = (const session_callback *)me->type;
    for (int i = 0; i < sb_system_multipliers(me->sys); i++) {
        out->lambda[i] = 0.0; /* a callback has no multipliers */
    }
    out->iters = 0;
    stepper_work *w = me->work;
    const bool anew = me->type->multistep && h != in->h;
    if (anew) {
        SB_TRY(stepper_end(me, type->step(type->arg, &w->view, in->t, h, in->q, in->v, NULL, NULL, NULL, w->anew)));
    }
    return stepper_end(me, type->step(type->arg, &w->view, in->t, h, in->q, in->v, anew ? w->anew : in->aux, out->q,
                                      out->v, out->aux));
}

static int stepper_report(const sb_method *me, const sb_state *in, const sb_state *next, double *v, double *lambda) {
    if (v != NULL) {
        memcpy(v, in->v, (size_t)me->sys->n * sizeof(double));
    }
    for (int i = 0; lambda != NULL && i < sb_system_multipliers(me->sys); i++) {
        lambda[i] = (double)NAN;
    }
    return SB_OK;
}

/* A word and its bit. */
typedef struct flag {
    const char *word;
    unsigned bit;
} flag;

static const flag features[] = {
#define FLAG(name, bit, word, meaning) {word, 1U << (bit)},
    SB_FEATURE_LIST(FLAG)};
static const flag properties[] = {SB_KEEPS_LIST(FLAG)};
#undef FLAG

/* Sets the bits of words that are joined by commas. `what` names the words in the message of a failure. */
static int parse_flags(sb_context *ctx, const char *words, const char *what, size_t count, const flag *flags,
                       unsigned *out) {
    for (const char *at = words; *at != '\0'; at += strspn(at, ",")) {
        const size_t length = strcspn(at, ",");
        size_t i = 0;
        while (i < count && (strlen(flags[i].word) != length || strncmp(flags[i].word, at, length) != 0)) {
            i++;
        }
        if (i == count) {
            char known[256] = "";
            for (size_t k = 0; k < i; k++) {
                strcat(strcat(known, k > 0 ? ", " : ""), flags[k].word);
            }
            return sb_fail(ctx, SB_BAD_USAGE, "\"%.*s\" is no %s; there are %s", (int)length, at, what, known);
        }
        *out |= flags[i].bit;
        at += length;
    }
    return SB_OK;
}

/* Their numbers, for any number of coordinates, are counted by an int. */
enum { VECTORS_MAX = 1000 };

int sb_session_add_stepper(sb_session *session, const char *name, const char *brief, int order, const char *supports,
                           const char *keeps, int vectors, int multistep, sb_session_step step, void *arg) {
    session_callback callback = {.as.stepper = {.entry = {name, brief, "", NULL, 0},
                                                .order = order,
                                                .init = stepper_init,
                                                .start = vectors > 0 ? stepper_start : NULL,
                                                .step = stepper_step,
                                                .multistep = multistep != 0,
                                                .report = stepper_report},
                                 .kind = SB_KIND_STEPPER,
                                 .step = step,
                                 .vectors = vectors,
                                 .arg = arg};
    session->ctx.message[0] = '\0';
    if (order < 0 || vectors < 0 || vectors > VECTORS_MAX) {
        return sb_fail(&session->ctx, SB_BAD_USAGE,
                       "the stepper %s has order=%d and vectors=%d; neither may be negative, and a stepper carries at "
                       "most %d vectors",
                       name, order, vectors, (int)VECTORS_MAX);
    }
    SB_TRY(parse_flags(&session->ctx, supports, "feature of a problem", sizeof features / sizeof *features, features,
                       &callback.as.stepper.supports));
    SB_TRY(parse_flags(&session->ctx, keeps, "property that a stepper keeps", sizeof properties / sizeof *properties,
                       properties, &callback.as.stepper.keeps));
    return sb_session_register(session, &callback, NULL);
}

/* ---- Registration. ---- */

int sb_session_register(sb_session *session, const session_callback *callback, sb_param *number) {
    const sb_entry *entry = &callback->as.entry;
    session_callback *own;
    int i = 0;
    while (i < session->ncallbacks && (session->callbacks[i]->kind != callback->kind ||
                                       strcmp(session->callbacks[i]->as.entry.name, entry->name) != 0)) {
        i++;
    }
    if (number != NULL) {
        char text[16];
        snprintf(text, sizeof text, "%d", i);
        *number = (sb_param){"callback", SB_INT, 0,  sb_strdup(&session->arena, text),      (double)i, (double)i,
                             SB_CLOSED,  NULL,   "", "the callback's number in the session"};
    }
    SB_NEW(&session->arena, own, 1);
    *own = *callback;
    own->as.entry.name = sb_strdup(&session->arena, entry->name);
    own->as.entry.brief = sb_strdup(&session->arena, entry->brief);
    if (own->as.entry.name == NULL || own->as.entry.brief == NULL || (number != NULL && number->initial == NULL)) {
        return SB_NO_MEMORY;
    }
    if (i < session->ncallbacks) {
        SB_TRY(sb_registry_check_texts(&session->ctx, &own->as.entry));
        *session->callbacks[i] = *own;
        return SB_OK;
    }
    SB_GROW(&session->arena, session->callbacks, session->ncallbacks, session->room);
    SB_TRY(sb_registry_add(&session->registry, own->kind, &own->as.entry));
    session->callbacks[session->ncallbacks++] = own;
    return SB_OK;
}

/* ---- Forces. ---- */

/* The number of the callback in the session, by which the formulation finds it. */
typedef struct force_config {
    long callback;
} force_config;

typedef struct added_force {
    const sb_system *inner;
    session_callback callback; /* a copy: it may be replaced */
    sb_context *ctx;
    sb_scatter scatter;
    double *x, *plus, *minus; /* scratch (n) */
} added_force;

/* The Jacobian of a callback is a full matrix, computed from 4 n evaluations of n numbers. */
enum { COORDINATES_MAX = 1000 };

static int call(const added_force *p, double t, const double *q, const double *v, double *f) {
    const int result = p->callback.force(p->callback.arg, t, p->inner->n, q, v, f);
    return sb_session_callback_end(p->ctx, result, SB_DOMAIN, "the force");
}

static int force_value(const void *self, double t, const double *q, const double *v, double *f) {
    const added_force *p = self;
    const sb_force *inner = &p->inner->force;
    SB_TRY(call(p, t, q, v, f));
    if (inner->value == NULL) {
        return SB_OK;
    }
    memcpy(p->x, f, (size_t)p->inner->n * sizeof(double));
    SB_TRY(inner->value(inner->self, t, q, v, f));
    for (int i = 0; i < p->inner->n; i++) {
        f[i] += p->x[i];
    }
    return SB_OK;
}

/* Adds c times the derivative of the callback by q (or by v) to the full H, by central differences of width cbrt(eps),
 * which have an error of eps^(2/3). */
static int add_differences(const added_force *p, double t, const double *q, const double *v, bool by_velocity, double c,
                           double *Hx) {
    const int n = p->inner->n;
    const double *x = by_velocity ? v : q;
    memcpy(p->x, x, (size_t)n * sizeof(double));
    for (int j = 0; j < n; j++) {
        const double width = cbrt(DBL_EPSILON) * fmax(1.0, fabs(x[j]));
        for (int side = 0; side < 2; side++) {
            p->x[j] = x[j] + (side == 0 ? width : -width);
            SB_TRY(call(p, t, by_velocity ? q : p->x, by_velocity ? p->x : v, side == 0 ? p->plus : p->minus));
        }
        p->x[j] = x[j];
        for (int i = 0; i < n; i++) {
            Hx[(size_t)j * (size_t)n + (size_t)i] += c * (p->plus[i] - p->minus[i]) / (2.0 * width);
        }
    }
    return SB_OK;
}

static int force_jacobian(const void *self, double t, const double *q, const double *v, double cq, double cv,
                          double *Hx) {
    const added_force *p = self;
    if (p->inner->force.jacobian != NULL) {
        SB_TRY(sb_scatter_force_jacobian(&p->scatter, t, q, v, cq, cv, Hx));
    }
    SB_TRY(cq != 0.0 ? add_differences(p, t, q, v, false, cq, Hx) : SB_OK);
    return cv != 0.0 ? add_differences(p, t, q, v, true, cv, Hx) : SB_OK;
}

/* Copies the outputs; with the force none of them is an invariant. */
static int copy_outputs(sb_arena *arena, const sb_outputs *inner, sb_outputs *out) {
    sb_output *list;
    SB_NEW(arena, list, inner->count);
    for (int i = 0; i < inner->count; i++) {
        list[i] = inner->list[i];
        list[i].invariant = false;
    }
    out->list = list;
    return SB_OK;
}

static int formulation_init(sb_context *ctx, sb_arena *arena, const void *parameters, const sb_system *inner,
                            sb_system *out) {
    const force_config *config = parameters;
    const sb_session *session = (const sb_session *)ctx;
    const int n = inner->n;
    added_force *p;
    if (n > COORDINATES_MAX) {
        return sb_fail(ctx, SB_UNSUPPORTED,
                       "a force given by a callback takes at most %d coordinates, for its Jacobian is a full matrix",
                       (int)COORDINATES_MAX);
    }
    SB_NEW(arena, p, 1);
    SB_TRY(SB_VECTORS(arena, n, &p->x, &p->plus, &p->minus));
    p->inner = inner;
    p->ctx = ctx;
    p->callback = *session->callbacks[config->callback];
    SB_TRY(sb_pattern_full(arena, n, n, &out->H));
    SB_TRY(sb_scatter_init(arena, inner, &out->H, &p->scatter));
    sb_scatter_inertia(&p->scatter, &out->inertia);
    sb_scatter_potential(&p->scatter, &out->potential);
    sb_scatter_holonomic(&p->scatter, &out->holonomic);
    out->force = (sb_force){p, force_value, force_jacobian};
    out->chart = NULL; /* the terms of the chart do not have the force */
    out->rigid = NULL;
    out->exact = NULL;
    out->period = 0.0;
    out->symmetry = (sb_symmetry){0};
    return copy_outputs(arena, &inner->outputs, &out->outputs);
}

int sb_session_add_force(sb_session *session, const char *name, const char *brief, sb_session_force force, void *arg) {
    sb_param *params;
    session->ctx.message[0] = '\0';
    SB_NEW(&session->arena, params, 2);
    const session_callback callback = {.as.formulation = {.entry = {name, brief, "", params, sizeof(force_config)},
                                                          .adds = SB_HAS_FORCE,
                                                          .init = formulation_init},
                                       .kind = SB_KIND_FORMULATION,
                                       .force = force,
                                       .arg = arg};
    return sb_session_register(session, &callback, params);
}
