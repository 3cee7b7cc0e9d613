#ifndef HOST_CLI_BATCH_BATCH_BUDGET_H
#define HOST_CLI_BATCH_BATCH_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

/* What --memory of `clalign batch` is for. */
typedef struct batch_budget {
  int64_t kept_bytes;    /* of sequences that are kept to be used again */
  int64_t ahead_letters; /* of either of two files that are read ahead by threads */
  int64_t text_bytes;    /* of records that wait for their turn */
  int64_t memory_bytes;  /* what is left for cla_batch; 0: it chooses */
} batch_budget;

/* Shares --memory out; 0: none is given. `pairwise`: nothing is kept, but read ahead. */
batch_budget batch_budget_share(int64_t memory_bytes, bool pairwise);

#endif
