/* The groups of checks of a system. Each writes its rows, and fails if a row cannot be written. */
#pragma once

#include "analysis/system/examination.h"

/* Patterns and the initial state; needs no random points. */
int sb_check_start(sb_examination *c);
/* The mass matrix and the degrees that the system declares. */
int sb_check_structure(sb_examination *c);
int sb_check_arrays(sb_examination *c);
int sb_check_derivatives(sb_examination *c);
int sb_check_symmetries(sb_examination *c);
/* The chart and the exact solution. */
int sb_check_solutions(sb_examination *c);
