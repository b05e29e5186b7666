/* The provenance of a result: comments at the head of a CSV file, and a JSON file beside the result. */
#pragma once

#include "bench/cli/cli.h"

/* Sets *comments to the version and the command with every parameter as resolved, NULL-terminated. */
int cli_comments(cli *me, const char *const **comments);

/* Ends the sink of a command that has written its rows with `status`. After a numerical failure and an interruption the
 * rows are kept and provenance is written; after other failures the sink is abandoned. Returns `status`, with its
 * message, or the failure to write. */
int cli_finish(cli *me, sb_sink *sink, int status);

/* Writes the versions, the machine, and the command with all its options, entries and files, as JSON. Fails with SB_IO
 * or SB_NO_MEMORY. */
int cli_write_provenance_to(cli *me, const char *path);

/* Writes FILE.provenance.json beside -o FILE; nothing for standard output and devices. */
int cli_write_provenance(cli *me);
