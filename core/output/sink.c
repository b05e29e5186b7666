/* Opens a sink by its format. CSV and JSON are written row by row; the other formats need all rows before the first is
 * written, and have in common the sink of this file, which keeps them. */
#include "core/output/sink.h"

typedef struct kept_sink {
    sb_sink sink;
    sb_outfile file;
    sb_format format;
    sb_table table; /* without columns before `begin` */
} kept_sink;

static int kept_begin(sb_sink *sink, int ncolumns, const sb_column *columns) {
    sb_sink *table = &((kept_sink *)sink)->table.sink;
    return table->begin(table, ncolumns, columns);
}

static int kept_row(sb_sink *sink, const sb_cell *cells) {
    sb_sink *table = &((kept_sink *)sink)->table.sink;
    return table->row(table, cells);
}

static int write_kept(const kept_sink *me) {
    if (me->table.columns == NULL || me->file.stream == NULL) {
        return SB_OK;
    }
    return me->format == SB_FORMAT_NPY ? sb_write_npy(&me->table, &me->file)
                                       : sb_write_view(&me->table, me->file.stream, me->format);
}

static int kept_end(sb_sink *sink) {
    kept_sink *me = (kept_sink *)sink;
    return sb_outfile_close(&me->file, write_kept(me));
}

/* Nothing has been written yet: the finished rows are shown now if the output is a view on standard output. */
static void kept_abandon(sb_sink *sink) {
    kept_sink *me = (kept_sink *)sink;
    if (me->format != SB_FORMAT_NPY && me->file.path == NULL && me->table.nrows > 0) {
        (void)write_kept(me);
    }
    sb_outfile_abandon(&me->file);
}

static int open_kept(sb_arena *arena, const sb_outfile *file, sb_format format, sb_sink **out) {
    kept_sink *me;
    SB_NEW(arena, me, 1);
    *me = (kept_sink){.sink = {kept_begin, kept_row, kept_end, kept_abandon}, .file = *file, .format = format};
    sb_table_init(&me->table, arena);
    *out = &me->sink;
    return SB_OK;
}

int sb_sink_open(sb_context *ctx, sb_arena *arena, sb_format format, const char *path, const char *const *comments,
                 sb_sink **out) {
    sb_outfile file;
    SB_TRY(sb_outfile_open(ctx, arena, path, &file));
    const int status = format == SB_FORMAT_CSV    ? sb_sink_csv(arena, &file, comments, out)
                       : format == SB_FORMAT_JSON ? sb_sink_json(arena, &file, out)
                                                  : open_kept(arena, &file, format, out);
    if (status != SB_OK) {
        sb_outfile_abandon(&file);
    }
    return status;
}
