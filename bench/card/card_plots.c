/* Writes the figures of a card: order, work-precision, energy over a long run, stability; the stepper against its
 * baselines. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/card/figure.h"
#include "bench/report/html.h"

static const sb_card_data *data_of(const sb_card *card, int k) {
    return k == 0 ? card->subject : card->baselines[k - 1];
}

static void write_legend(const sb_card *card) {
    fputs("<p class=\"legend\">", card->to);
    for (int k = 0; k <= card->nbaselines; k++) {
        fprintf(card->to, "<span style=\"--k:var(--c%d)\">", k);
        sb_html(card->to, "%s</span> ", data_of(card, k)->stepper);
    }
    fputs("</p>\n", card->to);
}

/* Writes two columns of the rows that have both as a curve. */
static void write_columns(const sb_card *card, const sb_figure *f, const sb_table *table, const char *x, const char *y,
                          double scale, sb_curve_ends *e) {
    *e = (sb_curve_ends){0};
    for (int i = 0; i < table->nrows; i++) {
        sb_figure_point(card, f, e, scale * sb_table_real(table, i, x), sb_table_real(table, i, y));
    }
}

/* ---- Errors: against the step, and against work. ---- */

typedef struct errors {
    const char *x, *xlabel, *what;
    bool per_scale, guide; /* x in time scales; a line of the claimed order */
} errors;

static int write_error_panel(const sb_card *card, const errors *e, int problem) {
    char alt[400];
    int used = 0;
    const sb_evaluation *mine = &card->subject->evaluations[problem];
    sb_figure f = {.title = mine->problem,
                   .xlabel = e->xlabel,
                   .ylabel = "largest error of q, over |q|",
                   .alt = alt,
                   .xlog = true,
                   .ylog = true,
                   .marks = true};
    sb_figure_begin(card);
    used += snprintf(alt, sizeof alt, "%s on %s:", e->what, mine->problem);
    for (int k = 0; k <= card->nbaselines && k < SB_FIGURE_CURVES; k++) {
        const sb_evaluation *j = &data_of(card, k)->evaluations[problem];
        sb_curve_ends c = {0};
        if (j->refusal != NULL) {
            continue;
        }
        write_columns(card, &f, &j->tables[SB_EVALUATED_WORKPREC], e->x, "err_relative",
                      e->per_scale ? 1.0 / j->time_scale : 1.0, &c);
        if (c.n > 0 && (size_t)used < sizeof alt) {
            used += snprintf(alt + used, sizeof alt - (size_t)used, "%s %s from %.2g at %.3g to %.2g at %.3g",
                             f.count > 0 ? ";" : "", data_of(card, k)->stepper, c.y0, c.x0, c.y1, c.x1);
        }
        if (k == 0 && e->guide && c.n > 0) {
            f.slope = mine->order;
            f.xmid = sqrt(c.x0 * c.x1);
            f.ymid = sqrt(c.y0 * c.y1);
        }
        sb_figure_end_curve(card, &f, &c, k);
    }
    sb_figure_end(card, &f);
    return SB_OK;
}

/* Returns whether at least two steps have an error. */
static bool has_line(const sb_card_data *d, int problem) {
    const sb_table *table = &d->evaluations[problem].tables[SB_EVALUATED_WORKPREC];
    int points = 0;
    for (int i = 0; d->evaluations[problem].refusal == NULL && i < table->nrows; i++) {
        points += sb_table_real(table, i, "err_relative") > 0.0;
    }
    return points > 1;
}

static bool first_of_family(const sb_card_data *d, int problem) {
    for (int i = 0; i < problem; i++) {
        if (has_line(d, i) && strcmp(d->evaluations[i].family, d->evaluations[problem].family) == 0) {
            return false;
        }
    }
    return true;
}

/* Writes the other problems as data, which the page draws when it is asked to. */
static int write_other_errors(const sb_card *card, const errors *e, const bool *drawn) {
    const sb_card_data *d = card->subject;
    sb_card page = *card;
    int others = 0;
    page.script = NULL;
    for (int i = 0; i < d->problems; i++) {
        if (!drawn[i] && has_line(d, i)) {
            fputs(others++ > 0 ? ",\n"
                               : "<details class=\"figures\"><summary>The other problems</summary><div "
                                 "class=\"charts\"></div>\n<script type=\"application/json\">[",
                  card->to);
            SB_TRY(write_error_panel(&page, e, i));
        }
    }
    fputs(others > 0 ? "]</script></details>\n" : "", card->to);
    return SB_OK;
}

/* The first problem of each family, then others until there are enough panels; all others on demand. */
static int write_errors(const sb_card *card, const errors *e) {
    const sb_card_data *d = card->subject;
    bool *drawn;
    int panels = 0;
    SB_NEW(card->arena, drawn, d->problems);
    write_legend(card);
    fputs("<div class=\"charts\">\n", card->to);
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < d->problems && panels < SB_CARD_PANELS; i++) {
            if (has_line(d, i) && first_of_family(d, i) == (pass == 0)) {
                SB_TRY(write_error_panel(card, e, i));
                drawn[i] = true;
                panels++;
            }
        }
    }
    fputs("</div>\n", card->to);
    return write_other_errors(card, e, drawn);
}

/* ---- Energy. ---- */

/* Writes the largest of |low| and |high| of every hundredth of the run as a curve: on a log axis, the edge of a band
 * about zero. */
static void write_energy(const sb_card *card, const sb_figure *f, const sb_table *rows, sb_curve_ends *e) {
    const int every = rows->nrows > 100 ? rows->nrows / 100 : 1;
    double edge = 0.0;
    *e = (sb_curve_ends){0};
    for (int i = 0; i < rows->nrows; i++) {
        const double step = sb_table_real(rows, i, "step");
        edge = fmax(edge, fmax(fabs(sb_table_real(rows, i, "low")), fabs(sb_table_real(rows, i, "high"))));
        if (isfinite(step) && (i + 1) % every == 0) {
            sb_figure_point(card, f, e, 1e-3 * step, fmax(edge, 1e-17));
            e->y1 = edge; /* also where it is infinite */
            edge = 0.0;
        }
    }
}

static int write_energy_panel(const sb_card *card, int problem) {
    char alt[400], ended[160] = "", title[240];
    int used = 0;
    size_t named = 0; /* length of `ended` */
    const char *name = card->subject->evaluations[problem].problem;
    sb_figure f = {.title = title,
                   .xlabel = "thousand steps of T/10",
                   .ylabel = "|E - E0| over |T| + |V|",
                   .alt = alt,
                   .ylog = true,
                   .xmax = 20.0};
    sb_figure_begin(card);
    used += snprintf(alt, sizeof alt, "Energy error on %s over 2e4 steps:", name);
    for (int k = 0; k <= card->nbaselines && k < SB_FIGURE_CURVES; k++) {
        const sb_card_data *d = data_of(card, k);
        sb_curve_ends c = {0};
        if (d->evaluations[problem].refusal != NULL || d->energy[problem].nrows == 0) {
            continue;
        }
        write_energy(card, &f, &d->energy[problem], &c);
        const bool early = !sb_table_is(&d->energy[problem], d->energy[problem].nrows - 1, "status", "ok");
        if (early && named < sizeof ended) {
            named += (size_t)snprintf(ended + named, sizeof ended - named, "%s%s", named > 0 ? ", " : "", d->stepper);
        }
        if ((size_t)used < sizeof alt && c.n > 0) {
            used += snprintf(alt + used, sizeof alt - (size_t)used, "%s %s ends %sat %.2g", f.count > 0 ? ";" : "",
                             d->stepper, early ? "early, " : "", c.y1);
        }
        sb_figure_end_curve(card, &f, &c, k);
    }
    snprintf(title, sizeof title, named > 0 ? "%s (%s ended early)" : "%s", name, ended);
    sb_figure_end(card, &f);
    return SB_OK;
}

static int write_energies(const sb_card *card) {
    int panels = 0;
    for (int i = 0; i < card->subject->problems; i++) {
        if (card->subject->energy[i].nrows == 0) {
            continue;
        }
        if (panels++ == 0) {
            fputs("<h2>Energy over 20 000 steps</h2>\n<p>The largest deviation within each hundredth of the run. A "
                  "method that keeps a modified energy stays level; a drift climbs. A card of problems named by "
                  "<code>-p</code> shows each of them, others the first of each family.</p>\n",
                  card->to);
            write_legend(card);
            fputs("<div class=\"charts\">\n", card->to);
        }
        SB_TRY(write_energy_panel(card, i));
    }
    fputs(panels > 0 ? "</div>\n" : "", card->to);
    return SB_OK;
}

/* ---- Stability. ---- */

static int write_radius(const sb_card *card, int probe) {
    char alt[300];
    sb_figure f = {.title = card->subject->probes[probe].name,
                   .xlabel = "h omega",
                   .ylabel = "spectral radius",
                   .alt = alt,
                   .xmax = SB_MAP_TAU,
                   .ymax = 3.0};
    if (!card->subject->probes[probe].takes) {
        return SB_OK;
    }
    snprintf(
        alt, sizeof alt,
        "Largest modulus of an eigenvalue of a step on the %s, against h omega up to 4; above 1 the step is unstable.",
        f.title);
    sb_figure_begin(card);
    for (int k = 0; k <= card->nbaselines && k < SB_FIGURE_CURVES; k++) {
        const sb_card_data *d = data_of(card, k);
        sb_curve_ends c = {0};
        if (d->probes[probe].takes && d->probes[probe].rows.nrows > 0) {
            write_columns(card, &f, &d->probes[probe].rows, "h", "radius_transversal", 1.0, &c);
            sb_figure_end_curve(card, &f, &c, k);
        }
    }
    sb_figure_end(card, &f);
    return SB_OK;
}

/* The colour of a cell, as in card.css. */
static long colour_of(const sb_table *rows, int i) {
    const char *stable = sb_table_text(rows, i, "stable");
    const double radius = sb_table_real(rows, i, "radius");
    if (strcmp(stable, "no") == 0 || strcmp(stable, "linear") == 0) {
        return 0xf2b48c;
    }
    return strcmp(stable, "yes") != 0 ? 0xc9c9c9 : radius < 0.5 ? 0x2f7db3 : radius < 0.9 ? 0x86b9dc : 0xcfe3f1;
}

static int write_map(const sb_card *card) {
    const sb_table *rows = &card->subject->map;
    const double across = SB_MAP_TAU / SB_MAP_ACROSS, up = SB_MAP_GAMMA / SB_MAP_UP;
    sb_figure f = {.title = "damped oscillator",
                   .xlabel = "h omega",
                   .ylabel = "damping rate over omega",
                   .xmax = SB_MAP_TAU,
                   .ymax = SB_MAP_GAMMA,
                   .width = across,
                   .height = up,
                   .alt = "Where steps on a damped oscillator are stable, by h omega and damping."};
    if (rows->nrows != SB_MAP_ACROSS * SB_MAP_UP) {
        return SB_OK;
    }
    sb_figure_begin(card);
    for (int i = 0; i < rows->nrows; i++) { /* steps from the largest to the smallest */
        const int column = i % SB_MAP_ACROSS, row = i / SB_MAP_ACROSS;
        fprintf(card->script, "%.9g %.9g %ld\n", SB_MAP_TAU - (column + 0.5) * across, (row + 0.5) * up,
                colour_of(rows, i));
    }
    sb_figure_end(card, &f);
    return SB_OK;
}

static int write_stability(const sb_card *card) {
    if (!card->subject->probes[SB_PROBE_OSCILLATOR].takes && !card->subject->probes[SB_PROBE_PENDULUM].takes) {
        return SB_OK;
    }
    fputs("<h2>Stability</h2>\n<p>The largest modulus among the eigenvalues of one step, as a map of the whole state, "
          "at an equilibrium; above 1 deviations grow. In the map: ",
          card->to);
    fputs("<span class=\"key damps3\"></span> radius below 0.5, <span class=\"key damps2\"></span> below 0.9, <span "
          "class=\"key damps1\"></span> up to 1, "
          "<span class=\"key grows\"></span> unstable, <span class=\"key unknown\"></span> unknown.</p>\n",
          card->to);
    write_legend(card);
    fputs("<div class=\"charts\">\n", card->to);
    SB_TRY(write_radius(card, SB_PROBE_OSCILLATOR));
    SB_TRY(write_radius(card, SB_PROBE_PENDULUM));
    SB_TRY(write_map(card));
    fputs("</div>\n", card->to);
    return SB_OK;
}

static int write_sections(const sb_card *card) {
    static const errors order = {"h", "step h/T", "Error against step", true, true},
                        work = {"evaluations", "evaluations of terms", "Error against evaluations", false, false};
    fputs("<h2>Order</h2>\n", card->to);
    SB_TRY(write_errors(card, &order));
    fputs("<h2>Work and precision</h2>\n<p>Evaluations of forces, constraints, masses and second derivatives, each "
          "counted once. Lower left wins.</p>\n",
          card->to);
    SB_TRY(write_errors(card, &work));
    SB_TRY(write_energies(card));
    return write_stability(card);
}

int sb_card_plots(const sb_card *card) { return sb_figures_write(card, write_sections); }
