/* Small systems with exact solutions in closed form, one per kind of term that a stepper may take. */
#pragma once

#include <stepbench/system.h>

/* Returns the number of the systems; the name of system k, such as "check.drag". */
int sb_check_system_count(void);
const char *sb_check_system_name(int k);

/* Builds system k. Fails with SB_NO_MEMORY. */
int sb_check_system_make(sb_context *ctx, sb_arena *arena, int k, sb_system *out);
