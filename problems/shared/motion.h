/* Given functions of time: the sum of a linear function, an oscillation, and a table. */
#pragma once

#include "problems/shared/time_table.h"

/* w(t) = offset + rate t + amplitude sin(frequency t + phase) + table(t); the table without knots is 0. */
typedef struct motion {
    sb_scalar offset, rate, amplitude, frequency, phase;
    time_table table;
} motion;

/* Sets w to the motion and its first two derivatives. */
static inline void motion_at(const motion *m, sb_scalar t, sb_scalar w[3]) {
    w[0] = m->offset + m->rate * t;
    w[1] = m->rate;
    w[2] = 0.0;
    if (m->amplitude != 0.0) {
        const sb_scalar s = m->amplitude * sin(m->frequency * t + m->phase),
                        c = m->amplitude * cos(m->frequency * t + m->phase);
        w[0] += s;
        w[1] += m->frequency * c;
        w[2] -= m->frequency * m->frequency * s;
    }
    if (m->table.count > 0) {
        sb_time_table_add(&m->table, t, w);
    }
}

/* Returns whether the motion changes with time. */
static inline bool motion_moves(const motion *m) { return m->rate != 0.0 || m->amplitude != 0.0 || m->table.count > 0; }

/* Returns the largest relative rate of change (1/s): the frequency of the oscillation, or twice the steepest slope of
 * the table over its range. */
static inline sb_scalar motion_fastest(const motion *m) {
    const time_table *s = &m->table;
    sb_scalar steepest = 0.0, low = INFINITY, high = -INFINITY;
    for (int i = 0; i < s->count; i++) {
        low = fmin(low, s->y[i]);
        high = fmax(high, s->y[i]);
        steepest = i > 0 ? fmax(steepest, fabs(s->y[i] - s->y[i - 1]) / (s->x[i] - s->x[i - 1])) : 0.0;
    }
    return fmax(m->amplitude != 0.0 ? fabs(m->frequency) : 0.0, high > low ? 2.0 * steepest / (high - low) : 0.0);
}
