/* The C interface for other languages: functions of numbers, strings and arrays, without structs of the core.
 *
 * A session is used by one thread at a time. Functions that return int return a status of stepbench/status.h, 0 for
 * success; sb_session_message has the message of a failure. Strings and arrays are read during the call only; the
 * caller owns the arrays that are written. Numbers have decimal points in every locale of the host. A command or run
 * ends with SB_INTERRUPTED after SIGINT if the host has a handler for it, which is called as well. A callback may call
 * the functions of its `system`, and sb_session_explain; all others need another session. */
#ifndef STEPBENCH_BENCH_SESSION_SESSION_H
#define STEPBENCH_BENCH_SESSION_SESSION_H

typedef struct sb_session sb_session;
/* A problem under formulations. */
typedef struct sb_session_system sb_session_system;

/* Increased whenever a function below changes. */
#define SB_SESSION_VERSION 11
int sb_session_version(void);

/* Returns 1 if SIGINT has come during the last command or run of the session, otherwise 0. */
int sb_session_interrupted(const sb_session *session);

/* Sets what this process calls around each fork after which a child calls callbacks: enter, before, then `parent` or
 * `child` in its process, and leave with the result of enter. A host needs it if its threads share a lock that a
 * callback takes; in Python PyGILState_Ensure, PyOS_BeforeFork, PyOS_AfterFork_Parent, PyOS_AfterFork_Child and
 * PyGILState_Release. */
void sb_session_around_forks(int (*enter)(void), void (*before)(void), void (*parent)(void), void (*child)(void),
                             void (*leave)(int entered));

/* Opens a session. Returns NULL when out of memory. */
sb_session *sb_session_open(void);
/* Closes a session and its systems. */
void sb_session_close(sb_session *session);
/* Returns the message of the last failure, "" if there was none. */
const char *sb_session_message(const sb_session *session);

/* Registers the entries of a plug-in, a shared library or a C file, which is compiled. */
int sb_session_load(sb_session *session, const char *plugin);
/* Starts an engine, a program (docs/adding-an-engine.md), and registers its stepper. The session ends the program. */
int sb_session_engine(sb_session *session, const char *command);

/* What a callback returns. Every other number is an error: a foreign function interface that loses an exception returns
 * 0, or whatever its memory holds. Therefore success is a number that is not there by accident. */
enum {
    SB_SESSION_DONE = 1380012097,
    SB_SESSION_FAILED = 1380012098 /* a numerical failure: a smaller step or another state may succeed */
};

/* Receives the rows of a command. The first call has the names of the columns in `texts`; every other call is a row. A
 * text is in texts[j]; for a number texts[j] is NULL, and numbers[j] is the number, NaN for an empty cell. Both arrays
 * are valid during the call. A failure ends the command with SB_IO. */
typedef int (*sb_session_row)(void *arg, int ncolumns, const double *numbers, const char *const *texts);

/* Runs a command as on the command line: {"order", "-p", "pendulum", "-s", "verlet"}. Its rows go to `row`, or where
 * that is NULL or the command has -o, where the command line would write them. Rows up to a failure with a status > 0
 * are valid. */
int sb_session_command(sb_session *session, int argc, char *const *argv, sb_session_row row, void *arg);

/* Returns what the last command has measured in place of its options, a line per problem: "kepler: --weights=...,
 * measured"; "" if nothing. Valid until the next command. */
const char *sb_session_measured(const sb_session *session);

/* Passes the progress of the commands and runs that follow to `watch` (NULL: to nothing): `done` of `total` parts of
 * about the same length, and what runs now. It is called at the begin and at the end, and at most five times per second
 * between; in sb_session_run at samples. A failure ends the command with SB_INTERRUPTED. */
typedef int (*sb_session_progress)(void *arg, double done, double total, const char *what);
void sb_session_watch(sb_session *session, sb_session_progress watch, void *arg);

/* Passes the parameter table of an entry to `row`, with the columns name, default, allowed, unit and meaning. kind:
 * "steppers", "problems", "analyses", ... */
int sb_session_parameters(sb_session *session, const char *kind, const char *name, sb_session_row row, void *arg);

/* ---- Systems. ---- */

/* Builds a problem under formulations, the innermost first. Returns NULL on failure. */
sb_session_system *sb_session_system_open(sb_session *session, const char *problem, int nformulations,
                                          const char *const *formulations);
void sb_session_system_close(sb_session_system *system);
/* Returns the number of coordinates and of all multipliers (holonomic, nonholonomic, normal, friction). */
int sb_session_system_size(const sb_session_system *system, int *coordinates, int *multipliers);
int sb_session_system_initial(sb_session_system *system, double *t, double *q, double *v);
/* Computes the accelerations of the index-1 equations and the bilateral multipliers; lambda may be NULL. */
int sb_session_system_acceleration(sb_session_system *system, double t, const double *q, const double *v, double *a,
                                   double *lambda);
int sb_session_system_energy(sb_session_system *system, double t, const double *q, const double *v, double *kinetic,
                             double *potential);
/* Evaluates one term of a system by its symbol: M, T_q, T_qq, T_qv, T_vq, V, V_q, V_qq, f, f_q, f_v, g, G, "Hess g"
 * (sum_i w_i Hess g_i), curvature, A, w and the others of analysis/system/terms.h except the terms of charts. Sets
 * *rows and *columns; a vector has 0 columns. `out` has rows or rows x columns numbers, column-major, and may be NULL;
 * then q, v and w are not read. G is n x m: column i is the gradient of g_i. A term that the system lacks is 0. Fails
 * with SB_BAD_USAGE for an unknown symbol, and with the status of the term. */
int sb_session_system_term(sb_session_system *system, const char *symbol, double t, const double *q, const double *v,
                           const double *w, int *rows, int *columns, double *out);
/* Replaces v by the nearest velocity in the metric of M that satisfies the constraints at q. */
int sb_session_system_project(sb_session_system *system, double t, const double *q, double *v);

/* Runs `steps` steps of length h (s) from (q0, v0) at t0, or from the initial state of the problem if they are NULL.
 * Samples every `every` steps and the first and the last state: the arrays have room for steps / every + 2. Row-major
 * arrays: q and v of samples x coordinates, lambda of samples x multipliers; v, lambda, kinetic and potential may be
 * NULL. *samples are filled, also when the run ends early with a status > 0. */
int sb_session_run(sb_session_system *system, const char *stepper, double h, long steps, long every, double t0,
                   const double *q0, const double *v0, double *t, double *q, double *v, double *lambda, double *kinetic,
                   double *potential, long *samples);

/* ---- Callbacks of steppers, forces and problems. ---- */

/* Sets the reason for which the callback that calls this will return a failure; messages quote it. */
void sb_session_explain(sb_session *session, const char *reason);

/* Computes one step of length h from (q, v) at t to (q1, v1). `memory` holds the further vectors that the stepper keeps
 * between steps; memory1 is set. `system` is valid during the call. For the start of a run h is the first step, q1 and
 * v1 are NULL, and only memory1 is set. */
typedef int (*sb_session_step)(void *arg, sb_session_system *system, double t, double h, const double *q,
                               const double *v, const double *memory, double *q1, double *v1, double *memory1);
/* Registers a stepper of this session, or replaces one of the same name that a callback gave. `order` is the claimed
 * order; `supports` has features and `keeps` has properties joined by commas ("forces,holonomic", "position,tangency").
 * The stepper carries `vectors` vectors of n numbers from step to step. With `multistep`, they are of points at equal
 * distances: before a step of another length than the last one they are set as for the start of a run. */
int sb_session_add_stepper(sb_session *session, const char *name, const char *brief, int order, const char *supports,
                           const char *keeps, int vectors, int multistep, sb_session_step step, void *arg);

/* Computes the force f(t, q, v), n numbers. */
typedef int (*sb_session_force)(void *arg, double t, int n, const double *q, const double *v, double *f);
/* Registers a formulation that adds the force to a system's own, or replaces one of the same name; its Jacobian is
 * computed by central differences. */
int sb_session_add_force(sb_session *session, const char *name, const char *brief, sb_session_force force, void *arg);

/* Sets a term of a problem with these parameters. Symbols and layouts are those of sb_session_system_term: "M", "V",
 * "V_q", "V_qq", "T_q", "T_qq", "T_vq", "f", "f_q", "f_v", "g", "G", "Hess g" and "curvature"; further "start" (t, q,
 * v) and "size", which is asked for first: n, m, time_scale (s), whether T_q, V and f are given (0 or 1 each), the
 * degree of g as a polynomial in q (-1: not one of degree 2 or less), and the period (s; 0: none, or unknown). */
typedef int (*sb_session_term)(void *arg, const double *parameters, const char *symbol, double t, const double *q,
                               const double *v, const double *w, double *out);
/* Registers a problem with `count` real parameters, or replaces one of the same name that a callback gave. `picture` is
 * what `animate` draws, in CSV (docs/adding-a-problem.md); NULL: nothing. */
int sb_session_add_problem(sb_session *session, const char *name, const char *brief, int count,
                           const char *const *parameters, const double *defaults, const char *picture,
                           sb_session_term term, void *arg);

#endif
