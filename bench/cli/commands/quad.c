/* `reference` and `roundoff`: stepbench shows them and has stepbench_quad run them. */
#include "bench/cli/cli.h"
#include "core/run/quad_options.h"

#ifdef SB_QUAD
#define RUN(name) precision_##name##_run
#else
#define RUN(name) NULL
#endif

#define QUAD_COMMAND(name, params, brief, words, flags, sample)                                                        \
    static const sb_param name##_params[] = {params, {0}};                                                             \
    const cli_command cli_##name = {                                                                                   \
        .entry = &(const sb_entry){#name, brief, NULL, name##_params, sizeof(sb_##name##_options)},                    \
        .usage = "stepbench " #name " " words,                                                                         \
        .takes = CLI_PROBLEMS | CLI_FORMULATIONS | CLI_OUTPUT | CLI_PRECISION | (flags),                               \
        .run = RUN(name),                                                                                              \
        .example = "stepbench " #name " " sample}

QUAD_COMMAND(reference, SB_REFERENCE_PARAMS,
             "Computes a solution in quadruple precision by two methods of high order, with bounds of its error, for "
             "--reference=FILE.json of order, workprec and compare",
             "PROBLEM [-w FORMULATION]... --t-end T [--samples N] -o FILE.json", CLI_WORDS,
             "kepler --t-end 1 -o kepler.json");

QUAD_COMMAND(
    roundoff, SB_ROUNDOFF_PARAMS,
    "Compares runs in double or single precision with those in quadruple precision: how round-off grows with the "
    "number of steps, and when a trajectory is lost",
    "-p PROBLEM [-w FORMULATION]... -s STEPPER --h H [--steps N] [--of PRECISION] [--columns LIST] [--pivot COLUMN] "
    "[--digits N] [--format F] [-o FILE]",
    CLI_STEPPERS | CLI_ROWS, "-p kepler -s rk4 --h 1/50 --steps 1000");
