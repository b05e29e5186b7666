/* A process that runs, one that has ended but has not been waited for, and one that is gone. */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gsl/gsl_test.h>

#include "core/output/sink.h"

int main(void) {
    siginfo_t info;
    const pid_t running = fork();
    if (running == 0) {
        pause();
        _exit(0);
    }
    gsl_test(running < 0 || sb_process_ended(running), "a child that waits for a signal has not ended");
    gsl_test(sb_process_ended(getpid()), "this process has not ended");
    kill(running, SIGKILL);
    gsl_test(waitid(P_PID, (id_t)running, &info, WEXITED | WNOWAIT) != 0, "the child is killed");
    gsl_test(!sb_process_ended(running), "killed, it has ended before it is waited for");
    gsl_test(waitpid(running, NULL, 0) != running, "it is waited for");
    gsl_test(!sb_process_ended(running), "and has ended afterwards");
    return gsl_test_summary();
}
