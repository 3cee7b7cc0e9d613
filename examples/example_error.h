#ifndef EXAMPLE_ERROR_H
#define EXAMPLE_ERROR_H

#include <clalign/clalign.h>
#include <stdio.h>

/* What a call that failed has to say, for the end of a program; 0 if it did not fail. */
static inline int example_end(cla_status status, const cla_error *error) {
  if (status == CLA_OK) return 0;
  fprintf(stderr, "%s error: %s\n", cla_status_name(status), error->message);
  return 1;
}

#endif
