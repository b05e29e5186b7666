/* The surroundings of a call of a session: numbers with decimal points, and the end of a long call after SIGINT. */
#include <signal.h>

#include "bench/session/internal.h"

/* Set by the signal handler; everything else reads it through the context. */
static volatile sig_atomic_t interrupted;
/* The handler of the host, which has installed one of its own. */
static struct sigaction host;

static void on_signal(int number, siginfo_t *info, void *place) {
    interrupted = 1;
    if ((host.sa_flags & SA_SIGINFO) != 0) {
        host.sa_sigaction(number, info, place);
    } else {
        host.sa_handler(number);
    }
}

int sb_session_interrupted(void) { return interrupted != 0; }

locale_t sb_session_call_begin(sb_session *session) {
    session->ctx.message[0] = '\0';
    return uselocale(session->locale);
}

int sb_session_call_end(locale_t before, int status) {
    uselocale(before);
    return status;
}

bool sb_session_listen(sb_session *session) {
    struct sigaction before;
    session->ctx.interrupt = &interrupted;
    if (sigaction(SIGINT, NULL, &before) != 0) {
        return false;
    }
    const bool has_info = (before.sa_flags & SA_SIGINFO) != 0;
    if (has_info ? before.sa_sigaction == on_signal : before.sa_handler == SIG_DFL || before.sa_handler == SIG_IGN) {
        return false; /* another call listens, or the host does not */
    }
    host = before;
    interrupted = 0;
    struct sigaction mine = before; /* its mask, and whether it restarts calls of the system */
    mine.sa_flags |= SA_SIGINFO;
    mine.sa_sigaction = on_signal;
    return sigaction(SIGINT, &mine, NULL) == 0;
}

void sb_session_listen_end(bool listens) {
    if (listens) {
        sigaction(SIGINT, &host, NULL);
    }
}
