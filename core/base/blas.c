/* Describes the BLAS that the program runs with. Functions that only OpenBLAS has are looked up and not linked, so that
 * any BLAS can be used. */
#define _GNU_SOURCE /* dladdr, RTLD_DEFAULT */
#include "core/base/blas.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

/* Sets *function (a pointer to a function) to the symbol, or to NULL. POSIX has pointers to data and to functions of
 * one size; C has no cast between them. */
static void look_up(const char *symbol, void *function) {
    void *address = dlsym(RTLD_DEFAULT, symbol);
    memcpy(function, &address, sizeof address);
}

sb_blas sb_blas_loaded(void) {
    sb_blas blas = {"unknown", "none", NULL, NULL};
    char *(*config)(void);
    char *(*kernel)(void);
    Dl_info file;
    look_up("openblas_get_config", &config);
    look_up("openblas_get_corename", &kernel);
    look_up("openblas_get_num_threads", &blas.get_threads);
    look_up("openblas_set_num_threads", &blas.set_threads);
    if (config != NULL && kernel != NULL) {
        blas.config = config();
        blas.kernel = kernel();
    } else if (dladdr(dlsym(RTLD_DEFAULT, "dgemm_"), &file) != 0 && file.dli_fname != NULL) {
        blas.config = file.dli_fname;
    }
    return blas;
}
