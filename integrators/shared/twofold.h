/* Numbers with about twice the digits of sb_scalar, as unevaluated sums hi + lo (dekker71), for coefficients of methods
 * and for compensated sums. */
#pragma once

#include <stepbench/scalar.h>

typedef struct twofold {
    sb_scalar hi, lo;
} twofold;

/* Returns a + b exactly. */
static inline twofold twofold_sum(sb_scalar a, sb_scalar b) {
    const sb_scalar hi = a + b, part = hi - a;
    return (twofold){hi, (a - (hi - part)) + (b - part)};
}

/* Returns a + b rounded to a twofold number. */
static inline twofold twofold_add(twofold a, twofold b) {
    const twofold sum = twofold_sum(a.hi, b.hi);
    return twofold_sum(sum.hi, sum.lo + (a.lo + b.lo));
}

static inline twofold twofold_multiply(twofold a, twofold b) {
    const sb_scalar product = a.hi * b.hi;
    return twofold_sum(product, fma(a.hi, b.hi, -product) + (a.hi * b.lo + a.lo * b.hi));
}

static inline twofold twofold_negative(twofold a) { return (twofold){-a.hi, -a.lo}; }

static inline twofold twofold_divide(twofold a, twofold b) {
    const twofold quotient = {a.hi / b.hi, 0.0}, rest = twofold_add(a, twofold_negative(twofold_multiply(quotient, b)));
    return twofold_sum(quotient.hi, rest.hi / b.hi);
}

/* Adds d + small to *x + *lost, where `lost` holds what rounding has taken from x so far (kahan65). */
static inline void twofold_increase(sb_scalar *x, sb_scalar *lost, sb_scalar d, sb_scalar small) {
    const twofold sum = twofold_sum(*x, d), next = twofold_sum(sum.hi, sum.lo + (*lost + small));
    *x = next.hi;
    *lost = next.lo;
}
