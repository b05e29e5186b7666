/* Checks that a system has every callback and pattern that its terms need, a symmetric mass matrix and a finite energy.
 */
#pragma once

#include <stepbench/system.h>

/* Fails with SB_BAD_USAGE and the member that is missing or has a wrong size or value. */
int sb_completeness_check(sb_context *ctx, const sb_system *sys);
/* Writes "; callbacks get a NULL `self` in: inertia, force"; "" if all have one. */
void sb_completeness_selves(const sb_system *sys, char *out, size_t size);
/* Checks M and the energy at (t, q, v); Mx is scratch on the pattern of M. Fails with SB_BAD_USAGE if M is not
 * symmetric, with SB_INCONSISTENT if the energy is not finite. */
int sb_completeness_evaluate(sb_context *ctx, const sb_system *sys, sb_scalar t, const sb_scalar *q, const sb_scalar *v,
                             sb_scalar *Mx);
