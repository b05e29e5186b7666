/* The list of the bare loops, a file for each kind of body. */
#include <stddef.h>

#include "bench/perf/bare.h"

const sb_bare *const sb_bare_lists[] = {sb_bare_particle, sb_bare_pendulum, sb_bare_dsp, sb_bare_rigid_body, NULL};
