/* Processor times of short jobs, measured alternately. */
#pragma once

/* Returns the processor time of this thread, s. */
double sb_processor_time(void);

typedef struct sb_job {
    int (*run)(void *arg); /* the same work every time; a status */
    void *arg;
} sb_job;

enum { SB_TIMING_ROUNDS = 21, SB_TIMING_LEAST = 3, SB_TIMING_LIMIT = 20, SB_TIMING_JOBS = 4 };

/* Measures the seconds per run of each job: the median over SB_TIMING_ROUNDS rounds in which every job is run in turn
 * for at least half a millisecond. ratio[i] (may be NULL) is the median over the rounds of job i's time over the last
 * job's, so that a disturbance of the machine affects both. Times are processor times of the thread. There are fewer
 * rounds if SB_TIMING_ROUNDS would take longer than `budget` seconds: at least SB_TIMING_LEAST, unless these take more
 * than SB_TIMING_LIMIT times the budget. */
int sb_time_jobs(double budget, int njobs, const sb_job *jobs, double *seconds, double *ratio);
