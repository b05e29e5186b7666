/* Writes pieces of a page: text as HTML shows it, files of the data directory. */
#ifndef STEPBENCH_BENCH_REPORT_HTML_H
#define STEPBENCH_BENCH_REPORT_HTML_H

#include <stdio.h>

#include <stepbench/context.h>

/* Writes text as HTML shows it, also between double quotes. */
void sb_html_text(FILE *to, const char *text);
/* Writes `before` as it is, the text as HTML shows it, and `after` as it is. */
void sb_html_tagged(FILE *to, const char *before, const char *text, const char *after);
/* Writes the contents of a file of the data directory. */
int sb_html_asset(sb_context *ctx, sb_arena *arena, const char *file, FILE *to);

#endif
