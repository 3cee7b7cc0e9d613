#ifndef TESTS_SUPPORT_CASES_PACKED_BATCH_H
#define TESTS_SUPPORT_CASES_PACKED_BATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "clalign/device.h"
#include "packs/packs.h"

/* Short pairs of one scheme and one mode, in the form for packs. */

#define PACKED_BATCH_MOST 400

typedef struct packed_batch {
  cla_scoring scoring;
  cla_mode mode;
  int free_ends; /* as in cla_align_options */
  score_table table;
  pack_pair pairs[PACKED_BATCH_MOST]; /* their codes are owned */
  int count;
  uint64_t seed;
  const char *kind; /* for messages; static */
} packed_batch;

/* Makes a batch without pairs, with the default scheme; the caller builds its table and calls
 * packed_batch_free. */
packed_batch *packed_batch_new(const char *kind);

/* Adds a pair; copies the codes. */
void packed_batch_add(packed_batch *all, const uint8_t *query, int64_t rows, const uint8_t *target,
                      int64_t columns);

/* Gives the last pair the query of the first pair. */
void packed_batch_share_query(packed_batch *all);

/* Makes a batch of nucleotides with the scheme and mode of one random pair, and all scores multiplied by
 * `factor`. The pairs are random_pairs of all lengths. */
packed_batch *packed_batch_make(uint64_t seed, int count, int64_t max_length, int32_t factor);

/* A factor, 1 for most seeds, with which the scheme of packed_batch_make stays valid. */
int32_t packed_batch_factor(uint64_t seed);

/* Makes a batch with letters and scheme of a lettered pair; with `one_query` all pairs have the first pair's
 * query. */
packed_batch *packed_batch_make_lettered(uint64_t seed, int count, int64_t max_length, bool one_query);

/* The batch's scheme in the form for packs; refers to the batch. */
path_scheme packed_batch_scheme(const packed_batch *all);

void packed_batch_free(packed_batch *all);
void free_packed_batch(packed_batch **all); /* for OWNED */

/* Checks of packs against the oracle. */

/* Checks score and end cell of a pair of the batch, traces the canonical path from there and checks it.
 * Every third pair is traced without the known values of its rows. */
void packed_check_pair(const packed_batch *all, const path_scheme *scheme, const pack_pair *pair, int index);

/* Removes pairs that the device refuses because their scores exceed 2^29: a few of the longest, if scores
 * are near their limit. */
void packed_check_drop_too_large(cla_device *device, packed_batch *all, const path_scheme *scheme);

/* Solves the batch twice with a new solver, and checks every pair. What the first call leaves in the buffers
 * must not affect the second. */
void packed_check_batch(cla_device *device, packed_batch *all);

#endif
