/* Builds systems and methods from specifications. */
#pragma once

#include <stepbench/method.h>

#include "core/base/spec.h"

/* Builds the problem with formulations applied from the first (innermost) to the last, and checks the initial state
 * against the constraints (SB_INCONSISTENT). */
int sb_system_make(sb_context *ctx, sb_arena *arena, const sb_spec *problem, const sb_specs *formulations,
                   sb_system *out);
/* The same with a change of what the init of the problem has filled, before anything else sees it. */
int sb_system_make_from(sb_context *ctx, sb_arena *arena, const sb_spec *problem, const sb_specs *formulations,
                        int (*change)(void *arg, sb_system *sys), void *arg, sb_system *out);
/* The same as sb_system_make without evaluating the system, for the command `check`, which evaluates it. */
int sb_system_make_unchecked(sb_context *ctx, sb_arena *arena, const sb_spec *problem, const sb_specs *formulations,
                             sb_system *out);
/* Builds `sys` with a formulation, given by its specification, applied. */
int sb_system_reformulate(sb_context *ctx, sb_arena *arena, const char *formulation, const sb_system *sys,
                          sb_system *out);
/* The same as sb_system_make, from the texts of the specifications. */
int sb_system_build(sb_context *ctx, sb_arena *arena, const char *problem, int nformulations,
                    const char *const *formulations, sb_system *out);

/* Completes a system that an init has filled: sets its name and the flags that follow from its callbacks, and checks
 * its terms and its initial state. */
int sb_system_finish(sb_context *ctx, sb_arena *arena, const char *name, sb_system *sys);

/* The same as sb_stepper_check; `names_others`: the sentence also names steppers that take the system. */
int sb_stepper_refusal(sb_context *ctx, const sb_stepper *stepper, const sb_system *sys, bool names_others);

/* Binds the stepper of a specification to a system. Fails with SB_UNSUPPORTED if the stepper does not take it. */
int sb_method_build(sb_context *ctx, sb_arena *arena, const char *stepper, const sb_system *sys, sb_method *out);
