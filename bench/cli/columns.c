/* Selects the columns of `stepbench run` and computes their values at a sample. */
#include <stepbench/numerics/norm.h>

#include "bench/cli/columns.h"

#include <stdlib.h>
#include <string.h>

enum { LARGE = 32, NAME_ROOM = 24 };

/* The columns; a source without a name has one column per name of the system. */
static const struct {
    const char *name;
    sb_column_kind kind;
    const char *unit, *doc;
} sources[] = {
    [CLI_PROBLEM] = {"problem", SB_COL_KEY, "", "the problem as specified"},
    [CLI_STEPPER] = {"stepper", SB_COL_KEY, "", "the stepper as specified"},
    [CLI_EVENT] = {"event", SB_COL_KEY, "", "number of the event"},
    [CLI_STEP] = {"step", SB_COL_KEY, "", "steps taken"},
    [CLI_T] = {"t", SB_COL_KEY, "s", "time"},
    [CLI_Q] = {"q", SB_COL_EXACT, "", "coordinate"},
    [CLI_V] = {"v", SB_COL_EXACT, "", "velocity"},
    [CLI_LAMBDA] = {"lambda", SB_COL_EXACT, "",
                    "multiplier, M q'' = F + G' lambda: holonomic, nonholonomic, normal forces, friction"},
    [CLI_ENERGY] = {"energy", SB_COL_EXACT, "J", "kinetic + potential"},
    [CLI_KINETIC] = {"kinetic", SB_COL_EXACT, "J", "v' M v / 2"},
    [CLI_POTENTIAL] = {"potential", SB_COL_EXACT, "J", "V(q)"},
    [CLI_WORK] = {"work", SB_COL_EXACT, "J", "work of forces and drivers since the start"},
    [CLI_BALANCE] = {"balance", SB_COL_ERROR, "J", "energy - initial energy - work"},
    [CLI_MOMENTUM] = {"", SB_COL_EXACT, "", "momentum v' M xi(q)"},
    [CLI_G_RMS] = {"g_rms", SB_COL_ERROR, "", "constraint violation, sqrt(sum g_i^2 / m)"},
    [CLI_G_MAX] = {"g_max", SB_COL_ERROR, "", "constraint violation, max |g_i|"},
    [CLI_GAP_MIN] = {"gap_min", SB_COL_EXACT, "", "smallest gap, min xi_i; negative: penetration"},
    [CLI_OUTPUT_VALUE] = {"", SB_COL_EXACT, "", ""},
    [CLI_ITERS] = {"iters", SB_COL_INFO, "", "Newton iterations of the last step"},
};

/* Returns the number of columns of a source, for rows that are events or states. */
static int count_of(cli_source source, const sb_system *sys, bool events) {
    switch (source) {
    case CLI_EVENT: return events;
    case CLI_ITERS: return !events;
    case CLI_Q:
    case CLI_V: return sys->n;
    case CLI_LAMBDA: return events ? 0 : sb_system_multipliers(sys);
    case CLI_MOMENTUM: return sys->symmetry.count;
    case CLI_GAP_MIN: return sys->contact.m > 0;
    case CLI_WORK:
    case CLI_BALANCE: return !events && sb_applied_work_exists(sys) && sb_applied_work_excluded(sys) == NULL;
    case CLI_OUTPUT_VALUE: return sys->outputs.count;
    default: return 1;
    }
}

/* Returns the name of the i-th column of a source; `room` holds numbered ones. */
static const char *name_of(cli_source source, const sb_system *sys, int i, char room[NAME_ROOM]) {
    switch (source) {
    case CLI_Q:
    case CLI_V:
    case CLI_LAMBDA: snprintf(room, NAME_ROOM, "%s%d", sources[source].name, i); return room;
    case CLI_MOMENTUM: return sys->symmetry.names[i];
    case CLI_OUTPUT_VALUE: return sys->outputs.list[i].name;
    default: return sources[source].name;
    }
}

/* Returns the source and index of a column of this system; CLI_NOTHING if there is no column of the name. */
static cli_source find_source(const sb_system *sys, bool events, const char *name, int *index) {
    char room[NAME_ROOM];
    for (int s = 0; s < CLI_NOTHING; s++) {
        const int count = count_of((cli_source)s, sys, events);
        for (*index = 0; *index < count; ++*index) {
            if (strcmp(name_of((cli_source)s, sys, *index, room), name) == 0) {
                return (cli_source)s;
            }
        }
    }
    return CLI_NOTHING;
}

/* ---- Selection. ---- */

typedef struct collector {
    cli *me;
    bool events;
    int count, room;
    sb_column *list;
} collector;

static bool has(const collector *c, const char *name) {
    for (int j = 0; j < c->count; j++) {
        if (strcmp(c->list[j].name, name) == 0) {
            return true;
        }
    }
    return false;
}

static int add(collector *c, cli_source source, const sb_system *sys, int i) {
    char room[NAME_ROOM];
    const char *name = name_of(source, sys, i, room);
    if (c->count == c->room) {
        const int bigger = c->room > 0 ? 2 * c->room : 64;
        sb_column *grown;
        SB_NEW(c->me->arena, grown, bigger);
        if (c->count > 0) {
            memcpy(grown, c->list, (size_t)c->count * sizeof *grown);
        }
        c->list = grown;
        c->room = bigger;
    }
    const sb_output *output = source == CLI_OUTPUT_VALUE ? &sys->outputs.list[i] : NULL;
    sb_column *column = &c->list[c->count++];
    *column = (sb_column){sb_strdup(c->me->arena, name), sources[source].kind,
                          output != NULL ? output->unit : sources[source].unit,
                          output != NULL ? output->doc : sources[source].doc};
    return column->name != NULL ? SB_OK : SB_NO_MEMORY;
}

/* Returns whether an earlier system has a column of the same name. */
static bool repeats(const collector *c, cli_source source, const sb_system *sys, int i, int earlier) {
    char room[NAME_ROOM];
    if (source == CLI_Q || source == CLI_V || source == CLI_LAMBDA) {
        return i < earlier;
    }
    return has(c, name_of(source, sys, i, room));
}

/* Adds every column of any of the systems, source by source. */
static int collect(collector *c, int nsystems, const sb_system *const *systems) {
    const bool pair = nsystems > 1 || c->me->shared.rows.pivot[0] != '\0' || cli_plotted(c->me) || c->me->every_column;
    for (int s = pair ? CLI_PROBLEM : CLI_EVENT; s < CLI_NOTHING; s++) {
        const bool vector = s == CLI_Q || s == CLI_V || s == CLI_LAMBDA;
        int earlier = 0;
        for (int k = 0; k < nsystems; k++) {
            const int count = count_of((cli_source)s, systems[k], c->events);
            for (int i = 0; i < count && (!vector || systems[k]->n <= LARGE); i++) {
                if (!repeats(c, (cli_source)s, systems[k], i, earlier)) {
                    SB_TRY(add(c, (cli_source)s, systems[k], i));
                }
            }
            earlier = count > earlier ? count : earlier;
        }
    }
    return SB_OK;
}

static int unknown_column(cli *me, bool events, int nsystems, const sb_system *const *systems, const char *name) {
    collector all = {.me = me, .events = events};
    char there[200] = "there are ";
    const char **names;
    SB_TRY(collect(&all, nsystems, systems));
    SB_NEW(me->arena, names, all.count);
    for (int j = 0; j < all.count; j++) {
        names[j] = all.list[j].name;
    }
    for (int j = 0; j < all.count && strlen(there) + strlen(names[j]) + 3 < sizeof there; j++) {
        strcat(strcat(there, j > 0 ? ", " : ""), names[j]);
    }
    return sb_fail_name(me->ctx, "no column is named", name, all.count, names, there);
}

static int add_wanted(collector *c, int nsystems, const sb_system *const *systems, const char *name) {
    if (has(c, name)) {
        return sb_fail(c->me->ctx, SB_BAD_USAGE, "the column %s is asked for twice", name);
    }
    for (int k = 0; k < nsystems; k++) {
        int index;
        const cli_source source = find_source(systems[k], c->events, name, &index);
        if (source != CLI_NOTHING) {
            return add(c, source, systems[k], index);
        }
    }
    return unknown_column(c->me, c->events, nsystems, systems, name);
}

int cli_columns_choose(cli *me, bool events, int nsystems, const sb_system *const *systems, cli_columns *out) {
    const char *const wanted = cli_plotted(me) ? "" : me->shared.rows.columns, *const pivot = me->shared.rows.pivot;
    collector c = {.me = me, .events = events};
    char *words = sb_strdup(me->arena, wanted);
    if (words == NULL) {
        return SB_NO_MEMORY;
    }
    SB_TRY(wanted[0] == '\0' ? collect(&c, nsystems, systems) : SB_OK);
    for (char *word = words; wanted[0] != '\0' && word != NULL;) {
        char *const comma = strchr(word, ',');
        if (comma != NULL) {
            *comma = '\0';
        }
        SB_TRY(add_wanted(&c, nsystems, systems, word));
        word = comma != NULL ? comma + 1 : NULL;
    }
    SB_TRY(pivot[0] != '\0' && !has(&c, pivot) ? add_wanted(&c, nsystems, systems, pivot) : SB_OK);
    *out = (cli_columns){events, c.count, c.list};
    return SB_OK;
}

/* ---- Values. ---- */

int cli_probe_init(cli *me, const sb_method *method, cli_probe *out) {
    const sb_system *sys = method->sys;
    *out = (cli_probe){.method = method};
    SB_NEW(me->arena, out->g, sys->holonomic.m);
    SB_NEW(me->arena, out->gaps, sys->contact.m);
    SB_NEW(me->arena, out->momenta, sys->symmetry.count);
    SB_NEW(me->arena, out->outputs, sys->outputs.count);
    return SB_OK;
}

bool cli_probe_needs_all(const cli_probe *probe) { return probe->wanted[CLI_WORK] || probe->wanted[CLI_BALANCE]; }

int cli_probe_bind(cli *me, cli_probe *probe, const cli_columns *columns, const char *problem, const char *stepper,
                   double h) {
    probe->problem = problem;
    probe->stepper = stepper;
    SB_TRY(sb_quantities_init(me->ctx, me->arena, probe->method->sys, h, &probe->quantities));
    SB_NEW(me->arena, probe->source, columns->count);
    SB_NEW(me->arena, probe->index, columns->count);
    for (int j = 0; j < columns->count; j++) {
        SB_TRY(sb_poll(me->ctx));
        probe->source[j] = find_source(probe->method->sys, columns->events, columns->list[j].name, &probe->index[j]);
        probe->wanted[probe->source[j]] = true;
    }
    return cli_probe_needs_all(probe) ? sb_applied_work_init(me->ctx, me->arena, probe->method->sys, h, &probe->work)
                                      : SB_OK;
}

int cli_probe_follow(cli_probe *probe, const sb_sample *s) {
    if (!cli_probe_needs_all(probe)) {
        return SB_OK;
    }
    if (s->step == 0) {
        SB_TRY(sb_dynamics_energy(&probe->quantities.dyn, s->t, s->q, s->v, &probe->kinetic, &probe->potential));
        probe->first = probe->kinetic + probe->potential;
    }
    return sb_applied_work_add(&probe->work, s->t, s->q, s->v);
}

/* Computes max |g_i| and sqrt(sum g_i^2 / m). */
static int violation(cli_probe *probe, double t, const double *q) {
    const sb_holonomic *holonomic = &probe->method->sys->holonomic;
    double sum = 0.0;
    probe->g_rms = probe->g_max = 0.0;
    if (holonomic->m == 0) {
        return SB_OK;
    }
    SB_TRY(sb_holonomic_value(probe->method->sys, t, q, probe->g, NULL));
    for (int i = 0; i < holonomic->m; i++) {
        sum += probe->g[i] * probe->g[i];
    }
    probe->g_rms = sqrt(sum / holonomic->m);
    probe->g_max = sb_norm_max(holonomic->m, probe->g);
    return SB_OK;
}

static int smallest_gap(cli_probe *probe, const double *q) {
    const sb_contact *contact = &probe->method->sys->contact;
    SB_TRY(contact->gap(contact->self, q, probe->gaps, NULL));
    double largest = -probe->gaps[0];
    for (int i = 1; i < contact->m; i++) {
        largest = sb_larger(largest, -probe->gaps[i]);
    }
    probe->gap_min = -largest;
    return SB_OK;
}

static int evaluate(cli_probe *probe, const sb_sample *s) {
    const sb_outputs *outputs = &probe->method->sys->outputs;
    const bool *wanted = probe->wanted;
    if (wanted[CLI_ENERGY] || wanted[CLI_KINETIC] || wanted[CLI_POTENTIAL] || wanted[CLI_BALANCE]) {
        SB_TRY(sb_dynamics_energy(&probe->quantities.dyn, s->t, s->q, s->v, &probe->kinetic, &probe->potential));
        probe->energy = probe->kinetic + probe->potential;
        probe->balance = probe->energy - probe->first - probe->work.value;
    }
    SB_TRY(wanted[CLI_MOMENTUM] ? sb_quantities_momenta(&probe->quantities, s->q, s->v, probe->momenta) : SB_OK);
    SB_TRY(wanted[CLI_G_RMS] || wanted[CLI_G_MAX] ? violation(probe, s->t, s->q) : SB_OK);
    SB_TRY(wanted[CLI_GAP_MIN] ? smallest_gap(probe, s->q) : SB_OK);
    return wanted[CLI_OUTPUT_VALUE] ? outputs->value(outputs->self, s->t, s->q, s->v, probe->outputs) : SB_OK;
}

int cli_probe_row(cli_probe *probe, const cli_columns *columns, const sb_sample *s, long event, sb_cell *row) {
    const double *const values[] = {
        [CLI_T] = &s->t,
        [CLI_Q] = s->q,
        [CLI_V] = s->v,
        [CLI_LAMBDA] = s->lambda,
        [CLI_ENERGY] = &probe->energy,
        [CLI_KINETIC] = &probe->kinetic,
        [CLI_POTENTIAL] = &probe->potential,
        [CLI_WORK] = &probe->work.value,
        [CLI_BALANCE] = &probe->balance,
        [CLI_MOMENTUM] = probe->momenta,
        [CLI_G_RMS] = &probe->g_rms,
        [CLI_G_MAX] = &probe->g_max,
        [CLI_GAP_MIN] = &probe->gap_min,
        [CLI_OUTPUT_VALUE] = probe->outputs,
    };
    SB_TRY(evaluate(probe, s));
    for (int j = 0; j < columns->count; j++) {
        switch (probe->source[j]) {
        case CLI_PROBLEM: row[j] = sb_text(probe->problem); break;
        case CLI_STEPPER: row[j] = sb_text(probe->stepper); break;
        case CLI_EVENT: row[j] = sb_int(event); break;
        case CLI_STEP: row[j] = sb_int(s->step); break;
        case CLI_ITERS: row[j] = sb_int(s->state->iters); break;
        case CLI_NOTHING: row[j] = sb_empty(); break;
        default: row[j] = sb_real(values[probe->source[j]][probe->index[j]]); break;
        }
    }
    return SB_OK;
}
