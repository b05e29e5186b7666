/* The function e(t, q, v) of an event, which is where e changes sign: a quantity of a system minus a value. */
#pragma once

#include <stepbench/system.h>

typedef enum sb_event_of { SB_EVENT_T, SB_EVENT_Q, SB_EVENT_V, SB_EVENT_OUTPUT } sb_event_of;

/* e is a quantity, time, a coordinate, a velocity or an output of the system, minus `level`. */
typedef struct sb_event {
    const sb_system *sys;
    sb_event_of of;
    int index;
    sb_scalar level;
    sb_scalar *outputs; /* scratch */
} sb_event;

/* Reads "NAME=VALUE", NAME one of t, q0, q1, ..., v0, v1, ... and the outputs. Fails with SB_BAD_USAGE. */
int sb_event_parse(sb_context *ctx, sb_arena *arena, const sb_system *sys, const char *text, sb_event *out);

/* Computes e at (t, q, v). */
int sb_event_value(const sb_event *event, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *e);
