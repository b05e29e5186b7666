/* Rows of quantities.csv in memory, for experiments of tests. */
#ifndef STEPBENCH_TESTS_BENCH_BOUNDS_H
#define STEPBENCH_TESTS_BENCH_BOUNDS_H

#include "bench/runner/claims.h"
#include "core/output/table.h"

/* Makes a table without rows. */
static int make_bounds(sb_arena *arena, sb_table *out) {
    enum { COLUMNS = 11 };
    static const sb_column columns[COLUMNS] = {
        {"id", SB_COL_KEY, "", ""},        {"experiment", SB_COL_KEY, "", ""}, {"form", SB_COL_KEY, "", ""},
        {"quantity", SB_COL_INFO, "", ""}, {"unit", SB_COL_INFO, "", ""},      {"comparison", SB_COL_INFO, "", ""},
        {"expected", SB_COL_INFO, "", ""}, {"tolerance", SB_COL_INFO, "", ""}, {"because", SB_COL_INFO, "", ""},
        {"rounding", SB_COL_INFO, "", ""}, {"published", SB_COL_INFO, "", ""}};
    return sb_table_begin(out, arena, COLUMNS, columns);
}

/* Adds a quantity that is expected to be 1. Its words are the name in its id. */
static int add_bound(sb_table *bounds, const char *id, const char *experiment, const char *form) {
    return bounds->sink.row(&bounds->sink,
                            (const sb_cell[]){sb_text(id), sb_text(experiment), sb_text(form),
                                              sb_text(strchr(id, '/') + 1), sb_text(""), sb_text("within"),
                                              sb_text("1"), sb_text("0"), sb_text(""), sb_text(""), sb_text("")});
}

#endif
