#ifndef HOST_SEQ_RECORD_CACHE_H
#define HOST_SEQ_RECORD_CACHE_H

#include "clalign/sequence.h"

/* Sequences that were read, by file and number of the record, in a bounded number of bytes: the longest
 * unused goes first. */
typedef struct record_cache record_cache;

/* CLA_ERROR_MEMORY. End with record_cache_free. */
cla_status record_cache_make(record_cache **out, int64_t bytes, cla_error *error);
void record_cache_free(record_cache *cache);

/* The sequence, which stays the cache's and is good until the next call; NULL if it is not there. */
cla_sequence *record_cache_find(record_cache *cache, int64_t file, int64_t number);

/* Takes the sequence over, in place of the one with that number. One that is too large is freed by the next
 * call. CLA_ERROR_MEMORY frees it. */
cla_status record_cache_add(record_cache *cache, int64_t file, int64_t number, cla_sequence *sequence,
                            cla_error *error);

#endif
