/* What threads have to tell, told by the thread that called. */

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batch/executor_state.h"

#define NOTE_SIZE 1024

static void add_event(executor *x, executor_event *event) {
  if (x->last_event)
    x->last_event->next = event;
  else
    x->events = event;
  x->last_event = event;
}

void executor_note(executor *x, const char *format, ...) {
  va_list arguments;
  if (!x->options->align.note) return;
  executor_event *event = calloc(1, sizeof *event);
  if (event) event->note = malloc(NOTE_SIZE);
  if (!event || !event->note) {
    free(event);
    return;
  }
  va_start(arguments, format);
  vsnprintf(event->note, NOTE_SIZE, format, arguments);
  va_end(arguments);
  for (char *c = event->note; *c; c++)
    if (*c == '\n') *c = ' ';
  add_event(x, event);
}

void executor_note_work(executor *x, const cla_batch_work *work) {
  if (!x->options->work) return;
  executor_event *event = calloc(1, sizeof *event);
  if (!event) return;
  event->work = *work;
  add_event(x, event);
}

void executor_tell(executor *x) {
  pthread_mutex_lock(&x->lock);
  executor_event *event = x->events;
  x->events = x->last_event = NULL;
  pthread_mutex_unlock(&x->lock);
  while (event) {
    executor_event *next = event->next;
    if (event->note)
      x->options->align.note(event->note, x->options->align.note_user);
    else
      x->options->work(&event->work, x->options->work_user);
    free(event->note);
    free(event);
    event = next;
  }
}

void executor_free_events(executor *x) {
  while (x->events) {
    executor_event *event = x->events;
    x->events = event->next;
    free(event->note);
    free(event);
  }
}
