/* Whether a measured order of convergence is the claimed one. */
#pragma once

#include "analysis/accuracy/order.h"

typedef enum sb_order_verdict {
    SB_ORDER_AS_CLAIMED,
    SB_ORDER_LOWER,
    SB_ORDER_HIGHER,
    SB_ORDER_UNCLEAR
} sb_order_verdict;
extern const char *const sb_order_verdict_name[];

/* The comparison of a measured order with the claim. */
typedef struct sb_order_comparison {
    double measured, se; /* NaN if fewer than three errors exceed round-off */
    double noise;        /* bound of the effect of round-off on either */
    double low, high;    /* bounds of the order: measured -+ se, also in certain digits, unless the slopes diverge */
    sb_order_verdict verdict;
    const char *remedy; /* what would decide an unclear verdict; otherwise "" */
} sb_order_comparison;

/* Compares the order of the error k (SB_ERR_Q, SB_ERR_V) with the claim. The order is the slope between the two
 * smallest steps, extrapolated to h = 0 with the slope before it: an error C h^p (1 + a h) has slopes p + b h. Its
 * standard error is the change by the extrapolation, or half the change of the slope before if that is larger (they are
 * equal if the slopes converge like h), plus the effect of the floors. The verdict is as_claimed if the order plus or
 * minus its standard error, both also in their certain digits, lies within 0.2 of the claim, lower or higher if it lies
 * beyond, and unclear otherwise, or if the extrapolation changes the slope by more than 0.5: the sequence does not
 * follow a power of h yet. 0.2 exceeds the error of an extrapolated slope, and is far from the next whole number. If
 * the slopes diverge, the verdict is lower if they fall below the claim, else unclear. It is neither lower nor higher
 * if the runs of the two smallest steps differ by more than a tenth of the motion in q or v. */
sb_order_comparison sb_order_compare(const sb_order *order, int k, double claimed);

/* Compares the orders of q and v with the claim of the stepper on systems with these features. The order of a method is
 * the lower of the two: the verdict is lower if one is, else unclear if one is, else higher only if both are. A
 * quantity whose error is round-off is left out. */
sb_order_comparison sb_order_compare_method(const sb_order *order, double claimed);

/* Measures like sb_order_measure. If the configuration leaves the steps to this function, measures again with three
 * more smaller steps, up to `more` of them, as long as the verdict is unclear, or an error exceeds a tenth of the
 * motion, and smaller steps may decide. */
int sb_order_decide(sb_context *ctx, sb_arena *arena, const sb_order_config *config, const sb_pair *pair, int more,
                    sb_order *out);

/* Returns the exponent that a stepper claims for the errors of q and v as powers of the tolerance, or of the step if it
 * has no error control. On the motion with its own compliance a stepper claims order 1: the springs are taken
 * implicitly, and damped over a number of steps. */
double sb_claimed_power(const sb_pair *pair, const sb_order *order);
