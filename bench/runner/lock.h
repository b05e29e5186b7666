/* Locks a results directory: one run at a time, or the calls of a plan at the same time. */
#pragma once

#include <stepbench/context.h>

/* Takes a lock on the file `path`, which is created where missing: exclusive, or shared with other shared ones. Child
 * processes and the programs they run inherit the lock, so that it is held until the last of them has ended, also after
 * their parent was killed. While such processes hold it, the call waits for them, at most ten seconds. Returns SB_IO
 * when the lock is held by a process that is alive or for longer than that; the message names the process. On a file
 * system without locks the call succeeds without one, writes a note to standard error and sets *lock to -1. */
int sb_lock_take(sb_context *ctx, const char *path, bool exclusive, int *lock);

/* Releases the lock; does nothing for -1. The file stays. */
void sb_lock_release(int lock);
