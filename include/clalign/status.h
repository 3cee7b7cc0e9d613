#ifndef CLALIGN_STATUS_H
#define CLALIGN_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

/* Status codes and error text.
 *
 * Every function of the library that can fail returns a cla_status, and its last parameter is a pointer to a
 * cla_error. On failure the message is set once, where the error occurs. The message is one line with the
 * action, the file, record, option or device, and the remedy. On success the cla_error is unchanged. NULL
 * discards the message. The library does not store the last error, so several threads may call functions at
 * the same time, each with a separate cla_error. */

/* The result of a call. */
typedef enum cla_status {
  CLA_OK = 0,             /* success */
  CLA_ERROR_OPTION,       /* an option or a score is out of its range */
  CLA_ERROR_INPUT,        /* an input file, a record, a range or a letter is not valid */
  CLA_ERROR_DEVICE,       /* an OpenCL device, driver or kernel build failed */
  CLA_ERROR_MEMORY,       /* not enough host or device memory, or a budget is too small */
  CLA_ERROR_OUTPUT,       /* an output file or stream failed */
  CLA_ERROR_INTERRUPTED,  /* the progress callback has cancelled the call */
  CLA_ERROR_VERIFICATION, /* the path of an alignment does not have the alignment's score, or does not fit the
                             sequences */
} cla_status;

/* Bytes of a message, with its terminating zero. */
#define CLA_ERROR_MESSAGE_SIZE 2048

/* The error of a call. */
typedef struct cla_error {
  cla_status status;                    /* the function's return value */
  char message[CLA_ERROR_MESSAGE_SIZE]; /* zero-terminated, without newlines except in a build log */
} cla_error;

/* Returns the status' name for logs, for example "input"; never NULL, static. */
const char *cla_status_name(cla_status status);

#ifdef __cplusplus
}
#endif

#endif
