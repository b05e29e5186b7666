/* wm96 4.4: the Jacobian (4.14) of trees of bodies: operations of an elimination from the leaves to the root against
 * the number of bodies. */
#include "analysis/random.h"
#include "bench/runner/experiment_tools.h"
#include "core/linear/ordering.h"

static const int sizes[] = {100, 300, 1000, 3000, 10000};
enum { SIZES = SB_COUNT(sizes) };

/* Particles in the plane. A rigid link joins each to an earlier one: a random one, the previous one (chain), or the
 * first (hub). The grid has loops: links to the left and to the lower neighbour. */
enum { RANDOM, CHAIN, HUB, GRID, SHAPES };
static const char *const names[SHAPES] = {"random tree", "chain", "hub", "grid with loops"};

/* Sets the bodies that body i > 0 is linked to: one, or up to two in the grid. Returns their number. */
static int parents(int shape, gsl_rng *rng, int bodies, int i, int link[2]) {
    const int side = (int)lround(sqrt((double)bodies));
    int count = 0;
    if (shape != GRID) {
        link[count++] = shape == CHAIN ? i - 1 : shape == HUB ? 0 : (int)gsl_rng_uniform_int(rng, (unsigned long)i);
        return count;
    }
    if (i % side > 0) {
        link[count++] = i - 1;
    }
    if (i >= side) {
        link[count++] = i - side;
    }
    return count;
}

/* Counts the operations of an elimination of [M G'; G 0] from the last body to the first; for each body first its two
 * coordinates, then its links. */
static int operations(sb_arena *arena, int shape, int bodies, double *products) {
    enum { PER_BODY = 20 };
    const int n = 2 * bodies;
    int *row, *col, *order, *first, *counts, entries = 0, links = 0, place = 0;
    gsl_rng *rng;
    SB_TRY(sb_random(arena, 0, &rng));
    SB_NEW(arena, row, PER_BODY * bodies);
    SB_NEW(arena, col, PER_BODY * bodies);
    SB_NEW(arena, first, bodies + 1);
    for (int i = 0; i < n; i++, entries++) {
        row[entries] = col[entries] = i;
    }
    for (int i = 0; i < bodies; i++) {
        int link[2] = {0, 0};
        const int count = i == 0 ? 1 : parents(shape, rng, bodies, i, link); /* the first hangs from the origin */
        first[i] = links;
        for (int k = 0; k < count; k++, links++) {
            row[entries] = col[entries] = n + links;
            entries++;
            for (int c = 0; c < 4; c++) {
                const int coordinate = 2 * (c < 2 ? i : link[k]) + c % 2;
                row[entries] = col[entries + 1] = n + links;
                col[entries] = row[entries + 1] = coordinate;
                entries += 2;
            }
        }
    }
    first[bodies] = links;
    sb_pattern A;
    SB_TRY(sb_pattern_from_pairs(arena, n + links, n + links, entries, row, col, &A));
    SB_NEW(arena, order, n + links);
    SB_NEW(arena, counts, n + links);
    for (int i = bodies - 1; i >= 0; i--) {
        order[place++] = 2 * i;
        order[place++] = 2 * i + 1;
        for (int k = first[i]; k < first[i + 1]; k++) {
            order[place++] = n + k;
        }
    }
    return sb_elimination_counts(arena->ctx, &A, order, INFINITY, counts, NULL, NULL, products);
}

SB_DEFINE_EXPERIMENT(wm96_trees) {
    sb_table table;
    SB_TRY(sb_bench_table(bench, "wm96_trees", &table));
    for (int shape = 0; shape < SHAPES; shape++) {
        double bodies[SIZES], products[SIZES];
        for (int k = 0; k < SIZES; k++) {
            SB_SCRATCH(arena, bench->ctx);
            bodies[k] = sizes[k];
            SB_TRY(operations(&arena, shape, sizes[k], &products[k]));
            SB_TRY(SB_TABLE_ROW(&table, sb_text(names[shape]), sb_int(sizes[k]), sb_real(products[k] / bodies[k])));
        }
        const sb_slope slope = sb_bench_slope(SIZES, bodies, products);
        SB_TRY(sb_bench_measure(bench, sb_bench_format(bench, "wm96-trees/%s", names[shape]), slope.value, slope.se));
    }
    return sb_bench_save(bench, &table, "wm96_trees.csv");
}
