#ifndef HOST_BATCH_BATCH_SPARES_H
#define HOST_BATCH_BATCH_SPARES_H

#include "batch/batch_slot.h"

/* Memory of pairs and of places that ended, for those that follow: a batch has as many as are on their way at
 * once, whatever the number of pairs. */
typedef struct batch_spares {
  batch_job *jobs;   /* by `next` */
  batch_slot *slots; /* likewise */
} batch_spares;

/* Zeroed ones. CLA_ERROR_MEMORY. */
cla_status batch_spares_take_job(batch_job **out, batch_spares *spares, cla_error *error);
cla_status batch_spares_take_slot(batch_slot **out, batch_spares *spares, cla_error *error);

/* Gives them back, with nothing that they own. */
void batch_spares_add_job(batch_spares *spares, batch_job *job);
void batch_spares_add_slot(batch_spares *spares, batch_slot *slot);

void batch_spares_free(batch_spares *spares);

#endif
