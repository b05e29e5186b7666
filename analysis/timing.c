/* Measures processor times: medians of interleaved measurements. */
#include "analysis/timing.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <time.h>

#include <stepbench/status.h>

static const double shortest = 5e-4; /* s: a thousand times the time of reading the clock */

double sb_processor_time(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int measure(const sb_job *job, long repeats, double *seconds) {
    const double begin = sb_processor_time();
    for (long k = 0; k < repeats; k++) {
        SB_TRY(job->run(job->arg));
    }
    *seconds = (sb_processor_time() - begin) / (double)repeats;
    return SB_OK;
}

/* Determines how often a job must be run to take `shortest` s, and the time of a run. This also fills the caches. */
static int calibrate(const sb_job *job, long *repeats, double *seconds) {
    *repeats = 1;
    for (;;) {
        SB_TRY(measure(job, *repeats, seconds));
        if (*seconds * (double)*repeats >= shortest) {
            return SB_OK;
        }
        *repeats *= 2;
    }
}

static double median(double *samples, int count) {
    gsl_sort(samples, 1, (size_t)count);
    return gsl_stats_median_from_sorted_data(samples, 1, (size_t)count);
}

int sb_time_jobs(double budget, int njobs, const sb_job *jobs, double *seconds, double *ratio) {
    double samples[SB_TIMING_JOBS][SB_TIMING_ROUNDS], quotients[SB_TIMING_ROUNDS];
    long repeats[SB_TIMING_JOBS];
    const double begin = sb_processor_time();
    for (int i = 0; i < njobs; i++) {
        SB_TRY(calibrate(&jobs[i], &repeats[i], &samples[i][0]));
    }
    const double calibrated = sb_processor_time();
    /* A long round is measured once, by the calibration. */
    int rounds = calibrated - begin < SB_TIMING_LIMIT * budget ? 0 : 1;
    for (; rounds < SB_TIMING_ROUNDS &&
           (sb_processor_time() - calibrated < budget ||
            (rounds < SB_TIMING_LEAST && sb_processor_time() - begin < SB_TIMING_LIMIT * budget));
         rounds++) {
        for (int i = 0; i < njobs; i++) {
            SB_TRY(measure(&jobs[i], repeats[i], &samples[i][rounds]));
        }
    }
    for (int i = 0; i < njobs && ratio != NULL; i++) {
        for (int round = 0; round < rounds; round++) {
            quotients[round] = samples[i][round] / samples[njobs - 1][round];
        }
        ratio[i] = median(quotients, rounds);
    }
    for (int i = 0; i < njobs; i++) {
        seconds[i] = median(samples[i], rounds);
    }
    return SB_OK;
}
