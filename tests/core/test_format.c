/* sb_format_real: what it prints reads back as the same double, and no shorter decimal does; printf gives the same. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_rng.h>
#include <gsl/gsl_test.h>

#include "core/base/format.h"
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

/* The same text by printf and strtod: the first of 15, 16 and 17 digits that reads back. */
static bool differs(double x) {
    char text[32], expected[32];
    sb_format_real(x, text);
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(expected, sizeof expected, "%.*g", digits, x);
        if (same_bits(strtod(expected, NULL), x)) {
            break;
        }
    }
    return strcmp(text, expected) != 0;
}

/* Numbers of all usual sizes, decimals, integers, powers of two and of ten with their neighbours. */
static void agrees_with_printf(gsl_rng *rng) {
    long different = 0;
    for (long i = 0; i < 100000; i++) {
        char decimal[40];
        const double x = (gsl_rng_uniform(rng) - 0.5) * pow(10.0, 40.0 * gsl_rng_uniform(rng) - 20.0);
        const double ten = pow(10.0, (double)gsl_rng_uniform_int(rng, 40) - 20.0);
        snprintf(decimal, sizeof decimal, "%.*g", (int)gsl_rng_uniform_int(rng, 17) + 1, x);
        different += differs(x) + differs(strtod(decimal, NULL)) + differs(floor(exp(40.0 * gsl_rng_uniform(rng))));
        different += differs(ten) + differs(nextafter(ten, 0.0)) + differs(nextafter(ten, INFINITY));
        different += differs(ldexp(1.0, (int)gsl_rng_uniform_int(rng, 160) - 80));
    }
    gsl_test(different != 0, "numbers are written as by printf: %ld of 700000 are not", different);
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
    const struct {
        const char *text;
        double unit;
    } units[] = {{"1.50", 0.01}, {"3e-5", 1e-5},         {"0", 0.0},
                 {"0.0", 0.1},   {"1e-4294967296", 0.0}, {"0.0e-2147483648", 0.0}};
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) { /* of the last digit; an exponent may exceed an int */
        const double unit = sb_text_unit(units[i].text, strlen(units[i].text));
        gsl_test(!(fabs(unit - units[i].unit) <= 1e-15 * units[i].unit), "the unit of %s is %g", units[i].text, unit);
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
    agrees_with_printf(rng);
    gsl_rng_free(rng);
    return gsl_test_summary();
}
