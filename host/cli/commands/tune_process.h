#ifndef HOST_CLI_COMMANDS_TUNE_PROCESS_H
#define HOST_CLI_COMMANDS_TUNE_PROCESS_H

#include <stdio.h>
#include <sys/types.h>

#include "clalign/tuner.h"

/* The worker process in which 'clalign tune' measures. The worker runs the same program, reads requests from
 * standard input and answers on standard output. The worker is killed if it does not answer, and ends when
 * the tuner ends for any reason. */
typedef struct tune_process {
  int device;                 /* index of the device */
  int threads;                /* 0: as many as the system allows */
  const cla_scoring *scoring; /* the scheme to tune for */
  pid_t pid;                  /* 0: no worker runs */
  int to, from;
  char text[2 * CLA_TUNE_LINE_SIZE]; /* the received part of an incomplete line */
  size_t length;
} tune_process;

/* Initialises `process` and starts nothing. `scoring` must outlive it. */
void tune_process_init(tune_process *process, int device, int threads, const cla_scoring *scoring);

/* A cla_tune_ask whose user pointer is a tune_process. CLA_ERROR_INTERRUPTED after a signal. */
cla_status tune_process_ask(void *user, cla_tune_reply *reply, char answer[CLA_TUNE_LINE_SIZE],
                            const char *request, double limit_seconds, cla_error *error);

/* Ends the worker, if one runs. */
void tune_process_end(tune_process *process);

/* The worker's main function. It reads the scoring, and then answers requests until its input ends.
 * `arguments` are those after TUNE_PROCESS_WORD. Returns the exit code. */
int tune_process_serve(int count, char **arguments);

#define TUNE_PROCESS_WORD "--serve-requests"

#endif
