/* Methods: a stepper bound to a system. Checks that the stepper supports the system, and calls its start, step and
 * report with the defaults and checks that stepper.h promises. */
#include <stdio.h>
#include <string.h>

#include <stepbench/method.h>

#include "core/base/params.h"
#include "core/base/registry.h"
#include "core/base/text.h"
#include "core/run/build.h"
#include "core/run/consistency.h"
#include "core/run/steps.h"

struct sb_method_work {
    sb_consistency consistency;
    sb_state next; /* the state after the reported one, if needs_next is not 0 */
};

#define MEANING(name, bit, word, meaning)                                                                              \
    if ((set & (unsigned)(name)) != 0) {                                                                               \
        return meaning;                                                                                                \
    }

const char *sb_feature_meaning(unsigned set) {
    SB_FEATURE_LIST(MEANING)
    return "";
}

const char *sb_offer_meaning(unsigned set) {
    SB_OFFER_LIST(MEANING)
    return "";
}

/* The features that a stepper has to support; offers are not among them. */
#define FEATURE(name, bit, word, meaning) | (unsigned)(name)
static const unsigned all_features = 0U SB_FEATURE_LIST(FEATURE);

/* Writes "; try -w NAME (what it does)" for the first registered formulation whose needs the system meets and under
 * which the stepper takes it. */
static void advise(const sb_context *ctx, const sb_stepper *stepper, unsigned flags, char *out, size_t size) {
    out[0] = '\0';
    if (ctx->registry == NULL || (stepper->needs & ~flags) != 0) { /* formulations add no offers */
        return;
    }
    for (int i = 0; i < ctx->registry->count[SB_KIND_FORMULATION]; i++) {
        const sb_formulation *formulation = (const sb_formulation *)ctx->registry->entries[SB_KIND_FORMULATION][i];
        const unsigned left = ((flags & all_features) & ~formulation->removes) | formulation->adds;
        if ((left & ~stepper->supports) == 0 && (formulation->needs & ~flags) == 0 &&
            (formulation->refuses & flags) == 0) {
            snprintf(out, size, "; try -w %s (%s)", formulation->entry.name, formulation->entry.brief);
            return;
        }
    }
}

/* Returns whether the stepper has a compliance that is zero in this configuration. */
static bool is_rigid(const sb_stepper *stepper, const void *config) {
    return stepper->compliance != NULL &&
           !(*(const sb_scalar *)((const char *)config + sb_param_find(&stepper->entry, stepper->compliance)->offset) >
             0.0);
}

/* Writes "; take odeiv2, rattle": steppers that take all features of a system, as many as fit in `size`. With redundant
 * constraints, steppers with a compliance are left out: the violation, compliance times force, depends on the units. */
static void name_takers(const sb_context *ctx, unsigned flags, char *out, size_t size) {
    const bool redundant = (flags & (unsigned)SB_HAS_REDUNDANT) != 0;
    size_t end = 0;
    out[0] = '\0';
    for (int i = 0; ctx->registry != NULL && i < ctx->registry->count[SB_KIND_STEPPER]; i++) {
        const sb_stepper *other = (const sb_stepper *)ctx->registry->entries[SB_KIND_STEPPER][i];
        if ((flags & all_features & ~other->supports) == 0 && (other->needs & ~flags) == 0 &&
            !(redundant && other->compliance != NULL) && end + strlen(other->entry.name) + 8 < size) {
            end += (size_t)snprintf(out + end, size - end, "%s%s", end == 0 ? "; take " : ", ", other->entry.name);
        }
    }
}

#define INSTEAD                                                                                                        \
    "%s; or a stepper for forces with -w baumgarte; with a compliance, as of spook and reg, constraints are violated " \
    "by compliance times force"

int sb_stepper_refusal(sb_context *ctx, const sb_stepper *stepper, const sb_system *sys, bool names_others) {
    const unsigned missing = sys->flags & all_features & ~stepper->supports, absent = stepper->needs & ~sys->flags;
    char advice[256], others[128];
    name_takers(ctx, sys->flags, others, names_others ? sizeof others : 1);
    if (missing != 0) {
        if (missing == (unsigned)SB_HAS_REDUNDANT) {
            return sb_fail(ctx, SB_UNSUPPORTED,
                           "%s does not take %s: it cannot handle redundant constraints (%s)" INSTEAD,
                           stepper->entry.name, sys->name, sys->redundant, others);
        }
        advise(ctx, stepper, sys->flags, advice, sizeof advice);
        return sb_fail(ctx, SB_UNSUPPORTED, "%s does not take %s: it cannot handle %s%s%s", stepper->entry.name,
                       sys->name, sb_feature_meaning(missing), advice, others);
    }
    if (absent != 0) {
        return sb_fail(ctx, SB_UNSUPPORTED, "%s does not take %s: it needs %s%s", stepper->entry.name, sys->name,
                       sb_offer_meaning(absent), others);
    }
    return SB_OK;
}

int sb_stepper_check(sb_context *ctx, const sb_stepper *stepper, const sb_system *sys) {
    return sb_stepper_refusal(ctx, stepper, sys, true);
}

int sb_stepper_order_of(const sb_stepper *stepper, const void *config, unsigned features, sb_variable variable) {
    int order = stepper->order_of != NULL && config != NULL ? stepper->order_of(stepper, config, features, variable)
                                                            : stepper->order;
    for (size_t i = 0; i < sizeof stepper->lower / sizeof *stepper->lower; i++) {
        if ((stepper->lower[i].features & features) != 0 && stepper->lower[i].order < order) {
            order = stepper->lower[i].order;
        }
    }
    return order;
}

int sb_stepper_order(const sb_stepper *stepper, const void *config, unsigned features) {
    const int q = sb_stepper_order_of(stepper, config, features, SB_POSITION),
              v = sb_stepper_order_of(stepper, config, features, SB_VELOCITY);
    return q < v ? q : v;
}

unsigned sb_stepper_keeps(const sb_stepper *stepper, const void *config) {
    return stepper->loses != NULL && config != NULL ? stepper->keeps & ~stepper->loses(config) : stepper->keeps;
}

/* Returns whether a sentence begins with this name. That of an engine that dies or does not answer does, which has not
 * refused anything. */
static bool is_about(const char *sentence, const char *name) {
    const size_t length = strlen(name);
    return strncmp(sentence, name, length) == 0 && sentence[length] == ' ';
}

/* Returns whether a system is plain: numerics/steps.h. */
static bool is_plain(const sb_system *sys) {
    const unsigned features = SB_HAS_TIME_POTENTIAL | SB_HAS_HOLONOMIC | SB_HAS_CURVED_HOLONOMIC;
    const sb_pattern *M = &sys->inertia.M;
    bool diagonal = true;
    for (int j = 0; j < sys->n; j++) {
        diagonal = diagonal && M->p[j + 1] == j + 1 && M->i[j] == j;
    }
    return diagonal && sys->potential.value != NULL && sys->embedding == NULL &&
           (sys->flags & all_features & ~features) == 0;
}

int sb_method_init(sb_context *ctx, sb_arena *arena, const sb_stepper *stepper, const void *config,
                   const sb_system *sys, sb_method *out) {
    SB_TRY(sb_stepper_check(ctx, stepper, sys));
    if ((sys->flags & (unsigned)SB_HAS_REDUNDANT) != 0 && sys->holonomic.eps == NULL && is_rigid(stepper, config)) {
        char advice[256];
        name_takers(ctx, sys->flags, advice, sizeof advice);
        return sb_fail(ctx, SB_UNSUPPORTED,
                       "%s with %s=0 does not take %s: it cannot handle redundant constraints (%s)" INSTEAD,
                       stepper->entry.name, stepper->compliance, sys->name, sys->redundant, advice);
    }
    *out =
        (sb_method){.type = stepper, .sys = sys, .config = config, .ctx = ctx, .arena = arena, .plain = is_plain(sys)};
    if ((sys->flags & (unsigned)SB_HAS_REDUNDANT) != 0 && stepper->compliance != NULL) {
        SB_PRINT(arena, out->note,
                 "rigid bodies do not determine how redundant rows share their force; the compliance %s does: %s",
                 stepper->compliance, sys->redundant);
    }
    SB_NEW(arena, out->core, 1);
    SB_TRY(sb_consistency_init(arena, sys, &out->core->consistency));
    out->core->consistency.roundoff = stepper->roundoff;
    const int status = stepper->init(out);
    if (status == SB_UNSUPPORTED && !is_about(ctx->message, stepper->entry.name)) {
        char reason[SB_MESSAGE_MAX];
        memcpy(reason, ctx->message, sizeof reason);
        return sb_fail(ctx, status, "%s does not take %s: %.*s", stepper->entry.name, sys->name, SB_MESSAGE_MAX / 2,
                       reason);
    }
    SB_TRY(status);
    return out->needs_next != 0 ? sb_state_new(out, arena, &out->core->next) : SB_OK;
}

int sb_state_new(const sb_method *me, sb_arena *arena, sb_state *out) {
    *out = (sb_state){0};
    SB_TRY(SB_VECTORS(arena, me->sys->n, &out->q, &out->v));
    SB_NEW(arena, out->lambda, sb_system_multipliers(me->sys));
    SB_NEW(arena, out->aux, me->naux);
    return SB_OK;
}

void sb_state_copy(const sb_method *me, const sb_state *from, sb_state *to) {
    const size_t n = (size_t)me->sys->n;
    to->t = from->t;
    to->h = from->h;
    to->iters = from->iters;
    memcpy(to->q, from->q, n * sizeof(sb_scalar));
    memcpy(to->v, from->v, n * sizeof(sb_scalar));
    memcpy(to->lambda, from->lambda, (size_t)sb_system_multipliers(me->sys) * sizeof(sb_scalar));
    memcpy(to->aux, from->aux, (size_t)me->naux * sizeof(sb_scalar));
}

/* Returns whether all numbers are finite. Compares without branches, because this runs after every step. */
static bool all_finite(int n, const sb_scalar *x) {
    bool finite = true;
    for (int i = 0; i < n; i++) {
        finite &= fabs(x[i]) <= SB_MAX;
    }
    return finite;
}

static int check_finite(const sb_method *me, const sb_state *state) {
    const int n = me->sys->n;
    if (all_finite(n, state->q) && all_finite(n, state->v)) {
        return SB_OK;
    }
    for (int i = 0; i < n; i++) {
        const bool velocity = isfinite(state->q[i]);
        if (!velocity || !isfinite(state->v[i])) {
            char own[SB_VARIABLE_SIZE];
            return sb_fail(me->ctx, SB_NOT_FINITE, "%s became %g; try a smaller step",
                           sb_variable_name(me->sys->coordinates, velocity, i, own),
                           (double)(velocity ? state->v : state->q)[i]);
        }
    }
    return SB_OK;
}

int sb_method_start(const sb_method *me, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar h,
                    sb_state *out) {
    const sb_system *sys = me->sys;
    const size_t n = (size_t)sys->n;
    const sb_scalar *q0 = q, *v0 = v;
    if (q == NULL) {
        SB_TRY(sys->initial(sys->self, &t, me->core->consistency.q, me->core->consistency.v));
        q0 = me->core->consistency.q;
        v0 = me->core->consistency.v;
    } else {
        SB_TRY(sb_consistency_check(&me->core->consistency, me->ctx, t, q, v));
    }
    out->t = t;
    out->h = h;
    out->iters = 0;
    memcpy(out->q, q0, n * sizeof(sb_scalar));
    memcpy(out->v, v0, n * sizeof(sb_scalar));
    memset(out->lambda, 0, (size_t)sb_system_multipliers(sys) * sizeof(sb_scalar));
    memset(out->aux, 0, (size_t)me->naux * sizeof(sb_scalar));
    SB_TRY(me->type->start != NULL ? me->type->start(me, t, q0, v0, h, out) : SB_OK);
    return check_finite(me, out);
}

int sb_method_start_pair(const sb_method *me, sb_scalar t, const sb_scalar *q0, const sb_scalar *q1, sb_scalar h,
                         sb_state *out) {
    if (me->type->start_pair == NULL) {
        return sb_fail(
            me->ctx, SB_UNSUPPORTED,
            "%s is a one-step method and cannot start from two points; start it from a position and a velocity",
            me->type->entry.name);
    }
    out->t = t + h;
    out->h = h;
    out->iters = 0;
    SB_TRY(me->type->start_pair(me, t, q0, q1, h, out));
    return check_finite(me, out);
}

int sb_method_step(const sb_method *me, const sb_state *in, sb_scalar h, sb_state *out) {
    out->iters = 0;
    SB_TRY(sb_poll(me->ctx));
    SB_TRY(me->type->step(me, in, h, out));
    out->t = in->t + h;
    out->h = h;
    return check_finite(me, out);
}

/* Coordinates times steps of a block: a block of one coordinate takes about as long as a step of so many coordinates,
 * and its end costs less than a percent of it. */
enum { BLOCK = 1024 };

/* Takes the steps up to `end`, or to an interruption, and checks the state after each of them if `checked`. */
static int take_steps(const sb_method *me, sb_steps_at *at, long end, bool checked) {
    if (!checked && me->steps != NULL) {
        return me->steps(me, at, end);
    }
    while (at->step < end && !sb_interrupted(me->ctx)) {
        at->next->iters = 0;
        SB_TRY(me->type->step(me, at->now, at->h, at->next));
        SB_TRY(checked ? check_finite(me, at->next) : SB_OK);
        sb_steps_follow(at);
    }
    return SB_OK;
}

int sb_method_steps(const sb_method *me, sb_steps_at *at, long last) {
    const bool single = me->type->continues || me->type->control.tolerance != NULL;
    const long most = single ? 1 : 1 + BLOCK / me->sys->n;
    while (at->step < last) {
        const long begin = at->step, end = last - begin < most ? last : begin + most;
        SB_TRY(sb_poll(me->ctx));
        if (end > begin + 1) {
            sb_state_copy(me, at->now, at->first);
        }
        int status = take_steps(me, at, end, end == begin + 1);
        if (end > begin + 1) {
            status = status == SB_OK ? check_finite(me, at->now) : status;
            if (status > 0) {
                sb_state_copy(me, at->first, at->now);
                at->step = begin;
                const int again = take_steps(me, at, end, true);
                status = again != SB_OK ? again : sb_fail(me->ctx, status, "a step fails once: it is no pure map");
            }
        }
        SB_TRY(status);
    }
    return SB_OK;
}

bool sb_method_needs_next(const sb_method *me, const sb_scalar *v, const sb_scalar *lambda) {
    const unsigned wanted =
        (v != NULL ? (unsigned)SB_NEXT_FOR_VELOCITY : 0U) | (lambda != NULL ? (unsigned)SB_NEXT_FOR_LAMBDA : 0U);
    return (me->needs_next & wanted) != 0;
}

int sb_method_report_between(const sb_method *me, const sb_state *in, const sb_state *next, sb_scalar *v,
                             sb_scalar *lambda) {
    const sb_state *from = (me->needs_next & SB_NEXT_FOR_LAMBDA) != 0 ? next : in;
    if (v != NULL) {
        memcpy(v, in->v, (size_t)me->sys->n * sizeof(sb_scalar));
    }
    for (int i = 0; i < sb_system_multipliers(me->sys) && lambda != NULL; i++) {
        lambda[i] = from != NULL ? from->lambda[i] : (sb_scalar)NAN;
    }
    return me->type->report != NULL ? me->type->report(me, in, next, v, lambda) : SB_OK;
}

int sb_method_report(const sb_method *me, const sb_state *in, sb_scalar *v, sb_scalar *lambda) {
    const sb_state *next = NULL;
    if (sb_method_needs_next(me, v, lambda)) {
        const int status = sb_method_step(me, in, in->h, &me->core->next);
        if (status < 0) {
            return status;
        }
        next = status == SB_OK ? &me->core->next : NULL;
    }
    return sb_method_report_between(me, in, next, v, lambda);
}

int sb_method_momentum(const sb_method *me, const sb_state *in, sb_scalar *p) {
    if (me->type->momentum != NULL) {
        return me->type->momentum(me, in, p);
    }
    SB_TRY(sb_method_report(me, in, me->core->consistency.v, NULL));
    return sb_consistency_momentum(&me->core->consistency, in->q, me->core->consistency.v, p);
}
