/* Recorded runs, files of samples, as a stepper: its step leads from a sample to the next one. */
#pragma once

#include <stepbench/method.h>

#include "core/output/table.h"

/* A run: its samples are at t0 + k dt, and it has taken steps of length h. */
typedef struct sb_recording {
    const char *file;
    sb_table samples; /* columns t; q0, v0, ... or the names of the coordinates, or BODY.x, ...; lambda0, ... */
    double t0, dt, h; /* s */
} sb_recording;

/* Reads a file of samples. The step h is given, or (0) that of a column h, or the distance of the samples. Fails with
 * SB_IO if it cannot be read, with SB_INCONSISTENT if its times are not equidistant. */
int sb_recording_read(sb_context *ctx, sb_arena *arena, const char *file, double h, sb_recording *out);

/* Sets *out to a stepper of runs. The step h, or with `sampled` the distance dt of the samples, chooses the run. A step
 * that leads to no sample keeps the one before. Its methods fail with SB_UNSUPPORTED if a run lacks a column, or does
 * not begin at the start of the system, within 1e-4 of the largest coordinate and velocity. */
int sb_recorded_stepper(sb_arena *arena, const char *name, int count, const sb_recording *runs, bool sampled,
                        sb_stepper *out);
