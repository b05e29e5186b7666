/* Reads recorded runs and plays them back as the steps of a stepper. */
#include "bench/engine/recorded.h"

#include <stepbench/numerics/norm.h>

#include "core/base/text.h"

/* Of the distance of the samples: times are printed with three digits of it at least. */
static const double UNEQUAL = 1e-3;
/* Of the largest coordinate, or velocity: a start that is printed with four digits. */
static const double START = 1e-4;

/* ---- Reading. ---- */

int sb_recording_read(sb_context *ctx, sb_arena *arena, const char *file, double h, sb_recording *out) {
    sb_table *rows = &out->samples;
    *out = (sb_recording){.file = file};
    sb_table_init(rows, arena);
    SB_TRY(sb_table_read_csv(rows, ctx, file));
    if (sb_table_column(rows, "t") < 0 || rows->nrows < 2) {
        return sb_fail(ctx, SB_INCONSISTENT, "%s has no column t, or fewer than two samples", file);
    }
    out->t0 = sb_table_real(rows, 0, "t");
    out->dt = (sb_table_real(rows, rows->nrows - 1, "t") - out->t0) / (rows->nrows - 1);
    out->h = h > 0.0 ? h : sb_table_real(rows, 0, "h");
    out->h = isnan(out->h) ? out->dt : out->h;
    for (int i = 0; i < rows->nrows; i++) {
        const double t = sb_table_real(rows, i, "t"), expected = out->t0 + i * out->dt;
        if (!(out->dt > 0.0 && fabs(t - expected) <= UNEQUAL * out->dt)) {
            return sb_fail(ctx, SB_INCONSISTENT,
                           "%s: sample %d is at t = %.10g s, and with equal distances it would be at %.10g s", file, i,
                           t, expected);
        }
    }
    return SB_OK;
}

/* ---- The samples of a system. ---- */

typedef struct recorded {
    int count;
    const sb_recording *runs;
    bool sampled;
} recorded;

typedef struct columns {
    int *q, *v, *lambda; /* columns of the samples; lambda -1: it is not recorded */
    int *pose, *twist;   /* of bodies, in place of q and v; NULL: q and v */
} columns;

typedef struct playback {
    columns *of; /* by run */
    sb_scalar *pose, *twist;
} playback;

/* Sets the columns of numbered or named variables. Returns the name of the first that is missing, NULL if all are
 * there. */
static const char *find_variables(sb_arena *arena, const sb_table *samples, const char *letter, int count,
                                  const char *const *names, int *out) {
    for (int i = 0; i < count; i++) {
        char name[SB_VARIABLE_SIZE];
        const char *number = sb_asprintf(arena, "%s%d", letter, i);
        out[i] = number != NULL ? sb_table_column(samples, number) : -1;
        if (out[i] < 0 && names != NULL) {
            out[i] = sb_table_column(samples, sb_variable_name(names, letter[0] == 'v', i, name));
        }
        if (out[i] < 0) {
            return number != NULL ? number : letter;
        }
    }
    return NULL;
}

/* Sets the columns BODY.x, ... of all bodies. Returns whether they are there. */
static bool find_bodies(sb_arena *arena, const sb_world *world, const sb_world_parts *parts, const sb_table *samples,
                        columns *out) {
    static const char *const planar[] = {"x", "y", "angle", "vx", "vy", "w"}, *const spatial[] = {
                                                                                  "x",  "y",  "z",  "e0", "e1",
                                                                                  "e2", "e3", "vx", "vy", "vz",
                                                                                  "wx", "wy", "wz"};
    const int poses = sb_world_pose(world), twists = sb_world_twist(world);
    const char *const *names = world->dimension == 2 ? planar : spatial;
    bool all = true;
    for (int k = 0; k < world->bodies; k++) {
        for (int i = 0; i < poses + twists; i++) {
            const char *name = sb_asprintf(arena, "%s.%s", parts->body[k].name, names[i]);
            const int column = name != NULL ? sb_table_column(samples, name) : -1;
            *(i < poses ? &out->pose[k * poses + i] : &out->twist[k * twists + i - poses]) = column;
            all = all && column >= 0;
        }
    }
    return all;
}

/* Fails unless the cells of some columns are numbers or empty. */
static int check_numbers(sb_context *ctx, const sb_recording *run, int count, const int *at) {
    for (int i = 0; at != NULL && i < count; i++) {
        for (int row = 0; row < run->samples.nrows; row++) {
            const sb_cell *cell = sb_table_cell(&run->samples, row, at[i]);
            if (cell->type == SB_CELL_TEXT) {
                return sb_fail(ctx, SB_INCONSISTENT, "%s, sample %d: the cell of %s is \"%.40s\", which is no number",
                               run->file, row, run->samples.columns[at[i]].name, cell->text);
            }
        }
    }
    return SB_OK;
}

/* Finds the columns of a run: coordinates, otherwise bodies. */
static int find_columns(sb_method *me, const sb_recording *run, columns *out) {
    const sb_system *sys = me->sys;
    const int multipliers = sb_system_multipliers(sys);
    const sb_world *world = sys->world;
    sb_world_parts parts;
    *out = (columns){0};
    SB_NEW(me->arena, out->q, sys->n);
    SB_NEW(me->arena, out->v, sys->n);
    SB_NEW(me->arena, out->lambda, multipliers);
    if (find_variables(me->arena, &run->samples, "lambda", multipliers, NULL, out->lambda) != NULL) {
        out->lambda = NULL;
    }
    SB_TRY(check_numbers(me->ctx, run, multipliers, out->lambda));
    const char *missing = find_variables(me->arena, &run->samples, "q", sys->n, sys->coordinates, out->q);
    missing =
        missing != NULL ? missing : find_variables(me->arena, &run->samples, "v", sys->n, sys->coordinates, out->v);
    if (missing == NULL) {
        SB_TRY(check_numbers(me->ctx, run, sys->n, out->q));
        return check_numbers(me->ctx, run, sys->n, out->v);
    }
    if (world != NULL) {
        SB_NEW(me->arena, out->pose, world->bodies * SB_POSE_MAX);
        SB_NEW(me->arena, out->twist, world->bodies * SB_TWIST_MAX);
        SB_TRY(world->describe(world->self, me->arena, &parts));
        if (find_bodies(me->arena, world, &parts, &run->samples, out)) {
            SB_TRY(check_numbers(me->ctx, run, world->bodies * sb_world_pose(world), out->pose));
            return check_numbers(me->ctx, run, world->bodies * sb_world_twist(world), out->twist);
        }
    }
    return sb_fail(me->ctx, SB_UNSUPPORTED, "%s has no column %s%s", run->file, missing,
                   world != NULL ? ", nor poses and twists of all bodies (BODY.x, ...)" : "");
}

static void take(const sb_table *samples, int row, int count, const int *from, sb_scalar *to) {
    for (int i = 0; i < count; i++) {
        to[i] = from != NULL ? sb_cell_number(sb_table_cell(samples, row, from[i])) : (sb_scalar)NAN;
    }
}

/* Sets a state to a sample of a run. */
static int set_sample(const sb_method *me, int k, int row, sb_state *out) {
    const recorded *all = me->type->data;
    const playback *p = me->work;
    const sb_table *samples = &all->runs[k].samples;
    const columns *of = &p->of[k];
    const sb_world *world = me->sys->world;
    take(samples, row, sb_system_multipliers(me->sys), of->lambda, out->lambda);
    if (of->pose == NULL) {
        take(samples, row, me->sys->n, of->q, out->q);
        take(samples, row, me->sys->n, of->v, out->v);
        return SB_OK;
    }
    take(samples, row, world->bodies * sb_world_pose(world), of->pose, p->pose);
    take(samples, row, world->bodies * sb_world_twist(world), of->twist, p->twist);
    return world->coordinates(world->self, p->pose, p->twist, out->q, out->v);
}

/* ---- The stepper. ---- */

/* Returns the run with this step, -1 if there is none. */
static int find_run(const recorded *all, double h) {
    for (int k = 0; k < all->count; k++) {
        const double step = all->sampled ? all->runs[k].dt : all->runs[k].h;
        if (fabs(step - h) <= 1e-9 * h) {
            return k;
        }
    }
    return -1;
}

static int no_run(const sb_method *me, sb_scalar h) {
    return sb_fail(me->ctx, SB_UNSUPPORTED, "no run has the step %.10g s", (double)h);
}

static int init(sb_method *me) {
    const recorded *all = me->type->data;
    const int bodies = me->sys->world != NULL ? me->sys->world->bodies : 0;
    playback *p;
    SB_NEW(me->arena, p, 1);
    SB_NEW(me->arena, p->of, all->count);
    SB_TRY(SB_VECTORS(me->arena, bodies * SB_POSE_MAX, &p->pose, &p->twist));
    me->work = p;
    for (int k = 0; k < all->count; k++) {
        SB_TRY(find_columns(me, &all->runs[k], &p->of[k]));
    }
    return SB_OK;
}

/* Fails unless the numbers of the first sample are those of the system's start. */
static int compare_start(const sb_method *me, const char *file, const char *letter, const sb_scalar *theirs,
                         const sb_scalar *ours) {
    const double size = (double)sb_norm_max(me->sys->n, ours);
    for (int i = 0; i < me->sys->n; i++) {
        if (!(fabs((double)(theirs[i] - ours[i])) <= START * fmax(size, 1.0))) {
            return sb_fail(me->ctx, SB_UNSUPPORTED, "%s begins with %s%d = %.10g, and %s with %.10g", file, letter, i,
                           (double)theirs[i], me->sys->name, (double)ours[i]);
        }
    }
    return SB_OK;
}

static int start(const sb_method *me, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar h, sb_state *out) {
    const recorded *all = me->type->data;
    const int k = find_run(all, (double)h);
    if (k < 0) {
        return no_run(me, h);
    }
    const sb_recording *run = &all->runs[k];
    if (!(fabs((double)t - run->t0) <= UNEQUAL * run->dt)) {
        return sb_fail(me->ctx, SB_UNSUPPORTED, "%s begins at t = %.10g s, and %s at %.10g s", run->file, run->t0,
                       me->sys->name, (double)t);
    }
    SB_TRY(set_sample(me, k, 0, out));
    SB_TRY(compare_start(me, run->file, "q", out->q, q));
    return compare_start(me, run->file, "v", out->v, v);
}

static int step(const sb_method *me, const sb_state *in, sb_scalar h, sb_state *out) {
    const recorded *all = me->type->data;
    const int k = find_run(all, (double)h);
    if (k < 0) {
        return no_run(me, h);
    }
    const sb_recording *run = &all->runs[k];
    const double at = ((double)(in->t + h) - run->t0) / run->dt;
    if (at > run->samples.nrows - 0.5) {
        return sb_fail(me->ctx, SB_NOT_CONVERGED, "%s has ended", run->file);
    }
    return set_sample(me, k, (int)floor(at + 1e-6), out);
}

#define FEATURE(name, bit, word, meaning) | (unsigned)(name)

int sb_recorded_stepper(sb_arena *arena, const char *name, int count, const sb_recording *runs, bool sampled,
                        sb_stepper *out) {
    recorded *all;
    SB_NEW(arena, all, 1);
    *all = (recorded){count, runs, sampled};
    *out = (sb_stepper){.entry = {.name = name, .brief = "recorded runs", .ref = ""},
                        .supports = 0U SB_FEATURE_LIST(FEATURE),
                        .order = 1,
                        .continues = true,
                        .uncounted = true,
                        .data = all,
                        .init = init,
                        .start = start,
                        .step = step};
    return SB_OK;
}
