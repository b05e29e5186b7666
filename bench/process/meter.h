/* Shows on a terminal what a long command does, how much of it is done, and how long the rest will take. */
#ifndef STEPBENCH_BENCH_PROCESS_METER_H
#define STEPBENCH_BENCH_PROCESS_METER_H

#include <stdbool.h>

typedef struct sb_meter {
    double done, total; /* parts of the work, of about the same length */
    double begun, shown;
    bool on;    /* standard error is a terminal */
    bool drawn; /* the line is on it now */
} sb_meter;

/* Begins to measure `total` parts. */
void sb_meter_begin(sb_meter *meter, double total);

/* Shows a line on standard error if that is a terminal and two seconds have passed, at most five times per second:
 * `what` describes the current operation. */
void sb_meter_show(sb_meter *meter, const char *what);

/* Removes the line, before anything else is written. */
void sb_meter_clear(sb_meter *meter);

#endif
