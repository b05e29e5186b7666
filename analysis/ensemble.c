/* Random members of a problem. */
#include "analysis/ensemble.h"

#include <string.h>

#include <stepbench/numerics/norm.h>
#include <stepbench/numerics/start.h>

#include "analysis/random.h"
#include "core/base/params.h"
#include "core/run/build.h"

/* Sets the generator to the numbers of the member. */
static void seed_member(gsl_rng *generator, const sb_member *member) {
    gsl_rng_set(generator, (unsigned long)member->ensemble->seed);
    gsl_rng_set(generator, gsl_rng_get(generator) + (unsigned long)member->number);
}

/* ---- Parameters. ---- */

enum { NAME_SIZE = 64 };

/* Reads "name=low:high" at the beginning of a text, and sets *next behind the comma that follows, or at the end. */
static int read_range(sb_context *ctx, const char *text, char name[NAME_SIZE], sb_scalar bound[2], const char **next) {
    char number[2][NAME_SIZE];
    int length = 0;
    const int read = sscanf(text, "%63[^=,]=%63[^:,]:%63[^,]%n", name, number[0], number[1], &length);
    if (read < 3 || !sb_parse_real(number[0], &bound[0]) || !sb_parse_real(number[1], &bound[1]) ||
        !(bound[0] < bound[1])) {
        return sb_fail(ctx, SB_BAD_USAGE, "--uniform: \"%s\" has to be NAME=LOW:HIGH,... with LOW < HIGH", text);
    }
    *next = text + length + (text[length] == ',');
    return SB_OK;
}

/* Sets one of the parameters of a member. */
static int set_param(sb_context *ctx, sb_arena *arena, const sb_entry *entry, const char *name, sb_scalar x,
                     void *config) {
    char value[32];
    snprintf(value, sizeof value, "%.6g", (double)x);
    return sb_config_set(ctx, arena, entry, name, value, config);
}

/* Sets *out to the problem with the parameters of the member. */
static int draw_params(sb_context *ctx, sb_arena *arena, const sb_member *member, const sb_spec *problem,
                       sb_spec *out) {
    char name[NAME_SIZE];
    sb_scalar bound[2];
    gsl_rng *generator;
    *out = *problem;
    SB_TRY(sb_random(arena, 0, &generator));
    seed_member(generator, member);
    out->config = sb_alloc(arena, 1, problem->entry->config_size);
    SB_TRY(out->config != NULL ? SB_OK : SB_NO_MEMORY);
    memcpy(out->config, problem->config, problem->entry->config_size);
    for (const char *at = member->ensemble->uniform; *at != '\0';) {
        SB_TRY(read_range(ctx, at, name, bound, &at));
        const sb_scalar x = bound[0] + (bound[1] - bound[0]) * (sb_scalar)gsl_rng_uniform(generator);
        SB_TRY(set_param(ctx, arena, problem->entry, name, x, out->config));
    }
    return SB_OK;
}

static bool has_ranges(const sb_ensemble *e) { return e->uniform != NULL && e->uniform[0] != '\0'; }

static int check_ranges(sb_context *ctx, const sb_ensemble *e, const sb_spec *problem) {
    char name[NAME_SIZE];
    sb_scalar bound[2];
    sb_spec member;
    SB_SCRATCH(arena, ctx);
    SB_TRY(draw_params(ctx, &arena, &(sb_member){e, 0}, problem, &member));
    for (const char *at = e->uniform; *at != '\0';) {
        SB_TRY(read_range(ctx, at, name, bound, &at));
        for (int i = 0; i < 2; i++) {
            SB_TRY(set_param(ctx, &arena, problem->entry, name, bound[i], member.config));
        }
    }
    return SB_OK;
}

int sb_ensemble_check(sb_context *ctx, const sb_ensemble *e, const sb_spec *problem, const sb_system *sys) {
    if (e->members == 0 || has_ranges(e)) {
        return e->members == 0 ? SB_OK : check_ranges(ctx, e, problem);
    }
    return sys->contact.m == 0
               ? SB_OK
               : sb_fail(ctx, SB_UNSUPPORTED,
                         "random initial states of %s would penetrate its contacts: give ranges of parameters, "
                         "--uniform NAME=LOW:HIGH",
                         problem->text);
}

/* ---- Initial states. ---- */

/* The initial state of a member. */
typedef struct start {
    sb_scalar t, *q, *v;
    int n;
} start;

static int initial(const void *self, sb_scalar *t, sb_scalar *q, sb_scalar *v) {
    const start *s = self;
    *t = s->t;
    memcpy(q, s->q, (size_t)s->n * sizeof *q);
    memcpy(v, s->v, (size_t)s->n * sizeof *v);
    return SB_OK;
}

/* Moves the numbers by width size u, with u uniform in [-1, 1]. */
static void displace(gsl_rng *generator, double width, sb_scalar size, int n, sb_scalar *x) {
    for (int i = 0; i < n; i++) {
        x[i] += width * size * (2.0 * gsl_rng_uniform(generator) - 1.0);
    }
}

typedef struct moving {
    sb_context *ctx;
    sb_arena *arena;
    const sb_member *member;
} moving;

/* Replaces the initial state of the system. */
static int move_start(void *arg, sb_system *sys) {
    const moving *m = arg;
    const double width = m->member->ensemble->width;
    gsl_rng *generator;
    bool *moves;
    start *s;
    SB_NEW(m->arena, s, 1);
    SB_NEW(m->arena, moves, sys->n);
    SB_TRY(SB_VECTORS(m->arena, sys->n, &s->q, &s->v));
    SB_TRY(sb_random(m->arena, 0, &generator));
    seed_member(generator, m->member);
    s->n = sys->n;
    SB_TRY(sys->initial(sys->self, &s->t, s->q, s->v));
    for (int i = 0; i < sys->n; i++) {
        moves[i] = true;
    }
    const sb_scalar T = sys->time_scale, at_q = sb_norm_max(sys->n, s->q), at_v = sb_norm_max(sys->n, s->v),
                    size_q = at_q > 0.0   ? at_q
                             : at_v > 0.0 ? T * at_v
                                          : 1.0;
    displace(generator, width, size_q, sys->n, s->q);
    displace(generator, width, at_v > 0.0 ? at_v : size_q / T, sys->n, s->v);
    if (sys->holonomic.m > 0) {
        SB_TRY(sb_start_positions(m->ctx, "the start of a member of the ensemble", sys, s->t, moves, NULL, s->q));
    }
    if (sb_system_bilateral(sys) > 0) {
        SB_TRY(
            sb_start_velocities(m->ctx, "the start of a member of the ensemble", sys, s->t, moves, NULL, s->q, s->v));
    }
    sys->self = s;
    sys->initial = initial;
    sys->exact = NULL;
    return SB_OK;
}

int sb_member_system(sb_context *ctx, sb_arena *arena, const sb_member *member, const sb_spec *problem,
                     const sb_specs *formulations, const sb_system *of, sb_system *out) {
    sb_spec drawn;
    moving m = {ctx, arena, member};
    if (has_ranges(member->ensemble)) {
        SB_TRY(draw_params(ctx, arena, member, problem, &drawn));
        SB_TRY(sb_system_make(ctx, arena, &drawn, formulations, out));
    } else {
        SB_TRY(sb_system_make_from(ctx, arena, problem, formulations, move_start, &m, out));
    }
    out->name = of->name;
    out->time_scale = of->time_scale;
    out->period = of->period;
    return SB_OK;
}
