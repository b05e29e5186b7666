/* The bench for other languages: a session of its own with plain functions, numbers and arrays; no struct of the core
 * crosses it.
 *
 * A session is used by one thread at a time. Functions that return int give a status of stepbench/status.h, 0 for
 * success; the sentence is then sb_session_message. Strings and arrays given are read during the call only; arrays
 * returned into are the caller's. */
#ifndef STEPBENCH_BENCH_SESSION_SESSION_H
#define STEPBENCH_BENCH_SESSION_SESSION_H

typedef struct sb_session sb_session;
/* A problem under its formulations, built. */
typedef struct sb_session_system sb_session_system;

/* Raised whenever a function below changes. */
#define SB_SESSION_VERSION 2
int sb_session_version(void);

/* NULL when out of memory. */
sb_session *sb_session_open(void);
/* Systems of the session are given back with it. */
void sb_session_close(sb_session *session);
/* The sentence of the last failure; "" after none. */
const char *sb_session_message(const sb_session *session);

int sb_session_load(sb_session *session, const char *plugin);

/* Receives the rows of a command. The first call has the names of the columns as texts; every other call is a row:
 * numbers[j] is NaN and texts[j] the text of a text, texts[j] is NULL for a number, and numbers[j] is NaN as well for
 * an empty cell. Valid during the call. A result other than 0 ends the command. */
typedef int (*sb_session_row)(void *arg, int ncolumns, const double *numbers, const char *const *texts);

/* Runs a command as on the command line: {"order", "-p", "pendulum", "-s", "verlet"}. Its rows go to `row`, or where
 * that is NULL or the command has -o, where the command line would write them. Rows up to a failure with a status > 0
 * are valid. */
int sb_session_command(sb_session *session, int argc, char *const *argv, sb_session_row row, void *arg);

/* ---- Systems. ---- */

/* Formulations from the innermost to the outermost. NULL with a message. */
sb_session_system *sb_session_system_open(sb_session *session, const char *problem, int nformulations,
                                          const char *const *formulations);
void sb_session_system_close(sb_session_system *system);
/* Coordinates, and all multipliers (holonomic, nonholonomic, normal, friction). */
int sb_session_system_size(const sb_session_system *system, int *coordinates, int *multipliers);
int sb_session_system_initial(sb_session_system *system, double *t, double *q, double *v);
/* Index-1 accelerations and the bilateral multipliers; lambda may be NULL. */
int sb_session_system_acceleration(sb_session_system *system, double t, const double *q, const double *v, double *a,
                                   double *lambda);
int sb_session_system_energy(sb_session_system *system, const double *q, const double *v, double *kinetic,
                             double *potential);
/* The values g(q) of the holonomic constraints. *count tells how many; g may be NULL. */
int sb_session_system_violation(sb_session_system *system, const double *q, int *count, double *g);
/* v becomes the nearest velocity, in the metric of the mass, that the constraints allow at q. */
int sb_session_system_project(sb_session_system *system, double t, const double *q, double *v);

/* `steps` steps from (q0, v0) at t0, or from the system's own start where they are NULL; a sample every `every` steps,
 * the first and the last state included: room for steps / every + 2. Row-major arrays: q and v of samples x
 * coordinates, lambda of samples x multipliers; v, lambda, kinetic and potential may be NULL. *samples are filled, also
 * when the run ends early with a status > 0. */
int sb_session_run(sb_session_system *system, const char *stepper, double h, long steps, long every, double t0,
                   const double *q0, const double *v0, double *t, double *q, double *v, double *lambda, double *kinetic,
                   double *potential, long *samples);

/* ---- Callbacks. A callback returns 0; a positive number ends the run as a numerical failure, a negative one as an
 * error. ---- */

/* One step of length h from (q, v) at t to (q1, v1). `system` is the one stepped, for accelerations, energies and the
 * rest; valid during the call. */
typedef int (*sb_session_step)(void *arg, sb_session_system *system, double t, double h, const double *q,
                               const double *v, double *q1, double *v1);
/* Registers a stepper of this session. `order` is the order it claims; `supports` names features joined by commas
 * ("forces,holonomic"). Used like any other, by every command. */
int sb_session_add_stepper(sb_session *session, const char *name, const char *brief, int order, const char *supports,
                           sb_session_step step, void *arg);

/* The force f(t, q, v), n numbers. */
typedef int (*sb_session_force)(void *arg, double t, int n, const double *q, const double *v, double *f);
/* Registers a formulation that adds the force to a system's own; its Jacobian is taken by central differences. */
int sb_session_add_force(sb_session *session, const char *name, const char *brief, sb_session_force force, void *arg);

#endif
