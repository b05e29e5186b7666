/* From specifications to systems and methods. */
#ifndef STEPBENCH_CORE_RUN_BUILD_H
#define STEPBENCH_CORE_RUN_BUILD_H

#include <stepbench/stepper.h>

#include "core/base/spec.h"

/* Builds the problem with formulations applied from the first (innermost) to the last, and checks the initial state
 * against the constraints (SB_INCONSISTENT). */
int sb_system_make(sb_context *ctx, sb_arena *arena, const sb_spec *problem, const sb_specs *formulations,
                   sb_system *out);
/* The same without any evaluation of the system, for its own check. */
int sb_system_make_unchecked(sb_context *ctx, sb_arena *arena, const sb_spec *problem, const sb_specs *formulations,
                             sb_system *out);
/* The same as sb_system_make from texts. */
int sb_system_build(sb_context *ctx, sb_arena *arena, const char *problem, int nformulations,
                    const char *const *formulations, sb_system *out);

/* Does the core's part of a problem's init: name, flags that follow from the callbacks, check of the initial state. */
int sb_system_finish(sb_context *ctx, sb_arena *arena, const char *name, sb_system *sys);

int sb_method_build(sb_context *ctx, sb_arena *arena, const char *stepper, const sb_system *sys, sb_method *out);

#endif
