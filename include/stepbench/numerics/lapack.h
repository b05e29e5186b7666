/* The status of a failed LAPACKE call: lack of memory for its work space is reported as such. */
#ifndef STEPBENCH_NUMERICS_LAPACK_H
#define STEPBENCH_NUMERICS_LAPACK_H

#include <stdbool.h>

#include <lapacke.h>

#include <stepbench/context.h>

#define SB_LAPACK_NO_MEMORY "out of memory: LAPACK got no work space"

static inline bool sb_lapack_no_memory(lapack_int info) {
    return info == LAPACK_WORK_MEMORY_ERROR || info == LAPACK_TRANSPOSE_MEMORY_ERROR;
}

/* Records why a LAPACKE call returned `info`, not 0: SB_NO_MEMORY, or `status` with the sentence given. Returns that
 * status. */
#define sb_lapack_fail(ctx, info, status, ...)                                                                         \
    (sb_lapack_no_memory(info) ? sb_fail((ctx), SB_NO_MEMORY, SB_LAPACK_NO_MEMORY)                                     \
                               : sb_fail((ctx), (status), __VA_ARGS__))

#endif
