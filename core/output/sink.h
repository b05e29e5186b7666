/* What the sinks share: the output file under its temporary name, and the writer of each format. */
#pragma once

#include <stdio.h>

#include "core/output/table.h"

/* A stream that becomes the file `path` when it is committed: it is written under a temporary name in the same
 * directory and renamed. Devices and pipes are written directly. */
typedef struct sb_outfile {
    sb_context *ctx;
    FILE *stream;     /* NULL once committed or abandoned */
    const char *path; /* NULL: standard output */
    char *temporary;  /* a name in the same directory; NULL: written directly */
    bool named;       /* a file of the temporary name exists */
} sb_outfile;

/* Opens a file for writing, or standard output where path is NULL. Fails with SB_IO. */
int sb_outfile_open(sb_context *ctx, sb_arena *arena, const char *path, sb_outfile *out);
/* Fails with SB_IO if anything written so far was refused (disk full). */
int sb_outfile_check(sb_outfile *file);
/* Flushes, closes and renames; nothing is left behind on failure. A second call does nothing. */
int sb_outfile_commit(sb_outfile *file);
/* Commits the file if `status` is SB_OK, otherwise abandons it. Returns `status` or the failure to commit. */
int sb_outfile_close(sb_outfile *file, int status);
/* Closes the file, which then does not exist. What was written to standard output, a device or a pipe cannot be
 * removed. */
void sb_outfile_abandon(sb_outfile *file);

/* Creates a directory and those above it, where they are missing. Fails with SB_IO, also when the directory cannot be
 * written to. */
int sb_make_directories(sb_context *ctx, sb_arena *arena, const char *path);

/* Returns the directory of temporary files: $TMPDIR, or /tmp where that is not set or empty. */
const char *sb_temporary_directory(void);

/* Returns whether no process of this number runs any more; one that has ended counts, also before its parent has waited
 * for it. */
bool sb_process_ended(long pid);

/* Writes a table as SB_FORMAT_TABLE, SB_FORMAT_MD, SB_FORMAT_LATEX or SB_FORMAT_JUNIT. Leaves out empty columns. A
 * terminal table and a LaTeX table that are too wide have their texts broken into lines, and are then divided into
 * blocks that repeat the leading keys. A LaTeX table with a caption (NULL: none) is a float. */
int sb_write_view(const sb_table *table, FILE *stream, sb_format format, const sb_caption *caption);
