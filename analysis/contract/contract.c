/* Analysis `contract`: checks that a stepper fulfils the contract of a step and has the properties it claims. */
#include "analysis/accuracy/nonsmooth.h"
#include "analysis/accuracy/order_verdict.h"
#include "analysis/checks.h"
#include "analysis/conservation/applied_work.h"
#include "analysis/conservation/drift.h"
#include "analysis/conservation/properties.h"
#include "analysis/pure_step.h"
#include "analysis/row.h"
#include "analysis/step_end.h"

typedef struct contract_config {
    long steps;
    double h; /* s; 0: half the default step */
} contract_config;

/* See check_limit. */
static const double largest_error = 0.1, smallest_slope = 0.5;

/* A pair under test. */
typedef struct trial {
    sb_context *ctx;
    sb_arena *arena;
    const sb_task *task;
    const sb_pair *pair;
    double h;
    long steps;
    unsigned keeps; /* what the stepper claims to keep as configured */
} trial;

/* Writes the row of a check: SB_CHECK(t, STEPS, passed, measured, allowed, format, ...). */
#define SB_CHECK(t, check, passed, measured, allowed, ...)                                                             \
    sb_check_write((t)->task,                                                                                          \
                   &(sb_check_result){SB_CHECK_##check, NULL, (sb_decision)(passed), (measured), (allowed), NULL},     \
                   __VA_ARGS__)

/* Returns whether the stepper claims what the check is about. */
static bool claims(const trial *t, sb_check_id check) { return (t->keeps & sb_check_claim[check]) != 0; }

/* ---- The step is a pure map. ---- */

/* Takes the steps one by one, and writes the rows start, steps, input, arrays and repeatable. */
static int check_steps(const trial *t, sb_method *me) {
    sb_state s[4];
    int written = 0, changed = 0, outside = 0, now;
    double *v;
    SB_NEW(t->arena, v, t->pair->sys->n);
    for (int i = 0; i < 4; i++) {
        SB_TRY(sb_state_new(me, t->arena, &s[i]));
    }
    int status = sb_method_start(me, 0.0, NULL, NULL, t->h, &s[0]);
    SB_TRY(SB_CHECK(t, START, status == SB_OK, status == SB_OK ? 0.0 : 1.0, 0.0,
                    "it does not start: %s; its `start` gets the initial state of the problem",
                    sb_failure_text(t->ctx, status)));
    long k = 0;
    for (; k < t->steps && status == SB_OK; k++) {
        sb_state_copy(me, &s[0], &s[1]);
        t->ctx->message[0] = '\0';
        status = sb_method_step(me, &s[0], t->h, &s[2]);
        written = written > 0 ? written : sb_state_differences(me, &s[0], &s[1]);
        if (status == SB_OK && (status = sb_method_report(me, &s[2], v, NULL)) == SB_OK &&
            !isfinite(sb_norm_max(t->pair->sys->n, v))) {
            status = sb_fail(t->ctx, SB_NOT_FINITE, "it reports a velocity that is not finite");
        }
        if (status == SB_OK && k == t->steps / 2) {
            status = sb_step_repeat(t->ctx, t->arena, t->pair, t->h, me, &s[1], &s[3], &s[0], &now);
            changed = status == SB_OK ? now : 0;
            sb_state_copy(me, &s[2], &s[3]);
            status = status == SB_OK ? sb_step_fenced(t->arena, t->h, me, &s[1], &s[3], &outside) : status;
        }
        sb_state_copy(me, &s[2], &s[0]);
    }
    if (status == SB_INTERRUPTED) {
        return status;
    }
    SB_TRY(SB_CHECK(t, STEPS, status == SB_OK, (double)(status == SB_OK ? k : k - 1), (double)t->steps,
                    "step %ld of length %.4g fails: %s%s", k, t->h, sb_failure_text(t->ctx, status),
                    sb_failure_is_result(status) ? "; --h of `contract` takes smaller steps" : ""));
    SB_TRY(SB_CHECK(t, INPUT, written == 0, (double)written, 0.0,
                    "a step writes to the state it starts from (numbers changed: %d); write to `out` only", written));
    if (status != SB_OK || written > 0) {
        return SB_OK;
    }
    SB_TRY(SB_CHECK(
        t, ARRAYS, changed > 0 || outside == 0, (double)outside, 0.0,
        "a step reads or writes numbers before or behind the arrays of a state (numbers that differ: %d); compare the "
        "lengths of its loops with sys->n, the multipliers and naux",
        outside));
    return SB_CHECK(t, REPEATABLE, changed == 0, (double)changed, 0.0,
                    "the same step from the same state gives other numbers (%d differ): something survives in it "
                    "that is not in the state; keep it there, in `aux` (Python: `vectors`), or compute it anew",
                    changed);
}

/* ---- The end of a step. ---- */

/* Measures the miss at a sixteenth of h, and at a 256th over the same time if it is not small: a fast motion may not be
 * resolved by the longer steps, and from rest the k-th step misses by a share of about 1/k. */
static int measure_miss(const trial *t, sb_step_start start, double *miss) {
    SB_TRY(sb_step_miss(t->ctx, t->pair, start, t->h / 16.0, t->steps, miss));
    return *miss > SB_STEP_MISS ? sb_step_miss(t->ctx, t->pair, start, t->h / 256.0, 16 * t->steps, miss) : SB_OK;
}

/* Checks that steps end near q + h v, from the start and from the same coordinates with the other sign and a turn
 * farther. Sets *passed. */
static int check_ends(const trial *t, bool *passed) {
    double miss[SB_STEP_STARTS];
    *passed = true;
    if (sb_nonsmooth(t->pair->sys)) {
        return SB_OK; /* velocities jump */
    }
    for (int k = 0; k < SB_STEP_STARTS; k++) {
        SB_TRY(measure_miss(t, (sb_step_start)k, &miss[k]));
    }
    const double far = sb_larger(isnan(miss[SB_STEP_ANTIPODAL]) ? 0.0 : miss[SB_STEP_ANTIPODAL],
                                 isnan(miss[SB_STEP_TURNED]) ? 0.0 : miss[SB_STEP_TURNED]);
    *passed = !(miss[SB_STEP_GIVEN] > SB_STEP_MISS) && !(far > SB_STEP_MISS);
    if (!isnan(miss[SB_STEP_GIVEN])) {
        SB_TRY(SB_CHECK(t, LENGTH, !(miss[SB_STEP_GIVEN] > SB_STEP_MISS), miss[SB_STEP_GIVEN], SB_STEP_MISS,
                        "steps miss q + h v by %.2g of their displacement, also for small h: they have another "
                        "length than h, or the reported v is not the rate of q; compare one step with q + h v",
                        miss[SB_STEP_GIVEN]));
    }
    return far > 0.0 && !(miss[SB_STEP_GIVEN] > SB_STEP_MISS)
               ? SB_CHECK(t, CONTINUOUS, !(far > SB_STEP_MISS), far, SB_STEP_MISS,
                          "from -q or from q + 2 pi, steps miss q + h v by %.2g of their displacement: coordinates "
                          "jump, as a quaternion that is brought to one sign or an angle to one turn; leave the "
                          "coordinates as they come",
                          far)
               : SB_OK;
}

/* ---- The properties that are claimed. ---- */

/* Checks that the error k at the smallest step, relative to `size`, is small or decreases with the step. The smallest
 * step is 1/32 of the first: the error of a method of order 1/2 has decreased to a fifth, whereas with a wrong sign or
 * factor it is as large as the quantity itself. There is no row where the error is that of compliant constraints. */
static int check_limit(const trial *t, sb_check_id check, const sb_order *order, int k, double size) {
    const double error = order->levels[order->n - 1].error[k], relative = error / size, slope = order->fit[k].value;
    if (!(size > 0.0) || isnan(relative) || order->effect[k] > 0.1 * error) {
        return SB_OK;
    }
    return sb_check_write(t->task,
                          &(sb_check_result){check, NULL, relative <= largest_error || slope >= smallest_slope,
                                             relative, largest_error, NULL},
                          "at the smallest step their relative error is %.2g, and it does not fall with the step; "
                          "`order` shows every step, "
                          "look for a wrong sign or factor",
                          relative);
}

/* Returns whether several gaps may close with a rebound, for which the law of impact is not unique. */
static bool has_several_impacts(const sb_contact *contact) {
    bool rebounds = false;
    for (int i = 0; i < contact->m && contact->restitution != NULL; i++) {
        rebounds = rebounds || contact->restitution[i] > 0.0;
    }
    return rebounds && contact->m > 1;
}

/* Checks that a motion with impacts or dry friction converges to the exact one. */
static int check_impacts(const trial *t) {
    static const sb_order_config config = {.levels = 6, .ratio = 2.0, .scales = 10.0, .reference = "exact"};
    sb_order order;
    if (t->pair->sys->exact == NULL || has_several_impacts(&t->pair->sys->contact)) {
        return SB_OK;
    }
    const int status = sb_order_measure(t->ctx, t->arena, &config, t->pair, &order);
    if (sb_failure_is_result(status)) {
        return SB_OK; /* no reference */
    }
    SB_TRY(status);
    return check_limit(t, SB_CHECK_POSITIONS, &order, SB_ERR_Q, order.size_q);
}

/* Checks the orders of q and v. An order above the claim and an error that is round-off pass. */
static int check_order(const trial *t) {
    static const sb_order_config config = {.levels = 6, .ratio = 2.0, .scales = 10.0, .reference = "auto"};
    sb_order order;
    if (sb_nonsmooth(t->pair->sys)) {
        return check_impacts(t); /* orders are claimed on smooth problems */
    }
    const int status = sb_order_decide(t->ctx, t->arena, &config, t->pair, 3, &order);
    if (sb_failure_is_result(status)) {
        return SB_OK; /* there is no reference */
    }
    SB_TRY(status);
    const double claimed = sb_claimed_power(t->pair, &order);
    for (int k = SB_ERR_Q; k <= SB_ERR_V; k++) {
        const sb_order_comparison found = sb_order_compare(&order, k, claimed);
        const sb_check_result result = {.check = k == SB_ERR_Q ? SB_CHECK_ORDER_Q : SB_CHECK_ORDER_V,
                                        .passed = found.verdict == SB_ORDER_UNCLEAR ? SB_UNCLEAR
                                                  : found.verdict == SB_ORDER_LOWER ? SB_NO
                                                                                    : SB_YES,
                                        .measured = found.measured,
                                        .allowed = claimed,
                                        .remedy = found.remedy};
        if (!isnan(found.measured)) {
            SB_TRY(sb_check_write(
                t->task, &result,
                found.measured < 0.5 && t->pair->sys->holonomic.m > 0 && t->pair->type->compliance == NULL
                    ? "it claims order %g, and its error does not fall with the step; `order` shows every step, look "
                      "for a wrong sign or factor, or a compliance of the constraints, whose parameter `compliance` "
                      "names"
                : found.measured < 0.5
                    ? "it claims order %g, and its error does not fall with the step; `order` shows every step, look "
                      "for a wrong sign or factor"
                    : "it claims order %g and has %.2f; `order` shows every step, look for a term that "
                      "is taken at the wrong time or digits that a step loses, or claim less with `lower` or "
                      "`order_of`",
                claimed, found.measured));
        }
    }
    return check_limit(t, SB_CHECK_MULTIPLIERS, &order, SB_ERR_LAMBDA, order.size_lambda);
}

/* Checks g = 0 and G v = 0, where claimed. */
static int check_constraints(const trial *t) {
    sb_constraint_residuals v;
    if (t->pair->sys->holonomic.m == 0 || !(claims(t, SB_CHECK_POSITION) || claims(t, SB_CHECK_TANGENCY))) {
        return SB_OK;
    }
    SB_TRY(sb_constraint_residuals_measure(t->ctx, t->arena, t->pair, t->h, 10 * t->steps, &v));
    if (claims(t, SB_CHECK_POSITION)) {
        SB_TRY(SB_CHECK(t, POSITION, v.position, v.relative_g, SB_ROUNDING_G,
                        "it claims to keep g(q) = 0 and leaves %.2g of its terms; iterate until g is round-off, or "
                        "do not claim it",
                        v.relative_g));
    }
    if (claims(t, SB_CHECK_TANGENCY)) {
        SB_TRY(SB_CHECK(t, TANGENCY, v.tangency, v.relative_gv, SB_ROUNDING_GV,
                        "it claims to keep G v = 0 and leaves %.2g of its terms; project the reported v, or do not "
                        "claim it",
                        v.relative_gv));
    }
    return SB_OK;
}

/* Checks the discrete momentum of every symmetry, where claimed. */
static int check_momenta(const trial *t) {
    sb_momentum *m;
    int count;
    if (t->pair->sys->symmetry.count == 0 || !claims(t, SB_CHECK_MOMENTUM)) {
        return SB_OK;
    }
    SB_TRY(sb_momentum_measure(t->ctx, t->arena, t->pair, SB_START_LEGENDRE, t->h, 20 * t->steps, &m, &count));
    for (int i = 0; i < count && m[i].excluded == NULL; i++) {
        const sb_check_result result = {.check = SB_CHECK_MOMENTUM,
                                        .name = m[i].name,
                                        .passed = m[i].conserved,
                                        .measured = m[i].discrete_deviation,
                                        .allowed = m[i].rounding};
        SB_TRY(
            sb_check_write(t->task, &result,
                           "it claims to keep the momentum %s and changes it by %.2g; set `momentum` to the discrete "
                           "momentum that it keeps, or do not claim it",
                           m[i].name, m[i].discrete_deviation));
    }
    return SB_OK;
}

/* Checks the energy of a conservative system, where claimed. */
static int check_energy(const trial *t) {
    sb_drift *d;
    int count;
    if (sb_applied_work_exists(t->pair->sys) || !claims(t, SB_CHECK_ENERGY)) {
        return SB_OK;
    }
    const long steps = 20 * t->steps;
    SB_TRY(sb_drift_measure(t->ctx, t->arena, t->pair, t->h, steps, 8, &d, &count));
    const double visible = sb_visible_defect(t->pair, t->h, steps) * d[0].size;
    return SB_CHECK(t, ENERGY, sb_decide(d[0].max, d[0].rounding, visible), d[0].max, d[0].rounding,
                    "it claims to keep the energy and changes it by %.2g; `drift` shows how, or do not claim it",
                    d[0].max);
}

/* Checks that steps back undo steps, where claimed and something moves. */
static int check_reversibility(const trial *t) {
    sb_reversibility r;
    if (!claims(t, SB_CHECK_REVERSIBILITY)) {
        return SB_OK;
    }
    SB_TRY(sb_reversibility_measure(t->ctx, t->arena, t->pair, t->h, t->steps, &r));
    if (!r.moves) {
        return SB_OK;
    }
    const bool of_v = t->h * r.v > r.q; /* the same as for the verdict: q against rounding, v against rounding/h */
    const double back = of_v ? r.v : r.q, allowed = of_v ? r.rounding / t->h : r.rounding;
    return SB_CHECK(
        t, REVERSIBILITY, r.reverses, back, allowed,
        "it claims that a step back undoes a step, but after %ld steps and as many back a %s differs by "
        "%.2g from the start, where round-off allows %.2g; larger steps distinguish a step that rounds more "
        "than double precision does from one that is not reversible, or do not claim it",
        t->steps, of_v ? "velocity" : "coordinate", back, allowed);
}

/* Checks the claims. A claim that cannot be checked because a run ends early gives a row. */
static int check_claims(const trial *t) {
    static int (*const checks[])(const trial *) = {check_order, check_constraints, check_momenta, check_energy,
                                                   check_reversibility};
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
        const int status = checks[i](t);
        if (sb_failure_is_result(status)) {
            SB_TRY(SB_CHECK(t, CLAIMS, false, 1.0, 0.0,
                            "a run ended early: %s; --h of `contract` takes smaller "
                            "steps",
                            sb_failure_text(t->ctx, status)));
        } else {
            SB_TRY(status);
        }
    }
    return SB_OK;
}

static int run(sb_task *task) {
    const contract_config *config = task->config;
    const trial t = {
        .ctx = task->ctx,
        .arena = task->arena,
        .task = task,
        .pair = task->pair,
        .h = config->h > 0.0 ? config->h : 0.5 * sb_default_step(task->sys->time_scale),
        .steps = config->steps,
        .keeps = sb_stepper_keeps(task->pair->type, task->pair->config),
    };
    sb_method method = {0};
    task->ctx->message[0] = '\0';
    int status = sb_method_init(task->ctx, task->arena, task->pair->type, task->pair->config, task->sys, &method);
    if (sb_failure_is_result(status)) {
        status = SB_CHECK(&t, INIT, false, 1.0, 0.0,
                          "it cannot be set up: %s; `init` returns SB_UNSUPPORTED for a system that it does not take",
                          sb_failure_text(task->ctx, status));
    } else if (status == SB_OK) {
        bool ends = false;
        status = check_steps(&t, &method);
        status = status == SB_OK ? check_ends(&t, &ends) : status;
        status = status == SB_OK && ends ? check_claims(&t) : status; /* it has them no more */
    }
    return status;
}

static const sb_param params[] = {
    SB_PARAM_INT(contract_config, steps, "20", 4.0, 1e6, "number of steps checked one by one"),
    SB_PARAM_NOT_NEGATIVE(contract_config, h, "0", "s",
                          "step; 0: half of a tenth of the problem's time scale in two digits"),
    {0}};

static const sb_column columns[] = {SB_STEPPER_CHECK_COLUMNS(SB_CONTRACT_CHECKS)};

SB_DEFINE_ANALYSIS(contract) = {
    .entry = {"contract", "whether a stepper fulfils the contract of a step and has the properties it claims", "hlw06",
              params, sizeof(contract_config)},
    SB_COLUMNS(columns),
    .example = "stepbench contract -p oscillator -s verlet",
    .run = run};
