/* A card's pictures: order, work-precision, energy over a long run, stability; the stepper against its baselines. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/card/card.h"
#include "bench/report/html.h"

enum { PANELS = 6 }; /* problems shown in a section */

static const double automatic = (double)NAN;

static const sb_dossier *player(const sb_card *card, int k) {
    return k == 0 ? card->subject : card->baselines[k - 1];
}

static void put_legend(const sb_card *card) {
    fputs("<p class=\"legend\">", card->to);
    for (int k = 0; k <= card->nbaselines; k++) {
        fprintf(card->to, "<span style=\"--k:var(--c%d)\">", k);
        sb_html_text(card->to, player(card, k)->stepper);
        fputs("</span> ", card->to);
    }
    fputs("</p>\n", card->to);
}

/* Two columns of the rows of a table that carry both. */
static int columns_of(sb_arena *arena, const sb_table *table, const char *x, const char *y, double scale, sb_curve *curve) {
    double *a, *b;
    SB_NEW(arena, a, table->nrows + 1);
    SB_NEW(arena, b, table->nrows + 1);
    curve->n = 0;
    for (int i = 0; i < table->nrows; i++) {
        a[curve->n] = scale * sb_table_real(table, i, x);
        b[curve->n] = sb_table_real(table, i, y);
        curve->n += isfinite(a[curve->n]) && isfinite(b[curve->n]);
    }
    curve->x = a;
    curve->y = b;
    return SB_OK;
}

/* ---- Errors: against the step, and against work. ---- */

typedef struct errors {
    const char *x, *xlabel, *ylabel, *what;
    bool per_scale, guide; /* x in time scales; a line of the claimed order */
} errors;

static int put_error_panel(const sb_card *card, const errors *e, int problem) {
    sb_curve curves[8];
    char alt[400];
    int count = 0, used = 0;
    const sb_judgement *mine = &card->subject->judgements[problem];
    used += snprintf(alt, sizeof alt, "%s on %s:", e->what, mine->problem);
    for (int k = 0; k <= card->nbaselines && k < 8; k++) {
        const sb_judgement *j = &player(card, k)->judgements[problem];
        if (j->refusal != NULL) {
            continue;
        }
        sb_curve *c = &curves[count];
        *c = (sb_curve){.name = player(card, k)->stepper, .colour = k};
        SB_TRY(columns_of(card->arena, &j->tables[SB_JUDGED_WORKPREC], e->x, "err_relative", e->per_scale ? 1.0 / j->time_scale : 1.0, c));
        if (c->n > 0 && (size_t)used < sizeof alt) {
            used += snprintf(alt + used, sizeof alt - (size_t)used, "%s %s from %.2g at %.3g to %.2g at %.3g", count > 0 ? ";" : "", c->name, c->y[0], c->x[0], c->y[c->n - 1],
                             c->x[c->n - 1]);
        }
        count += c->n > 0;
    }
    const sb_chart_axes axes = {.title = mine->problem, .xlabel = e->xlabel, .ylabel = e->ylabel, .alt = alt, .xlog = true, .ylog = true, .xmin = automatic,
                                .xmax = automatic, .ymin = automatic, .ymax = automatic, .slope = e->guide ? mine->order : 0.0};
    sb_html_chart(card->to, &axes, count, curves);
    return SB_OK;
}

/* Something moves, and more than one step was told. */
static bool has_line(const sb_dossier *d, int problem) {
    const sb_table *table = &d->judgements[problem].tables[SB_JUDGED_WORKPREC];
    int points = 0;
    for (int i = 0; d->judgements[problem].refusal == NULL && i < table->nrows; i++) {
        points += sb_table_real(table, i, "err_relative") > 0.0;
    }
    return points > 1;
}

static bool first_of_family(const sb_dossier *d, int problem) {
    for (int i = 0; i < problem; i++) {
        if (has_line(d, i) && strcmp(d->judgements[i].family, d->judgements[problem].family) == 0) {
            return false;
        }
    }
    return true;
}

/* The first problem of each family, then others until there are enough panels. */
static int put_errors(const sb_card *card, const errors *e) {
    const sb_dossier *d = card->subject;
    int panels = 0;
    put_legend(card);
    fputs("<div class=\"charts\">\n", card->to);
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < d->problems && panels < PANELS; i++) {
            if (has_line(d, i) && first_of_family(d, i) == (pass == 0)) {
                SB_TRY(put_error_panel(card, e, i));
                panels++;
            }
        }
    }
    fputs("</div>\n", card->to);
    return SB_OK;
}

/* ---- Energy. ---- */

/* The largest of |low| and |high| of every block: on a log axis a band about zero is told by its edge. */
static int energy_curve(sb_arena *arena, const sb_table *rows, sb_curve *curve) {
    double *step, *edge, run = 0.0;
    SB_NEW(arena, step, rows->nrows + 1);
    SB_NEW(arena, edge, rows->nrows + 1);
    curve->n = 0;
    const int every = rows->nrows > 100 ? rows->nrows / 100 : 1;
    for (int i = 0; i < rows->nrows; i++) {
        run = fmax(run, fmax(fabs(sb_table_real(rows, i, "low")), fabs(sb_table_real(rows, i, "high"))));
        step[curve->n] = 1e-3 * sb_table_real(rows, i, "step");
        edge[curve->n] = fmax(run, 1e-17);
        if (isfinite(step[curve->n]) && (i + 1) % every == 0) {
            curve->n++;
            run = 0.0;
        }
    }
    curve->x = step;
    curve->y = edge;
    return SB_OK;
}

static int put_energy_panel(const sb_card *card, int problem) {
    sb_curve curves[8];
    char alt[400], ended[160] = "", title[240];
    int count = 0, used = 0;
    size_t named = 0; /* length of `ended` */
    const char *name = card->subject->judgements[problem].problem;
    used += snprintf(alt, sizeof alt, "Energy error on %s over 1e5 steps:", name);
    for (int k = 0; k <= card->nbaselines && k < 8; k++) {
        const sb_dossier *d = player(card, k);
        if (d->judgements[problem].refusal != NULL || d->energy[problem].nrows == 0) {
            continue;
        }
        sb_curve *c = &curves[count];
        *c = (sb_curve){.name = d->stepper, .colour = k, .bare = true};
        SB_TRY(energy_curve(card->arena, &d->energy[problem], c));
        const char *status = sb_table_text(&d->energy[problem], d->energy[problem].nrows - 1, "status");
        const bool early = strcmp(status, "ok") != 0;
        if (early && named < sizeof ended) {
            named += (size_t)snprintf(ended + named, sizeof ended - named, "%s%s", named > 0 ? ", " : "", d->stepper);
        }
        if ((size_t)used < sizeof alt && c->n > 0) {
            used += snprintf(alt + used, sizeof alt - (size_t)used, "%s %s ends %sat %.2g", count > 0 ? ";" : "", c->name, early ? "early, " : "", c->y[c->n - 1]);
        }
        count += c->n > 0;
    }
    snprintf(title, sizeof title, named > 0 ? "%s (%s ended early)" : "%s", name, ended);
    const sb_chart_axes axes = {.title = title, .xlabel = "thousand steps of T/10", .ylabel = "|E - E0| over |T| + |V|", .alt = alt, .ylog = true, .xmin = 0.0,
                                .xmax = 100.0, .ymin = automatic, .ymax = automatic};
    sb_html_chart(card->to, &axes, count, curves);
    return SB_OK;
}

static int put_energies(const sb_card *card) {
    int panels = 0;
    for (int i = 0; i < card->subject->problems && panels < PANELS; i++) {
        if (!card->subject->shows[i]) {
            continue;
        }
        if (panels++ == 0) {
            fputs("<h2>Energy over 100 000 steps</h2>\n<p>The largest deviation within each hundredth of the run. A method that keeps a modified energy stays level; a drift climbs.</p>\n",
                  card->to);
            put_legend(card);
            fputs("<div class=\"charts\">\n", card->to);
        }
        SB_TRY(put_energy_panel(card, i));
    }
    fputs(panels > 0 ? "</div>\n" : "", card->to);
    return SB_OK;
}

/* ---- Stability. ---- */

static int put_radius(const sb_card *card, int probe) {
    sb_curve curves[8];
    char alt[300];
    int count = 0;
    for (int k = 0; k <= card->nbaselines && k < 8; k++) {
        const sb_dossier *d = player(card, k);
        if (d->probes[probe].takes && d->probes[probe].rows.nrows > 0) {
            curves[count] = (sb_curve){.name = d->stepper, .colour = k, .bare = true};
            SB_TRY(columns_of(card->arena, &d->probes[probe].rows, "h", "radius_transversal", 1.0, &curves[count]));
            count += curves[count].n > 0;
        }
    }
    if (count == 0 || !card->subject->probes[probe].takes) {
        return SB_OK;
    }
    snprintf(alt, sizeof alt, "Largest modulus of an eigenvalue of a step on the %s, against h omega up to 4; above 1 the step is unstable.", card->subject->probes[probe].name);
    const sb_chart_axes axes = {.title = card->subject->probes[probe].name, .xlabel = "h omega", .ylabel = "spectral radius", .alt = alt, .xmin = 0.0, .xmax = SB_MAP_TAU,
                                .ymin = 0.0, .ymax = 3.0};
    sb_html_chart(card->to, &axes, count, curves);
    return SB_OK;
}

static const char *class_of(const sb_table *rows, int i) {
    const char *stable = sb_table_text(rows, i, "stable");
    const double radius = sb_table_real(rows, i, "radius");
    if (strcmp(stable, "no") == 0 || strcmp(stable, "linear") == 0) {
        return "grows";
    }
    return strcmp(stable, "yes") != 0 ? "unknown" : radius < 0.5 ? "damps3" : radius < 0.9 ? "damps2" : "damps1";
}

static int put_map(const sb_card *card) {
    const sb_table *rows = &card->subject->map;
    const char **classes;
    if (rows->nrows != SB_MAP_ACROSS * SB_MAP_UP) {
        return SB_OK;
    }
    SB_NEW(card->arena, classes, rows->nrows);
    for (int i = 0; i < rows->nrows; i++) { /* steps come from the largest to the smallest */
        classes[i / SB_MAP_ACROSS * SB_MAP_ACROSS + (SB_MAP_ACROSS - 1 - i % SB_MAP_ACROSS)] = class_of(rows, i);
    }
    const sb_chart_axes axes = {.title = "damped oscillator", .xlabel = "h omega", .ylabel = "damping rate over omega",
                                .alt = "Where steps on a damped oscillator are stable, by h omega and damping.", .xmin = 0.0, .xmax = SB_MAP_TAU, .ymin = 0.0, .ymax = SB_MAP_GAMMA};
    sb_html_map(card->to, &axes, SB_MAP_ACROSS, SB_MAP_UP, classes);
    return SB_OK;
}

static int put_stability(const sb_card *card) {
    if (!card->subject->probes[SB_PROBE_OSCILLATOR].takes && !card->subject->probes[SB_PROBE_PENDULUM].takes) {
        return SB_OK;
    }
    fputs("<h2>Stability</h2>\n<p>The largest modulus among the eigenvalues of one step, as a map of the whole state, at an equilibrium; above 1 deviations grow. In the map: ",
          card->to);
    fputs("<span class=\"key damps3\"></span> radius below 0.5, <span class=\"key damps2\"></span> below 0.9, <span class=\"key damps1\"></span> up to 1, "
          "<span class=\"key grows\"></span> unstable, <span class=\"key unknown\"></span> not told.</p>\n", card->to);
    put_legend(card);
    fputs("<div class=\"charts\">\n", card->to);
    SB_TRY(put_radius(card, SB_PROBE_OSCILLATOR));
    SB_TRY(put_radius(card, SB_PROBE_PENDULUM));
    SB_TRY(put_map(card));
    fputs("</div>\n", card->to);
    return SB_OK;
}

int sb_card_plots(const sb_card *card) {
    static const errors order = {"h", "step h/T", "largest error of q, over |q|", "Error against step", true, true},
                        work = {"evaluations", "evaluations of terms", "largest error of q, over |q|", "Error against evaluations", false, false};
    fputs("<h2>Order</h2>\n", card->to);
    SB_TRY(put_errors(card, &order));
    fputs("<h2>Work and precision</h2>\n<p>Evaluations of forces, constraints, masses and second derivatives, each counted once. Lower left wins.</p>\n", card->to);
    SB_TRY(put_errors(card, &work));
    SB_TRY(put_energies(card));
    return put_stability(card);
}
