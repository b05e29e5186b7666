/* Collects the figures of a card: order, work-precision, energy over a long run, stability; the stepper against its
 * baselines. A figure is an object of points, labels and ranges, which assets/card.js draws. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "bench/card/card.h"
#include "core/base/text.h"

enum { CURVES = 8 };

/* A figure, its place among the values of the page, and its current curve. */
typedef struct figure {
    sb_page *page;
    json_t *object, *curves, *colours, *floor, *curve; /* floor: points [x, y, colour] that no curve has */
    bool xlog, ylog;
    int n;                 /* points of the curve */
    double x0, y0, x1, y1; /* its first point and its last point */
    int used;              /* length of `alt` */
    char alt[400];         /* the figure in words */
} figure;

static const sb_card_data *data_of(const sb_card *card, int k) {
    return k == 0 ? card->subject : card->baselines[k - 1];
}

static void begin(sb_page *page, json_t *list, const char *xlabel, const char *ylabel, bool xlog, bool ylog,
                  figure *f) {
    *f = (figure){.page = page, .object = sb_page_object(page, list), .xlog = xlog, .ylog = ylog};
    sb_page_text(page, f->object, "xlabel", xlabel);
    sb_page_text(page, f->object, "ylabel", ylabel);
    sb_page_flag(page, f->object, "xlog", xlog);
    sb_page_flag(page, f->object, "ylog", ylog);
    f->curves = sb_page_list(page, f->object, "curves");
    f->colours = sb_page_list(page, f->object, "colours");
    f->floor = sb_page_list(page, f->object, "floor");
    f->curve = json_array();
}

/* Adds a point to the curve, unless the axes cannot show it. */
static void add_point(figure *f, double x, double y) {
    if (!isfinite(x) || !isfinite(y) || (f->xlog && x <= 0.0) || (f->ylog && y <= 0.0)) {
        return;
    }
    sb_page_add(f->page, f->curve, json_pack("[ff]", x, y));
    if (f->n++ == 0) {
        f->x0 = x;
        f->y0 = y;
    }
    f->x1 = x;
    f->y1 = y;
}

/* Ends the curve, and begins the next one. A curve without points is none. */
static void end_curve(figure *f, int colour) {
    if (f->n > 0) {
        sb_page_add(f->page, f->curves, f->curve);
        sb_page_add(f->page, f->colours, json_integer(colour));
        f->curve = json_array();
    }
    f->n = 0;
}

/* Adds words to the description of the figure. */
static void describe(figure *f, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void describe(figure *f, const char *format, ...) {
    va_list args;
    va_start(args, format);
    if ((size_t)f->used < sizeof f->alt) {
        f->used += vsnprintf(f->alt + f->used, sizeof f->alt - (size_t)f->used, format, args);
    }
    va_end(args);
}

/* Sets the largest number on an axis. */
static void limit(figure *f, const char *axis, double largest) {
    f->page->failed = json_object_set_new(f->object, axis, json_real(largest)) != 0 || f->page->failed;
}

static void end(figure *f, const char *title) {
    json_decref(f->curve);
    sb_page_text(f->page, f->object, "title", title);
    sb_page_text(f->page, f->object, "alt", f->alt);
}

static bool at_floor(const sb_table *table, int row) { return sb_table_is(table, row, "status", "plateau"); }

/* Adds two columns of the rows that have both to the curve, or to the points at the floor of errors. */
static void add_columns(figure *f, const sb_table *table, const char *x, const char *y, double scale, int colour) {
    for (int i = 0; i < table->nrows; i++) {
        const double at = scale * sb_table_real(table, i, x), value = sb_table_real(table, i, y);
        if (!at_floor(table, i)) {
            add_point(f, at, value);
        } else if (at > 0.0 && value > 0.0) {
            sb_page_add(f->page, f->floor, json_pack("[ffi]", at, value, colour));
        }
    }
}

static const char *separator(const figure *f) { return json_array_size(f->curves) > 0 ? ";" : ""; }

/* ---- Errors: against the step, and against work. ---- */

typedef struct errors {
    const char *drawn, *others; /* names of the lists */
    const char *x, *xlabel, *what;
    bool per_scale, guide; /* x in time scales; a line of the claimed order */
} errors;

static void add_error_panel(const sb_card *card, const errors *e, int problem, sb_page *page, json_t *list) {
    const sb_evaluation *mine = &card->subject->evaluations[problem];
    figure f;
    begin(page, list, e->xlabel, "largest error of q, over |q|", true, true, &f);
    describe(&f, "%s on %s:", e->what, mine->problem);
    sb_page_flag(page, f.object, "marks", true);
    for (int k = 0; k <= card->nbaselines && k < CURVES; k++) {
        const sb_evaluation *j = &data_of(card, k)->evaluations[problem];
        if (j->refusal != NULL) {
            continue;
        }
        add_columns(&f, &j->tables[SB_EVALUATED_WORKPREC], e->x, "err_relative",
                    e->per_scale ? 1.0 / j->time_scale : 1.0, k);
        if (f.n > 0) {
            describe(&f, "%s %s from %.2g at %.3g to %.2g at %.3g", separator(&f), data_of(card, k)->stepper, f.y0,
                     f.x0, f.y1, f.x1);
        }
        if (k == 0 && e->guide && f.n > 0) {
            limit(&f, "slope", mine->order);
            sb_page_add(page, sb_page_list(page, f.object, "mid"),
                        json_pack("[ff]", sqrt(f.x0 * f.x1), sqrt(f.y0 * f.y1)));
        }
        end_curve(&f, k);
    }
    end(&f, mine->problem);
}

/* Returns whether at least two rows have an error above the floor and a number in column x. */
static bool has_line(const sb_card_data *d, int problem, const char *x) {
    const sb_table *table = &d->evaluations[problem].tables[SB_EVALUATED_WORKPREC];
    int points = 0;
    for (int i = 0; d->evaluations[problem].refusal == NULL && i < table->nrows; i++) {
        points +=
            sb_table_real(table, i, "err_relative") > 0.0 && sb_table_real(table, i, x) > 0.0 && !at_floor(table, i);
    }
    return points > 1;
}

static bool first_of_family(const sb_card_data *d, int problem, const char *x) {
    for (int i = 0; i < problem; i++) {
        if (has_line(d, i, x) && strcmp(d->evaluations[i].family, d->evaluations[problem].family) == 0) {
            return false;
        }
    }
    return true;
}

/* The first problem of each family, then others until there are enough panels; all others on demand. */
static int add_errors(const sb_card *card, const errors *e, sb_page *page) {
    const sb_card_data *d = card->subject;
    json_t *drawn = sb_page_list(page, page->values, e->drawn), *others = sb_page_list(page, page->values, e->others);
    bool *shown;
    int panels = 0;
    SB_NEW(card->arena, shown, d->problems);
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < d->problems && panels < SB_CARD_PANELS; i++) {
            if (has_line(d, i, e->x) && first_of_family(d, i, e->x) == (pass == 0)) {
                add_error_panel(card, e, i, page, drawn);
                shown[i] = true;
                panels++;
            }
        }
    }
    for (int i = 0; i < d->problems; i++) {
        if (!shown[i] && has_line(d, i, e->x)) {
            add_error_panel(card, e, i, page, others);
        }
    }
    return SB_OK;
}

/* ---- Energy. ---- */

/* Adds the largest of |low| and |high| of every hundredth of the run to the curve: on a log axis, the edge of a band
 * about zero. */
static void add_energy(figure *f, const sb_table *rows) {
    const int every = rows->nrows > 100 ? rows->nrows / 100 : 1;
    double edge = 0.0;
    for (int i = 0; i < rows->nrows; i++) {
        const double step = sb_table_real(rows, i, "step");
        edge = fmax(edge, fmax(fabs(sb_table_real(rows, i, "low")), fabs(sb_table_real(rows, i, "high"))));
        if (isfinite(step) && (i + 1) % every == 0) {
            add_point(f, 1e-3 * step, fmax(edge, 1e-17));
            f->y1 = edge; /* also where it is infinite */
            edge = 0.0;
        }
    }
}

static void add_energy_panel(const sb_card *card, int problem, sb_page *page, json_t *list) {
    const char *ended = "", *title;
    const char *name = card->subject->evaluations[problem].problem;
    figure f;
    begin(page, list, "thousand steps of T/10", "|E - E0| over |T| + |V|", false, true, &f);
    describe(&f, "Energy error on %s over 2e4 steps:", name);
    limit(&f, "xmax", 20.0);
    for (int k = 0; k <= card->nbaselines && k < CURVES; k++) {
        const sb_card_data *d = data_of(card, k);
        if (d->evaluations[problem].refusal != NULL || d->energy[problem].nrows == 0) {
            continue;
        }
        add_energy(&f, &d->energy[problem]);
        const bool early = !(sb_table_real(&d->energy[problem], d->energy[problem].nrows - 1, "step") >= 20000.0);
        if (early && ended != NULL) {
            ended = sb_asprintf(card->arena, "%s%s%s", ended, ended[0] != '\0' ? ", " : "", d->stepper);
        }
        if (f.n > 0) {
            describe(&f, "%s %s ends %sat %.2g", separator(&f), d->stepper, early ? "early, " : "", f.y1);
        }
        end_curve(&f, k);
    }
    title = ended != NULL && ended[0] != '\0' ? sb_asprintf(card->arena, "%s (%s ended early)", name, ended) : name;
    page->failed = page->failed || ended == NULL || title == NULL;
    end(&f, title);
}

/* ---- Stability. ---- */

/* Returns whether at least two steps have a spectral radius. */
static bool has_radius(const sb_table *rows) {
    int points = 0;
    for (int i = 0; i < rows->nrows; i++) {
        points += sb_table_real(rows, i, "radius_transversal") >= 0.0;
    }
    return points > 1;
}

static void add_radius(const sb_card *card, int probe, sb_page *page, json_t *list) {
    figure f;
    const sb_probe *mine = &card->subject->probes[probe];
    if (!mine->takes || !has_radius(&mine->rows)) {
        return;
    }
    begin(page, list, "h omega", "spectral radius", false, false, &f);
    describe(&f,
             "Largest modulus of an eigenvalue of a step on the %s, against h omega up to 4; above 1 the step is "
             "unstable.",
             mine->name);
    limit(&f, "xmax", SB_MAP_TAU);
    limit(&f, "ymax", 3.0);
    for (int k = 0; k <= card->nbaselines && k < CURVES; k++) {
        const sb_card_data *d = data_of(card, k);
        if (d->probes[probe].takes) {
            add_columns(&f, &d->probes[probe].rows, "h", "radius_transversal", 1.0, k);
            end_curve(&f, k);
        }
    }
    end(&f, mine->name);
}

/* Returns the class of a cell in card.css. */
static const char *class_of(const sb_table *rows, int i) {
    const char *stable = sb_table_text(rows, i, "stable");
    const double radius = sb_table_real(rows, i, "radius");
    if (strcmp(stable, "no") == 0 || strcmp(stable, "linear") == 0) {
        return "grows";
    }
    return strcmp(stable, "yes") != 0 ? "unknown" : radius < 0.5 ? "damps3" : radius < 0.9 ? "damps2" : "damps1";
}

/* Adds the map of a damped oscillator: the classes of its cells from the left to the right and from below. */
static void add_map(const sb_card *card, sb_page *page, json_t *list) {
    const sb_table *rows = &card->subject->map;
    const bool drawn = rows->nrows == SB_MAP_ACROSS * SB_MAP_UP;
    figure f;
    sb_page_flag(page, page->values, "map", drawn);
    if (!drawn) {
        return;
    }
    begin(page, list, "h omega", "damping rate over omega", false, false, &f);
    describe(&f, "Where steps on a damped oscillator are stable, by h omega and damping.");
    limit(&f, "xmax", SB_MAP_TAU);
    limit(&f, "ymax", SB_MAP_GAMMA);
    limit(&f, "across", SB_MAP_ACROSS);
    json_t *cells = sb_page_list(page, f.object, "cells");
    for (int i = 0; i < rows->nrows; i++) { /* the rows have the steps from the largest to the smallest */
        const int row = i / SB_MAP_ACROSS;
        sb_page_item(page, cells, class_of(rows, (row + 1) * SB_MAP_ACROSS - 1 - i % SB_MAP_ACROSS));
    }
    end(&f, "damped oscillator");
}

int sb_card_plots(const sb_card *card, sb_page *page) {
    static const errors order = {"order_figures", "order_others", "h", "step h/T", "Error against step", true, true},
                        work = {"work_figures",
                                "work_others",
                                "evaluations",
                                "evaluations of terms",
                                "Error against evaluations",
                                false,
                                false};
    json_t *legend = sb_page_list(page, page->values, "legend");
    for (int k = 0; k <= card->nbaselines; k++) {
        json_t *item = sb_page_object(page, legend);
        sb_page_format(page, item, "colour", "%d", k);
        sb_page_text(page, item, "name", data_of(card, k)->stepper);
    }
    SB_TRY(add_errors(card, &order, page));
    SB_TRY(add_errors(card, &work, page));
    json_t *energies = sb_page_list(page, page->values, "energies");
    for (int i = 0; i < card->subject->problems; i++) {
        if (card->subject->energy[i].nrows > 0) {
            add_energy_panel(card, i, page, energies);
        }
    }
    json_t *stability = sb_page_list(page, page->values, "stability");
    add_radius(card, SB_PROBE_OSCILLATOR, page, stability);
    add_radius(card, SB_PROBE_PENDULUM, page, stability);
    add_map(card, page, stability);
    return SB_OK;
}
