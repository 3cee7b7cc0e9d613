/* Collects notes and reports of all threads for the thread that called, which passes them to the
 * callbacks. */

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "batch/executor_internal.h"

/* Appends a new event; NULL: out of memory. */
static executor_event *add_event(executor *x) {
  executor_event *event = calloc(1, sizeof *event);
  if (event) *(x->last_event ? &x->last_event->next : &x->events) = event;
  if (event) x->last_event = event;
  return event;
}

void executor_note(executor *x, const char *format, ...) {
  va_list arguments;
  executor_event *event = x->options->align.callbacks.note ? add_event(x) : NULL;
  if (!event) return;
  event->is_note = true;
  va_start(arguments, format);
  vsnprintf(event->note, sizeof event->note, format, arguments);
  va_end(arguments);
  for (char *c = event->note; *c; c++)
    if (*c == '\n') *c = ' ';
}

void executor_note_work(executor *x, const cla_batch_work *work) {
  executor_event *event = x->options->work ? add_event(x) : NULL;
  if (event) event->work = *work;
}

void executor_tell(executor *x) {
  pthread_mutex_lock(&x->lock);
  executor_event *event = x->events;
  x->events = x->last_event = NULL;
  pthread_mutex_unlock(&x->lock);
  for (executor_event *next; event; event = next) {
    next = event->next;
    if (event->is_note)
      x->options->align.callbacks.note(event->note, x->options->align.callbacks.note_user);
    else
      x->options->work(&event->work, x->options->work_user);
    free(event);
  }
}

void executor_free_events(executor *x) {
  for (executor_event *event = x->events, *next; event; event = next) {
    next = event->next;
    free(event);
  }
}
