/* The order conditions of the tables of explicit Nystrom methods, and their orders on an orbit, two-sided. */
#include "tests/steppers/orders.h"

enum { RKN_MAX = 5 };

typedef struct table {
    const char *name;
    int order, symplectic, s;
    double c[RKN_MAX], b[RKN_MAX], b_bar[RKN_MAX], a_bar[RKN_MAX * RKN_MAX];
} table;

static const table tables[] = {
#define SB_RKN(name, order, symplectic, stages, c, b, b_bar, a_bar)                                                    \
    {#name, order, symplectic, stages, c, b, b_bar, a_bar},
#include "integrators/rkn.def"
#undef SB_RKN
};

/* The conditions of order four for q'' = a(q) (hnw93 II.14). All terms are of size one at most: the sums of up to ten
 * products are rounded by less than 16 eps. */
static void check_conditions(const table *t) {
    double A[RKN_MAX][RKN_MAX] = {{0.0}}, sum[11] = {0.0};
    static const double known[11] = {1.0,        1.0 / 2,  1.0 / 3, 1.0 / 4,  1.0 / 6, 1.0 / 8,
                                     1.0 / 24.0, 1.0 / 2., 1.0 / 6, 1.0 / 12, 1.0 / 24};
    const double *a_bar = t->a_bar;
    for (int i = 0; i < t->s; i++) {
        const double b = t->b[i], c = t->c[i], b_bar = t->symplectic ? b * (1.0 - c) : t->b_bar[i];
        double row = 0.0, row_c = 0.0;
        for (int j = 0; j < i; j++) {
            A[i][j] = t->symplectic ? t->b[j] * (c - t->c[j]) : *a_bar++;
            row += A[i][j];
            row_c += A[i][j] * t->c[j];
        }
        const double terms[11] = {b,         b * c, b * c * c, b * c * c * c, b * row,    b * c * row,
                                  b * row_c, b_bar, b_bar * c, b_bar * c * c, b_bar * row};
        for (int k = 0; k < 11; k++) {
            sum[k] += terms[k];
        }
    }
    for (int k = 0; k < 11; k++) {
        gsl_test(!(fabs(sum[k] - known[k]) <= 16.0 * DBL_EPSILON), "%s: condition %d is off by %.2g", t->name, k,
                 sum[k] - known[k]);
    }
}

int main(void) {
    sb_context ctx;
    sb_registry registry;
    sb_context_init(&ctx);
    gsl_test(sb_registry_init(&registry, &ctx) != SB_OK || sb_register_builtins(&registry) != SB_OK,
             "the built-ins register");
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        char stepper[60];
        check_conditions(&tables[i]);
        snprintf(stepper, sizeof stepper, "rkn:table=%s", tables[i].name);
        check_order(&ctx, "kepler:e=0.35", NULL, stepper, BOTH(tables[i].order), 0.1);
    }
    sb_registry_free(&registry);
    return gsl_test_summary();
}
