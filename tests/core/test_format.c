/* sb_format_real: what it prints reads back as the same double, and no shorter decimal does. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_rng.h>
#include <gsl/gsl_test.h>

#include "core/output/table.h"

static bool same_bits(double a, double b) { return memcmp(&a, &b, sizeof a) == 0; }

/* Significant digits of a printed number. */
static int digits_of(const char *text) {
    int digits = 0, zeros = 0;
    bool leading = true;
    for (; *text != '\0' && *text != 'e'; text++) {
        if (*text < '0' || *text > '9') {
            continue;
        }
        leading = leading && *text == '0';
        zeros = *text == '0' ? zeros + 1 : 0;
        digits += !leading;
    }
    return digits > zeros ? digits - zeros : 1;
}

static void check(double x, long *wrong, long *longer) {
    char text[32], shorter[40];
    sb_format_real(x, text);
    *wrong += !same_bits(strtod(text, NULL), x) || strlen(text) > 31;
    const int digits = digits_of(text);
    if (digits > 1) {
        snprintf(shorter, sizeof shorter, "%.*e", digits - 2, x);
        *longer += strtod(shorter, NULL) == x;
    }
}

int main(void) {
    static const struct {
        double x;
        const char *text;
    } known[] = {{0.1, "0.1"},
                 {1.0, "1"},
                 {-0.0, "-0"},
                 {1e-5, "1e-05"},
                 {1.0 / 3.0, "0.3333333333333333"},
                 {0.1 + 0.2, "0.30000000000000004"},
                 {5e-324, "5e-324"},
                 {1.7976931348623157e308, "1.7976931348623157e+308"},
                 {INFINITY, "inf"},
                 {-INFINITY, "-inf"},
                 {NAN, "nan"},
                 {-NAN, "nan"},
                 {123456789.0, "123456789"}};
    char text[32];
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        sb_format_real(known[i].x, text);
        gsl_test(strcmp(text, known[i].text) != 0, "%s is printed as %s", known[i].text, text);
    }
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    long wrong = 0, longer = 0;
    for (long i = 0; i < 300000; i++) {
        const uint64_t bits = ((uint64_t)gsl_rng_get(rng) << 32) ^ (uint64_t)gsl_rng_get(rng);
        double x;
        memcpy(&x, &bits, sizeof x);
        if (isfinite(x)) {
            check(x, &wrong, &longer);
        }
        check((double)gsl_rng_uniform_int(rng, 100000) / 1000.0, &wrong, &longer); /* decimals people write */
        check(ldexp(gsl_rng_uniform(rng), -1060), &wrong, &longer);                /* subnormals */
    }
    gsl_test(wrong != 0, "every double reads back: %ld of 900000 do not", wrong);
    gsl_test(longer != 0, "no decimal is longer than needed: %ld of 900000 are", longer);
    gsl_rng_free(rng);
    return gsl_test_summary();
}
