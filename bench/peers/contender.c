/* Runs of an engine with its settings, or of a stepper, on one mechanism with one step. */
#include "bench/peers/contender.h"

#include "core/run/build.h"

/* An open engine, which the arena owns. */
typedef struct opened {
    const peer_engine *peer;
    void *handle;
} opened;

static void destroy(void *object) {
    const opened *it = object;
    it->peer->close(it->handle);
}

int contest_open(sb_context *ctx, sb_arena *arena, const mechanism *on, const contender *who, double h, contest *out) {
    *out = (contest){.on = on, .h = h, .who = who};
    if (who->peer != NULL) {
        opened *it;
        SB_NEW(arena, it, 1);
        *it = (opened){who->peer, who->peer->open(&on->world, who->values)};
        if (it->handle == NULL) {
            return sb_fail(ctx, SB_NO_MEMORY, "no memory for %s with %d bodies", who->engine, on->world.nbodies);
        }
        out->handle = it->handle;
        return sb_arena_own(arena, it, destroy);
    }
    SB_TRY(sb_method_build(ctx, arena, who->settings, &on->sys, &out->method));
    SB_TRY(sb_state_new(&out->method, arena, &out->state[0]));
    SB_TRY(sb_state_new(&out->method, arena, &out->state[1]));
    SB_NEW(arena, out->v, on->sys.n);
    return sb_method_start(&out->method, 0.0, NULL, NULL, h, &out->state[0]);
}

int contest_step(contest *me) {
    const long k = me->steps++;
    if (me->who->peer == NULL) {
        return sb_method_step(&me->method, &me->state[k & 1], me->h, &me->state[(k + 1) & 1]);
    }
    me->who->peer->step(me->handle, me->h);
    return SB_OK;
}

int contest_read(contest *me, peer_body *body) {
    if (me->who->peer != NULL) {
        me->who->peer->read(me->handle, body);
        return SB_OK;
    }
    const sb_state *at = &me->state[me->steps & 1];
    SB_TRY(sb_method_report(&me->method, at, me->v, NULL));
    mechanism_bodies(me->on, at->q, me->v, body);
    return SB_OK;
}
