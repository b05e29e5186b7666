/* Converts cells to texts: their trusted digits, or the shortest decimal that reads back as the same double. */
#include <stdio.h>
#include <stdlib.h>

#include "core/output/table.h"

/* Writes the number of a real cell: with its trusted digits, trailing zeros included, or in the shortest form. */
static char *format_real_cell(const sb_cell *cell, char out[32]) {
    if (cell->digits == 0 || !isfinite(cell->real)) {
        return sb_format_real(cell->real, out);
    }
    if (cell->real == 0.0) {
        return out + (cell->digits <= 20 ? snprintf(out, 32, "%.*f", cell->digits, 0.0)
                                         : snprintf(out, 32, "0e-%d", cell->digits));
    }
    const int exponent = (int)floor(log10(fabs(cell->real)) + 1e-9), decimals = cell->digits - 1 - exponent;
    return out + (exponent >= -4 && decimals >= 0 ? snprintf(out, 32, "%.*f", decimals, cell->real)
                                                  : snprintf(out, 32, "%.*e", cell->digits - 1, cell->real));
}

char *sb_cell_write(const sb_cell *cell, char out[32]) {
    if (cell->type == SB_CELL_REAL) {
        return format_real_cell(cell, out);
    }
    if (cell->type == SB_CELL_INT) { /* one of up to 15 digits is written as a real number, which is faster */
        return labs(cell->integer) < 1000000000000000 ? sb_format_real((double)cell->integer, out)
                                                      : out + snprintf(out, 32, "%ld", cell->integer);
    }
    *out = '\0';
    return out;
}

const char *sb_cell_text(const sb_cell *cell, char room[32]) {
    if (cell->type == SB_CELL_TEXT) {
        return cell->text;
    }
    (void)sb_cell_write(cell, room);
    return room;
}

/* Rounds x to a multiple of *unit, the least power of ten that is at least twice the uncertainty. *unit is left as it
 * is where nothing is rounded. */
static sb_cell round_to_unit(double x, double uncertainty, double *unit) {
    /* A double holds 15 decimal digits. The small term below keeps a power of ten from being rounded up. */
    const double least = fmax(2.0 * fabs(uncertainty), 1e-15 * fabs(x));
    if (!isfinite(x) || least == 0.0) {
        return sb_real(x + 0.0); /* not -0 */
    }
    if (!isfinite(2.0 * uncertainty)) {
        return sb_real((double)NAN);
    }
    const int place = (int)ceil(log10(least) - 1e-9);
    char text[40];
    snprintf(text, sizeof text, "1e%d", place);
    *unit = strtod(text, NULL);
    const double count = nearbyint(x / *unit);
    if (count == 0.0) {
        return (sb_cell){SB_CELL_REAL, {.real = 0.0}, place < 0 ? -place : 0, false};
    }
    snprintf(text, sizeof text, "%.0fe%d", count, place);
    sb_cell cell = sb_real(strtod(text, NULL));
    for (double c = fabs(count); c >= 1.0; c = floor(c / 10.0)) {
        cell.digits++;
    }
    return cell;
}

sb_cell sb_trusted(double x, double uncertainty) {
    double unit;
    return round_to_unit(x, uncertainty, &unit);
}

sb_cell sb_residual(double x, double uncertainty) {
    double unit = 0.0;
    sb_cell cell = round_to_unit(fabs(x), uncertainty, &unit);
    if (cell.real == 0.0 && unit > 0.0) {
        cell.real = unit;
        cell.digits = 1;
    }
    return cell;
}

/* 0.05 |x| is half a unit of the second digit of the smallest number with the same first one. */
sb_cell sb_estimate(double x) { return sb_trusted(x, 0.05 * fabs(x)); }
