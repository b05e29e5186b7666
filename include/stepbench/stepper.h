/* A stepper: one fixed-step method as a pure map (configuration, in, h) -> out. For the author of a stepper. */
#ifndef STEPBENCH_STEPPER_H
#define STEPBENCH_STEPPER_H

#include <stepbench/system.h>

/* The state of a method between steps. q, v and lambda are the method's own variables at the end of its last step: for
 * one-step methods position, velocity and multiplier at t; two-step methods may keep a half-step velocity in v and
 * their history in aux, and then have `report`. */
typedef struct sb_state {
    sb_scalar t;
    sb_scalar h;       /* the step that led here; from `start`, the step that will follow */
    sb_scalar *q;      /* n */
    sb_scalar *v;      /* n */
    sb_scalar *lambda; /* sb_system_multipliers(sys): of the last solve */
    sb_scalar *aux;    /* method->naux */
    long iters;        /* Newton iterations of the last step */
} sb_state;

enum { SB_NEXT_FOR_VELOCITY = 1, SB_NEXT_FOR_LAMBDA = 2 };
struct sb_steps_at; /* numerics/steps.h */

/* A stepper bound to a system. `work` is scratch: a step reads nothing in it that an earlier step wrote, except what
 * depends on the configuration and h only. */
typedef struct sb_method {
    const struct sb_stepper *type;
    const sb_system *sys;
    const void *config;
    void *work;          /* set by init */
    int naux;            /* set by init: the length of sb_state.aux */
    unsigned needs_next; /* set by init: SB_NEXT_FOR_..., what `report` takes from the state after the reported one */
    struct sb_method_work *core; /* of the functions in method.h */
    sb_context *ctx;
    sb_arena *arena;
    const char *note; /* set by init: what the method takes from the system, for `run`; NULL: nothing to say */
    bool plain;       /* and `steps`, which init may set: numerics/steps.h */
    int (*steps)(const struct sb_method *me, struct sb_steps_at *at, long end);
} sb_method;

/* What a method keeps to round-off on every system it takes, by the generic tests. X(flag, bit, word, meaning). */
#define SB_KEEPS_LIST(X)                                                                                               \
    X(SB_KEEPS_POSITION, 0, "position", "g(q) = 0")                                                                    \
    X(SB_KEEPS_TANGENCY, 1, "tangency", "G(q) v = 0 of the reported velocity")                                         \
    X(SB_KEEPS_MOMENTA, 2, "momenta", "the discrete momentum of every symmetry")                                       \
    X(SB_KEEPS_ENERGY, 3, "energy", "the energy of a conservative system")                                             \
    X(SB_KEEPS_REVERSIBILITY, 4, "reversibility", "a step back undoes a step")

enum {
#define SB_KEEPS_ENUM(name, bit, word, meaning) name = 1 << (bit),
    SB_KEEPS_LIST(SB_KEEPS_ENUM)
#undef SB_KEEPS_ENUM
};

/* The variables for which an order is claimed. */
typedef enum sb_variable { SB_POSITION, SB_VELOCITY, SB_MULTIPLIER } sb_variable;

/* The order on systems with any of these features: the least over all of them; single ones may show a higher one. */
typedef struct sb_order_class {
    unsigned features; /* SB_HAS_... */
    int order;
} sb_order_class;

/* A stepper with error control covers the length h that it is given with steps of its own: h is the interval of output,
 * and a parameter of the stepper bounds the local errors. */
typedef struct sb_error_control {
    const char *tolerance; /* that parameter; NULL: the stepper takes one step of length h */
    double power;          /* the errors of q and v are O(tolerance^power) */
} sb_error_control;

typedef struct sb_stepper {
    sb_entry entry;
    /* Allocates work from me->arena, which also owns what a library allocates (sb_arena_own), and sets me->naux. */
    int (*init)(sb_method *me);
    /* Takes one step; `in` is unchanged, also on failure. The core sets out->t and out->h, and checks that out is
     * finite. */
    int (*step)(const sb_method *me, const sb_state *in, sb_scalar h, sb_state *out);
    int order;         /* claimed order of q and v on smooth problems */
    unsigned supports; /* SB_HAS_... it can take; the unconstrained constant-mass conservative case needs none */

    /* ---- Everything below is optional. ---- */
    unsigned keeps;          /* SB_KEEPS_... it claims */
    unsigned needs;          /* SB_OFFERS_... it relies on */
    sb_order_class lower[2]; /* classes of systems with a lower order; an entry with features 0 ends them */
    sb_error_control control;
    /* Sets `out` for the motion through (q, v) at t, where v satisfies the velocity constraints. On entry t and h are
     * set, q and v are copied, and lambda and aux are zero. Two-step methods use the discrete Legendre transform here.
     * NULL: the state on entry. */
    int (*start)(const sb_method *me, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar h, sb_state *out);
    /* For two-step methods, else NULL: sets the state at t + h whose last two points are q0 and q1. */
    int (*start_pair)(const sb_method *me, sb_scalar t, const sb_scalar *q0, const sb_scalar *q1, sb_scalar h,
                      sb_state *out);
    /* Sets velocity and multiplier at in->t to the method's order; each may be NULL. `next` is the state after a step
     * of length in->h from `in` where me->needs_next asks for it; NULL where it does not, or where that step failed.
     * On entry v is in->v, and lambda is in->lambda, or with SB_NEXT_FOR_LAMBDA the lambda of `next`, NaN where there
     * is no next. NULL: these are reported. q is always in->q. */
    int (*report)(const sb_method *me, const sb_state *in, const sb_state *next, sb_scalar *v, sb_scalar *lambda);
    /* Sets p to the (discrete) momentum conjugate to in->q, in which the method is symplectic if it is: wm96 (3.1),
     * (4.6). Determined up to G' mu. NULL: M(q) v with the reported v. */
    int (*momentum)(const sb_method *me, const sb_state *in, sb_scalar *p);
    /* Returns the claimed order of a variable with this configuration on systems with these features; NULL: `order`. */
    int (*order_of)(const struct sb_stepper *me, const void *config, unsigned features, sb_variable variable);
    /* Returns the SB_KEEPS_... of `keeps` that are lost with this configuration; NULL: none. */
    unsigned (*loses)(const void *config);
    /* A step needs several points at equal distances: a step of another length than the last one starts anew. Compounds
     * that change the length of every step do not take the stepper. */
    bool multistep;
    /* Name of a real parameter, the compliance of the holonomic constraints: for small steps the motion is that with g
     * + eps lambda = 0. NULL: they are rigid. A row's own eps takes its place. */
    const char *compliance;
    const void *data;   /* of a stepper that is made at run time, for its functions */
    sb_scalar roundoff; /* relative, of a state in another precision; 0: SB_EPSILON */
    bool opaque;        /* The numbers in aux are bytes that can only be copied. */
    bool continues;     /* A step continues the last one: it takes no state but the one it has made last. */
    bool uncounted;     /* Another process takes its steps: it sets no lambda, and evaluations are not counted. */
} sb_stepper;

#endif
