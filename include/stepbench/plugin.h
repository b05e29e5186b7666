/* Registration: one line in a list.def for a built-in, the same source file compiled with -DSB_PLUGIN for a plug-in. */
#ifndef STEPBENCH_PLUGIN_H
#define STEPBENCH_PLUGIN_H

#include <stepbench/formulation.h>
#include <stepbench/method.h>
#include <stepbench/numerics/csc.h>

/* Raised whenever a struct or a constant of include/stepbench changes; tests/core/test_abi.c compares them with the
 * recorded layout. */
#define SB_ABI 27

typedef enum sb_kind {
    SB_KIND_STEPPER,
    SB_KIND_PROBLEM,
    SB_KIND_FORMULATION,
    SB_KIND_SOLVER,
    SB_KIND_LCP_SOLVER,
    SB_KIND_ANALYSIS,
    SB_KIND_EXPERIMENT,
    SB_KIND_COMPOUND,
    SB_KIND_COUNT
} sb_kind;

typedef struct sb_plugin {
    int abi; /* SB_PLUGIN_ABI */
    sb_kind kind;
    const sb_entry *entry;
} sb_plugin;

/* A plug-in exports its entries as sb_plugin_entry_K, with K between 0 and SB_PLUGIN_NUMBERS - 1. */
enum { SB_PLUGIN_NUMBERS = 64 };

/* Open the definition of an entry: `SB_DEFINE_STEPPER(verlet) = {.entry = {"verlet", ...}, ...};`. A built-in entry is
 * the object that list.def names; with SB_PLUGIN the object is also exported as an entry of the plug-in, which may have
 * several. */
#ifdef SB_PLUGIN
#define SB_DEFINE_(type, kind, object) SB_DEFINE_AS_(__COUNTER__, type, kind, object)
#define SB_DEFINE_AS_(number, type, kind, object) SB_DEFINE_NUMBERED_(number, type, kind, object)
#define SB_DEFINE_NUMBERED_(number, type, kind, object)                                                                \
    extern const type object;                                                                                          \
    extern const sb_plugin sb_plugin_entry_##number;                                                                   \
    const sb_plugin sb_plugin_entry_##number = {SB_PLUGIN_ABI, kind, &object.entry};                                   \
    const type object
#else
#define SB_DEFINE_(type, kind, object)                                                                                 \
    extern const type object;                                                                                          \
    const type object
#endif

#define SB_DEFINE_STEPPER(name) SB_DEFINE_(sb_stepper, SB_KIND_STEPPER, sb_stepper_##name)
#define SB_DEFINE_PROBLEM(name) SB_DEFINE_(sb_problem, SB_KIND_PROBLEM, sb_problem_##name)
#define SB_DEFINE_FORMULATION(name) SB_DEFINE_(sb_formulation, SB_KIND_FORMULATION, sb_formulation_##name)
#define SB_DEFINE_COMPOUND(name) SB_DEFINE_(sb_compound, SB_KIND_COMPOUND, sb_compound_##name)
#define SB_DEFINE_SOLVER(name) SB_DEFINE_(sb_solver, SB_KIND_SOLVER, sb_solver_##name)
#define SB_DEFINE_LCP_SOLVER(name) SB_DEFINE_(sb_lcp_solver, SB_KIND_LCP_SOLVER, sb_lcp_solver_##name)
#define SB_DEFINE_ANALYSIS(name) SB_DEFINE_(sb_analysis, SB_KIND_ANALYSIS, sb_analysis_##name)

#endif
