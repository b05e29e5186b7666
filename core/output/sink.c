/* A sink by its format, on a file or on standard output. */
#include "core/output/sink.h"

int sb_sink_open(sb_context *ctx, sb_arena *arena, sb_format format, const char *path, const char *const *comments,
                 sb_sink **out) {
    sb_outfile file;
    SB_TRY(sb_outfile_open(ctx, arena, path, &file));
    int status;
    switch (format) {
    case SB_FORMAT_CSV: status = sb_sink_csv(arena, &file, comments, out); break;
    case SB_FORMAT_JSON: status = sb_sink_json(arena, &file, out); break;
    case SB_FORMAT_NPY: status = sb_sink_npy(arena, &file, out); break;
    default: status = sb_sink_view(arena, &file, format, out); break;
    }
    if (status != SB_OK) {
        sb_outfile_abandon(&file);
    }
    return status;
}
