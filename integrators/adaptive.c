/* A one-step stepper with steps that adapt to the motion, by two controllers.
 *
 * `adaptive`: the conventional one of hnw93 II.4. A step of length h and two of length h/2 give the estimate
 * err = |y_{h/2} - y_h|/(2^p - 1) of the local error; the two steps are accepted where err <= rtol, and the next length
 * is 0.9 (rtol/err)^(1/(p+1)) h, between h/5 and 5 h; the first one is T rtol^(1/(p+1)). It costs three steps per
 * accepted pair; an embedded estimate (hw96 IV.8) costs two. At equal error an embedded estimate saves at most a third
 * of the work.
 *
 * `adaptive_reversible`: the integrating controller of hairer05, hlw06 VIII (3.2). It integrates the density of steps,
 *
 *   rho_{n+1/2} = rho_{n-1/2} + eps G(q_n, v_n),   h_{n+1/2} = eps/rho_{n+1/2},
 *   rho_{1/2} = omega_0 + eps G_0/2,
 *
 * where G = (ln omega)_q v is the rate of ln omega(q) along the motion. It is odd in v; therefore the method with these
 * steps is reversible. Here omega is a frequency of the potential in units of the time scale T, |q|^(-3/2) on Kepler's
 * orbits, and 1 for a quadratic potential, where steps are fixed:
 *
 *   omega = (f^2 + f_min^2)^(1/4),   f = T^2 |D^(-1/2) V_qq D^(-1/2)|_F,   eps = T rtol^(1/(p+1)),
 *
 * where D is the diagonal of M(q_0), so that (omega h/T)^(p+1), the size of the local error of a method of order p, is
 * rtol. */
#include <string.h>

#include <stepbench/plugin.h>

#include "integrators/shared/adaptive.h"
#include "integrators/shared/compound.h"

typedef struct config {
    sb_scalar rtol;
} config;

typedef struct work {
    compound_work compound;
    sb_adaptive adaptive;
    sb_scalar rtol, length, eps;
    int order;  /* of the base */
    long iters; /* of all its steps in this step */
    sb_scalar *q, *Hx, *weight;
    sb_state whole, half, both; /* a step of length h, and two of length h/2 */
    sb_state at;                /* between the point of the mesh and an output */
} work;

/* The point of the mesh stays h/4 to 5 h/4 before the output: with a step much shorter than h, the round-off of a
 * difference of positions, divided by the step, would enter the velocity of a constrained system. */

/* ---- The conventional controller; the control is the length of the next step. ---- */

/* Returns the estimate of the local error over the size of the motion. */
static sb_scalar estimate(const sb_method *me) {
    const work *w = me->work;
    const sb_scalar error_q = sb_distance_max(me->sys->n, w->both.q, w->whole.q),
                    error_v = sb_distance_max(me->sys->n, w->both.v, w->whole.v);
    return sb_larger(error_q, me->sys->time_scale * error_v) / ((pow(2.0, w->order) - 1.0) * w->length);
}

/* Takes the trial steps and counts them. Returns the factor of the next length and sets *accepted. A step that fails is
 * rejected. */
static int try_step(const sb_method *me, const sb_state *from, sb_scalar h, sb_scalar *factor, bool *accepted) {
    work *w = me->work;
    int status = sb_method_step(&w->compound.base, from, h, &w->whole);
    status = status == SB_OK ? sb_method_step(&w->compound.base, from, 0.5 * h, &w->half) : status;
    status = status == SB_OK ? sb_method_step(&w->compound.base, &w->half, 0.5 * h, &w->both) : status;
    *accepted = false;
    *factor = SB_R(0.2);
    if (status != SB_OK) {
        me->ctx->rejected++;
        return status < 0 ? status : SB_OK;
    }
    w->iters += w->whole.iters + w->half.iters + w->both.iters;
    const sb_scalar err = estimate(me);
    *accepted = err <= w->rtol;
    if (*accepted) {
        sb_count_step(me->ctx, w->both.t);
    }
    me->ctx->rejected += !*accepted;
    *factor = fmax(SB_R(0.2), fmin(5.0, SB_R(0.9) * pow(w->rtol / err, SB_R(1.0) / (w->order + 1))));
    return SB_OK;
}

static int next_by_error(const sb_method *me, sb_state *mesh, sb_scalar *control, sb_scalar way, sb_scalar end,
                         bool *done) {
    work *w = me->work;
    sb_scalar h = *control, factor;
    for (bool accepted = false; !accepted; h *= factor) {
        const sb_scalar signed_h = sb_adaptive_shorten(me->sys, mesh->t, copysign(h, way)),
                        t = mesh->t + 1.25 * signed_h;
        *control = h;
        if (!(way > 0.0 ? t <= end : t >= end)) {
            *done = true;
            return SB_OK;
        }
        h = fabs(signed_h);
        SB_TRY(sb_adaptive_check_step(me, mesh->t, h));
        SB_TRY(try_step(me, mesh, signed_h, &factor, &accepted));
    }
    *control = h;
    sb_state_copy(&w->compound.base, &w->both, mesh);
    return SB_OK;
}

/* Takes steps with the same control of the error. The length of the first one is that predicted for the mesh. */
static int reach_by_error(const sb_method *me, const sb_state *mesh, sb_scalar control, sb_scalar end, sb_state *out) {
    work *w = me->work;
    sb_scalar h = 1.125 * control, factor;
    sb_adaptive_progress progress = {0};
    sb_state_copy(&w->compound.base, mesh, &w->at);
    for (bool done = end == mesh->t; !done;) {
        const sb_scalar length = end - w->at.t;
        const bool last = fabs(length) <= h;
        const sb_scalar part = last ? length : fabs(length) < 2.0 * h ? 0.5 * length : copysign(h, length);
        bool accepted;
        SB_TRY(sb_adaptive_check_step(me, w->at.t, part));
        SB_TRY(try_step(me, &w->at, part, &factor, &accepted));
        h = accepted ? fmax(h, fabs(part) * factor) : fabs(part) * factor; /* it grows again behind a jump */
        if (accepted) {
            sb_state_copy(&w->compound.base, &w->both, &w->at);
            SB_TRY(sb_adaptive_count(me, &progress, w->at.t));
        }
        done = accepted && last;
    }
    sb_state_copy(&w->compound.base, &w->at, out);
    return SB_OK;
}

/* ---- The reversible controller; the control is the density of the step that follows the point of the mesh. ---- */

/* Its root is a hundredth of the frequency 1/T: where V_qq vanishes, steps are at most a hundred times as long. */
static const sb_scalar f_min = SB_R(1e-4);

/* Computes omega(q). */
static int compute_omega(const sb_method *me, const sb_scalar *q, sb_scalar *omega) {
    const work *w = me->work;
    const sb_potential *V = &me->sys->potential;
    const sb_pattern *H = &me->sys->H;
    sb_scalar sum = f_min * f_min;
    *omega = 1.0;
    if (V->degree >= 0 || V->hessian == NULL) {
        return SB_OK;
    }
    memset(w->Hx, 0, (size_t)sb_pattern_nnz(H) * sizeof(sb_scalar));
    SB_TRY(V->hessian(V->self, 0.0, q, me->sys->time_scale * me->sys->time_scale, w->Hx));
    for (int j = 0; j < me->sys->n; j++) {
        for (int at = H->p[j]; at < H->p[j + 1]; at++) {
            sum += w->Hx[at] * w->Hx[at] * w->weight[j] * w->weight[H->i[at]];
        }
    }
    *omega = sqrt(sqrt(sum));
    return SB_OK;
}

/* Computes G at (q, v) by a central difference over a sixteenth of eps. */
static int compute_rate(const sb_method *me, const sb_state *at, sb_scalar *G) {
    const work *w = me->work;
    const sb_scalar d = w->eps / 16.0;
    sb_scalar omega[2];
    for (int side = 0; side < 2; side++) {
        for (int i = 0; i < me->sys->n; i++) {
            w->q[i] = at->q[i] + (side == 0 ? -d : d) * at->v[i];
        }
        SB_TRY(compute_omega(me, w->q, &omega[side]));
    }
    *G = log(omega[1] / omega[0]) / (2.0 * d);
    return SB_OK;
}

/* Sets the weights to 1/D; to 0 for coordinates without mass. */
static int set_weights(sb_method *me) {
    const work *w = me->work;
    const sb_inertia *inertia = &me->sys->inertia;
    sb_scalar t, *Mx;
    SB_NEW(me->arena, Mx, sb_pattern_nnz(&inertia->M));
    SB_TRY(me->sys->initial(me->sys->self, &t, w->q, w->compound.motion.a));
    SB_TRY(inertia->mass(inertia->self, w->q, Mx));
    for (int j = 0; j < me->sys->n; j++) {
        for (int at = inertia->M.p[j]; at < inertia->M.p[j + 1]; at++) {
            w->weight[j] = inertia->M.i[at] == j && Mx[at] > 0.0 ? 1.0 / Mx[at] : w->weight[j];
        }
    }
    return SB_OK;
}

/* Fails with SB_NOT_CONVERGED for a density that gives no step. */
static int check_density(const sb_method *me, sb_scalar rho, sb_scalar t) {
    return rho > 0.0 ? SB_OK
                     : sb_fail(me->ctx, SB_NOT_CONVERGED,
                               "%s: the density of steps became %.3g at t = %.9g: use a smaller rtol",
                               me->type->entry.name, (double)rho, (double)t);
}

static int next_by_density(const sb_method *me, sb_state *mesh, sb_scalar *control, sb_scalar way, sb_scalar end,
                           bool *done) {
    work *w = me->work;
    const bool back = way < 0.0;
    sb_scalar G, rho = *control;
    if (back) {
        SB_TRY(compute_rate(me, mesh, &G));
        rho -= w->eps * G;
    }
    SB_TRY(check_density(me, rho, mesh->t));
    const sb_scalar h = w->eps / rho;
    *done = back ? !(mesh->t + 0.25 * h > end) : !(mesh->t + 1.25 * h <= end);
    if (*done) {
        return SB_OK;
    }
    SB_TRY(sb_adaptive_check_step(me, mesh->t, h));
    SB_TRY(sb_method_step(&w->compound.base, mesh, back ? -h : h, &w->both));
    w->iters += w->both.iters;
    sb_state_copy(&w->compound.base, &w->both, mesh);
    if (!back) {
        SB_TRY(compute_rate(me, mesh, &G));
        rho += w->eps * G;
    }
    *control = rho;
    sb_count_step(me->ctx, mesh->t);
    return SB_OK;
}

/* Takes one step to the output, or two where it is farther than a step of the mesh. To a neighbouring point of the mesh
 * it takes one step even where times are rounded, so that a step back undoes a step forward. */
static int reach_by_density(const sb_method *me, const sb_state *mesh, sb_scalar control, sb_scalar end,
                            sb_state *out) {
    work *w = me->work;
    const sb_scalar length = end - mesh->t;
    const sb_state *from = mesh;
    if (fabs(length) > 1.125 * w->eps / control) {
        SB_TRY(sb_method_step(&w->compound.base, mesh, 0.5 * length, &w->half));
        w->iters += w->half.iters;
        from = &w->half;
    }
    SB_TRY(sb_method_step(&w->compound.base, from, end - from->t, &w->whole));
    w->iters += w->whole.iters;
    sb_state_copy(&w->compound.base, &w->whole, out);
    return SB_OK;
}

/* ---- The compounds. ---- */

static int init(sb_method *me) {
    const config *c = sb_compound_config(me);
    const int n = me->sys->n;
    work *w;
    SB_NEW(me->arena, w, 1);
    SB_TRY(sb_compound_init(me, me->sys, &w->compound));
    SB_TRY(SB_VECTORS(me->arena, n, &w->q, &w->weight));
    SB_NEW(me->arena, w->Hx, sb_pattern_nnz(&me->sys->H));
    SB_TRY(set_weights(me));
    SB_TRY(sb_state_new(&w->compound.base, me->arena, &w->whole));
    SB_TRY(sb_state_new(&w->compound.base, me->arena, &w->half));
    SB_TRY(sb_state_new(&w->compound.base, me->arena, &w->both));
    SB_TRY(sb_state_new(&w->compound.base, me->arena, &w->at));
    SB_TRY(sb_system_length(me->ctx, me->sys, &w->length));
    w->length = w->length > 0.0 ? w->length : 1.0; /* a system that rests at the origin has no size */
    w->rtol = c->rtol;
    w->order = sb_stepper_order(w->compound.base.type, me->config, me->sys->flags);
    w->eps = me->sys->time_scale * pow(c->rtol, SB_R(1.0) / (w->order + 1));
    w->adaptive = *(const sb_adaptive *)sb_compound_data(me);
    w->adaptive.nbase = w->compound.base.naux;
    me->naux = sb_adaptive_naux(me->sys, w->compound.base.naux);
    return SB_OK;
}

static int start(const sb_method *me, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar h, sb_state *out) {
    work *w = me->work;
    sb_scalar omega, G, control = w->eps;
    SB_TRY(sb_method_start(&w->compound.base, t, q, v, copysign(w->eps, h), &w->both));
    if (w->adaptive.next == next_by_density) {
        SB_TRY(compute_omega(me, q, &omega));
        SB_TRY(compute_rate(me, &w->both, &G));
        control = omega + 0.5 * w->eps * G;
    }
    sb_adaptive_start(me, w->compound.base.naux, &w->both, control, out);
    return SB_OK;
}

static int step(const sb_method *me, const sb_state *in, sb_scalar h, sb_state *out) {
    work *w = me->work;
    w->iters = 0;
    SB_TRY(sb_adaptive_step(me, &w->adaptive, in, h, out));
    out->iters = w->iters;
    return SB_OK;
}

static int compose(sb_context *ctx, sb_compound_stepper *out) {
    const sb_stepper *base = out->base;
    const unsigned contacts = SB_HAS_CONTACT | SB_HAS_FRICTION;
    const sb_adaptive *controller = out->compound->data;
    const bool reversible = controller->next == next_by_density;
    if (!sb_compound_takes(base) || (base->supports & contacts) != 0 ||
        (reversible && (base->keeps & (unsigned)SB_KEEPS_REVERSIBILITY) == 0)) {
        return sb_fail(ctx, SB_UNSUPPORTED, "%s does not take %s: it takes a %s without contacts, such as %s and gauss",
                       out->compound->entry.name, base->entry.name,
                       reversible ? "reversible one-step stepper" : "stepper whose step may change,",
                       reversible ? "verlet, rattle, yoshida4(verlet)" : "verlet, rk4, radau_iia");
    }
    if (reversible) {
        out->stepper.supports &= ~(unsigned)SB_HAS_TIME_POTENTIAL; /* omega is a function of q alone */
    } else {
        out->stepper.keeps &= ~(unsigned)SB_KEEPS_REVERSIBILITY;
    }
    out->stepper.control = (sb_error_control){"rtol", base->order / (base->order + 1.0)};
    sb_compound_set(&out->stepper, init, step);
    out->stepper.start = start;
    return SB_OK;
}

static const sb_param params[] = {
    SB_PARAM_REAL(
        config, rtol, "1e-6", 1e-14, 0.1, SB_CLOSED, "",
        "local error of a step over the size of the motion, the larger of |q| and time_scale |v| at the start"),
    {0}};

static const sb_param reversible_params[] = {
    SB_PARAM_REAL(config, rtol, "1e-6", 1e-14, 0.1, SB_CLOSED, "",
                  "a step is rtol^(1/(order + 1)) over the frequency of the potential"),
    {0}};

static const sb_adaptive by_error = {.next = next_by_error, .reach = reach_by_error},
                         by_density = {.next = next_by_density, .reach = reach_by_density};

SB_DEFINE_COMPOUND(adaptive) = {
    .entry = {"adaptive", "a one-step stepper with error control by step doubling", "hnw93 II.4", params,
              sizeof(config)},
    .data = &by_error,
    .compose = compose,
};

SB_DEFINE_COMPOUND(adaptive_reversible) = {
    .entry = {"adaptive_reversible", "a one-step stepper with variable steps by a reversible controller",
              "hairer05; hlw06 VIII.3", reversible_params, sizeof(config)},
    .data = &by_density,
    .compose = compose,
};
