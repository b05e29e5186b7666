/* The surroundings of a call of a session: numbers with decimal points, and the end of a long call after SIGINT. */
#include <pthread.h>
#include <signal.h>

#include "bench/session/internal.h"

/* Calls that listen at one time, each in a session of its own; more of them share the last flag. */
enum { CALLS_MAX = 256 };

/* Set by the signal handler for every call that lasts; everything else reads them through the contexts. */
static volatile sig_atomic_t interrupted[CALLS_MAX];
static bool taken[CALLS_MAX];
static int calls; /* that listen */
/* The handler of the host, which has installed one of its own. */
static struct sigaction host;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of all these */
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void take_lock(void) { pthread_mutex_lock(&lock); }
static void give_lock(void) { pthread_mutex_unlock(&lock); }

/* A child process has the lock as its thread had it. */
static void prepare(void) { pthread_atfork(take_lock, give_lock, give_lock); }

static void on_signal(int number, siginfo_t *info, void *place) {
    for (int i = 0; i < CALLS_MAX; i++) {
        interrupted[i] = 1;
    }
    if ((host.sa_flags & SA_SIGINFO) != 0) {
        host.sa_sigaction(number, info, place);
    } else {
        host.sa_handler(number);
    }
}

int sb_session_interrupted(const sb_session *session) { return session->interrupted; }

locale_t sb_session_call_begin(sb_session *session) {
    session->ctx.message[0] = '\0';
    return uselocale(session->locale);
}

int sb_session_call_end(locale_t before, int status) {
    uselocale(before);
    return status;
}

/* Installs the handler, if the host has one and that of another call is not there. Returns whether it is there. */
static bool install(void) {
    struct sigaction before;
    if (sigaction(SIGINT, NULL, &before) != 0) {
        return false;
    }
    const bool has_info = (before.sa_flags & SA_SIGINFO) != 0;
    if (has_info ? before.sa_sigaction == on_signal : before.sa_handler == SIG_DFL || before.sa_handler == SIG_IGN) {
        return has_info;
    }
    host = before;
    struct sigaction mine = before; /* its mask, and whether it restarts calls of the system */
    mine.sa_flags |= SA_SIGINFO;
    mine.sa_sigaction = on_signal;
    return sigaction(SIGINT, &mine, NULL) == 0;
}

bool sb_session_listen(sb_session *session) {
    int slot = 0;
    if (session->ctx.interrupt != NULL) {
        return false;
    }
    pthread_once(&once, prepare);
    take_lock();
    session->interrupted = 0;
    const bool listens = install();
    if (listens) {
        while (slot < CALLS_MAX - 1 && taken[slot]) {
            slot++;
        }
        interrupted[slot] = 0;
        taken[slot] = true;
        calls++;
        session->ctx.interrupt = &interrupted[slot];
    }
    give_lock();
    return listens;
}

void sb_session_listen_end(sb_session *session, bool listens) {
    if (!listens) {
        return;
    }
    take_lock();
    session->interrupted = *session->ctx.interrupt != 0;
    taken[session->ctx.interrupt - interrupted] = false;
    session->ctx.interrupt = NULL;
    if (--calls == 0) {
        sigaction(SIGINT, &host, NULL);
    }
    give_lock();
}
