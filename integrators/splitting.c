/* Splitting methods for q'' = a(t, q) = -M^-1 V_q(t, q) with a constant mass: hlw06 II.5, III.3.4,
 *
 *   Phi_h = ... o phi^Y_{y_1 h} o phi^X_{x_1 h},
 *   drift phi^T_tau: q <- q + tau v, t <- t + tau,   kick phi^V_tau: v <- v + tau a(t, q),
 *
 * where drifts and kicks alternate. The coefficients are in splittings.def; those of the symmetric compositions in
 * compounds.def split every step c_i h of Verlet's method into half a kick, a drift and half a kick. */
#include <string.h>

#include <stepbench/numerics/dynamics.h>
#include <stepbench/plugin.h>

enum { DRIFT, KICK, STAGES_MAX = 17, OUTER_MAX = (STAGES_MAX + 1) / 2 };

typedef struct config {
    int method;
} config;

typedef struct splitting {
    int order, first;
    bool symmetric;
    int stages;
    sb_scalar outer[OUTER_MAX], inner[OUTER_MAX];
} splitting;

typedef struct composition {
    int order, outer;
    sb_scalar c[OUTER_MAX];
} composition;

static const splitting splittings[] = {
#define SB_SPLITTING(name, order, first, symmetric, stages, ref, outer, inner)                                         \
    {order, first, symmetric, stages, outer, inner},
#include "integrators/splittings.def"
#undef SB_SPLITTING
};
enum { SPLITTINGS = sizeof splittings / sizeof *splittings };

static const composition compositions[] = {
#define SB_COMPOUND(name)
#define SB_COMPOSITION(name, order, ref, brief, ...)                                                                   \
    {order, sizeof((sb_scalar[]){__VA_ARGS__}) / sizeof(sb_scalar), {__VA_ARGS__}},
#include "integrators/compounds.def"
#undef SB_COMPOSITION
#undef SB_COMPOUND
};

/* A step: the flows x_1 y_1 x_2 ... y_s x_{s+1}. */
typedef struct work {
    int first, stages;
    sb_scalar x[STAGES_MAX + 1], y[STAGES_MAX];
    sb_dynamics dyn;
    sb_scalar *a;
} work;

/* Sets a list of `count` coefficients, 1 in sum, from those before its middle: c_{count+1-i} = c_i. */
static void unfold(int count, const sb_scalar *given, sb_scalar *c) {
    const int half = (count - 1) / 2;
    sb_scalar rest = 1.0;
    for (int i = 0; i < half; i++) {
        c[i] = c[count - 1 - i] = given[i];
        rest -= 2.0 * given[i];
    }
    c[half] = count % 2 == 1 ? rest : 0.5 * rest;
    c[count - 1 - half] = c[half];
}

static void set_splitting(const splitting *s, work *w) {
    w->first = s->first;
    w->stages = s->stages;
    if (s->symmetric) {
        unfold(s->stages + 1, s->outer, w->x);
        unfold(s->stages, s->inner, w->y);
        return;
    }
    memcpy(w->x, s->outer, (size_t)s->stages * sizeof *w->x);
    memcpy(w->y, s->inner, (size_t)s->stages * sizeof *w->y);
    w->x[s->stages] = 0.0;
}

static void set_composition(const composition *s, work *w) {
    w->first = KICK;
    w->stages = 2 * s->outer + 1;
    unfold(w->stages, s->c, w->y);
    for (int i = 0; i <= w->stages; i++) {
        const sb_scalar before = i > 0 ? w->y[i - 1] : 0.0, after = i < w->stages ? w->y[i] : 0.0;
        w->x[i] = 0.5 * (before + after);
    }
}

/* A method whose first and last flows are kicks evaluates them at one point: aux is the acceleration there. */
static bool ends_with_kick(const work *w) { return w->first == KICK && w->x[w->stages] != 0.0; }

static int init(sb_method *me) {
    const int method = ((const config *)me->config)->method;
    work *w;
    SB_NEW(me->arena, w, 1);
    SB_NEW(me->arena, w->a, me->sys->n);
    if (method < SPLITTINGS) {
        set_splitting(&splittings[method], w);
    } else {
        set_composition(&compositions[method - SPLITTINGS], w);
    }
    me->work = w;
    me->naux = ends_with_kick(w) ? me->sys->n : 0;
    return sb_dynamics_init(me->ctx, me->arena, me->sys, &w->dyn);
}

static int start(const sb_method *me, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar h, sb_state *out) {
    work *w = me->work;
    return me->naux > 0 ? sb_dynamics_acceleration(&w->dyn, t, q, v, out->aux, NULL) : SB_OK;
}

static int step(const sb_method *me, const sb_state *in, sb_scalar h, sb_state *out) {
    work *w = me->work;
    const int n = me->sys->n, last = 2 * w->stages;
    const sb_scalar *a = in->aux;
    sb_scalar drifts = 0.0; /* the sum of the coefficients of the drifts so far */
    memcpy(out->q, in->q, (size_t)n * sizeof *out->q);
    memcpy(out->v, in->v, (size_t)n * sizeof *out->v);
    for (int k = 0; k <= last; k++) {
        const sb_scalar c = k % 2 == 0 ? w->x[k / 2] : w->y[k / 2];
        if ((k % 2 == 0) == (w->first == DRIFT)) {
            drifts += c;
            sb_axpy(n, c * h, out->v, out->q);
        } else if (c != 0.0) {
            if (k > 0 || me->naux == 0) {
                sb_scalar *here = k == last ? out->aux : w->a;
                SB_TRY(sb_dynamics_acceleration(&w->dyn, in->t + drifts * h, out->q, out->v, here, NULL));
                a = here;
            }
            sb_axpy(n, c * h, a, out->v);
        }
    }
    return SB_OK;
}

static int order_of(const sb_stepper *me, const void *config_, unsigned features, sb_variable variable) {
    const int method = ((const config *)config_)->method;
    return method < SPLITTINGS ? splittings[method].order : compositions[method - SPLITTINGS].order;
}

static unsigned loses(const void *config_) {
    const int method = ((const config *)config_)->method;
    return method < SPLITTINGS && !splittings[method].symmetric ? SB_KEEPS_REVERSIBILITY : 0;
}

static const char methods[] =
#define SB_SPLITTING(name, ...) "|" #name
#include "integrators/splittings.def"
#undef SB_SPLITTING
#define SB_COMPOUND(name)
#define SB_COMPOSITION(name, ...) "|" #name
#include "integrators/compounds.def"
    ;

static const sb_param params[] = {
    SB_PARAM_CHOICE(config, method, "pefrl", methods + 1,
                    "coefficients, by the names of their authors; those of a composition split Verlet's method"),
    {.name = NULL},
};

SB_DEFINE_STEPPER(splitting) = {
    .entry = {"splitting", "splitting into drifts and kicks with the coefficients of many authors, orders 2 to 8",
              "hlw06 III.3.4; ruth83; forest90; mclachlan92; okunbor94; omelyan02; blanes02", params, sizeof(config)},
    .order = 4,
    .order_of = order_of,
    .supports = SB_HAS_TIME_POTENTIAL,
    .keeps = SB_KEEPS_MOMENTA | SB_KEEPS_REVERSIBILITY,
    .loses = loses,
    .init = init,
    .start = start,
    .step = step,
};
