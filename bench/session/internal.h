/* The structs of a session, shared by its files. */
#pragma once

#include <locale.h>

#include <stepbench/numerics/dynamics.h>

#include "bench/session/session.h"
#include "core/base/registry.h"

/* What a callback of another language has registered. */
typedef struct session_callback {
    union { /* first: the type of a method is its stepper */
        sb_entry entry;
        sb_stepper stepper;
        sb_formulation formulation;
        sb_problem problem;
    } as;
    sb_kind kind;
    sb_session_step step;
    int vectors; /* of n numbers, which the stepper carries from step to step */
    sb_session_force force;
    sb_session_term term;
    void *arg;
} session_callback;

enum { SESSION_REASON = 512 };

struct sb_session {
    sb_context ctx; /* first: a formulation's init finds the session by it */
    sb_registry registry;
    sb_arena arena;             /* of what is registered */
    sb_arena last;              /* of the last command */
    const char *measured;       /* by it, lines; NULL: nothing */
    sb_session_system *systems; /* open ones, a list */
    locale_t locale;            /* "C" */
    int interrupted;            /* whether SIGINT came during the last call that listened */
    sb_session_progress watch;  /* NULL: none */
    void *watch_arg;
    char reason[SESSION_REASON]; /* of the last failure of a callback, from sb_session_explain */
    int ncallbacks, room;
    session_callback **callbacks;
};

struct sb_session_system {
    sb_session *session;
    sb_context *ctx;
    const sb_system *sys;
    sb_dynamics dyn;
    double *p;                /* n */
    double *values, *scratch; /* of any pattern of the system */
    sb_arena arena;           /* of systems that were opened */
    sb_system built;
    sb_session_system *next;
};

/* Returns SB_OK if a callback returned SB_SESSION_DONE. Fails otherwise, with the reason that the callback has given or
 * with the number that it returned: with the status `numerical` for SB_SESSION_FAILED, and SB_BAD_PLUGIN for any other
 * one. `format` and its names say what the callback belongs to. */
int sb_session_callback_end(sb_context *ctx, int result, int numerical, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Begins a call: clears the message and selects decimal points. Returns the locale of the thread. */
locale_t sb_session_call_begin(sb_session *session);
/* Selects the locale of the thread again and returns `status`. */
int sb_session_call_end(locale_t before, int status);

/* Lets SIGINT interrupt the session, as those of other threads, beside what the handler of the host does. Returns false
 * if the host has no handler, or if a call of the session listens already. */
bool sb_session_listen(sb_session *session);
void sb_session_listen_end(sb_session *session, bool listens);

/* Initialises the view of a system that another object owns, for callbacks. */
int sb_session_system_view(sb_context *ctx, sb_arena *arena, const sb_system *sys, sb_session_system *out);

/* Registers the entry callback->as, or puts it in the place of one of the same name that a callback gave. Its name and
 * brief are copied. `number` is set to the row of a parameter table by which the init of a formulation or problem finds
 * the callback, its index in session->callbacks; NULL for a stepper. */
int sb_session_register(sb_session *session, const session_callback *callback, sb_param *number);
