/* Selects the columns of `stepbench run` and computes their values at a sample. */
#include "bench/cli/columns.h"

#include <string.h>

#include "core/base/grow.h"
#include "core/base/text.h"

/* The columns of each quantity. A quantity without a name takes the names of its columns from the system. */
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
    [CLI_REACTION] = {"", SB_COL_EXACT, "", ""},
    [CLI_ITERS] = {"iters", SB_COL_INFO, "", "Newton iterations of the last step"},
};

/* Returns the number of columns of a quantity in rows that are events or states. */
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
    case CLI_REACTION:
        return sys->world != NULL && !(events && sb_applied_work_excluded(sys) != NULL) ? sys->world->reactions : 0;
    default: return 1;
    }
}

/* Returns whether the columns of a quantity are numbered: q0, q1, ... */
static bool is_vector(cli_source source) { return source == CLI_Q || source == CLI_V || source == CLI_LAMBDA; }

/* Returns whether the numbered columns of a system are too many to be written unless they are asked for. */
static bool is_large(const sb_system *sys) {
    enum { LARGE = 32 };
    return sys->n > LARGE;
}

/* Returns the name of the i-th column of a quantity; that of a numbered column is written to own. */
static const char *name_of(cli_source source, const sb_system *sys, int i, char own[SB_VARIABLE_SIZE]) {
    switch (source) {
    case CLI_Q:
    case CLI_V:
    case CLI_LAMBDA: snprintf(own, SB_VARIABLE_SIZE, "%s%d", sources[source].name, i); return own;
    case CLI_MOMENTUM: return sys->symmetry.names[i];
    case CLI_OUTPUT_VALUE: return sys->outputs.list[i].name;
    case CLI_REACTION: return sys->world->reaction[i].name;
    default: return sources[source].name;
    }
}

/* Returns the name that the problem gives to the coordinate or the velocity of a column, written to own; NULL if it
 * gives none. */
static const char *alias_of(cli_source source, const sb_system *sys, int i, char own[SB_VARIABLE_SIZE]) {
    const bool named = sys->coordinates != NULL && (source == CLI_Q || source == CLI_V);
    return named ? sb_variable_name(sys->coordinates, source == CLI_V, i, own) : NULL;
}

/* Sets *out to the i-th column of a quantity; the name that a problem gives to a coordinate follows its description. */
static int describe(sb_arena *arena, cli_source source, const sb_system *sys, int i, sb_column *out) {
    char own[SB_VARIABLE_SIZE], other[SB_VARIABLE_SIZE];
    const char *const name = name_of(source, sys, i, own), *const alias = alias_of(source, sys, i, other);
    *out = (sb_column){name, sources[source].kind, sources[source].unit, sources[source].doc};
    if (alias != NULL) {
        SB_PRINT(arena, out->doc, "%s %s", sources[source].doc, alias);
    }
    if (is_vector(source)) {
        SB_PRINT(arena, out->name, "%s", name);
    } else if (source == CLI_OUTPUT_VALUE || source == CLI_REACTION) {
        const sb_output *of = source == CLI_REACTION ? &sys->world->reaction[i] : &sys->outputs.list[i];
        out->unit = of->unit;
        out->doc = of->doc;
    }
    return SB_OK;
}

/* Returns whether the columns of a quantity are written only where they are asked for by name: forces of joints, and
 * the numbered columns of a large system. */
static bool is_hidden(cli_source source, const sb_system *sys) {
    return source == CLI_REACTION || (is_vector(source) && is_large(sys));
}

/* Returns whether a list of words between commas has this word. */
static bool has_word(const char *words, const char *word) {
    const size_t length = strlen(word);
    for (const char *at = words; at != NULL; at = strchr(at, ',')) {
        at += *at == ',';
        if (strcspn(at, ",") == length && memcmp(at, word, length) == 0) {
            return true;
        }
    }
    return false;
}

/* Returns whether --columns or --pivot asks for the i-th column of a quantity, by its name or by the problem's. */
static bool is_asked_for(const cli *me, cli_source source, const sb_system *sys, int i) {
    char own[SB_VARIABLE_SIZE], other[SB_VARIABLE_SIZE];
    const char *const names[] = {name_of(source, sys, i, own), alias_of(source, sys, i, other)};
    for (int k = 0; k < 2; k++) {
        if (names[k] != NULL &&
            (has_word(me->shared.rows.columns, names[k]) || strcmp(me->shared.rows.pivot, names[k]) == 0)) {
            return true;
        }
    }
    return false;
}

/* Lists the columns that a command may write of a system, and sets *count to their number; hidden ones are listed only
 * where they are asked for, since they are many. out NULL: counts them. */
static int list_columns(const cli *me, sb_arena *arena, const sb_system *sys, bool events, int *count,
                        cli_column *out) {
    const bool asked = me->shared.rows.columns[0] != '\0' || me->shared.rows.pivot[0] != '\0';
    *count = 0;
    for (int s = 0; s < CLI_NOTHING; s++) {
        const cli_source source = (cli_source)s;
        const bool hidden = is_hidden(source, sys);
        const int columns = hidden && !asked ? 0 : count_of(source, sys, events);
        for (int i = 0; i < columns; i++) {
            SB_TRY(sb_poll(me->ctx));
            if (hidden && !is_asked_for(me, source, sys, i)) {
                continue;
            }
            if (out != NULL) {
                out[*count] = (cli_column){.source = source, .index = i};
                SB_TRY(describe(arena, source, sys, i, &out[*count].column));
            }
            (*count)++;
        }
    }
    return SB_OK;
}

/* Allocates and lists the columns that a command may write of a system. */
static int new_columns(const cli *me, sb_arena *arena, const sb_system *sys, bool events, int *count,
                       cli_column **out) {
    SB_TRY(list_columns(me, arena, sys, events, count, NULL));
    SB_NEW(arena, *out, *count);
    return list_columns(me, arena, sys, events, count, *out);
}

/* Returns the column of this name, NULL if the system has none. */
static const cli_column *find(const cli_probe *probe, const char *name) {
    char own[SB_VARIABLE_SIZE];
    const cli_column *found = NULL;
    for (int i = 0; i < probe->count; i++) {
        if (strcmp(probe->list[i].column.name, name) == 0) {
            return &probe->list[i];
        }
        const char *const alias = alias_of(probe->list[i].source, probe->sys, probe->list[i].index, own);
        found = alias != NULL && strcmp(alias, name) == 0 ? &probe->list[i] : found;
    }
    return found;
}

/* ---- The columns of all systems. ---- */

/* Returns the place of the column of this name, -1 if there is none. Systems that are alike have their columns in the
 * same order: the column is looked for at `hint` first. */
static int place_of(const cli_columns *all, const char *name, int hint) {
    if (hint < all->count && strcmp(all->list[hint].column.name, name) == 0) {
        return hint;
    }
    for (int j = 0; j < all->count; j++) {
        if (strcmp(all->list[j].column.name, name) == 0) {
            return j;
        }
    }
    return -1;
}

/* Appends a column, whose texts are copied. */
static int append(cli *me, const cli_column *column, const char *alias, bool left_out, cli_columns *all) {
    SB_GROW(me->arena, all->list, all->count, all->room);
    const char *const *from[] = {&column->column.name, &column->column.unit, &column->column.doc, &alias};
    cli_listed *to = &all->list[all->count++];
    *to = (cli_listed){.column = column->column, .source = column->source, .left_out = left_out};
    const char **const copies[] = {&to->column.name, &to->column.unit, &to->column.doc, &to->alias};
    for (int i = 0; i < 4; i++) {
        *copies[i] = *from[i] != NULL ? sb_strdup(me->arena, *from[i]) : NULL;
        SB_TRY(*from[i] == NULL || *copies[i] != NULL ? SB_OK : SB_NO_MEMORY);
    }
    return SB_OK;
}

int cli_columns_add(cli *me, const sb_system *sys, bool events, cli_columns *all) {
    cli_column *list;
    int count;
    const int before = all->count;
    SB_SCRATCH(scratch, me->ctx);
    SB_TRY(new_columns(me, &scratch, sys, events, &count, &list));
    if (all->redundant == NULL && sys->redundant != NULL && sb_applied_work_excluded(sys) == NULL) {
        SB_PRINT(me->arena, all->redundant,
                 "forces of joints: rigid bodies do not determine how redundant rows share them, and the multipliers "
                 "of least norm are taken: %s",
                 sys->redundant);
    }
    for (int i = 0, next = 0; i < count; i++) {
        char own[SB_VARIABLE_SIZE];
        const char *const alias = alias_of(list[i].source, sys, list[i].index, own);
        const bool left_out = is_hidden(list[i].source, sys);
        const int place = before > 0 ? place_of(all, list[i].column.name, next) : -1;
        if (place < 0) {
            SB_TRY(append(me, &list[i], alias, left_out, all));
            continue;
        }
        next = place + 1;
        all->list[place].left_out = all->list[place].left_out && left_out;
        if (alias != NULL && (all->list[place].alias == NULL || strcmp(all->list[place].alias, alias) != 0)) {
            SB_TRY(append(me, &list[i], alias, true, all));
        }
    }
    return SB_OK;
}

/* ---- Selection. ---- */

typedef struct selection {
    cli *me;
    const cli_columns *all;
    int npairs;
    int count; /* of the columns selected */
    sb_column *list;
} selection;

static bool has(const selection *s, const char *name) {
    for (int j = 0; j < s->count; j++) {
        if (strcmp(s->list[j].name, name) == 0) {
            return true;
        }
    }
    return false;
}

/* Adds every column of any of the systems, quantity by quantity. */
static void add_all(selection *s) {
    const cli *me = s->me;
    const bool pair = s->npairs > 1 || me->shared.rows.pivot[0] != '\0' || cli_plotted(me) || me->every_column;
    for (int source = pair ? CLI_PROBLEM : CLI_EVENT; source < CLI_NOTHING; source++) {
        for (int j = 0; j < s->all->count; j++) {
            const cli_listed *c = &s->all->list[j];
            if ((int)c->source == source && !c->left_out) {
                s->list[s->count++] = c->column;
            }
        }
    }
}

static int unknown_column(selection *s, const char *name) {
    const char **names, *there = "there are ";
    s->count = 0;
    add_all(s);
    SB_NEW(s->me->arena, names, s->count);
    for (int j = 0; j < s->count; j++) {
        names[j] = s->list[j].name;
    }
    for (int j = 0; j < s->count; j++) {
        if (strlen(there) + strlen(names[j]) > SB_MESSAGE_MAX - 100) { /* the rest of the sentence is shorter */
            SB_PRINT(s->me->arena, there, "%s and %d more", there, s->count - j);
            break;
        }
        SB_PRINT(s->me->arena, there, "%s%s%s", there, j > 0 ? ", " : "", names[j]);
    }
    return sb_fail_name(s->me->ctx, "no column is named", name, s->count, names, there);
}

/* Adds the column of this name, or else the first one that a problem names so. */
static int add(selection *s, const char *name) {
    int found = place_of(s->all, name, 0);
    if (has(s, name)) {
        return sb_fail(s->me->ctx, SB_BAD_USAGE, "the column %s is asked for twice", name);
    }
    for (int j = 0; j < s->all->count && found < 0; j++) {
        const char *alias = s->all->list[j].alias;
        found = alias != NULL && strcmp(alias, name) == 0 ? j : -1;
    }
    if (found < 0) {
        return unknown_column(s, name);
    }
    if (s->all->list[found].source == CLI_REACTION && s->all->redundant != NULL && s->me->ctx->notice != NULL) {
        s->me->ctx->notice(s->me->ctx->notice_arg, s->all->redundant);
    }
    s->list[s->count] = s->all->list[found].column;
    s->list[s->count++].name = name; /* a coordinate may have two */
    return SB_OK;
}

int cli_columns_choose(cli *me, const cli_columns *all, int npairs, int *ncolumns, const sb_column **columns) {
    const char *const wanted = cli_plotted(me) ? "" : me->shared.rows.columns, *const pivot = me->shared.rows.pivot;
    selection s = {.me = me, .all = all, .npairs = npairs};
    SB_NEW(me->arena, s.list, all->count);
    if (wanted[0] == '\0') {
        add_all(&s);
    }
    for (const char *word = wanted[0] != '\0' ? wanted : NULL; word != NULL;) {
        const char *name, *comma = strchr(word, ',');
        SB_PRINT(me->arena, name, "%.*s", (int)strcspn(word, ","), word);
        SB_TRY(add(&s, name));
        word = comma != NULL ? comma + 1 : NULL;
    }
    SB_TRY(pivot[0] != '\0' && !has(&s, pivot) ? add(&s, pivot) : SB_OK);
    *ncolumns = s.count;
    *columns = s.list;
    return SB_OK;
}

/* ---- The columns of a run. ---- */

/* Binds the selected columns to those of the system. */
static int bind(const cli *me, sb_arena *arena, double h, int ncolumns, const sb_column *columns, cli_probe *probe) {
    SB_TRY(sb_quantities_init(me->ctx, arena, probe->sys, h, &probe->quantities));
    SB_NEW(arena, probe->written, ncolumns);
    for (int j = 0; j < ncolumns; j++) {
        SB_TRY(sb_poll(me->ctx));
        probe->written[j] = find(probe, columns[j].name);
        if (probe->written[j] != NULL) {
            probe->wanted[probe->written[j]->source] = true;
        }
    }
    return cli_probe_needs_all(probe) ? sb_applied_work_init(me->ctx, arena, probe->sys, h, &probe->work) : SB_OK;
}

/* Allocates the forces of joints. */
static int reactions_init(sb_arena *arena, cli_probe *out) {
    const sb_system *sys = out->sys;
    SB_NEW(arena, out->reactions, sys->world->reactions);
    SB_NEW(arena, out->a, sys->n);
    SB_NEW(arena, out->lambda, sb_system_multipliers(sys));
    return SB_OK;
}

int cli_probe_init(const cli *me, sb_arena *arena, const sb_pair *pair, bool events, double h, int ncolumns,
                   const sb_column *columns, cli_probe *out) {
    const sb_system *sys = pair->sys;
    *out = (cli_probe){.sys = sys, .problem = pair->problem, .stepper = pair->stepper};
    SB_TRY(new_columns(me, arena, sys, events, &out->count, &out->list));
    SB_NEW(arena, out->g, sb_system_constrained(sys)->holonomic.m);
    SB_NEW(arena, out->gaps, sys->contact.m);
    SB_NEW(arena, out->momenta, sys->symmetry.count);
    SB_NEW(arena, out->outputs, sys->outputs.count);
    SB_TRY(bind(me, arena, h, ncolumns, columns, out));
    return out->wanted[CLI_REACTION] ? reactions_init(arena, out) : SB_OK;
}

/* ---- Values. ---- */

bool cli_probe_needs_all(const cli_probe *probe) { return probe->wanted[CLI_WORK] || probe->wanted[CLI_BALANCE]; }

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
    const sb_system *sys = sb_system_constrained(probe->sys);
    const sb_holonomic *holonomic = &sys->holonomic;
    probe->g_rms = probe->g_max = 0.0;
    if (holonomic->m == 0) {
        return SB_OK;
    }
    SB_TRY(sb_holonomic_value(sys, t, q, probe->g, NULL));
    probe->g_rms = sqrt(sb_dot(holonomic->m, probe->g, probe->g) / holonomic->m);
    probe->g_max = sb_norm_max(holonomic->m, probe->g);
    return SB_OK;
}

static int smallest_gap(cli_probe *probe, const double *q) {
    const sb_contact *contact = &probe->sys->contact;
    SB_TRY(contact->gap(contact->self, q, probe->gaps, NULL));
    double largest = -probe->gaps[0];
    for (int i = 1; i < contact->m; i++) {
        largest = sb_larger(largest, -probe->gaps[i]);
    }
    probe->gap_min = -largest;
    return SB_OK;
}

/* Computes the forces of joints from the multipliers of the state; of a system with impacts or dry friction from those
 * of the stepper. */
static int reactions(cli_probe *probe, const sb_sample *s) {
    const sb_world *world = probe->sys->world;
    const bool own = sb_applied_work_excluded(probe->sys) == NULL;
    sb_dynamics *dyn = &probe->quantities.dyn;
    SB_TRY(own ? sb_dynamics_acceleration(dyn, s->t, s->q, s->v, probe->a, probe->lambda) : SB_OK);
    SB_TRY(own ? sb_dynamics_least_norm(dyn, probe->lambda) : SB_OK);
    return world->reactions_at(world->self, s->t, s->q, s->v, own ? probe->lambda : s->lambda, probe->reactions);
}

static int evaluate(cli_probe *probe, const sb_sample *s) {
    const sb_outputs *outputs = &probe->sys->outputs;
    const bool *wanted = probe->wanted;
    if (wanted[CLI_ENERGY] || wanted[CLI_KINETIC] || wanted[CLI_POTENTIAL] || wanted[CLI_BALANCE]) {
        SB_TRY(sb_dynamics_energy(&probe->quantities.dyn, s->t, s->q, s->v, &probe->kinetic, &probe->potential));
        probe->energy = probe->kinetic + probe->potential;
        probe->balance = probe->energy - probe->first - probe->work.value;
    }
    SB_TRY(wanted[CLI_MOMENTUM] ? sb_quantities_momenta(&probe->quantities, s->q, s->v, probe->momenta) : SB_OK);
    SB_TRY(wanted[CLI_G_RMS] || wanted[CLI_G_MAX] ? violation(probe, s->t, s->q) : SB_OK);
    SB_TRY(wanted[CLI_REACTION] ? reactions(probe, s) : SB_OK);
    SB_TRY(wanted[CLI_GAP_MIN] ? smallest_gap(probe, s->q) : SB_OK);
    return wanted[CLI_OUTPUT_VALUE] ? outputs->value(outputs->self, s->t, s->q, s->v, probe->outputs) : SB_OK;
}

int cli_probe_row(cli_probe *probe, int ncolumns, const sb_sample *s, long event, sb_cell *row) {
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
        [CLI_REACTION] = probe->reactions,
    };
    SB_TRY(evaluate(probe, s));
    for (int j = 0; j < ncolumns; j++) {
        const cli_column *column = probe->written[j];
        switch (column != NULL ? column->source : CLI_NOTHING) {
        case CLI_PROBLEM: row[j] = sb_text(probe->problem); break;
        case CLI_STEPPER: row[j] = sb_text(probe->stepper); break;
        case CLI_EVENT: row[j] = sb_int(event); break;
        case CLI_STEP: row[j] = sb_int(s->step); break;
        case CLI_ITERS: row[j] = sb_int(s->state->iters); break;
        case CLI_NOTHING: row[j] = sb_empty(); break;
        default: row[j] = sb_real(values[column->source][column->index]); break;
        }
    }
    return SB_OK;
}
