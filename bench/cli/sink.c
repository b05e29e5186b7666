/* The sink that the options of a command choose. */
#include "bench/cli/label.h"
#include "bench/cli/plot.h"
#include "core/base/text.h"

static int open_rows(cli *me, const char *const *comments, sb_sink **out) {
    if (me->rows != NULL && me->output == NULL) {
        *out = me->rows;
        return SB_OK;
    }
    if (!cli_given(me, "format")) {
        SB_TRY(sb_rows_check_ending(me->ctx, me->command.entry->name, me->output));
    }
    SB_TRY(sb_sink_open(me->ctx, me->arena, me->format, me->output, comments, out));
    if (me->shared.caption[0] != '\0') {
        sb_sink_caption(*out, &(const sb_caption){me->shared.caption, me->output, false});
    }
    return SB_OK;
}

bool cli_plotted(const cli *me) { return me->shared.plot[0] != '\0' || me->shared.plot_script[0] != '\0'; }

/* Opens the sink of the rows in the requested form. */
static int open_form(cli *me, const char *const *comments, sb_sink **out) {
    sb_sink *inner;
    SB_TRY(open_rows(me, comments, &inner));
    SB_TRY(sb_rows_form(me->ctx, me->arena, &me->shared.rows, me->format, inner, out));
    return me->shared.expect == NULL || me->shared.expect[0] == '\0'
               ? SB_OK
               : sb_sink_expect(me->ctx, me->arena, me->shared.expect, *out, out);
}

static int open_rows_and_figure(cli *me, const char *const *comments, sb_sink **out) {
    if (!cli_plotted(me)) {
        return open_form(me, comments, out);
    }
    const bool rows = me->output != NULL || me->rows != NULL || cli_given(me, "format");
    sb_sink *inner = NULL;
    SB_TRY(cli_plot_check(me));
    SB_TRY(rows ? open_form(me, comments, &inner) : SB_OK);
    return cli_plot_sink(me, comments, inner, out);
}

int cli_caption_check(const cli *me) {
    return me->shared.caption[0] == '\0' || me->format == SB_FORMAT_LATEX || sb_ends_with(me->shared.plot, ".tex")
               ? SB_OK
               : sb_fail(me->ctx, SB_BAD_USAGE,
                         "--caption is for LaTeX: end the name of -o or --plot with .tex, or give --format latex");
}

int cli_sink(cli *me, const char *const *comments, sb_sink **out) {
    sb_sink *inner;
    SB_TRY(cli_caption_check(me));
    SB_TRY(open_rows_and_figure(me, comments, &inner));
    return cli_label_sink(me, inner, out);
}
