/* Makes results independent of the processor: selects OpenBLAS' kernel before anything is computed. */
#pragma once

/* Restarts the program with OPENBLAS_CORETYPE set to the reference kernel (core/provenance.h). OpenBLAS reads the
 * variable when it is loaded, so a running process cannot change the kernel. Call it first in main, with main's
 * argument vector; it does not return if the program is restarted. Returns if the variable is set already, if the
 * kernel in use is the reference one, if the processor or this build of OpenBLAS cannot run it, or if the restart
 * fails: provenance names the kernel in use. */
void cli_pin_arithmetic(char *const *argv);
