#ifndef HOST_CLI_BATCH_BATCH_CERTIFY_H
#define HOST_CLI_BATCH_BATCH_CERTIFY_H

#include <pthread.h>

#include "cli/report/certificates.h"

/* The certificates of a batch's pairs, made on the thread that has a pair's alignments. */
typedef struct batch_certify {
  const cli_certify *how; /* NULL: none are wanted */
  certify_means beside;   /* for a certificate on one thread, beside those of other threads */
  certify_means alone;    /* for a certificate on all threads, of which only one is made at a time */
  pthread_mutex_t lock;   /* held while a certificate is made alone */
} batch_certify;

/* `memory_bytes` is for all certificates that are made at the same time; 0: a small part of the free memory.
 * The caller calls batch_certify_end. */
void batch_certify_begin(batch_certify *c, const cli_certify *how, int threads, int64_t memory_bytes);
void batch_certify_end(batch_certify *c);

/* Makes the certificates of a pair's alignments, if they are wanted, and sets found->certificates. May be
 * called on any thread. The caller calls cli_certificates_free in every case. Fails like
 * cli_certify_results. */
cla_status batch_certify_pair(cla_results *found, batch_certify *c, cla_error *error);

#endif
