/* Converts numbers to texts: the shortest decimal that reads back as the same number. */
#include <ctype.h>
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

static char *format_by_printf(double x, char out[32]) {
    const int rounding = sb_rounding_nearest();
    for (int digits = fpclassify(x) == FP_SUBNORMAL ? 1 : DIGITS_MIN; digits <= DIGITS_MAX; digits++) {
        snprintf(out, 32, "%.*g", digits, x);
        if (strtod(out, NULL) == x) {
            break;
        }
    }
    sb_rounding_restore(rounding);
    return out + strlen(out);
}

/* ---- The same text by integers, for 1e-15 <= |x| < 1e17: printf and strtod take twenty times as long. ---- */

__extension__ typedef unsigned __int128 wide;

/* |x| 10^scale = value / 2^shift has 17 digits before the point, `whole`. A number that differs from it by less than
 * half of `gap` / 2^shift reads back as x, and one that differs by that half if the last bit of x is 0. Below a power
 * of two the gap is half of that. */
typedef struct scaled {
    wide value, gap;
    uint64_t whole;
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
    enum { POSITIVE = 400 }; /* above 1074 log10(2): the sum is rounded down also where log10(x) is negative */
    const uint64_t limit = 100000000000000000;                                       /* the least number of 18 digits */
    const int exponent = (int)((e + 52) * 0.3010299956639812 + POSITIVE) - POSITIVE; /* of x, or one less */
    for (int scale = DIGITS_MAX - 1 - exponent; scale >= 0 && scale <= SCALE_MAX; scale--) {
        const int up = e + scale > 0 ? e + scale : 0, shift = up - e - scale;
        const wide gap = power_of_five(scale) << up, value = m * gap;
        *out = (scaled){value, gap, (uint64_t)(value >> shift), shift, scale, m % 2 == 0, m == (uint64_t)1 << 52};
        if (out->whole < limit) {
            return true;
        }
    }
    return false;
}

/* Rounds to a multiple of `unit`, a half to an even one. Returns 0 if the result does not read back as x. */
static inline uint64_t round_to(const scaled *s, uint64_t unit) {
    const uint64_t rest = s->whole % unit, half = (uint64_t)(s->gap >> s->shift) / 2 + 1;
    if (rest > half && unit - rest - 1 > half) { /* both multiples are too far, whatever follows the point */
        return 0;
    }
    const wide bin = (wide)unit << s->shift, below = s->value - ((wide)(s->whole - rest) << s->shift);
    const bool up = 2 * below > bin || (2 * below == bin && s->whole / unit % 2 == 1);
    const wide twice = up ? 2 * (bin - below) : s->power ? 4 * below : 2 * below;
    return twice < s->gap || (twice == s->gap && s->even) ? (s->whole / unit + up) * unit : 0;
}

/* Writes the eight digits of a number below 10^8. The parts of a word are divided at once: 10486 / 2^20 and 103 / 2^10
 * divide numbers of four and of two digits by 100 and by 10. A compiler stores the bytes as one word. */
static void write_eight(uint32_t number, char *out) {
    const uint64_t fours = number / 10000 + ((uint64_t)(number % 10000) << 32);
    const uint64_t hundreds = fours * 10486 >> 20 & 0x7f0000007f, twos = hundreds + ((fours - 100 * hundreds) << 16);
    const uint64_t tens = twos * 103 >> 10 & 0xf000f000f000f,
                   text = 0x3030303030303030 + tens + ((twos - 10 * tens) << 8); /* '0' is 0x30 */
    for (int i = 0; i < 8; i++) {
        out[i] = (char)(text >> 8 * i);
    }
}

/* Writes number / 10^scale, a number of 17 digits, as %.*g does with `digits` digits. Returns the end of the text. */
static char *write_digits(uint64_t number, int scale, int digits, char *out) {
    char text[DIGITS_MAX];
    const int exponent = DIGITS_MAX - 1 - scale;
    const bool power = exponent < -4 || exponent >= digits;
    const int before = power ? 1 : exponent + 1; /* digits before the point */
    size_t count = DIGITS_MAX, whole = before > 0 ? (size_t)before : 0;
    text[0] = (char)('0' + number / 10000000000000000);
    write_eight((uint32_t)(number / 100000000 % 100000000), text + 1);
    write_eight((uint32_t)(number % 100000000), text + 9);
    while (count > 1 && count > whole && text[count - 1] == '0') {
        count--;
    }
    if (before > 0) {
        memcpy(out, text, whole);
        out += whole;
        *out = '.';
        out += count > whole;
    } else {
        memcpy(out, "0.000", 5);
        out += 2 - before;
    }
    memcpy(out, text + whole, count - whole);
    out += count - whole;
    if (power) {
        *out++ = 'e';
        *out++ = exponent < 0 ? '-' : '+';
        *out++ = (char)('0' + abs(exponent) / 10);
        *out++ = (char)('0' + abs(exponent) % 10);
    }
    *out = '\0';
    return out;
}

/* Returns the end of the text, NULL for a number outside the range. */
static char *format_by_integers(double x, char *out) {
    const uint64_t point = (uint64_t)1 << 52;
    uint64_t bits;
    int digits = DIGITS_MIN;
    scaled s;
    memcpy(&bits, &x, sizeof bits);
    if (!scale_by_ten(bits % point + point, (int)(bits / point % 2048) - 1075, &s)) {
        return NULL;
    }
    uint64_t number = round_to(&s, 100);
    if (number == 0) {
        digits++;
        number = round_to(&s, 10);
    }
    if (number == 0) {
        digits++;
        number = round_to(&s, 1);
    }
    if (number >= 100000000000000000) { /* rounded up to a power of ten */
        number /= 10;
        s.scale--;
    }
    *out = '-';
    return write_digits(number, s.scale, digits, out + (x < 0.0));
}

char *sb_format_real(double x, char out[32]) {
    if (!isfinite(x)) {
        return stpcpy(out, isnan(x) ? "nan" : x > 0.0 ? "inf" : "-inf");
    }
    if (x == 0.0) {
        return stpcpy(out, signbit(x) ? "-0" : "0");
    }
    char *const end = format_by_integers(x, out);
    return end != NULL ? end : format_by_printf(x, out);
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
