/* The chain of Fermi, Pasta, Ulam and Tsingou with alternating soft and stiff springs, hlw06 I.5: m stiff harmonic
 * springs between soft quartic ones. With x_{0,i} the scaled displacement of stiff spring i and x_{1,i} its scaled
 * elongation, hlw06 (5.3):
 *
 *   V = omega^2/2 sum x_{1,i}^2 + 1/4 ((x_{0,1} - x_{1,1})^4
 *       + sum_{i<m} (x_{0,i+1} - x_{1,i+1} - x_{0,i} - x_{1,i})^4 + (x_{0,m} + x_{1,m})^4).
 *
 * The energies I_j = (v_{1,j}^2 + omega^2 x_{1,j}^2)/2 of the stiff springs are exchanged; their sum I is an adiabatic
 * invariant, constant up to O(1/omega) over times exponentially long in omega. */
#include <stdio.h>

#include "problems/shared/constant_terms.h"
#include "problems/shared/pairs.h"
#include "problems/shared/start.h"

typedef struct config {
    long m;
    sb_scalar omega;
} config;

enum { NAME_SIZE = 24 };

/* q = (x_{0,1}, x_{1,1}, x_{0,2}, x_{1,2}, ...). */
typedef struct chain {
    int m;
    sb_scalar omega;
    sb_pattern H;
    sb_output *outputs;
} chain;

/* Soft spring i joins the stiff springs i - 1 and i, counted from 0, or one of them and a wall. Its elongation is
 * sum_k sign_k q[at + k] over `count` coordinates. */
typedef struct spring {
    int at, count;
    const sb_scalar *sign;
} spring;

static spring soft_spring(const chain *p, int i) {
    static const sb_scalar sign[4] = {-1.0, -1.0, 1.0, -1.0};
    const int from = i == 0 ? 2 : 0, to = i == p->m ? 2 : 4;
    return (spring){2 * (i - 1) + from, to - from, sign + from};
}

static sb_scalar length(const spring *s, const sb_scalar *q) {
    sb_scalar sum = 0.0;
    for (int k = 0; k < s->count; k++) {
        sum += s->sign[k] * q[s->at + k];
    }
    return sum;
}

static int potential(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *V) {
    const chain *p = self;
    *V = 0.0;
    for (int i = 0; i <= p->m; i++) {
        const spring s = soft_spring(p, i);
        const sb_scalar d = length(&s, q);
        *V += 0.25 * d * d * d * d;
    }
    for (int j = 0; j < p->m; j++) {
        *V += 0.5 * p->omega * p->omega * q[2 * j + 1] * q[2 * j + 1];
    }
    return SB_OK;
}

static int potential_gradient(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *Vq) {
    const chain *p = self;
    for (int j = 0; j < p->m; j++) {
        Vq[2 * j] = 0.0;
        Vq[2 * j + 1] = p->omega * p->omega * q[2 * j + 1];
    }
    for (int i = 0; i <= p->m; i++) {
        const spring s = soft_spring(p, i);
        const sb_scalar d = length(&s, q);
        for (int k = 0; k < s.count; k++) {
            Vq[s.at + k] += d * d * d * s.sign[k];
        }
    }
    return SB_OK;
}

/* The stiff springs. */
static int springs(const void *self, sb_scalar c, sb_scalar *Hx) {
    const chain *p = self;
    for (int j = 1; j < 2 * p->m; j += 2) {
        Hx[sb_pattern_find(&p->H, j, j)] += c * p->omega * p->omega;
    }
    return SB_OK;
}

static int potential_hessian(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar c, sb_scalar *Hx) {
    const chain *p = self;
    for (int i = 0; i <= p->m; i++) {
        const spring s = soft_spring(p, i);
        const sb_scalar d = length(&s, q);
        for (int b = 0; b < s.count; b++) {
            sb_scalar *column = Hx + sb_pattern_find(&p->H, s.at, s.at + b);
            for (int a = 0; a < s.count; a++) {
                column[a] += c * 3.0 * d * d * s.sign[a] * s.sign[b];
            }
        }
    }
    return springs(self, c, Hx);
}

static int outputs(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *out) {
    const chain *p = self;
    sb_scalar *sum = out + p->m;
    *sum = 0.0;
    for (int j = 0; j < p->m; j++) {
        const sb_scalar x = p->omega * q[2 * j + 1], rate = v[2 * j + 1];
        out[j] = 0.5 * (rate * rate + x * x);
        *sum += out[j];
    }
    return SB_OK;
}

static int set_outputs(sb_arena *arena, chain *p) {
    char *name;
    SB_NEW(arena, p->outputs, p->m + 1);
    SB_NEW(arena, name, NAME_SIZE * p->m);
    for (int j = 0; j < p->m; j++, name += NAME_SIZE) {
        snprintf(name, NAME_SIZE, "I%d", j + 1);
        p->outputs[j] = (sb_output){name, "", "energy of this stiff spring", false};
    }
    p->outputs[p->m] = (sb_output){"I", "", "energy of all stiff springs, an adiabatic invariant", false};
    return SB_OK;
}

static int set_pattern(sb_arena *arena, chain *p) {
    pairs entries;
    SB_TRY(pairs_new(arena, 16 * (p->m + 1), &entries));
    for (int i = 0; i <= p->m; i++) {
        const spring s = soft_spring(p, i);
        pairs_add_block(&entries, s.at, s.at, s.count, s.count);
    }
    return pairs_pattern(arena, &entries, 2 * p->m, 2 * p->m, &p->H);
}

static int init(sb_context *ctx, sb_arena *arena, const void *parameters, sb_system *out) {
    const config *c = parameters;
    chain *p;
    sb_scalar *ones, *q, *v;
    SB_NEW(arena, p, 1);
    p->m = (int)c->m;
    p->omega = c->omega;
    SB_TRY(SB_VECTORS(arena, 2 * p->m, &ones, &q, &v));
    for (int i = 0; i < 2 * p->m; i++) {
        ones[i] = 1.0;
    }
    SB_TRY(set_pattern(arena, p));
    SB_TRY(set_outputs(arena, p));
    out->n = 2 * p->m;
    /* The angular frequency of the stiff springs; that of the soft ones is sqrt(3) d at an elongation d of order 1. */
    out->time_scale = 1.0 / fmax(p->omega, 1.0);
    out->H = p->H;
    SB_TRY(set_masses(arena, out->n, ones, &out->inertia));
    out->potential = (sb_potential){.self = p,
                                    .degree = -1,
                                    .value = potential,
                                    .gradient = potential_gradient,
                                    .hessian = potential_hessian,
                                    .springs = springs};
    out->outputs = (sb_outputs){p, p->m + 1, p->outputs, outputs};
    q[0] = v[0] = v[1] = 1.0; /* hlw06 I.5 */
    q[1] = 1.0 / p->omega;
    return set_start(arena, q, v, out);
}

static const sb_param params[] = {
    SB_PARAM_INT(config, m, "3", 1.0, 1e6, "stiff springs"),
    SB_PARAM_POSITIVE(config, omega, "50", "", "angular frequency of a stiff spring"),
    {.name = NULL},
};

SB_DEFINE_PROBLEM(fput) = {
    .entry = {"fput", "chain of Fermi, Pasta, Ulam and Tsingou with alternating soft and stiff springs", "hlw06 (5.3)",
              params, sizeof(config)},
    .init = init,
};
