/* Shows on a terminal what a long command does, how much of it is done, and how long the rest will take, and passes
 * this to the watch of the context. */
#pragma once

#include <stepbench/context.h>

typedef struct sb_meter {
    double done, total;           /* parts of the work, of about the same length */
    double begun, shown, watched; /* times of the beginning, the last line and the last call of the watch */
    sb_context *ctx;              /* its watch is called; may be NULL */
    bool terminal;                /* standard error is a terminal */
    bool drawn;                   /* a line is on the terminal */
} sb_meter;

/* Returns the time of the monotonic clock, s. */
double sb_clock(void);

/* Begins to measure `total` parts. */
void sb_meter_begin(sb_meter *meter, sb_context *ctx, double total);

/* Shows a line on standard error if that is a terminal and two seconds have passed, at most five times per second:
 * `what` describes the current operation. Calls the watch at the begin and at the end, and at most five times per
 * second between. Fails with SB_INTERRUPTED if the watch ends the command. */
int sb_meter_show(sb_meter *meter, const char *what);

/* Returns whether sb_meter_show does anything. */
bool sb_meter_on(const sb_meter *meter);

/* Removes the line, before anything else is written. */
void sb_meter_clear(sb_meter *meter);
