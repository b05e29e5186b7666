/* Converts numbers to texts: the shortest decimal that reads back as the same number. */
#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/format.h"
#include "core/base/rounding.h"

/* Up to 15 digits survive decimal -> double -> decimal for normal numbers, so that %.15g (which drops trailing zeros)
 * is the shortest form whenever one of 15 digits exists; 17 digits always suffice. Subnormals carry fewer digits. */
enum { DIGITS_MIN = 15, DIGITS_MAX = 17 };

static void format_by_printf(double x, char out[32]) {
    const int rounding = sb_rounding_nearest();
    for (int digits = fpclassify(x) == FP_SUBNORMAL ? 1 : DIGITS_MIN; digits <= DIGITS_MAX; digits++) {
        snprintf(out, 32, "%.*g", digits, x);
        if (strtod(out, NULL) == x) {
            break;
        }
    }
    sb_rounding_restore(rounding);
}

/* ---- The same text by integers, for 1e-15 <= |x| < 1e17: printf and strtod take ten times as long. ---- */

__extension__ typedef unsigned __int128 wide;

/* |x| 10^scale = value / 2^shift has 17 digits before the point. A number that differs from it by less than half of
 * `gap` / 2^shift reads back as x, and one that differs by that half if the last bit of x is 0. Below a power of two
 * the gap is half of that. */
typedef struct scaled {
    wide value, gap;
    int shift, scale;
    bool even, power;
} scaled;

/* 5^31 has 72 bits: with the 53 of a double its product fits in 128. */
enum { SCALE_MAX = 31 };

static wide power_of_five(int k) {
    static const uint64_t small[] = {1, 5, 25, 125, 625, 3125, 15625, 78125},
                          large[] = {1, 390625, 152587890625, 59604644775390625};
    return (wide)small[k % 8] * large[k / 8];
}

/* Sets *out for |x| = m 2^e, m of 53 bits. Returns false if x is too small or too large. */
static bool scale_by_ten(uint64_t m, int e, scaled *out) {
    const wide limit = 100000000000000000;                                  /* the least number of 18 digits */
    int scale = DIGITS_MAX - 1 - (int)floor((e + 52) * 0.3010299956639812); /* log10(2): right or one too large */
    for (; scale >= 0 && scale <= SCALE_MAX; scale--) {
        const int up = e + scale > 0 ? e + scale : 0, shift = up - e - scale;
        const wide gap = power_of_five(scale) << up;
        *out = (scaled){m * gap, gap, shift, scale, m % 2 == 0, m == (uint64_t)1 << 52};
        if (out->value >> shift < limit) {
            return true;
        }
    }
    return false;
}

/* Rounds to a multiple of `unit`, a half to an even one. Returns 0 if the result does not read back as x. */
static uint64_t round_to(const scaled *s, uint64_t unit) {
    const uint64_t whole = (uint64_t)(s->value >> s->shift);
    const wide bin = (wide)unit << s->shift, below = s->value - ((wide)(whole - whole % unit) << s->shift);
    const bool up = 2 * below > bin || (2 * below == bin && whole / unit % 2 == 1);
    const wide twice = up ? 2 * (bin - below) : s->power ? 4 * below : 2 * below;
    return twice < s->gap || (twice == s->gap && s->even) ? (whole / unit + up) * unit : 0;
}

/* Writes number / 10^scale, a number of 17 digits, as %.*g does with `digits` digits. */
static void write_digits(uint64_t number, int scale, int digits, char *out) {
    char text[DIGITS_MAX];
    const int exponent = DIGITS_MAX - 1 - scale;
    const bool power = exponent < -4 || exponent >= digits;
    const int before = power ? 1 : exponent + 1; /* digits before the point */
    int count = DIGITS_MAX;
    uint32_t left = (uint32_t)(number / 100000000), right = (uint32_t)(number % 100000000); /* both at once: faster */
    for (int i = 8; i > 0; i--, left /= 10, right /= 10) {
        text[i + 8] = (char)('0' + right % 10);
        text[i] = (char)('0' + left % 10);
    }
    text[0] = (char)('0' + left);
    while (count > 1 && count > before && text[count - 1] == '0') {
        count--;
    }
    for (int i = before; i <= 0; i++) {
        *out++ = '0';
        if (i == before) {
            *out++ = '.';
        }
    }
    for (int i = 0; i < count; i++) {
        if (i == before && i > 0) {
            *out++ = '.';
        }
        *out++ = text[i];
    }
    if (power) {
        *out++ = 'e';
        *out++ = exponent < 0 ? '-' : '+';
        *out++ = (char)('0' + abs(exponent) / 10);
        *out++ = (char)('0' + abs(exponent) % 10);
    }
    *out = '\0';
}

/* Returns false for a number outside the range. */
static bool format_by_integers(double x, char *out) {
    const uint64_t point = (uint64_t)1 << 52;
    uint64_t bits, number = 0, unit = 1000;
    int digits = DIGITS_MIN - 1;
    scaled s;
    memcpy(&bits, &x, sizeof bits);
    if (!scale_by_ten(bits % point + point, (int)(bits / point % 2048) - 1075, &s)) {
        return false;
    }
    while (number == 0) {
        unit /= 10;
        digits++;
        number = round_to(&s, unit);
    }
    if (number >= 100000000000000000) { /* rounded up to a power of ten */
        number /= 10;
        s.scale--;
    }
    *out = '-';
    write_digits(number, s.scale, digits, out + (x < 0.0));
    return true;
}

void sb_format_real(double x, char out[32]) {
    if (!isfinite(x)) {
        snprintf(out, 32, "%s", isnan(x) ? "nan" : x > 0.0 ? "inf" : "-inf");
    } else if (x == 0.0) {
        strcpy(out, signbit(x) ? "-0" : "0");
    } else if (!format_by_integers(x, out)) {
        format_by_printf(x, out);
    }
}

#ifdef SB_SCALAR_DIGITS

void sb_format_scalar(sb_scalar x, char out[SB_SCALAR_TEXT]) {
    if (!isfinite(x)) {
        sb_format_real((double)x, out);
        return;
    }
    for (int digits = SB_SCALAR_DIGITS; digits <= SB_SCALAR_DIGITS + 3; digits++) {
        sb_print_scalar(out, digits, x);
        if (sb_strtod(out, NULL) == x) {
            return;
        }
    }
}

#else

void sb_format_scalar(sb_scalar x, char out[SB_SCALAR_TEXT]) { sb_format_real(x, out); }

#endif

double sb_text_unit(const char *text, size_t length) {
    bool point = false, nonzero = false;
    int decimals = 0, exponent = 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] == 'e' || text[i] == 'E') {
            const long power = strtol(text + i + 1, NULL, 10);
            exponent = (int)(power < -9999 ? -9999 : power > 9999 ? 9999 : power);
            break;
        }
        nonzero = nonzero || (isdigit((unsigned char)text[i]) && text[i] != '0');
        decimals += point && isdigit((unsigned char)text[i]);
        point = point || text[i] == '.';
    }
    const double unit = nonzero || decimals > 0 || exponent != 0 ? pow(10.0, exponent - decimals) : 0.0;
    return isfinite(unit) && (nonzero || exponent <= 0) ? unit : 0.0;
}
