/* Status codes and the macro that passes them on. 0 is success, > 0 is recoverable, < 0 is hard. */
#ifndef STEPBENCH_STATUS_H
#define STEPBENCH_STATUS_H

/* After a positive status a smaller step or another state may succeed; after a negative one nothing will. */
#define SB_STATUS_LIST(X)                                                                                              \
    X(SB_OK, 0, "done")                                                                                                \
    X(SB_NOT_CONVERGED, 1, "Newton's iteration did not converge")                                                      \
    X(SB_SINGULAR, 2, "a matrix is singular to working precision")                                                     \
    X(SB_NOT_FINITE, 3, "the state is not finite")                                                                     \
    X(SB_DOMAIN, 4, "a term was evaluated outside its domain")                                                         \
    X(SB_NO_MEMORY, -1, "out of memory")                                                                               \
    X(SB_BAD_USAGE, -2, "bad usage")                                                                                   \
    X(SB_UNSUPPORTED, -3, "the stepper does not take this problem")                                                    \
    X(SB_INCONSISTENT, -4, "the initial state violates the constraints")                                               \
    X(SB_IO, -5, "a file could not be read or written")                                                                \
    X(SB_INTERRUPTED, -6, "interrupted")                                                                               \
    X(SB_BAD_PLUGIN, -7, "the plug-in cannot be used")

enum {
#define SB_STATUS_ENUM(name, value, text) name = (value),
    SB_STATUS_LIST(SB_STATUS_ENUM)
#undef SB_STATUS_ENUM
};

/* Leaves the calling function with the status of `call` unless it is SB_OK. */
#define SB_TRY(call)                                                                                                   \
    do {                                                                                                               \
        const int sb_try_ = (call);                                                                                    \
        if (sb_try_ != SB_OK) {                                                                                        \
            return sb_try_;                                                                                            \
        }                                                                                                              \
    } while (0)

/* Returns the fixed text of a status code, also for numbers that are none. Never NULL. */
const char *sb_status_text(int status);

#endif
