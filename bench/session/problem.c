/* Registers problems whose terms are callbacks of another language. All matrices are full. */
#include <stdio.h>
#include <string.h>

#include "bench/session/internal.h"

/* What a specification sets: the callback's number, then the parameters. */
typedef struct problem_config {
    long callback;
    sb_scalar parameters[];
} problem_config;

typedef struct added_problem {
    sb_context *ctx;
    const char *name;
    session_callback callback;
    const double *parameters;
    int n;
    double *x; /* scratch (n x n + 2 n + 1) */
} added_problem;

enum { COORDINATES_MAX = 1000, SIZES = 8 };

static int call(const added_problem *p, const char *symbol, double t, const double *q, const double *v, const double *w,
                double *out) {
    const int result = p->callback.term(p->callback.arg, p->parameters, symbol, t, q, v, w, out);
    return sb_session_callback_end(p->ctx, result, SB_DOMAIN, "the problem %s for %s", p->name, symbol);
}

/* Adds c times a matrix on the full H. */
static int add(const added_problem *p, const char *symbol, double t, const double *q, const double *v, const double *w,
               double c, double *Hx) {
    if (c == 0.0) {
        return SB_OK;
    }
    SB_TRY(call(p, symbol, t, q, v, w, p->x));
    sb_axpy(p->n * p->n, c, p->x, Hx);
    return SB_OK;
}

static int mass(const void *self, const double *q, double *Mx) { return call(self, "M", 0.0, q, NULL, NULL, Mx); }

static int kinetic_gradient(const void *self, const double *q, const double *v, double *Tq) {
    return call(self, "T_q", 0.0, q, v, NULL, Tq);
}

static int kinetic_hessian(const void *self, const double *q, const double *v, double cqq, double cqv, double cvq,
                           double *Hx) {
    const added_problem *p = self;
    const int n = p->n;
    SB_TRY(add(p, "T_qq", 0.0, q, v, NULL, cqq, Hx));
    if (cqv == 0.0 && cvq == 0.0) {
        return SB_OK;
    }
    SB_TRY(call(p, "T_vq", 0.0, q, v, NULL, p->x));
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) {
            Hx[j * n + i] += cvq * p->x[j * n + i] + cqv * p->x[i * n + j];
        }
    }
    return SB_OK;
}

static int potential(const void *self, double t, const double *q, double *V) {
    return call(self, "V", 0.0, q, NULL, NULL, V);
}

static int potential_gradient(const void *self, double t, const double *q, double *Vq) {
    return call(self, "V_q", 0.0, q, NULL, NULL, Vq);
}

static int potential_hessian(const void *self, double t, const double *q, double c, double *Hx) {
    return add(self, "V_qq", 0.0, q, NULL, NULL, c, Hx);
}

static int force(const void *self, double t, const double *q, const double *v, double *f) {
    return call(self, "f", t, q, v, NULL, f);
}

static int force_jacobian(const void *self, double t, const double *q, const double *v, double cq, double cv,
                          double *Hx) {
    SB_TRY(add(self, "f_q", t, q, v, NULL, cq, Hx));
    return add(self, "f_v", t, q, v, NULL, cv, Hx);
}

static int constraint(const void *self, double t, const double *q, double *g, double *Gx) {
    SB_TRY(g != NULL ? call(self, "g", 0.0, q, NULL, NULL, g) : SB_OK);
    return Gx != NULL ? call(self, "G", 0.0, q, NULL, NULL, Gx) : SB_OK;
}

static int constraint_hessian(const void *self, double t, const double *q, const double *w, double c, double *Hx) {
    return add(self, "Hess g", 0.0, q, NULL, w, c, Hx);
}

static int curvature(const void *self, double t, const double *q, const double *v, double *out) {
    return call(self, "curvature", 0.0, q, v, NULL, out);
}

static int initial(const void *self, double *t, double *q, double *v) {
    const added_problem *p = self;
    SB_TRY(call(p, "start", 0.0, NULL, NULL, NULL, p->x));
    *t = p->x[0];
    memcpy(q, p->x + 1, (size_t)p->n * sizeof *q);
    memcpy(v, p->x + 1 + p->n, (size_t)p->n * sizeof *v);
    return SB_OK;
}

static int init(sb_context *ctx, sb_arena *arena, const void *parameters, sb_system *out) {
    const problem_config *config = parameters;
    const sb_session *session = (const sb_session *)ctx; /* its first member */
    added_problem *p;
    double sizes[SIZES] = {0.0};
    SB_NEW(arena, p, 1);
    p->ctx = ctx;
    p->callback = *session->callbacks[config->callback];
    p->name = p->callback.as.entry.name;
    p->parameters = config->parameters;
    SB_TRY(call(p, "size", 0.0, NULL, NULL, NULL, sizes));
    if (!(sizes[0] >= 1.0 && sizes[0] <= COORDINATES_MAX && sizes[1] >= 0.0 && sizes[1] <= sizes[0])) {
        return sb_fail(ctx, SB_BAD_USAGE,
                       "the problem %s has %g coordinates and %g constraints; a problem given by a callback takes 1 to "
                       "%d coordinates, for its matrices are full, and at most as many constraints",
                       p->name, sizes[0], sizes[1], (int)COORDINATES_MAX);
    }
    const int n = (int)sizes[0], m = (int)sizes[1];
    p->n = n;
    SB_NEW(arena, p->x, n * n + 2 * n + 1);
    out->n = n;
    out->time_scale = sizes[2];
    out->period = sizes[7];
    SB_TRY(sb_pattern_full(arena, n, n, &out->H));
    out->inertia = (sb_inertia){.self = p, .M = out->H, .mass = mass};
    if (sizes[3] != 0.0) {
        out->inertia.gradient = kinetic_gradient;
        out->inertia.hessian = kinetic_hessian;
    }
    if (sizes[4] != 0.0) {
        out->potential = (sb_potential){
            .self = p, .degree = -1, .value = potential, .gradient = potential_gradient, .hessian = potential_hessian};
    }
    if (sizes[5] != 0.0) {
        out->force = (sb_force){p, force, force_jacobian};
    }
    if (m > 0) {
        out->holonomic = (sb_holonomic){.self = p,
                                        .m = m,
                                        .degree = sizes[6] >= 0.0 && sizes[6] <= 2.0 ? (int)sizes[6] : -1,
                                        .value = constraint,
                                        .hessian = constraint_hessian,
                                        .curvature = curvature};
        SB_TRY(sb_pattern_full(arena, n, m, &out->holonomic.G));
    }
    out->self = p;
    out->initial = initial;
    return SB_OK;
}

/* Sets the row of parameter i. */
static int describe(sb_session *session, int i, const char *name, double initial, sb_param *out) {
    char text[32];
    snprintf(text, sizeof text, "%.17g", initial);
    *out = (sb_param){.name = sb_strdup(&session->arena, name),
                      .type = SB_REAL,
                      .offset = offsetof(problem_config, parameters) + (size_t)i * sizeof(sb_scalar),
                      .initial = sb_strdup(&session->arena, text),
                      .lo = -INFINITY,
                      .hi = INFINITY,
                      .ends = SB_OPEN,
                      .unit = "",
                      .doc = "of the problem's callback"};
    return out->name != NULL && out->initial != NULL ? SB_OK : SB_NO_MEMORY;
}

static int describe_all(sb_session *session, int count, const char *const *names, const double *initial,
                        sb_param **params) {
    SB_NEW(&session->arena, *params, count + 2); /* the number of the callback is the first, an empty row the last */
    for (int i = 0; i < count; i++) {
        SB_TRY(describe(session, i, names[i], initial[i], &(*params)[i + 1]));
    }
    return SB_OK;
}

int sb_session_add_problem(sb_session *session, const char *name, const char *brief, int count,
                           const char *const *parameters, const double *defaults, const char *picture,
                           sb_session_term term, void *arg) {
    sb_param *params;
    char *drawn = picture != NULL ? sb_strdup(&session->arena, picture) : NULL;
    SB_TRY(picture == NULL || drawn != NULL ? SB_OK : SB_NO_MEMORY);
    const locale_t before = sb_session_call_begin(session);
    SB_TRY(sb_session_call_end(before, describe_all(session, count, parameters, defaults, &params)));
    const session_callback callback = {
        .as.problem = {.entry = {name, brief, "", params, sizeof(problem_config) + (size_t)count * sizeof(sb_scalar)},
                       .init = init,
                       .picture = drawn},
        .kind = SB_KIND_PROBLEM,
        .term = term,
        .arg = arg};
    return sb_session_register(session, &callback, params);
}
