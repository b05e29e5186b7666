/* Running steppers: binding them to a system, their steps and reports, and compounds of them. */
#ifndef STEPBENCH_METHOD_H
#define STEPBENCH_METHOD_H

#include <stepbench/context.h>
#include <stepbench/stepper.h>

/* A stepper made from another one, its base: "yoshida4(verlet)" takes the steps of verlet. */
typedef struct sb_compound_stepper {
    sb_stepper stepper;
    const struct sb_compound *compound;
    const sb_stepper *base;
} sb_compound_stepper;

/* A way to make steppers from others. */
typedef struct sb_compound {
    sb_entry entry;
    const void *data; /* for `compose` and the functions that it sets */
    /* Turns out->stepper, a copy of out->base under the names of the compound and of the base, into the compound
     * stepper: its order, what it takes and keeps, its functions. Its parameters are the parameters of the base, then
     * those of the compound. SB_UNSUPPORTED names the base that does not fit. */
    int (*compose)(sb_context *ctx, sb_compound_stepper *out);
} sb_compound;

/* Returns the offset of the compound's parameters in the configuration of a stepper with this base. */
static inline size_t sb_compound_offset(const sb_stepper *base) {
    const size_t align = _Alignof(max_align_t);
    return (base->entry.config_size + align - 1) / align * align;
}

/* Returns the meaning of the lowest bit of a set of features or offers; "" for an empty set. */
const char *sb_feature_meaning(unsigned features);
const char *sb_offer_meaning(unsigned offers);

/* Returns the order of a variable claimed with this configuration (NULL: the default one) on systems with these
 * features. */
int sb_stepper_order_of(const sb_stepper *stepper, const void *config, unsigned features, sb_variable variable);
/* Returns the lower one of the orders of q and v. */
int sb_stepper_order(const sb_stepper *stepper, const void *config, unsigned features);

/* Returns the SB_KEEPS_... claimed with this configuration (NULL: the default one). */
unsigned sb_stepper_keeps(const sb_stepper *stepper, const void *config);

/* Returns SB_UNSUPPORTED if `stepper` cannot take `sys`, with a sentence in ctx that gives the reason and names a
 * formulation that would help, if a registered one does. */
int sb_stepper_check(sb_context *ctx, const sb_stepper *stepper, const sb_system *sys);

/* Binds a stepper to a system; checks support first. `config` outlives the method. */
int sb_method_init(sb_context *ctx, sb_arena *arena, const sb_stepper *stepper, const void *config,
                   const sb_system *sys, sb_method *out);

/* Allocates a state for this method. */
int sb_state_new(const sb_method *me, sb_arena *arena, sb_state *out);
void sb_state_copy(const sb_method *me, const sb_state *from, sb_state *to);

/* The operations above with the defaults, times and checks for NaN and infinities. start takes the initial state of the
 * system if q is NULL, and returns SB_INCONSISTENT if (q, v) is not on the constraints. */
int sb_method_start(const sb_method *me, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar h,
                    sb_state *out);
int sb_method_start_pair(const sb_method *me, sb_scalar t, const sb_scalar *q0, const sb_scalar *q1, sb_scalar h,
                         sb_state *out);
int sb_method_step(const sb_method *me, const sb_state *in, sb_scalar h, sb_state *out);
/* Returns whether a report of these quantities (each may be NULL) needs the state after the reported one. */
bool sb_method_needs_next(const sb_method *me, const sb_scalar *v, const sb_scalar *lambda);
/* `next` as for sb_stepper's report. */
int sb_method_report_between(const sb_method *me, const sb_state *in, const sb_state *next, sb_scalar *v,
                             sb_scalar *lambda);
/* Reports from one state: takes the step to the next one where the report needs it. */
int sb_method_report(const sb_method *me, const sb_state *in, sb_scalar *v, sb_scalar *lambda);
int sb_method_momentum(const sb_method *me, const sb_state *in, sb_scalar *p);

/* Fills `config` (entry->config_size bytes, zeroed by the caller) with the defaults, then with "k=v,k=v" (NULL or ""
 * for none). Lists come from the arena. SB_BAD_USAGE names the parameter, the value and what would do. */
int sb_config_parse(sb_context *ctx, sb_arena *arena, const sb_entry *entry, const char *text, void *config);

/* Sets one parameter from its text, with the same checks. */
int sb_config_set(sb_context *ctx, sb_arena *arena, const sb_entry *entry, const char *name, const char *value,
                  void *config);

#endif
