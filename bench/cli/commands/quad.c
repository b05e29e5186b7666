/* `stepbench reference` and `stepbench roundoff`: shown here, run by stepbench_quad. */
#include "bench/cli/cli.h"
#include "core/run/quad_options.h"

static const sb_param reference_params[] = {SB_REFERENCE_PARAMS, {0}};
static const sb_param roundoff_params[] = {SB_ROUNDOFF_PARAMS, {0}};

const cli_command cli_reference = {
    .entry = {"reference",
              "Computes a solution in quadruple precision by two methods of high order, with bounds of its error, for "
              "--reference=FILE.json of order and workprec",
              NULL, reference_params, sizeof(sb_reference_options)},
    .usage = "stepbench reference PROBLEM [-w FORMULATION]... --t-end T [--samples N] -o FILE.json",
    .takes = CLI_PROBLEMS | CLI_FORMULATIONS | CLI_WORDS | CLI_QUAD,
    .example = "stepbench reference kepler --t-end 1 -o kepler.json"};

const cli_command cli_roundoff = {
    .entry = {"roundoff",
              "Compares runs in double and in quadruple precision: how round-off grows with the number of steps, and "
              "when a trajectory in double precision is lost",
              NULL, roundoff_params, sizeof(sb_roundoff_options)},
    .usage = "stepbench roundoff -p PROBLEM [-w FORMULATION]... -s STEPPER --h H [--steps N] [-o FILE]",
    .takes = CLI_PROBLEMS | CLI_FORMULATIONS | CLI_STEPPERS | CLI_QUAD,
    .example = "stepbench roundoff -p kepler -s rk4 --h 1/50 --steps 1000"};
