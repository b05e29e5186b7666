/* Preloaded into stepbench, makes the k-th allocation of each of its processes fail, in the program and in every
 * library alike. FAIL_ALLOCATION=k selects it. FAIL_ALLOCATION_COUNT=FILE names a file of one long, in which the
 * largest number of allocations of a process is kept. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* What glibc exports for replacements of malloc. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static int ready;     /* the environment has been read */
static long fail_at;  /* 0: none */
static long count;    /* allocations of this process and, up to its fork, of its parent */
static long *largest; /* shared between processes; NULL: not counted */

/* Other programs that stepbench starts (gnuplot) allocate undisturbed. */
static void read_environment(void) {
    ready = 1;
    if (strcmp(program_invocation_short_name, "stepbench") != 0) {
        return;
    }
    const char *at = getenv("FAIL_ALLOCATION"), *path = getenv("FAIL_ALLOCATION_COUNT");
    fail_at = at != NULL ? strtol(at, NULL, 10) : 0;
    const int file = path != NULL ? open(path, O_RDWR) : -1;
    if (file >= 0) {
        void *memory = mmap(NULL, sizeof *largest, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        largest = memory != MAP_FAILED ? memory : NULL;
        close(file);
    }
}

static int fails(void) {
    if (!ready && environ != NULL && program_invocation_short_name != NULL) {
        read_environment();
    }
    const long now = __atomic_add_fetch(&count, 1, __ATOMIC_RELAXED);
    if (largest != NULL && now > __atomic_load_n(largest, __ATOMIC_RELAXED)) {
        __atomic_store_n(largest, now, __ATOMIC_RELAXED);
    }
    if (now != fail_at) {
        return 0;
    }
    if (getenv("FAIL_ALLOCATION_TRAP") != NULL) { /* for a debugger */
        raise(SIGTRAP);
    }
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t size) { return fails() ? NULL : __libc_malloc(size); }

void *calloc(size_t number, size_t size) { return fails() ? NULL : __libc_calloc(number, size); }

void *realloc(void *block, size_t size) { return fails() ? NULL : __libc_realloc(block, size); }

void *memalign(size_t alignment, size_t size) { return fails() ? NULL : __libc_memalign(alignment, size); }

void *aligned_alloc(size_t alignment, size_t size) { return fails() ? NULL : __libc_memalign(alignment, size); }

int posix_memalign(void **block, size_t alignment, size_t size) {
    *block = fails() ? NULL : __libc_memalign(alignment, size);
    return *block != NULL ? 0 : ENOMEM;
}
