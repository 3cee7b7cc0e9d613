#ifndef TESTS_EMULATOR_COMMANDS_H
#define TESTS_EMULATOR_COMMANDS_H

#include <CL/cl.h>

#include "emulator/emulator.h"

/* The commands of a queue. Each runs at once or, by chance, as late as OpenCL allows: when somebody waits for
 * it or for a later command. */

typedef enum command_kind { COMMAND_COPY, COMMAND_FILL, COMMAND_RUN, COMMAND_MARK } command_kind;

/* A command; what it reads and writes belongs to others. */
typedef struct command {
  command_kind kind;
  void *to;
  const void *from; /* COMMAND_COPY */
  size_t bytes;
  char pattern[16]; /* COMMAND_FILL */
  size_t pattern_bytes;
  emulated_launch launch;
  bool persistent, whole_strips;
  bool begun; /* COMMAND_RUN: a part of it was done, and [left_from, left_end) is to be done */
  int64_t left_from, left_end;
  cl_event mark; /* COMMAND_MARK */
  struct command *next;
} command;

cl_command_queue commands_queue(void);
void commands_queue_free(cl_command_queue queue);

/* Puts a copy of the command into the queue. */
cl_int commands_put(cl_command_queue queue, const command *what);

/* Does all that is in the queue, now and then, or a part of a launch, because somebody asks how far it is. */
void commands_look(cl_command_queue queue);

/* Does all that is in the queue, or in all queues. */
void commands_finish(cl_command_queue queue);
void commands_finish_all(void);

/* Runs what is left of a launch or, if it can be cut, a part of that; true if it is done then. */
bool commands_run(command *what, bool part);

/* The mark has been come to. */
void commands_mark(cl_event event);

#endif
