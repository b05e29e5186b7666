/* The order conditions of the coefficients of splittings.def, compounds.def, rkn.def and rkn_pairs.def, with all digits
 * of binary128. They hold up to the order of the method, and one of the next order does not. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <stepbench/scalar.h>

enum { DRIFT, KICK, ORDER_MAX = 13, ITEMS = 3000, STAGES = 18, KIDS = 6, WORD_ORDER_MAX = 9 };

typedef struct splitting {
    const char *name;
    int order, first;
    bool symmetric;
    int stages;
    sb_scalar outer[STAGES], inner[STAGES];
} splitting;

typedef struct composition {
    const char *name;
    int order, outer;
    sb_scalar c[STAGES];
} composition;

static const splitting splittings[] = {
#define SB_SPLITTING(name, order, first, symmetric, stages, ref, outer, inner)                                         \
    {#name, order, first, symmetric, stages, outer, inner},
#include "integrators/splittings.def"
#undef SB_SPLITTING
};

static const composition compositions[] = {
#define SB_COMPOUND(name)
#define SB_COMPOSITION(name, order, ref, brief, ...)                                                                   \
    {#name, order, sizeof((sb_scalar[]){__VA_ARGS__}) / sizeof(sb_scalar), {__VA_ARGS__}},
#include "integrators/compounds.def"
};

typedef struct pair {
    const char *name;
    int order, other, s;
    bool first_is_last;
    sb_scalar c[STAGES], b_bar[STAGES], b[STAGES], d_bar[STAGES], d[STAGES], a_bar[STAGES * STAGES / 2];
} pair;

static const pair pairs[] = {
#define SB_RKN_PAIR(name, order, other, stages, first_is_last, c, b_bar, b, d_bar, d, a_bar)                           \
    {#name, order, other, stages, first_is_last, c, b_bar, b, d_bar, d, a_bar},
#include "integrators/rkn_pairs.def"
};

typedef struct table {
    const char *name;
    int order;
    bool symplectic;
    int s;
    sb_scalar c[STAGES], b[STAGES], b_bar[STAGES], a_bar[STAGES * STAGES / 2];
} table;

static const table tables[] = {
#define SB_RKN(name, order, symplectic, stages, c, b, b_bar, a_bar)                                                    \
    {#name, order, symplectic, stages, c, b, b_bar, a_bar},
#include "integrators/rkn.def"
};

static int failures;

/* The conditions of order k hold to round-off if k <= p; one of order p + 1 fails by 1e-9 or more. Coefficients of size
 * 3 at most in splittings and compositions, of size 100 in pairs, are multiplied along trees and added over 17 stages:
 * 1e-28 is 5e5 roundings, the coefficients of a pair have 37 digits. */
static void judge(const char *name, int p, int order, sb_scalar worst) {
    if (order <= p ? !(worst <= SB_R(1e-28)) : !(worst >= SB_R(1e-9))) {
        printf("%s, of order %d: a condition of order %d is off by %.3g\n", name, p, order, (double)worst);
        failures++;
    }
}

/* ---- Nystrom methods: hnw93 II.14. A tree is a power of c and trees below, each joined by a-_ij. ---- */

typedef struct tree {
    int order, power, kids, kid[KIDS];
} tree;

static tree trees[ITEMS];
static int ntrees;

/* Adds the trees of `order` that continue t with kids of an index up to `last`. */
static void grow(tree t, int order, int rest, int last) {
    t.power = rest;
    t.order = order;
    trees[ntrees++] = t;
    for (int k = 0; k <= last; k++) {
        if (trees[k].order + 1 <= rest && t.kids < KIDS) {
            tree next = t;
            next.kid[next.kids++] = k;
            grow(next, order, rest - trees[k].order - 1, k);
        }
    }
}

static void make_trees(void) {
    for (int order = 1; order <= ORDER_MAX; order++) {
        const tree empty = {.order = order};
        grow(empty, order, order - 1, ntrees - 1);
    }
}

typedef struct nystrom {
    int s;
    sb_scalar c[STAGES], b_bar[STAGES], b[STAGES], a_bar[STAGES][STAGES];
} nystrom;

/* Checks sum b_i Phi_i = 1/gamma for the velocity and, with b-_i, for the position, whose trees have one vertex less.
 * The exact solution has Phi(c) = e c^(order - 1), and a kid contributes e c^(order + 1)/(order (order + 1)). */
static void check_trees(const char *name, int p, const nystrom *m) {
    static sb_scalar phi[ITEMS][STAGES], e[ITEMS];
    sb_scalar worst[ORDER_MAX + 2] = {0.0};
    for (int t = 0; t < ntrees && trees[t].order <= p + 1; t++) {
        const int order = trees[t].order;
        sb_scalar sum = 0.0, sum_bar = 0.0;
        e[t] = 1.0;
        for (int k = 0; k < trees[t].kids; k++) {
            const tree *kid = &trees[trees[t].kid[k]];
            e[t] *= e[trees[t].kid[k]] / (kid->order * (kid->order + 1));
        }
        for (int i = 0; i < m->s; i++) {
            phi[t][i] = 1.0;
            for (int k = 0; k < trees[t].power; k++) {
                phi[t][i] *= m->c[i];
            }
            for (int k = 0; k < trees[t].kids; k++) {
                sb_scalar inner = 0.0;
                for (int j = 0; j < i; j++) {
                    inner += m->a_bar[i][j] * phi[trees[t].kid[k]][j];
                }
                phi[t][i] *= inner;
            }
            sum += m->b[i] * phi[t][i];
            sum_bar += m->b_bar[i] * phi[t][i];
        }
        const sb_scalar off = fabs(sum - e[t] / order), off_bar = fabs(sum_bar - e[t] / (order * (order + 1)));
        worst[order] = off <= worst[order] ? worst[order] : off;
        worst[order + 1] = off_bar <= worst[order + 1] ? worst[order + 1] : off_bar;
    }
    for (int order = 1; order <= p + 1; order++) {
        judge(name, p, order, worst[order]);
    }
}

/* The whole list from its first half: symmetric, 1 in sum. */
static void unfold(int count, const sb_scalar *given, sb_scalar *c) {
    sb_scalar sum = 0.0;
    for (int i = 0; i < (count - 1) / 2; i++) {
        c[i] = c[count - 1 - i] = given[i];
        sum += given[i];
    }
    c[(count - 1) / 2] = count % 2 == 1 ? 1.0 - 2.0 * sum : 0.5 - sum;
    c[count / 2] = c[(count - 1) / 2];
}

/* Sets what follows from c and b of a symplectic method: a-_ij = b_j (c_i - c_j), b-_i = b_i (1 - c_i). */
static void set_symplectic(nystrom *m) {
    for (int i = 0; i < m->s; i++) {
        m->b_bar[i] = m->b[i] * (1.0 - m->c[i]);
        for (int j = 0; j < i; j++) {
            m->a_bar[i][j] = m->b[j] * (m->c[i] - m->c[j]);
        }
    }
}

/* Drifts and kicks are the symplectic Nystrom method whose nodes are the sums of the drifts. */
static void check_splitting(const splitting *s) {
    sb_scalar outer[STAGES + 1] = {0.0}, inner[STAGES] = {0.0}, at = 0.0;
    nystrom m = {.s = s->first == DRIFT ? s->stages : s->stages + 1};
    if (s->symmetric) {
        unfold(s->stages + 1, s->outer, outer);
        unfold(s->stages, s->inner, inner);
    } else {
        memcpy(outer, s->outer, sizeof s->outer);
        memcpy(inner, s->inner, sizeof s->inner);
    }
    for (int i = 0; i < m.s; i++) {
        at += s->first == DRIFT ? outer[i] : i > 0 ? inner[i - 1] : 0.0;
        m.c[i] = at;
        m.b[i] = s->first == DRIFT ? inner[i] : outer[i];
    }
    set_symplectic(&m);
    check_trees(s->name, s->order, &m);
}

static void check_table(const table *t) {
    const sb_scalar *a_bar = t->a_bar;
    nystrom m = {.s = t->s};
    for (int i = 0; i < t->s; i++) {
        m.c[i] = t->c[i];
        m.b[i] = t->b[i];
        m.b_bar[i] = t->b_bar[i];
        for (int j = 0; j < i && !t->symplectic; j++) {
            m.a_bar[i][j] = *a_bar++;
        }
    }
    if (t->symplectic) {
        set_symplectic(&m);
    }
    check_trees(t->name, t->order, &m);
}

static void check_pair(const pair *p) {
    const sb_scalar *a_bar = p->a_bar;
    nystrom m = {.s = p->s};
    char name[40];
    for (int i = 0; i < p->s; i++) {
        m.c[i] = p->c[i];
        m.b[i] = p->b[i];
        m.b_bar[i] = p->b_bar[i];
        for (int j = 0; j < i; j++) {
            m.a_bar[i][j] = *a_bar++;
        }
        if (p->first_is_last && i == p->s - 1 && memcmp(m.a_bar[i], m.b_bar, sizeof m.b_bar) != 0) {
            printf("%s: the last stage is not the end of the step\n", p->name);
            failures++;
        }
    }
    check_trees(p->name, p->order, &m);
    for (int i = 0; i < p->s; i++) {
        m.b[i] -= p->d[i];
        m.b_bar[i] -= p->d_bar[i];
    }
    snprintf(name, sizeof name, "the other of %s", p->name);
    check_trees(name, p->other, &m);
}

/* ---- Compositions of symmetric maps exp(h Y1 + h^3 Y3 + h^5 Y5 + ...), whose terms do not commute: hlw06 III.4, V.3.
 * The coefficient of each word in Y1, Y3, ... of the product is that of exp(h Y1). ---- */

typedef struct letters {
    int length, order, letter[WORD_ORDER_MAX]; /* 1, 3, 5, ...; the order is their sum */
} letters;

static letters words[ITEMS];
static int nwords;

static void make_words(letters w) {
    words[nwords++] = w;
    for (int letter = 1; w.order + letter <= WORD_ORDER_MAX; letter += 2) {
        letters next = w;
        next.letter[next.length++] = letter;
        next.order += letter;
        make_words(next);
    }
}

static int find_word(int length, const int *letter) {
    for (int k = 0; k < nwords; k++) {
        if (words[k].length == length && memcmp(words[k].letter, letter, (size_t)length * sizeof *letter) == 0) {
            return k;
        }
    }
    return -1;
}

static void check_composition(const composition *s) {
    sb_scalar c[2 * STAGES], now[ITEMS] = {1.0}, next[ITEMS], worst[ORDER_MAX + 1] = {0.0},
                             factorial[ORDER_MAX + 1] = {1.0};
    for (int k = 1; k <= ORDER_MAX; k++) {
        factorial[k] = k * factorial[k - 1];
    }
    unfold(2 * s->outer + 1, s->c, c);
    for (int i = 0; i <= 2 * s->outer; i++) {
        for (int k = 0; k < nwords; k++) {
            next[k] = 0.0;
            for (int cut = 0; cut <= words[k].length; cut++) {
                sb_scalar tail = 1.0 / factorial[words[k].length - cut];
                for (int j = cut; j < words[k].length; j++) {
                    for (int power = 0; power < words[k].letter[j]; power++) {
                        tail *= c[i];
                    }
                }
                next[k] += now[find_word(cut, words[k].letter)] * tail;
            }
        }
        memcpy(now, next, sizeof now);
    }
    for (int k = 0; k < nwords; k++) {
        const sb_scalar exact = words[k].length == words[k].order ? 1.0 / factorial[words[k].length] : 0.0;
        const sb_scalar off = fabs(now[k] - exact);
        worst[words[k].order] = off <= worst[words[k].order] ? worst[words[k].order] : off;
    }
    for (int order = 1; order <= s->order; order++) {
        judge(s->name, s->order, order, worst[order]);
    }
    judge(s->name, s->order, s->order + 1, worst[s->order + 1]);
}

int main(void) {
    const letters empty = {0};
    make_trees();
    make_words(empty);
    for (size_t i = 0; i < sizeof splittings / sizeof *splittings; i++) {
        check_splitting(&splittings[i]);
    }
    for (size_t i = 0; i < sizeof compositions / sizeof *compositions; i++) {
        check_composition(&compositions[i]);
    }
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        check_table(&tables[i]);
    }
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        check_pair(&pairs[i]);
    }
    printf("%d failures, %d trees, %d words\n", failures, ntrees, nwords);
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
