/* One stepper on one problem under all the analyses that judge it, each in a process of its own; and the numbers that sum them up. */
#ifndef STEPBENCH_BENCH_CARD_EVALUATE_H
#define STEPBENCH_BENCH_CARD_EVALUATE_H

#include "bench/process/isolate.h"

/* The analyses of a judgement. X(constant, name, options). A slope asks for six levels: the coarsest of a stiff problem may fail. The finest of seven costs
 * as much as the others together, and three digits of the limit of stability are all that is shown. */
#define SB_JUDGED_LIST(X)                  \
    X(SB_JUDGED_CONTRACT, "contract", "")   \
    X(SB_JUDGED_WORKPREC, "workprec", "levels=7") \
    X(SB_JUDGED_ORDER, "order", "levels=6") \
    X(SB_JUDGED_DRIFT, "drift", "")        \
    X(SB_JUDGED_MOMENTUM, "momentum", "")  \
    X(SB_JUDGED_SYMPLECTICITY, "symplecticity", "") \
    X(SB_JUDGED_REVERSIBILITY, "reversibility", "") \
    X(SB_JUDGED_CONSTRAINTS, "constraints", "") \
    X(SB_JUDGED_BLOWUP, "blowup", "tol=1e-4")

typedef enum sb_judged {
#define SB_JUDGED_ENUM(constant, name, options) constant,
    SB_JUDGED_LIST(SB_JUDGED_ENUM)
#undef SB_JUDGED_ENUM
    SB_JUDGED_COUNT
} sb_judged;

typedef struct sb_judgement {
    const char *problem, *stepper, *family; /* family: what the system demands, "unconstrained" where that is nothing */
    double time_scale;                      /* s, of the problem */
    int order;                              /* claimed on this problem */
    const char *refusal;                    /* why the stepper does not take it; NULL: it does, and the rest is filled in */
    sb_table tables[SB_JUDGED_COUNT];
    sb_fate fates[SB_JUDGED_COUNT];
    const char *epitaphs[SB_JUDGED_COUNT];  /* "" for an analysis that ran to its end */
    const char *fault;                      /* the first crash or timeout; NULL: none */
    const char *lost;                       /* the first lack of memory or disk, for which a command that used it fails; NULL: none */
} sb_judgement;

/* Each analysis may take `seconds` of processor time. After a crash or a timeout the analyses left are not run: their fate is that of the one that died. */
int sb_judge(sb_context *ctx, sb_arena *arena, const sb_system *sys, const char *stepper, long seconds, sb_judgement *out);

/* The analysis's name. */
const char *sb_judged_name(int which);

/* "holonomic + curved": the words of a system's features; "unconstrained" for none. */
const char *sb_family_of(sb_arena *arena, unsigned flags);

typedef struct sb_measure {
    const char *name;
    double value, uncertainty; /* a standard error, or what noise or round-off may have made of it; NaN: none is known */
    const char *unit;
    const char *note;          /* "" or what there is to say instead of, or beside, the value */
} sb_measure;

enum { SB_MEASURES = 24 };

/* The numbers that sum up a judgement: `out` has room for SB_MEASURES; *count is the same for every judgement, so that they stand side by side. A number that
 * does not apply, or was not reached, is NaN. */
void sb_measures_of(const sb_judgement *judgement, sb_measure out[SB_MEASURES], int *count);

#endif
