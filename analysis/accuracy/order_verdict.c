/* Whether a measured order of convergence is the claimed one. */
#include "analysis/accuracy/order_verdict.h"
#include "analysis/accuracy/nonsmooth.h"

const char *const sb_order_verdict_name[] = {"as_claimed", "lower", "higher", "unclear"};

/* Largest distance of an order from its claim. */
static const double tolerance = 0.2;

/* Largest change of the slope by the extrapolation of a sequence that follows a power of h. A slope that changes by
 * more is not near its limit: it may be that of an oscillation that the steps do not resolve, or of errors that cancel.
 */
static const double largest_change = 0.5;

/* Widens the bounds to those that its numbers have in their certain digits: in units of the first digit of which noise
 * changes less than half, and a standard error of one unit at least. */
static sb_order_comparison widen(sb_order_comparison found) {
    const double unit = pow(10.0, ceil(log10(2.0 * found.noise))), measured = unit * nearbyint(found.measured / unit),
                 se = unit * fmax(1.0, nearbyint(found.se / unit));
    if (found.noise > 0.0) {
        found.low = fmin(found.low, measured - se);
        found.high = fmax(found.high, measured + se);
    }
    return found;
}

/* Extrapolates the slopes at level i and i - 1 to h = 0. Where the change of the slope grows from step to step there is
 * no estimate of the limit: the order is at most the extrapolated one if the slopes fall, and anything if they rise. */
static sb_order_comparison extrapolate(const sb_order *order, int k, int i) {
    const sb_order_level *level = &order->levels[i];
    const double last = level->slope[k], before = level[-1].slope[k], first = i > 2 ? level[-2].slope[k] : NAN;
    const double change = fmax(fabs(last - before), 0.5 * fabs(before - first)); /* fmax leaves out a NaN */
    const double noise = 2.0 * level->slope_floor[k] + level[-1].slope_floor[k]; /* bound of its change by the floors */
    const double found = 2.0 * last - before;
    const bool diverge = fabs(last - before) > fmax(0.5 * tolerance, fabs(before - first));
    const bool open = fabs(last - before) > largest_change;
    return widen((sb_order_comparison){.measured = found,
                                       .se = change + noise,
                                       .noise = noise,
                                       .low = open || diverge ? -INFINITY : found - change - noise,
                                       .high = open || (diverge && last > before) ? INFINITY : found + change + noise,
                                       .verdict = SB_ORDER_UNCLEAR,
                                       .remedy = ""});
}

static bool has_slopes(const sb_order *order, int k, int i) {
    return i >= 2 && !isnan(order->levels[i].slope[k]) && !isnan(order->levels[i - 1].slope[k]);
}

/* Returns the power of the tolerance by least squares: the steps of a stepper with error control end at the outputs and
 * change by whole numbers, so that single slopes scatter and do not converge. */
static sb_order_comparison by_fit(const sb_order *order, int k) {
    const sb_slope fit = order->fit[k], floor = order->fit_floor[k];
    const double se = fit.se + floor.value;
    return (sb_order_comparison){.measured = fit.value,
                                 .se = se,
                                 .noise = floor.value,
                                 .low = fit.value - 2.0 * se,
                                 .high = fit.value + 2.0 * se,
                                 .verdict = SB_ORDER_UNCLEAR,
                                 .remedy = ""};
}

/* Returns the order from the smallest steps at which the floors change it by at most a quarter of the tolerance, 0.05:
 * a digit behind the point is then certain. If round-off
 * makes up most of its interval, and the interval from the steps before is narrower, returns the latter. If there are
 * no such steps, returns the order from the largest steps; NaN without three successive errors above their floors. */
static sb_order_comparison measure(const sb_order *order, int k) {
    sb_order_comparison found = {NAN, NAN, NAN, NAN, NAN, SB_ORDER_UNCLEAR, ""};
    if (order->levels[0].tolerance > 0.0) {
        return by_fit(order, k);
    }
    for (int i = order->n - 1; i >= 2; i--) {
        if (!has_slopes(order, k, i)) {
            continue;
        }
        found = extrapolate(order, k, i);
        if (found.noise <= 0.25 * tolerance) {
            const bool rounded = 2.0 * found.noise > found.se && has_slopes(order, k, i - 1);
            const sb_order_comparison before = rounded ? extrapolate(order, k, i - 1) : found;
            return before.high - before.low < found.high - found.low ? before : found;
        }
    }
    return found;
}

/* Returns whether the error falls to less than half and rises again: at the smallest step it is above its floor and at
 * least that two levels before, as by the round-off of a step in single precision. */
static bool has_risen(const sb_order *order, int k) {
    const int n = order->n;
    const sb_order_level *finest = &order->levels[n - 1];
    double least = INFINITY;
    for (int i = 0; i < n; i++) {
        least = fmin(least, order->levels[i].error[k]); /* fmin leaves out a NaN */
    }
    return n > 2 && sb_above_floor(finest->error[k], finest->floor[k]) &&
           finest->error[k] >= order->levels[n - 3].error[k] && order->levels[0].error[k] >= 2.0 * least;
}

/* Returns whether the error of the smallest size exceeds a tenth of the motion. */
static bool far_off(const sb_order *order) {
    const sb_order_level *finest = &order->levels[order->n - 1];
    return finest->error[SB_ERR_Q] > 0.1 * order->size_q || finest->error[SB_ERR_V] > 0.1 * order->size_v;
}

/* Returns whether the runs of the two smallest sizes differ by more than a tenth of the motion. Their errors are then
 * not those of a sequence that converges, to the motion or to another one, and have no order. */
static bool unresolved(const sb_order *order) {
    const sb_order_level *finest = &order->levels[order->n - 1];
    return finest->change_q > 0.1 * order->size_q || finest->change_v > 0.1 * order->size_v;
}

/* Returns whether smaller steps may decide: the error of the smallest one exceeds its floor, and falls, or there is
 * none. */
static bool smaller_steps_help(const sb_order *order, int k) {
    const sb_order_level *finest = &order->levels[order->n - 1];
    return !(finest->error[k] <= 10.0 * finest->floor[k]) && !has_risen(order, k);
}

/* Returns what would decide an unclear order. */
static const char *remedy(const sb_order *order, int k, const sb_order_comparison *found) {
    int ran = 0, above = 0;
    for (int i = 0; i < order->n; i++) {
        ran += !isnan(order->levels[i].error[k]);
        above += sb_above_floor(order->levels[i].error[k], order->levels[i].floor[k]);
    }
    if (order->levels[0].tolerance > 0.0 && above >= 3) {
        return "more tolerances: the power of the tolerance is uncertain";
    }
    return ran < 3 ? "smaller steps: fewer than three runs ended"
           : unresolved(order)
               ? "smaller steps: the runs with the smallest ones differ by more than a tenth of the motion"
           : !smaller_steps_help(order, k) && order->effect[k] > 0.5 * order->levels[order->n - 1].floor[k]
               ? "larger steps or a smaller compliance, whose effect is near the errors, or steps that follow its "
                 "springs"
           : has_risen(order, k)
               ? "larger steps: the error rises at the smallest ones, as by round-off of less than double precision"
           : !isnan(found->measured) && smaller_steps_help(order, k) ? "smaller steps: the slopes still change"
           : above == 0             ? "another problem: on this one the error is round-off at every step"
           : isnan(found->measured) ? "larger steps: fewer than three successive errors exceed round-off"
                                    : "larger steps, or a longer run: the slopes change down to round-off";
}

sb_order_comparison sb_order_compare(const sb_order *order, int k, double claimed) {
    sb_order_comparison found = measure(order, k);
    if (found.high < claimed - tolerance && !has_risen(order, k) && !unresolved(order)) {
        found.verdict = SB_ORDER_LOWER;
    } else if (found.low > claimed + tolerance && !unresolved(order)) {
        found.verdict = SB_ORDER_HIGHER;
    } else if (found.low >= claimed - tolerance && found.high <= claimed + tolerance) {
        found.verdict = SB_ORDER_AS_CLAIMED;
    } else {
        found.remedy = remedy(order, k, &found);
    }
    return found;
}

sb_order_comparison sb_order_compare_method(const sb_order *order, double claimed) {
    static const int rank[] = {
        [SB_ORDER_LOWER] = 0, [SB_ORDER_UNCLEAR] = 1, [SB_ORDER_AS_CLAIMED] = 2, [SB_ORDER_HIGHER] = 3};
    const sb_order_comparison q = sb_order_compare(order, SB_ERR_Q, claimed),
                              v = sb_order_compare(order, SB_ERR_V, claimed);
    if (isnan(q.measured) || isnan(v.measured)) {
        return isnan(q.measured) ? v : q;
    }
    return rank[q.verdict] < rank[v.verdict] || (q.verdict == v.verdict && q.measured <= v.measured) ? q : v;
}

int sb_order_decide(sb_context *ctx, sb_arena *arena, const sb_order_config *config, const sb_pair *pair, int more,
                    sb_order *out) {
    sb_order_config finer = *config;
    SB_TRY(sb_order_measure(ctx, arena, &finer, pair, out));
    bool open = config->h.n == 0 && pair->type->control.tolerance == NULL && !sb_nonsmooth(pair->sys);
    while (open && finer.levels < config->levels + more) {
        const double claimed = sb_claimed_power(pair, out);
        const bool doubt = far_off(out) || sb_order_compare_method(out, claimed).verdict == SB_ORDER_UNCLEAR;
        open = false;
        for (int k = SB_ERR_Q; k <= SB_ERR_V && doubt; k++) {
            open = open || (smaller_steps_help(out, k) &&
                            (far_off(out) || sb_order_compare(out, k, claimed).verdict == SB_ORDER_UNCLEAR));
        }
        if (open) {
            finer.levels += 3;
            SB_TRY(sb_order_measure(ctx, arena, &finer, pair, out));
        }
    }
    return SB_OK;
}

double sb_claimed_power(const sb_pair *pair, const sb_order *order) {
    const double claimed = pair->type->control.tolerance != NULL
                               ? pair->type->control.power
                               : sb_stepper_order(pair->type, pair->config, pair->sys->flags);
    return order->compliant ? fmin(claimed, 1.0) : claimed;
}
