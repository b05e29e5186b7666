/* Draws figures with gnuplot. */
#pragma once

#include <stdio.h>

#include "core/output/table.h"

/* Sets *out to an expression of gnuplot with a text as a figure of this kind shows it, without enhancement: control
 * characters as escapes, and for "tex" as LaTeX. */
int sb_plot_text(sb_arena *arena, const char *kind, const char *text, const char **out);

/* Sets *out to an expression of gnuplot with the path of a file. A path that begins with < or | would be a command. */
int sb_plot_path(sb_arena *arena, const char *path, const char **out);

/* Draws a figure of the kind "svg", "png", "gif", "pdf", "tex" into the file `target`, which appears whole or not at
 * all: the statements `settings`, on one line, then the scripts `style` and `script`. A `note` (may be NULL) becomes a
 * comment at the end of an SVG file, a caption of LaTeX makes a figure "tex" a float. *drawn is false if gnuplot is not
 * installed. Fails with SB_IO. */
int sb_plot_file(sb_context *ctx, sb_arena *arena, const char *settings, const char *style, const char *script,
                 const char *kind, const char *note, const sb_caption *caption, const char *target, bool *drawn);

/* Runs gnuplot on the same, with its output on the stream `to`; no `style`: NULL. Settings of the user are not read. */
int sb_plot_stream(sb_context *ctx, const char *settings, const char *style, const char *script, FILE *to, bool *drawn);

/* The comment at the end of the SVG file of an experiment that is not drawn only by the script of its name: the script
 * and the statements before it. */
#define SB_PLOT_NOTE "<!-- plot "
#define SB_PLOT_NOTE_END " -->\n"
