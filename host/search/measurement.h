#ifndef HOST_SEARCH_MEASUREMENT_H
#define HOST_SEARCH_MEASUREMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/kernel.h"
#include "tuning/rates.h"

/* The tuner's requests to a worker and the worker's answers. Each of them is a line of text, because tuner
 * and worker are separate processes (clalign/tuner.h explains why). */

/* A request to time a config. All configs are measured on one pair of `length` letters; the request selects
 * the rows x columns cells at its upper left corner. */
typedef struct measurement_request {
  bool local;
  int64_t length, rows, columns;
  int repeats;    /* minimum number of sweeps, >= 1 */
  double seconds; /* sweeps are repeated until they have taken this time in total */
  kernel_config config;
} measurement_request;

typedef enum measurement_outcome {
  MEASUREMENT_DONE,
  MEASUREMENT_BUILD_FAILED, /* the compiler refused the kernel */
  MEASUREMENT_REFUSED,      /* the device refused the kernel: memory, registers, group size */
  MEASUREMENT_WRONG,        /* the kernel ran, but differs from the reference */
  MEASUREMENT_BAD_REQUEST,  /* tuner and worker come from different builds */
  MEASUREMENT_HUNG,         /* only the tuner sets HUNG and CRASHED; a worker never sends them */
  MEASUREMENT_CRASHED,
} measurement_outcome;

typedef struct measurement {
  measurement_outcome outcome;
  double seconds;  /* seconds of the fastest sweep */
  uint64_t result; /* hash of the sweep's result, equal for all correct configs */
  char message[1536];
} measurement;

#define MEASUREMENT_LINE_SIZE 2048

void measurement_print_request(char line[MEASUREMENT_LINE_SIZE], const measurement_request *request);
bool measurement_parse_request(measurement_request *out, const char *line);

void measurement_print(char *line, size_t size, const measurement *answer);
bool measurement_parse(measurement *out, const char *line);

/* The request to measure all rates. The answer's message lists the rates in the order of tuning_rate. */
#define MEASUREMENT_RATES "rates"
#define RATES_LENGTH 500000 /* letters of most pairs on which rates are measured */

/* Answers MEASUREMENT_RATES: measures on the host and the device for some seconds (measure_rates.c). A rate
 * is 0 if it is too small to measure. Errors: those of cla_align. */
cla_status rates_measure(measurement *answer, cla_device *device, cla_error *error);

#endif
