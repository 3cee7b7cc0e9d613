#ifndef HOST_BATCH_ARRAYS_INTERNAL_H
#define HOST_BATCH_ARRAYS_INTERNAL_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/first_error.h"
#include "clalign/arrays.h"
#include "dp/pair_solver.h"
#include "packs/packs.h"
#include "packs/stream.h"
#include "result/alignment.h"
#include "seq/sequence.h"

/* What the files of cla_align_arrays share: the state of a call and of its threads, and the dealing of
 * chunks. */

/* Maximum number of pairs of a chunk. */
#define CHUNK_PAIRS 2048
/* Minimum number of pairs of a chunk if larger chunks would be too few for all threads. */
#define CHUNK_LEAST 128
/* Minimum number of pairs of a chunk if, with more, some threads would get no chunk. */
#define CHUNK_LEAST_ALONE 16
/* Number of pairs for which another thread helps to cut the pairs into chunks. */
#define CUT_PAIRS (INT64_C(1) << 19)
#define CHUNKS_OF_THREAD 4
/* Chunks per thread beside devices. A device may be far faster than a host thread. So no chunk should take
 * a host thread long. */
#define CHUNKS_BESIDE_DEVICES 16
#define CHUNK_LETTERS (INT64_C(1) << 21)
/* With a device, pairs with more cells go to it: the lanes beside such a pair may stay empty. */
#define LANES_CELLS_MOST 0x1p28
/* The status of a pair that is to be aligned on its own. */
#define ALONE UINT8_MAX
/* Maximum number of bytes for the traceback directions of a thread. A pair that needs more is aligned on its
 * own. */
#define THREAD_PATH_BYTES (INT64_C(64) << 20)
/* Traceback directions take at most 1 / BUDGET_SHARE of budgets.memory_bytes. */
#define BUDGET_SHARE 2

/* The score that a device has found for a pair, on the better strand. */
typedef struct scored_pair {
  int64_t score;
  int32_t end_row, end_column; /* end_row is negative if the device did not take the pair */
  cla_strand strand;
} scored_pair;

/* Pairs that one thread solves together. */
typedef struct arrays_chunk {
  int64_t first, past;
  int64_t letters;
  double cells;        /* cells of the whole matrices, on one strand */
  scored_pair *scored; /* the device's scores, which a host thread finishes; owned; NULL: no device has scored
                          the chunk */
  struct arrays_partner *by; /* the device that scored the chunk */
  cla_packed_run *runs;      /* runs of all paths, in the order of the pairs; owned */
  struct arrays_chunk *back; /* next chunk in the list of chunks that devices gave back */
} arrays_chunk;

/* The time and size of some work. */
typedef struct seen_work {
  double seconds, cells; /* seconds of one thread, and cells of whole matrices */
} seen_work;

/* The chunks that have been taken, and the speed at which chunks were done. */
typedef struct arrays_deal {
  pthread_mutex_t lock; /* guards all fields below, and the fields of chunks that devices set */
  int64_t next;         /* the first chunk that is not taken */
  double cells_left;    /* cells of the chunks that are not taken */
  arrays_chunk *back;   /* chunks that devices gave back; host threads take them */
  pthread_cond_t handle_ended;
  seen_work solved;   /* all chunks that host threads solved without a device */
  seen_work finished; /* all chunks that host threads finished after a device */
} arrays_deal;

/* Overrides for the dealing of chunks, for tests; 0: chosen automatically. */
typedef struct arrays_rules {
  int64_t chunk_pairs;  /* maximum number of pairs of a chunk */
  int64_t row_letters;  /* maximum number of letters of a sequence in a row of a search */
  bool devices_first;   /* host threads take no chunk while a device may still take it */
  bool device_ends;     /* if a device fails, the call returns the device's error */
  atomic_llong *scored; /* out: number of pairs that were scored by a device; NULL: not wanted */
} arrays_rules;

typedef struct arrays_call {
  const cla_pair_arrays *pairs;
  cla_pair_results *results;
  cla_device *device;
  arrays_rules rules;
  int threads; /* number of host threads */
  arrays_deal deal;
  struct arrays_partner *partners; /* devices that take chunks */
  int partner_count, handles_at_work;
  bool devices_ended;
  cla_align_options options; /* `scoring` is set for the alphabet */
  const letter_set *letters;
  letter_set room;
  score_table plain, table; /* `plain`: scores of unambiguous letters only; `table`: scores of all letters */
  path_scheme plain_scheme, scheme;
  uint32_t matches[32];
  uint32_t unknown; /* bit mask of the codes without scores in the scheme */
  arrays_chunk *chunks;
  int64_t *run_counts; /* number of runs of each pair; NULL if no paths are wanted */
  int64_t chunk_count, chunk_capacity;
  bool paths, scores_alone; /* scores_alone: neither paths nor ends are wanted */
  int64_t path_bytes;       /* maximum number of bytes for the traceback directions of a thread */
  atomic_llong cells, failed;
  first_error stop; /* the error that ends the call */
} arrays_call;

/* Codes that are converted from text or reverse-complemented. */
typedef struct arrays_codes {
  uint8_t *made; /* owned */
  int64_t room, count;
} arrays_codes;

/* The state of one thread. */
typedef struct arrays_worker {
  arrays_call *c;
  int index; /* 0: the caller's thread */
  pair_solver *plain, *any;
  solver_pairs pairs;
  const uint8_t **sides[2];
  int32_t *numbers; /* memory of the seven arrays of 32 bits in `pairs` */
  int64_t *longs;   /* memory of the scores and of the run offsets */
  int64_t *places;  /* for each pair of the solver, its index in the call */
  arrays_codes codes;
  bool *solved;
  cla_packed_run *runs; /* all runs of the chunk, in the order in which they are found */
  int64_t run_room, run_count;
  int64_t *run_begins; /* for each pair of the chunk, the index of its first run in `runs` */
} arrays_worker;

/* A pair's result, in coordinates of the forward strands. */
typedef struct found_pair {
  int64_t score, start[2], end[2];
  cla_strand strand;
} found_pair;

/* Threads per GPU: while the GPU computes for one thread, the other threads write letters and read scores. */
#define HANDLES_OF_GPU 3

/* A thread that has a device score chunks, with its own handle of the device. */
typedef struct arrays_handle {
  struct arrays_partner *partner;
  cla_device *device;
  pthread_t thread;
  bool started;
  double guess;        /* guessed seconds per cell */
  double cell_seconds; /* measured seconds per cell, while the device's other threads are also at work */
  bool measured;       /* cell_seconds is measured, and the thread still takes chunks */
} arrays_handle;

/* A device that takes chunks. */
typedef struct arrays_partner {
  arrays_call *c;
  cla_device *device;
  pack_way way;
  int64_t row_letters; /* maximum sequence length in a search on this device; 0: no searches */
  atomic_bool lost;    /* the device has failed or computed wrong results */
  cla_error why;       /* the error for which the device is no longer used */
  arrays_handle handles[HANDLES_OF_GPU]; /* the first handle is the caller's */
  int handle_count;
  stream_loan *targets; /* a search's targets in device memory, shared by the device's threads; NULL: none */
} arrays_partner;

static inline int64_t sequence_of(const cla_pair_arrays *pairs, int side, int64_t pair) {
  return pairs->of[side] ? pairs->of[side][pair] : pair;
}

static inline cla_strand strand_of(const arrays_call *c, int64_t pair) {
  return c->pairs->strand ? (cla_strand)c->pairs->strand[pair] : c->options.strand;
}

static inline int64_t pair_letters(const cla_pair_arrays *pairs, int side, int64_t pair) {
  const int64_t *offset = pairs->offsets[side] + sequence_of(pairs, side, pair);
  return offset[1] - offset[0];
}

/* Returns true if the pair should be aligned on a device although lanes could take it. */
static inline bool arrays_for_device(const arrays_call *c, int64_t pair) {
  const double rows = (double)pair_letters(c->pairs, 0, pair),
               columns = (double)pair_letters(c->pairs, 1, pair);
  return (c->device || c->options.callbacks.device) && rows * columns > LANES_CELLS_MOST;
}

/* Does what cla_align_arrays does, with `rules`. */
cla_status arrays_align(cla_pair_results *results, const cla_pair_arrays *pairs, cla_device *device,
                        const cla_align_options *options, const arrays_rules *rules, cla_error *error);

/* Checks the options and arrays, and sets the scheme, its score tables, and the table of matches. Errors:
 * CLA_ERROR_OPTION, CLA_ERROR_INPUT. */
cla_status arrays_settle(arrays_call *c, cla_error *error);

/* Stores a result whose coordinates are on found->strand. Without paths, the starts are unknown. */
void arrays_put_on_strand(const arrays_call *c, int64_t pair, found_pair found);

/* Appends a path's runs to the worker's, split into matches and mismatches. The caller has made room. */
void arrays_add_path(arrays_worker *w, const gapped_path *path);

/* Makes room for `more` runs. CLA_ERROR_MEMORY. */
cla_status arrays_grow_runs(arrays_worker *w, int64_t more, cla_error *error);

/* Appends the runs of the solver's pair `place` to the worker's, from `all` runs of the solver.
 * CLA_ERROR_MEMORY. */
cla_status arrays_take_runs(arrays_worker *w, const arrays_chunk *of, int64_t pair, const uint32_t *all,
                            int64_t place, cla_error *error);

/* Calls the caller's progress function and returns its answer. Only for the caller's thread. */
bool arrays_go_on(arrays_call *c);

/* Calls arrays_go_on, and ends the call if it returns false. */
void arrays_ask(arrays_call *c);

/* Aligns one pair with cla_align. Without a worker, the pair cannot be interrupted. */
cla_status arrays_align_alone(cla_alignment **out, arrays_call *c, arrays_worker *w, int64_t pair,
                              cla_error *error);

/* Aligns one pair of the chunk with cla_align, and stores its result or its error. Fails only with
 * CLA_ERROR_MEMORY or CLA_ERROR_INTERRUPTED. */
cla_status arrays_solve_alone(arrays_worker *w, const arrays_chunk *of, int64_t pair, cla_error *error);

/* Allocates the state of a thread. CLA_ERROR_MEMORY. */
cla_status arrays_begin_worker(arrays_worker *w, arrays_call *c, cla_error *error);
void arrays_end_worker(arrays_worker *w);

/* Empties `all` and makes room for all codes that must be made for the chunk. CLA_ERROR_MEMORY. */
cla_status arrays_codes_room(arrays_codes *all, const arrays_call *c, const arrays_chunk *of,
                             cla_error *error);

/* Finds or makes the codes of a pair; the caller has made room. Returns false if the pair must be aligned on
 * its own: a side is empty, too long, or contains a character that is not a letter with a score. */
bool arrays_pair_codes(const uint8_t *sides[2], arrays_codes *all, const arrays_call *c, int64_t pair);

/* Adds a pair to the worker's solver. Returns the bitwise OR of the pair's codes, which is at least the
 * code of each ambiguous letter in the pair. */
uint8_t arrays_add_pair(arrays_worker *w, int64_t pair, const uint8_t *const sides[2]);

/* Makes the reverse complement of a query; the caller has made room. */
const uint8_t *arrays_turned(arrays_codes *all, const uint8_t *query, int64_t letters);

/* Resets the run counts of the chunk. */
void arrays_begin_runs(arrays_worker *w, const arrays_chunk *of);

/* Aligns the pairs of a chunk. */
cla_status arrays_solve_chunk(arrays_worker *w, arrays_chunk *of, cla_error *error);

/* Completes the results of a chunk that a device has scored. Finds and verifies the paths, or verifies a
 * sample if no paths are wanted. If a score is wrong, the device is left out and the host solves the
 * chunk. */
cla_status arrays_finish_chunk(arrays_worker *w, arrays_chunk *of, cla_error *error);

/* Aligns, one by one, the chunk's pairs that have the status ALONE, and then orders the chunk's runs. Fails
 * like arrays_solve_alone. */
cla_status arrays_solve_rest(arrays_worker *w, arrays_chunk *of, cla_error *error);

/* Returns the next chunk for host thread `thread` (from 0). NULL: no chunk is left, but devices may give some
 * back later. */
arrays_chunk *arrays_deal_chunk(arrays_call *c, int thread);

/* Records the time of a chunk that a host thread solved on its own or finished for a device. */
void arrays_deal_done(arrays_call *c, const seen_work *work, bool solved);

/* Sets *first to the next chunks for a device, which are adjacent, and returns their number; 0: the thread
 * should end. If `take` is false, the chunks are not taken. */
int64_t arrays_deal_many(arrays_chunk **first, const arrays_handle *handle, bool take);

/* Records the time that a device needed for chunks. */
void arrays_deal_measure(arrays_handle *handle, const seen_work *work);

/* Gives chunks to host threads. If `why` is not NULL, the device has failed, and its scores are dropped. */
void arrays_deal_back(arrays_partner *partner, arrays_chunk *first, int64_t count, const cla_error *why);

/* Returns true if chunks are left. */
bool arrays_deal_any(arrays_call *c);

/* Leaves a device out that has failed or computed wrong results. */
void arrays_lose(arrays_partner *partner, const cla_error *why);

/* Starts one thread for each of the options' partners. CLA_ERROR_MEMORY. */
cla_status arrays_start_devices(arrays_call *c, cla_error *error);

/* Waits until all device threads have ended. May be called again. */
void arrays_join_devices(arrays_call *c);

/* The work of cla_pair_arrays_prepare, after arrays_settle and the cutting into chunks. */
cla_status arrays_prepare(arrays_call *c, cla_error *error);

#endif
