/* Registers steppers and forces whose equations are callbacks of another language. */
#include <float.h>
#include <stdio.h>
#include <string.h>

#include "bench/session/internal.h"
#include "problems/formulations/scatter.h"

/* ---- Steppers. ---- */

typedef struct callback_stepper {
    sb_stepper stepper; /* first: a method's type is it */
    sb_session_step step;
    void *arg;
    struct callback_stepper *next; /* of the session */
} callback_stepper;

/* The context of a run is the session's first member, also in a process of its own. */
int sb_session_callback_fail(sb_context *ctx, const char *what, int status, int otherwise) {
    sb_session *session = (sb_session *)ctx;
    char reason[SESSION_REASON];
    memcpy(reason, session->reason, sizeof reason);
    session->reason[0] = '\0';
    return reason[0] != '\0' ? sb_fail(ctx, otherwise, "the callback of %s: %s", what, reason)
                             : sb_fail(ctx, otherwise, "the callback of %s returned %d", what, status);
}

void sb_session_explain(sb_session *session, const char *reason) {
    snprintf(session->reason, sizeof session->reason, "%s", reason);
}

static int stepper_init(sb_method *me) {
    sb_session_system *view;
    SB_NEW(me->arena, view, 1);
    me->work = view;
    return sb_session_system_view(me->ctx, me->arena, me->sys, view);
}

static int stepper_step(const sb_method *me, const sb_state *in, double h, sb_state *out) {
    const callback_stepper *type = (const callback_stepper *)me->type;
    const int status = type->step(type->arg, me->work, in->t, h, in->q, in->v, out->q, out->v);
    for (int i = 0; i < sb_system_multipliers(me->sys); i++) {
        out->lambda[i] = 0.0; /* a callback has no multipliers */
    }
    out->iters = 0;
    char what[128];
    snprintf(what, sizeof what, "the stepper %s", type->stepper.entry.name);
    return status == SB_OK
               ? SB_OK
               : sb_session_callback_fail(me->ctx, what, status, status > 0 ? SB_NOT_CONVERGED : SB_BAD_PLUGIN);
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

/* Parses features joined by commas into bits. */
static int parse_features(sb_context *ctx, const char *words, unsigned *out) {
    static const struct {
        const char *word;
        unsigned bit;
    } features[] = {
#define FEATURE(name, bit, word, meaning) {word, 1U << (bit)},
        SB_FEATURE_LIST(FEATURE)
#undef FEATURE
    };
    for (const char *at = words; *at != '\0'; at += strspn(at, ",")) {
        const size_t length = strcspn(at, ",");
        size_t i = 0;
        while (i < sizeof features / sizeof *features &&
               (strlen(features[i].word) != length || strncmp(features[i].word, at, length) != 0)) {
            i++;
        }
        if (i == sizeof features / sizeof *features) {
            char known[256] = "";
            for (size_t k = 0; k < i; k++) {
                strcat(strcat(known, k > 0 ? ", " : ""), features[k].word);
            }
            return sb_fail(ctx, SB_BAD_USAGE, "\"%.*s\" is no feature of a problem; there are %s", (int)length, at,
                           known);
        }
        *out |= features[i].bit;
        at += length;
    }
    return SB_OK;
}

int sb_session_add_stepper(sb_session *session, const char *name, const char *brief, int order, const char *supports,
                           sb_session_step step, void *arg) {
    callback_stepper *type;
    session->ctx.message[0] = '\0';
    SB_NEW(&session->arena, type, 1);
    type->step = step;
    type->arg = arg;
    type->stepper =
        (sb_stepper){.entry = {sb_strdup(&session->arena, name), sb_strdup(&session->arena, brief), "", NULL, 0},
                     .order = order,
                     .init = stepper_init,
                     .step = stepper_step,
                     .report = stepper_report};
    if (type->stepper.entry.name == NULL || type->stepper.entry.brief == NULL) {
        return SB_NO_MEMORY;
    }
    SB_TRY(parse_features(&session->ctx, supports, &type->stepper.supports));
    for (callback_stepper *old = session->steppers; old != NULL; old = old->next) {
        if (strcmp(old->stepper.entry.name, name) == 0) {
            type->next = old->next;
            *old = *type;
            return SB_OK;
        }
    }
    SB_TRY(sb_registry_add(&session->registry, SB_KIND_STEPPER, &type->stepper.entry));
    type->next = session->steppers;
    session->steppers = type;
    return SB_OK;
}

/* ---- Forces. ---- */

/* The number of the callback in the session, by which the formulation finds it. */
typedef struct force_config {
    long callback;
} force_config;

typedef struct added_force {
    const sb_system *inner;
    session_force callback;
    sb_context *ctx;
    sb_scatter scatter;
    double *x, *plus, *minus; /* scratch (n) */
} added_force;

/* The Jacobian of a callback is a full matrix, computed from 4 n evaluations of n numbers. */
enum { COORDINATES_MAX = 1000 };

static int call(const added_force *p, double t, const double *q, const double *v, double *f) {
    const int status = p->callback.force(p->callback.arg, t, p->inner->n, q, v, f);
    return status == SB_OK
               ? SB_OK
               : sb_session_callback_fail(p->ctx, "the force", status, status > 0 ? SB_DOMAIN : SB_BAD_PLUGIN);
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

static int formulation_init(sb_context *ctx, sb_arena *arena, const void *parameters, const sb_system *inner,
                            sb_system *out) {
    const force_config *config = parameters;
    const sb_session *session = (const sb_session *)ctx;
    const int n = inner->n;
    added_force *p;
    int *row, *col;
    if (config->callback >= session->nforces || n > COORDINATES_MAX) {
        return sb_fail(
            ctx, SB_UNSUPPORTED,
            n > COORDINATES_MAX
                ? "a force given by a callback takes at most %d coordinates, for its Jacobian is a full matrix"
                : "there is no such callback; at most %d",
            n > COORDINATES_MAX ? (int)COORDINATES_MAX : session->nforces);
    }
    SB_NEW(arena, p, 1);
    SB_NEW(arena, row, n * n);
    SB_NEW(arena, col, n * n);
    SB_TRY(SB_VECTORS(arena, n, &p->x, &p->plus, &p->minus));
    for (int k = 0; k < n * n; k++) {
        row[k] = k % n;
        col[k] = k / n;
    }
    p->inner = inner;
    p->ctx = ctx;
    p->callback = session->forces[config->callback];
    SB_TRY(sb_scatter_init(arena, inner, n * n, row, col, &p->scatter, &out->H));
    sb_scatter_inertia(&p->scatter, &out->inertia);
    sb_scatter_potential(&p->scatter, &out->potential);
    sb_scatter_holonomic(&p->scatter, &out->holonomic);
    out->force = (sb_force){p, force_value, force_jacobian};
    out->chart = NULL; /* the terms of the chart do not have the force */
    out->rigid = NULL;
    out->exact = NULL;
    out->symmetry = (sb_symmetry){0};
    return SB_OK;
}

int sb_session_add_force(sb_session *session, const char *name, const char *brief, sb_session_force force, void *arg) {
    sb_formulation *formulation;
    sb_param *params;
    char *number;
    session->ctx.message[0] = '\0';
    if (session->nforces == SESSION_FORCES) {
        return sb_fail(&session->ctx, SB_BAD_USAGE, "a session takes at most %d forces", SESSION_FORCES);
    }
    SB_NEW(&session->arena, formulation, 1);
    SB_NEW(&session->arena, params, 2);
    SB_NEW(&session->arena, number, 16);
    snprintf(number, 16, "%d", session->nforces);
    params[0] = (sb_param){
        "callback", SB_INT, offsetof(force_config, callback),      number, 0.0, SESSION_FORCES - 1.0, SB_CLOSED,
        NULL,       "",     "the callback's number in the session"};
    *formulation = (sb_formulation){.entry = {sb_strdup(&session->arena, name), sb_strdup(&session->arena, brief), "",
                                              params, sizeof(force_config)},
                                    .adds = SB_HAS_FORCE,
                                    .init = formulation_init};
    if (formulation->entry.name == NULL || formulation->entry.brief == NULL) {
        return SB_NO_MEMORY;
    }
    SB_TRY(sb_registry_add(&session->registry, SB_KIND_FORMULATION, &formulation->entry));
    session->forces[session->nforces++] = (session_force){force, arg};
    return SB_OK;
}
