/* Commands that compute in quadruple precision: run by the program stepbench_quad beside this one. */
#ifndef STEPBENCH_BENCH_CLI_QUAD_H
#define STEPBENCH_BENCH_CLI_QUAD_H

#include "bench/cli/cli.h"

/* Runs stepbench_quad with the command and the words after it; its rows go to standard output. Returns its status, with
 * its message. Fails with SB_IO where there is no such program. */
int cli_quad(cli *me, const char *command, int argc, char *const *argv);

#endif
