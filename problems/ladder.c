/* The falling ladder of spook07 6, Fig. 2: N squares of rigid rods in a row, one corner held at the origin. */
#include "problems/shared/rods.h"

enum { UP, DOWN };
enum { ALTERNATE, ROOT, TIP };

typedef struct config {
    long N;
    sb_scalar m, l, g, tilt, mass_ratio;
    int rungs, heavy;
} config;

/* The paper counts rods from 1: rods 1, 4, 7, ... are rungs; 2, 5, ... are the rails between the tails of the rungs;
 * 3, 6, ... are the rails between their heads. */
enum { RUNG = 1, FOOT_RAIL = 2 }; /* modulo 3 */

static bool is_heavy(const config *c, int rod) {
    switch (c->heavy) {
    case ROOT: return rod == 1;
    case TIP: return rod == 3 * c->N + 1;
    case ALTERNATE:
    default: return rod % 2 == 1;
    }
}

/* Sets the joints. The tails of rods 1 and 2 are at the origin. The tail of rod j is at the head of rod j - 3 for a
 * foot rail and of rod j - 2 otherwise. The head of a rung closes the square at the head of the rail before it. */
static void connect(rods *p) {
    int count = 0;
    for (int j = 1; j <= p->n; j++) {
        const int hangs_on = j <= 2 ? 0 : j % 3 == FOOT_RAIL ? j - 3 : j - 2;
        p->joint[count++] = (rods_joint){hangs_on - 1, 1, j - 1, -1};
        if (j > 1 && j % 3 == RUNG) {
            p->joint[count++] = (rods_joint){j - 2, 1, j - 1, 1};
        }
    }
}

/* Sets masses, directions and angles. The rungs stay parallel, and so do the two rails of a square: there are N + 1
 * angles, the first of which is the angle of the rungs. */
static void set_rods(rods *p, const config *c) {
    const sb_scalar x = cos(c->tilt), y = sin(c->tilt), side = c->rungs == UP ? 1.0 : -1.0;
    for (int j = 1; j <= p->n; j++) {
        sb_scalar *u = p->q0 + RODS_COORDINATES * (j - 1) + RODS_UX;
        const bool rung = j % 3 == RUNG;
        p->m[j - 1] = c->m * (is_heavy(c, j) ? c->mass_ratio : 1.0);
        p->angle[j - 1] = rung ? 0 : (j + 1) / 3;
        u[0] = rung ? -side * y : x;
        u[1] = rung ? side * x : y;
    }
}

static int init(sb_context *ctx, sb_arena *arena, const void *parameters, sb_system *out) {
    const config *c = parameters;
    const int N = (int)c->N;
    rods *p;
    SB_TRY(sb_rods_new(arena, 3 * N + 1, 4 * N + 1, N + 1, &p));
    p->l = c->l;
    p->g = c->g;
    p->tip = p->n - 2;
    connect(p);
    set_rods(p, c);
    return sb_rods_finish(arena, p, out);
}

static const sb_param params[] = {
    SB_PARAM_INT(config, N, "3", 1.0, 1e6, "squares"),
    SB_PARAM_POSITIVE(config, m, "10", "kg", "mass of a rod"),
    SB_PARAM_POSITIVE(config, l, "1", "m", "length of a rod"),
    SB_PARAM_NOT_NEGATIVE(config, g, "9.81", "m/s^2", "gravity, along -y"),
    SB_PARAM_CHOICE(config, rungs, "up", "up|down", "where the rungs point at the start; the rails point along +x"),
    SB_PARAM_ANY(config, tilt, "0", "rad", "turns the whole ladder from there, upwards"),
    SB_PARAM_POSITIVE(config, mass_ratio, "1", "", "mass of a heavy rod over that of the others"),
    SB_PARAM_CHOICE(config, heavy, "alternate", "alternate|root|tip",
                    "the heavy rods: every second one from the first on, the first rung, or the last rung"),
    {.name = NULL},
};

SB_DEFINE_PROBLEM(ladder) = {
    .entry = {"ladder", "falling ladder of N squares of rigid rods; tip: head of the last rod but one", "spook07 (6)",
              params, sizeof(config)},
    .init = init,
};
