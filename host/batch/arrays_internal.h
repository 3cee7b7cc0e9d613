#ifndef HOST_BATCH_ARRAYS_INTERNAL_H
#define HOST_BATCH_ARRAYS_INTERNAL_H

#include <stdatomic.h>

#include "clalign/arrays.h"
#include "dp/pair_solver.h"
#include "seq/sequence.h"

/* cla_align_arrays, in pieces: what a call has, what each of its threads has, and who does what. */

/* A chunk has so many pairs at the most, and is full with so many letters. */
#define CHUNK_PAIRS 2048
/* Fewer where there would be too few chunks for all threads, but so many at least. */
#define CHUNK_LEAST 128
#define CHUNKS_OF_THREAD 4
#define CHUNK_LETTERS (INT64_C(1) << 21)
/* The status of a pair that is to be aligned by itself. */
#define ALONE UINT8_MAX
/* Bytes of directions that a thread may take; what needs more is aligned by itself. */
#define THREAD_PATH_BYTES (INT64_C(64) << 20)
/* Directions take half of budgets.memory_bytes at the most. */
#define BUDGET_SHARE 2

/* Pairs that one thread solves together. */
typedef struct arrays_chunk {
  int64_t first, past;
  cla_packed_run *runs; /* all paths' runs, in the pairs' order; owned */
} arrays_chunk;

typedef struct arrays_call {
  const cla_pair_arrays *pairs;
  cla_pair_results *results;
  cla_device *device;
  cla_align_options options; /* with the scheme of the alphabet */
  const letter_set *letters;
  letter_set room;
  score_table plain, table; /* scores of unambiguous letters alone, and of all letters */
  path_scheme plain_scheme, scheme;
  uint32_t matches[32];
  uint32_t unknown; /* codes that the scheme has no scores for */
  arrays_chunk *chunks;
  int64_t *run_counts; /* how many runs each pair has; NULL without paths */
  int64_t chunk_count, chunk_capacity;
  bool paths;
  int64_t path_bytes; /* a thread may take so many for directions */
  atomic_llong next, cells, failed;
  atomic_int status; /* CLA_OK, or why the call ends */
  cla_error *error;  /* the caller's, for the thread that sets the status first */
} arrays_call;

/* What one thread has. */
typedef struct arrays_worker {
  arrays_call *c;
  int index; /* 0: the caller's thread */
  pair_solver *plain, *any;
  solver_pairs pairs;
  const uint8_t **sides[2];
  int32_t *numbers; /* the seven arrays of 32 bits in `pairs` */
  int64_t *longs;   /* score and runs */
  int64_t *places;  /* the call's index of each pair of the solver */
  uint8_t *codes;   /* made from text, and for the other strand */
  int64_t code_room, code_count;
  bool *solved;
  cla_packed_run *runs; /* all runs of the chunk, as they are found */
  int64_t run_room, run_count;
  int64_t *run_begins; /* the place in `runs` where each pair's begin */
} arrays_worker;

/* What was found of a pair, in coordinates of the forward strands. */
typedef struct found_pair {
  int64_t score, start[2], end[2];
  cla_strand strand;
} found_pair;

static inline int64_t sequence_of(const cla_pair_arrays *pairs, int side, int64_t pair) {
  return pairs->of[side] ? pairs->of[side][pair] : pair;
}

static inline int64_t pair_letters(const cla_pair_arrays *pairs, int side, int64_t pair) {
  const int64_t *offset = pairs->offsets[side] + sequence_of(pairs, side, pair);
  return offset[1] - offset[0];
}

/* Checks options and arrays, and sets the scheme, its tables, and which pairs of letters are matches.
 * CLA_ERROR_OPTION, CLA_ERROR_INPUT. */
cla_status arrays_settle(arrays_call *c, cla_error *error);

/* Notes what was found of a pair, or that it failed. */
void arrays_put_found(const arrays_call *c, int64_t pair, const found_pair *found);

/* Room for the runs of one more path of the chunk. CLA_ERROR_MEMORY. */
cla_status arrays_grow_runs(arrays_worker *w, int64_t more, cla_error *error);

/* Asks the caller, on its own thread. */
bool arrays_go_on(const arrays_call *c);

/* Aligns one pair by itself; without a worker until it is done. */
cla_status arrays_align_alone(cla_alignment **out, const arrays_call *c, arrays_worker *w, int64_t pair,
                              cla_error *error);

/* The same for a pair of the chunk that lanes cannot take. Errors that are not the pair's: CLA_ERROR_MEMORY,
 * CLA_ERROR_INTERRUPTED. */
cla_status arrays_solve_alone(arrays_worker *w, const arrays_chunk *of, int64_t pair, cla_error *error);

/* What a thread needs. CLA_ERROR_MEMORY. */
cla_status arrays_begin_worker(arrays_worker *w, arrays_call *c, cla_error *error);
void arrays_end_worker(arrays_worker *w);

/* Aligns the pairs of a chunk. */
cla_status arrays_solve_chunk(arrays_worker *w, arrays_chunk *of, cla_error *error);

#endif
