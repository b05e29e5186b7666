/* Collects the figures of a card in one script and draws them with one gnuplot: with a process per figure the pages of
 * all steppers took 25 s of processor time more. */
#include "bench/card/figure.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/data/data.h"
#include "bench/process/pool.h"
#include "bench/report/html.h"
#include "bench/runner/plot.h"

/* Marks the place of a figure in the page. */
#define PLACE "\f"

/* ---- The script. ---- */

/* Without a script, figures are objects of a list that the page draws: see assets/card.js. */
void sb_figure_begin(const sb_card *card) {
    fputs(card->script != NULL ? "$data << END\n" : "{\"curves\":[[", card->script != NULL ? card->script : card->to);
}

void sb_figure_point(const sb_card *card, const sb_figure *f, sb_curve_ends *e, double x, double y) {
    if (!isfinite(x) || !isfinite(y) || (f->xlog && x <= 0.0) || (f->ylog && y <= 0.0)) {
        return;
    }
    if (card->script != NULL) {
        fprintf(card->script, "%.9g %.9g\n", x, y);
    } else {
        fprintf(card->to, "%s[%.4g,%.4g]", e->n > 0 ? "," : "", x, y);
    }
    if (e->n++ == 0) {
        e->x0 = x;
        e->y0 = y;
    }
    e->x1 = x;
    e->y1 = y;
}

void sb_figure_end_curve(const sb_card *card, sb_figure *f, const sb_curve_ends *e, int colour) {
    if (e->n > 0) {
        fputs(card->script != NULL ? "\n\n" : "],[", card->script != NULL ? card->script : card->to);
        f->colours[f->count++] = colour;
    }
}

static void write_string(FILE *to, const char *name, const char *text) {
    fprintf(to, "%s = '", name);
    for (; *text != '\0'; text++) {
        fputs(*text == '\'' ? "''" : (const char[]){*text, '\0'}, to);
    }
    fputs("'\n", to);
}

/* Writes the statements that card.gp expects, and loads it. */
static void write_settings(FILE *script, const sb_figure *f) {
    write_string(script, "title", f->title);
    write_string(script, "xlabel", f->xlabel);
    write_string(script, "ylabel", f->ylabel);
    fprintf(script,
            "xlog = %d\nylog = %d\nmarks = %d\nxmax = %.9g\nymax = %.9g\nslope = %.9g\nxmid = %.9g\nymid = "
            "%.9g\nwidth = %.9g\nheight = %.9g\ncount = %d\ncolours = '",
            f->xlog, f->ylog, f->marks, f->xmax, f->ymax, f->slope, f->xmid, f->ymid, f->width, f->height, f->count);
    for (int k = 0; k < f->count; k++) {
        fprintf(script, "%d ", f->colours[k]);
    }
    fputs("'\nload drawing\n", script);
}

/* Writes a member of an object, whose text neither ends it nor the element of the page that holds it. */
static void write_member(FILE *to, const char *name, const char *text) {
    fprintf(to, ",\"%s\":\"", name);
    for (; *text != '\0'; text++) {
        strchr("\"\\<", *text) != NULL ? fprintf(to, "\\u%04x", (unsigned)*text) : fputc(*text, to);
    }
    fputc('"', to);
}

/* Ends an object. */
static void write_data(FILE *to, const sb_figure *f) {
    fputs("]],\"colours\":[", to);
    for (int k = 0; k < f->count; k++) {
        fprintf(to, "%s%d", k > 0 ? "," : "", f->colours[k]);
    }
    fprintf(to, "],\"slope\":%.9g,\"mid\":[%.4g,%.4g]", f->slope, f->xmid, f->ymid);
    write_member(to, "title", f->title);
    write_member(to, "xlabel", f->xlabel);
    write_member(to, "ylabel", f->ylabel);
    write_member(to, "alt", f->alt);
    fputs("}", to);
}

void sb_figure_end(const sb_card *card, const sb_figure *f) {
    if (card->script == NULL) {
        write_data(card->to, f);
        return;
    }
    fputs("END\n", card->script);
    if (f->count == 0 && f->width == 0.0) {
        sb_html(card->to, "<figure><p class=\"quiet\">%s: no points to draw.</p></figure>\n", f->title);
        return;
    }
    write_settings(card->script, f);
    sb_html(card->to, "<figure role=\"img\" aria-label=\"%s\">" PLACE "</figure>\n", f->alt);
}

/* ---- The page. ---- */

typedef struct drawing {
    FILE *script, *page, *drawn, *smaller; /* page: with PLACE for each figure; smaller: the figures */
    bool gnuplot;                          /* it is installed */
} drawing;

static int no_room(const sb_card *card) {
    return sb_fail(card->ctx, SB_IO, "could not write the temporary files of the figures of a card: %s",
                   strerror(errno));
}

static bool is_written(FILE *file) { return fflush(file) == 0 && !ferror(file); }

/* Copies the next SVG document as an element of a page: without its first two lines, which are an XML declaration and
 * the beginning of the element. */
static void copy_svg(FILE *from, FILE *to) {
    static const char end[] = "</svg>\n";
    int c, lines = 0;
    size_t matched = 0; /* characters of `end` */
    while (lines < 2 && (c = fgetc(from)) != EOF) {
        lines += c == '\n';
    }
    fputs("<svg viewBox=\"0 0 360 250\">\n", to);
    while (end[matched] != '\0' && (c = fgetc(from)) != EOF) {
        fputc(c, to);
        matched = c == end[matched] ? matched + 1 : c == end[0] ? 1 : 0;
    }
}

static void insert_figures(const drawing *d, FILE *to) {
    int c;
    rewind(d->page);
    rewind(d->smaller);
    while ((c = fgetc(d->page)) != EOF) {
        if (c != PLACE[0]) {
            fputc(c, to);
        } else if (d->gnuplot) {
            copy_svg(d->smaller, to);
        } else {
            fputs("<p class=\"quiet\">Left out: gnuplot is not installed.</p>", to);
        }
    }
}

/* Runs gnuplot, without its warnings of constant data. */
static int draw(const sb_card *card, drawing *d) {
    char script[32];
    snprintf(script, sizeof script, "/dev/fd/%d", fileno(d->script));
    const int exited = sb_program_run((char *[]){"gnuplot", script, NULL}, NULL, d->drawn);
    d->gnuplot = exited != SB_NO_PROGRAM;
    if (!d->gnuplot) {
        return SB_OK;
    }
    if (exited != 0 && !ferror(d->drawn)) {
        return sb_fail(card->ctx, SB_IO, "gnuplot could not draw the figures of the card of %s: exit status %d",
                       card->subject->stepper, exited);
    }
    SB_TRY(sb_svg_shrink(card->ctx, card->arena, d->drawn, d->smaller));
    return is_written(d->smaller) ? SB_OK : no_room(card);
}

static int write_and_draw(const sb_card *card, int (*sections)(const sb_card *), drawing *d) {
    sb_card inner = *card;
    const char *path;
    inner.to = d->page;
    inner.script = d->script;
    SB_TRY(sb_data_path(card->ctx, card->arena, "assets/card.gp", &path));
    write_string(d->script, "drawing", path);
    SB_TRY(sections(&inner));
    SB_TRY(is_written(d->page) && is_written(d->script) ? draw(card, d) : no_room(card));
    insert_figures(d, card->to);
    return SB_OK;
}

int sb_figures_write(const sb_card *card, int (*sections)(const sb_card *)) {
    drawing d = {tmpfile(), tmpfile(), tmpfile(), tmpfile(), false};
    FILE *const files[] = {d.script, d.page, d.drawn, d.smaller};
    bool open = true;
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        open = open && files[k] != NULL;
    }
    const int status = open ? write_and_draw(card, sections, &d) : no_room(card);
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        if (files[k] != NULL) {
            fclose(files[k]);
        }
    }
    return status;
}
