/* Builds the mechanisms from the problems of the same name, and measures states of their bodies. */
#include "bench/peers/mechanism.h"

#include <math.h>
#include <string.h>

#include "core/base/text.h"
#include "core/run/build.h"
#include "problems/shared/rods.h"

static bool is_ladder(const mechanism *m) { return strcmp(m->problem, "ladder") == 0; }

/* Sets position and rates of a rod from its two ends and their velocities. */
static void set_rod(const double *tail, const double *head, const double *tail_rate, const double *head_rate,
                    peer_body *body) {
    const double d[2] = {head[0] - tail[0], head[1] - tail[1]};
    const double rate[2] = {head_rate[0] - tail_rate[0], head_rate[1] - tail_rate[1]};
    body->x = 0.5 * (tail[0] + head[0]);
    body->y = 0.5 * (tail[1] + head[1]);
    body->vx = 0.5 * (tail_rate[0] + head_rate[0]);
    body->vy = 0.5 * (tail_rate[1] + head_rate[1]);
    body->angle = atan2(d[1], d[0]);
    body->spin = (d[0] * rate[1] - d[1] * rate[0]) / (d[0] * d[0] + d[1] * d[1]);
}

/* Coordinates of the ladder are centre and direction, rod by rod; coordinates of four_bar are the heads of the
 * uprights, of which upright k stands on the pivot (k l, 0) and is body 2 k. */
void mechanism_bodies(const mechanism *m, const double *q, const double *v, peer_body *body) {
    for (int i = 0; i < m->world.nbodies; i++) {
        if (is_ladder(m)) {
            const double *x = q + RODS_COORDINATES * i, *r = v + RODS_COORDINATES * i;
            const double half = 0.5 * m->length,
                         ends[4] = {x[0] - half * x[2], x[1] - half * x[3], x[0] + half * x[2], x[1] + half * x[3]};
            const double rates[4] = {r[0] - half * r[2], r[1] - half * r[3], r[0] + half * r[2], r[1] + half * r[3]};
            set_rod(ends, ends + 2, rates, rates + 2, &body[i]);
        } else {
            const int k = i / 2;
            const double pivot[2] = {k * m->length, 0.0}, rest[2] = {0.0, 0.0};
            const bool upright = i % 2 == 0;
            set_rod(upright ? pivot : q + 2 * k, q + 2 * (upright ? k : k + 1), upright ? rest : v + 2 * k,
                    v + 2 * (upright ? k : k + 1), &body[i]);
        }
    }
}

static int ladder_joints(sb_arena *arena, mechanism *m, const rods *from) {
    const double half = 0.5 * m->length;
    m->tip = from->tip;
    m->energy *= 0.5 * m->length * (double)m->N;
    m->world.njoints = from->njoints;
    SB_NEW(arena, m->world.joint, from->njoints);
    for (int j = 0; j < from->njoints; j++) {
        const rods_joint *at = &from->joint[j];
        m->world.joint[j] = (peer_joint){at->first, at->second, at->first_end * half, at->second_end * half, 0.0, 0.0};
    }
    return SB_OK;
}

static int four_bar_joints(sb_arena *arena, mechanism *m) {
    const int N = (int)m->N;
    const double half = 0.5 * m->length;
    m->tip = 2 * N;
    m->energy *= m->length;
    m->world.njoints = 3 * N + 1;
    SB_NEW(arena, m->world.joint, m->world.njoints);
    peer_joint *joint = m->world.joint;
    for (int k = 0; k <= N; k++) {
        *joint++ = (peer_joint){-1, 2 * k, 0.0, -half, k * m->length, 0.0};
        if (k > 0) {
            *joint++ = (peer_joint){2 * k - 1, 2 * k, half, half, 0.0, 0.0};
        }
        if (k < N) {
            *joint++ = (peer_joint){2 * k, 2 * k + 1, half, -half, 0.0, 0.0};
        }
    }
    return SB_OK;
}

int mechanism_new(sb_context *ctx, sb_arena *arena, const char *problem, long N, mechanism *out) {
    double t, *q, *v;
    *out = (mechanism){.problem = problem, .N = N, .length = 1.0, .world = {.g = 9.81}};
    SB_PRINT(arena, out->specification, "%s:N=%ld,g=9.81,l=1,m=10", problem, N);
    SB_TRY(sb_system_build(ctx, arena, out->specification, 0, NULL, &out->sys));
    SB_TRY(SB_VECTORS(arena, out->sys.n, &q, &v));
    SB_TRY(out->sys.initial(out->sys.self, &t, q, v));
    out->world.nbodies = (int)(is_ladder(out) ? 3 * N + 1 : 2 * N + 1);
    SB_NEW(arena, out->world.body, out->world.nbodies);
    mechanism_bodies(out, q, v, out->world.body);
    for (int i = 0; i < out->world.nbodies; i++) {
        out->world.body[i].mass = 10.0;
        out->world.body[i].inertia = 10.0 * out->length * out->length / 12.0;
        out->energy += out->world.body[i].mass * out->world.g;
    }
    return is_ladder(out) ? ladder_joints(arena, out, out->sys.inertia.self) : four_bar_joints(arena, out);
}

double mechanism_gap(const mechanism *m, const peer_body *body) {
    double sum = 0.0;
    for (int j = 0; j < m->world.njoints; j++) {
        const peer_joint *at = &m->world.joint[j];
        const peer_body *second = &body[at->second];
        double x = at->x, y = at->y;
        if (at->first >= 0) {
            x = body[at->first].x + at->at_first * cos(body[at->first].angle);
            y = body[at->first].y + at->at_first * sin(body[at->first].angle);
        }
        x -= second->x + at->at_second * cos(second->angle);
        y -= second->y + at->at_second * sin(second->angle);
        sum += x * x + y * y;
    }
    return sqrt(sum / m->world.njoints);
}

double mechanism_energy(const mechanism *m, const peer_body *body) {
    double sum = 0.0;
    for (int i = 0; i < m->world.nbodies; i++) {
        const peer_body *from = &m->world.body[i], *at = &body[i];
        sum += 0.5 * from->mass * (at->vx * at->vx + at->vy * at->vy) + 0.5 * from->inertia * at->spin * at->spin +
               from->mass * m->world.g * at->y;
    }
    return sum;
}

void mechanism_tip(const mechanism *m, const peer_body *body, double tip[2]) {
    const peer_body *at = &body[m->tip];
    tip[0] = at->x + 0.5 * m->length * cos(at->angle);
    tip[1] = at->y + 0.5 * m->length * sin(at->angle);
}
