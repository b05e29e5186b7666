/* The structs of a session, shared by its files. */
#ifndef STEPBENCH_BENCH_SESSION_INTERNAL_H
#define STEPBENCH_BENCH_SESSION_INTERNAL_H

#include <stepbench/numerics/dynamics.h>
#include <stepbench/stepper.h>

#include "bench/session/session.h"
#include "core/base/registry.h"

typedef struct session_force {
    sb_session_force force;
    void *arg;
} session_force;

enum { SESSION_FORCES = 64, SESSION_REASON = 512 };

struct callback_stepper;

struct sb_session {
    sb_context ctx; /* first: a formulation's init finds the session by it */
    sb_registry registry;
    sb_arena arena;                    /* of what is registered */
    sb_session_system *systems;        /* open ones, a list */
    struct callback_stepper *steppers; /* registered by callbacks, a list */
    char reason[SESSION_REASON];       /* of the last failure of a callback, from sb_session_explain */
    int nforces;
    session_force forces[SESSION_FORCES];
};

struct sb_session_system {
    sb_session *session;
    sb_context *ctx;
    const sb_system *sys;
    sb_dynamics dyn;
    double *p;      /* n */
    sb_arena arena; /* of systems that were opened */
    sb_system built;
    sb_session_system *next;
};

/* Fails with the reason that the callback has given, or with the number that it returned. */
int sb_session_callback_fail(sb_context *ctx, const char *what, int status, int otherwise);

/* Initialises the view of a system that another object owns, for callbacks. */
int sb_session_system_view(sb_context *ctx, sb_arena *arena, const sb_system *sys, sb_session_system *out);

#endif
