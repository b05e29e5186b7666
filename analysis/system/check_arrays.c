/* Checks that every callback sets its whole array and no other memory, adds to it where that is required, and returns
 * the same values when it is called again. */
#include <stdint.h>
#include <string.h>

#include <stepbench/numerics/norm.h>

#include "analysis/system/check_groups.h"

/* Words before and after an array. */
enum { GUARDS = 16 };

/* The value of guard words. Unlike a NaN, it changes when a number is added to it. */
static const double guard = 0.7390851332151607;

/* The value of an array that is to be set: a quiet NaN with a payload that no arithmetic produces. */
static const uint64_t untouched = 0x7ff8dead5eed5bbeULL;

static bool is_untouched(const double *x) {
    uint64_t bits;
    memcpy(&bits, x, sizeof bits);
    return bits == untouched;
}

static void fill(int n, double *array) {
    for (int i = -GUARDS; i < n + GUARDS; i++) {
        array[i] = guard;
    }
    for (int i = 0; i < n; i++) {
        memcpy(&array[i], &untouched, sizeof untouched);
    }
}

static void check_guards(sb_examination *c, const char *callback, int n, const double *array) {
    for (int k = 0; k < GUARDS; k++) {
        if (array[-1 - k] != guard) {
            sb_check_fault(c, NULL, INFINITY, "%s writes %d before its array of %d values", callback, k + 1, n);
        }
        if (array[n + k] != guard) {
            sb_check_fault(c, NULL, INFINITY, "%s writes value %d of an array of %d", callback, n + k, n);
        }
    }
}

/* Evaluates into a guarded array that starts from `base`, NULL for one whose values are to be set. */
static bool evaluate(sb_examination *c, sb_term term, const sb_term_point *p, double factor, const double *base,
                     double *array) {
    const int n = sb_term_length(term, c->sys);
    const char *callback = sb_term_callback(term, c->sys);
    fill(n, array);
    if (base != NULL) {
        memcpy(array, base, (size_t)n * sizeof *array);
    }
    const int status = sb_term_evaluate(term, p, factor, array);
    if (status != SB_OK) {
        sb_check_fault(c, NULL, 1.0, "%s returns status %d (%s)", callback, status, sb_status_text(status));
        return false;
    }
    check_guards(c, callback, n, array);
    for (int i = 0; i < n; i++) {
        c->compared++;
        if (is_untouched(&array[i])) {
            sb_check_fault(c, NULL, 1e300, "%s does not set value %d of %s", callback, i, sb_term_symbol(term));
        } else if (!isfinite(array[i])) {
            sb_check_fault(c, NULL, 1e299, "value %d of %s is %g", i, sb_term_symbol(term), array[i]);
        }
    }
    return true;
}

/* Checks that a callback which adds x to 0 with the factor 1 adds -2 x to b with the factor -2. Sums whose terms are
 * 1e6 times the result are exact to ten digits; a callback that sets its array, or ignores the factor, is wrong in the
 * first digit. */
static void check_adding(sb_examination *c, sb_term term, const sb_term_point *p, const double *x, double *array) {
    const int n = sb_term_length(term, c->sys);
    const double base = fmax(sb_norm_max(n, x), 1e-3);
    for (int i = 0; i < n; i++) {
        c->b[i] = base * (1.0 + 0.1 * (i % 7));
    }
    if (!evaluate(c, term, p, -2.0, c->b, array)) {
        return;
    }
    for (int i = 0; i < n; i++) {
        if (!(fabs(array[i] - (c->b[i] - 2.0 * x[i])) <= 1e-6 * base)) {
            sb_check_fault(c, NULL, 1e298, "%s turns value %d from %.9g into %.9g where it has to add -2 times %.9g",
                           sb_term_callback(term, c->sys), i, c->b[i], array[i], x[i]);
        }
    }
}

static void check_array(sb_examination *c, sb_term term, const sb_term_point *p, double *array) {
    const int n = sb_term_length(term, c->sys);
    memset(c->d, 0, (size_t)n * sizeof *c->d);
    const double *base = sb_term_adds(term, c->sys) ? c->d : NULL;
    if (!evaluate(c, term, p, 1.0, base, array)) {
        return;
    }
    memcpy(c->a, array, (size_t)n * sizeof *array);
    if (evaluate(c, term, p, 1.0, base, array) && memcmp(c->a, array, (size_t)n * sizeof *array) != 0) {
        sb_check_fault(c, NULL, 1e297, "%s has other values when it is called again", sb_term_callback(term, c->sys));
    }
    if (sb_term_adds(term, c->sys)) {
        check_adding(c, term, p, c->a, array);
    }
}

/* Checks that callbacks with two output arrays set the same values for both as for each alone. */
static void check_together(sb_examination *c, const sb_term_point *p, double *array) {
    const sb_system *sys = c->sys;
    static const sb_term pairs[][2] = {{SB_TERM_CONSTRAINT, SB_TERM_JACOBIAN},
                                       {SB_TERM_DRIVE, SB_TERM_PFAFFIAN},
                                       {SB_TERM_GAP, SB_TERM_NORMALS},
                                       {SB_TERM_BELT, SB_TERM_TANGENTS},
                                       {SB_TERM_CHART, SB_TERM_CHART_S}};
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
        const int n[2] = {sb_term_length(pairs[k][0], sys), sb_term_length(pairs[k][1], sys)};
        if (n[0] == 0 || !sb_term_given(pairs[k][0], sys)) {
            continue;
        }
        int status = SB_OK;
        switch (pairs[k][0]) {
        case SB_TERM_CONSTRAINT: status = sb_holonomic_value(sys, p->t, p->q, c->b, array); break;
        case SB_TERM_DRIVE: status = sys->nonholonomic.value(sys->nonholonomic.self, p->t, p->q, array, c->b); break;
        case SB_TERM_GAP: status = sys->contact.gap(sys->contact.self, p->q, c->b, array); break;
        case SB_TERM_BELT: status = sys->contact.slip(sys->contact.self, p->t, p->q, array, c->b); break;
        default: status = sys->chart->point(sys->chart->self, p->s, c->b, array); break;
        }
        const double *together[2] = {c->b, array};
        for (int i = 0; i < 2; i++) {
            const bool same = status == SB_OK && sb_term_evaluate(pairs[k][i], p, 1.0, c->a) == SB_OK &&
                              memcmp(c->a, together[i], (size_t)n[i] * sizeof *array) == 0;
            if (!same) {
                sb_check_fault(c, NULL, 1e296, "%s sets another %s when it sets %s as well",
                               sb_term_callback(pairs[k][i], c->sys), sb_term_symbol(pairs[k][i]),
                               sb_term_symbol(pairs[k][1 - i]));
            }
        }
    }
}

int sb_check_arrays(sb_examination *c) {
    double *array;
    SB_NEW(c->arena, array, c->most + 2 * GUARDS);
    array += GUARDS;
    sb_check_begin(c, "arrays", "");
    for (int k = 0; k < c->npoints; k++) {
        for (int term = 0; term < SB_TERM_COUNT; term++) {
            if (sb_term_callback((sb_term)term, c->sys)[0] != '\0' && sb_term_given((sb_term)term, c->sys) &&
                sb_term_length((sb_term)term, c->sys) > 0) {
                check_array(c, (sb_term)term, &c->points[k], array);
            }
        }
        check_together(c, &c->points[k], array);
    }
    return sb_check_end(c);
}
