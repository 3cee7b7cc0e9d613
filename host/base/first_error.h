#ifndef HOST_BASE_FIRST_ERROR_H
#define HOST_BASE_FIRST_ERROR_H

#include <stdatomic.h>

#include "clalign/status.h"

/* The first error of several threads, which ends the work of all. Zero-initialise. */
typedef struct first_error {
  atomic_int status; /* CLA_OK, or the status of the first error */
  cla_error error;   /* written once, by the thread that sets `status` */
} first_error;

/* Notes a thread's error, if it is the first one. CLA_OK is no error. */
static inline void first_error_note(first_error *first, cla_status status, const cla_error *error) {
  int none = CLA_OK;
  if (status != CLA_OK && atomic_compare_exchange_strong(&first->status, &none, (int)status))
    first->error = *error;
}

/* Returns the status that the threads have noted so far. */
static inline cla_status first_error_status(first_error *first) {
  return (cla_status)atomic_load(&first->status);
}

/* Returns the first error, once all threads have ended. */
static inline cla_status first_error_take(first_error *first, cla_error *error) {
  const cla_status status = first_error_status(first);
  if (status != CLA_OK) *error = first->error;
  return status;
}

#endif
