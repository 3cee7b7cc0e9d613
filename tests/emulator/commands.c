#include "emulator/commands.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct _cl_command_queue {
  command *first, **end;
  struct _cl_command_queue *next;
};

static struct _cl_command_queue *queues;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of all queues, and of what their commands do */

cl_command_queue commands_queue(void) {
  struct _cl_command_queue *queue = calloc(1, sizeof *queue);
  if (!queue) return NULL;
  pthread_mutex_lock(&lock);
  queue->end = &queue->first;
  queue->next = queues;
  queues = queue;
  pthread_mutex_unlock(&lock);
  return queue;
}

/* True if it is done, and not a part of it only. */
static bool do_command(command *what, bool part) {
  if (what->kind == COMMAND_COPY) memcpy(what->to, what->from, what->bytes);
  for (size_t i = 0; what->kind == COMMAND_FILL && i < what->bytes; i += what->pattern_bytes)
    memcpy((char *)what->to + i, what->pattern, what->pattern_bytes);
  if (what->kind == COMMAND_MARK) commands_mark(what->mark);
  return what->kind != COMMAND_RUN || commands_run(what, part);
}

/* The first command, or a part of it. */
static void do_first(struct _cl_command_queue *queue, bool part) {
  command *what = queue->first;
  if (!do_command(what, part)) return;
  queue->first = what->next;
  if (!queue->first) queue->end = &queue->first;
  free(what);
}

static void finish(struct _cl_command_queue *queue) {
  while (queue->first) do_first(queue, false);
}

void commands_look(cl_command_queue queue) {
  pthread_mutex_lock(&lock);
  if (chance(4) == 0)
    finish(queue);
  else if (queue->first && chance(2))
    do_first(queue, true);
  pthread_mutex_unlock(&lock);
}

void commands_finish(cl_command_queue queue) {
  pthread_mutex_lock(&lock);
  finish(queue);
  pthread_mutex_unlock(&lock);
}

void commands_finish_all(void) {
  pthread_mutex_lock(&lock);
  for (struct _cl_command_queue *queue = queues; queue; queue = queue->next) finish(queue);
  pthread_mutex_unlock(&lock);
}

void commands_queue_free(cl_command_queue queue) {
  pthread_mutex_lock(&lock);
  struct _cl_command_queue **at = &queues;
  finish(queue);
  while (*at != queue) at = &(*at)->next;
  *at = queue->next;
  pthread_mutex_unlock(&lock);
  free(queue);
}

cl_int commands_put(cl_command_queue queue, const command *what) {
  command *own = malloc(sizeof *own);
  if (!own) return CL_OUT_OF_HOST_MEMORY;
  *own = *what;
  own->next = NULL;
  pthread_mutex_lock(&lock);
  *queue->end = own;
  queue->end = &own->next;
  if (chance(2)) finish(queue);
  pthread_mutex_unlock(&lock);
  return CL_SUCCESS;
}
