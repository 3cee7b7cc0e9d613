#ifndef TESTS_SUPPORT_PACKED_BATCH_H
#define TESTS_SUPPORT_PACKED_BATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "clalign/device.h"
#include "packs/packs.h"

/* Short pairs of one scheme and one mode, as packs take them. */

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

/* A batch without pairs, of the default scheme, whose table the caller builds. Ends with packed_batch_free.
 */
packed_batch *packed_batch_new(const char *kind);

/* Copies the codes. */
void packed_batch_add(packed_batch *all, const uint8_t *query, int64_t rows, const uint8_t *target,
                      int64_t columns);

/* Gives the last pair the first one's query. */
void packed_batch_share_query(packed_batch *all);

/* A batch of nucleotides with the scheme and mode of one random pair, and all scores multiplied by `factor`.
 * The pairs are those of the random tests, of all lengths. */
packed_batch *packed_batch_make(uint64_t seed, int count, int64_t max_length, int32_t factor);

/* A factor, for most seeds 1, that the scheme of packed_batch_make bears. */
int32_t packed_batch_factor(uint64_t seed);

/* Letters and scheme of a lettered pair; with `one_query` all have the first one's query. */
packed_batch *packed_batch_make_lettered(uint64_t seed, int count, int64_t max_length, bool one_query);

/* What packs are told of the batch; borrows it. */
path_scheme packed_batch_scheme(const packed_batch *all);

void packed_batch_free(packed_batch *all);
void free_packed_batch(packed_batch **all); /* for OWNED */

/* What packs find, against the oracle. */

/* Checks score and end cell of the batch's pair, and traces and checks the canonical path from there. Every
 * third pair is traced without the known values of its rows. */
void packed_check_pair(const packed_batch *all, const path_scheme *scheme, const pack_pair *pair, int index);

/* Takes the pairs out that the device does not take, because their scores pass 2^29: a few of the longest,
 * where scores are near their limit. */
void packed_check_drop_too_large(cla_device *device, packed_batch *all, const path_scheme *scheme);

/* Solves the batch with a solver of its own, twice: what a call leaves in the buffers must not matter to the
 * next. Checks every pair. */
void packed_check_batch(cla_device *device, packed_batch *all);

#endif
