#include "cli/batch/batch_certify.h"

#include <string.h>

/* Memory of a certificate beside others, if --memory is not given. */
#define BESIDE_BYTES (INT64_C(1) << 26)
/* From this number of letters on in both sequences, all threads make a certificate. */
#define ALONE_LETTERS 4000

void batch_certify_begin(batch_certify *c, const cli_certify *how, int threads, int64_t memory_bytes) {
  const int64_t half = memory_bytes / 2, beside = half / (threads > 0 ? threads : 1);
  *c = (batch_certify){
      .how = how->wanted ? how : NULL,
      .beside.budgets = {.threads = 1,
                         .memory_bytes = memory_bytes == 0 ? BESIDE_BYTES
                                         : beside > 0      ? beside
                                                           : 1},
      .alone.budgets = {.threads = threads, .memory_bytes = memory_bytes == 0 || half > 0 ? half : 1}};
  pthread_mutex_init(&c->lock, NULL);
}

void batch_certify_end(batch_certify *c) {
  pthread_mutex_destroy(&c->lock);
}

static bool is_long(const cla_results *found) {
  const cla_side *query = &found->alignments[0]->query, *target = &found->alignments[0]->target;
  return query->end - query->begin >= ALONE_LETTERS && target->end - target->begin >= ALONE_LETTERS;
}

/* Forgets what was measured, so that all runs write the same. */
static void forget_measures(cla_results *found) {
  cla_certificate **made = (cla_certificate **)found->certificates;
  for (size_t i = 0; i < found->count; i++) {
    if (!made[i]) continue;
    made[i]->cells = 0;
    made[i]->seconds = 0;
  }
}

cla_status batch_certify_pair(cla_results *found, batch_certify *c, cla_error *error) {
  found->certificates = NULL;
  if (!c->how || found->count == 0) return CLA_OK;
  cla_status status = CLA_ERROR_MEMORY;
  if (!is_long(found)) status = cli_certify_results(found, c->how, &c->beside, error);
  if (status == CLA_ERROR_MEMORY) {
    cli_certificates_free(found);
    pthread_mutex_lock(&c->lock);
    status = cli_certify_results(found, c->how, &c->alone, error);
    pthread_mutex_unlock(&c->lock);
  }
  if (status == CLA_OK) forget_measures(found);
  return status;
}
