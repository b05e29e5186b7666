/* Redundant constraints: rows of [G A] that depend on others in every pose. */
#pragma once

#include <stepbench/system.h>

/* Sets sys->rank, and sys->redundant for rows that depend on the rows before them at q and in a pose nearby, and the
 * flag SB_HAS_REDUNDANT in systems without gaps and dry friction: with these all steppers solve the rows by
 * sb_contact_solve, which takes dependent ones. Rows that depend on others at q and not nearby are a singular pose and
 * no redundancy. */
int sb_redundancy_find(sb_context *ctx, sb_arena *arena, sb_scalar t, const sb_scalar *q, sb_system *sys);
